//! The attacker knows columns: age and home of a colleague, or the number on their card (specification 13.19 e).

use crate::program::Desk;
use crate::published::Published;

/// Twenty people, all at the same two places; everybody has an age of their own.
fn town() -> Desk {
    let desk = Desk::new();
    let events: String = (0..20).map(|person| format!("p{person},a\np{person},b\n")).collect();
    let rows: String = (0..20)
        .map(|person| format!("p{person},card-{person},{},{}\n", 30 + person, ["f", "m"][person % 2]))
        .collect();
    desk.write("trips.csv", &format!("subject,item\n{events}"));
    desk.write("records.csv", &format!("subject,card,age,sex\n{rows}"));
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\n");
    desk
}

const RUN: &str = "anonymize trips.csv --places places.csv --records records.csv --method seqanon -k 5 -m 1";

#[test]
fn columns_that_single_people_out_are_refused_with_numbers_and_ways_out() {
    let desk = town();
    for columns in ["age", "card", "age,sex"] {
        let ran = desk.run(&format!("{RUN} --publish {columns} -o out"));
        assert_eq!(ran.code, 7, "{columns}: {}", ran.stderr);
        assert!(ran.stderr.contains("20"), "how many people: {}", ran.stderr);
        assert!(ran.stderr.contains("--accept-exposed-columns"), "{}", ran.stderr);
        assert!(!desk.path("out").exists(), "nothing was written");
    }
    desk.ok(&format!("{RUN} --publish sex -o out"));
}

/// A publisher who overrides the refusal gets another verdict everywhere; no output says plainly that the promise is kept.
#[test]
fn an_override_gets_the_verdict_that_the_columns_do_not_keep_it() {
    let desk = town();
    let ran = desk.ok(&format!("{RUN} --publish age --accept-exposed-columns -o out"));
    let published = Published::of(&desk, "out");
    let verdict = &published.manifest()["columns_verdict"];
    assert_eq!((&verdict["covered"], &verdict["accepted"]), (&false.into(), &true.into()), "{verdict}");
    assert_eq!(verdict["unique"], 20, "everybody is alone with their age");
    let words = "the published columns do not";
    assert!(ran.stderr.contains(words) || ran.stdout.contains(words), "{}{}", ran.stdout, ran.stderr);
    assert!(verdict["statement"].to_string().contains(words), "{verdict}");
    assert!(published.text("report.html").contains(words));
}

/// Forty passengers: everybody's age and trip are shared by many, and hardly anybody shares both.
fn passengers() -> Desk {
    let desk = Desk::new();
    let stop = |person: usize, step: usize| ["a", "b", "c", "d"][(person / 10 + step) % 4];
    let trips: String = (0..40)
        .map(|person| format!("p{person},{}\np{person},{}\n", stop(person, 0), stop(person, 1)))
        .collect();
    let rows: String = (0..40).map(|person| format!("p{person},{}\n", 30 + person % 10)).collect();
    desk.write("trips.csv", &format!("subject,item\n{trips}"));
    desk.write("people.csv", &format!("subject,age\n{rows}"));
    desk
}

