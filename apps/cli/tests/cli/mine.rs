//! `throng mine`.

use crate::program::Desk;

/// Five people, one of them with two trips.
const TRIPS: &str = "subject,trip,place\n\
    1,a,home\n1,a,bus\n1,a,work\n1,b,home\n1,b,work\n2,a,home\n2,a,bus\n2,a,work\n\
    3,a,home\n3,a,work\n4,a,bus\n4,a,work\n5,a,zoo\n";

#[test]
fn patterns_are_printed_with_the_people_who_have_them() {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS);
    let mut text = String::new();
    for line in [
        "mine patterns trips.csv --min-support 2",
        "mine maximal trips.csv --min-support 2",
        "mine closed trips.csv --min-support 40%",
        "mine patterns trips.csv --min-support 2 --top 2 --min-length 2",
        "mine patterns trips.csv --min-support 60% --format spmf",
        "mine maximal trips.csv --min-support 2 --json",
        "mine itemsets trips.csv --min-support 2",
        "mine itemsets trips.csv --min-support 2 --keep closed --format spmf",
        "mine itemsets trips.csv --min-support 2 --keep maximal --json",
    ] {
        text.push_str(&format!("$ throng {line}\n{}\n", desk.ok(line).all()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_time_limit_gives_what_was_found_and_says_so() {
    let desk = Desk::new();
    // All subsequences of a record of forty distinct items: nobody waits for 2^40 patterns.
    let long: String = (0..40).map(|item| format!("{item} -1 ")).collect();
    desk.write("long.spmf", &format!("{long}-2\n{long}-2\n"));
    let ran = desk.ok("mine patterns long.spmf --min-support 2 --time-limit 0.02 --json");
    let found = ran.json();
    assert_eq!((&found["complete"], &found["schema"]), (&false.into(), &"throng-patterns/1".into()));
    assert!(!found["patterns"].as_array().unwrap().is_empty());
    assert!(ran.stderr.contains("stopped at the time limit"), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_mined_is_explained() {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("baskets.dat", "1 2 3\n2 3\n");
    let mut text = String::new();
    for line in [
        "mine",
        "mine paterns trips.csv",
        "mine patterns trips.csv --min-support 0",
        "mine patterns trips.csv --min-support lots",
        "mine patterns trips.csv --min-length 3 --max-length 2",
        "mine patterns trips.csv --time-limit 0",
        "mine patterns baskets.dat",
        "mine itemsets baskets.dat --keep rare",
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}
