//! How well a release answers COUNT queries: the average relative error.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Section 5 (ARE).
//! # Guarantees
//! Estimates are exact averages over all ways to fill in the release ([`crate::answers`]); counts are of people. Where records were taken
//! apart, the answer is an average over reconstructions, and `_a` is read off the chunks alone ([`crate::chunk_supports`]).
//! # Departs from the paper
//! A query with the true answer 0 has no relative error. The paper does not say what it does with these; here they are left
//! out of `are` and counted, and `are_bounded` takes them in by dividing by the sanity bound instead.

use std::borrow::Cow;

use throng_contract::{
    Cancelled, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Key, Need, Scale, Settings,
    Threshold, settings,
};
use throng_data::{Chunks, Dataset, EventsBuilder, Query};

use crate::answers::{Answer, Unanswered, answers, numbered};
use crate::chunk_supports::supports;
use crate::counting::SetModel;
use crate::disassociation::RECONSTRUCTIONS;
use crate::itemsets::SET_MODEL;
use crate::reconstruction::reconstruct;
use crate::workload::{self, Drawn};
use crate::{Comparison, Measure, MeasureError, Readings};

settings! {
    /// What the measure is asked for.
    struct Asked {
        drawn: Drawn,
        bound: Threshold = Key::threshold(
            "bound",
            "sanity bound: errors are relative to at least so many people",
        )
        .or("1"),
        set_model: SetModel = SET_MODEL,
        reconstructions: u64 = RECONSTRUCTIONS,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "queries",
    purpose: "how far COUNT queries answered from the release are off, on average",
    takes: &[DataKind::Sequences, DataKind::Sets, DataKind::Table],
    needs: &[Need::optional(Input::Queries), Need::optional(Input::Hierarchies)],
    params: Asked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Queries,
        scales: &[
            Scale::loss(
                "are",
                "average relative error of the queries that match at least one person",
                f64::INFINITY,
            ),
            Scale::loss(
                "are_bounded",
                "average relative error of all queries, relative to at least the bound",
                f64::INFINITY,
            ),
            Scale::loss("are_a", "`are` with answers from chunks alone", f64::INFINITY),
            Scale::kept("certain_answers", "share of an answer that holds in every possible dataset", 1.0),
            Scale::loss(
                "answer_span",
                "how far apart the limits of an answer from chunks are, relative to it",
                f64::INFINITY,
            ),
            Scale::size("queries", "queries asked"),
            Scale::size("zero_queries", "queries whose answer in the data is 0"),
        ],
    }),
    paper: "PSLG14",
    example: "throng measure city/events.csv release --measure queries --drawn 100",
    notes: "A query asks how many people have some items (in order, gaps allowed, where they have one), some values in columns, \
            or both. What is generalised stands for each of its members with the same probability, a generalised item of a \
            set for any of them together. Where records were taken apart, answers are averaged over reconstructions; `_a`, certain \
            shares and spans are read off the chunks, of queries for items alone. Make a workload of your own with `throng workload`.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// The average relative error.
#[derive(Debug, Clone, Copy)]
pub struct QueryMeasure;

impl Measure for QueryMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn on_chunks(&self) -> crate::OnChunks {
        crate::OnChunks::AsTheyAre
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        let queries = workload::asked_of_any(on, asked.drawn, DESCRIPTOR.name)?;
        let answered = |on: &Comparison<'_>| answers_to(on, &queries, asked.set_model, DESCRIPTOR.name);
        let people = on.original.events.subjects() as u64;
        let bound = asked.bound.of(people).max(1) as f64;
        let mut readings = Readings::new();
        let answers = match on.release.body.chunks() {
            None => answered(on)?,
            Some(chunks) => {
                let data = one_set_a_person(on.original);
                let on = Comparison { original: &data, ..*on };
                let draws = asked.reconstructions;
                let answers = averaged(&on, chunks, draws, answered)?;
                readings = from_chunks(&on, chunks, &queries, &answers, bound)?;
                answers
            }
        };
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
        readings.insert(0, ("are_bounded", bounded / all));
        if answered > 0 {
            readings.insert(0, ("are", error / answered as f64));
        }
        readings.extend([("queries", all), ("zero_queries", all - answered as f64)]);
        Ok(readings)
    }
}

