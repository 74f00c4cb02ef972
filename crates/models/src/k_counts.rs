//! Counts with a threshold: every published count is of at least `k` people, and no withheld one can be worked out.
//!
//! # Guarantees
//! A cell is withheld where fewer than `k` people are in it. What the published cells say is then compatible with *no person* being
//! in any withheld cell: take from each person everything but the published cells they are in, as records of one event for
//! visits and of two events for moves. That is a possible world with the same published counts, and nothing is
//! withheld in it. It exists because
//!
//! * there are no totals, neither over items nor over spans of time, and no number of people,
//! * visits stand beside moves only without times: a move says that a person was there, at some time,
//! * where visits stand beside moves, both ends of a published move are published visits: as many people were there,
//! * steps and first-to-last moves do not stand in one release: a world of two-event records would have both.
//!
//! The world has people with several records. An attacker who knows that every person has one record is not told anything either, as long as there may be items
//! that are not listed: put one of them between the two ends of every withheld move. With few items, all of them known, and one record a person,
//! a withheld move may be shown to have people in it (`attacks/solver.py`).
//!
//! These rules are looked up in the release. With the data at hand all cells are counted again, by code that shares nothing with the
//! methods'; without them the written numbers are judged.
//!
//! It speaks of one release and of its counts; a grade of usefulness may tell in steps of 20 points which share of all visits is in none of
//! them. Two releases of nearly the same people can be subtracted from each other.
//! # Cost
//! One pass over the events, and one entry for each person and cell.

use std::collections::{BTreeMap, BTreeSet};

use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Key, OverParts, Progress, Settings, settings,
};
use throng_data::{CountCell, CountTable, Counts, Dataset, EventKind, Release};

use crate::ranges::PEOPLE;
use crate::{Assumes, CheckError, Evidence, Promise, Verdict, Violation};

/// The promise `k-counts`.
#[derive(Debug, Clone, Copy)]
pub struct KCounts;

