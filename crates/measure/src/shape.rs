//! What became of the items or cells: how many were released as they are, and how coarse the others are.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Section 5.1.

use serde::Serialize;
use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Need, Scale, Settings};
use throng_data::{EventKind, Events, Release};

use crate::table::quasi;
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "shape",
    kind: DescriptorKind::Measure,
    purpose: "how many items or cells were released as they are, and how coarse the others are",
    takes: &[DataKind::Sequences, DataKind::Sets, DataKind::Table],
    needs: &[Need::optional(Input::Hierarchies)],
    params: &[],
    keeps: None,
    product: None,
    over_parts: None,
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale {
                min: 1.0,
                ..Scale::loss(
                    "members_per_event",
                    "items a released event may stand for, on average",
                    f64::INFINITY,
                )
            },
            Scale::kept("intact_items", "items of the data that are released as they are", f64::INFINITY),
            Scale::size("generalised_items", "released items that stand for several"),
            Scale::loss(
                "members_per_generalised_item",
                "items a generalised item may stand for, on average",
                f64::INFINITY,
            ),
            Scale::loss(
                "largest_generalised_item",
                "items the largest generalised item may stand for",
                f64::INFINITY,
            ),
            Scale::kept(
                "intact_cells_share",
                "share of quasi-identifying cells that are released as they are",
                1.0,
            ),
            Scale {
                min: 1.0,
                ..Scale::loss(
                    "values_per_cell",
                    "values of the data that a released quasi-identifying cell may be, on average",
                    f64::INFINITY,
                )
            },
            Scale {
                min: 1.0,
                ..Scale::loss(
                    "largest_cell",
                    "values of the data that the coarsest released cell may be",
                    f64::INFINITY,
                )
            },
        ],
    }),
    variants: false,
    paper: "PSLG14",
    example: "throng measure city/events.csv release --measure shape",
    notes: "What is suppressed is not coarse: `suppression` counts it.",
};

/// Counts of intact and generalised items.
#[derive(Debug, Clone, Copy)]
pub struct ShapeMeasure;

impl Measure for ShapeMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        if on.release.table().is_some() && on.release.event_kind() == EventKind::Absent {
            return of_cells(on);
        }
        let shape = Shape::of(&on.original.events, on.release);
        let mut readings = Readings::new();
        // Without events there is no average.
        if !on.release.events().is_empty() {
            readings.push(("members_per_event", shape.mean_size_of_events));
        }
        readings.extend([
            ("intact_items", shape.intact_items as f64),
            ("generalised_items", shape.generalised_items as f64),
            ("members_per_generalised_item", shape.mean_size),
            ("largest_generalised_item", shape.largest_size as f64),
        ]);
        Ok(readings)
    }
}

/// The same for the quasi-identifying cells of a table.
fn of_cells(on: &Comparison<'_>) -> Result<Readings, MeasureError> {
    let (mut cells, mut told, mut intact, mut values, mut largest) = (0_u64, 0_u64, 0_u64, 0_u64, 0);
    for column in quasi(on, DESCRIPTOR.name)? {
        let mut counts = vec![0_u64; column.column.covers.len()];
        column.column.cells.iter().for_each(|cover| counts[*cover as usize] += 1);
        cells += column.column.cells.len() as u64;
        for ((number, cover), count) in (0..).zip(&column.column.covers).zip(counts) {
            if count == 0 || cover.is_suppressed() {
                continue;
            }
            // A node or a range without a second value of the data is no value as it was, but may be one only.
            let size = column.size(number).max(1) as u64;
            told += count;
            values += size * count;
            largest = largest.max(size);
            intact += if column.ncp(number) == 0.0 && size == 1 { count } else { 0 };
        }
    }
    let mut readings = vec![("intact_cells_share", intact as f64 / cells as f64)];
    // Without a cell there is no average.
    if told > 0 {
        readings.push(("values_per_cell", values as f64 / told as f64));
        readings.push(("largest_cell", largest as f64));
    }
    Ok(readings)
}

/// Counts of intact, generalised and suppressed items and events.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Shape {
    /// Original items that occur in the data.
    pub original_items: u64,
    /// Original items that occur in the data, and in the release as they are.
    pub intact_items: u64,
    /// Released items that stand for several original items, and occur in the release.
    pub generalised_items: u64,
    /// Original items of the data that no released item stands for.
    pub suppressed_items: u64,
    /// Average number of members of the generalised items; 0 when there is none.
    pub mean_size: f64,
    /// Members of the largest generalised item; 0 when there is none.
    pub largest_size: u64,
    /// Average number of members over released events: how many places a reader must think of at each event.
    pub mean_size_of_events: f64,
    /// Released events whose item is intact.
    pub intact_events: u64,
    /// Released events whose item is generalised.
    pub generalised_events: u64,
}

