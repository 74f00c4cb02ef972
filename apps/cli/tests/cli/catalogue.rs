//! `throng methods`. A new method must not have to be entered here: what is pinned is the form.

use crate::program::Desk;

#[test]
fn every_method_promise_and_measure_is_listed() {
    let desk = Desk::new();
    let table = desk.ok("methods").stdout;
    let all = desk.ok("methods --json").json();
    assert_eq!(all["schema"], "throng-methods/1");
    for kind in ["methods", "promises", "measures"] {
        for entry in all[kind].as_array().unwrap() {
            let name = entry["name"].as_str().unwrap();
            assert!(table.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}");
        }
    }
    let columns = table.lines().next().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(columns, ["METHOD", "PROMISE", "DATA", "PAPER", "PURPOSE"]);
}

#[test]
fn a_method_is_described_in_full() {
    insta::assert_snapshot!(Desk::new().ok("methods seqanon").stdout);
}

#[test]
fn a_promise_is_described_in_full() {
    insta::assert_snapshot!(Desk::new().ok("methods km").stdout);
}

#[test]
fn a_measure_is_described_in_full() {
    insta::assert_snapshot!(Desk::new().ok("methods queries").stdout);
}

#[test]
fn programs_read_the_same_description() {
    let desk = Desk::new();
    for method in desk.ok("methods --json").json()["methods"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        let one = desk.ok(&format!("methods {name} --json")).json();
        assert_eq!((&one["schema"], &one["params"]), (&"throng-descriptor/1".into(), &method["params"]));
    }
}
