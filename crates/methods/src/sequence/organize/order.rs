//! Organize: subjects in the Gray order of their keys, cut into runs of equal size.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use super::keys::Keys;

/// Subjects by the Gray order of their keys, ties in input order.
///
/// Neighbours in this order differ in few bits, and in bits that stand next to each other.
pub fn gray_order(keys: &Keys, subjects: usize) -> Vec<u32> {
    // The ranks of the first columns mostly decide: they are one number with the subject behind it, which is cheap to compare.
    let number = |subject: u32| {
        let mut key = [0_u64; 2];
        for column in keys.of(subject as usize).iter().take_while(|column| **column < FIRST_COLUMNS) {
            key[(column / u64::BITS) as usize] |= 1 << (u64::BITS - 1 - column % u64::BITS);
        }
        let high = parities(key[0]);
        let low = parities(key[1]) ^ if high & 1 == 1 { u64::MAX } else { 0 };
        u128::from(high) << u64::BITS | u128::from(low >> u32::BITS << u32::BITS) | u128::from(subject)
    };
    let mut numbers: Vec<u128> = (0..subjects as u32).into_par_iter().map(number).collect();
    numbers.par_sort_unstable();
    let mut order: Vec<u32> = numbers.iter().map(|number| *number as u32).collect();
    let mut at = 0;
    for alike in numbers.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
        let key = |subject: &u32| keys.of(*subject as usize);
        order[at..at + alike.len()].sort_by(|a, b| by_gray_rank(key(a), key(b)));
        at += alike.len();
    }
    order
}

/// So many columns and the number of a subject fill 128 bits.
const FIRST_COLUMNS: u32 = u128::BITS - u32::BITS;

/// Compares two keys, each given by the columns whose bit is set. Every bit of a rank is the parity of the bits up to it, so that up to the
/// first column that only one of them has, ranks are alike; there, that one is higher if it has an even number of bits before.
fn by_gray_rank(a: &[u32], b: &[u32]) -> Ordering {
    let alike = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let only_in_a = match (a.get(alike), b.get(alike)) {
        (Some(a), Some(b)) => a < b,
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => return Ordering::Equal,
    };
    if only_in_a == alike.is_multiple_of(2) { Ordering::Greater } else { Ordering::Less }
}

/// The place of a bit string in the reflected Gray code: every bit is the parity of the bits up to it.
pub fn gray_rank(key: &[u64]) -> Vec<u64> {
    let mut odd = false;
    key.iter()
        .map(|word| {
            let rank = if odd { !parities(*word) } else { parities(*word) };
            odd = rank & 1 == 1;
            rank
        })
        .collect()
}

/// Every bit becomes the parity of the bits up to it, from the highest on.
fn parities(word: u64) -> u64 {
    [1, 2, 4, 8, 16, 32].iter().fold(word, |bits, shift| bits ^ bits >> shift)
}

/// `clusters` consecutive runs of `total` that differ in length by at most one, the longer ones first.
pub fn cut(total: usize, clusters: usize) -> Vec<Range<usize>> {
    let clusters = clusters.clamp(1, total.max(1));
    let (size, longer) = (total / clusters, total % clusters);
    let start = |cluster: usize| cluster * size + cluster.min(longer);
    (0..clusters).map(|cluster| start(cluster)..start(cluster + 1)).collect()
}

#[cfg(test)]
mod tests {
    use throng_data::{Dataset, EventKind};

    use super::*;

    #[test]
    fn ranks_follow_the_reflected_code() {
        // Keys of three bits stand in the highest bits of the word.
        let rank = |key: u64| gray_rank(&[key << 61])[0] >> 61;
        let sequence = [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100];
        assert_eq!(sequence.map(rank), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn ranks_carry_over_from_word_to_word() {
        assert_eq!(gray_rank(&[1, 0]), [1, u64::MAX]);
        assert_eq!(gray_rank(&[0, 1]), [0, 1]);
    }

    #[test]
    fn columns_compare_as_ranks_do() {
        let columns = |key: u64| (0..6).filter(|column| key >> (5 - column) & 1 == 1).collect::<Vec<u32>>();
        for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
            let ranks = gray_rank(&[a << 58]).cmp(&gray_rank(&[b << 58]));
            assert_eq!(by_gray_rank(&columns(a), &columns(b)), ranks, "{a:b} {b:b}");
        }
    }

    #[test]
    fn keys_of_many_columns_are_ordered_by_the_whole() {
        // Columns around the end of the first ones, so that their ranks leave many undecided. The first person has all columns.
        let columns = FIRST_COLUMNS + 4;
        let chosen =
            |set: u32| (0..8).filter(move |bit| set >> bit & 1 == 1).map(move |bit| columns - 8 + bit);
        let people = (0..256_u32).map(|set| chosen(set * 77 % 256).collect());
        let records: Vec<Vec<u32>> = std::iter::once((0..columns).collect()).chain(people).collect();
        let named: Vec<(String, Vec<String>)> = records
            .iter()
            .enumerate()
            .map(|(at, record)| (at.to_string(), record.iter().map(u32::to_string).collect()))
            .collect();
        let borrowed = named.iter().map(|(name, items)| (name.as_str(), items.iter().map(String::as_str)));
        let data = Dataset::from_records(EventKind::Sequence, borrowed);
        let keys = Keys::of_items(&data.events, &(0..columns).collect::<Vec<_>>(), columns as usize);
        let rank = |subject: &u32| {
            let mut key = [0_u64; 2];
            for column in &records[*subject as usize] {
                key[*column as usize / 64] |= 1 << (63 - column % 64);
            }
            gray_rank(&key)
        };
        let mut expected: Vec<u32> = (0..257).collect();
        expected.sort_by_key(rank);
        assert_eq!(gray_order(&keys, 257), expected);
    }

    #[test]
    fn the_remainder_goes_to_the_first_runs() {
        assert_eq!(cut(7, 3), [0..3, 3..5, 5..7]);
        assert_eq!(cut(2, 5), [0..1, 1..2]);
        assert_eq!(cut(0, 3), std::iter::once(0..0).collect::<Vec<_>>());
    }
}