/// How many of 100 people are found among fewer than four by an attacker who knows the age and two stops.
fn found(desk: &Desk, release: &str) -> f64 {
    let ran = desk.ok(&format!(
        "attack trips.csv --records people.csv --quasi age --known 2 --below 4 --targets max --json {release}"
    ));
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let both = answer["together"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(both["columns"], 1, "{both}");
    both["after"]["points"][2]["below"]["share"].as_f64().unwrap()
}

/// Columns that are 4-anonymous and trips that are 4^2-anonymous, each by itself, leave everybody alone who is known by both.
#[test]
fn columns_and_events_published_apart_single_people_out_succeeds_and_is_not_covered() {
    let desk = passengers();
    desk.ok("anonymize trips.csv --method suppress -k 4 -m 2 -o trips --linkage trips-links.csv");
    desk.ok("anonymize people.csv --quasi age --method mondrian -k 4 -o rows --linkage rows-links.csv");
    let apart = "--release trips --linkage trips-links.csv --beside rows --beside-linkage rows-links.csv";
    assert_eq!(found(&desk, apart), 1.0);
}

#[test]
fn columns_and_events_published_together_leave_a_crowd() {
    let desk = passengers();
    let both = "anonymize trips.csv --records people.csv --quasi age -k 4 -m 2";
    for method in ["rum-bound --delta 1", "rfirst", "tfirst"] {
        desk.ok(&format!("{both} --method {method} -o both --linkage links.csv --force --allow-empty"));
        assert_eq!(found(&desk, "--release both --linkage links.csv"), 0.0, "{method}");
        assert!(
            desk.ok("verify both")
                .stdout
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains("events, in order")
        );
    }
}

/// Four people of one town: each shift has one illness, so that a published shift tells it.
fn shifts() -> Desk {
    let desk = Desk::new();
    desk.write(
        "staff.csv",
        "id,zip,shift,ill\n1,10,early,flu\n2,10,early,flu\n3,10,late,hiv\n4,10,late,hiv\n",
    );
    desk
}

/// Published columns are known for every promise: l-diversity is refused with them, and the verdict says so where that was accepted.
#[test]
fn a_published_column_that_tells_the_illness_breaks_l_diversity() {
    let desk = shifts();
    let run = "anonymize staff.csv --quasi zip --sensitive-attribute ill --publish shift --method mondrian -k 2 -l 2";
    let refused = desk.fails(&format!("{run} -o out"), 7);
    assert!(refused.stderr.contains("l-diversity") && refused.stderr.contains("shift"), "{}", refused.stderr);
    assert!(!desk.path("out").exists(), "nothing was written");
    desk.ok(&format!("{run} --accept-exposed-columns -o out"));
    let verdict = &Published::of(&desk, "out").manifest()["columns_verdict"];
    assert_eq!(
        (&verdict["covered"], &verdict["breaks"]),
        (&false.into(), &serde_json::json!(["l-diversity"]))
    );
    let judged = desk.fails("verify out --sensitive-attribute ill --json", 5).json();
    assert_eq!(judged["known"], serde_json::json!(["zip", "shift"]));
    assert_eq!(judged["promises"][1]["answer"], "does-not-hold", "{judged}");
}

/// Columns beside events are known together with the events, not only by themselves.
#[test]
fn published_columns_are_known_beside_events() {
    let desk = Desk::new();
    let stop = |person: usize| ["a", "b"][person % 4 / 2];
    let trips: String = (0..16).map(|person| format!("p{person},{}\n", stop(person))).collect();
    let rows: String = (0..16)
        .map(|person| format!("p{person},{}\n", if person == 0 { "m" } else { ["f", "m"][person % 2] }))
        .collect();
    desk.write("trips.csv", &format!("subject,item\n{trips}"));
    desk.write("people.csv", &format!("subject,sex\n{rows}"));
    let run = "anonymize trips.csv --records people.csv --publish sex --method suppress -m 1";
    desk.ok(&format!("{run} -k 3 -o fine"));
    desk.ok("verify fine");
    // Three women were at a: four are needed, and both columns and events leave eight by themselves.
    let refused = desk.fails(&format!("{run} -k 4 -o out"), 7);
    assert!(
        refused.stderr.contains("`km` holds only for attackers who do not know `sex`"),
        "{}",
        refused.stderr
    );
    desk.ok(&format!("{run} -k 4 --accept-exposed-columns -o out"));
    desk.fails("verify out --promise km -k 4 -m 1", 5);
}

/// A column that is published as it is beside recoded ones is known to the attackers that the run tells of.
#[test]
fn a_mixed_run_tells_what_its_published_column_gives_away() {
    let desk = Desk::new();
    let trips: String = (0..8).map(|person| format!("p{person},a\np{person},b\n")).collect();
    let rows: String = (0..8).map(|person| format!("p{person},{},card-{person}\n", 30 + person)).collect();
    desk.write("trips.csv", &format!("subject,item\n{trips}"));
    desk.write("people.csv", &format!("subject,age,card\n{rows}"));
    let run = "anonymize trips.csv --sets --records people.csv --quasi age --publish card --method rfirst -k 2 -m 1";
    desk.fails(&format!("{run} -o out"), 7);
    let ran = desk.ok(&format!("{run} --accept-exposed-columns -o out"));
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(told.contains("singles out 100.0%"), "{told}");
}
