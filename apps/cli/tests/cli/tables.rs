//! Tables: one row a person, from the file to a verified release and back.
//!
//! Longer than 400 lines: one table goes through all commands.

use crate::program::{Desk, SALT};

/// Sixteen people: ages in two clusters, two sexes, four diagnoses.
const PEOPLE: &str = "name;age;sex;disease;ward\n\
    a;21;F;flu;north\nb;22;F;flu;north\nc;23;M;cold;north\nd;24;M;gout;north\n\
    e;21;F;cold;south\nf;22;F;gout;south\ng;23;M;flu;south\nh;24;M;cold;south\n\
    i;61;F;flu;north\nj;62;F;cold;north\nk;63;M;gout;north\nl;64;M;flu;north\n\
    m;61;F;gout;south\nn;62;F;flu;south\no;63;M;cold;south\np;64;M;asthma;south\n";
const AGES: &str = "[20,29];young;*\n[60,69];old;*\n";
const SEXES: &str = "F;*\nM;*\n";
const COLUMNS: &str = "--id name --quasi age,sex --sensitive-attribute disease --hierarchies hierarchies";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("people.csv", PEOPLE);
    desk.write("hierarchies/age.csv", AGES).write("hierarchies/sex.csv", SEXES);
    desk
}

fn anonymize(method: &str) -> String {
    format!("anonymize people.csv {COLUMNS} --method {method} -k 2 -o release --force --salt {SALT}")
}

#[test]
fn every_method_for_tables_gives_a_release_that_is_verified_from_its_files_alone() {
    let desk = desk();
    for method in ["incognito", "mondrian", "top-down", "bottom-up", "cluster"] {
        desk.ok(&anonymize(method));
        let records = desk.read("release/records.csv");
        assert!(records.starts_with("record,age,sex,disease\n"), "{method}: {records}");
        assert_eq!(records.lines().count(), 17, "{method}");
        assert!(!desk.path("release/release.csv").exists(), "{method}");
        let manifest = desk.read("release/manifest.json");
        // Ages lie below intervals: which of them occur is not published.
        for secret in ["\"name\": \"a\"", "people.csv", "\"21\"", "\"64\""] {
            assert!(!manifest.contains(secret), "{method}: {secret}");
        }
        assert_eq!(
            desk.ok("verify release --sensitive-attribute disease --json").json()["holds"],
            true,
            "{method}"
        );
        std::fs::remove_file(desk.path("release/manifest.json")).unwrap();
        let alone = "verify release --promise k -k 2 --quasi age,sex --sensitive-attribute disease --json";
        assert_eq!(desk.ok(alone).json()["holds"], true, "{method}");
        assert_eq!(desk.run("verify release --promise k -k 9 --quasi age,sex").code, 5, "{method}");
    }
}

#[test]
fn a_release_of_a_table_is_summed_up_on_one_screen() {
    let desk = desk();
    insta::assert_snapshot!(desk.ok(&anonymize("incognito")).all());
}

#[test]
fn diversity_and_closeness_are_kept_besides_and_judged_by_their_own_checkers() {
    let desk = desk();
    let printed = desk.ok(&format!("{} -l 2 --json", anonymize("mondrian"))).json();
    assert_eq!(printed["also"][0]["promise"]["name"], "l-diversity");
    assert_eq!(printed["also"][0]["verdict"]["holds"], true);
    let verified =
        desk.ok("verify release --promise l-diversity -l 2 --sensitive-attribute disease --json").json();
    assert_eq!(verified["holds"], true);
}

#[test]
fn the_same_run_gives_the_same_bytes_with_any_number_of_threads() {
    let desk = Desk::new();
    desk.ok("generate patients -o patients --subjects 2000");
    for method in ["incognito", "mondrian", "top-down", "bottom-up", "cluster"] {
        let run = |jobs: u32| {
            desk.ok(&format!(
                "anonymize patients/patients.csv --schema patients/schema.toml --method {method} -k 5 \
                 -o release --force --salt {SALT} --jobs {jobs}"
            ));
            ["records.csv", "manifest.json", "report.html"].map(|file| desk.read(&format!("release/{file}")))
        };
        assert_eq!(run(1), run(3), "{method}");
    }
}

