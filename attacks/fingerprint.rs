//! The attacker knows the layout of the publisher's file and everything in it but one column, and hashes every guess
//! (specification 13.19 a).

use sha2::{Digest, Sha256};

use crate::program::Desk;
use crate::published::Published;

const PEOPLE: usize = 10;
const TRUTH: usize = 0b10_0110_1101;

/// The file as it would be, if these people were positive.
fn records(positive: usize) -> String {
    let status = |person: usize| if positive >> person & 1 == 1 { "positive" } else { "negative" };
    let rows = (0..PEOPLE).map(|person| format!("p{person},{}\n", status(person)));
    "subject,hiv\n".to_owned() + &rows.collect::<String>()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// HMAC-SHA256, from its definition.
fn keyed(key: &[u8], message: &[u8]) -> String {
    let mut block = [0_u8; 64];
    match key.len() {
        0..=64 => block[..key.len()].copy_from_slice(key),
        _ => block[..32].copy_from_slice(&Sha256::digest(key)),
    }
    let inner = Sha256::digest([&block.map(|byte| byte ^ 0x36)[..], message].concat());
    hexadecimal(&Sha256::digest([&block.map(|byte| byte ^ 0x5c)[..], &inner].concat()))
}

#[test]
fn no_guess_of_an_unpublished_column_is_confirmed() {
    let desk = Desk::new();
    let events: String = (0..PEOPLE).map(|person| format!("p{person},ward,1\n")).collect();
    desk.write("trips.csv", &format!("subject,item,time\n{events}")).write("records.csv", &records(TRUTH));
    desk.ok(
        "anonymize trips.csv --records records.csv --method lkc --L 1 --K 2 --C 3/4 --sensitive-values hiv=positive -o out",
    );
    let published = Published::of(&desk, "out");
    let everything = published.everything();
    // Keys that an attacker may try: none, and every word and number that is published.
    let mut keys: Vec<Vec<u8>> = vec![Vec::new(), vec![0; 32], 0_u64.to_le_bytes().to_vec()];
    for word in published.text("manifest.json").split(|c: char| !c.is_ascii_alphanumeric()) {
        keys.push(word.as_bytes().to_vec());
        keys.extend(unhexadecimal(word));
    }
    keys.sort();
    keys.dedup();
    for guess in 0..1 << PEOPLE {
        let file = records(guess);
        let plain = Sha256::digest(file.as_bytes());
        assert!(!everything.contains(&hexadecimal(&plain)), "0.1.0 published this: {guess:010b}");
        // The truth is what would be confirmed; other guesses only cost time.
        if guess == TRUTH {
            for key in &keys {
                for message in [&plain[..], file.as_bytes()] {
                    assert!(!everything.contains(&keyed(key, message)), "under the key {key:?}");
                }
            }
        }
    }
}

fn unhexadecimal(word: &str) -> Option<Vec<u8>> {
    let digits = word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    digits.then(|| (0..32).map(|at| u8::from_str_radix(&word[2 * at..2 * at + 2], 16).unwrap_or(0)).collect())
}

#[test]
fn the_hash_of_the_test_is_hmac() {
    // RFC 4231, test case 2.
    let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    assert_eq!(keyed(b"Jefe", b"what do ya want for nothing?"), expected);
}

/// Nor do names of files: `hiv-clinic-2024.csv` would say enough.
#[test]
fn names_of_input_files_are_not_published() {
    let desk = Desk::new();
    let events: String = (0..4).map(|person| format!("p{person},ward,1\n")).collect();
    desk.write("hiv-clinic.csv", &format!("subject,item,time\n{events}"));
    desk.ok("anonymize hiv-clinic.csv --method lkc --L 1 --K 2 -o out");
    assert!(!Published::of(&desk, "out").everything().contains("hiv-clinic"));
}
