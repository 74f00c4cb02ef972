//! Two releases of the same people taken together: the events of one, the columns of another.
//!
//! A publisher of columns and events apart, each safe by itself, must reckon with attackers who know which row goes with which record:
//! because the files keep their order, because both carry a number, or because little else fits.

use std::path::Path;

use throng_contract::{Class, Failure, Progress};
use throng_data::formats::{ReadOptions, Source, read_dataset};
use throng_data::{Dictionary, RecodedColumn, RecodedTable};

use throng_release::manifest::Manifest;
use throng_release::published::read_release;

/// The people that a linkage names, numbered as [`read_release`] numbers them.
pub(super) fn people_of(linkage: &Source, progress: &Progress) -> Result<Dictionary, Failure> {
    let options = ReadOptions {
        subject: Some("subject".to_owned()),
        item: Some("record".to_owned()),
        ..ReadOptions::default()
    };
    Ok(read_dataset(linkage, &options, progress)?.dataset.subjects)
}

/// The columns of a release in the order of these people.
pub(super) fn columns_of(
    directory: &Path,
    linkage: &Source,
    people: &Dictionary,
    progress: &Progress,
) -> Result<RecodedTable, Failure> {
    let manifest = Manifest::read(directory)?;
    let linkage = linkage.held()?;
    let release = read_release(directory, manifest.as_ref(), Some(&linkage), progress)?;
    let refuse =
        |message: String, help: &'static str| Err(Failure::new(Class::BadInput, message).with_help(help));
    let Some(table) = release.body.into_table() else {
        return refuse(
            format!("`{}` has no columns to take together with the release", directory.display()),
            "give the release with the columns as {beside}, and the one with the events as {release}",
        );
    };
    let own = people_of(&linkage, progress)?;
    let rows: Option<Vec<usize>> =
        people.names().map(|name| own.find(name).map(|row| row as usize)).collect();
    let Some(rows) = rows else {
        return refuse(
            format!("`{}` has no row for some people of the release", directory.display()),
            "give releases of the same people, and for each the file that {linkage} wrote with it",
        );
    };
    let in_order = |column: RecodedColumn| RecodedColumn {
        cells: rows.iter().map(|row| column.cells[*row]).collect(),
        ..column
    };
    Ok(RecodedTable { columns: table.columns.into_iter().map(in_order).collect() })
}
