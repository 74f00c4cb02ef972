//! The attacker can read: a release that has names in it needs no attack.

use crate::program::Desk;
use crate::published::Published;

/// A register of patients as hospitals export it.
fn register() -> Desk {
    let desk = Desk::new();
    let firsts = ["Aaron", "Berta", "Carla", "David", "Elena", "Franz", "Greta", "Hugo", "Irene", "Jonas"];
    let rows: String = (0..120)
        .map(|row| {
            let first = format!("{}{}", firsts[row % 10], 300 + row * 7 % 90);
            let last = format!("{}{}", ["Rowe", "Runte", "Hane", "Kuhn"][row % 4], 300 + row * 5);
            format!(
                "b9c610cd-28a6-4636-ccb6-c7a0d2a4{row:04x},19{:02}-0{}-11,{},999-{:02}-{:04},S999{:05},X{:08}X,{},{first},{last},{},{},{},\"{} {last} Street Apt {row}\",{},{},021{:02},{:.6},{:.6},{}\n",
                40 + row % 60,
                row % 9 + 1,
                if row % 9 == 0 { "2019-05-07" } else { "" },
                10 + row % 89,
                1000 + row * 31,
                row * 37,
                row * 91,
                ["Mr.", "Mrs."][row % 2],
                ["M", "S", ""][row % 3],
                ["white", "black", "asian"][row % 3],
                ["M", "F"][row % 2],
                100 + row,
                ["Boston", "Lynn", "Salem"][row % 3],
                ["Suffolk County", "Essex County"][row % 2],
                row % 40,
                42.0 + row as f64 / 777.0,
                -71.0 - row as f64 / 555.0,
                20_000 + row * 1_237,
            )
        })
        .collect();
    let header = "Id,BIRTHDATE,DEATHDATE,SSN,DRIVERS,PASSPORT,PREFIX,FIRST,LAST,MARITAL,RACE,GENDER,ADDRESS,CITY,COUNTY,ZIP,LAT,LON,INCOME";
    desk.write("patients.csv", &format!("{header}\n{rows}"));
    desk
}

const NAMES: [&str; 6] = ["SSN", "DRIVERS", "PASSPORT", "FIRST", "LAST", "ADDRESS"];

fn role_of(schema: &str, column: &str) -> String {
    let section = schema.split(&format!("[columns.\"{column}\"]\n")).nth(1).unwrap();
    section.split('"').nth(1).unwrap().to_owned()
}

#[test]
fn a_drafted_schema_keeps_names_and_documents_out() {
    let desk = register();
    desk.ok("inspect patients.csv --input-format table --write-schema schema.toml");
    let schema = desk.read("schema.toml");
    for column in NAMES {
        assert_eq!(role_of(&schema, column), "identifying", "{column}");
    }
    for column in
        ["BIRTHDATE", "PREFIX", "MARITAL", "RACE", "GENDER", "CITY", "COUNTY", "ZIP", "LAT", "LON", "INCOME"]
    {
        assert_eq!(role_of(&schema, column), "quasi-identifying", "{column}");
    }
    assert!(
        schema.contains("# its name is that of a column of names of people"),
        "the reason is there: {schema}"
    );
    desk.ok("anonymize patients.csv --schema schema.toml --method mondrian -k 5 -o out");
    let everything = Published::of(&desk, "out").everything();
    for word in ["Rowe", "Runte", "Aaron", "Street", "S999", "Apt"] {
        assert!(!everything.contains(word), "{word} is published");
    }
}

