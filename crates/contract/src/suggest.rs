//! "Did you mean": the closest known word to one that is not known.

/// The candidate closest to `word`, if it is close enough to be worth suggesting.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    // One other letter is no near miss of one letter.
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    candidates
        .into_iter()
        .map(|candidate| (edits(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance with adjacent swaps counted once, ignoring case, `-` and `_`.
fn edits(left: &str, right: &str) -> usize {
    let fold = |text: &str| -> Vec<char> {
        text.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
    };
    let (left, right) = (fold(left), fold(right));
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let cost = usize::from(left[i - 1] != right[j - 1]);
            let mut best = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let names = ["seqanon", "sd-seqanon", "u-seqanon"];
        assert_eq!(did_you_mean("seqanno", names), Some("seqanon"));
        assert_eq!(did_you_mean("SD_SEQANON", names), Some("sd-seqanon"));
        assert_eq!(did_you_mean("mondrian", names), None);
        assert_eq!((did_you_mean("L", ["k", "m"]), did_you_mean("K", ["k", "m"])), (None, Some("k")));
    }
}
