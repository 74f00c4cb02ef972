//! The order in which exposed patterns are treated.

use throng_data::Events;

use super::Found;
use super::ranks::{Images, Ranks};
use crate::sequence::groups::Groups;

/// The places of found patterns in the list, lowest support first, then by first occurrence. No two occur at the same positions of the same
/// record, so that the order is one.
pub(super) fn by_first_occurrence(
    events: &Events,
    groups: &Groups,
    known: Option<(&Ranks, &Images)>,
    found: &Found,
) -> Vec<u32> {
    let longest = found.records.iter().map(|record| events.span(*record as usize).len()).max().unwrap_or(0);
    let bits = |most: usize| (usize::BITS - most.leading_zeros()).max(1);
    let (position, record) = (bits(longest), bits(events.records()));
    let support = bits(found.supports.iter().copied().max().unwrap_or(0) as usize);
    let mut room = (Vec::new(), Vec::new());
    if support + record + position * found.size as u32 <= u64::BITS {
        let mut keys = Vec::with_capacity(found.len());
        for at in 0..found.len() {
            let key = (u64::from(found.supports[at]) << record) | u64::from(found.records[at]);
            let positions = positions(events, groups, known, &mut room, found, at);
            keys.push(positions.fold(key, |key, at| (key << position) | u64::from(at)));
        }
        return in_order(keys);
    }
    // Records or patterns so long that their positions do not fit one number.
    let key = |at: u32| (found.supports[at as usize], found.records[at as usize]);
    let mut order: Vec<_> = (0..found.len() as u32)
        .map(|at| {
            let positions = positions(events, groups, known, &mut room, found, at as usize);
            (key(at), positions.collect::<Vec<u32>>(), at)
        })
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, _, at)| at).collect()
}

/// Where a pattern is in the record in which it is found first. `known` are the images of all records, if there are any; `room` is for the pattern
/// and for that of the record.
fn positions<'a>(
    events: &Events,
    groups: &Groups,
    known: Option<(&Ranks, &'a Images)>,
    (pattern, image): &'a mut (Vec<u32>, Vec<u32>),
    found: &Found,
    at: usize,
) -> impl Iterator<Item = u32> + use<'a> {
    let record = found.records[at];
    pattern.clear();
    let image: &'a [u32] = match known {
        Some((ranks, images)) => {
            pattern.extend(found.pattern(at).iter().map(|group| ranks.of_group(*group)));
            images.of_record(record)
        }
        None => {
            pattern.extend_from_slice(found.pattern(at));
            groups.image_of(events.record(record as usize), image);
            image
        }
    };
    leftmost(image, pattern)
}

/// The positions of a pattern's leftmost embedding in an image that contains it.
fn leftmost<'a>(image: &'a [u32], pattern: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let mut at = 0;
    pattern.iter().map(move |group| {
        while at < image.len() && image[at] != *group {
            at += 1;
        }
        at += 1;
        at as u32 - 1
    })
}

/// Bits of a key that are sorted by at once.
const DIGIT: u32 = 11;
/// Fewer keys are compared.
const FEW: usize = 1 << 12;

/// The places of keys in ascending order: digit by digit where there are many.
fn in_order(keys: Vec<u64>) -> Vec<u32> {
    let most = keys.iter().copied().max().unwrap_or(0);
    let mut order: Vec<(u64, u32)> = keys.into_iter().zip(0..).collect();
    if order.len() <= FEW {
        order.sort_unstable();
    } else {
        let mut next = vec![(0, 0); order.len()];
        for shift in (0..u64::BITS - most.leading_zeros()).step_by(DIGIT as usize) {
            let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
            let mut starts = [0_usize; (1 << DIGIT) + 1];
            order.iter().for_each(|(key, _)| starts[digit(*key) + 1] += 1);
            for at in 1..starts.len() {
                starts[at] += starts[at - 1];
            }
            for (key, at) in &order {
                let start = &mut starts[digit(*key)];
                next[*start] = (*key, *at);
                *start += 1;
            }
            std::mem::swap(&mut order, &mut next);
        }
    }
    order.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_keys_come_in_the_order_of_a_comparison() {
        for count in [0, 1, FEW, 3 * FEW] {
            let keys: Vec<u64> =
                (0..count as u64).map(|key| key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 13).collect();
            let mut expected: Vec<u32> = (0..count as u32).collect();
            expected.sort_by_key(|at| keys[*at as usize]);
            assert_eq!(in_order(keys), expected);
        }
    }
}
