//! Ctrl-C half way: the run stops, says so, and leaves nothing behind.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::program::Desk;

/// Starts a run, waits until it has reported some progress in a phase, sends it a signal and waits for the end.
/// Returns the exit code and what the run still had to say.
fn interrupted(desk: &Desk, line: &str, phase: &str, signal: &str) -> (Option<i32>, String) {
    let mut command = desk.command(line);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let mut message = String::new();
    while !message.contains(phase) {
        message.clear();
        assert!(messages.read_line(&mut message).unwrap() > 0, "`throng {line}` never came to `{phase}`");
    }
    kill(&child, signal);
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
        let (code, rest) = interrupted(&desk, line, "\"advance\"", signal);
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
    let (code, rest) = interrupted(&desk, line, "\"begin\"", "-INT");
    assert_eq!(code, Some(130), "{rest}");
    assert!(rest.contains("\"code\":130,\"message\":\"interrupted\""), "{rest}");
    assert_eq!(desk.files(), ["city"]);
}