/// All that a person has in one set, as chunks speak of people.
fn one_set_a_person(data: &Dataset) -> Cow<'_, Dataset> {
    if data.events.records() == data.events.subjects() {
        return Cow::Borrowed(data);
    }
    let mut builder = EventsBuilder::new(data.events.kind(), false);
    for subject in 0..data.events.subjects() {
        let records = data.events.records_of(subject);
        let mut items: Vec<_> = records.flat_map(|record| data.events.record(record)).copied().collect();
        items.sort_unstable();
        items.dedup();
        builder.push(subject as u32, &items, &[]);
    }
    Cow::Owned(Dataset { events: builder.finish(data.events.subjects()), ..data.clone() })
}

/// Answers on average over some possible datasets.
fn averaged(
    on: &Comparison<'_>,
    chunks: &Chunks,
    draws: u64,
    answered: impl Fn(&Comparison<'_>) -> Result<Vec<Answer>, MeasureError>,
) -> Result<Vec<Answer>, MeasureError> {
    let mut average: Vec<Answer> = Vec::new();
    for draw in 0..draws {
        let drawn = reconstruct(on.release, chunks, on.seed.wrapping_add(draw));
        let answers = answered(&Comparison { release: &drawn, aligned: false, ..*on })?;
        if average.is_empty() {
            average = answers.iter().map(|answer| Answer { estimate: 0.0, ..*answer }).collect();
        }
        for (sum, answer) in average.iter_mut().zip(answers) {
            sum.estimate += answer.estimate / draws as f64;
        }
    }
    Ok(average)
}

/// What chunks alone answer, of the queries that ask for items and nothing else.
fn from_chunks(
    on: &Comparison<'_>,
    chunks: &Chunks,
    queries: &[Query],
    answers: &[Answer],
    bound: f64,
) -> Result<Readings, MeasureError> {
    let asked = || queries.iter().zip(answers).filter(|(query, _)| query.cells.is_empty());
    let sets = numbered(asked().map(|(query, _)| query), &on.release.base);
    let (mut error, mut certain, mut answered, mut span) = (0.0, 0.0, 0_u64, 0.0);
    for ((_, answer), support) in asked().zip(supports(on.release, chunks, &sets, on.progress)?) {
        let people = answer.actual as f64;
        span += (support.upper - support.lower) as f64 / people.max(bound);
        if answer.actual > 0 {
            error += (people - support.estimate).abs() / people;
            // A release of other people may be certain of more.
            certain += (support.lower as f64 / people).min(1.0);
            answered += 1;
        }
    }
    let mut readings = Readings::new();
    if answered > 0 {
        let answered = answered as f64;
        readings.extend([("are_a", error / answered), ("certain_answers", certain / answered)]);
    }
    if !sets.is_empty() {
        readings.push(("answer_span", span / sets.len() as f64));
    }
    Ok(readings)
}

/// The answers to queries, for a measure.
pub(crate) fn answers_to(
    on: &Comparison<'_>,
    queries: &[Query],
    model: SetModel,
    measure: &'static str,
) -> Result<Vec<Answer>, MeasureError> {
    answers(on, queries, model).map_err(|error| match error {
        Unanswered::Cancelled => MeasureError::Cancelled(Cancelled),
        Unanswered::NoColumn => {
            let reason = "a query asks for a column that the data do not have";
            MeasureError::NotApplicable { measure, reason }
        }
    })
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Body, ChunkKind, Cluster, EventKind, GeneralisedItem, Inputs, Release};

    use super::*;

    #[test]
    fn chunks_answer_with_limits_and_reconstructions_on_average() {
        // ab, ab, a, c became the chunks {ab, ab, a} and {c}: only the last person may have c alone.
        let records = [("p", &["a", "b"][..]), ("q", &["a", "b"]), ("r", &["a"]), ("s", &["c"])];
        let data = Dataset::from_records(EventKind::Set, records.map(|(name, items)| (name, items.to_vec())));
        let mut chunks = Chunks::new();
        let cluster = chunks.push_cluster(Cluster { parent: None, size: 4 });
        chunks.push_chunk(cluster, ChunkKind::Record);
        [&[0, 1][..], &[0, 1], &[0]].into_iter().for_each(|part| chunks.push_part(part.iter().copied()));
        chunks.push_chunk(cluster, ChunkKind::Record);
        chunks.push_part([2]);
        let mut release = Release::identity(data.items.clone(), data.events.retain(|_, _, _| false));
        release.body = Body::Chunks(chunks);
        let queries = [&["a", "b"][..], &["c"], &["a", "c"]];
        let queries =
            queries.map(|items| Query::of_items(items.iter().map(|item| (*item).to_owned()).collect()));
        let inputs = Inputs { queries: Some(queries.to_vec()), ..Inputs::default() };
        let progress = Progress::silent();
        let on = Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) };
        let settings = Settings::parse(&DESCRIPTOR, [("reconstructions", "3")]).unwrap();
        let expected = [
            ("are", 0.0),
            ("are_bounded", 0.0),
            ("are_a", 0.0),
            ("certain_answers", 1.0),
            ("answer_span", 0.0),
            ("queries", 3.0),
            ("zero_queries", 1.0),
        ];
        assert_eq!(QueryMeasure.measure(&on, &settings).unwrap(), expected);
    }

    /// Two items in chunks of their own, three and two of four people: at least one has both, at most two.
    #[test]
    fn what_chunks_answer_is_averaged_over_queries() {
        let records = [("p", &["a", "b"][..]), ("q", &["a", "b"]), ("r", &["a"]), ("s", &["c"])];
        let data = Dataset::from_records(EventKind::Set, records.map(|(name, items)| (name, items.to_vec())));
        let mut chunks = Chunks::new();
        let cluster = chunks.push_cluster(Cluster { parent: None, size: 4 });
        for (item, parts) in [(0, 3), (1, 2), (2, 1)] {
            chunks.push_chunk(cluster, ChunkKind::Record);
            (0..parts).for_each(|_| chunks.push_part([item]));
        }
        let mut release = Release::identity(data.items.clone(), data.events.retain(|_, _, _| false));
        release.body = Body::Chunks(chunks);
        let query = |items: &[&str]| Query::of_items(items.iter().map(|item| (*item).to_owned()).collect());
        let queries = vec![query(&["a", "b"]), query(&["a"]), query(&["b", "c"])];
        let inputs = Inputs { queries: Some(queries), ..Inputs::default() };
        let progress = Progress::silent();
        let on = Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) };
        let settings = Settings::parse(&DESCRIPTOR, [("reconstructions", "1")]).unwrap();
        let readings = QueryMeasure.measure(&on, &settings).unwrap();
        let of = |name| readings.iter().find(|(other, _)| *other == name).map(|(_, value)| *value).unwrap();
        let supports =
            supports(&release, release.body.chunks().unwrap(), &[vec![0, 1], vec![1, 2]], &progress).unwrap();
        let (both, neither) = (supports[0], supports[1]);
        assert_eq!((both.lower, both.upper, neither.lower, neither.upper), (1, 2, 0, 1));
        // Two people have a and b, three have a, and none b and c: that one counts for the span alone.
        assert!(
            (of("are_a") - ((2.0 - both.estimate).abs() / 2.0 + 0.0) / 2.0).abs() < 1e-12,
            "{readings:?}"
        );
        assert!(both.estimate < 2.0);
        assert!((of("certain_answers") - (0.5 + 1.0) / 2.0).abs() < 1e-12, "{readings:?}");
        // The bound is one person here.
        assert!((of("answer_span") - (0.5 + 0.0 + 1.0) / 3.0).abs() < 1e-12, "{readings:?}");
    }

    #[test]
    fn errors_are_relative_and_unanswered_queries_are_counted() {
        // a and b became {a|b}. "ab" holds a with 3/4 and "a" with 1/2: 5/4 instead of 2 people; b likewise, instead
        // of 1. `nothing` does not occur, nor does ba, of which "ab" is one of four readings.
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
