use throng_data::formats::Format;

use super::*;

/// Some release.
pub fn entry() -> Entry {
    Entry {
        schema: SCHEMA.to_owned(),
        number: 0,
        previous: String::new(),
        when: "2026-01-31T12:00:00Z".to_owned(),
        program: "throng 0.1.0".to_owned(),
        promise: Named { name: "km".to_owned(), parameters: BTreeMap::from([("k".to_owned(), 5.into())]) },
        dataset: None,
        trial: false,
        numbered: false,
        method: Named { name: "seqanon".to_owned(), parameters: BTreeMap::new() },
        variant: Variant::Sound,
        seed: Some(0),
        salt: None,
        epsilon: None,
        nature: Nature::Truthful,
        kind: EventKind::Sequence,
        counts: Counts { people: 5, records: 5, events_before: 9, events_after: 8 },
        columns: Vec::new(),
        exposed_columns: false,
        accepted_identifiers: Vec::new(),
        inputs: Vec::new(),
        reading: BTreeMap::new(),
        directory: "/data/release".to_owned(),
        release: OutputFile { path: "release.csv".to_owned(), sha256: None },
        linkage: None,
        sketch: None,
    }
}

#[test]
fn how_data_were_read_can_be_repeated() {
    let given = ReadOptions {
        format: Some(Format::WideCsv),
        subject: Some("card".to_owned()),
        wide: Some("stops".to_owned()),
        separator: Some('>'),
        delimiter: Some(b';'),
        ..ReadOptions::default()
    };
    assert_eq!(options(&reading(&given)), given);
    assert!(reading(&ReadOptions::default()).is_empty());
}

#[test]
fn parameters_are_found_whatever_their_case() {
    let lkc = Named { name: "lkc".to_owned(), parameters: BTreeMap::from([("K".to_owned(), "1%".into())]) };
    assert_eq!(lkc.parameter("k").as_deref(), Some("1%"));
    assert_eq!(entry().promise.parameter("k").as_deref(), Some("5"));
    assert_eq!(entry().promise.parameter("m"), None);
}

#[test]
fn releases_without_fingerprints_are_never_the_same() {
    assert!(!entry().same_release(&entry()) && !entry().same_data(&entry()));
}
