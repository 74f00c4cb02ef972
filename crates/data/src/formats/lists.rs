//! Short lists: sensitive items, utility constraints, patterns, alphabets, costs, taxonomies.
//!
//! Lists have one entry a line. Blank lines are passed over, blanks around names do not count.

use std::collections::BTreeMap;

use throng_contract::{Progress, did_you_mean};

use super::csv::CsvFile;
use super::error::{Defect, InputError, Shape};
use super::role_names::RoleName;
use super::row::split;
use super::source::Source;
use super::text::for_each_line;
use crate::limits::Limit;
use crate::{Dictionary, Hierarchy, ItemId, NodeId, SymbolCosts, Taxonomy, TaxonomyError};

/// Reads one item a line, each one of the data.
pub fn read_items(source: &Source, items: &Dictionary) -> Result<Vec<String>, InputError> {
    let mut found = Vec::new();
    for_each_name(source, |line, name| {
        known(source, items, line, name)?;
        found.push(name.to_owned());
        Ok(())
    })?;
    Ok(found)
}

/// Reads a public alphabet: names that need not occur in any data, one a line, under the header `item` or none. The header is told by
/// its name alone: an alphabet must not depend on the data, and a header taken for an item would be drawn into synthetic records.
pub fn read_alphabet(source: &Source) -> Result<Vec<String>, InputError> {
    let mut names = read_names(source)?;
    if names.first().is_some_and(|name| name == "item") {
        names.remove(0);
    }
    if names.is_empty() { Err(InputError::file(source.name(), Defect::Empty)) } else { Ok(names) }
}

/// Reads names that need not occur in any data, one a line.
pub fn read_names(source: &Source) -> Result<Vec<String>, InputError> {
    let mut found = Vec::new();
    for_each_name(source, |_, name| {
        found.push(name.to_owned());
        Ok(())
    })?;
    Ok(found)
}

/// Reads one set of items a line, the form of utility constraints.
///
/// Items are separated by `,`; in a line without one by `;`; without either by blanks, unless the whole line is
/// the name of an item. A name that holds the separator is put in quotes. Items that do not occur in the data are passed
/// over: a list of regions is about the country, not about the extract at hand. A caller that needs a partition of the
/// data's items finds a misspelt one by the item that is then missing.
pub fn read_item_sets(source: &Source, items: &Dictionary) -> Result<Vec<Vec<String>>, InputError> {
    let mut sets = Vec::new();
    for_each_set(source, items, |_, names| {
        let mut set: Vec<ItemId> = names.iter().filter_map(|name| items.find(name)).collect();
        set.sort_unstable();
        set.dedup();
        sets.push(items.named(&set));
        Ok(())
    })?;
    Ok(sets)
}

/// Reads one set of items a line, as [`read_item_sets`] does, of items that must occur in the data: privacy constraints.
/// Otherwise the publisher would believe a misspelt item to be protected.
pub fn read_policy(source: &Source, items: &Dictionary) -> Result<Vec<Vec<String>>, InputError> {
    let mut sets = Vec::new();
    for_each_set(source, items, |line, names| {
        let ids = names.iter().map(|name| known(source, items, line, name));
        let mut set = ids.collect::<Result<Vec<ItemId>, InputError>>()?;
        set.sort_unstable();
        set.dedup();
        sets.push(items.named(&set));
        Ok(())
    })?;
    Ok(sets)
}

/// Reads one set of names a line, as [`read_item_sets`] does, whether or not they occur in any data.
pub fn read_name_sets(source: &Source) -> Result<Vec<Vec<String>>, InputError> {
    let mut sets = Vec::new();
    for_each_set(source, &Dictionary::new(), |_, names| {
        let mut set: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        set.sort_unstable();
        set.dedup();
        sets.push(set);
        Ok(())
    })?;
    Ok(sets)
}

/// Reads one set of names a line, as they are written; a line that is the name of an item as a whole is that item. For an
/// editor of the file: nothing is sorted, and nothing passed over.
pub fn read_written_sets(source: &Source, items: &Dictionary) -> Result<Vec<Vec<String>>, InputError> {
    let mut sets = Vec::new();
    for_each_set(source, items, |_, names| {
        sets.push(names.iter().map(|name| (*name).to_owned()).collect());
        Ok(())
    })?;
    Ok(sets)
}

