//! The publisher forges whole directories: data that keep no promise, with every manifest that might make `verify` say otherwise.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::program::Desk;
use crate::published::Published;

/// An honest release of a body, and unsafe rows in the same form that replace its own.
struct Body {
    name: &'static str,
    /// The run of an honest release into `theirs`.
    run: &'static str,
    /// The files that are replaced, with what the publisher puts there instead.
    unsafe_rows: &'static [(&'static str, &'static str)],
}

const BODIES: [Body; 6] = [
    Body {
        name: "sequence",
        run: "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 1",
        unsafe_rows: &[("release.csv", "record,item\n1,a\n1,b\n2,a\n2,b\n3,c\n")],
    },
    Body {
        name: "set",
        run: "anonymize trips.csv --sets --method pcta -k 2 -m 1",
        unsafe_rows: &[("release.csv", "record,item\n1,a\n1,b\n2,a\n2,b\n3,c\n")],
    },
    Body {
        name: "table",
        run: "anonymize people.csv --quasi zip,age --sensitive-attribute ill --method mondrian -k 2 -l 2",
        unsafe_rows: &[(
            "records.csv",
            "record,zip,age,ill\n1,10,31,flu\n2,11,32,hiv\n3,12,33,flu\n4,13,34,hiv\n",
        )],
    },
    Body {
        name: "mixed",
        run: "anonymize trips.csv --sets --records people.csv --quasi zip,age --method rfirst -k 2 -m 1 --allow-empty",
        unsafe_rows: &[
            ("records.csv", "record,zip,age\n1,10,31\n2,11,32\n3,12,33\n4,13,34\n"),
            ("release.csv", "record,item\n1,a\n2,a\n3,b\n4,b\n"),
        ],
    },
    Body {
        name: "chunks",
        run: "anonymize trips.csv --sets --method disassociation -k 2 -m 2",
        unsafe_rows: &[
            (
                "release.csv",
                "cluster,chunk,kind,record,item\n1,1,record,1,a\n1,1,record,1,b\n1,1,record,2,a\n",
            ),
            ("clusters.csv", "cluster,parent,size\n1,,4\n"),
        ],
    },
    Body {
        name: "counts",
        run: "anonymize trips.csv --method counts -k 2",
        unsafe_rows: &[(
            "counts.csv",
            "table,item,to,time,until,people\nvisits,a,,,,3\nmoves,a,b,,,9\nvisits,b,,,,3\n",
        )],
    },
];

/// An honest release of that body.
fn honest(body: &Body) -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\n1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n4,a\n4,b\n");
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\n");
    desk.write("people.csv", "subject,zip,age,ill\n1,10,31,flu\n2,10,31,hiv\n3,12,33,flu\n4,12,33,hiv\n");
    desk.ok(&format!("{} -o theirs", body.run));
    desk
}