const NAME: &str = "k-counts";

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = Key::integer("k", PEOPLE, "how many people have to be in a cell that is published"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: NAME,
    purpose: "every published count is of at least k people, and no other can be worked out",
    takes: &[DataKind::Sequences, DataKind::Sets],
    params: Asked::ALL,
    paper: "",
    example: "throng verify release --promise k-counts -k 5",
    notes: "Speaks of one release: counts are exact, and two releases of nearly the same people can be subtracted from each \
            other. Where that matters, use `dp-counts`. An attacker who knows that all others in a cell are there learns of the last \
            one. Withheld moves are not protected from an attacker who knows all items there are, where these are few, and that \
            every person has one record.",
    over_parts: Some(OverParts::DoesNotFollow),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for KCounts {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let people = match asked.k {
            1 => "at least 1 person".to_owned(),
            k => format!("at least {k} people"),
        };
        format!(
            "Every published count is of {people}, and no count that is withheld can be worked out from the published ones."
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        format!(
            "∀ c ∈ C: n(c) ≥ {}, and ∃ D′ with the same n on C and n(c) = 0 for every other cell c, where n(c) are the people in a \
             cell and C the published cells",
            asked.k
        )
    }

    fn assumes(&self, settings: &Settings) -> Assumes {
        let asked = Asked::of(settings);
        Assumes { crowd: Some(asked.k), known: None }
    }

    fn speaks_of(&self, body: BodyKind) -> bool {
        body == BodyKind::Counts
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let asked = Asked::of(settings);
        progress.check()?;
        let release = evidence.release;
        let counts = release.body.counts().ok_or(CheckError::Missing {
            promise: NAME,
            what: "a release of counts",
            help: "make one with {throng anonymize --method counts}",
        })?;
        let k = asked.k;
        let mut broken: Vec<Violation> = Vec::new();
        for (cell, people) in counts.cells.iter().filter(|(_, people)| *people < k) {
            broken.push(violation(release, cell, *people, k, "too few people"));
        }
        broken.extend(derivable(release, counts));
        if let Some(data) = evidence.original {
            broken.extend(miscounted(release, counts, data, k, progress)?);
        }
        let total = broken.len() as u64;
        broken.sort_by(|a, b| a.pattern.len().cmp(&b.pattern.len()).then_with(|| a.support.cmp(&b.support)));
        broken.truncate(list);
        Ok(Verdict {
            promise: NAME,
            holds: total == 0,
            checked: counts.cells.len() as u64,
            violations: broken,
            violations_total: total,
            ..Verdict::default()
        })
    }
}

/// Where the rules are broken that keep withheld cells from being worked out.
fn derivable(release: &Release, counts: &Counts) -> Vec<Violation> {
    let mut broken = Vec::new();
    let of = |table: CountTable| counts.cells.iter().filter(move |(cell, _)| cell.table == table);
    let mut seen = BTreeSet::new();
    for (cell, people) in counts.cells.iter().filter(|(cell, _)| !seen.insert(*cell)) {
        broken.push(violation(release, cell, *people, *people, "published twice"));
    }
    for (cell, people) in &counts.cells {
        let why = match (cell.table, cell.to, cell.time) {
            (CountTable::Visits, None, time) if time.is_some() == (counts.bin > 0) => continue,
            (CountTable::Visits, None, _) => "beside spans of time it is a total",
            (CountTable::Moves | CountTable::Ends, Some(to), None) if to != cell.item => continue,
            _ => "a cell of no table",
        };
        broken.push(violation(release, cell, *people, *people, why));
    }
    let (visits, steps, ends) = (of(CountTable::Visits), of(CountTable::Moves), of(CountTable::Ends));
    let there: BTreeSet<u32> = visits.clone().map(|(cell, _)| cell.item).collect();
    if let (Some((cell, people)), true) = (ends.clone().next(), steps.clone().next().is_some()) {
        broken.push(violation(release, cell, *people, *people, "beside moves of single steps"));
    }
    let visited: BTreeMap<u32, u64> =
        visits.filter(|(cell, _)| cell.time.is_none()).map(|(cell, people)| (cell.item, *people)).collect();
    for (cell, people) in steps.clone().chain(ends.clone()) {
        let at_most =
            [Some(cell.item), cell.to].into_iter().flatten().filter_map(|item| visited.get(&item)).min();
        if at_most.is_some_and(|most| people > most) {
            broken.push(violation(
                release,
                cell,
                *people,
                *people,
                "more people than were at one of its ends",
            ));
        }
    }
    for (cell, people) in steps.chain(ends).filter(|_| !there.is_empty()) {
        if counts.bin > 0 {
            broken.push(violation(release, cell, *people, *people, "beside visits in spans of time"));
        } else if !there.contains(&cell.item) || cell.to.is_some_and(|to| !there.contains(&to)) {
            broken.push(violation(release, cell, *people, *people, "one of its ends is a withheld visit"));
        }
    }
    broken
}

/// Published cells whose number is not that of the data.
fn miscounted(
    release: &Release,
    counts: &Counts,
    data: &Dataset,
    k: u64,
    progress: &Progress,
) -> Result<Vec<Violation>, CheckError> {
    let mut people: BTreeMap<CountCell, u64> = counts.cells.iter().map(|(cell, _)| (*cell, 0)).collect();
    // Names are what both sides share.
    let named: BTreeMap<&str, u32> = (0..)
        .zip(&release.alphabet)
        .filter(|(_, item)| item.is_intact())
        .map(|(number, item)| (release.base.name(item.members[0]), number))
        .collect();
    let number: Vec<Option<u32>> = data.items.names().map(|name| named.get(name).copied()).collect();
    let events = &data.events;
    for person in 0..events.subjects() {
        let mut own: BTreeSet<CountCell> = BTreeSet::new();
        for record in events.records_of(person) {
            let items: Vec<Option<u32>> =
                events.record(record).iter().map(|item| number[*item as usize]).collect();
            let times = events.times_of(record);
            for (place, item) in items.iter().enumerate() {
                let Some(item) = *item else { continue };
                let bin = i64::try_from(counts.bin).unwrap_or(i64::MAX);
                let time = match (times, bin) {
                    (_, 0) | (None, _) => None,
                    (Some(times), bin) => Some(times[place].saturating_sub(times[place].rem_euclid(bin))),
                };
                own.insert(CountCell { table: CountTable::Visits, item, to: None, time });
                let after = items.get(place + 1).copied().flatten();
                if let Some(to) = after.filter(|to| *to != item && events.kind() == EventKind::Sequence) {
                    own.insert(CountCell { table: CountTable::Moves, item, to: Some(to), time: None });
                }
            }
            if let (Some(Some(first)), Some(Some(last))) = (items.first(), items.last())
                && items.len() > 1
                && first != last
                && events.kind() == EventKind::Sequence
            {
                let cell = CountCell { table: CountTable::Ends, item: *first, to: Some(*last), time: None };
                own.insert(cell);
            }
        }
        for cell in own {
            if let Some(people) = people.get_mut(&cell) {
                *people += 1;
            }
        }
        if person % 4096 == 0 {
            progress.check()?;
        }
    }
    let wrong = counts.cells.iter().filter(|(cell, told)| people[cell] != *told);
    Ok(wrong
        .map(|(cell, _)| violation(release, cell, people[cell], k, "not the number of the data"))
        .collect())
}

fn violation(release: &Release, cell: &CountCell, people: u64, needed: u64, why: &str) -> Violation {
    let mut pattern = vec![release.name(cell.item)];
    pattern.extend(cell.to.map(|to| release.name(to)));
    let mut details = BTreeMap::from([("table", cell.table.name().to_owned()), ("why", why.to_owned())]);
    if let Some(time) = cell.time {
        details.insert("time", time.to_string());
    }
    Violation { pattern, support: people, needed, details }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use throng_contract::Failing;
    use throng_data::Nature;

    use super::*;

    fn cell(table: CountTable, item: u32, to: Option<u32>, time: Option<i64>) -> CountCell {
        CountCell { table, item, to, time }
    }

    fn check(data: &Dataset, bin: u64, cells: &[(CountCell, u64)], original: bool) -> Verdict {
        let counts = Counts { kind: EventKind::Sequence, cells: cells.to_vec(), bin };
        let release = Release::of_counts(Arc::clone(&data.items), counts, Nature::Truthful);
        let settings = Settings::parse(&DESCRIPTOR, [("k", "2")]).unwrap();
        let evidence = Evidence { original: original.then_some(data), ..Evidence::of(&release) };
        KCounts.check(&evidence, &settings, 10, &Progress::silent()).unwrap()
    }

    const VISITS: CountTable = CountTable::Visits;

    #[test]
    fn counts_of_enough_people_that_are_true_hold() {
        let data = Dataset::from_words(["aba", "ab", "c", "ba"]);
        let told = [
            (cell(VISITS, 0, None, None), 3),
            (cell(VISITS, 1, None, None), 3),
            (cell(CountTable::Moves, 0, Some(1), None), 2),
            (cell(CountTable::Moves, 1, Some(0), None), 2),
        ];
        let verdict = check(&data, 0, &told, true);
        assert!(verdict.holds, "{verdict:?}");
        assert_eq!(verdict.checked, 4);
        // First to last: only `ab` and `ba` differ in their ends.
        let ends = [(cell(CountTable::Ends, 0, Some(1), None), 2)];
        assert!(!check(&data, 0, &ends, true).holds);
        assert!(check(&data, 0, &ends, false).holds, "without the data the written number is judged");
    }

    #[test]
    fn every_rule_is_looked_up() {
        let data = Dataset::from_words(["ab", "ab"]);
        let visit = |item| (cell(VISITS, item, None, None), 2);
        let step = (cell(CountTable::Moves, 0, Some(1), None), 2);
        let why = |bin: u64, cells: &[(CountCell, u64)]| -> Vec<String> {
            let verdict = check(&data, bin, cells, false);
            assert_eq!(verdict.holds, verdict.violations.is_empty());
            verdict.violations.iter().map(|broken| broken.details["why"].clone()).collect()
        };
        assert_eq!(why(0, &[visit(0), visit(1), step]), Vec::<String>::new());
        assert_eq!(why(0, &[(cell(VISITS, 0, None, None), 1)]), ["too few people"]);
        assert_eq!(why(0, &[visit(0), visit(0)]), ["published twice"]);
        assert_eq!(why(0, &[visit(0), step]), ["one of its ends is a withheld visit"]);
        assert_eq!(why(60, &[visit(0)]), ["beside spans of time it is a total"]);
        let timed = (cell(VISITS, 0, None, Some(60)), 2);
        assert_eq!(why(60, &[timed, step]), ["beside visits in spans of time"]);
        let ends = (cell(CountTable::Ends, 0, Some(1), None), 2);
        assert_eq!(why(0, &[step, ends]), ["beside moves of single steps"]);
        assert_eq!(why(0, &[(cell(CountTable::Moves, 0, None, None), 2)]), ["a cell of no table"]);
        assert_eq!(why(0, &[(cell(CountTable::Moves, 0, Some(0), None), 2)]), ["a cell of no table"]);
    }

    /// What the checker counts itself, against numbers that are counted by hand.
    #[test]
    fn counts_are_those_of_the_data() {
        let told = |data: &Dataset, table, item, to, people| {
            check(data, 0, &[(cell(table, item, to, None), people)], true).holds
        };
        // One event is no way from first to last; two alike have their ends at one place.
        let data = Dataset::from_words(["ab", "acb", "a", "aa", "aba", "b"]);
        assert!(told(&data, CountTable::Ends, 0, Some(1), 2));
        assert!(!told(&data, CountTable::Ends, 0, Some(1), 3));
        assert!(told(&data, CountTable::Moves, 0, Some(1), 2));
        assert!(told(&data, VISITS, 0, None, 5));
        assert!(!told(&data, VISITS, 0, None, 6), "a person who comes twice is one person");
        // Sets have no order, so that there are no moves.
        let sets = Dataset::from_records(EventKind::Set, [("p", ["a", "b"]), ("q", ["a", "b"])]);
        assert!(told(&sets, VISITS, 0, None, 2));
        assert!(!told(&sets, CountTable::Moves, 0, Some(1), 2));
        assert!(!told(&sets, CountTable::Ends, 0, Some(1), 2));
    }

    #[test]
    fn a_release_of_records_is_not_judged() {
        let data = Dataset::from_words(["ab", "ab"]);
        let release = Release::identity(data.items.clone(), data.events.clone());
        let settings = Settings::parse(&DESCRIPTOR, [("k", "2")]).unwrap();
        let error = KCounts.check(&Evidence::of(&release), &settings, 1, &Progress::silent()).unwrap_err();
        assert_eq!(error.class().code(), 2);
        assert!(!KCounts.speaks_of(release.body.kind()));
        assert!(KCounts.speaks_of(BodyKind::Counts));
    }
}
