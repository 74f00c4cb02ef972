//! Patterns to hide that are each one person's: `--person-patterns`.

use crate::program::{Desk, SALT};

const RUN: &str = "anonymize clicks.csv --taxonomy tree.csv --method mi-top-down --epsilon 0";

/// Anna and Bert went the same way; Anna hides what she went for.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write(
        "clicks.csv",
        "client,place\nanna,clinic\nanna,pharmacy\nanna,bank\nbert,clinic\nbert,pharmacy\nbert,bank\n",
    );
    desk.write("tree.csv", "clinic;health;any\npharmacy;health;any\nbank;money;any\n");
    desk.write("theirs.csv", "client,pattern\nanna,clinic > bank\nanna,pharmacy > bank\n");
    desk
}

fn records(desk: &Desk, release: &str) -> Vec<String> {
    let text = desk.read(&format!("{release}/release.csv"));
    let mut records: Vec<String> = vec![String::new(); 2];
    for line in text.lines().skip(1) {
        let (record, item) = line.split_once(',').unwrap();
        records[record.parse::<usize>().unwrap() - 1] += &format!("{item} ");
    }
    records.sort();
    records
}

#[test]
fn one_person_is_protected_and_the_other_untouched() {
    let desk = desk();
    desk.ok(&format!("{RUN} --person-patterns theirs.csv --salt {SALT} -o out"));
    assert_eq!(records(&desk, "out"), ["clinic pharmacy bank ", "{clinic|pharmacy} {clinic|pharmacy} bank "]);
    // Publisher and readers are told what that gives away.
    assert!(
        desk.read("out/manifest.json")
            .contains("a generalised record tells that its person has something to hide")
    );
    // What is hidden of everybody is hidden beside it.
    desk.write("all.txt", "clinic > pharmacy\npharmacy > bank\n");
    desk.ok(&format!("{RUN} --person-patterns theirs.csv --patterns all.txt -o both"));
    assert!(!records(&desk, "both").concat().contains("clinic pharmacy bank"));
}

#[test]
fn a_recipe_names_the_file_and_gives_the_same_release() {
    let desk = desk();
    let flags = format!("{RUN} --person-patterns theirs.csv --salt {SALT}");
    desk.ok(&format!("{flags} -o by-flags"));
    let printed = desk.ok(&format!("{flags} --print-recipe")).stdout;
    assert!(printed.contains("person-patterns = \"theirs.csv\""), "{printed}");
    desk.write("recipe.toml", &printed);
    desk.ok(&format!("anonymize --recipe recipe.toml --salt {SALT} -o by-recipe"));
    assert_eq!(desk.read("by-flags/release.csv"), desk.read("by-recipe/release.csv"));
}

#[test]
fn what_cannot_be_protected_is_refused() {
    let desk = desk();
    desk.write("strange.csv", "client,pattern\nanna,clinic > bank\ncleo,clinic > bank\n");
    let unknown = desk.run(&format!("{RUN} --person-patterns strange.csv -o out"));
    assert_eq!(unknown.code, 3);
    assert!(unknown.stderr.contains("`strange.csv` line 3, column `client`"), "{}", unknown.stderr);
    assert!(!unknown.stderr.contains("cleo"), "{}", unknown.stderr);
    let nothing = desk.run(&format!("{RUN} -o out"));
    assert_eq!(nothing.code, 2);
    assert!(nothing.stderr.contains("`--patterns FILE` or `--person-patterns FILE`"), "{}", nothing.stderr);
    let idle =
        desk.run("anonymize clicks.csv --method suppress -k 2 -m 2 --person-patterns theirs.csv -o out");
    assert_eq!(idle.code, 2);
    assert!(!desk.files().contains(&"out".to_owned()));
}
