//! Names that only count people.
//!
//! Files number their people from somewhere: `1`, `2`, `3`, or `p000001`, `user_17`. The same such name in two files says nothing of whether
//! the people are the same.

/// How many numbers there may be for each one in use, for names with letters before the number to be a count.
const SPREAD: u64 = 100;

/// Whether all names are numbers, or numbers after the same letters that run through a small range.
pub(super) fn are_counted<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    let mut common: Option<&str> = None;
    let (mut people, mut largest) = (0_u64, 0_u64);
    for name in names {
        let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let digits = &name[letters.len()..];
        if digits.is_empty() || *common.get_or_insert(letters) != letters {
            return false;
        }
        // A number too long to be counted to is large enough.
        largest = largest.max(digits.parse().unwrap_or(u64::MAX));
        people += 1;
    }
    match common {
        None => false,
        Some("") => true,
        Some(_) => largest <= people.saturating_mul(SPREAD),
    }
}

#[cfg(test)]
mod tests {
    use super::are_counted;

    #[test]
    fn numbers_and_numbers_after_the_same_letters_count_people() {
        for names in [vec!["1", "2", "9000000"], vec!["p000001", "p000002"], vec!["user_17", "user_3"]] {
            assert!(are_counted(names.iter().copied()), "{names:?}");
        }
    }

    #[test]
    fn names_and_numbers_out_of_a_large_range_do_not() {
        for names in [
            vec![],
            vec!["ann", "bob"],
            vec!["1", "x"],
            vec!["a1", "b2"],
            vec![""],
            vec!["AB123456789", "AB000000017"],
            vec!["p99999999999999999999999"],
        ] {
            assert!(!are_counted(names.iter().copied()), "{names:?}");
        }
    }
}
