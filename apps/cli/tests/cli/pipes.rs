//! Inputs through pipes: every command answers as it does for a file, and says so where it cannot.

use crate::program::{Desk, SALT};

fn desk() -> Desk {
    let desk = Desk::new();
    let mut trips = String::from("subject,item\n");
    (0..3000).for_each(|event| trips += &format!("person-{},i{}\n", event / 3, event % 4));
    desk.write("trips.csv", &trips).write("places.csv", "item,x,y\ni0,0,0\ni1,1,0\ni2,2,0\ni3,3,0\n");
    desk.ok(&format!("{RUN} -o release --linkage links.csv --salt {SALT}"));
    desk
}

const RUN: &str = "anonymize trips.csv --places places.csv --method seqanon -k 3 -m 2";

/// What a command prints for files, and for the same with one of them behind a pipe.
fn both(desk: &Desk, line: &str, file: &str) -> [(bool, String); 2] {
    let piped = format!("cat {file} | throng {}", line.replace(file, "/dev/fd/0"));
    [format!("throng {line}"), piped].map(|typed| {
        let output = desk.shell(&typed);
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{typed}: {}", String::from_utf8_lossy(&output.stderr));
        (output.status.success(), shown.replace("/dev/fd/0", file))
    })
}

/// The attack: the fingerprint shared the pipe with the parser, and people were lost without a word.
#[test]
fn every_command_reads_a_pipe_as_it_reads_a_file() {
    let desk = desk();
    for (line, file) in [
        ("attack trips.csv --json", "trips.csv"),
        ("attack trips.csv --release release --linkage links.csv --json", "links.csv"),
        ("attack trips.csv --release release --json", "trips.csv"),
        ("measure trips.csv release --places places.csv --json", "trips.csv"),
        ("measure trips.csv release --places places.csv --json", "places.csv"),
        ("measure trips.csv release --places places.csv --linkage links.csv --json", "links.csv"),
        ("verify trips.csv --promise km -k 2 -m 1 --json", "trips.csv"),
        ("verify release --promise km -k 3 -m 2 --linkage links.csv --json", "links.csv"),
        (
            "ledger attack release release --original trips.csv --linkage-a links.csv --linkage-b links.csv",
            "trips.csv",
        ),
    ] {
        let [file, pipe] = both(&desk, line, file);
        assert!(file == pipe, "`throng {line}` answers otherwise for a pipe");
    }
    for file in ["trips.csv", "places.csv"] {
        let out = format!("{RUN} -o again --force --salt {SALT}");
        both(&desk, &out, file);
        for name in ["release.csv", "manifest.json", "report.html"] {
            assert!(
                desk.read(&format!("again/{name}")) == desk.read(&format!("release/{name}")),
                "{file}: {name}"
            );
        }
    }
}

#[test]
fn what_has_to_be_read_again_is_refused_at_once() {
    let desk = desk();
    let mut text = String::new();
    for typed in [
        "cat trips.csv | throng recommend /dev/fd/0 --places places.csv --promise km -k 3 -m 2 --keep counts",
        "cat places.csv | throng recommend trips.csv --places - --promise km -k 3 -m 2 --keep counts",
        "cat trips.csv | throng anonymize - --places - --method seqanon -k 3 -m 2 -o both",
    ] {
        let output = desk.shell(typed);
        assert_eq!(output.status.code(), Some(2), "{typed}");
        text.push_str(&format!("$ {typed}\n{}\n", String::from_utf8_lossy(&output.stderr)));
    }
    insta::assert_snapshot!(text);
}
