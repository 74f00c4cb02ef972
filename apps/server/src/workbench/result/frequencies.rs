//! How often released values occur, and how far the frequencies of original ones are off: of a table by column, of sets by item.

use std::path::Path;

use serde::Serialize;
use throng_contract::Progress;
use throng_data::{EventKind, Nature, Release};
use throng_lab::{catalogue, load};
use throng_measure::Comparison;
use throng_measure::frequencies::{Frequency, Released, frequencies, released_frequencies};
use utoipa::ToSchema;

use crate::workbench::result::releases;
use crate::workbench::run::plan;

/// Values of a column that are shown.
const MAX_VALUES: usize = 40;

/// The frequencies of a column, or of the items.
#[derive(Debug, Serialize, ToSchema)]
pub struct Frequencies {
    /// The column; absent for items.
    column: Option<String>,
    /// How many different values are released.
    released_total: usize,
    /// The most frequent of them.
    released: Vec<ReleasedValue>,
    /// How many different values the data have.
    original_total: usize,
    /// The most frequent of them.
    original: Vec<OriginalValue>,
}

/// A released value, and how often what it covers occurs in the data.
#[derive(Debug, Serialize, ToSchema)]
struct ReleasedValue {
    /// As written.
    value: String,
    /// How many original values it may stand for.
    covers: usize,
    /// How often it occurs in the release.
    released: u64,
    /// How often the values that it covers occur in the data.
    original: u64,
}

/// An original value, and how far one is off who reads its frequency from the release.
#[derive(Debug, Serialize, ToSchema)]
struct OriginalValue {
    /// The value.
    value: String,
    /// How often it occurs in the data.
    original: u64,
    /// How often it seems to, read from the release.
    estimate: f64,
    /// The relative difference.
    error: f64,
}

/// Looks at the release in a job's folder beside the data it was made from; nothing where records are no people's, or are
/// sequences, whose frequencies say little.
pub fn of(folder: &Path, release: &Release) -> Vec<Frequencies> {
    if release.nature == Nature::Synthetic
        || release.event_kind() == EventKind::Sequence
        || !release.body.has_rows()
    {
        return Vec::new();
    }
    // What cannot be compared is left out: the release is what matters.
    compared(folder, release).unwrap_or_default()
}

fn compared(folder: &Path, release: &Release) -> Option<Vec<Frequencies>> {
    let progress = Progress::silent();
    let mut recipe = plan::recipe(folder).ok()?;
    let method = catalogue::method(&recipe.method).ok()?.descriptor();
    let files = &mut recipe.data.files;
    let loaded = load(files, method, &progress).ok()?;
    let release = releases::renumbered(release, &loaded.data.items);
    let on = Comparison { inputs: &loaded.inputs, ..Comparison::of(&loaded.data, &release, &progress) };
    let (original, released) = (frequencies(&on).ok()?, released_frequencies(&on).ok()?);
    let mut columns: Vec<Option<String>> = Vec::new();
    for frequency in &original {
        if columns.last() != Some(&frequency.column) {
            columns.push(frequency.column.clone());
        }
    }
    Some(columns.into_iter().map(|column| view(column, &original, &released)).collect())
}

fn view(column: Option<String>, original: &[Frequency], released: &[Released]) -> Frequencies {
    let mut values: Vec<&Frequency> = original.iter().filter(|one| one.column == column).collect();
    let mut covers: Vec<Released> = released.iter().filter(|one| one.column == column).cloned().collect();
    let totals = (values.len(), covers.len());
    values.sort_by_key(|value| std::cmp::Reverse(value.original));
    covers.sort_by_key(|cover| std::cmp::Reverse(cover.released));
    let error = |one: &&Frequency| OriginalValue {
        value: short(&one.value),
        original: one.original,
        estimate: one.estimate,
        error: one.error(),
    };
    Frequencies {
        column,
        released_total: totals.1,
        released: covers
            .into_iter()
            .take(MAX_VALUES)
            .map(|one| ReleasedValue {
                value: short(&one.value),
                covers: one.covers,
                released: one.released,
                original: one.original,
            })
            .collect(),
        original_total: totals.0,
        original: values.iter().take(MAX_VALUES).map(error).collect(),
    }
}

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}
