//! No attack, and no use: a release without events keeps every promise.

use crate::program::Desk;
use crate::published::Published;

/// Six people who share no timed visit: all of it is suppressed.
fn strangers() -> Desk {
    let desk = Desk::new();
    let rows: String = (0..6).map(|person| format!("p{person},place-{person},{person}\n")).collect();
    desk.write("trips.csv", &format!("subject,item,time\n{rows}"));
    desk
}

const RUN: &str = "anonymize trips.csv --method lkc --L 1 --K 2 -o out";

#[test]
fn an_empty_release_is_not_written_unasked_and_never_looks_like_success() {
    let desk = strangers();
    let refused = desk.run(RUN);
    assert_eq!(refused.code, 7, "{}", refused.stderr);
    assert!(refused.stderr.contains("--allow-empty"), "{}", refused.stderr);
    assert!(!desk.path("out").exists());
    desk.ok(&format!("{RUN} --allow-empty"));
    assert_eq!(Published::of(&desk, "out").manifest()["usefulness"]["grade"], "poor");
}
