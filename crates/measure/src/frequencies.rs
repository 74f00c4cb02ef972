//! How far the frequencies of single values are off when they are read from the release.
//!
//! Every original value of a quasi-identifying column, or every original item, occurs so often in the data; the release lets us
//! expect it so often. A cell stands for each of the values it covers with the same chance, a suppressed cell for any value. A
//! generalised item of a set holds each of its members with the chance that a random non-empty part has it; a suppressed
//! item is gone.
//!
//! # Reference
//! SECRETA: Poulis, Gkoulalas-Divanis, Loukides, Skiadopoulos, Tryfonopoulos. SECRETA: a system for evaluating and comparing
//! relational and transaction anonymization algorithms. EDBT 2014.
//! # Cost
//! One pass, and one over what each cover stands for.

use serde::Serialize;
use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Need, Scale, Settings};
use throng_data::{EventKind, ItemId, Release};

use crate::table::{Cells, quasi};
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "frequencies",
    purpose: "how far the frequencies of single values are off when they are read from the release",
    takes: &[DataKind::Table, DataKind::Sets],
    needs: &[Need::optional(Input::Hierarchies)],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss(
                "frequency_error",
                "relative difference of the frequency of a value or item, on average over them",
                f64::INFINITY,
            ),
            Scale::loss(
                "frequency_error_worst",
                "the same for the value or item that is off most",
                f64::INFINITY,
            ),
        ],
    }),
    paper: "SECRETA",
    example: "throng measure patients/patients.csv release --schema patients/schema.toml --measure frequencies",
    notes: "Rare values weigh as much as common ones. An item that is suppressed everywhere is off by 1.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Relative differences of frequencies.
#[derive(Debug, Clone, Copy)]
pub struct FrequencyMeasure;

impl Measure for FrequencyMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn on_chunks(&self) -> crate::OnChunks {
        crate::OnChunks::AsTheyAre
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let frequencies = frequencies(on)?;
        let errors = || frequencies.iter().map(Frequency::error);
        Ok(vec![
            ("frequency_error", errors().sum::<f64>() / frequencies.len() as f64),
            ("frequency_error_worst", errors().fold(0.0, f64::max)),
        ])
    }
}

/// How often a value or an item occurs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frequency {
    /// The column; `None` for items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The value or item.
    pub value: String,
    /// How often in the data.
    pub original: u64,
    /// How often one expects it from the release.
    pub estimate: f64,
}

impl Frequency {
    /// The relative difference.
    pub fn error(&self) -> f64 {
        (self.estimate - self.original as f64).abs() / self.original.max(1) as f64
    }
}

/// The frequencies of all values of quasi-identifying columns, in the order of columns and of their domains; or those of all items
/// that occur, in the order of their numbers. Never empty.
pub fn frequencies(on: &Comparison<'_>) -> Result<Vec<Frequency>, MeasureError> {
    let all = match on.original.events.kind() {
        EventKind::Absent => quasi(on, DESCRIPTOR.name)?.iter().flat_map(of_column).collect(),
        _ => of_items(on),
    };
    match all.is_empty() {
        true => {
            let reason = "the data have no events";
            Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason })
        }
        false => Ok(all),
    }
}

fn of_column(cells: &Cells<'_>) -> Vec<Frequency> {
    let domain = &cells.domain;
    let mut original = vec![0_u64; domain.len()];
    domain.codes.iter().for_each(|code| original[*code as usize] += 1);
    let mut rows = vec![0_u64; cells.column.covers.len()];
    cells.column.cells.iter().for_each(|cover| rows[*cover as usize] += 1);
    let mut estimates = vec![0.0; domain.len()];
    for (cover, rows) in (0..).zip(&rows).filter(|(_, rows)| **rows > 0) {
        let codes = cells.codes(cover);
        let each = *rows as f64 / codes.len() as f64;
        codes.iter().for_each(|code| estimates[*code as usize] += each);
    }
    let one = |code: usize| Frequency {
        column: Some(domain.name.clone()),
        value: domain.values[code].clone(),
        original: original[code],
        estimate: estimates[code],
    };
    (0..domain.len()).map(one).collect()
}

/// Every item of a release as often as it occurs for sure. Where records were taken apart that is once for each part that has it, and once for
/// each term chunk.
fn occurring(release: &Release) -> &[ItemId] {
    match release.body.chunks() {
        Some(chunks) => chunks.items(),
        None => release.events().items(),
    }
}

fn of_items(on: &Comparison<'_>) -> Vec<Frequency> {
    let items = on.original.items.len();
    let mut original = vec![0_u64; items];
    on.original.events.items().iter().for_each(|item| original[*item as usize] += 1);
    let mut occurrences = vec![0_u64; on.release.alphabet.len()];
    occurring(on.release).iter().for_each(|item| occurrences[*item as usize] += 1);
    let sets = on.release.event_kind() == EventKind::Set;
    let mut estimates = vec![0.0; items.max(on.release.base.len())];
    for (item, occurrences) in on.release.alphabet.iter().zip(&occurrences) {
        let members = item.members.len() as f64;
        // Half of all parts have a given member; all but the empty one are possible.
        let chance = if sets { 0.5 / (1.0 - (-members).exp2()) } else { 1.0 / members };
        item.members.iter().for_each(|member| estimates[*member as usize] += chance * *occurrences as f64);
    }
    let one = |item: usize| Frequency {
        column: None,
        value: on.original.items.name(item as u32).to_owned(),
        original: original[item],
        estimate: estimates[item],
    };
    (0..items).filter(|item| original[*item] > 0).map(one).collect()
}

