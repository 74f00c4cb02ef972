//! Which files a directory has its rows in, and what columns and items they hold.

use std::path::Path;

use throng_contract::{Class, Failure};
use throng_data::formats::Source;
use throng_data::{
    ColumnKind, Cover, Dictionary, GeneralisedItem, ItemId, parse_item, position, render_item,
};

use super::counts::counts_file;
use crate::directory::{COUNTS, RECORDS, RECORDS_PARQUET, ReleaseFormat};

/// What values are, read off the cells: numbers where all are, dates where all are.
pub(super) fn kind_of(covers: &[Cover]) -> ColumnKind {
    let is = |kind: ColumnKind| {
        let fits = |text: &String| text.is_empty() || position(text, kind).is_some();
        covers.iter().all(|cover| match cover {
            Cover::Value(value) => fits(value),
            Cover::Range { low, high } => fits(low) && fits(high),
            Cover::Set(values) => values.iter().all(fits),
            Cover::Node { members, .. } => members.iter().all(fits),
            Cover::Suppressed => true,
        })
    };
    match (is(ColumnKind::Number), is(ColumnKind::Date)) {
        (true, false) => ColumnKind::Number,
        (false, true) => ColumnKind::Date,
        // Nothing but missing and suppressed cells says what the others would be.
        _ => ColumnKind::Category,
    }
}

/// The file of published attributes, or of a table.
pub(super) fn records_file(directory: &Path) -> Option<&'static str> {
    [RECORDS, RECORDS_PARQUET].into_iter().find(|name| directory.join(name).is_file())
}

/// The file of events; none where there is a table alone.
pub(super) fn events_file(directory: &Path) -> Result<Option<Source>, Failure> {
    for format in [ReleaseFormat::Csv, ReleaseFormat::Parquet] {
        let path = directory.join(format.file_name());
        if path.is_file() {
            return Ok(Some(Source::file(path)));
        }
    }
    if records_file(directory).is_some() || counts_file(directory).is_some() {
        return Ok(None);
    }
    let message = format!(
        "`{}` holds neither release.csv nor release.parquet nor {RECORDS} nor {COUNTS}",
        directory.display()
    );
    Err(Failure::new(Class::BadInput, message)
        .with_help("give a directory that {throng anonymize} wrote, or a data file"))
}

/// What each written item stands for.
pub(super) fn alphabet(
    written: &Dictionary,
    explained: impl Fn(&str) -> Option<Vec<String>>,
    file: &str,
) -> Result<(Dictionary, Vec<GeneralisedItem>), Failure> {
    let mut base = Dictionary::new();
    let mut alphabet = Vec::with_capacity(written.len());
    for name in written.names() {
        let listed = explained(name);
        let members = listed.or_else(|| parse_item(name)).ok_or_else(|| {
            Failure::new(Class::BadInput, format!("`{file}`: item `{name}` is not well formed")).with_help(
                "several names are written `{a|b|c}`; `{ } | \\` inside a name are escaped with `\\`",
            )
        })?;
        let spelled_out = render_item(members.iter().map(String::as_str)) == name;
        let ids: Vec<ItemId> = members.iter().map(|member| base.intern(member)).collect();
        let mut item = GeneralisedItem::of(ids);
        item.label = (!spelled_out).then(|| name.to_owned());
        alphabet.push(item);
    }
    Ok((base, alphabet))
}
