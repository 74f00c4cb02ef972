//! How much of a file an error repeats: at most [`MAX_QUOTED`] characters of a name, and [`MAX_SENTENCE`] altogether.
//!
//! A name in a damaged file can be as long as the file. Every [`Failure`](crate::Failure) goes through here.

/// Characters of a quoted name, its ends included.
pub const MAX_QUOTED: usize = 80;
/// Characters of a whole sentence.
pub const MAX_SENTENCE: usize = 2_000;

/// Characters kept of the end of a long name: a file is known by it.
const TAIL: usize = 24;

/// The same sentence, long names in backticks shortened in their middle. Commands and flags to type stay whole.
pub fn brief(sentence: &str) -> String {
    let mut text = String::with_capacity(sentence.len().min(MAX_SENTENCE));
    for (at, part) in sentence.split('`').enumerate() {
        if at > 0 {
            text.push('`');
        }
        let is_typed = at % 2 == 1 && (part.starts_with("throng ") || part.starts_with('-'));
        match at % 2 == 1 && !is_typed {
            true => text.push_str(&shortened(part, MAX_QUOTED)),
            false if is_typed => text.push_str(part),
            // Libraries put what they found into double quotes.
            false => {
                for (at, words) in part.split('"').enumerate() {
                    if at > 0 {
                        text.push('"');
                    }
                    match at % 2 == 1 {
                        true => text.push_str(&shortened(words, MAX_QUOTED)),
                        false => text.push_str(words),
                    }
                }
            }
        }
    }
    shortened(&text, MAX_SENTENCE)
}

/// At most so many characters: the beginning, an ellipsis, and a short end.
fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let head = text.chars().take(most - TAIL - 1);
    head.chain(['…']).chain(text.chars().skip(length - TAIL)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        let name = format!("{}end", "é".repeat(20_000));
        let said = brief(&format!("item `{name}` does not occur in `short.csv`"));
        let quoted = said.split('`').nth(1).unwrap();
        assert_eq!(quoted.chars().count(), MAX_QUOTED);
        assert!(quoted.starts_with("ééé") && quoted.ends_with("éend") && quoted.contains('…'), "{quoted}");
        assert!(said.starts_with("item `") && said.ends_with("` does not occur in `short.csv`"), "{said}");
    }

    #[test]
    fn what_a_library_quotes_is_shortened() {
        let said =
            brief(&format!("is not JSON: invalid type: string \"{}\", expected u64", "x".repeat(20_000)));
        assert!(said.chars().count() < 140 && said.ends_with("x\", expected u64"), "{said}");
    }

    #[test]
    fn commands_and_short_names_stay_as_they_are() {
        let command =
            format!("use `throng prepare {}` or `--limit columns={}`", "x".repeat(90), "9".repeat(90));
        for sentence in [command.as_str(), "`a` is not `b`", "", "`"] {
            assert_eq!(brief(sentence), sentence);
        }
    }

    #[test]
    fn a_name_with_backticks_does_not_make_a_sentence_long() {
        let said = brief(&format!("item `a`{}` does not occur", "b".repeat(20_000)));
        assert_eq!(said.chars().count(), MAX_SENTENCE);
        assert!(said.ends_with("` does not occur"), "{said}");
    }
}