/// `{Rowe323|Runte676}` keeps k = 2, and names both.
#[test]
fn names_are_refused_as_quasi_identifiers_unless_accepted_one_by_one() {
    let desk = register();
    let run = "anonymize patients.csv --method mondrian -k 2 -o out";
    for column in NAMES {
        let ran = desk.fails(&format!("{run} --quasi {column},RACE"), 7);
        assert!(ran.stderr.contains(&format!("`{column}`")), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("--accept-identifier {column}")), "{}", ran.stderr);
        assert!(!ran.stderr.contains("Rowe"), "no value is told: {}", ran.stderr);
        assert!(!desk.path("out").exists());
    }
    let both = desk.fails(&format!("{run} --quasi FIRST,LAST,RACE --accept-identifier FIRST"), 7);
    assert!(both.stderr.contains("`LAST`") && !both.stderr.contains("`FIRST`"), "{}", both.stderr);
    let ran = desk.ok(&format!("{run} --quasi FIRST,RACE --accept-identifier FIRST"));
    let told = ran.all().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("does not protect a person who is named"), "{told}");
    let published = Published::of(&desk, "out");
    let accepted = &published.manifest()["accepted_identifiers"];
    assert_eq!(accepted[0]["column"], "FIRST", "{accepted}");
    assert!(published.text("report.html").contains("identify people directly: FIRST (names of people)"));
    let ledger = std::fs::read_to_string(desk.ledger()).unwrap();
    assert!(ledger.contains("\"accepted_identifiers\":[\"FIRST\"]"), "{ledger}");
    // The recipe says it as the flag does.
    let recipe =
        desk.ok(&format!("{run} --quasi FIRST,RACE --accept-identifier FIRST --force --print-recipe")).stdout;
    assert!(recipe.contains("accept-identifiers = [\"FIRST\"]"), "{recipe}");
    desk.write("recipe.toml", &recipe);
    desk.ok("anonymize --recipe recipe.toml -o again");
    desk.fails(&format!("{run} --quasi RACE --accept-identifier FIRTS --force"), 2);
}

#[test]
fn free_text_and_addresses_are_refused_as_sensitive_and_insensitive_columns() {
    let desk = Desk::new();
    let rows: String = (0..40)
        .map(|row| {
            format!(
                "{},{},Came with Mr {row} from next door and left before noon,p{row}@mail.example.org\n",
                30 + row / 10,
                ["a", "b"][row % 2]
            )
        })
        .collect();
    desk.write("people.csv", &format!("age,ward,remarks,reach\n{rows}"));
    let run = "anonymize people.csv --id - --quasi age --method mondrian -k 2 -o out";
    let text = desk.fails(&format!("{run} --sensitive-attribute remarks"), 7);
    assert!(
        text.stderr.contains("free text") && text.stderr.contains("--accept-identifier remarks"),
        "{}",
        text.stderr
    );
    let mail = desk.fails(&format!("{run} --publish reach --accept-exposed-columns"), 7);
    assert!(mail.stderr.contains("e-mail addresses"), "{}", mail.stderr);
    desk.ok(&format!("{run} --sensitive-attribute ward"));
}

#[test]
fn a_column_of_addresses_is_refused_beside_events_and_items_that_name_people_are_pointed_out() {
    let desk = Desk::new();
    let trips: String = (0..20).map(|person| format!("p{person},a\np{person},b\n")).collect();
    let rows: String =
        (0..20).map(|person| format!("p{person},box{}@mail.example.org\n", person % 2)).collect();
    desk.write("trips.csv", &format!("subject,item\n{trips}"));
    desk.write("people.csv", &format!("subject,email\n{rows}"));
    let run = "anonymize trips.csv --method suppress -k 5 -m 1 -o out --force";
    // Ten people share each address: no crowd is too small, and the column is refused all the same.
    let ran = desk.fails(&format!("{run} --records people.csv --publish email"), 7);
    assert!(
        ran.stderr.contains("`email`") && ran.stderr.contains("--accept-identifier email"),
        "{}",
        ran.stderr
    );
    desk.ok(&format!("{run} --records people.csv --publish email --accept-identifier email"));
    let letters: String =
        (0..20).map(|person| format!("p{person},ann@example.org\np{person},bob@example.org\n")).collect();
    desk.write("letters.csv", &format!("subject,item\n{letters}"));
    let ran = desk.ok("anonymize letters.csv --method suppress -k 5 -m 1 -o letters");
    assert!(ran.all().contains("the items look like e-mail addresses"), "{}", ran.all());
}
