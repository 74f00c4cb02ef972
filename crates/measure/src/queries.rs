//! How well a release answers COUNT queries: the average relative error.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Section 5 (ARE).
//! # Guarantees
//! Estimates are exact averages over all ways to fill in the release ([`crate::answers`]); counts are of people.
//! # Departs from the paper
//! A query that nobody answers has no relative error. The paper does not say what it does with these; here they are left
//! out of `are` and counted, and `are_bounded` takes them in by dividing by the sanity bound instead.

use throng_contract::{
    Cancelled, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Need, Param, ParamKind, Scale,
    Settings,
};

use crate::answers::{Unanswered, answers};
use crate::counting::SetModel;
use crate::itemsets::SET_MODEL;
use crate::workload::{self, DRAWN, LONGEST};
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "queries",
    kind: DescriptorKind::Measure,
    purpose: "how far COUNT queries answered from the release are off, on average",
    takes: &[DataKind::Sequences, DataKind::Sets, DataKind::Table],
    needs: &[Need::optional(Input::Queries), Need::optional(Input::Hierarchies)],
    params: &[
        DRAWN,
        LONGEST,
        Param {
            name: "bound",
            kind: ParamKind::Threshold,
            default: Some("1"),
            help: "sanity bound: errors are relative to at least so many people",
        },
        SET_MODEL,
    ],
    keeps: None,
    gauge: Some(Gauge {
        cost: Cost::Queries,
        scales: &[
            Scale::loss("are", "average relative error of the queries somebody answers", f64::INFINITY),
            Scale::loss(
                "are_bounded",
                "average relative error of all queries, relative to at least the bound",
                f64::INFINITY,
            ),
            Scale::size("queries", "queries asked"),
            Scale::size("zero_queries", "queries whose answer in the data is 0"),
        ],
    }),
    variants: false,
    paper: "PSLG14",
    example: "throng measure city/events.csv release --measure queries --drawn 100",
    notes: "A query asks how many people have some items (in order, gaps allowed, where they have one), some values in columns, \
            or both. What is generalised stands for each of its members with the same probability, a generalised item of a \
            set for any of them together. Make a workload of your own with `throng workload`.",
};

/// The average relative error.
#[derive(Debug, Clone, Copy)]
pub struct QueryMeasure;

impl Measure for QueryMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn on_chunks(&self) -> crate::OnChunks {
        crate::OnChunks::Reconstructed
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let queries = workload::asked_of_any(on, settings, DESCRIPTOR.name)?;
        let model = if settings.choice("set-model") == "share" { SetModel::Share } else { SetModel::Subset };
        let answers = answers(on, &queries, model).map_err(|error| match error {
            Unanswered::Cancelled => MeasureError::Cancelled(Cancelled),
            Unanswered::NoColumn => MeasureError::NotApplicable {
                measure: DESCRIPTOR.name,
                reason: "a query asks for a column that the data do not have",
            },
        })?;
        let people = on.original.events.subjects() as u64;
        let bound = settings.threshold("bound").of(people).max(1) as f64;
        let (mut error, mut bounded, mut answered) = (0.0, 0.0, 0_u64);
        for answer in &answers {
            let people = answer.actual as f64;
            let off = (people - answer.estimate).abs();
            bounded += off / people.max(bound);
            if answer.actual > 0 {
                error += off / people;
                answered += 1;
            }
        }
        let all = queries.len() as f64;
        let mut readings = Readings::new();
        if answered > 0 {
            readings.push(("are", error / answered as f64));
        }
        readings.extend([
            ("are_bounded", bounded / all),
            ("queries", all),
            ("zero_queries", all - answered as f64),
        ]);
        Ok(readings)
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Dataset, GeneralisedItem, Inputs, Query, Release};

    use super::*;

    #[test]
    fn errors_are_relative_and_unanswered_queries_are_counted() {
        // a and b became {a|b}. "ab" holds a with 3/4 and "a" with 1/2: 5/4 instead of 2 people; b likewise, instead
        // of 1. Nobody has `nothing`. Nobody has ba, of which "ab" is one of four readings.
        let data = Dataset::from_words(["ab", "a", "c"]);
        let mut release = Release::identity(data.items.clone(), data.events.recode(|item| item / 2, false));
        release.alphabet = vec![GeneralisedItem::of(vec![0, 1]), GeneralisedItem::of(vec![2])];
        let queries = [&["a"][..], &["b"], &["nothing"], &["b", "a"]];
        let queries =
            queries.map(|items| Query::of_items(items.iter().map(|item| (*item).to_owned()).collect()));
        let inputs = Inputs { queries: Some(queries.to_vec()), ..Inputs::default() };
        let progress = Progress::silent();
        let on = Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) };
        let settings = Settings::parse(&DESCRIPTOR, [("bound", "2")]).unwrap();
        let expected = [
            ("are", (0.75 / 2.0 + 0.25) / 2.0),
            ("are_bounded", (0.75 / 2.0 + 0.25 / 2.0 + 0.25 / 2.0) / 4.0),
            ("queries", 4.0),
            ("zero_queries", 2.0),
        ];
        assert_eq!(QueryMeasure.measure(&on, &settings).unwrap(), expected);
    }
}