/// What the manifest may say that would have to be true.
type Lie = (&'static str, fn(&mut Value));

const LIES: [Lie; 24] = [
    ("nothing", |_| {}),
    ("a verdict", |manifest| manifest["verdict"] = json!({"holds": true, "checked": 1_000_000})),
    ("more people", |manifest| manifest["counts"]["subjects"] = json!(1_000_000)),
    ("more records", |manifest| manifest["counts"]["records"] = json!(1_000_000)),
    ("made-up records", |manifest| manifest["nature"] = json!("synthetic")),
    ("sets", |manifest| manifest["kind"] = json!("set")),
    ("a table", |manifest| manifest["kind"] = json!("table")),
    ("sequences", |manifest| manifest["kind"] = json!("sequence")),
    ("insensitive columns", |manifest| roles(manifest, "insensitive")),
    ("sensitive columns", |manifest| roles(manifest, "sensitive")),
    ("identifying columns", |manifest| roles(manifest, "identifying")),
    ("no table", |manifest| {
        manifest.as_object_mut().unwrap().remove("table");
    }),
    ("no column", |manifest| manifest["columns"] = json!([])),
    ("km", |manifest| promise(manifest, "km", json!({"k": 2, "m": 1}))),
    ("k", |manifest| promise(manifest, "k", json!({"k": 2}))),
    ("kkm", |manifest| promise(manifest, "kkm", json!({"k": 2, "m": 1}))),
    ("p2k", |manifest| promise(manifest, "p2k", json!({"k": 2, "form": "release"}))),
    ("klm with every item sensitive", |manifest| {
        promise(manifest, "klm", json!({"k": 2, "l": 2, "m": 2}));
        manifest["promise"]["sensitive_items"] = json!(["a", "b", "c"]);
    }),
    ("k-counts", |manifest| promise(manifest, "k-counts", json!({"k": 2}))),
    ("dp", |manifest| {
        promise(manifest, "dp", json!({"epsilon": 1.0}));
        manifest["nature"] = json!("synthetic");
    }),
    ("mi", |manifest| promise(manifest, "mi", json!({"epsilon": 0.1}))),
    ("items that stand for all", |manifest| {
        manifest["generalised"] = json!([{"item": "c", "members": ["a", "b", "c"]}]);
    }),
    ("columns that are covered", |manifest| {
        manifest["columns_verdict"] = json!({"covered": true, "crowd": 2, "people_below": 0, "unique": 0,
            "accepted": false, "statement": "By all published columns together everyone is in a group of at least 2."});
    }),
    ("another form", |manifest| manifest["form"] = json!({"name": "counts", "rows": 1})),
];

fn roles(manifest: &mut Value, role: &str) {
    for column in manifest["table"].as_array_mut().into_iter().flatten() {
        column["role"] = json!(role);
    }
}

fn promise(manifest: &mut Value, name: &str, parameters: Value) {
    manifest["promise"]["name"] = json!(name);
    manifest["promise"]["parameters"] = parameters;
    manifest["also"] = json!([]);
}

/// Puts the unsafe rows in place, and makes the manifest fit them as well as a forger can.
fn forge(desk: &Desk, body: &Body) -> Value {
    let mut manifest = Published::of(desk, "theirs").manifest();
    for (name, rows) in body.unsafe_rows {
        desk.write(&format!("theirs/{name}"), rows);
    }
    let items = desk.path("theirs/items.csv");
    if items.exists() {
        fs::remove_file(items).unwrap();
        manifest["generalised"] = json!([]);
    }
    let outputs = manifest["outputs"].as_array_mut().unwrap();
    outputs.retain(|output| output["name"] != "items.csv");
    for output in outputs {
        output.as_object_mut().unwrap().remove("sha256");
    }
    let (mut records, mut found, mut events) = (BTreeSet::new(), BTreeSet::new(), 0);
    for (name, rows) in body.unsafe_rows.iter().filter(|(name, _)| *name != "clusters.csv") {
        for row in rows.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            records.insert(cells[0].to_owned());
            if *name == "release.csv" {
                events += 1;
                found.insert(cells[cells.len() - 1].to_owned());
            }
        }
    }
    manifest["counts"]["events_after"] = json!(events);
    manifest["counts"]["items_after"] = json!(if body.name == "counts" { 2 } else { found.len() });
    manifest["counts"]["records"] = json!(match body.name {
        "chunks" => 4,
        "counts" => 0,
        _ => records.len(),
    });
    manifest["counts"]["subjects"] = manifest["counts"]["records"].clone();
    manifest
}

/// Whatever the manifest says, unsafe rows are not said to keep a promise, and nothing crashes.
#[test]
fn unsafe_rows_are_never_believed() {
    let mut tried = 0;
    for body in &BODIES {
        let desk = honest(body);
        let manifest = forge(&desk, body);
        for (name, lie) in LIES {
            let mut lied = manifest.clone();
            lie(&mut lied);
            desk.write("theirs/manifest.json", &lied.to_string());
            let ran = desk.run("verify theirs");
            assert!(
                [3, 5, 6].contains(&ran.code),
                "{}: {name}: {}\n{}{}",
                body.name,
                ran.code,
                ran.stdout,
                ran.stderr
            );
            tried += 1;
        }
    }
    assert!(tried >= 100, "{tried}");
}