impl Shape {
    /// The shape of a release of the data.
    pub fn of(original: &Events, release: &Release) -> Self {
        let mut covered = vec![false; release.base.len()];
        let mut occurs = vec![false; release.base.len()];
        for item in original.items() {
            occurs[*item as usize] = true;
        }
        let mut events = vec![0_u64; release.alphabet.len()];
        for item in release.events().items() {
            events[*item as usize] += 1;
        }
        let (mut intact_items, mut generalised_items, mut members, mut largest_size) = (0, 0, 0, 0);
        let (mut intact_events, mut generalised_events, mut sizes) = (0, 0, 0);
        for (item, events) in release.alphabet.iter().zip(events).filter(|(_, events)| *events > 0) {
            let size = item.members.len() as u64;
            for member in &item.members {
                covered[*member as usize] = true;
            }
            sizes += size * events;
            if item.is_intact() {
                intact_items += u64::from(item.members.iter().all(|member| occurs[*member as usize]));
                intact_events += events;
            } else {
                generalised_items += 1;
                generalised_events += events;
                members += size;
                largest_size = largest_size.max(size);
            }
        }
        let mean = |sum: u64, count: u64| if count == 0 { 0.0 } else { sum as f64 / count as f64 };
        Shape {
            original_items: occurs.iter().filter(|occurs| **occurs).count() as u64,
            intact_items,
            generalised_items,
            suppressed_items: occurs
                .iter()
                .zip(&covered)
                .filter(|(occurs, covered)| **occurs && !**covered)
                .count() as u64,
            mean_size: mean(members, generalised_items),
            largest_size,
            mean_size_of_events: mean(sizes, intact_events + generalised_events),
            intact_events,
            generalised_events,
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{
        Column, ColumnKind, ColumnValues, Cover, Dataset, GeneralisedItem, RecodedColumn, RecodedTable, Role,
        Table,
    };

    use super::*;

    #[test]
    fn cells_are_counted_without_the_suppressed_ones() {
        let values = ColumnValues::Numbers(vec![1.0, 2.0, 3.0, 9.0]);
        let column = Column { name: "n".to_owned(), role: Some(Role::QuasiIdentifying), values };
        let people = ["a", "b", "c", "d"].into_iter().collect();
        let data = Dataset::from_table(people, Table { columns: vec![column] });
        let covers = vec![
            Cover::Range { low: "1".to_owned(), high: "3".to_owned() },
            Cover::Value("9".to_owned()),
            Cover::Suppressed,
        ];
        let role = Role::QuasiIdentifying;
        let kind = ColumnKind::Number;
        let column = RecodedColumn { name: "n".to_owned(), role, kind, covers, cells: vec![0, 0, 2, 1] };
        let release = Release::of_table(RecodedTable { columns: vec![column] }, 4);
        let progress = Progress::silent();
        let settings = Settings::parse(&DESCRIPTOR, []).unwrap();
        let readings = ShapeMeasure.measure(&Comparison::of(&data, &release, &progress), &settings).unwrap();
        let expected = [("intact_cells_share", 0.25), ("values_per_cell", 7.0 / 3.0), ("largest_cell", 3.0)];
        assert_eq!(readings, expected);
    }

    #[test]
    fn items_are_intact_generalised_or_suppressed() {
        let data = Dataset::from_words(["abcd", "abe"]);
        let events = data.events.retain(|_, _, item| item != 4).recode(|item| item.saturating_sub(1), false);
        let mut release = Release::identity(data.items.clone(), events);
        release.alphabet = vec![
            GeneralisedItem::of(vec![0, 1]),
            GeneralisedItem::of(vec![2]),
            GeneralisedItem::of(vec![3]),
            GeneralisedItem::of(vec![4]),
        ];
        let shape = Shape::of(&data.events, &release);
        assert_eq!((shape.original_items, shape.intact_items, shape.generalised_items), (5, 2, 1));
        assert_eq!((shape.suppressed_items, shape.mean_size, shape.largest_size), (1, 2.0, 2));
        assert_eq!((shape.intact_events, shape.generalised_events), (2, 4));
        assert_eq!(shape.mean_size_of_events, 10.0 / 6.0);
    }
}