#[test]
fn a_recipe_says_all_that_the_flags_say() {
    let desk = desk();
    desk.ok(&anonymize("incognito"));
    let released = desk.read("release/records.csv");
    let recipe = desk.ok(&format!("{} --print-recipe", anonymize("incognito"))).stdout;
    desk.write("recipe.toml", &recipe);
    desk.ok("anonymize --recipe recipe.toml -o again");
    assert_eq!(desk.read("again/records.csv"), released);
}

#[test]
fn a_schema_is_drafted_and_used() {
    let desk = desk();
    desk.ok("inspect people.csv --write-schema schema.toml");
    insta::assert_snapshot!(desk.read("schema.toml"));
    let schema = desk.read("schema.toml").replace(
        "[columns.\"disease\"]\nrole = \"quasi-identifying\"",
        "[columns.\"disease\"]\nrole = \"sensitive\"",
    );
    desk.write("schema.toml", &schema);
    desk.ok("anonymize people.csv --schema schema.toml --method mondrian -k 2 -o release");
    assert!(desk.read("release/records.csv").starts_with("record,age,sex,disease,ward\n"));
    assert_eq!(desk.run("inspect people.csv --write-schema schema.toml").code, 7);
}

#[test]
fn a_table_is_inspected() {
    let desk = desk();
    insta::assert_snapshot!(desk.ok("inspect people.csv --id name --quasi age,sex").stdout);
    let json = desk.ok("inspect people.csv --json").json();
    assert_eq!((&json["shape"]["format"], &json["table"]["people"]), (&"table".into(), &16.into()));
}

#[test]
fn a_release_is_measured_by_what_it_promises() {
    let desk = desk();
    desk.ok(&format!("{} --linkage linkage.csv", anonymize("incognito")));
    let told = "--quasi age,sex --sensitive-attribute disease --id name";
    let read = |line: &str, scale: &str| {
        let json = desk.ok(&format!("measure people.csv release {told} {line} --json")).json();
        json["measures"][0]["readings"][scale].as_f64().unwrap()
    };
    // k is 2 in the manifest; one that is told counts.
    let average = read("--measure average-class", "c_avg");
    assert_eq!(average, read("--measure average-class -k 2", "c_avg"));
    assert_eq!(average, 2.0 * read("--measure average-class -k 4", "c_avg"));
    assert!((0.0..=1.0).contains(&read("--measure classification --linkage linkage.csv", "accuracy")));
    assert_eq!(desk.run(&format!("measure people.csv release {told} --measure classification")).code, 2);
    assert!((0.0..=1.0).contains(&read("--measure shape", "intact_cells_share")));
    assert!((0.0..=1.0).contains(&read("--measure suppression", "suppressed_rows_share")));
}

#[test]
fn a_cell_that_was_changed_is_noticed() {
    let desk = desk();
    desk.ok(&anonymize("incognito"));
    let records = desk.read("release/records.csv");
    let mut lines: Vec<String> = records.lines().map(str::to_owned).collect();
    let cells: Vec<&str> = lines[1].split(',').collect();
    lines[1] = format!("{},99,{}", cells[0], cells[2..].join(","));
    desk.write("release/records.csv", &(lines.join("\n") + "\n"));
    assert_eq!(desk.run("verify release").code, 5);
}

#[test]
fn columns_published_as_they_are_belong_to_what_is_known() {
    let desk = desk();
    let line = format!("{} --publish ward", anonymize("incognito"));
    let all = desk.run(&line).all();
    // Either the wards leave everybody in a group of two, or the release is refused with a way out.
    assert!(all.contains("By all published columns together") || all.contains("single people out"), "{all}");
    assert_eq!(
        desk.run(&anonymize("incognito").replace("--quasi age,sex", "--quasi age,sex --publish name")).code,
        2
    );
}

