//! The attacker looks at the order of records (specification 13.19 b).

use std::collections::BTreeMap;

use crate::program::Desk;
use crate::published::Published;

const PEOPLE: usize = 30;
const SALT: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Thirty people, no two with the same records.
fn town() -> Desk {
    let desk = Desk::new();
    let rows = (0..PEOPLE).flat_map(|person| {
        let lengths = 1 + person % 5;
        (0..lengths).map(move |at| format!("p{person},i{}\n", (person / 5 + at * (1 + person % 3)) % 6))
    });
    desk.write("trips.csv", &("subject,item\n".to_owned() + &rows.collect::<String>()));
    let places: String = (0..6).map(|item| format!("i{item},{item},0\n")).collect();
    desk.write("places.csv", &format!("item,x,y\n{places}"));
    desk
}

fn run(method: &str, out: &str) -> String {
    format!(
        "anonymize trips.csv --places places.csv --method {method} --infeasible truncate --max-suppressed 100% \
         --linkage {out}.linkage.csv -o {out}"
    )
}

/// Which record is whose: the truth, which only the test has.
fn numbers(desk: &Desk, out: &str) -> BTreeMap<String, u64> {
    let linkage = desk.read(&format!("{out}.linkage.csv"));
    let row = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        (cells[1].to_owned(), cells[0].parse().unwrap())
    };
    linkage.lines().skip(1).map(row).collect()
}

/// People whose records have the same number in both.
fn joined(desk: &Desk, first: &str, second: &str) -> usize {
    let (first, second) = (numbers(desk, first), numbers(desk, second));
    assert_eq!(first.len(), PEOPLE);
    first.iter().filter(|(person, number)| second[*person] == **number).count()
}

/// Record 17 of one release and record 17 of the other were the same person's, in 0.1.0: everybody's.
#[test]
fn two_releases_of_one_file_cannot_be_joined_row_by_row() {
    let desk = town();
    desk.ok(&run("seqanon -k 3 -m 1", "first"));
    desk.ok(&run("seqanon -k 3 -m 2", "second"));
    // By chance one person is expected, and seven come up once in ten thousand times.
    assert!(joined(&desk, "first", "second") <= 7);
    // Not even for a publisher who used one salt for both: method and parameters enter.
    desk.ok(&format!("{} --salt {SALT}", run("seqanon -k 3 -m 1", "third")));
    desk.ok(&format!("{} --salt {SALT}", run("seqanon -k 3 -m 2", "fourth")));
    assert!(joined(&desk, "third", "fourth") <= 7);
}

/// An attacker who knows everybody but one person runs the program on each guess with all that is published, and compares.
#[test]
fn a_right_guess_gives_other_bytes() {
    let desk = town();
    desk.ok(&run("seqanon -k 3 -m 1", "published"));
    let published = Published::of(&desk, "published");
    let mut typed = run("seqanon -k 3 -m 1", "guess");
    if let Some(seed) = published.manifest()["method"]["seed"].as_u64() {
        typed += &format!(" --seed {seed}");
    }
    desk.ok(&typed);
    let guess = Published::of(&desk, "guess");
    assert_eq!(guess.crowd(), published.crowd(), "the guess is right");
    assert_ne!(guess.text("release.csv"), published.text("release.csv"), "and is not confirmed by the order");
}

/// The publisher repeats a run byte for byte, by a salt that is not published.
#[test]
fn the_salt_repeats_a_run_and_is_not_published() {
    let desk = town();
    for out in ["once", "again"] {
        desk.ok(&format!("{} --salt {SALT}", run("seqanon -k 3 -m 1", out)));
    }
    let (once, again) = (Published::of(&desk, "once"), Published::of(&desk, "again"));
    assert_eq!(once.everything(), again.everything());
    assert!(!once.everything().contains(SALT));
}
