//! `throng recommend`.

use crate::program::Desk;

/// Everybody has two trips of two places on a line; the way back is rare.
const TRIPS: &str = "subject,item\n\
    1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n4,c\n4,d\n5,c\n5,d\n6,d\n6,a\n7,b\n7,a\n8,b\n8,a\n9,c\n9,d\n";
const PLACES: &str = "item,x,y\na,0,0\nb,1,0\nc,5,0\nd,6,0\n";
const TAXONOMY: &str = "a;food;All\nc;food;All\nb;shops;All\nd;shops;All\n";
const ASKED: &str = "recommend trips.csv --promise km -k 2 -m 2";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("places.csv", PLACES).write("taxonomy.txt", TAXONOMY);
    desk
}

/// Without the columns of times, whose width differs.
fn timeless(text: &str) -> String {
    let is_time = |word: &str| word.parse::<f64>().is_ok_and(|_| word.contains('.'));
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if let Some(at) = words.iter().position(|word| *word == "s")
            && at > 0
            && is_time(words[at - 1])
        {
            words[at - 1] = "#";
        }
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

#[test]
fn the_choice_is_explained_with_what_was_measured() {
    let desk = desk();
    let mut text = String::new();
    for rest in [
        "--keep counts --places places.csv",
        "--keep distance --places places.csv",
        "--keep semantics --places places.csv --taxonomy taxonomy.txt",
        "--keep patterns --places places.csv",
    ] {
        let line = format!("{ASKED} {rest}");
        text.push_str(&format!("$ throng {line}\n{}\n\n", timeless(&desk.ok(&line).stdout)));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn methods_are_judged_by_the_subgraphs_they_keep() {
    let desk = Desk::new();
    desk.ok("generate city --subjects 400 -o city");
    // So few people cannot hide their pairs of places: what was tried is told all the same.
    let line = "recommend city/events.csv --promise km -k 10 -m 2 --keep graph --json";
    let answer = desk.fails(line, 4).json();
    assert_eq!(answer["scale"], "subgraphs_kept");
    let trials = answer["trials"].as_array().unwrap().iter();
    let readings: Vec<f64> = trials.filter_map(|trial| trial["kept"]["reading"].as_f64()).collect();
    assert!(readings.iter().any(|reading| *reading < 1.0), "{readings:?}");
    assert!(readings.iter().all(|reading| (0.0..=1.0).contains(reading)), "{readings:?}");
}

#[test]
fn the_recommended_command_runs_as_printed_and_its_release_keeps_the_promise() {
    let desk = desk();
    for keep in ["counts", "distance", "patterns"] {
        let answer = desk.ok(&format!("{ASKED} --keep {keep} --places places.csv --json")).json();
        assert_eq!(answer["schema"], "throng-recommend/1");
        let command = answer["command"].as_str().unwrap();
        desk.ok(&format!("{} --force --no-ledger", command.strip_prefix("throng ").unwrap()));
        desk.ok("verify release --promise km -k 2 -m 2");
        desk.write("recipe.toml", answer["recipe"].as_str().unwrap());
        desk.ok("anonymize --recipe recipe.toml -o again --force --no-ledger");
        desk.ok("verify again --promise km -k 2 -m 2");
    }
}

#[test]
fn a_sample_comes_first_and_all_people_last() {
    let desk = Desk::new();
    desk.ok("generate city -o city --subjects 400");
    let line = "recommend city/events.csv --places city/places.csv --promise km -k 3 -m 1 --keep distance --sample 200";
    let answer = desk.ok(&format!("{line} --json")).json();
    assert_eq!((&answer["people"], &answer["sample"]), (&400.into(), &200.into()));
    assert_eq!(answer["chosen"]["people"], 400);
    let tried = answer["on_all"].as_array().unwrap();
    assert!(!tried.is_empty() && tried.iter().all(|trial| trial["people"] == 400), "{tried:?}");
    let only = desk.ok(&format!("{line} --sample-only --json")).json();
    assert_eq!((&only["chosen"]["people"], &only["on_all"]), (&200.into(), &serde_json::json!([])));
    let again = desk.ok(&format!("{line} --sample-only --json --jobs 1")).json();
    for key in ["reasons", "command"] {
        assert_eq!(only[key], again[key], "{key}");
    }
}

#[test]
fn what_an_attacker_may_know_stands_for_a_promise() {
    let desk = desk();
    desk.write("people.csv", "id,age,sex,ill\n1,21,F,a\n2,22,F,b\n3,61,M,a\n4,62,M,b\n5,23,F,a\n6,63,M,b\n");
    desk.write("sets.csv", "subject,item\n1,a\n1,b\n2,a\n2,b\n3,b\n3,c\n4,b\n4,c\n5,a\n5,b\n");
    let cases = [
        ("trips.csv --attacker-knows 2 -k 2 --places places.csv", "km"),
        ("trips.csv --attacker-knows all -k 2 --keep patterns", "p2k"),
        ("sets.csv --sets --attacker-knows 1 -k 2 --keep patterns --taxonomy taxonomy.txt", "km"),
        ("people.csv --quasi age,sex --sensitive-attribute ill -k 2 --keep cells", "k"),
        ("people.csv --quasi age,sex --sensitive-attribute ill -k 2 --keep prediction --truthful", "k"),
    ];
    for (line, promise) in cases {
        let answer = desk.ok(&format!("recommend {line} --json")).json();
        assert_eq!(answer["promise"], promise, "{line}");
        assert_ne!(answer["chosen"]["kept"]["grade"], "poor", "{line}");
        let first = answer["reasons"][0].as_str().unwrap();
        assert!(first.contains(&format!("that is the promise `{promise}`")), "{first}");
    }
    assert_eq!(desk.run("recommend people.csv --quasi age,sex -k 2 --keep distance").code, 2);
    assert_eq!(desk.run("recommend sets.csv --sets --attacker-knows all").code, 2);
    assert_eq!(desk.run("recommend trips.csv --attacker-knows 0").code, 2);
}

/// Everybody goes somewhere else: to keep a crowd of five, all places have to become one.
#[test]
fn what_is_poor_is_not_recommended_and_the_nearest_that_is_not_is_named() {
    let desk = Desk::new();
    let rows = (0..12).map(|person| format!("{person},p{person}\n{person},home\n"));
    desk.write("trips.csv", &("subject,item\n".to_owned() + &rows.collect::<String>()));
    let places = (0..12).map(|place| format!("p{place},{place},0\n"));
    desk.write("places.csv", &("item,x,y\nhome,0,9\n".to_owned() + &places.collect::<String>()));
    let asked = "recommend trips.csv --places places.csv --attacker-knows 2 -k 12 --truthful";
    let ran = desk.run(&format!("{asked} --plot a.svg --search"));
    assert_eq!(ran.code, 4, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("Nothing useful keeps this promise on these data."), "{}", ran.stdout);
    assert!(ran.stdout.contains("What is affordable"), "{}", ran.stdout);
    assert!(desk.read("a.svg").starts_with("<svg"));
    let answer = desk.run(&format!("{asked} --json")).json();
    assert_eq!(answer["chosen"], serde_json::Value::Null);
    // A user who wants no more than counts gets them, with the promise that they keep.
    let answer = desk
        .ok("recommend trips.csv --places places.csv --attacker-knows 2 -k 12 --keep counts --json")
        .json();
    assert_eq!(
        (&answer["chosen"]["method"], &answer["kept_promise"]),
        (&"counts".into(), &"k-counts".into())
    );
    let command = answer["command"].as_str().unwrap();
    desk.ok(&format!("{} --no-ledger", command.strip_prefix("throng ").unwrap()));
    desk.ok("verify release --promise k-counts -k 12");
}

/// 240 people at six of sixty places each, everybody in another order: places are crowded, moves between two of them are not.
#[test]
fn visits_are_counted_alone_where_no_move_is_shared() {
    let desk = Desk::new();
    let mut rows = "subject,item\n".to_owned();
    for person in 0..240 {
        for event in 0..6 {
            rows += &format!("{person},p{}\n", (person + event * (1 + person * 7)) % 60);
        }
    }
    desk.write("trips.csv", &rows);
    let answer = desk.ok("recommend trips.csv --attacker-knows 2 -k 5 --keep counts --json").json();
    assert_eq!(answer["kept_promise"], "k-counts", "{answer}");
    let survived = answer["chosen"]["kept"]["survived"].as_array().unwrap();
    assert_eq!(survived.iter().map(|left| left["what"].clone()).collect::<Vec<_>>(), ["visits"]);
    assert!(answer["reasons"].to_string().contains("moves between two are too many"), "{answer}");
    let command = answer["command"].as_str().unwrap();
    assert!(command.contains("--tables visits"), "{command}");
    desk.ok(&format!("{} --no-ledger", command.strip_prefix("throng ").unwrap()));
    desk.ok("verify release --promise k-counts -k 5");
}

#[test]
fn what_would_be_too_much_work_is_not_begun_and_named() {
    let desk = Desk::new();
    desk.ok("generate checkins -o towns --subjects 3000");
    let line = "recommend towns/events.csv --places towns/places.csv --attacker-knows 8 -k 3 --sample 1000 --effort 1";
    let answers = ["1", "2"].map(|jobs| desk.run(&format!("{line} --json --jobs {jobs}")).json());
    let untried = answers[0]["untried"].as_array().unwrap();
    assert!(untried.iter().any(|untried| untried["method"] == "zga"), "{untried:?}");
    assert!(!answers[0]["trials"].as_array().unwrap().is_empty());
    for key in ["untried", "reasons", "command"] {
        assert_eq!(answers[0][key], answers[1][key], "{key}");
    }
    let told = answers[0]["reasons"].to_string();
    assert!(told.contains("a larger `effort` tries more"), "{told}");
}

#[test]
fn what_is_missing_or_cannot_be_kept_is_said() {
    let desk = desk();
    desk.write("lone.csv", "subject,item\n1,a\n1,b\n2,a\n");
    let mut text = String::new();
    for (line, code) in [
        ("recommend trips.csv --promise km -k 2 -m 2 --keep counts", 0),
        ("recommend trips.csv --promise km -k 2 -m 2 --keep distance", 2),
        ("recommend trips.csv --promise km -k 2 -m 2 --keep semantics --places places.csv", 2),
        ("recommend trips.csv --promise km -k 2 --keep counts", 2),
        ("recommend trips.csv --attacker-knows 2 --promise km -k 2 -m 2", 2),
        ("recommend trips.csv --promise km -k 2 -m 2 --keep everything", 2),
        ("recommend trips.csv --promise dp --epsilon 1 --keep counts", 4),
        ("recommend lone.csv --promise klm -k 3 -l 2 -m 1 --keep counts --places places.csv", 4),
        ("recommend - --promise km -k 2 -m 2 --keep counts", 2),
    ] {
        let ran = desk.run(line);
        assert_eq!(ran.code, code, "throng {line}\n{}{}", ran.stdout, ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n{}\n", timeless(&ran.stdout), ran.stderr));
    }
    insta::assert_snapshot!(text);
}