#[test]
fn what_cannot_be_released_is_explained_and_leaves_nothing() {
    let desk = desk();
    desk.write("gap.csv", "[20,29];young;*\n").write("two.csv", "F;x;*\nM;x;*\nF;y;*\n");
    desk.write("overlap.csv", "[20,65];a;*\n[60,69];b;*\n").write("words.csv", "id,age\n1,old\n2,3\n");
    desk.write("twice.csv", "id,age\n1,2\n1,3\n");
    let table = "anonymize people.csv --id name --sensitive-attribute disease --method";
    let mut text = String::new();
    for (line, code) in [
        (format!("{table} mondrian --quasi age,sexx -k 2 -o out"), 2),
        (format!("{table} incognito --quasi age,sex -k 2 -o out --hierarchy sex=hierarchies/sex.csv"), 2),
        (format!("{table} mondrian --quasi age -k 2 -o out --hierarchy age=gap.csv"), 3),
        (format!("{table} mondrian --quasi sex -k 2 -o out --hierarchy sex=two.csv"), 3),
        (format!("{table} mondrian --quasi age -k 2 -o out --hierarchy age=overlap.csv"), 3),
        ("anonymize words.csv --quasi age --type age=number --method mondrian -k 2 -o out".to_owned(), 3),
        ("anonymize twice.csv --quasi age --method mondrian -k 2 -o out".to_owned(), 3),
        (format!("{table} mondrian --quasi age,sex -k 17 -o out"), 4),
        (format!("{table} mondrian --quasi disease -k 2 -o out"), 2),
        ("anonymize people.csv --method mondrian -k 2 -o out".to_owned(), 3),
        ("anonymize people.csv --quasi age --method seqanon -k 2 -m 2 -o out".to_owned(), 3),
    ] {
        let ran = desk.run(&line);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.all()));
        assert_eq!(ran.code, code, "{line}\n{}", ran.all());
        assert!(!desk.path("out").exists(), "{line}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn what_attackers_of_a_table_can_do_is_told_to_the_publisher_exactly_and_to_others_in_steps() {
    let desk = Desk::new();
    desk.ok("generate patients -o patients --subjects 400");
    let line = format!(
        "anonymize patients/patients.csv --schema patients/schema.toml --method mondrian -k 5 -o release --salt {SALT} --json"
    );
    let printed = desk.ok(&line).json();
    let (exact, told) = (&printed["exact"]["risk"], &printed["risk"]);
    let share = |risk: &serde_json::Value, path: &str| risk.pointer(path).and_then(serde_json::Value::as_f64);
    // Mondrian leaves no group of fewer than five.
    assert!(share(exact, "/table/after/prosecutor").unwrap() <= 0.2);
    assert_eq!(share(exact, "/table/before/prosecutor"), Some(1.0));
    assert!(share(exact, "/table/before/marketer") > share(exact, "/table/after/marketer"));
    assert_eq!(share(told, "/table/before/prosecutor"), None);
    assert_eq!(share(told, "/table/after/prosecutor"), share(exact, "/table/after/prosecutor"));
    assert_eq!(share(told, "/table/after/disclosure/certain"), None);
    let marketer = share(told, "/table/before/marketer").unwrap();
    assert_eq!((marketer * 100.0).round() % 5.0, 0.0);
    let last = exact["points"].as_array().unwrap().last().unwrap();
    assert!(last["before"]["singled_out"].as_f64() > last["after"]["singled_out"].as_f64());
    let report = desk.read("release/report.html");
    assert!(report.contains("Prosecutor") && report.contains("Columns of a person the attacker knows"));
}

#[test]
fn anyone_may_play_the_attacker_of_a_table() {
    let desk = desk();
    desk.ok(&anonymize("incognito"));
    let attack = format!("attack people.csv {COLUMNS} --release release --know");
    insta::assert_snapshot!(desk.ok(&format!("{attack} 'age=21, sex=F'")).all());
    let asked = desk.ok(&format!("{attack} age=21,sex=F --json")).json();
    assert_eq!(asked["before"]["people"], 2);
    assert!(asked["after"]["people"].as_u64() >= Some(2));
    let alone = desk.ok("attack release --know sex=F --json").json();
    assert!(alone["after"]["people"].as_u64() >= Some(8));
    let refused = desk.run(&format!("{attack} agee=21"));
    assert_eq!((refused.code, refused.stderr.contains("did you mean `age`?")), (2, true));
}

