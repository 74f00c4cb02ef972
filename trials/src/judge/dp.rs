//! Differential privacy: the books of the budget added up again, and a release that shows no more than it may.
//!
//! Whether noise was drawn cannot be seen in one release; that every answer was paid for can.

use throng_data::Nature;
use throng_lab::Loaded;
use throng_methods::{Outcome, Variant};

use super::Judged;
use crate::people::original;
use crate::world::World;

/// Judges the books of a run.
pub fn dp(loaded: &Loaded, outcome: &Outcome, world: &World, variant: Variant) -> Judged {
    let broken = |why: String| Judged::Broken(why);
    let Some(books) = &outcome.ledger else { return broken("there are no books".to_owned()) };
    let epsilon: f64 = world.value("epsilon").parse().unwrap_or(0.0);
    // Steps of 2^-32: multiplying by a power of two is exact.
    let allowed = (epsilon * 4_294_967_296.0).floor() as u128;
    // Before the runs, the number of sequences and their lengths are paid for.
    let longest_path = world.number("n-max") + if world.method == "ngrams" { 2 } else { 0 };
    let mut paths: Vec<(u128, usize)> = Vec::new();
    for (number, spending) in books.spendings().iter().enumerate() {
        let (spent, length) = match spending.after.map(|entry| entry.index()) {
            None => (0, 0),
            Some(earlier) if earlier < number => paths[earlier],
            Some(_) => return broken(format!("entry {number} comes before the one it follows")),
        };
        paths.push((spent + u128::from(spending.amount.steps()), length + 1));
    }
    if let Some((_, length)) = paths.iter().find(|(_, length)| *length > longest_path) {
        return broken(format!("{length} answers on a path, for runs of up to {longest_path}"));
    }
    let events = &loaded.data.events;
    let counted = |person: usize| {
        let records = events.records_of(person).filter(|record| !events.span(*record).is_empty()).count();
        if variant == Variant::Sound { records.min(1) } else { records }
    };
    let most = (0..events.subjects()).map(counted).max().unwrap_or(0);
    if (books.records_per_person() as usize) < most {
        return broken(format!(
            "{most} records of a person were counted, {} paid for",
            books.records_per_person()
        ));
    }
    let dearest = paths.iter().map(|(spent, _)| *spent).max().unwrap_or(0);
    let spent = dearest * most as u128;
    if spent > allowed {
        return broken(format!("a person spends {spent} steps, {allowed} are allowed"));
    }
    shows_no_more(outcome, world)
}

/// Sequences over the public alphabet, no longer than what was counted; no record stands for a person.
fn shows_no_more(outcome: &Outcome, world: &World) -> Judged {
    let release = &outcome.release;
    if release.nature != Nature::Synthetic || release.attributes().is_some() {
        return Judged::Broken("the release is not synthetic".to_owned());
    }
    let public: Vec<&str> = world.alphabet.iter().flat_map(|text| text.lines()).collect();
    let known = |item: &u32| original(release, *item).is_some_and(|name| public.contains(&name));
    for record in 0..release.records() {
        let items = release.events().record(record);
        if items.len() > world.number("l-max") || !items.iter().all(known) {
            return Judged::Broken(format!(
                "record {record} is longer than was counted, or has unknown items"
            ));
        }
    }
    Judged::Holds
}
