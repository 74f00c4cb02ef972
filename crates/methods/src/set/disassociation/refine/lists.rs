//! Ascending lists: searched, divided and merged.

/// So many terms are looked at one by one before a search.
const NEAR: usize = 4;

/// How many terms of an ascending list come before a term; looked for one by one, then in growing steps.
pub(super) fn terms_before(terms: &[u32], term: u32) -> usize {
    // Clusters side by side are mostly of one size: the next term is near.
    let near = terms.len().min(NEAR);
    if let Some(at) = terms[..near].iter().position(|other| *other >= term) {
        return at;
    }
    let mut step = NEAR;
    while terms.get(step - 1).is_some_and(|other| *other < term) {
        step *= 2;
    }
    let from = near.max(step / 2).min(terms.len());
    from + terms[from..step.min(terms.len())].partition_point(|other| *other < term)
}

/// The different terms of pairs, ascending, and where those of each end.
pub(super) fn terms_of(rest: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let (mut terms, mut ends) = (Vec::new(), Vec::new());
    let mut end = 0;
    for pairs in rest.chunk_by(|a, b| a.0 == b.0) {
        end += pairs.len() as u32;
        terms.push(pairs[0].0);
        ends.push(end);
    }
    (terms, ends)
}

/// An ascending list divided into what has one of some terms, and the rest.
pub(super) fn taken_out<T: Copy>(list: &[T], terms: &[u32], term: impl Fn(&T) -> u32) -> (Vec<T>, Vec<T>) {
    let (mut taken, mut left) = (Vec::new(), Vec::with_capacity(list.len()));
    let mut from = 0;
    for entry in list {
        while terms.get(from).is_some_and(|other| *other < term(entry)) {
            from += 1;
        }
        let list = if terms.get(from) == Some(&term(entry)) { &mut taken } else { &mut left };
        list.push(*entry);
    }
    (taken, left)
}

/// Two ascending lists as one.
pub(super) fn merge<T: Copy + Ord>(a: &[T], b: &[T]) -> Vec<T> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            merged.push(a[i]);
            i += 1;
        } else {
            merged.push(b[j]);
            j += 1;
        }
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_before_are_counted_as_by_a_look_at_all() {
        for length in [0, 1, NEAR, NEAR + 1, 50] {
            let terms: Vec<u32> = (0..length as u32).map(|at| at * 3).collect();
            for term in 0..160 {
                let expected = terms.iter().filter(|other| **other < term).count();
                assert_eq!(terms_before(&terms, term), expected, "{term} of {length}");
            }
        }
    }

    #[test]
    fn terms_of_pairs_say_where_theirs_end() {
        assert_eq!(terms_of(&[(2, 0), (2, 7), (5, 1)]), (vec![2, 5], vec![2, 3]));
        assert_eq!(terms_of(&[]), (Vec::new(), Vec::new()));
    }
}
