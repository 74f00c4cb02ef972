//! Workloads of COUNT queries, one a line.
//!
//! `a > b` asks for items, in this order where events are ordered; `age = 20..29` for numbers or dates between two, both included;
//! `sex = F|M` for one of several values. Parts are put together with `;`:
//!
//! ```text
//! home > pub; age = 20..29; sex = F
//! ```
//!
//! Names and values that hold `>`, `;`, `=`, `|` or `..`, that begin with a quote, or that are empty are put in quotes, doubled
//! inside. Blanks around them do not count, in quotes or not. Names need not occur in any data.

use super::error::{Defect, InputError};
use super::lists::for_each_entry;
use super::source::Source;
use crate::{Query, Wanted};

/// Between the parts of a query; a name may be in quotes after each of them.
const SEPARATORS: [char; 4] = [';', '=', '>', '|'];

/// Reads a workload.
pub fn read_queries(source: &Source) -> Result<Vec<Query>, InputError> {
    let mut queries = Vec::new();
    for_each_entry(source, |line, text| match parse_query(text) {
        Some(query) => {
            queries.push(query);
            Ok(())
        }
        None => Err(InputError::line(source.name(), line, Defect::EmptyEntry)),
    })?;
    Ok(queries)
}

/// Reads one query; `None` when a name is empty or nothing is asked.
pub fn parse_query(text: &str) -> Option<Query> {
    let mut query = Query::default();
    for part in split(text, ';') {
        let sides = split(part, '=');
        // Items may have an `=` in their names, as long as nothing could take them for a column.
        if let ([column, _, ..], 1) = (&sides[..], split(part, '>').len()) {
            let column = unquoted(column);
            // What follows the first `=`.
            let wanted = &part[sides[0].len() + 1..];
            query.cells.push((column, parse_wanted(wanted)));
        } else {
            query.items.extend(split(part, '>').into_iter().map(unquoted));
        }
    }
    let named =
        query.items.iter().chain(query.cells.iter().map(|(column, _)| column)).all(|name| !name.is_empty());
    named.then_some(query)
}

fn parse_wanted(text: &str) -> Wanted {
    let values = split(text, '|');
    match values[..] {
        [one] if !one.trim_start().starts_with('"') && one.contains("..") => {
            let (low, high) = one.split_once("..").unwrap_or((one, one));
            Wanted::Between(low.trim().to_owned(), high.trim().to_owned())
        }
        _ => Wanted::Values(values.into_iter().map(unquoted).collect()),
    }
}

/// Writes a query in the form that [`parse_query`] reads.
pub fn render_query(query: &Query) -> String {
    let mut parts = Vec::new();
    if !query.items.is_empty() {
        let items: Vec<String> = query.items.iter().map(|item| quoted(item)).collect();
        parts.push(items.join(" > "));
    }
    for (column, wanted) in &query.cells {
        let wanted = match wanted {
            Wanted::Between(low, high) => format!("{low}..{high}"),
            Wanted::Values(values) => values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join("|"),
        };
        parts.push(format!("{} = {wanted}", quoted(column)));
    }
    parts.join("; ")
}

fn quoted(name: &str) -> String {
    let plain = !name.is_empty()
        && name.trim() == name
        && !name.starts_with('"')
        && !name.contains(SEPARATORS)
        && !name.contains("..");
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    match closing(text) {
        Some(end) if end == text.len() => text[1..end - 1].replace("\"\"", "\"").trim().to_owned(),
        _ => text.to_owned(),
    }
}

/// Where the quotes that a text begins with are closed; `None` when it begins with none, or they are not.
fn closing(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('"')?;
    loop {
        rest = &rest[rest.find('"')? + 1..];
        match rest.strip_prefix('"') {
            Some(more) => rest = more,
            None => return Some(text.len() - rest.len()),
        }
    }
}

/// Splits at a separator outside of quotes. Quotes count where a name begins and where what they close ends it.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut from, mut at, mut begins) = (Vec::new(), 0, 0, true);
    while let Some(c) = text[at..].chars().next() {
        if begins && c == '"' {
            let after = closing(&text[at..]).map(|end| at + end);
            let ends = |end: usize| {
                let rest = text[end..].trim_start();
                rest.is_empty() || rest.starts_with(SEPARATORS)
            };
            if let Some(end) = after.filter(|end| ends(*end)) {
                at = end;
                begins = false;
                continue;
            }
        }
        if c == separator {
            parts.push(&text[from..at]);
            from = at + c.len_utf8();
        }
        begins = SEPARATORS.contains(&c) || (begins && c.is_whitespace());
        at += c.len_utf8();
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(names: &[&str]) -> Query {
        Query::of_items(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn items_and_columns_are_read_in_any_mixture() {
        assert_eq!(parse_query("a > b").unwrap(), items(&["a", "b"]));
        assert_eq!(parse_query("x=1 > y").unwrap(), items(&["x=1", "y"]));
        let query = parse_query("home > pub; age = 20..29; sex=F|M").unwrap();
        assert_eq!(query.items, ["home", "pub"]);
        let values = ["F", "M"].map(str::to_owned).to_vec();
        let expected = [
            ("age".to_owned(), Wanted::Between("20".into(), "29".into())),
            ("sex".to_owned(), Wanted::Values(values)),
        ];
        assert_eq!(query.cells, expected);
        assert_eq!(parse_query("sex = ").unwrap().cells[0].1, Wanted::Values(vec![String::new()]));
        assert_eq!(parse_query("a > > b"), None);
        assert_eq!(parse_query("= 3"), None);
    }

    #[test]
    fn queries_are_read_as_they_were_written() {
        let wanted =
            |values: &[&str]| Wanted::Values(values.iter().map(|value| (*value).to_owned()).collect());
        let names = ["a", "b > c", "d;e", "f = g", "\"h\"", "i \"j\" k", "l|m", "n..o", "p\"", "q"];
        for name in names {
            let one = items(&[name, "z", name]);
            assert_eq!(parse_query(&render_query(&one)), Some(one), "{name}");
            let cells = vec![
                (name.to_owned(), wanted(&[name, "", name])),
                ("zip".to_owned(), Wanted::Between("-1.5".into(), "2024-01-01".into())),
                (name.to_owned(), wanted(&[name])),
            ];
            let mixed = Query { items: vec![name.to_owned()], cells: cells.clone() };
            assert_eq!(parse_query(&render_query(&mixed)), Some(mixed), "{name}");
            let cells = Query { items: Vec::new(), cells };
            assert_eq!(parse_query(&render_query(&cells)), Some(cells), "{name}");
        }
    }
}
