//! `throng attack`.

use crate::program::Desk;

/// People on a line of four places; the way back is rare. Times are hours.
const TRIPS: &str = "subject,item,time\n\
    1,a,8\n1,b,9\n2,a,8\n2,b,9\n3,a,10\n3,b,11\n4,c,8\n4,d,9\n5,c,8\n5,d,10\n6,d,8\n6,a,9\n7,b,8\n8,b,8\n9,c,8\n";
const PLACES: &str = "item,x,y\na,0,0\nb,1,0\nc,5,0\nd,6,0\n";
const PEOPLE: &str = "subject,status\n1,ill\n2,well\n3,well\n4,ill\n5,ill\n6,well\n7,well\n8,ill\n9,well\n";
const SEQANON: &str =
    "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 2 -o release --linkage who.csv";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("places.csv", PLACES).write("people.csv", PEOPLE);
    desk
}

#[test]
fn several_attackers_come_when_none_is_named() {
    let desk = desk();
    insta::assert_snapshot!(desk.ok("attack trips.csv --known 2").all());
}

#[test]
fn a_release_is_attacked_with_knowledge_from_the_data() {
    let desk = desk();
    desk.ok(SEQANON);
    insta::assert_snapshot!(desk.ok("attack trips.csv --release release --knows rare --known 3").all());
    for linkage in ["", " --linkage who.csv"] {
        let line = format!("attack trips.csv --release release --below 2 --json{linkage}");
        let attacked = desk.ok(&line).json();
        assert_eq!(attacked["schema"], "throng-attack/1");
        for attacker in attacked["attackers"].as_array().unwrap() {
            for point in &attacker["after"]["points"].as_array().unwrap()[..2] {
                assert_eq!(point["below"]["count"], 0, "{}", attacker["knows"]);
            }
        }
    }
}

#[test]
fn a_release_alone_is_attacked_in_its_own_words() {
    let desk = desk();
    desk.ok(SEQANON);
    insta::assert_snapshot!(desk.ok("attack release --knows random --known 2").all());
    assert!(desk.ok("attack release --know a").stdout.contains("fit"));
}

#[test]
fn secrets_are_guessed_from_those_who_fit() {
    let desk = desk();
    let secrets = "--records people.csv --sensitive-values status=*";
    insta::assert_snapshot!(desk.ok(&format!("attack trips.csv --times exact --known 2 {secrets}")).all());
    desk.ok(&format!("{SEQANON} --records people.csv --publish status"));
    let attacked =
        desk.ok(&format!("attack trips.csv --release release --linkage who.csv {secrets} --json")).json();
    let point = &attacked["attackers"][0]["after"]["points"][1]["inference"];
    assert!(point["highest"].as_f64().unwrap() <= 1.0, "{point}");
    // The release does not say who is ill unless the column is published.
    desk.ok(&format!("{SEQANON} --force"));
    let attacked = desk.ok(&format!("attack trips.csv --release release {secrets} --json")).json();
    assert_eq!(attacked["attackers"][0]["after"]["points"][1]["inference"]["highest"], 0.0);
    assert!(attacked["notes"].to_string().contains("not published"), "{}", attacked["notes"]);
    let line = "attack trips.csv --records people.csv --sensitive-values status=ill --know a";
    assert!(desk.ok(line).stdout.contains("secret status=ill"));
}

/// Columns of 160 people, who are few by each and fewer by both, and what they bought.
fn customers(desk: &Desk) {
    let people =
        (0..160).map(|person| format!("{person},{},{}\n", 20 + person % 12, ["n", "s"][person / 7 % 2]));
    let bought = (0..160).flat_map(|person| {
        let goods = ["tea", "rye", "oil", "jam"].into_iter().enumerate();
        goods.filter(move |(good, _)| (person / 3) % (good + 2) == 0).map(move |(_, name)| (person, name))
    });
    let bought = bought.map(|(person, name)| format!("{person},{name}\n"));
    desk.write("bought.csv", &format!("subject,item\n{}", bought.collect::<String>()));
    desk.write("people.csv", &format!("subject,age,town\n{}", people.collect::<String>()));
}

