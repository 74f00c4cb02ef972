//! Input that is larger than it looks: refused at a limit, with the flag that raises it, and nothing written.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::program::Desk;

fn packed(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

/// Runs into a limit, and past it once it is raised.
fn bounded(desk: &Desk, command: &str, low: &str, high: &str, told: &str) {
    let refused = desk.shell(&format!("exec throng {command} --limit {low} 2>&1"));
    let said = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert_eq!(refused.status.code(), Some(4), "{command}: {said}");
    let (name, _) = low.split_once('=').unwrap();
    assert!(said.contains(told) && said.contains(&format!("--limit {name}=")), "{command}: {said}");
    let raised = desk.shell(&format!("exec throng {command} --limit {high} 2>&1"));
    assert_eq!(raised.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&raised.stdout));
}

#[test]
fn what_may_be_held_is_bounded_and_can_be_raised() {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\nann,a\nbob,a\ncid,b\ndan,b\n");
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\n");
    desk.write("tree.csv", "a;x;y;z;all\nb;x;y;z;all\n");
    desk.write("wide.csv", &format!("id,{}\n1{}\n", ["c"; 200].join(","), ",x".repeat(200)));
    let rows = format!("subject,item\n{}", "ann,zoo\nbob,zoo\n".repeat(100_000));
    fs::write(desk.path("bomb.csv.gz"), packed(&rows)).unwrap();
    desk.write("long.csv", &format!("subject,item\nann,{}\nbob,b\n", "x".repeat(3_000_000)));
    bounded(&desk, "inspect bomb.csv.gz", "unpacked=1MB", "unpacked=2MB", "unpacks to more than 1 MB");
    bounded(&desk, "inspect long.csv", "row=2MB", "row=8MB", "a row of more than");
    bounded(&desk, "inspect wide.csv", "columns=200", "columns=201", "more than 200 columns");
    let release = "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 1 -o out --force";
    bounded(&desk, release, "places=1", "places=2", "more than 1 places");
    let tree = "anonymize trips.csv --taxonomy tree.csv --method seqanon -k 2 -m 1 -o out --force";
    bounded(&desk, tree, "depth=4", "depth=5", "more than 4 levels");
    bounded(&desk, "ledger", "ledger=10", "ledger=1MB", "the ledger has more than");
}

/// A column for each row is the square of the file; a level for each character of a long value, the square of the value.
#[test]
fn what_is_made_of_a_file_is_bounded_too() {
    let desk = Desk::new();
    let keys: String =
        (0..2_000).map(|n| format!("{{\"subject\":\"s{n}\",\"item\":\"i\",\"k{n}\":1}}\n")).collect();
    desk.write("keys.jsonl", &keys);
    let told = "would have to be in memory";
    bounded(&desk, "inspect keys.jsonl --subject subject --item item", "whole=2MB", "whole=16MB", told);
    desk.write("cell.csv", &format!("id,zip\n1,{}\n2,b\n", "x".repeat(60_000)));
    let refused = desk.fails("hierarchy cell.csv --column zip --by prefix -o tree.csv", 4);
    assert!(refused.stderr.contains("more than 1000 levels"), "{}", refused.stderr);
    let codes: String = (0..500).map(|n| format!("{n},{n:0>200}\n")).collect();
    desk.write("codes.csv", &format!("id,zip\n{codes}"));
    let line = "hierarchy codes.csv --column zip --by prefix -o tree.csv --force";
    bounded(&desk, line, "hierarchy=1MB", "hierarchy=50MB", "a hierarchy of more than 1 MB");
    let events: String = (0..24).map(|n| format!("ann,p{n:02}\nbob,p{n:02}\n")).collect();
    desk.write("events.csv", &format!("subject,item\n{events}"));
    let line = "mine patterns events.csv --min-support 2 --max-length 5";
    bounded(&desk, line, "patterns=1MB", "patterns=50MB", "more frequent patterns than fit in 1 MB");
}

#[test]
fn a_limit_that_is_none_is_explained() {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\nann,a\n");
    for (limit, told) in [
        ("column=5", "did you mean `columns`?"),
        ("columns", "a name and a number"),
        ("columns=0", "a name and a number"),
        ("colour=5", "unpacked, whole, workbook, workbook-seconds, row, columns"),
    ] {
        let refused = desk.shell(&format!("exec throng inspect trips.csv --limit {limit} 2>&1"));
        let said = String::from_utf8_lossy(&refused.stdout).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(told), "{said}");
    }
}

/// Squares of such distances are no numbers: measures had none.
#[test]
fn places_out_of_reach_are_refused() {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\nann,a\nbob,a\ncid,b\ndan,b\n");
    for far in ["1e300", "-1e300", "1e16"] {
        desk.write("places.csv", &format!("item,x,y\na,{far},0\nb,1,0\n"));
        let release = "anonymize trips.csv --places places.csv --method seqanon -k 4 -m 1 -o out";
        let refused = desk.shell(&format!("exec throng {release} 2>&1"));
        let said = String::from_utf8_lossy(&refused.stdout).into_owned();
        assert_eq!(refused.status.code(), Some(3), "{far}: {said}");
        assert!(said.contains("line 2, column `x`: a coordinate must lie between"), "{said}");
        assert!(!desk.path("out").exists());
    }
    desk.write("points.csv", "subject,x,y,time\nann,1e300,0,1\nann,1,0,2\n");
    let refused = desk.shell("exec throng prepare points.csv -o prepared 2>&1");
    let said = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(said.contains("column `x`: a coordinate must lie between"), "{said}");
    for near in ["1e15", "1e-300"] {
        desk.write("places.csv", &format!("item,x,y\na,{near},0\nb,1,0\n"));
        desk.ok("anonymize trips.csv --places places.csv --method seqanon -k 4 -m 1 -o out --force");
        assert!(!desk.read("out/manifest.json").contains("null"), "{}", desk.read("out/manifest.json"));
    }
}
