//! Ctrl-C half way: the run stops, says so, and leaves nothing behind.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::program::Desk;

/// Starts a run, waits until it has reported some progress in a phase, sends it signals and waits for the end.
/// Returns the exit code and what the run still had to say.
fn interrupted(desk: &Desk, line: &str, phase: &str, signals: &[&str]) -> (Option<i32>, String) {
    let mut command = desk.command(line);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let mut message = String::new();
    while !message.contains(phase) {
        message.clear();
        assert!(messages.read_line(&mut message).unwrap() > 0, "`throng {line}` never came to `{phase}`");
    }
    signals.iter().for_each(|signal| kill(&child, signal));
    let mut rest = String::new();
    messages.read_to_string(&mut rest).unwrap();
    (child.wait().unwrap().code(), rest)
}

fn kill(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_world_that_is_interrupted_leaves_nothing_behind() {
    for signal in ["-INT", "-TERM"] {
        let desk = Desk::new();
        let line = "generate city -o deep/city --subjects 100000000 --progress json";
        let (code, rest) = interrupted(&desk, line, "\"advance\"", &[signal]);
        assert_eq!(code, Some(130), "{rest}");
        assert!(rest.contains("\"code\":130,\"message\":\"interrupted\""), "{rest}");
        assert!(desk.files().is_empty(), "{:?}", desk.files());
    }
}

#[test]
fn a_release_that_is_interrupted_leaves_nothing_behind() {
    let desk = Desk::new();
    desk.ok("generate city -o city --subjects 300000");
    let line = "anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 3 -o out/release \
                --linkage who.csv --progress json";
    let (code, rest) = interrupted(&desk, line, "\"begin\"", &["-INT"]);
    assert_eq!(code, Some(130), "{rest}");
    assert!(rest.contains("\"code\":130,\"message\":\"interrupted\""), "{rest}");
    assert_eq!(desk.files(), ["city"]);
}

/// Whatever the moment, a second signal does not cut clearing short.
#[test]
fn a_second_signal_leaves_nothing_behind() {
    for phase in ["\"begin\"", "\"advance\""] {
        for _ in 0..4 {
            let desk = Desk::new();
            let line = "generate city -o deep/city --subjects 100000000 --progress json";
            let (code, rest) = interrupted(&desk, line, phase, &["-INT", "-TERM"]);
            assert_eq!(code, Some(130), "{rest}");
            assert!(desk.files().is_empty(), "{:?}", desk.files());
        }
    }
}

/// Two people at each of four places.
const TRIPS: &str = "subject,item\nanna,a\nbert,a\ncarl,b\ndora,b\nemil,c\nfritz,c\ngreta,d\nhanna,d\n";

/// As soon as the release has its name, whatever belongs to it is written, and the run has succeeded.
#[test]
fn a_run_that_is_interrupted_late_has_finished() {
    let line = "anonymize trips.csv --method suppress -k 2 -m 1 -o out --linkage who.csv --internal-report internal.html \
                --keep-run kept";
    for signals in [&["-INT"][..], &["-INT", "-TERM"], &["-TERM", "-INT", "-INT"]] {
        for _ in 0..6 {
            let desk = Desk::new();
            desk.write("trips.csv", TRIPS);
            let mut command = desk.command(line);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            while !desk.path("out").exists() && child.try_wait().unwrap().is_none() {
                std::hint::spin_loop();
            }
            // The run may be over before the signal comes.
            for signal in signals {
                let _ = Command::new("kill").args([*signal, &child.id().to_string()]).output().unwrap();
            }
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{said}");
            assert_eq!(desk.files(), ["internal.html", "kept", "out", "trips.csv", "who.csv"], "{said}");
            assert_eq!(fs::read_to_string(desk.ledger()).unwrap().lines().count(), 1);
            assert!(!said.contains("interrupted"), "{said}");
        }
    }
}
