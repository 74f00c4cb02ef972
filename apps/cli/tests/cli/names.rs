//! Blanks around a name do not count, whichever input writes it, in quotes or not.

use crate::program::Desk;

/// The release of the same people with and without blanks around names.
fn same(files: [&[(&str, &str)]; 2], line: &str) {
    let releases = files.map(|files| {
        let desk = Desk::new();
        for (name, text) in files {
            desk.write(name, text);
        }
        desk.ok(&format!("{line} -o out --no-ledger --salt {}", crate::program::SALT));
        let counts = desk.read("out/release.csv");
        let mut rows: Vec<String> = counts.lines().map(str::to_owned).collect();
        rows.sort();
        rows
    });
    assert_eq!(releases[0], releases[1], "{line}");
}

const PLAIN: &str = "subject,item\nann,a\nbob,a\ncid,b\ndan,b\n";
/// Inside quotes and outside, at both ends, and in one row of two only.
const SPACED: &str = "subject,item\nann, a\nbob,a \n\"cid \",\" b \"\n dan,b\n";
const PLACES: &str = "item,x,y\na,0,0\nb,9,0\n";

#[test]
fn events_in_every_form() {
    let line = "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 1";
    same(
        [&[("trips.csv", PLAIN), ("places.csv", PLACES)], &[("trips.csv", SPACED), ("places.csv", PLACES)]],
        line,
    );
    let json = |a: &str| {
        format!("{{\"subject\":\"ann\",\"item\":\"a\"}}\n{{\"subject\":\"bob\",\"item\":\"{a}\"}}\n")
    };
    let (one, other) = (json("a"), json(" a "));
    let line = "anonymize trips.jsonl --method suppress -k 2 -m 1";
    same([&[("trips.jsonl", &one)], &[("trips.jsonl", &other)]], line);
    let line = "anonymize trips.csv --wide items --separator '|' --sets --method apriori --taxonomy tree.csv -k 2 -m 1";
    let tree = ("tree.csv", "a;*\nb;*\n");
    let (one, other) = ("subject,items\n1,a|b\n2,a|b\n", "subject,items\n1,a | b\n2,\" a|b \"\n");
    same([&[("trips.csv", one), tree], &[("trips.csv", other), tree]], line);
}

#[test]
fn places_trees_and_lists() {
    let trips = ("trips.csv", PLAIN);
    let places = ("places.csv", PLACES);
    let line = "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 1";
    same([&[trips, places], &[trips, ("places.csv", "item,x,y\n\" a \",0,0\nb ,9,0\n")]], line);
    let line = "anonymize trips.csv --taxonomy tree.csv --method seqanon -k 4 -m 1";
    same([&[trips, ("tree.csv", "a;x\nb;x\n")], &[trips, ("tree.csv", " a ; x\n\" b\";x \n")]], line);
    let line = "anonymize trips.csv --places places.csv --method u-seqanon --constraints sets.csv -k 2 -m 1 --max-suppressed 100%";
    same([&[trips, places, ("sets.csv", "a,b\n")], &[trips, places, ("sets.csv", " a ,\" b \"\n")]], line);
}
