//! `throng hierarchy`.

use crate::program::Desk;

/// Five people.
const PEOPLE: &str = "id,age,city,admitted,weight\n1,23,Bath,2024-02-29,61.5\n2,37,York,2024-03-01,80\n\
    3,41,Bath,2024-11-30,72.25\n4,58,Wells,,90\n5,23,Bath,2024-02-29,61.5\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("people.csv", PEOPLE)
        .write("codes.csv", "subject,item\n1,10042\n1,10077\n2,10042\n3,10942\n4,2094\n")
        .write("map.csv", "item,x,y\nBath,0,0\nWells,1,0\nYork,9,9\n")
        .write("towns.csv", "Bath\nDerby\nWells\nYork\n");
    desk
}

#[test]
fn hierarchies_are_made_by_rule_and_say_what_they_give_away() {
    let desk = desk();
    let mut text = String::new();
    for line in [
        "hierarchy people.csv --column age --by width --from 0 --to 99 --bins 4",
        "hierarchy people.csv --column age --by depth --bins 2",
        "hierarchy people.csv --column weight --by width --bins 3 --fan-out 3",
        "hierarchy people.csv --column admitted --by date --from 2024-02-28 --to 2024-12-01 -o admitted.csv",
        "hierarchy people.csv --column city --by frequency --fan-out 2",
        "hierarchy people.csv --column city --by name --fan-out 2 --domain towns.csv",
        "hierarchy people.csv --column city --by z-order --fan-out 2 --places map.csv",
        "hierarchy codes.csv --items --by prefix",
        "hierarchy codes.csv --items --by frequency --fan-out 2 --json",
        "hierarchy people.csv --column age --by width -o age.csv --json",
    ] {
        text.push_str(&format!("$ throng {line}\n{}\n", desk.ok(line).all()));
    }
    insta::assert_snapshot!(text);
    assert!(desk.read("admitted.csv").contains("\n2024-02-29;2024-02;2024-Q1;2024;*\n"));
}

#[test]
fn what_cannot_be_put_into_a_hierarchy_is_explained() {
    let desk = desk();
    desk.write("few.csv", "Bath\n");
    let mut text = String::new();
    for (line, code) in [
        ("hierarchy people.csv --by width", 2),
        ("hierarchy people.csv --column aeg --by width", 2),
        ("hierarchy people.csv --column city --by width", 2),
        ("hierarchy people.csv --column age --by date", 2),
        ("hierarchy people.csv --column city --by z-order", 2),
        ("hierarchy people.csv --column city --by name --bins 3", 2),
        ("hierarchy people.csv --column city --by name --domain few.csv", 3),
        ("hierarchy people.csv --column age --by width --from 30 --to 99", 2),
        ("hierarchy people.csv --column age --by width --from young", 2),
        ("hierarchy people.csv --column age --by width --fan-out 1", 2),
        ("hierarchy people.csv --column age --by guess", 2),
        ("hierarchy people.csv --column age --by width -o map.csv", 7),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_release_says_that_a_hierarchy_was_cut_from_the_data_and_does_not_list_its_values() {
    let desk = Desk::new();
    let zips = ["A10", "A11", "A20", "A21", "B10", "B11", "B20", "B21"];
    let rows: String = zips.iter().enumerate().map(|(i, zip)| format!("{i},{zip}\n")).collect();
    desk.write("people.csv", &format!("id,zip\n{rows}"));
    desk.write("all.csv", &zips.map(|zip| format!("{zip}\n")).concat());
    let run =
        "anonymize people.csv --quasi zip --hierarchy zip=zip.csv --method incognito -k 4 -o release --force";
    desk.ok("hierarchy people.csv --column zip --by prefix -o zip.csv");
    assert!(desk.read("zip.csv").starts_with("# cut from the data: "));
    desk.ok(run);
    let manifest = desk.read("release/manifest.json");
    assert!(manifest.contains("\"cut_from_data\": true") && !manifest.contains("A10"), "{manifest}");
    assert!(desk.read("release/report.html").contains("Cut from the data"));
    assert_eq!(desk.ok("verify release --json").json()["holds"], true);
    // The hierarchy tells what the names stand for.
    let measure = "measure people.csv release --quasi zip --hierarchy zip=zip.csv --json";
    let withheld = desk.ok(measure).json();
    // One that was made for all there can be is listed.
    desk.ok("hierarchy people.csv --column zip --by prefix --domain all.csv -o zip.csv --force");
    desk.ok(run);
    let manifest = desk.read("release/manifest.json");
    assert!(!manifest.contains("cut_from_data") && manifest.contains("A10"), "{manifest}");
    assert_eq!(desk.ok(measure).json()["measures"], withheld["measures"]);
}
