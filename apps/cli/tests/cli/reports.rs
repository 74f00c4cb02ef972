//! `throng report`, and the publisher's page that `throng anonymize` writes.

use crate::program::Desk;

const SEQANON: &str =
    "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 2 -o release --no-ledger --quiet";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write(
        "trips.csv",
        "subject,item\n1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n4,c\n4,d\n5,c\n5,d\n6,d\n6,a\n7,b\n8,b\n9,c\n",
    )
    .write("places.csv", "item,x,y\na,0,0\nb,1,0\nc,5,0\nd,6,0\n");
    desk
}

#[test]
fn the_published_page_is_made_again_byte_by_byte() {
    let desk = desk();
    desk.ok(SEQANON);
    let written = desk.read("release/report.html");
    assert_eq!(
        desk.ok("report release --places places.csv -o again.html").stderr,
        "again.html was written\n"
    );
    assert_eq!(desk.read("again.html"), written);
    assert_eq!(desk.ok("report release --places places.csv -o -").stdout, written);
    desk.ok("verify release");
}

#[test]
fn the_publishers_page_can_come_with_the_release_or_later() {
    let desk = desk();
    desk.ok(&format!("{SEQANON} --internal-report with.html"));
    let line = "report release --internal --original trips.csv --places places.csv -o later.html";
    let printed = desk.ok(&format!("{line} --json")).json();
    let expected = serde_json::json!({"schema": "throng-report/1", "file": "later.html", "form": "internal"});
    assert_eq!(printed, expected);
    for page in ["with.html", "later.html"] {
        let page = desk.read(page);
        assert!(
            page.contains("Not for publication") && page.contains("a: 4 people"),
            "people are counted before"
        );
    }
    assert!(desk.read("with.html").contains("forced by") && !desk.read("later.html").contains("forced by"));
}

#[test]
fn a_page_about_noise_is_made_again_too() {
    let desk = desk();
    desk.write("public.txt", "a\nb\nc\nd\n");
    desk.ok("anonymize trips.csv --method ngrams --epsilon 5 --alphabet public.txt -o release --no-ledger --allow-empty");
    desk.ok("report release --places places.csv -o again.html");
    assert_eq!(
        desk.read("again.html"),
        desk.read("release/report.html"),
        "no map: nothing is known of the data"
    );
}

#[test]
fn what_cannot_be_reported_is_explained_and_leaves_nothing() {
    let desk = desk();
    let inside = desk.run(&format!("{SEQANON} --internal-report release/internal.html"));
    assert_eq!(inside.code, 7, "{}", inside.stderr);
    desk.ok(SEQANON);
    let mut text = format!("{}\n", inside.stderr);
    for (line, code) in [
        ("report nowhere -o page.html", 3),
        ("report release -o release/report.html --force", 7),
        ("report release -o trips.csv", 7),
        ("report release -o page.html --places trips.csv", 3),
        ("report release -o page.html --original trips.csv", 2),
        ("report release", 2),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
    assert_eq!(desk.files(), ["places.csv", "release", "trips.csv"]);
}
