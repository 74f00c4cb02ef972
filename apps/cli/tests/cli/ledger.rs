//! The release ledger: what is recorded, and what is said when people are released again.
//!
//! Longer than 400 lines: the commands of one ledger, in the order in which a publisher uses them.

use std::fs;

use crate::program::{Desk, SALT};

/// Two people at each of four places.
const TRIPS: &str = "subject,item\nanna,a\nbert,a\ncarl,b\ndora,b\nemil,c\nfritz,c\ngreta,d\nhanna,d\n";
/// The same places seen in two ways: the first merges {a|b} and {c|d}, the second {a|d} and {b|c}.
const PLACES: &str = "item,x,y\na,0,0\nb,1,0\nc,10,0\nd,11,0\n";
const OTHERWISE: &str = "item,x,y\na,0,0\nd,1,0\nb,10,0\nc,11,0\n";
const FIRST: &str = "anonymize trips.csv --places places.csv --method seqanon -k 4 -m 1 -o first";
const SECOND: &str = "anonymize trips.csv --places otherwise.csv --method seqanon -k 4 -m 1 -o second";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("places.csv", PLACES).write("otherwise.csv", OTHERWISE);
    desk
}

/// Days as `DATE`, and times behind them as `DATETIME`; nothing else differs from run to run.
fn dateless(text: &str) -> String {
    let is_day = |day: &str| {
        let dash = |at: usize| at == 4 || at == 7;
        day.len() == 10
            && day.char_indices().all(|(at, c)| if dash(at) { c == '-' } else { c.is_ascii_digit() })
    };
    let word = |word: &str| match word.get(..10) {
        Some(day) if is_day(day) => if word.len() > 10 { "DATETIME" } else { "DATE" }.to_owned(),
        _ => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// What follows the summary on standard error.
fn warning(said: &str) -> String {
    said.find("warning: ").map_or_else(String::new, |at| dateless(&said[at..]))
}

#[test]
fn a_second_release_of_the_same_people_is_warned_about_and_attacked() {
    let desk = desk();
    assert_eq!(warning(&desk.ok(FIRST).stderr), "");
    insta::assert_snapshot!(dateless(&desk.ok(SECOND).all()));
    insta::assert_snapshot!("ledger_attack", desk.ok("ledger attack 1 2").all());
    let by_directory = desk.ok("ledger attack first second").stdout;
    let with_data = desk.ok("ledger attack first second --original trips.csv").stdout;
    assert_eq!(by_directory, with_data);
}

#[test]
fn the_same_release_again_gives_nothing_away() {
    let desk = desk();
    let first = format!("{FIRST} --salt {SALT}");
    desk.ok(&first);
    let again = desk.ok(&format!("{first} --force"));
    assert_eq!(warning(&again.stderr), "");
    assert_eq!(desk.ok("ledger --json").json()["releases"].as_array().unwrap().len(), 2);
}

#[test]
fn people_are_recognised_in_other_data_by_their_names() {
    let desk = desk();
    desk.ok(FIRST);
    let other = "subject,item\nanna,d\nanna,c\nbert,d\nbert,c\ngus,d\ngus,c\nhal,d\nhal,c\n";
    desk.write("february.csv", other);
    let line = "anonymize february.csv --places places.csv --method seqanon -k 2 -m 2 -o february";
    insta::assert_snapshot!(warning(&desk.ok(line).stderr));

    // Other people: nothing to say.
    desk.write("march.csv", "subject,item\nida,a\njoe,a\nkim,a\n");
    let line = "anonymize march.csv --places places.csv --method seqanon -k 2 -m 2 -o march";
    assert_eq!(warning(&desk.ok(line).stderr), "");
}

#[test]
fn rows_without_names_are_no_person_in_particular() {
    let desk = Desk::new();
    desk.write("one.txt", "1 -1 2 -1 -2\n1 -1 2 -1 -2\n").write("two.txt", "1 -1 -2\n1 -1 -2\n");
    desk.write("places.csv", "item,x,y\n1,0,0\n2,1,0\n");
    for name in ["one", "two"] {
        let line = format!("anonymize {name}.txt --places places.csv --method seqanon -k 2 -m 1 -o {name}");
        assert_eq!(warning(&desk.ok(&line).stderr), "");
    }
    let line = "anonymize one.txt --places places.csv --method seqanon -k 2 -m 2 -o again";
    assert_eq!(warning(&desk.ok(line).stderr), "", "the same release");
}

#[test]
fn what_is_no_longer_at_hand_is_said() {
    let desk = desk();
    desk.ok(FIRST);
    desk.write("trips.csv", &TRIPS.replace("anna,a", "anna,b"));
    insta::assert_snapshot!(warning(&desk.ok(SECOND).stderr));
    fs::remove_dir_all(desk.path("first")).unwrap();
    desk.write("trips.csv", TRIPS);
    let gone = desk.ok(&format!("{SECOND} --force"));
    assert!(gone.stderr.contains("its directory is gone"), "{}", gone.stderr);
    let attack = desk.run("ledger attack 1 3");
    assert_eq!(attack.code, 3, "{}", attack.stderr);
}

#[test]
fn budgets_of_the_same_people_add_up() {
    let desk = Desk::new();
    desk.ok("generate clicks -o clicks --subjects 500");
    let line = "anonymize clicks/events.csv --method ngrams --alphabet clicks/alphabet.csv";
    desk.ok(&format!("{line} --epsilon 1 -o one"));
    let second = desk.ok(&format!("{line} --epsilon 0.5 -o two"));
    let said = warning(&second.stderr).replace('\n', " ");
    assert!(said.contains("together cost epsilon 1.5 of a person"), "{said}");
    let shown = desk.ok("ledger show 2 --json").json();
    assert_eq!((&shown["epsilon"], shown.get("seed")), (&0.5.into(), None));
}

#[test]
fn a_release_does_not_depend_on_the_ledger() {
    let desk = desk();
    let bytes =
        || ["release.csv", "manifest.json", "report.html"].map(|file| desk.read(&format!("first/{file}")));
    let first = format!("{FIRST} --salt {SALT}");
    desk.ok(&first);
    let recorded = bytes();
    let without = desk.ok(&format!("{first} --force --no-ledger"));
    assert_eq!(bytes(), recorded);
    assert!(without.stderr.contains("left out"), "{}", without.stderr);
    assert_eq!(desk.ok("ledger --json").json()["releases"].as_array().unwrap().len(), 1);
}

#[test]
fn no_person_is_named_in_the_ledger() {
    let desk = desk();
    desk.ok(&format!("{FIRST} --linkage who.csv"));
    let ledger = fs::read_to_string(desk.ledger()).unwrap();
    for name in ["anna", "bert", "carl", "dora", "emil", "fritz", "greta", "hanna"] {
        assert!(!ledger.contains(name), "{name}");
    }
    assert!(ledger.contains("who.csv"));
    use std::os::unix::fs::PermissionsExt;
    let key = desk.ledger().with_extension("jsonl.key");
    assert_eq!(fs::metadata(key).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(desk.ledger()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn releases_are_listed_and_shown() {
    let desk = desk();
    insta::assert_snapshot!("ledger_empty", desk.ok("ledger").all());
    desk.ok(&format!("{FIRST} --salt {SALT}"));
    desk.ok(&format!("{SECOND} --salt {SALT}"));
    insta::assert_snapshot!("ledger_list", dateless(&desk.ok("ledger list").all()));
    insta::assert_snapshot!("ledger_show", dateless(&desk.ok("ledger show 2").all()));
    let entry = desk.ok("ledger show 1 --json").json();
    assert_eq!((&entry["schema"], &entry["number"]), (&"throng-ledger/2".into(), &1.into()));
    assert!(entry.get("sketch").is_none() && entry.get("salt").is_none());
    assert!(fs::read_to_string(desk.ledger()).unwrap().contains(SALT), "the ledger keeps it");
    assert_eq!(desk.run("ledger show 3").code, 2);
}

#[test]
fn a_changed_line_is_named_and_a_torn_one_set_aside() {
    let desk = desk();
    desk.ok(FIRST);
    desk.ok(SECOND);
    insta::assert_snapshot!("ledger_check_whole", desk.ok("ledger check").all());
    let whole = fs::read_to_string(desk.ledger()).unwrap();

    fs::write(desk.ledger(), whole.replacen("\"k\":4", "\"k\":40", 1)).unwrap();
    let changed = desk.run("ledger check");
    insta::assert_snapshot!("ledger_check_changed", changed.all());
    let json = desk.run("ledger check --json").json();
    assert_eq!((&json["whole"], &json["faults"][0]["line"]), (&false.into(), &1.into()));
    assert!(desk.ok("ledger").stderr.contains("not as it was written"));

    fs::write(desk.ledger(), format!("{whole}{}", &whole[..200])).unwrap();
    let third = SECOND.replace("second", "third");
    let mut text = desk.run("ledger check").all();
    text.push_str(&format!("\n\n{}", desk.run(&third).all()));
    assert!(!desk.path("third").exists(), "what cannot be recorded is not begun");
    text.push_str(&format!("\n\n{}", desk.ok("ledger check --mend").all()));
    insta::assert_snapshot!("ledger_check_torn", text);
    desk.ok(&third);
    desk.ok("ledger check");
}

#[test]
fn a_ledger_that_cannot_be_used_stops_the_work_before_it_begins() {
    let desk = desk();
    let ran = desk.run(&format!("{FIRST} --ledger places.csv/ledger.jsonl"));
    insta::assert_snapshot!(ran.all());
    assert_eq!(desk.files(), ["otherwise.csv", "places.csv", "trips.csv"]);
    let nowhere = desk.command(FIRST).env_remove("THRONG_LEDGER").output().unwrap();
    assert_eq!(desk.ran(&nowhere).code, 7);
    desk.ok(&format!("{FIRST} --ledger mine.jsonl"));
    assert_eq!(
        desk.files(),
        ["first", "mine.jsonl", "mine.jsonl.key", "otherwise.csv", "places.csv", "trips.csv"]
    );
}

#[test]
fn two_releases_are_attacked_by_their_linkage_or_refused_when_the_data_are_others() {
    let desk = desk();
    desk.ok(&format!("{FIRST} --linkage first.csv --ledger other.jsonl"));
    desk.ok(&format!("{SECOND} --linkage second.csv --ledger other.jsonl"));
    let line = "ledger attack first second --json";
    let by_seed = desk.ok(&format!("{line} --original trips.csv --ledger other.jsonl")).json();
    assert_eq!((&by_seed["schema"], &by_seed["people"]), (&"throng-composition/1".into(), &8.into()));
    let linked =
        desk.ok(&format!("{line} --original trips.csv --linkage-a first.csv --linkage-b second.csv")).json();
    assert_eq!(by_seed["points"], linked["points"]);
    assert!(by_seed.get("items").is_some() && linked.get("items").is_none());

    let mut text = String::new();
    desk.write("others.csv", "subject,item\nanna,a\nbert,b\n");
    desk.write("reversed.csv", &TRIPS.replace("anna", "zoe"));
    for line in [
        "ledger attack first second --original trips.csv",
        "ledger attack first second",
        "ledger attack first second --original others.csv --ledger other.jsonl",
        "ledger attack first second --original reversed.csv --ledger other.jsonl",
        "ledger attack first second --original trips.csv --linkage-a places.csv",
        "ledger attack 1 2",
    ] {
        let ran = desk.run(line);
        assert!([2, 3].contains(&ran.code), "{line}: {}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}

/// Two files count their people from 1: that is no evidence of the same people, and a name for the data is.
#[test]
fn numbers_are_no_evidence_of_the_same_people_and_names_of_datasets_are() {
    let desk = Desk::new();
    let file = |from: usize| -> String {
        // So many that no two releases are the same bytes by chance.
        let rows = (from..from + 40).map(|person| format!("{person},{}\n", ["a", "b", "c", "d"][person % 4]));
        format!("subject,item\n{}", rows.collect::<String>())
    };
    desk.write("trams.csv", &file(1)).write("wards.csv", &file(2)).write("places.csv", PLACES);
    let run = |file: &str, out: &str, more: &str| {
        let line =
            format!("anonymize {file} --places places.csv --method seqanon -k 4 -m 1 -o {out} --json {more}");
        desk.ok(&line).json()["ledger"].clone()
    };
    run("trams.csv", "one", "");
    let doubtful = run("wards.csv", "two", "");
    assert_eq!(doubtful["earlier"], serde_json::json!([]));
    assert_eq!(doubtful["doubtful"][0]["evidence"], "same-numbers");
    let named = run("trams.csv", "three", "--dataset trams");
    assert_eq!(named["earlier"][0]["evidence"], "same-file");
    // A trial is on record, and gives nothing away.
    run("wards.csv", "four", "--dataset trams --trial");
    let same = run("wards.csv", "five", "--dataset trams");
    let evidence: Vec<&str> =
        same["earlier"].as_array().unwrap().iter().filter_map(|one| one["evidence"].as_str()).collect();
    assert_eq!(evidence, ["same-dataset", "same-file"], "{same}");
    let other = run("wards.csv", "six", "--dataset wards --seed 7");
    assert!(
        other.to_string().contains("same-file") && !other.to_string().contains("same-dataset"),
        "{other}"
    );
    let listed = desk.ok("ledger").stdout;
    assert!(listed.contains("DATASET") && listed.contains("(trial)"), "{listed}");
}

/// Eight people in groups of two; the second release groups them otherwise.
const WARD: &str = "id,age,zip,ill\nanna,21,10,hiv\nbert,22,20,flu\ncarl,31,10,gout\ndora,32,20,hiv\nemil,41,30,flu\n\
                    fred,42,40,gout\ngina,51,30,hiv\nhugo,52,40,flu\n";

fn ward(data: &str, quasi: &str, out: &str) -> String {
    format!("anonymize {data} --quasi {quasi} --sensitive-attribute ill --method mondrian -k 2 -l 2 -o {out}")
}

#[test]
fn two_releases_of_one_table_are_compared_group_by_group() {
    let desk = Desk::new();
    desk.write("ward.csv", WARD);
    desk.ok(&format!("{} --linkage who.csv", ward("ward.csv", "age", "first")));
    let second = desk.ok(&format!("{} --linkage who-b.csv", ward("ward.csv", "zip", "second")));
    assert!(
        second.stderr.starts_with("warning: the release, which is not written yet, breaks"),
        "{}",
        second.stderr
    );
    insta::assert_snapshot!("tables_together", desk.ok("ledger attack 1 2").all());
    let found = desk.ok("ledger attack 1 2 --json").json();
    assert_eq!((&found["people"], &found["points"][0]["lost"]["count"]), (&8.into(), &8.into()), "{found}");
    assert_eq!(found["points"][0]["known"], 0);
    for line in [
        "ledger attack first second --json",
        "ledger attack first second --json --original ward.csv",
        "ledger attack first second --json --original ward.csv --linkage-a who.csv --linkage-b who-b.csv",
    ] {
        assert_eq!(desk.ok(line).json()["tables"], found["tables"], "{line}");
    }
}

#[test]
fn rows_without_names_are_the_same_people_in_the_same_file() {
    let desk = Desk::new();
    let rows: String = WARD.lines().map(|line| format!("{}\n", line.split_once(',').unwrap().1)).collect();
    desk.write("ward.csv", &rows);
    desk.ok(&format!("{} --id -", ward("ward.csv", "age", "first")));
    let told = desk.ok(&format!("{} --id - --json", ward("ward.csv", "zip", "second"))).json();
    let earlier = &told["ledger"]["earlier"][0];
    assert_eq!(earlier["evidence"], "same-file", "{told}");
    assert_eq!(earlier["attack"]["done"]["people"], 8, "{told}");
    desk.write("march.csv", &rows.replace("52", "53"));
    let refused = desk.fails(&format!("{} --id - --after first", ward("march.csv", "zip", "third")), 3);
    assert!(refused.stderr.contains("--id COLUMN"), "{}", refused.stderr);
}

/// The next month: some left, some came, one fell ill. Whose rows are whose is in the ledger, or in a linkage file.
#[test]
fn a_table_of_the_next_month_is_published_after_the_first() {
    let desk = Desk::new();
    let person = |number: usize, ill: &str| format!("p{number}x,{},{ill}\n", 20 + number % 40);
    let illness = |number: usize| ["flu", "gout", "hiv", "asthma"][number % 4];
    let january: String = (0..200).map(|number| person(number, illness(number))).collect();
    // 17 left, 30 are new, and some have another illness.
    let february: String = (0..230)
        .filter(|number| number % 12 != 5 || *number >= 200)
        .map(|number| person(number, illness(number + usize::from(number % 50 == 1))))
        .collect();
    desk.write("january.csv", &format!("id,age,ill\n{january}"));
    desk.write("february.csv", &format!("id,age,ill\n{february}"));
    let first = ward("january.csv", "age", "first").replace("-k 2", "-k 10");
    desk.ok(&format!("{first} --linkage who.csv"));
    let line = |out: &str, more: &str| {
        format!("{} {more}", ward("february.csv", "age", out).replace("-k 2", "-k 3"))
    };
    let careless = desk.run(&line("careless", "--together refuse"));
    assert_eq!(careless.code, 7, "{}", careless.stderr);
    assert!(!desk.path("careless").exists());
    let more = line("more", "--after first").replace("-k 3", "-k 150");
    let refused = desk.fails(&more, 4);
    assert!(refused.stderr.contains("cannot be taken back"), "{}", refused.stderr);
    desk.ok(&line("second", &format!("--after first --together refuse --salt {SALT}")));
    let found = desk.ok("ledger attack first second --json").json();
    assert_eq!(found["points"][0]["lost"]["count"], 0, "{found}");
    let tables = &found["tables"];
    assert_eq!(
        (&tables["left"]["exposed"]["count"], &tables["joined"]["exposed"]["count"]),
        (&0.into(), &0.into()),
        "{found}"
    );
    assert!(tables["joined"]["people"].as_u64().unwrap() >= 3, "new people are published: {found}");
    assert!(found["people"].as_u64().unwrap() > 150);
    let rows = desk.read("second/records.csv");
    let withheld = rows.lines().filter(|line| line.contains("*,*")).count();
    assert!(withheld < 120, "{withheld} of 213 rows are withheld");
    // The linkage is as good as the ledger and the data of January.
    fs::remove_file(desk.path("january.csv")).unwrap();
    desk.fails(&line("third", "--after first"), 3);
    desk.ok(&line("third", &format!("--after first --after-linkage who.csv --no-ledger --salt {SALT}")));
    assert_eq!(desk.read("third/records.csv"), rows);
    // That both keep the promise together takes both, and the linkage: the directory alone cannot show it.
    let judged = desk.fails("verify second --sensitive-attribute ill --json", 6).json();
    assert_eq!(judged["holds"], true, "{judged}");
    assert!(judged["not_judged"].to_string().contains("earlier release"), "{judged}");
}

/// Baskets are looked for as sets: what is known fits in any order.
#[test]
fn two_releases_of_sets_are_compared() {
    let desk = Desk::new();
    let baskets = "subject,item\nanna,a\nanna,c\nbert,c\nbert,a\ncarl,b\ncarl,c\ndora,c\ndora,b\nemil,a\nemil,d\nfritz,d\nfritz,a\n\
                   greta,b\ngreta,d\nhanna,d\nhanna,b\n";
    desk.write("baskets.csv", baskets);
    desk.write("one.csv", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n")
        .write("two.csv", "a;ad;*\nd;ad;*\nb;bc;*\nc;bc;*\n");
    for (out, taxonomy) in [("first", "one.csv"), ("second", "two.csv")] {
        desk.ok(&format!(
            "anonymize baskets.csv --sets --taxonomy {taxonomy} --method apriori -k 3 -m 2 -o {out}"
        ));
    }
    let found = desk.ok("ledger attack 1 2 --json").json();
    assert_eq!((&found["people"], &found["promised"]), (&8.into(), &2.into()), "{found}");
    assert!(
        found["points"].as_array().unwrap().iter().any(|point| point["below_in_both"]["count"] != 0),
        "{found}"
    );
}

/// Columns and events of one release, and of two: the columns are known beside the events.
#[test]
fn mixed_releases_and_tables_of_the_same_people_are_compared() {
    let desk = Desk::new();
    let (mut bought, mut people) = (String::from("subject,item\n"), String::from("subject,age,town\n"));
    for number in 0..40_usize {
        let name = format!("n{}q", number * 7919);
        people += &format!("{name},{},{}\n", 20 + number, ["bath", "york"][number % 2]);
        for item in [number % 3, 3 + number % 2] {
            bought += &format!("{name},i{item}\n");
        }
    }
    desk.write("bought.csv", &bought).write("people.csv", &people);
    let mixed = |out: &str, quasi: &str| {
        format!(
            "anonymize bought.csv --sets --records people.csv --quasi {quasi} --method rum-bound -k 4 -m 2 --delta 0.8 -o {out} --dataset shop"
        )
    };
    desk.ok(&mixed("first", "age,town"));
    desk.ok(&mixed("second", "town"));
    let found = desk.ok("ledger attack 1 2 --json").json();
    assert_eq!((&found["people"], &found["points"][0]["known"]), (&40.into(), &0.into()), "{found}");
    desk.ok("anonymize people.csv --id subject --quasi age --method mondrian -k 4 -o table --dataset shop");
    let found = desk.ok("ledger attack 1 3 --json").json();
    assert_eq!(found["people"], 40, "{found}");
    assert!(found["not_compared"][0].as_str().unwrap().contains("events"), "{found}");
}

#[test]
fn counts_of_nearly_the_same_people_are_compared() {
    let desk = Desk::new();
    let trips = |people: &[usize]| -> String {
        people.iter().map(|number| format!("n{}q,{}\n", number * 7919, ["a", "b"][number % 2])).collect()
    };
    let (monday, tuesday): (Vec<usize>, Vec<usize>) = ((0..40).collect(), (1..40).collect());
    desk.write("monday.csv", &format!("subject,item\n{}", trips(&monday)));
    desk.write("tuesday.csv", &format!("subject,item\n{}", trips(&tuesday)));
    desk.ok("anonymize monday.csv --method counts -k 5 -o first");
    let refused = desk.fails("anonymize tuesday.csv --method counts -k 5 -o second --together refuse", 7);
    assert!(
        refused.stderr.contains("the difference of 1 count is of fewer than 5 people"),
        "{}",
        refused.stderr
    );
    let warned = desk.ok("anonymize tuesday.csv --method counts -k 5 -o second");
    assert!(warned.stderr.contains("not written yet"), "{}", warned.stderr);
    let found = desk.ok("ledger attack 1 2 --json").json();
    assert_eq!((&found["people"], &found["counts"]["differ_by_few"]), (&39.into(), &1.into()), "{found}");
}
