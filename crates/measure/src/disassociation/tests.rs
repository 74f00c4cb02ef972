//! The paper's measures on data small enough to count by hand.

use throng_data::{ChunkKind, Chunks, Cluster, Dataset, GeneralisedItem, Inputs};

use super::pairs::{RE, error, pairs};
use super::*;

/// Sets of items of one letter each, one a person.
fn people(records: &[&str]) -> Dataset {
    let names: Vec<String> = (0..records.len()).map(|number| number.to_string()).collect();
    Dataset::from_records(
        EventKind::Set,
        names.iter().map(String::as_str).zip(records.iter().map(|word| letters(word))),
    )
}

fn letters(word: &str) -> Vec<&str> {
    word.split("").filter(|letter| !letter.is_empty()).collect()
}

/// Four have a, three of them b too, two have c, one d.
fn data() -> Dataset {
    people(&["ab", "ab", "ab", "ac", "c", "d"])
}

/// One cluster with these chunks.
fn taken_apart(data: &Dataset, size: u64, listed: &[(ChunkKind, &[&str])]) -> Release {
    let mut chunks = Chunks::new();
    let cluster = chunks.push_cluster(Cluster { parent: None, size });
    for (kind, parts) in listed {
        chunks.push_chunk(cluster, *kind);
        for part in *parts {
            chunks.push_part(letters(part).into_iter().filter_map(|letter| data.items.find(letter)));
        }
    }
    Release::of_items(data.items.clone(), Body::Chunks(chunks))
}

/// Records of the release, in the letters of the data.
fn rows(data: &Dataset, records: &[&str]) -> Release {
    let mut builder = EventsBuilder::new(EventKind::Set, false);
    for (person, record) in (0..).zip(records) {
        let mut items: Vec<ItemId> =
            letters(record).into_iter().filter_map(|letter| data.items.find(letter)).collect();
        items.sort_unstable();
        builder.push(person, &items, &[]);
    }
    Release::identity(data.items.clone(), builder.finish(records.len()))
}

fn read(
    measure: &dyn Measure,
    data: &Dataset,
    release: &Release,
    inputs: &Inputs,
    given: &[(&str, &str)],
) -> Readings {
    let settings = Settings::parse(measure.descriptor(), given.iter().copied()).expect("in range");
    let progress = Progress::silent();
    let on = Comparison { inputs, ..Comparison::of(data, release, &progress) };
    measure.measure(&on, &settings).expect("it can be measured")
}

fn near(readings: &Readings, expected: &[(&str, f64)]) {
    assert_eq!(readings.len(), expected.len(), "{readings:?}");
    for ((name, value), (expected_name, expected)) in readings.iter().zip(expected) {
        assert_eq!(name, expected_name);
        assert!((value - expected).abs() < 1e-12, "{readings:?}");
    }
}

#[test]
fn a_frequent_item_is_lost_if_it_stands_in_term_chunks_alone() {
    let data = data();
    let release =
        taken_apart(&data, 6, &[(ChunkKind::Record, &["ab", "ab", "ab", "a"]), (ChunkKind::Term, &["cd"])]);
    let lost = |release: &Release, k| read(&LostTerms, &data, release, Inputs::NONE, &[("k", k)]);
    // a, b and c have more than one person, a and b more than two.
    near(&lost(&release, "1"), &[("tlost", 1.0 / 3.0)]);
    near(&lost(&release, "2"), &[("tlost", 0.0)]);
    near(&lost(&release, "4"), &[("tlost", 0.0)]);
    let nothing = taken_apart(&data, 6, &[(ChunkKind::Term, &["abcd"])]);
    near(&lost(&nothing, "3"), &[("tlost", 1.0)]);
}

#[test]
fn in_records_an_item_is_lost_that_is_suppressed_or_always_merged() {
    let data = data();
    let lost = |release: &Release| read(&LostTerms, &data, release, Inputs::NONE, &[("k", "1")]);
    near(&lost(&rows(&data, &["ab", "ab", "ab", "ac", "c", "d"])), &[("tlost", 0.0)]);
    near(&lost(&rows(&data, &["ab", "ab", "ab", "a", "", "d"])), &[("tlost", 1.0 / 3.0)]);
    let mut merged = rows(&data, &["ab", "ab", "ab", "ac", "c", ""]);
    let (c, d) = (data.items.find("c").expect("there"), data.items.find("d").expect("there"));
    merged.alphabet[c as usize] = GeneralisedItem::of(vec![c, d]);
    near(&lost(&merged), &[("tlost", 1.0 / 3.0)]);
}

