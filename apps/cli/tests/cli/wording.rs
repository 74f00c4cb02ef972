//! Sentences that people rely on: each is true of the release it stands beside.

use throng_contract::{SettingKind, Settings};
use throng_data::EventKind;
use throng_lab::catalogue;

use crate::program::Desk;

#[test]
fn one_person_is_a_person() {
    for promise in catalogue::promises() {
        let descriptor = promise.descriptor();
        let least = descriptor.params.iter().filter_map(|param| match param.kind {
            SettingKind::Integer { min, .. } | SettingKind::IntegerOrMax { min, .. } => {
                Some((param.name, min.to_string()))
            }
            _ => None,
        });
        let least: Vec<(&str, String)> = least.collect();
        let settings = Settings::parse(descriptor, least.iter().map(|(name, value)| (*name, value.as_str())));
        // What cannot be said with the least of everything has no sentence for it.
        let Ok(settings) = settings else { continue };
        for kind in [EventKind::Sequence, EventKind::Set, EventKind::Absent] {
            let said = promise.statement_for(&settings, kind);
            for wrong in ["least 1 people", "to 1 events", "to 1 items"] {
                assert!(!said.contains(wrong), "{said}");
            }
        }
    }
}

#[test]
fn what_a_row_of_stars_is_stands_beside_the_promise() {
    let desk = Desk::new();
    let rows: String = (0..30)
        .map(|row| format!("{},{}\n", if row == 0 { 99 } else { 30 + row % 2 }, ["f", "m"][row % 2]))
        .collect();
    desk.write("people.csv", &format!("age,sex\n{rows}"));
    desk.write("age.csv", "30;*\n31;*\n99;*\n");
    desk.write("sex.csv", "f;*\nm;*\n");
    let run = "anonymize people.csv --id - --quasi age,sex --hierarchy age=age.csv --hierarchy sex=sex.csv --method incognito -k 3";
    desk.ok(&format!("{run} --max-suppressed 10% -o out"));
    assert!(desk.read("out/records.csv").contains("*,*"), "{}", desk.read("out/records.csv"));
    let said = desk.read("out/manifest.json");
    assert!(said.contains("A row with `*` in every column is suppressed"), "{said}");
    assert!(desk.ok("verify out").stdout.contains("`*` in every"), "{}", desk.ok("verify out").stdout);
    let even: String = (0..30).map(|row| format!("{},{}\n", 30 + row % 2, ["f", "m"][row % 2])).collect();
    desk.write("people.csv", &format!("age,sex\n{even}"));
    desk.ok(&format!("{run} -o whole"));
    assert!(!desk.read("whole/manifest.json").contains("suppressed: it shows"));
}

#[test]
fn where_people_have_several_records_the_promise_speaks_of_one_and_verify_says_what_would_judge_all() {
    let desk = Desk::new();
    let rows: String = (0..12).map(|row| format!("p{},t{row},a\np{},t{row},b\n", row % 6, row % 6)).collect();
    desk.write("trips.csv", &format!("subject,record,item\n{rows}"));
    desk.ok("anonymize trips.csv --method suppress -k 3 -m 2 -o out --linkage links.csv");
    let said = desk.read("out/manifest.json");
    assert!(said.contains("what is known of a person is taken from one of them"), "{said}");
    let ran = desk.fails("verify out", 6);
    assert!(ran.stdout.contains("one record a person"), "{}", ran.stdout);
    desk.ok("verify out --linkage links.csv");
}

#[test]
fn a_number_is_written_in_its_shortest_form_and_a_category_as_it_is() {
    let desk = Desk::new();
    let rows: String = (0..12).map(|row| format!("{},2.0\n", 30 + row % 2)).collect();
    desk.write("people.csv", &format!("age,dose\n{rows}"));
    let run = "anonymize people.csv --id - --quasi age --sensitive-attribute dose --method mondrian -k 3";
    desk.ok(&format!("{run} -o number"));
    desk.ok(&format!("{run} --type dose=category -o category"));
    assert!(desk.read("number/records.csv").contains(",2\n"), "{}", desk.read("number/records.csv"));
    assert!(desk.read("category/records.csv").contains(",2.0\n"), "{}", desk.read("category/records.csv"));
}

/// "About 20% of the events were suppressed" stood beside "90% of the events are there".
#[test]
fn shares_of_one_output_do_not_contradict_each_other() {
    let desk = Desk::new();
    let mut rows = String::new();
    for person in 0..40 {
        for step in 0..9 {
            rows.push_str(&format!("p{person},place{step}\n"));
        }
        rows.push_str(&format!("p{person},own{person}\n"));
    }
    desk.write("trips.csv", &format!("subject,item\n{rows}"));
    let ran = desk.ok("anonymize trips.csv --method suppress -k 5 -m 1 -o out --no-advice");
    let told = ran.all().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("90% of the events are there"), "{told}");
    assert!(told.contains("10% to 30% of the events were suppressed"), "{told}");
    assert!(!told.contains("about 20%"), "{told}");
}
