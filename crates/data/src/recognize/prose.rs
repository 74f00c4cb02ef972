//! Text that was written to be read: lines of items have no sentences.

/// Extensions of files that hold prose.
const EXTENSIONS: [&str; 6] = ["md", "markdown", "rst", "tex", "adoc", "org"];

/// Lines that are looked at.
const LINES: usize = 2_000;

/// Words from which on it says something how many end a sentence or a part of one.
const TELLING: usize = 20;

/// One word in so many ends with a full stop, a comma or the like, at least.
const ONE_IN: usize = 25;

/// Whether lines are sentences rather than items. What separates items, if anything does, is no sign of a sentence.
pub(super) fn is_prose(lines: &[&str], extension: Option<&str>, delimiter: Option<u8>) -> bool {
    if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
        return true;
    }
    let (mut all, mut words, mut ends) = (0, 0, 0);
    for word in lines.iter().take(LINES).flat_map(|line| line.split_whitespace()) {
        all += 1;
        let (letters, end) = split(word);
        if letters.chars().count() < 2
            || !letters.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
        {
            continue;
        }
        words += 1;
        let stop = end.chars().find(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?'));
        ends += usize::from(stop.is_some_and(|stop| delimiter.map(char::from) != Some(stop)));
    }
    words >= TELLING && words * 2 > all && ends * ONE_IN >= words
}

/// A word without brackets and quotes before it, and what stands behind it.
fn split(word: &str) -> (&str, &str) {
    let word = word.trim_start_matches(['(', '[', '"', '“', '‘', '`', '*', '_']);
    let end = word.trim_end_matches(|c: char| c.is_ascii_punctuation() || matches!(c, '”' | '’' | '…'));
    word.split_at(end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_prose_and_items_are_not() {
        let prose = "We collected these trips in the spring. Every person, young or old,\nwore a device (see below); some lines are missing.";
        let lines: Vec<&str> = prose.lines().collect();
        assert!(is_prose(&lines, Some("txt"), None));
        assert!(is_prose(&["a b c"], Some("md"), None));
        let items =
            ["home work gym home bakery", "home school park home", "work gym pub st-mary bakery"].repeat(9);
        assert!(!is_prose(&items, None, None));
        let listed = ["bread, milk, eggs", "milk, butter", "eggs, bread, beer, wine"].repeat(9);
        assert!(!is_prose(&listed, Some("txt"), Some(b',')));
        let numbers = ["1. 2. 3.", "4. 5. 6. see below, please."].repeat(20);
        assert!(!is_prose(&numbers, None, None));
    }
}