/// How often a released value or item occurs, beside how often what it covers occurs in the data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Released {
    /// The column; `None` for items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The value or item, as written.
    pub value: String,
    /// How many original values it may stand for.
    pub covers: usize,
    /// How often it occurs in the release.
    pub released: u64,
    /// How often the values that it covers occur in the data.
    pub original: u64,
}

/// The frequencies of released values, by column and in the order of the covers; or of released items. Only those that occur.
pub fn released_frequencies(on: &Comparison<'_>) -> Result<Vec<Released>, MeasureError> {
    if on.original.events.kind() == EventKind::Absent {
        return Ok(quasi(on, DESCRIPTOR.name)?.iter().flat_map(released_of_column).collect());
    }
    let mut original = vec![0_u64; on.original.items.len().max(on.release.base.len())];
    on.original.events.items().iter().for_each(|item| original[*item as usize] += 1);
    let mut released = vec![0_u64; on.release.alphabet.len()];
    occurring(on.release).iter().for_each(|item| released[*item as usize] += 1);
    let one = |(number, item): (u32, &throng_data::GeneralisedItem)| Released {
        column: None,
        value: on.release.name(number),
        covers: item.members.len(),
        released: released[number as usize],
        original: item.members.iter().map(|member| original[*member as usize]).sum(),
    };
    Ok((0..).zip(&on.release.alphabet).map(one).filter(|item| item.released > 0).collect())
}

fn released_of_column(cells: &Cells<'_>) -> Vec<Released> {
    let mut original = vec![0_u64; cells.domain.len()];
    cells.domain.codes.iter().for_each(|code| original[*code as usize] += 1);
    let mut rows = vec![0_u64; cells.column.covers.len()];
    cells.column.cells.iter().for_each(|cover| rows[*cover as usize] += 1);
    let one = |(number, cover): (u32, &throng_data::Cover)| Released {
        column: Some(cells.column.name.clone()),
        value: cover.render(),
        covers: cells.size(number),
        released: rows[number as usize],
        original: cells.codes(number).iter().map(|code| original[*code as usize]).sum(),
    };
    (0..).zip(&cells.column.covers).map(one).filter(|value| value.released > 0).collect()
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{
        Column, ColumnValues, Cover, Dataset, GeneralisedItem, RecodedTable, Release, Role, Table,
    };

    use super::*;

    #[test]
    fn items_of_sets_are_expected_as_often_as_random_parts_hold_them() {
        let data = Dataset::from_records(
            EventKind::Set,
            [("p", vec!["a", "b"]), ("q", vec!["a"]), ("r", vec!["c"])],
        );
        let events = data.events.recode(|item| item / 2, false).as_sets();
        let mut release = Release::identity(data.items.clone(), events);
        release.alphabet = vec![GeneralisedItem::of(vec![0, 1]), GeneralisedItem::of(vec![2])];
        let progress = Progress::silent();
        let on = Comparison::of(&data, &release, &progress);
        let found = frequencies(&on).unwrap();
        // {a|b} twice: two thirds of its parts have a.
        let estimates: Vec<(u64, f64)> = found.iter().map(|of| (of.original, of.estimate)).collect();
        assert_eq!(estimates, [(2, 4.0 / 3.0), (1, 4.0 / 3.0), (1, 1.0)]);
        let readings = FrequencyMeasure.measure(&on, &Settings::parse(&DESCRIPTOR, []).unwrap()).unwrap();
        assert!((readings[0].1 - (1.0 / 3.0 + 1.0 / 3.0) / 3.0).abs() < 1e-12);
        let released = released_frequencies(&on).unwrap();
        let ab = &released[0];
        assert_eq!((ab.value.as_str(), ab.covers, ab.released, ab.original), ("{a|b}", 2, 2, 3));
    }

    #[test]
    fn cells_stand_for_what_they_cover_and_suppressed_ones_for_anything() {
        let values = ["x", "y", "z"].into_iter().collect();
        let column = Column {
            name: "town".to_owned(),
            role: Some(Role::QuasiIdentifying),
            values: ColumnValues::Categories { values, codes: vec![0, 0, 1, 2] },
        };
        let data =
            Dataset::from_table(["p", "q", "r", "s"].into_iter().collect(), Table { columns: vec![column] });
        let mut table = RecodedTable::identity(data.attributes.as_ref().unwrap());
        table.columns[0].covers[1] = Cover::Set(vec!["x".into(), "y".into()]);
        table.suppress(&[3]);
        let release = Release::of_table(table, 4);
        let progress = Progress::silent();
        let found = frequencies(&Comparison::of(&data, &release, &progress)).unwrap();
        let estimates: Vec<(u64, f64)> = found.iter().map(|of| (of.original, of.estimate)).collect();
        let third = 1.0 / 3.0;
        assert_eq!(estimates, [(2, 2.0 + 0.5 + third), (1, 0.5 + third), (1, third)]);
    }
}
