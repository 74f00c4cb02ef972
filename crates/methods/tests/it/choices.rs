//! Every word of a choice is listened to: for any two words of a parameter there are data whose releases differ, for every method for events.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use throng_contract::{Progress, SettingKind, Settings};
use throng_data::{
    Coordinates, Dataset, Dictionary, EventKind, EventsBuilder, Inputs, ItemId, Places, Taxonomy,
};
use throng_methods::{ALL, Method, Task};

const PLACES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

/// What the methods need that has no default.
const VALUES: [(&str, &str); 12] = [
    ("k", "3"),
    ("m", "2"),
    ("l", "2"),
    ("clusters", "2"),
    ("L", "2"),
    ("K", "3"),
    ("C", "0.6"),
    ("K-prime", "2"),
    ("epsilon", "0.8"),
    ("itineraries", "4"),
    ("max-suppressed", "100%"),
    ("window", "3"),
];

/// Matter only where a person has two events at one time, or no sensitive value: no one is like that here.
const NOT_HERE: [&str; 2] = ["resolve-ties", "missing"];

/// Numbers that look random, the same everywhere.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// People who pass some of nine places, a few of these far more often than others. In turn: all alike; only two with more than one event, too
/// few to hide among; and few people with long records.
fn people(number: u64) -> Dataset {
    let mut draw = Draw(number * 7 + 1);
    let mut builder = EventsBuilder::new(EventKind::Sequence, true);
    let subjects = if number % 3 == 2 { 6 } else { 12 + draw.below(30) };
    for person in 0..subjects {
        let length = match number % 3 {
            0 => 1 + draw.below(4),
            1 => 1 + u64::from(person < 2) * draw.below(3),
            _ => 10 + draw.below(20),
        };
        let items: Vec<ItemId> = (0..length)
            .map(|_| {
                let places = if number % 3 == 2 { 9 } else { 1 + draw.below(9) };
                draw.below(places) as ItemId
            })
            .collect();
        let mut time = 0;
        let times: Vec<i64> = items
            .iter()
            .map(|_| {
                time += 1 + draw.below(2) as i64;
                time
            })
            .collect();
        builder.push(person as u32, &items, &times);
    }
    let names: Vec<String> = (0..subjects).map(|person| format!("p{person}")).collect();
    let items: Dictionary = PLACES.into_iter().collect();
    let points = PLACES.map(|_| [draw.below(100) as f64, draw.below(100) as f64]).to_vec();
    Dataset {
        subjects: names.iter().map(String::as_str).collect(),
        items: items.into(),
        events: builder.finish(subjects as usize),
        places: Some(Places { system: Coordinates::Plane, points, categories: None }),
        own_categories: None,
        attributes: None,
    }
}

fn inputs(data: &Dataset) -> Inputs {
    let paths = [
        "a;o;any",
        "b;o;any",
        "c;p;q;any",
        "d;p;q;any",
        "e;q;any",
        "f;s;t;u;any",
        "g;s;t;u;any",
        "h;t;u;any",
        "i;u;any",
    ];
    Inputs {
        taxonomy: Some(Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap()),
        constraints: Some(vec![data.items.named(&[0, 1, 2, 3]), data.items.named(&[4, 5, 6, 7, 8])]),
        sensitive_items: data.items.named(&[8]),
        patterns: [[0, 2], [2, 5], [5, 0], [3, 6], [1, 3]].map(|pattern| data.items.named(&pattern)).to_vec(),
        alphabet: Some(PLACES.map(str::to_owned).to_vec()),
        ..Inputs::default()
    }
}

/// The release with that word, or why there is none.
fn with(method: &dyn Method, data: &Dataset, param: &str, word: &str) -> Result<String, String> {
    let descriptor = method.descriptor();
    let fitting = |(name, value): &(&'static str, &'static str)| match (descriptor.name, *name) {
        // Of so few people much noise leaves nothing.
        ("ngrams", "epsilon") => ("epsilon", "6"),
        _ => (*name, *value),
    };
    let known = VALUES.iter().filter(|(name, _)| *name != param && descriptor.param(name).is_some());
    let settings = Settings::parse(descriptor, known.map(fitting).chain([(param, word)])).unwrap();
    let (inputs, progress) = (inputs(data), Progress::silent());
    let task = Task { inputs: &inputs, seed: 1, ..Task::new(data, &settings, &progress) };
    let released = method.anonymize(&task).map_err(|error| error.to_string())?.release;
    Ok(format!("{:?} {:?}", released.alphabet, released.body))
}

#[test]
fn any_two_words_of_a_choice_give_other_releases_of_some_data() {
    let (mut looked_at, mut same) = (0, Vec::new());
    for method in ALL {
        let descriptor = method.descriptor();
        if descriptor.fits(&people(0).shape()).is_err() {
            continue;
        }
        for param in descriptor.params.iter().filter(|param| !NOT_HERE.contains(&param.name)) {
            let SettingKind::Choice { words } = param.kind else { continue };
            for (at, word) in words.iter().enumerate() {
                for other in &words[at + 1..] {
                    let differ = |number| {
                        let data = people(number);
                        with(*method, &data, param.name, word) != with(*method, &data, param.name, other)
                    };
                    if !(0..1_000).any(differ) {
                        same.push(format!("{}: {} = {word} or {other}", descriptor.name, param.name));
                    }
                    looked_at += 1;
                }
            }
        }
    }
    assert_eq!(same, Vec::<String>::new());
    assert!(looked_at > 50, "{looked_at}");
}
