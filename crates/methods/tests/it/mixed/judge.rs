//! What a release must be, by the definitions: nothing here knows how it was made.

use std::collections::BTreeSet;

use throng_contract::{Progress, Settings};
use throng_data::{Cover, Dataset, Inputs, Release, Role};
use throng_methods::Outcome;
use throng_models::{Evidence, Promise};

use crate::mixed::world::ITEMS;

/// What makes the first clusters.
pub const RELATIONAL: [&str; 5] = ["cluster", "incognito", "top-down", "bottom-up", "mondrian"];
/// What orders partners.
pub const MERGE: [&str; 5] = ["r", "t", "rt", "t-loss", "rt-loss"];

/// What the promise's own checker says, with those of the method's parameters that the promise has.
pub fn agrees(promise: &dyn Promise, outcome: &Outcome, inputs: &Inputs, given: &[(&str, &str)]) -> bool {
    let known = given.iter().copied().filter(|(name, _)| promise.descriptor().param(name).is_some());
    let settings = Settings::parse(promise.descriptor(), known).unwrap();
    let evidence = Evidence { inputs, ..Evidence::of(&outcome.release) };
    promise.check(&evidence, &settings, 1, &Progress::silent()).unwrap().holds
}

/// Whether everybody who knows a person's row and up to `m` items finds `k` people.
pub fn is_kkm(release: &Release, k: usize, m: usize, secrets: &[&str], l: usize) -> bool {
    let people = release.people();
    let open: Vec<&str> = ITEMS.iter().copied().chain(["g"]).filter(|item| !secrets.contains(item)).collect();
    let group = |person: usize| rows(release, person);
    (0..people).all(|person| {
        let alike: Vec<usize> = (0..people).filter(|other| group(*other) == group(person)).collect();
        subsets(&open, m).iter().all(|known| {
            let may = |other: &usize| {
                records(release, *other).iter().any(|record| known.iter().all(|item| record.contains(*item)))
            };
            if !may(&person) {
                return true;
            }
            let fit: Vec<usize> = alike.iter().copied().filter(may).collect();
            let safe = |secret: &&str| {
                let carriers = fit
                    .iter()
                    .filter(|other| records(release, **other).iter().any(|record| record.contains(*secret)));
                carriers.count() * l <= fit.len()
            };
            fit.len() >= k && secrets.iter().all(safe)
        })
    })
}

fn subsets<'a>(items: &[&'a str], m: usize) -> Vec<Vec<&'a str>> {
    let mut all = vec![Vec::new()];
    for item in items {
        let longer: Vec<Vec<&str>> = all
            .iter()
            .filter(|set: &&Vec<&str>| set.len() < m)
            .map(|set| set.iter().copied().chain([*item]).collect())
            .collect();
        all.extend(longer);
    }
    all
}

fn rows(release: &Release, person: usize) -> Vec<String> {
    let table = release.table().unwrap();
    table.with_role(Role::QuasiIdentifying).map(|column| column.cover(person).render()).collect()
}

/// What each record of a person may contain.
fn records(release: &Release, person: usize) -> Vec<BTreeSet<&str>> {
    let record = |record: usize| {
        let items = release.events().record(record).iter();
        let members = items.flat_map(|item| &release.alphabet[*item as usize].members);
        members.map(|member| release.base.name(*member)).collect()
    };
    release.events().records_of(person).map(record).collect()
}

/// Whether every cell and every item covers what was there; events are lost only where that is allowed.
pub fn is_truthful(data: &Dataset, release: &Release, may_suppress: bool) -> bool {
    let covers = |cover: &Cover, value: &str| match cover {
        Cover::Value(own) => own == value,
        Cover::Node { members, .. } => members.iter().any(|member| member == value),
        Cover::Set(values) => values.iter().any(|own| own == value),
        Cover::Range { low, high } => {
            let number = |text: &str| text.parse::<f64>().unwrap();
            (number(low)..=number(high)).contains(&number(value))
        }
        Cover::Suppressed => true,
    };
    let table = release.table().unwrap();
    let columns = &data.attributes.as_ref().unwrap().columns;
    let cells = (0..data.subjects.len()).all(|person| {
        columns
            .iter()
            .zip(&table.columns)
            .all(|(column, released)| covers(released.cover(person), &column.text(person)))
    });
    let items = (0..data.events.records()).all(|record| {
        let (before, after) = (data.events.record(record), release.events().record(record));
        let cover = |released: &u32, item: &u32| release.alphabet[*released as usize].covers(*item);
        before.iter().all(|item| may_suppress || after.iter().any(|released| cover(released, item)))
            && after.iter().all(|released| before.iter().any(|item| cover(released, item)))
    });
    cells && items && table.columns.len() == columns.len()
}