/// Pairs ab 3, ac 1, bc 0 of the first three ranks.
#[test]
fn errors_of_pairs_are_differences_over_means() {
    let data = data();
    let error = |release: &Release, from, to| {
        read(
            &PairErrors,
            &data,
            release,
            Inputs::NONE,
            &[("rank-from", from), ("rank-to", to), ("reconstructions", "2")],
        )
    };
    near(&error(&rows(&data, &["ab", "ab", "ab", "ac", "c", "d"]), "0", "3"), &[("re", 0.0)]);
    // ab 2, ac 1, bc 1: 1 over 2.5, nothing, and 2 for a pair that did not occur.
    near(&error(&rows(&data, &["ab", "ab", "abc", "", "c", "d"]), "0", "3"), &[("re", 2.0 / 3.0)]);
    near(&error(&rows(&data, &["ab", "ab", "a", "ac", "c", "d"]), "0", "3"), &[("re", 0.4 / 3.0)]);
    near(&error(&rows(&data, &["ab", "ab", "a", "ac", "c", "d"]), "0", "2"), &[("re", 0.4)]);
    near(&error(&rows(&data, &["ab", "ab", "a", "ac", "bc", "d"]), "1", "3"), &[("re", 2.0)]);
    // In every possible dataset all of the cluster have both; the chunks alone show it of no one.
    let sure = people(&["ab", "ab", "ab"]);
    let apart = taken_apart(&sure, 3, &[(ChunkKind::Record, &["a"; 3]), (ChunkKind::Record, &["b"; 3])]);
    let given = [("rank-from", "0"), ("rank-to", "2"), ("reconstructions", "3")];
    near(&read(&PairErrors, &sure, &apart, Inputs::NONE, &given), &[("re", 0.0), ("re_a", 2.0)]);
    let together = taken_apart(&sure, 3, &[(ChunkKind::Record, &["ab"; 3])]);
    near(&read(&PairErrors, &sure, &together, Inputs::NONE, &given), &[("re", 0.0), ("re_a", 0.0)]);
}

#[test]
fn fewer_than_two_items_of_those_ranks_have_no_pair() {
    let data = data();
    let release = rows(&data, &["ab", "ab", "ab", "ac", "c", "d"]);
    let progress = Progress::silent();
    for (from, to, there) in [("2", "4", true), ("3", "4", false), ("4", "9", false), ("0", "1", false)] {
        let settings = Settings::parse(&RE, [("rank-from", from), ("rank-to", to)]).expect("in range");
        let read = PairErrors.measure(&Comparison::of(&data, &release, &progress), &settings);
        assert_eq!(read.is_ok(), there, "{from} to {to}");
    }
}

/// A second record of a person adds nothing.
#[test]
fn pairs_count_people() {
    let data =
        Dataset::from_records(EventKind::Set, [("p", ["a", "b"]), ("p", ["a", "b"]), ("q", ["b", "c"])]);
    let item = |name| data.items.find(name).expect("there");
    assert_eq!(pairs(&data.events, &[item("a"), item("b"), item("c")]), [1.0, 0.0, 1.0]);
    assert_eq!(pairs(&data.events, &[item("c"), item("b"), item("a")]), [1.0, 0.0, 1.0]);
    assert_eq!(pairs(&data.events, &[item("a"), item("c")]), [0.0]);
}

#[test]
fn an_error_of_what_neither_has_is_none() {
    assert_eq!(error(&[0.0, 4.0], &[0.0, 4.0]), 0.0);
    assert_eq!(error(&[3.0], &[1.0]), 1.0);
    assert_eq!(error(&[1.0], &[3.0]), 1.0);
    assert_eq!(error(&[4.0, 1.0], &[0.0, 1.0]), 1.0);
    assert_eq!(error(&[], &[]), 0.0);
}

#[test]
fn what_is_lost_is_a_share_of_what_there_was() {
    let sets = |sets: &[&[ItemId]]| sets.iter().map(|set| set.to_vec()).collect::<Vec<_>>();
    assert_eq!(lost(&sets(&[&[1], &[2], &[1, 2], &[3]]), &sets(&[&[1], &[9]])), 0.75);
    assert_eq!(lost(&sets(&[&[1]]), &sets(&[&[1]])), 0.0);
    assert_eq!(lost(&[], &sets(&[&[1]])), 0.0);
}

#[test]
fn the_most_frequent_sets_are_found_however_rare_they_are() {
    // a has forty, b two of them, c one.
    let mut records = vec!["a"; 37];
    records.extend(["ab", "ab", "ac"]);
    let data = people(&records);
    let top = |top| {
        let found = most_frequent(&data.events, top, &Progress::silent()).expect("it can be mined");
        let name = |set: &Vec<ItemId>| set.iter().map(|item| data.items.name(*item)).collect::<String>();
        found.iter().map(name).collect::<BTreeSet<String>>()
    };
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(top(1), named(&["a"]));
    assert_eq!(top(3), named(&["a", "b", "ab"]));
    assert_eq!(top(9), named(&["a", "b", "ab"]), "what one of many has is not frequent");
    let few = people(&["a", "b"]);
    assert_eq!(most_frequent(&few.events, 5, &Progress::silent()).expect("it can be mined").len(), 2);
}