/// Calls back for each line with the names in it.
fn for_each_set(
    source: &Source,
    items: &Dictionary,
    mut each: impl FnMut(u64, &[&str]) -> Result<(), InputError>,
) -> Result<(), InputError> {
    for_each_entry(source, |line, text| {
        if items.find(text).is_some() {
            return each(line, &[text]);
        }
        let delimiter = [b',', b';'].into_iter().find(|delimiter| text.as_bytes().contains(delimiter));
        let names = match delimiter {
            Some(delimiter) => {
                split(text, delimiter).map_err(|(_, defect)| InputError::line(source.name(), line, defect))?
            }
            None => text.split_whitespace().map(str::to_owned).collect(),
        };
        let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
        match names.iter().any(|name| name.is_empty()) {
            true => Err(InputError::line(source.name(), line, Defect::EmptyEntry)),
            false => each(line, &names),
        }
    })
}

/// Reads one sequence of items a line: `a > b > c`.
pub fn read_patterns(source: &Source, items: &Dictionary) -> Result<Vec<Vec<String>>, InputError> {
    let mut patterns = Vec::new();
    for_each_entry(source, |line, text| {
        let names = parse_pattern(text);
        names.iter().try_for_each(|name| known(source, items, line, name).map(drop))?;
        patterns.push(names);
        Ok(())
    })?;
    Ok(patterns)
}

/// The names of `a > b > c`. A name that holds `>`, or begins with a quote, is put in quotes, doubled inside. Blanks around it do not count, there
/// neither.
pub fn parse_pattern(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let (name, after) = match rest.strip_prefix('"').and_then(quoted) {
            Some((name, after)) => (name.trim().to_owned(), after),
            None => {
                let end = rest.find('>').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        names.push(name);
        match after.trim_start().strip_prefix('>') {
            Some(next) => rest = next.trim_start(),
            None => return names,
        }
    }
}

/// What stands in quotes, and what follows them; `None` when nothing closes them before the next `>` or the end.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('"')?;
        name.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => break,
        }
    }
    let after = rest.trim_start();
    (after.is_empty() || after.starts_with('>')).then_some((name, rest))
}

/// Writes names in the form that [`parse_pattern`] reads.
pub fn render_pattern<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for (position, name) in names.into_iter().enumerate() {
        if position > 0 {
            text.push_str(" > ");
        }
        if name.contains('>') || name.starts_with('"') {
            text.push('"');
            text.push_str(&name.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(name);
        }
    }
    text
}

/// Reads costs of symbols: CSV `symbol,cost`, and `symbol,node,cost` for what one node costs.
pub fn read_costs(source: &Source) -> Result<SymbolCosts, InputError> {
    let mut file = CsvFile::open(source, None)?;
    let own = |role| RoleName { role, flag: None, aliases: &[], weaker: &[] };
    let symbol = file.header.need(RoleName { aliases: &["item", "name"], ..own("symbol") }, None)?;
    let node = file.header.find(own("node"), None)?;
    let cost = file.header.need(own("cost"), None)?;
    let mut lines: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut costs = SymbolCosts::default();
    file.for_each_row(|row| {
        let name = row.filled(symbol, "symbol")?.trim().to_owned();
        let node = node.map_or("", |node| row.field(node).trim()).to_owned();
        let text = row.field(cost).trim();
        let value = match text.parse::<f64>() {
            Ok(value) if value.is_finite() => value,
            _ => return Err(row.error(cost, Defect::Number { found: Shape::of(text) })),
        };
        if let Some(first) = lines.insert((name.clone(), node.clone()), row.line()) {
            return Err(row.error(symbol, Defect::Repeated { name, first }));
        }
        match node.is_empty() {
            true => costs.weights.insert(name, value),
            false => costs.replacing.insert((name, node), value),
        };
        Ok(())
    })?;
    Ok(costs)
}

/// Reads a tree: `leaf;parent;...;root` a line, deepest first. Names that hold `;` are put in quotes.
pub fn read_taxonomy(source: &Source, progress: &Progress) -> Result<Taxonomy, InputError> {
    let (lines, paths) = read_paths(source, progress)?;
    Taxonomy::from_paths(paths.iter().map(|path| path.iter().map(String::as_str)))
        .map_err(|error| not_a_tree(source, &lines, error))
}

/// How the first line of a list begins that was cut from the data: a hierarchy whose leaves are the values that occur, a policy of rare
/// sets. It is passed over, and [`Source::is_cut_from_data`] remembers it, so that no release tells more than it means to.
pub const CUT_FROM_DATA: &str = "# cut from the data";