#[test]
fn a_table_may_come_and_go_as_parquet() {
    let desk = desk();
    desk.ok(&format!("{} --format parquet", anonymize("incognito")));
    assert!(desk.path("release/records.parquet").exists() && !desk.path("release/records.csv").exists());
    assert_eq!(desk.ok("verify release --sensitive-attribute disease --json").json()["holds"], true);
    let measured = desk.ok(&format!("measure people.csv release {COLUMNS} --json")).json();
    // The released table is a table that can be read: its cells are values.
    desk.ok("inspect release/records.parquet --id record --quasi age,sex --json");
    desk.ok(&anonymize("incognito"));
    assert_eq!(desk.ok(&format!("measure people.csv release {COLUMNS} --json")).json(), measured);
}

#[test]
fn a_policy_is_for_sets() {
    let desk = desk();
    let refused = desk.run("policy people.csv --subject name --derive km");
    assert!(refused.code != 0 && refused.stderr.contains("a policy is for sets"), "{}", refused.stderr);
}

/// `{hiv, missing}` is one value that is known: both groups of two would be diverse if a missing value counted.
#[test]
fn a_missing_value_does_not_diversify() {
    let desk = Desk::new();
    let four = "id,age,illness\na,20,hiv\nb,20,\nc,60,flu\nd,60,\n";
    desk.write("people.csv", four);
    let line = |more: &str| {
        format!(
            "anonymize people.csv --id id --quasi age --sensitive-attribute illness --method mondrian -k 2 -l 2 {more} -o release --force --salt {SALT}"
        )
    };
    desk.ok(&line("--missing value --bounds tight"));
    let counted = desk.read("release/records.csv");
    assert!(counted.contains(",20,hiv") && counted.contains(",60,flu"), "{counted}");
    assert_eq!(
        desk.run("verify release --promise l-diversity -l 2 --missing value --sensitive-attribute illness")
            .code,
        0
    );
    let broken = desk.run("verify release --promise l-diversity -l 2 --sensitive-attribute illness --json");
    assert_eq!((broken.code, &broken.json()["violations_total"]), (5, &2.into()), "{}", broken.all());
    desk.write("people.csv", &format!("{four}e,90,\nf,90,\n"));
    let said = desk.ok(&line("--bounds tight"));
    assert!(said.all().contains("4 of 6 values of `illness` are missing"), "{}", said.all());
    let left_out = desk.read("release/records.csv");
    assert!(!left_out.contains(",20,hiv"), "{left_out}");
    assert!(left_out.contains(",90,\n"), "a group without a value shows nothing to learn: {left_out}");
    assert_eq!(
        desk.ok("verify release --promise l-diversity -l 2 --sensitive-attribute illness --json").json()["holds"],
        true
    );
}

/// A position and a date for each person look like points on the way; a schema is asked for all the same.
#[test]
fn a_register_with_positions_gets_a_schema() {
    let desk = Desk::new();
    let row = |i: u32| {
        format!("id{i},19{:02}-03-1{},Rowe{i},Runte{i},42.{i:03}1,-71.{i:03}1\n", 30 + i % 60, i % 10)
    };
    let rows: String = (100..160).map(row).collect();
    desk.write("register.csv", &format!("Id,BIRTHDATE,FIRST,LAST,LAT,LON\n{rows}"));
    desk.ok("inspect register.csv --write-schema schema.toml");
    let schema = desk.read("schema.toml");
    for column in ["FIRST", "LAST"] {
        let (_, after) = schema.split_once(&format!("[columns.\"{column}\"]\n")).unwrap_or_default();
        assert!(after.starts_with("role = \"identifying\""), "{schema}");
    }
}

