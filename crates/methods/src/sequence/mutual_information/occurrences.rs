//! How often a pattern occurs within a window, counted without listing the occurrences.

/// The number of index tuples `i1 < i2 < ...` with `ik` matching the pattern's k-th symbol and the last at most
/// `window` after the first. Saturates.
///
/// For each possible beginning, `ways[j]` is the number of ways to have matched the first `j + 1` symbols; a pass over the
/// window updates it from the back. A sequence of `n` symbols takes `n * window * pattern` steps at most.
pub fn occurrences<T: PartialEq>(sequence: &[T], pattern: &[T], window: usize) -> u64 {
    let Some((first, rest)) = pattern.split_first() else { return 0 };
    if rest.is_empty() {
        return sequence.iter().filter(|symbol| *symbol == first).count() as u64;
    }
    let mut total = 0_u64;
    let mut ways = vec![0_u64; rest.len()];
    for (at, _) in sequence.iter().enumerate().filter(|(_, symbol)| *symbol == first) {
        ways.fill(0);
        let end = sequence.len().min(at.saturating_add(window).saturating_add(1));
        for symbol in &sequence[at + 1..end] {
            for depth in (0..rest.len()).rev() {
                if rest[depth] == *symbol {
                    let before = if depth == 0 { 1 } else { ways[depth - 1] };
                    ways[depth] = ways[depth].saturating_add(before);
                }
            }
        }
        total = total.saturating_add(ways[rest.len() - 1]);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn listed(sequence: &[u8], pattern: &[u8], window: usize) -> u64 {
        fn extend(sequence: &[u8], pattern: &[u8], first: Option<usize>, from: usize, window: usize) -> u64 {
            let Some((symbol, rest)) = pattern.split_first() else { return 1 };
            (from..sequence.len())
                .filter(|at| sequence[*at] == *symbol && first.is_none_or(|first| at - first <= window))
                .map(|at| extend(sequence, rest, Some(first.unwrap_or(at)), at + 1, window))
                .sum()
        }
        extend(sequence, pattern, None, 0, window)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn counting_agrees_with_listing(
            sequence in prop::collection::vec(0..3_u8, 0..12),
            pattern in prop::collection::vec(0..3_u8, 1..4),
            window in 0..6_usize,
        ) {
            prop_assert_eq!(occurrences(&sequence, &pattern, window), listed(&sequence, &pattern, window));
        }
    }
}