/// Reads a hierarchy over the values of a column: the same lines, in which the n-th name is the n-th level.
pub fn read_hierarchy(source: &Source, progress: &Progress) -> Result<Hierarchy, InputError> {
    let (lines, paths) = read_paths(source, progress)?;
    Hierarchy::from_paths(paths.iter().map(|path| path.iter().map(String::as_str)))
        .map_err(|error| not_a_tree(source, &lines, error))
}

/// The lines of a tree, and where they stand.
type Paths = (Vec<u64>, Vec<Vec<String>>);

fn read_paths(source: &Source, progress: &Progress) -> Result<Paths, InputError> {
    progress.check()?;
    let file = source.name();
    let mut lines: Vec<u64> = Vec::new();
    let mut paths: Vec<Vec<String>> = Vec::new();
    for_each_entry(source, |line, text| {
        let path = split(text, b';').map_err(|(_, defect)| InputError::line(file, line, defect))?;
        if !Limit::Depth.allows(path.len() as u64) {
            return Err(InputError::line(file, line, Defect::Limit(Limit::Depth)));
        }
        let path: Vec<String> = path.iter().map(|name| name.trim().to_owned()).collect();
        if path.iter().any(String::is_empty) {
            return Err(InputError::line(file, line, Defect::EmptyEntry));
        }
        lines.push(line);
        paths.push(path);
        Ok(())
    })?;
    Ok((lines, paths))
}

fn not_a_tree(source: &Source, lines: &[u64], error: TaxonomyError) -> InputError {
    let line = error.path().and_then(|path| lines.get(path).copied());
    let mut refusal = InputError::file(source.name(), Defect::Taxonomy(error));
    refusal.place.line = line;
    refusal
}

/// The leaf of every item of a dataset. The tree may have leaves that do not occur in the data.
pub fn align_taxonomy(
    source: &Source,
    taxonomy: &Taxonomy,
    items: &Dictionary,
) -> Result<Vec<NodeId>, InputError> {
    taxonomy.align(items).map_err(|error| {
        let TaxonomyError::MissingItem { name } = error else {
            return InputError::file(source.name(), Defect::Taxonomy(error));
        };
        let is_leaf = |name: &str| taxonomy.find(name).is_some_and(|node| taxonomy.is_leaf(node));
        let others = items.names().filter(|name| !is_leaf(name)).count() - 1;
        let what = "a line `leaf;parent;...;root`";
        InputError::file(source.name(), Defect::MissingItem { name, others, what })
    })
}

/// The number of an item of the data.
pub(super) fn known(
    source: &Source,
    items: &Dictionary,
    line: u64,
    name: &str,
) -> Result<ItemId, InputError> {
    if name.is_empty() {
        return Err(InputError::line(source.name(), line, Defect::EmptyEntry));
    }
    items.find(name).ok_or_else(|| {
        let suggestion = did_you_mean(name, items.names()).map(str::to_owned);
        let defect = Defect::UnknownItem { name: name.to_owned(), suggestion };
        InputError::line(source.name(), line, defect)
    })
}

/// Calls `each` with every line; a file without any is an error.
pub(super) fn for_each_entry(
    source: &Source,
    mut each: impl FnMut(u64, &str) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let mut any = false;
    for_each_line(source, |line, text| {
        if line == 1 && text.starts_with(CUT_FROM_DATA) {
            source.say_cut_from_data();
            return Ok(());
        }
        any = true;
        each(line, text)
    })?;
    if any { Ok(()) } else { Err(InputError::file(source.name(), Defect::Empty)) }
}

/// Calls `each` with the name on every line; a name on two lines is an error.
fn for_each_name(
    source: &Source,
    mut each: impl FnMut(u64, &str) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let mut seen = Dictionary::new();
    let mut lines: Vec<u64> = Vec::new();
    for_each_entry(source, |line, name| {
        if let Some(first) = lines.get(seen.intern(name) as usize) {
            let defect = Defect::Repeated { name: name.to_owned(), first: *first };
            return Err(InputError::line(source.name(), line, defect));
        }
        lines.push(line);
        each(line, name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_they_are_written() {
        for names in [vec!["a", "b c"], vec!["x>y", "z"], vec!["\"", "say \"hi\""], vec!["lead", "\">\""]] {
            assert_eq!(parse_pattern(&render_pattern(names.iter().copied())), names);
        }
        assert_eq!(parse_pattern("a>b >  c"), ["a", "b", "c"]);
        assert_eq!(parse_pattern("\" a \" >\"b\""), ["a", "b"]);
        assert_eq!(parse_pattern("a > > c"), ["a", "", "c"]);
        assert_eq!(parse_pattern("\"open > b"), ["\"open", "b"]);
    }
}