/// What a column may hold is public: the oldest person in the data does not show in it.
#[test]
fn a_declared_range_decides_where_ranges_end() {
    let desk = Desk::new();
    let people = |oldest: u32| {
        let rows: String = (0..60).map(|person| format!("p{person},{}\n", 20 + person * 7 % 31)).collect();
        format!("id,age\n{rows}old,{oldest}\n")
    };
    let line = |more: &str| {
        format!("anonymize people.csv --id id --method mondrian -k 5 {more} -o out --force --salt {SALT}")
    };
    let ends = |text: &str| -> Vec<String> {
        let cells =
            text.lines().skip(1).filter_map(|row| row.split_once(',')).map(|(_, cell)| cell.replace('"', ""));
        let mut cells: Vec<String> =
            cells.filter(|cell| !cell.ends_with("119]") && !cell.contains("120")).collect();
        cells.sort();
        cells.dedup();
        cells
    };
    let mut seen = Vec::new();
    for oldest in [52, 88, 119] {
        desk.write("people.csv", &people(oldest));
        desk.ok(&line("--quasi age --range age=0..120"));
        let cells = ends(&desk.read("out/records.csv"));
        for cell in &cells {
            let (low, high) = cell.trim_matches(['[', ']']).split_once(',').unwrap();
            let whole = |end: &str| end.parse::<u32>().unwrap() % 5;
            assert_eq!((whole(low), whole(high)), (0, 4), "{cell}");
        }
        seen.push(cells.into_iter().filter(|cell| cell.starts_with("[2")).collect::<Vec<_>>());
    }
    assert!(!seen[0].is_empty() && seen.iter().all(|cells| *cells == seen[0]), "{seen:?}");

    // A schema and a recipe say the same.
    let released = desk.read("out/records.csv");
    desk.write(
        "schema.toml",
        "id = \"id\"\n[columns.age]\nrole = \"quasi-identifying\"\nrange = \"0..120\"\n",
    );
    desk.ok(&line("--schema schema.toml"));
    assert_eq!(desk.read("out/records.csv"), released);
    let recipe = desk.ok(&line("--schema schema.toml --print-recipe")).stdout;
    assert!(recipe.contains("age = \"0..120\""), "{recipe}");
    desk.write("recipe.toml", &recipe);
    desk.ok(&format!("anonymize --recipe recipe.toml -o out --force --salt {SALT}"));
    assert_eq!(desk.read("out/records.csv"), released);

    let outside = desk.run(&line("--quasi age --range age=0..100"));
    assert_eq!(
        (outside.code, outside.stderr.contains("row 61 of column `age`")),
        (3, true),
        "{}",
        outside.stderr
    );
    assert!(!outside.stderr.contains("119"), "{}", outside.stderr);
    for (more, said) in [
        ("--quasi age --range age=100..0", "the smaller one first"),
        ("--quasi age --range aeg=0..100", "did you mean `age`?"),
        ("--quasi age --range age=2000-01-01..2020-01-01", "does not fit the column"),
        ("--quasi age --range age=0..120 --range age=0..130", "two ranges"),
    ] {
        let refused = desk.run(&line(more));
        assert_eq!((refused.code, refused.stderr.contains(said)), (2, true), "{more}: {}", refused.stderr);
    }
    desk.write("events.csv", "subject,item\na,x\nb,x\n");
    let refused =
        desk.run("anonymize events.csv --method suppress -k 2 -m 1 --range age=0..9 -o out --force");
    assert_eq!((refused.code, refused.stderr.contains("events only")), (2, true), "{}", refused.stderr);
}

/// Cells and nodes that would read as a range, a set, a star, or another value.
#[test]
fn awkward_cells_and_nodes_are_read_again_as_what_they_are() {
    let desk = Desk::new();
    let towns = ["[1,2]", "{a|b}", "*", "~17", "a|b", "\\", "y", "\u{fc}"];
    let mut rows = String::from("id,town,plan\n");
    for person in 0..48 {
        rows.push_str(&format!("p{person},\"{}\",\"{}\"\n", towns[person % 8], towns[person / 8 % 8]));
    }
    let nodes = ["{c|d}", "x", "[5,6]", "q|r"];
    let tree: String = (0..8).map(|at| format!("{};{};any\n", towns[at], nodes[at / 2])).collect();
    desk.write("people.csv", &rows).write("town.csv", &tree);
    for format in ["csv", "parquet"] {
        for (method, tree) in [
            ("incognito", "--hierarchy town=town.csv"),
            ("mondrian", "--hierarchy town=town.csv"),
            ("mondrian", ""),
            ("cluster", ""),
        ] {
            for bounds in ["public", "tight"] {
                desk.ok(&format!(
                    "anonymize people.csv --id id --quasi town,plan {tree} --method {method} -k 4 --bounds {bounds} --format {format} -o out --force --salt {SALT}"
                ));
                let verified = desk.ok("verify out --json").json();
                assert_eq!(verified["holds"], true, "{method} {tree} {bounds} {format}");
            }
        }
    }
}