#[test]
fn frequent_sets_that_chunks_take_apart_are_lost_for_sure_and_perhaps_not_at_all() {
    let data = people(&["ab", "ab", "ab"]);
    let given = [("top", "3")];
    let apart = taken_apart(&data, 3, &[(ChunkKind::Record, &["a"; 3]), (ChunkKind::Record, &["b"; 3])]);
    near(&read(&TopSets, &data, &apart, Inputs::NONE, &given), &[("tkd", 0.0), ("tkd_a", 1.0 / 3.0)]);
    near(&read(&TopSets, &data, &rows(&data, &["ab", "ab", "ab"]), Inputs::NONE, &given), &[("tkd", 0.0)]);
    near(&read(&TopSets, &data, &rows(&data, &["a", "b", "a"]), Inputs::NONE, &given), &[("tkd", 1.0 / 3.0)]);
}

fn taxonomy() -> Taxonomy {
    let paths = ["a;x;any", "b;x;any", "c;y;any", "d;y;any"];
    Taxonomy::from_paths(paths.map(|path| path.split(';'))).expect("a tree")
}

#[test]
fn sets_of_levels_have_no_node_above_another() {
    let (data, taxonomy) = (people(&["ab", "ab", "c"]), taxonomy());
    let progress = Progress::silent();
    let release = rows(&data, &["ab", "ab", "c"]);
    let on = Comparison::of(&data, &release, &progress);
    let levels = Levels::of_data(&on, &taxonomy);
    let named = |sets: Vec<Vec<ItemId>>| {
        let name = |set: &Vec<ItemId>| {
            let mut names: Vec<&str> = set.iter().map(|node| taxonomy.name(*node)).collect();
            names.sort_unstable();
            names.concat()
        };
        sets.iter().map(name).collect::<BTreeSet<String>>()
    };
    let top = |top| named(levels.most_frequent(&data.events, top, &progress).expect("it can be mined"));
    let expected = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(top(4), expected(&["a", "b", "x", "ab"]));
    assert_eq!(top(100), expected(&["a", "b", "x", "ab", "c", "y"]));
    let name = |node: &u32| taxonomy.name(*node);
    assert_eq!(
        path(&taxonomy, taxonomy.find("a").expect("there")).iter().map(name).collect::<Vec<_>>(),
        ["a", "x"]
    );
    assert!(path(&taxonomy, taxonomy.root()).is_empty());
}

/// A merged item counts as the node above all it stands for.
#[test]
fn merged_items_are_counted_at_their_level() {
    let (data, tree) = (people(&["ab", "ab", "ab", "c"]), taxonomy());
    let inputs = Inputs { taxonomy: Some(tree), ..Inputs::default() };
    let given = [("top", "4")];
    let read = |release: &Release| read(&TopSetsOfLevels, &data, release, &inputs, &given);
    near(&read(&rows(&data, &["ab", "ab", "ab", "c"])), &[("tkd_ml2", 0.0)]);
    let mut merged = rows(&data, &["a", "a", "a", "c"]);
    let (a, b) = (data.items.find("a").expect("there"), data.items.find("b").expect("there"));
    merged.alphabet[a as usize] = GeneralisedItem::of(vec![a, b]);
    // Of a, b, x and ab only x is left.
    near(&read(&merged), &[("tkd_ml2", 0.75)]);
    let apart = taken_apart(
        &data,
        4,
        &[(ChunkKind::Record, &["a"; 3]), (ChunkKind::Record, &["b"; 3]), (ChunkKind::Term, &["c"])],
    );
    let found = read(&apart);
    assert_eq!((found[1].0, found.len()), ("tkd_ml2_a", 2));
    assert!((found[1].1 - 0.25).abs() < 1e-12, "ab is in no chunk: {found:?}");
}

#[test]
fn sequences_and_counts_are_not_measured() {
    let data = Dataset::from_words(["ab", "ab"]);
    let release = Release::identity(data.items.clone(), data.events.clone());
    let progress = Progress::silent();
    for measure in [&TopSets as &dyn Measure, &PairErrors, &LostTerms] {
        let settings = Settings::parse(measure.descriptor(), []).expect("all have defaults");
        let read = measure.measure(&Comparison::of(&data, &release, &progress), &settings);
        assert!(matches!(read, Err(MeasureError::NotApplicable { .. })));
    }
    for measure in [&TopSets as &dyn Measure, &TopSetsOfLevels, &PairErrors, &LostTerms] {
        assert_eq!(measure.on_chunks(), OnChunks::AsTheyAre);
    }
}
