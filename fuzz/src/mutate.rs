//! Small changes to a file, from a seed: what a careless editor, a bad disk or an attacker does to it.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Words that readers have to take care of.
const WORDS: &[&[u8]] = &[
    b"",
    b",",
    b";",
    b"\t",
    b"\"",
    b"\"\"",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3",
    b"{",
    b"}",
    b"|",
    b"\\",
    b"~",
    b"~1",
    b"{a|b}",
    b"{}",
    b"-",
    b"-1",
    b"0",
    b"1",
    b"-2",
    b"18446744073709551616",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"1e308",
    b"1e999",
    b"NaN",
    b"inf",
    b"-0.0",
    b"0.1",
    b"null",
    b"true",
    b"[]",
    b"[[[[[[[[",
    b"%",
    b">",
    b" > ",
    b"=",
    b"record",
    b"item",
    b"time",
    b"subject",
    b"2024-02-30",
    b"9999-12-31T23:59:60Z",
    b"\xe2\x80\xa8",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"PAR1",
    b"<trkpt lat=\"91\" lon=\"181\">",
    b"&#0;",
    b"]]>",
];

/// The `number`-th change of a file. Others of its kind lend parts.
pub fn mutate(file: &[u8], others: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut random = ChaCha8Rng::seed_from_u64(number);
    let mut bytes = file.to_vec();
    for _ in 0..random.random_range(1..=4) {
        step(&mut bytes, others, &mut random);
    }
    bytes
}

fn step(bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut impl Rng) {
    let at = random.random_range(0..=bytes.len());
    let end = bytes.len().min(at + random.random_range(0..=bytes.len().clamp(1, 40)));
    match random.random_range(0..9) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
        1 if at < bytes.len() => bytes[at] = random.random(),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let part = bytes[at..end].to_vec();
            let to = random.random_range(0..=bytes.len());
            bytes.splice(to..to, part);
        }
        4 => bytes.truncate(at),
        5 if !others.is_empty() => {
            let other = &others[random.random_range(0..others.len())];
            let from = random.random_range(0..=other.len());
            let to = other.len().min(from + random.random_range(0..=200));
            bytes.splice(at..end, other[from..to].iter().copied());
        }
        6 => {
            // One of the lines again, or somewhere else.
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            if lines.len() > 1 {
                let mut moved = lines.clone();
                let line = lines[random.random_range(0..lines.len())];
                moved.insert(random.random_range(0..=lines.len()), line);
                *bytes = moved.concat();
            }
        }
        _ => {
            let word = WORDS[random.random_range(0..WORDS.len())];
            let to = if random.random() { at } else { end };
            bytes.splice(at..to.max(at), word.iter().copied());
        }
    }
}