#[test]
fn columns_and_items_are_known_together() {
    let desk = Desk::new();
    customers(&desk);
    let data = "bought.csv --sets --records people.csv --quasi age,town";
    desk.ok(&format!(
        "anonymize {data} --method rum-bound -k 4 -m 2 --delta 0.8 -o release --linkage who.csv"
    ));
    let line = format!("attack {data} --release release --linkage who.csv --knows random --known 2");
    insta::assert_snapshot!(desk.ok(&line).all());
    // The report and the manifest tell the same, in steps that are no finer than a crowd.
    let report = desk.read("release/report.html");
    assert!(report.contains("<h3>Columns and events of the release</h3>"), "{report}");
    let manifest: serde_json::Value = serde_json::from_str(&desk.read("release/manifest.json")).unwrap();
    let together = manifest["risk"]["together"].as_array().unwrap();
    assert_eq!(
        together.iter().map(|known| known["columns"].as_u64().unwrap()).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    for point in together.iter().flat_map(|known| known["points"].as_array().unwrap()) {
        for side in ["before", "after"] {
            let share = point[side]["below_5"].as_f64().unwrap();
            assert!((share * 5.0).fract() == 0.0 && point[side].get("interval").is_none(), "{point}");
        }
        let promised = point["known"].as_u64().unwrap() <= 2;
        assert!(!promised || point["after"]["singled_out"] == 0.0, "{point}");
    }
}

#[test]
fn anyone_may_play_the_attacker() {
    let desk = desk();
    desk.ok(SEQANON);
    insta::assert_snapshot!(desk.ok("attack trips.csv --release release --know 'a > b'").all());
    insta::assert_snapshot!(desk.ok("attack trips.csv --know a").all());
    let asked = |line: &str| desk.ok(&format!("attack trips.csv --json {line}")).json();
    assert_eq!(asked("--know 'b > a'")["before"]["used"], 1);
    assert_eq!(asked("--know 'b > a' --unordered")["before"]["people"], 3);
    assert_eq!(asked("--know 'a@8 > b@9'")["before"]["people"], 2);
    assert_eq!(asked("--know 'a@9 > b@10' --within 1")["before"]["people"], 3);
}

#[test]
fn the_same_attack_gives_the_same_answer_with_any_number_of_threads() {
    let desk = Desk::new();
    desk.ok("generate city -o city --subjects 3000");
    let run = |jobs: u32| desk.ok(&format!("attack city/events.csv --json --jobs {jobs}")).stdout;
    let attacked = run(1);
    assert_eq!(attacked, run(2));
    assert!(attacked.contains("\"interval\""));
}

#[test]
fn what_cannot_be_attacked_is_explained() {
    let desk = desk();
    desk.write("bare.csv", "subject,item\n1,a\n2,b\n").write("other.csv", "subject,item\n1,x\n2,y\n");
    desk.ok(SEQANON);
    let mut text = String::new();
    for (line, code) in [
        ("attack nowhere.csv", 3),
        ("attack bare.csv --times exact", 2),
        ("attack trips.csv --known 9", 2),
        ("attack trips.csv --knows everything", 2),
        ("attack trips.csv --know 'a > bb'", 2),
        ("attack trips.csv --know 'a@8 > b'", 2),
        ("attack trips.csv --know 'a@noon'", 2),
        ("attack trips.csv --sensitive-values status=ill", 2),
        ("attack other.csv --release release", 3),
        ("attack release --release release", 2),
        ("attack trips.csv --release trips", 3),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_attacker_is_described_like_a_method() {
    let described = Desk::new().ok("methods attacker").stdout;
    assert!(described.contains("attacker, an attacker") && described.contains("--knows"), "{described}");
}
