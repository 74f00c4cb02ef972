//! A few people of a dataset, as a dataset of their own.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use throng_data::{Dataset, Dictionary, EventsBuilder, Inputs, ItemId, Places};

use throng_data::load::Loaded;

/// Draws so many people; `None` when there are no more than that.
pub fn draw(data: &Dataset, most: usize, seed: u64) -> Option<Vec<u32>> {
    let people = data.events.subjects();
    if people <= most {
        return None;
    }
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut everybody: Vec<u32> = (0..people as u32).collect();
    let mut drawn = everybody.partial_shuffle(&mut generator, most).0.to_vec();
    drawn.sort_unstable();
    Some(drawn)
}

/// The data of some people. Items that none of them has are gone, also from the lists that go with the data.
pub fn restrict(loaded: &Loaded, people: &[u32]) -> Loaded {
    let data = &loaded.data;
    let mut subjects = Dictionary::new();
    let mut items = Dictionary::new();
    let mut image: Vec<Option<ItemId>> = vec![None; data.items.len()];
    let mut kept: Vec<usize> = Vec::new();
    let timed = data.events.times().is_some();
    let mut builder = EventsBuilder::new(data.events.kind(), timed);
    for person in people {
        let subject = subjects.intern(data.subjects.name(*person));
        for record in data.events.records_of(*person as usize) {
            let events = data.events.record(record).iter().map(|item| {
                *image[*item as usize].get_or_insert_with(|| {
                    kept.push(*item as usize);
                    items.intern(data.items.name(*item))
                })
            });
            let events: Vec<ItemId> = events.collect();
            builder.push(subject, &events, data.events.times_of(record).unwrap_or_default());
        }
    }
    let picked = |categories: &Vec<String>| kept.iter().map(|item| categories[*item].clone()).collect();
    let places = data.places.as_ref().map(|places| Places {
        system: places.system,
        points: kept.iter().map(|item| places.points[*item]).collect(),
        categories: places.categories.as_ref().map(picked),
    });
    let occurs = |item: &String| items.find(item).is_some();
    let part =
        |items: &Vec<String>| -> Vec<String> { items.iter().filter(|item| occurs(item)).cloned().collect() };
    let parts = |sets: &Vec<Vec<String>>| sets.iter().map(part).filter(|set| !set.is_empty()).collect();
    let given = &loaded.inputs;
    // A pattern that lost an item occurs nowhere.
    let whole = |patterns: &Vec<Vec<String>>| -> Vec<Vec<String>> {
        patterns.iter().filter(|pattern| pattern.iter().all(occurs)).cloned().collect()
    };
    let of_drawn = |all: &BTreeMap<String, Vec<Vec<String>>>| {
        let drawn = all.iter().filter(|(person, _)| subjects.find(person).is_some());
        drawn.map(|(person, patterns)| (person.clone(), whole(patterns))).collect()
    };
    let inputs = Inputs {
        constraints: given.constraints.as_ref().map(parts),
        policy: given.policy.as_ref().map(parts),
        sensitive_items: part(&given.sensitive_items),
        patterns: whole(&given.patterns),
        person_patterns: given.person_patterns.as_ref().map(of_drawn),
        ..given.clone()
    };
    Loaded {
        named: loaded.named,
        inputs,
        files: loaded.files.clone(),
        notes: Vec::new(),
        data: Dataset {
            events: builder.finish(subjects.len()),
            subjects,
            items: Arc::new(items),
            places,
            own_categories: data.own_categories.as_ref().map(picked),
            attributes: data.attributes.as_ref().map(|table| table.pick(people)),
        },
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::{Input, Progress};
    use throng_data::formats::Source;

    use super::*;
    use crate::{catalogue, load};
    use throng_data::load::Files;

    #[test]
    fn a_sample_is_a_dataset_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
            Source::file(folder.path().join(name))
        };
        let data = write("trips.csv", "subject,item\nann,zoo\nbob,mall\nbob,pub\ncyd,pub\ncyd,mall\n");
        let places = write("places.csv", "item,x,y\npub,1,1\nmall,2,2\nzoo,3,3\n");
        let mut files = Files::of(data);
        files.give(Input::Places, places);
        let needs = catalogue::method("seqanon").unwrap().descriptor();
        let loaded = load(&files, needs, &Progress::silent()).unwrap();
        let sample = restrict(&loaded, &[1, 2]).data;
        assert_eq!(sample.subjects.names().collect::<Vec<_>>(), ["bob", "cyd"]);
        assert_eq!((sample.names_of(0), sample.names_of(1)), (vec!["mall", "pub"], vec!["pub", "mall"]));
        assert_eq!(sample.places.unwrap().points, [[2.0, 2.0], [1.0, 1.0]]);
    }

    #[test]
    fn everybody_is_no_sample_and_the_same_seed_draws_the_same_people() {
        let words = ["a"; 50];
        let data = Dataset::from_words(words);
        assert_eq!(draw(&data, 50, 1), None);
        let drawn = draw(&data, 10, 1).unwrap();
        assert_eq!((drawn.len(), draw(&data, 10, 1), drawn.is_sorted()), (10, Some(drawn.clone()), true));
        assert_ne!(draw(&data, 10, 2), Some(drawn));
    }
}
