//! How well a release of columns and items together answers COUNT queries, by how much of either they ask for.
//!
//! # Reference
//! PGLS13: Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos. ECML PKDD 2013. Figures 4 and 5: the average relative error of queries of
//! (x, y) relational values and items.
//! # Guarantees
//! As [`crate::queries`]: exact averages over all ways to fill in the release; people are counted.
//! # Departs from the paper
//! Queries with the true answer 0 are left out, as in `are`. One value may be a range of numbers, where the paper asks for single values.

use throng_contract::{
    Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Key, Need, Scale, Settings, settings,
};
use throng_data::Query;

use crate::counting::SetModel;
use crate::itemsets::SET_MODEL;
use crate::queries::answers_to;
use crate::workload::draw_parts;
use crate::{Comparison, Measure, MeasureError, Readings};

/// The most columns, and the most items, of a query that has a scale of its own.
const MAX_PARTS: usize = 3;

const fn part(name: &'static str, help: &'static str) -> Scale {
    Scale::loss(name, help, f64::INFINITY)
}

/// A scale for each number of columns and items: `are_x_y`, in the order of [`place`].
static SCALES: [Scale; 15] = [
    part("are_0_1", "average relative error of queries of 1 item"),
    part("are_0_2", "average relative error of queries of 2 items"),
    part("are_0_3", "average relative error of queries of 3 items"),
    part("are_1_0", "average relative error of queries of 1 column"),
    part("are_1_1", "average relative error of queries of 1 column and 1 item"),
    part("are_1_2", "average relative error of queries of 1 column and 2 items"),
    part("are_1_3", "average relative error of queries of 1 column and 3 items"),
    part("are_2_0", "average relative error of queries of 2 columns"),
    part("are_2_1", "average relative error of queries of 2 columns and 1 item"),
    part("are_2_2", "average relative error of queries of 2 columns and 2 items"),
    part("are_2_3", "average relative error of queries of 2 columns and 3 items"),
    part("are_3_0", "average relative error of queries of 3 columns"),
    part("are_3_1", "average relative error of queries of 3 columns and 1 item"),
    part("are_3_2", "average relative error of queries of 3 columns and 2 items"),
    part("are_3_3", "average relative error of queries of 3 columns and 3 items"),
];

/// The scale of queries of so many columns and items, if there is one.
fn place(query: &Query) -> Option<usize> {
    let (columns, items) = (query.cells.len(), query.items.len());
    (columns <= MAX_PARTS && items <= MAX_PARTS).then_some(columns * (MAX_PARTS + 1) + items)?.checked_sub(1)
}

/// How many queries of each kind are drawn where no workload is given.
const EACH: Key<u64> = Key::integer(
    "each",
    1..=1_000_000,
    "how many queries to draw of each number of columns and items, without `queries`",
)
.or("100");

/// How far drawn queries go.
const LARGEST: Key<u64> = Key::integer(
    "largest",
    1..=MAX_PARTS as u64,
    "draw queries of up to so many columns and up to so many items, without `queries`",
)
.or("2");

settings! {
    /// What the measure is asked for.
    struct Asked {
        each: u64 = EACH,
        largest: u64 = LARGEST,
        set_model: SetModel = SET_MODEL,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "query-parts",
    purpose: "how far COUNT queries over columns and items together are off, by how much of either they ask for",
    takes: &[DataKind::Mixed],
    needs: &[Need::optional(Input::Queries), Need::optional(Input::Hierarchies)],
    params: Asked::ALL,
    gauge: Some(Gauge { cost: Cost::Queries, scales: &SCALES }),
    paper: "PGLS13",
    example: "throng measure patients/codes.csv release --sets --records patients/records.csv --quasi age,sex \
              --measure query-parts --each 200",
    notes: "`are_x_y` is about the queries of x columns and y items; those with the true answer 0, and larger ones, are left \
            out. Make a workload of your own with `throng workload --columns`.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// The average relative error by the parts of queries.
#[derive(Debug, Clone, Copy)]
pub struct QueryPartsMeasure;

impl Measure for QueryPartsMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn on_chunks(&self) -> crate::OnChunks {
        crate::OnChunks::Reconstructed
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        let queries = match &on.inputs.queries {
            Some(queries) => queries.clone(),
            None => draw_parts(on.original, asked.each as usize, asked.largest as usize, on.seed),
        };
        let mut errors = vec![(0.0, 0_u64); SCALES.len()];
        for (query, answer) in queries.iter().zip(answers_to(on, &queries, asked.set_model, DESCRIPTOR.name)?)
        {
            let Some(place) = place(query).filter(|_| answer.actual > 0) else { continue };
            let people = answer.actual as f64;
            errors[place].0 += (people - answer.estimate).abs() / people;
            errors[place].1 += 1;
        }
        let readings: Readings = SCALES
            .iter()
            .zip(&errors)
            .filter(|(_, (_, queries))| *queries > 0)
            .map(|(scale, (error, queries))| (scale.name, error / *queries as f64))
            .collect();
        if readings.is_empty() {
            let reason = "no query of up to three columns and three items is answered by anybody";
            return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        }
        Ok(readings)
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{
        Column, ColumnValues, Dataset, EventKind, GeneralisedItem, RecodedTable, Release, Role, Table,
    };

    use super::*;

    /// Four people, of whom two are old and have `a`; ages are released as they are, `a` and `b` became one item.
    fn data() -> (Dataset, Release) {
        let people = [("p", ["a"]), ("q", ["a"]), ("r", ["b"]), ("s", ["b"])];
        let mut data = Dataset::from_records(EventKind::Set, people);
        let values = ["old", "young"].into_iter().collect();
        let column = Column {
            name: "age".to_owned(),
            role: Some(Role::QuasiIdentifying),
            values: ColumnValues::Categories { values, codes: vec![0, 0, 1, 1] },
        };
        let table = Table { columns: vec![column] };
        let mut release = Release::identity(data.items.clone(), data.events.recode(|_| 0, false));
        release.alphabet = vec![GeneralisedItem::of(vec![0, 1])];
        release.body = throng_data::Body::Mixed(throng_data::Mixed {
            events: release.events().clone(),
            table: RecodedTable::identity(&table),
        });
        data.attributes = Some(table);
        (data, release)
    }

    #[test]
    fn errors_stand_by_columns_and_items_and_larger_kinds_than_the_data_have_are_left_out() {
        let (data, release) = data();
        let progress = Progress::silent();
        let on = Comparison::of(&data, &release, &progress);
        let settings = Settings::parse(&DESCRIPTOR, [("set-model", "share"), ("each", "20")]).unwrap();
        let readings = QueryPartsMeasure.measure(&on, &settings).unwrap();
        // Either item is one of two: four people have it with 1/2 each, which is right on average; among the two of an age, one is left of two.
        assert_eq!(readings, [("are_0_1", 0.0), ("are_1_0", 0.0), ("are_1_1", 0.5)]);
    }

    #[test]
    fn every_scale_is_where_its_name_says() {
        for (at, scale) in SCALES.iter().enumerate() {
            let digits: Vec<usize> =
                scale.name.split('_').skip(1).map(|digit| digit.parse().unwrap()).collect();
            let query = Query {
                items: vec![String::new(); digits[1]],
                cells: vec![(String::new(), throng_data::Wanted::Values(Vec::new())); digits[0]],
            };
            assert_eq!(place(&query), Some(at), "{}", scale.name);
        }
        assert_eq!(place(&Query::of_items(Vec::new())), None);
        assert_eq!(place(&Query::of_items(vec![String::new(); 4])), None);
    }
}
