//! The attacker knows *real* events, not released words: what is whole for one group of people and merged for another is one
//! place to them (specification 13.18).

use crate::program::Desk;
use crate::published::{Published, fits};

fn desk(trips: &str) -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", trips).write("sensitive.csv", "s\n");
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\ns,5,5\n");
    desk
}

const RUN: &str =
    "anonymize trips.csv --places places.csv --sensitive sensitive.csv --method zga --clusters 2 -m 1";

/// People who fit the real place, and those of them with the sensitive item, in a release as published.
fn guess(desk: &Desk, known: &str) -> (usize, usize) {
    let records = Published::of(desk, "out").records();
    let fitting: Vec<&Vec<String>> = records.values().filter(|record| fits(record, &[known])).collect();
    (fitting.len(), fitting.iter().filter(|record| record.contains(&"s".to_owned())).count())
}

/// At most one person with `s` in each cluster, but two of those who fit the real `a`: 0.1.0 wrote this under "holds". There is no
/// release with at most one, so that none is written.
#[test]
fn at_most_l_people_in_each_cluster_are_not_at_most_l_people() {
    let desk = desk("subject,item\nu1,a\nu1,s\nu2,a\nu3,a\nu3,s\nu4,b\n");
    let ran = desk.run(&format!("{RUN} -k 2 -l 1 --form count -o out"));
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(!desk.path("out").exists());
    // Two are allowed where two is what was promised.
    desk.ok(&format!("{RUN} -k 2 -l 2 --form count -o out"));
    let (fitting, ill) = guess(&desk, "a");
    assert!(fitting >= 2 && ill <= 2, "{ill} of {fitting}");
}

/// The letter of the paper in ratio form, with a person of two records: `a` is whole in one cluster and `{a|b}` in the other. Of the three
/// people who fit `a`, two have `s`.
#[test]
fn a_share_in_each_cluster_is_not_the_share_of_those_who_fit() {
    let desk = desk("subject,record,item\nq,1,a\nq,1,s\np,2,a\np,3,a\nr,4,b\nr,4,s\n");
    let ran = desk.run(&format!("{RUN} -k 1 -l 2 --variant as-printed -o out"));
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    assert!(!desk.path("out").exists());
}

/// The same release from another publisher: `throng verify` counts as the attacker does.
#[test]
fn verify_counts_real_places_in_a_release_from_anybody() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("theirs")).unwrap();
    desk.write("theirs/release.csv", "record,item\n1,a\n1,s\n2,a\n3,{a|b}\n3,s\n4,{a|b}\n");
    desk.write("sensitive.csv", "s\n");
    let typed = "verify theirs --promise klm -k 2 -l 1 -m 1 --form count --sensitive sensitive.csv";
    assert_eq!(desk.run(typed).code, 5, "{}", desk.run(typed).stdout);
    let ratio = "verify theirs --promise klm -k 2 -l 2 -m 1 --sensitive sensitive.csv";
    assert_eq!(desk.run(ratio).code, 0, "two of four is one in two: {}", desk.run(ratio).stdout);
}
