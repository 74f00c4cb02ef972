//! Faults: a disk that is full, a run that dies behind its release, a wait that Ctrl-C has to end.

use std::fs::{self, File};
use std::process::{Child, Command, Stdio};

use crate::program::{Desk, SALT};

/// Two people at each of four places.
const TRIPS: &str = "subject,item\nanna,a\nbert,a\ncarl,b\ndora,b\nemil,c\nfritz,c\ngreta,d\nhanna,d\n";
const PLACES: &str = "item,x,y\na,0,0\nb,1,0\nc,10,0\nd,11,0\n";
const RELEASE: &str =
    "anonymize trips.csv --places places.csv --method seqanon -k 4 -m 1 -o out --linkage who.csv";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("places.csv", PLACES);
    desk
}

fn beside_the_ledger(desk: &Desk) -> Vec<String> {
    let entries = fs::read_dir(desk.ledger().parent().unwrap()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A limit of file sizes ends writing as a full disk does: half way through a file, whichever comes to it first.
#[test]
fn a_full_disk_tears_nothing_and_blocks_nothing() {
    let desk = desk();
    desk.ok(&format!("{RELEASE} --salt {SALT}"));
    let earlier = desk.read("out/manifest.json");
    let whole = ["out", "places.csv", "trips.csv", "who.csv"];
    let mut failed = 0;
    let sizes: Vec<u32> = (0..24).chain((24..200).step_by(16)).collect();
    for blocks in sizes {
        // The signal ends no process: it becomes an error of the write.
        let output =
            desk.shell(&format!("ulimit -f {blocks}; exec throng {RELEASE} --salt {SALT} --force 2>&1"));
        let said = String::from_utf8_lossy(&output.stdout);
        match output.status.code() {
            Some(0) => {}
            Some(code @ (1 | 3 | 7)) => {
                failed += 1;
                assert!(said.contains("error: "), "{blocks} blocks, exit code {code}: {said}");
                assert!(!said.contains("this is a bug"), "{said}");
            }
            other => panic!("{blocks} blocks: {other:?} {said}"),
        }
        assert_eq!(desk.files(), whole, "{blocks} blocks: {said}");
        assert_eq!(desk.read("out/manifest.json"), earlier, "{blocks} blocks");
        desk.ok("verify out");
        desk.ok("ledger check");
    }
    assert!(failed > 8, "{failed} runs met their limit");
    desk.ok(&format!("{RELEASE} --force"));
    assert_eq!(beside_the_ledger(&desk), ["ledger.jsonl", "ledger.jsonl.key"]);
}

#[test]
fn a_release_that_a_dying_run_did_not_record_is_recorded_by_the_next() {
    let desk = desk();
    desk.ok(RELEASE);
    // As it is behind the name and before the line: the draft is there, and the line is not.
    let line = fs::read_to_string(desk.ledger()).unwrap();
    fs::write(desk.ledger().with_extension("jsonl.intent-0011223344556677"), line.trim_end()).unwrap();
    fs::write(desk.ledger(), "").unwrap();
    let listed = desk.ok("ledger list --json");
    assert!(listed.stderr.contains("it is recorded now, as release 1"), "{}", listed.stderr);
    assert_eq!(listed.json()["releases"].as_array().unwrap().len(), 1);
    assert_eq!(beside_the_ledger(&desk), ["ledger.jsonl", "ledger.jsonl.key"]);

    // As it is before the name.
    fs::remove_dir_all(desk.path("out")).unwrap();
    fs::write(desk.ledger().with_extension("jsonl.intent-0011223344556677"), line.trim_end()).unwrap();
    let next = desk.ok(&format!("{RELEASE} --force"));
    assert!(next.stderr.contains("ended before its release had a name"), "{}", next.stderr);
    assert_eq!(desk.ok("ledger --json").json()["releases"].as_array().unwrap().len(), 2);
    assert!(desk.ok("ledger check").stderr.is_empty());
}

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// Whether a process listens for Ctrl-C: before that it would end by the signal itself.
#[cfg(target_os = "linux")]
fn listens(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_run_that_waits_for_a_lock() {
    let desk = desk();
    let held = File::create(desk.ledger()).unwrap();
    held.lock().unwrap();
    let mut child = desk.command(RELEASE).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !listens(&child) {
        std::thread::yield_now();
    }
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(desk.files(), ["places.csv", "trips.csv"]);
}

/// The process at the other end of the pipe writes nothing and does not hang up: the run cannot end by itself.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_run_that_waits_for_standard_input() {
    let desk = desk();
    let line = "anonymize - --places places.csv --method seqanon -k 4 -m 1 -o deep/out";
    let mut command = desk.command(line);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let held_open = child.stdin.take();
    while !listens(&child) {
        std::thread::yield_now();
    }
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(held_open);
    assert_eq!(desk.files(), ["places.csv", "trips.csv"]);
}

/// A file of a kilobyte whose patterns would fill any memory: it is told, or done without them.
#[test]
fn a_tiny_file_does_not_exhaust_memory() {
    let desk = Desk::new();
    let mut events = String::from("subject,item\n");
    let mut places = String::from("item,x,y\n");
    for place in 0..40 {
        ["a", "b", "c", "d"].iter().for_each(|person| events += &format!("{person},p{place:02}\n"));
        places += &format!("p{place:02},{place},0\n");
    }
    desk.write("events.csv", &events).write("places.csv", &places);
    // Far less than two to the fortieth patterns need, whatever the machine has; addresses alone are not counted.
    let limited = |line: &str| desk.ran(&desk.shell(&format!("ulimit -d 600000; exec throng {line}; ")));
    for line in ["mine maximal events.csv --min-support 2", "mine closed events.csv --min-support 2"] {
        let ran = limited(line);
        assert_eq!(ran.code, 4, "{line}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("more frequent patterns than fit") && ran.stderr.contains("--max-length")
        );
    }
    assert_eq!(limited("mine patterns events.csv --min-support 2 --top 20").stdout.lines().count(), 20);
    let release =
        limited("anonymize events.csv --places places.csv --method sga -k 2 -m 2 -o out --no-ledger");
    assert_eq!(release.code, 0, "{}", release.stderr);
    for measure in ["patterns", "mfs"] {
        let measured = limited(&format!("measure events.csv out --measure {measure} --max-length max"));
        assert!([0, 4].contains(&measured.code), "{measure}: {} {}", measured.code, measured.stderr);
    }
}
