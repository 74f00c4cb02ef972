//! Counts of people, counted again by looking at every pair of places of every record.

use std::collections::{BTreeMap, BTreeSet};

use throng_lab::Loaded;
use throng_methods::Outcome;

use super::Judged;
use crate::people::original;
use crate::world::World;

/// Table, item and end of a cell, as they are written.
type Cell = (&'static str, String, String);

/// Every cell of enough people is published with their number, and no other; and the cells by themselves are a world that gives the same
/// counts, without anybody in another cell.
pub fn k_counts(loaded: &Loaded, outcome: &Outcome, world: &World) -> Judged {
    let moves = if world.value("moves") == "ends" { "ends" } else { "moves" };
    let records: Vec<Vec<Vec<String>>> = real(loaded);
    let all = inside(&records, moves);
    let k = world.number("k");
    let expected: BTreeMap<Cell, u64> = all
        .iter()
        .filter(|(_, people)| people.len() >= k)
        .map(|(cell, people)| (cell.clone(), people.len() as u64))
        .collect();
    let Some(published) = published(outcome) else { return Judged::Broken("there are no counts".to_owned()) };
    if published != expected {
        return Judged::Broken(format!("{published:?} is published, {expected:?} would be right"));
    }
    let mut without: Vec<Vec<Vec<String>>> = vec![Vec::new(); records.len()];
    for (cell, people) in all.iter().filter(|(cell, _)| published.contains_key(*cell)) {
        let events: Vec<String> =
            [&cell.1, &cell.2].into_iter().filter(|name| !name.is_empty()).cloned().collect();
        people.iter().for_each(|person| without[*person].push(events.clone()));
    }
    let again: BTreeMap<Cell, u64> =
        inside(&without, moves).into_iter().map(|(cell, people)| (cell, people.len() as u64)).collect();
    match again == published {
        true => Judged::Holds,
        false => Judged::Broken(format!("{published:?} tells of a cell that is withheld")),
    }
}

/// Noisy counts: both tables are paid for, a cell is there once and of the public list.
pub fn dp_counts(outcome: &Outcome, world: &World) -> Judged {
    let broken = |why: &str| Judged::Broken(why.to_owned());
    let Some(books) = &outcome.ledger else { return broken("there are no books") };
    let epsilon: f64 = world.value("epsilon").parse().unwrap_or(0.0);
    let spent: u128 = books.spendings().iter().map(|spending| u128::from(spending.amount.steps())).sum();
    if spent > (epsilon * 4_294_967_296.0).floor() as u128 || books.spendings().is_empty() {
        return broken("more was spent than is allowed, or nothing at all");
    }
    let public: Vec<&str> = world.alphabet.iter().flat_map(|text| text.lines()).collect();
    let Some(published) = published(outcome) else { return broken("there are no counts") };
    let known = |name: &String| name.is_empty() || public.contains(&name.as_str());
    match published.keys().all(|(_, item, to)| known(item) && known(to)) {
        true => Judged::Holds,
        false => broken("a count is of an item that is not public"),
    }
}

fn published(outcome: &Outcome) -> Option<BTreeMap<Cell, u64>> {
    let release = &outcome.release;
    let cells = &release.body.counts()?.cells;
    let name = |item: u32| original(release, item).map(str::to_owned);
    let told = cells.iter().map(|(cell, people)| {
        let to = cell.to.map_or(Some(String::new()), name)?;
        Some(((cell.table.name(), name(cell.item)?, to), *people))
    });
    let told = told.collect::<Option<BTreeMap<Cell, u64>>>()?;
    (told.len() == cells.len()).then_some(told)
}

/// What people really did, by name.
fn real(loaded: &Loaded) -> Vec<Vec<Vec<String>>> {
    let (events, items) = (&loaded.data.events, &loaded.data.items);
    let record =
        |record: usize| events.record(record).iter().map(|item| items.name(*item).to_owned()).collect();
    (0..events.subjects()).map(|person| events.records_of(person).map(record).collect()).collect()
}

fn inside(people: &[Vec<Vec<String>>], moves: &'static str) -> BTreeMap<Cell, BTreeSet<usize>> {
    let mut cells: BTreeMap<Cell, BTreeSet<usize>> = BTreeMap::new();
    for (person, records) in people.iter().enumerate() {
        for record in records {
            for (place, item) in record.iter().enumerate() {
                let visit = ("visits", item.clone(), String::new());
                cells.entry(visit).or_default().insert(person);
                for (other, to) in record.iter().enumerate().filter(|(_, to)| *to != item) {
                    let counts = match moves {
                        "moves" => other == place + 1,
                        _ => place == 0 && other + 1 == record.len(),
                    };
                    if counts {
                        cells.entry((moves, item.clone(), to.clone())).or_default().insert(person);
                    }
                }
            }
        }
    }
    cells
}
