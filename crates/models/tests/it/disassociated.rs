//! Every condition of `disassociated-km`, each broken alone by a release that is written down by hand, and kept by one that is as near as can be.

use throng_contract::{Progress, Settings};
use throng_data::ChunkKind::{self, Record, Shared, Term};
use throng_data::{Body, Chunks, Cluster, Dataset, EventKind, Inputs, Release};
use throng_models::{Assumes, CheckError, DisassociatedKm, Evidence, Promise, Verdict};

/// The number of no cluster: of a person who is in none.
const NOWHERE: u32 = u32::MAX;

type Listed<'a> = (u32, ChunkKind, &'a [&'a str]);

/// People with items of one letter each.
fn people(records: &[&str]) -> Dataset {
    let letters: Vec<Vec<&str>> =
        records.iter().map(|word| word.split("").filter(|letter| !letter.is_empty()).collect()).collect();
    let names: Vec<String> = (0..records.len()).map(|number| number.to_string()).collect();
    let named = names.iter().zip(&letters).map(|(name, items)| (name.as_str(), items.iter().copied()));
    Dataset::from_records(EventKind::Set, named)
}

/// For each cluster its parent and size, for each chunk its cluster, kind and parts.
fn written(clusters: &[(Option<u32>, u64)], listed: &[Listed<'_>]) -> Release {
    let words: Vec<&str> = listed.iter().flat_map(|(_, _, parts)| parts.iter().copied()).collect();
    let data = people(&words);
    let mut chunks = Chunks::new();
    for (parent, size) in clusters {
        chunks.push_cluster(Cluster { parent: *parent, size: *size });
    }
    for (cluster, kind, parts) in listed {
        chunks.push_chunk(*cluster, *kind);
        for part in *parts {
            chunks.push_part(part.chars().filter_map(|letter| data.items.find(&letter.to_string())));
        }
    }
    Release::of_items(data.items, Body::Chunks(chunks))
}

fn check(release: &Release, given: &[(&str, &str)], original: Option<&Dataset>, hidden: &[&str]) -> Verdict {
    let settings = Settings::parse(DisassociatedKm.descriptor(), given.iter().copied()).expect("in range");
    let inputs = Inputs {
        sensitive_items: hidden.iter().map(|item| (*item).to_owned()).collect(),
        ..Inputs::default()
    };
    let evidence = Evidence { original, inputs: &inputs, ..Evidence::of(release) };
    DisassociatedKm.check(&evidence, &settings, 100, &Progress::silent()).expect("it can be judged")
}

/// What is broken: items, support, what is needed, and the beginning of why.
fn said(verdict: &Verdict) -> Vec<(String, u64, u64, String)> {
    assert_eq!(verdict.holds, verdict.violations.is_empty());
    let broken = verdict.violations.iter();
    broken
        .map(|broken| {
            let why = broken.details["why"].split([':', ',']).next().unwrap_or_default();
            (broken.pattern.concat(), broken.support, broken.needed, why.to_owned())
        })
        .collect()
}

fn broken(release: &Release, k: &str, m: &str) -> Vec<(String, u64, u64, String)> {
    said(&check(release, &[("k", k), ("m", m)], None, &[]))
}

fn one(items: &str, support: u64, needed: u64, why: &str) -> Vec<(String, u64, u64, String)> {
    vec![(items.to_owned(), support, needed, why.to_owned())]
}

#[test]
fn a_cluster_has_k_people() {
    let of = |size| written(&[(None, size)], &[(0, Term, &["a"])]);
    assert_eq!(broken(&of(2), "3", "1"), one("", 2, 3, "a cluster is smaller than k"));
    assert_eq!(broken(&of(3), "3", "1"), []);
}

#[test]
fn a_violation_says_in_which_cluster() {
    let release = written(
        &[(None, 3), (None, 3), (None, 2)],
        &[(0, Term, &["a"]), (1, Term, &["b"]), (2, Term, &["c"])],
    );
    let verdict = check(&release, &[("k", "3"), ("m", "1")], None, &[]);
    assert_eq!(verdict.violations.len(), 1);
    assert_eq!(verdict.violations[0].details["cluster"], "3");
}

#[test]
fn a_joint_cluster_has_the_people_of_those_below() {
    let of =
        |size| written(&[(Some(2), 3), (Some(2), 4), (None, size)], &[(0, Term, &["a"]), (1, Term, &["b"])]);
    assert_eq!(broken(&of(7), "3", "1"), []);
    assert_eq!(broken(&of(8), "3", "1"), one("", 8, 7, "the size is not the sum of those below"));
    assert_eq!(broken(&of(6), "3", "1"), one("", 6, 7, "the size is not the sum of those below"));
}

/// Two items may be taken from two chunks at most, three from three.
#[test]
fn without_a_term_chunk_there_are_parts_enough_for_every_person() {
    const LEMMA: &str = "Lemma 2";
    let three =
        written(&[(None, 4)], &[(0, Record, &["a"; 2]), (0, Record, &["b"; 2]), (0, Record, &["c"; 2])]);
    assert_eq!(broken(&three, "2", "2"), []);
    assert_eq!(broken(&three, "2", "3"), one("", 6, 8, LEMMA));
    let two = written(&[(None, 4)], &[(0, Record, &["a"; 2]), (0, Record, &["b"; 2])]);
    assert_eq!(broken(&two, "2", "2"), one("", 4, 6, LEMMA));
    assert_eq!(broken(&two, "2", "1"), []);
    let with_term =
        written(&[(None, 4)], &[(0, Record, &["a"; 2]), (0, Record, &["b"; 2]), (0, Term, &["t"])]);
    assert_eq!(broken(&with_term, "2", "2"), []);
    // Two of the four may have the sensitive item and nothing else; of one in four, one.
    let sensitive = |l: &str| said(&check(&with_term, &[("k", "2"), ("m", "2"), ("l", l)], None, &["t"]));
    assert_eq!(sensitive("2"), []);
    assert_eq!(sensitive("4"), one("", 5, 6, LEMMA), "three people would have nothing");
    let secrets = written(&[(None, 2)], &[(0, Term, &["s", "t"])]);
    let only = check(&secrets, &[("k", "2"), ("m", "1"), ("l", "2")], None, &["s", "t"]);
    assert_eq!(said(&only), [], "each has one of them, and nothing can be known");
}

#[test]
fn shared_chunks_belong_to_joint_clusters_and_others_to_simple_ones() {
    const WHY: &str = "shared chunks belong to joint clusters";
    let simple = written(&[(None, 3)], &[(0, Shared, &["a"; 3]), (0, Term, &["t"])]);
    assert!(broken(&simple, "3", "1").contains(&one("", 0, 0, WHY)[0]));
    let joint = |kind| {
        written(
            &[(Some(2), 3), (Some(2), 3), (None, 6)],
            &[(0, Term, &["a"]), (1, Term, &["b"]), (2, kind, &["c"; 3])],
        )
    };
    assert_eq!(broken(&joint(Record), "3", "1"), one("", 0, 0, WHY));
    assert_eq!(broken(&joint(Shared), "3", "1"), []);
}

#[test]
fn an_item_stands_in_one_chunk_of_a_cluster() {
    const WHY: &str = "an item stands in two chunks of a cluster";
    let twice = written(&[(None, 3)], &[(0, Record, &["a"; 3]), (0, Term, &["at"])]);
    assert_eq!(broken(&twice, "3", "1"), [one("a", 2, 1, WHY), one("a", 2, 1, WHY)].concat());
    let of_two = written(&[(None, 3), (None, 3)], &[(0, Record, &["a"; 3]), (1, Term, &["at"])]);
    assert_eq!(broken(&of_two, "3", "1"), []);
}

#[test]
fn sensitive_items_stand_in_term_chunks_only() {
    let release = written(&[(None, 3)], &[(0, Record, &["ah"; 3]), (0, Term, &["t"])]);
    let verdict = check(&release, &[("k", "3"), ("m", "1")], None, &["h"]);
    assert_eq!(said(&verdict), one("h", 0, 0, "a sensitive item stands outside the term chunk"));
    assert_eq!(broken(&release, "3", "1"), []);
}

#[test]
fn a_chunk_has_no_more_parts_than_there_are_people() {
    let of = |parts| written(&[(None, 3)], &[(0, Record, parts), (0, Term, &["t"])]);
    assert_eq!(
        broken(&of(&["a"; 4]), "3", "1"),
        one("", 4, 3, "a chunk has more parts than there are people")
    );
    assert_eq!(broken(&of(&["a"; 3]), "3", "1"), []);
}

#[test]
fn items_of_a_chunk_that_occur_together_do_so_in_k_parts() {
    const WHY: &str = "too few parts of a chunk have these items together";
    let release = written(&[(None, 5)], &[(0, Record, &["ab", "ab", "a", "b", "b"]), (0, Term, &["t"])]);
    assert_eq!(broken(&release, "3", "2"), one("ab", 2, 3, WHY));
    assert_eq!(broken(&release, "3", "1"), []);
    assert_eq!(broken(&release, "2", "2"), []);
}

/// An item that stands in a cluster's own chunk cannot come from a shared one above.
#[test]
fn parts_of_a_shared_chunk_find_people_who_may_have_them() {
    let of = |parts| {
        written(
            &[(Some(2), 3), (Some(2), 3), (None, 6)],
            &[(0, Record, &["s"; 3]), (1, Term, &["t"]), (2, Shared, parts)],
        )
    };
    assert_eq!(broken(&of(&["s"; 3]), "3", "1"), []);
    let many = one("", 4, 3, "there are more parts than people to whom they may belong");
    assert_eq!(broken(&of(&["s"; 4]), "3", "1"), many);
}

/// Like parts may all go to the one cluster that may have them only if it has k people for them, and the others find places.
#[test]
fn k_like_parts_may_belong_to_any_one_cluster_that_may_have_them() {
    let of = |parts| {
        written(
            &[(Some(2), 3), (Some(2), 4), (None, 7)],
            &[(0, Record, &["u"; 3]), (1, Record, &["w"; 4]), (2, Shared, parts)],
        )
    };
    // u goes to the second cluster only, w to the first only.
    assert_eq!(broken(&of(&["u", "u", "u", "w", "w", "w"]), "3", "1"), []);
    assert_eq!(broken(&of(&["u", "u", "u", "u", "w", "w", "w"]), "3", "1"), []);
    let crowded = "k like parts cannot belong to one cluster that may have them";
    assert_eq!(broken(&of(&["u", "u", "u", "w", "w", "w", "w"]), "3", "1"), one("", 7, 3, crowded));
}

/// Of n people x have one thing and y another: at least x + y - n have both, of min(x, y) who might.
#[test]
fn safe_bounds_what_supports_of_two_chunks_link() {
    const WHY: &str = "safe";
    let of = |a: &'static [&'static str]| {
        written(&[(None, 6)], &[(0, Record, a), (0, Record, &["b"; 4]), (0, Term, &["t"])])
    };
    let safe = |release: &Release, l| {
        said(&check(release, &[("k", "2"), ("m", "1"), ("safe", "true"), ("l", l)], None, &[]))
    };
    assert_eq!(safe(&of(&["a"; 4]), "2"), [], "two of four are one in two");
    assert_eq!(safe(&of(&["a"; 4]), "3"), [one("a", 2, 1, WHY), one("b", 2, 1, WHY)].concat());
    assert_eq!(safe(&of(&["a"; 5]), "2"), [one("a", 3, 2, WHY), one("b", 3, 2, WHY)].concat());
    assert_eq!(safe(&of(&["a"; 2]), "9"), [], "perhaps no person has both");
    // What everybody has without a second chunk links nothing.
    let alone = written(&[(None, 3)], &[(0, Record, &["a"; 3]), (0, Term, &["t"])]);
    assert_eq!(safe(&alone, "2"), []);
    assert_eq!(broken(&of(&["a"; 5]), "2", "1"), [], "it was not asked for");
}

/// An item of a shared chunk is compared with what stands below it, all clusters together and however deep.
#[test]
fn safe_compares_a_shared_chunk_with_all_chunks_below() {
    let release = |shared| {
        written(
            &[(Some(2), 4), (Some(2), 4), (Some(4), 8), (Some(4), 4), (None, 12)],
            &[
                (0, Record, &["p"; 4]),
                (1, Record, &["p"; 4]),
                (3, Record, &["p"; 4]),
                (0, Term, &["t"]),
                (1, Term, &["t"]),
                (3, Term, &["t"]),
                (4, Shared, shared),
            ],
        )
    };
    let given = [("k", "2"), ("m", "1"), ("safe", "true")];
    let verdict = check(&release(&["s"; 7]), &given, None, &[]);
    assert_eq!(said(&verdict), one("s", 7, 3, "safe"), "all twelve have p");
    assert_eq!(verdict.violations[0].details["cluster"], "5");
    let two = written(
        &[(Some(2), 4), (Some(2), 4), (None, 8)],
        &[
            (0, Record, &["p"; 4]),
            (1, Record, &["q"; 4]),
            (0, Term, &["t"]),
            (1, Term, &["t"]),
            (2, Shared, &["s"; 5]),
        ],
    );
    assert_eq!(said(&check(&two, &given, None, &[])), [], "one of four with p has s for sure");
}

/// With the people at hand, in clusters as said.
fn against(
    release: &Release,
    records: &[&str],
    clusters: &[u32],
    hidden: &[&str],
    k: &str,
) -> Vec<(String, u64, u64, String)> {
    let mut release = release.clone();
    if let Body::Chunks(chunks) = &mut release.body {
        chunks.cluster_of = Some(clusters.to_vec());
    }
    said(&check(&release, &[("k", k), ("m", "1"), ("l", "2")], Some(&people(records)), hidden))
}

#[test]
fn a_release_speaks_of_the_people_there_are() {
    let release = written(&[(None, 3), (None, 3)], &[(0, Record, &["ab"; 3]), (1, Record, &["c"; 3])]);
    let records = ["ab", "ab", "ab", "c", "c", "c"];
    assert_eq!(against(&release, &records, &[0, 0, 0, 1, 1, 1], &[], "3"), []);
    let counted = "the clusters count other people than the data has";
    assert_eq!(against(&release, &records[..5], &[0, 0, 0, 1, 1], &[], "3"), one("", 5, 6, counted));
    assert_eq!(against(&release, &records, &[0, 0, 0, 1, 1], &[], "3"), one("", 6, 6, counted));
    assert_eq!(
        against(&release, &records, &[0, 0, 0, 1, 1, NOWHERE], &[], "3"),
        one("", 0, 1, "a person with items is in no cluster")
    );
    assert_eq!(
        against(&release, &records, &[0, 0, 0, 1, 1, 2], &[], "3"),
        one("", 0, 1, "a person with items is in no cluster"),
        "clusters are counted from 0"
    );
    assert_eq!(
        against(&release, &records, &[0, 0, 0, 0, 1, 1], &[], "3"),
        one("", 0, 0, "a cluster has other people than it says")
    );
    // A person of whom nothing is published is in no cluster, and is not counted.
    let more = ["ab", "ab", "ab", "z", "c", "c", "c"];
    assert_eq!(against(&release, &more, &[0, 0, 0, NOWHERE, 1, 1, 1], &[], "3"), []);
    assert_eq!(against(&release, &more, &[0, 0, 0, 2, 1, 1, 1], &[], "3"), []);
}

#[test]
fn a_chunk_holds_what_its_people_have() {
    let release = written(&[(None, 4)], &[(0, Record, &["ab", "ab", "b", "b"])]);
    let of = |records: &[&str]| against(&release, records, &[0; 4], &[], "2");
    assert_eq!(of(&["ab", "ab", "b", "b"]), []);
    assert_eq!(of(&["b", "ab", "b", "ab"]), [], "in any order");
    const WHY: &str = "a chunk holds something else than its people have";
    assert_eq!(of(&["ab", "ab", "ab", "b"]), one("", 4, 4, WHY));
    assert_eq!(of(&["ab", "ab", "a", "b"]), one("", 4, 4, WHY));
    let fewer = written(&[(None, 4)], &[(0, Record, &["a", "a", "a"]), (0, Term, &["t"])]);
    assert_eq!(against(&fewer, &["a", "a", "at", "t"], &[0; 4], &[], "2"), []);
    assert_eq!(against(&fewer, &["a", "a", "at", "at"], &[0; 4], &[], "2"), one("", 4, 3, WHY));
}

/// Both have the item; one cluster has it in its own chunk, for the other it stands in the shared one.
#[test]
fn an_item_stands_in_the_nearest_chunk() {
    let release = written(
        &[(Some(2), 2), (Some(2), 3), (None, 5)],
        &[(0, Record, &["s"; 2]), (1, Record, &["b"; 3]), (2, Shared, &["s"; 3])],
    );
    let clusters = [0, 0, 1, 1, 1];
    assert_eq!(against(&release, &["s", "s", "bs", "bs", "bs"], &clusters, &[], "2"), []);
    let wrong = against(&release, &["s", "s", "bs", "bs", "b"], &clusters, &[], "2");
    assert_eq!(wrong, one("", 2, 3, "a chunk holds something else than its people have"));
}

#[test]
fn a_term_chunk_names_items_of_its_cluster_and_hides_how_many() {
    let release = written(&[(None, 4)], &[(0, Record, &["a"; 4]), (0, Term, &["ht"])]);
    let of = |records: &[&str]| against(&release, records, &[0; 4], &["h"], "2");
    assert_eq!(of(&["aht", "ah", "a", "a"]), []);
    assert_eq!(
        of(&["aht", "ah", "ah", "a"]),
        one("h", 3, 2, "too many people of a cluster have a sensitive item")
    );
    assert_eq!(of(&["ah", "a", "a", "a"]), one("t", 0, 1, "a term chunk names an item that no person has"));
}

/// Two clusters, one after the other: what was counted in the first does not count in the second.
#[test]
fn every_cluster_counts_its_own_people() {
    let release = written(
        &[(Some(2), 4), (Some(2), 4), (None, 8)],
        &[(0, Record, &["a"; 4]), (0, Term, &["h"]), (1, Record, &["b"; 4]), (1, Term, &["h"])],
    );
    let clusters = [0, 0, 0, 0, 1, 1, 1, 1];
    let records = ["ah", "ah", "a", "a", "bh", "bh", "b", "b"];
    let of = |records: &[&str]| {
        let found = against(&release, records, &clusters, &["h"], "2");
        found.into_iter().filter(|(items, ..)| items == "h").collect::<Vec<_>>()
    };
    assert_eq!(of(&records), []);
    let many = ["ah", "a", "a", "a", "bh", "bh", "bh", "b"];
    assert_eq!(of(&many), one("h", 3, 2, "too many people of a cluster have a sensitive item"));
}

#[test]
fn what_files_do_not_say_is_said_to_be_not_judged() {
    let release = written(&[(None, 4)], &[(0, Record, &["a"; 4]), (0, Term, &["ht"])]);
    let verdict = check(&release, &[("k", "2"), ("m", "1")], None, &["h"]);
    assert_eq!((verdict.holds, verdict.judged.len(), verdict.not_judged.len()), (true, 1, 1));
    let verdict = check(&release, &[("k", "2"), ("m", "1")], None, &[]);
    assert_eq!((verdict.holds, verdict.judged.len(), verdict.not_judged.len()), (true, 0, 0));
}

#[test]
fn what_was_looked_at_and_what_is_broken_is_counted() {
    // A cluster, the items a and b, and in possible worlds three sets; the pair is in two parts.
    let release = written(&[(None, 3)], &[(0, Record, &["ab", "ab", "a"])]);
    let count = |k, list| {
        let settings =
            Settings::parse(DisassociatedKm.descriptor(), [("k", k), ("m", "2")]).expect("in range");
        let verdict = DisassociatedKm
            .check(&Evidence::of(&release), &settings, list, &Progress::silent())
            .expect("it can be judged");
        (verdict.checked, verdict.violations.len(), verdict.violations_total)
    };
    assert_eq!(count("2", 10), (7, 0, 0));
    assert_eq!(count("3", 10), (4, 2, 2), "ab, and b");
    assert_eq!(count("3", 1), (4, 1, 2));
    assert_eq!(count("3", 0), (4, 0, 1));
}

#[test]
fn it_speaks_of_chunks_alone() {
    let release = written(&[(None, 3)], &[(0, Term, &["a"])]);
    assert!(DisassociatedKm.speaks_of(release.body.kind()));
    let data = people(&["a", "b"]);
    let rows = Release::identity(data.items, data.events);
    assert!(!DisassociatedKm.speaks_of(rows.body.kind()));
    let settings = Settings::parse(DisassociatedKm.descriptor(), [("k", "3"), ("m", "2")]).expect("in range");
    let answer = DisassociatedKm.check(&Evidence::of(&rows), &settings, 1, &Progress::silent());
    assert!(matches!(answer, Err(CheckError::Missing { .. })));
    assert_eq!(DisassociatedKm.assumes(&settings), Assumes { crowd: Some(3), known: Some(2) });
}
