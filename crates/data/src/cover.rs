//! What a released cell of a table may stand for.

use std::sync::Arc;

use crate::table::{ColumnKind, position};
use crate::{parse_item, render_item};

/// The original values that a released cell covers. Exactly one of them was there: a cell stands for one value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cover {
    /// One value, as written in the data; the empty text is a missing value.
    Value(String),
    /// A node of the column's hierarchy.
    Node {
        /// Its name.
        name: String,
        /// The values below it, sorted.
        members: Arc<[String]>,
    },
    /// Everything between two numbers or two dates, both included.
    Range {
        /// The lower end, as written in the data.
        low: String,
        /// The upper end, as written in the data.
        high: String,
    },
    /// One of several values, sorted.
    Set(Vec<String>),
    /// Nothing is said. Not the same as a missing value, which is said to be missing.
    Suppressed,
}

impl Cover {
    /// How a cell is written: a value, the name of a node, `[lo,hi]`, `{a|b}`, or `*`. A node is written like a value of its name, unless the name is
    /// a range that holds all its members.
    pub fn render(&self) -> String {
        match self {
            Cover::Value(value) => render_value(value),
            Cover::Node { name, members } => render_node(name, members),
            Cover::Range { low, high } => format!("[{low},{high}]"),
            Cover::Set(values) => render_item(values.iter().map(String::as_str)),
            Cover::Suppressed => "*".to_owned(),
        }
    }

    /// Reads what [`Cover::render`] wrote. A node reads as a value of its name: only a list of nodes tells them apart.
    /// `None` when the text is not well formed.
    pub fn parse(text: &str) -> Option<Cover> {
        if text == "*" {
            return Some(Cover::Suppressed);
        }
        if let Some((low, high)) = range(text) {
            return Some(Cover::Range { low: low.to_owned(), high: high.to_owned() });
        }
        let mut values = parse_item(text)?;
        match (text.starts_with('{'), values.pop()) {
            (false, Some(value)) if values.is_empty() => Some(Cover::Value(value)),
            (_, last) => {
                values.extend(last);
                values.sort_unstable();
                values.dedup();
                Some(Cover::Set(values))
            }
        }
    }

    /// Whether nothing is said.
    pub fn is_suppressed(&self) -> bool {
        matches!(self, Cover::Suppressed)
    }
}

/// The ends of a range, as they are written.
pub(crate) fn range(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.strip_suffix(']')?.split_once(',')
}

/// The name of a node as it is, where it reads as a name, or as a range in which all members lie; else escaped like a value.
fn render_node(name: &str, members: &[String]) -> String {
    match Cover::parse(name) {
        Some(Cover::Value(read)) if read == name => name.to_owned(),
        Some(Cover::Range { low, high }) if holds(&low, &high, members) => name.to_owned(),
        _ => render_value(name),
    }
}

/// Whether all members, values or ranges themselves, lie between two numbers or two dates.
fn holds(low: &str, high: &str, members: &[String]) -> bool {
    [ColumnKind::Number, ColumnKind::Date].into_iter().any(|kind| {
        let at = |text: &str| position(text.trim(), kind);
        let (Some(low), Some(high)) = (at(low), at(high)) else { return false };
        let inside = |text: &str| at(text).is_some_and(|at| low <= at && at <= high);
        members.iter().all(|member| match range(member) {
            Some((from, to)) => inside(from) && inside(to),
            None => inside(member),
        })
    })
}

/// A value that would read as a range or as suppressed is escaped like one that would read as a set.
fn render_value(value: &str) -> String {
    let text = render_item([value]);
    // No cell has a short name.
    let text = text.strip_prefix("\\~").map_or_else(|| text.clone(), |rest| format!("~{rest}"));
    if text == "*" || text.starts_with('[') { format!("\\{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_they_were_written() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let covers = [
            (Cover::Value("39".to_owned()), "39"),
            (Cover::Value(String::new()), ""),
            (Cover::Value("*".to_owned()), "\\*"),
            (Cover::Value("[1,2]".to_owned()), "\\[1,2]"),
            (Cover::Value("a|b".to_owned()), "a\\|b"),
            (Cover::Value("~1".to_owned()), "~1"),
            (Cover::Range { low: "-1.5".to_owned(), high: "22".to_owned() }, "[-1.5,22]"),
            (Cover::Set(words(&["a", "b}"])), "{a|b\\}}"),
            (Cover::Suppressed, "*"),
        ];
        for (cover, text) in covers {
            assert_eq!(cover.render(), text);
            assert_eq!(Cover::parse(text), Some(cover));
        }
        assert_eq!(Cover::parse("{a"), None);
    }

    #[test]
    fn the_name_of_a_node_reads_as_that_name() {
        let node = |name: &str, members: &[&str]| {
            let members = members.iter().map(|member| (*member).to_owned()).collect::<Vec<_>>();
            Cover::Node { name: name.to_owned(), members: members.into() }.render()
        };
        assert_eq!(node("south", &["Ulm"]), "south");
        assert_eq!(node("[20,39]", &["[20,29]", "35"]), "[20,39]");
        assert_eq!(node("[20, 40[", &["20", "39"]), "[20, 40[", "no range to us, and read as a name");
        for (name, members) in
            [("[1,2]", ["5", "6"]), ("{c|d}", ["a", "b"]), ("*", ["a", "b"]), ("a|b", ["c", "d"])]
        {
            let written = node(name, &members);
            assert_eq!(Cover::parse(&written), Some(Cover::Value(name.to_owned())), "{written}");
        }
    }
}