/// What is put into the directory of a release that is fine.
type Hidden = (&'static str, fn(&Desk, &mut Value));

const HIDDEN: [Hidden; 8] = [
    ("a file that is not listed", |desk, _| {
        desk.write("theirs/raw.csv", "name,ill\nAda,hiv\n");
    }),
    ("a file that is listed", |desk, manifest| {
        desk.write("theirs/raw.csv", "name,ill\nAda,hiv\n");
        manifest["outputs"].as_array_mut().unwrap().push(json!({"role": "extra", "name": "raw.csv"}));
    }),
    ("a folder", |desk, _| {
        desk.write("theirs/more/raw.csv", "name,ill\nAda,hiv\n");
    }),
    ("a file elsewhere", |_, manifest| {
        manifest["outputs"].as_array_mut().unwrap().push(json!({"role": "extra", "name": "../people.csv"}));
    }),
    ("a second body", |desk, _| {
        let name = if desk.path("theirs/counts.csv").exists() { "records.csv" } else { "counts.csv" };
        desk.write(&format!("theirs/{name}"), "record,name\n1,Ada\n");
    }),
    ("a copy for spreadsheets that is none", |desk, _| {
        desk.write("theirs/release.spreadsheet.csv", "record,item\n1,Ada\n");
    }),
    ("an explanation of an item that does not occur", |desk, manifest| {
        desk.write("theirs/items.csv", "item,member\nAda,hiv\nAda,flu\n");
        manifest["outputs"].as_array_mut().unwrap().push(json!({"role": "items", "name": "items.csv"}));
    }),
    ("a part of the manifest", |_, manifest| manifest["people"] = json!([["Ada", "hiv"]])),
];

/// A directory is published whole: what lies in it besides is named, and the answer is not that all is well.
#[test]
fn what_lies_beside_a_release_is_named() {
    for body in &BODIES {
        let desk = honest(body);
        let typed =
            if body.name == "table" { "verify theirs --sensitive-attribute ill" } else { "verify theirs" };
        desk.ok(typed);
        let files = fs::read_dir(desk.path("theirs")).unwrap();
        let own: Vec<_> = files
            .map(|file| file.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        for (name, hide) in HIDDEN {
            let mut manifest = Published::of(&desk, "theirs").manifest();
            hide(&desk, &mut manifest);
            desk.write("theirs/manifest.json", &manifest.to_string());
            let ran = desk.run(typed);
            assert!([3, 5, 6].contains(&ran.code), "{}: {name}: {}\n{}", body.name, ran.code, ran.stdout);
            fs::remove_dir_all(desk.path("theirs")).unwrap();
            fs::create_dir(desk.path("theirs")).unwrap();
            own.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
        }
    }
}

/// Raw rows with a column of names; the manifest calls what would give them away insensitive or sensitive.
#[test]
fn roles_in_the_manifest_do_not_hide_columns() {
    let table = &BODIES[2];
    for role in ["insensitive", "sensitive"] {
        let desk = honest(table);
        let mut manifest = forge(&desk, table);
        desk.write(
            "theirs/records.csv",
            "record,zip,age,ill,name\n1,10,31,flu,Ada\n2,10,31,hiv,Bob\n3,12,33,flu,Cyd\n4,12,33,hiv,Dee\n",
        );
        manifest["columns"] = json!(["zip", "age", "ill", "name"]);
        let columns = manifest["table"].as_array_mut().unwrap();
        columns.push(json!({"name": "name", "role": role, "type": "category"}));
        desk.write("theirs/manifest.json", &manifest.to_string());
        let ran = desk.run("verify theirs --sensitive-attribute ill --json");
        assert_eq!(ran.code, 5, "{role}: {}", ran.stdout);
        // The person who verifies may say that attackers do not know it; the answer says that it was typed.
        let ran = desk.run("verify theirs --sensitive-attribute ill --insensitive name --json");
        assert!(ran.json()["judged"].to_string().contains("as was typed"), "{}", ran.stdout);
    }
}

/// An honest table is partly verified while only its manifest says what is sensitive, and whole once the reader says so.
#[test]
fn the_reader_says_what_is_sensitive() {
    let desk = honest(&BODIES[2]);
    let untyped = desk.fails("verify theirs --json", 6).json();
    assert_eq!(untyped["answer"], "judged-in-part", "{untyped}");
    assert!(untyped["not_judged"].to_string().contains("--sensitive-attribute ill"), "{untyped}");
    let typed = desk.ok("verify theirs --sensitive-attribute ill --json").json();
    assert_eq!((&typed["known"], &typed["sensitive"]), (&json!(["zip", "age"]), &json!(["ill"])));
    let names: Vec<&str> = typed["promises"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["promise"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["k", "l-diversity"]);
}

/// A claim under `also` that does not hold is found.
#[test]
fn further_promises_are_judged() {
    let desk = honest(&BODIES[2]);
    let mut manifest = Published::of(&desk, "theirs").manifest();
    manifest["also"][0]["promise"]["parameters"]["l"] = json!(3);
    desk.write("theirs/manifest.json", &manifest.to_string());
    let ran = desk.fails("verify theirs --sensitive-attribute ill --json", 5);
    assert_eq!(ran.json()["promises"][1]["answer"], "does-not-hold");
}

/// Mixed data that are called k^m-anonymous are judged with their columns.
#[test]
fn mixed_data_called_km_are_judged_with_their_columns() {
    let mixed = &BODIES[3];
    let desk = honest(mixed);
    let mut manifest = forge(&desk, mixed);
    promise(&mut manifest, "km", json!({"k": 2, "m": 1}));
    manifest.as_object_mut().unwrap().remove("table");
    desk.write("theirs/manifest.json", &manifest.to_string());
    let ran = desk.fails("verify theirs --promise km -k 2 -m 1 --json", 5).json();
    assert!(ran["violations"].to_string().contains("zip=10"), "{ran}");
}
