//! Edited tables: read as they are now, and handed to jobs as columns.

use std::fs;
use std::io::Read as _;

use flate2::read::DeflateDecoder;
use serde_json::{Value, json};

use crate::client::{Place, Server};

/// Twelve people who saw two places each, below names.
fn trips() -> String {
    let rows = (0..12).map(|n| format!("p{n},zoo,{}\np{n},\"pub, \"\"old\"\"\",{}\n", 2 * n, 2 * n + 1));
    format!("subject,item,time\n{}", rows.collect::<String>())
}

fn run(server: &Server, project: &str, spec: Value) -> Value {
    server.finish(&server.post(&format!("{project}/jobs"), spec))
}

/// Name and content of the first file of a zip.
fn first_file(zip: &[u8]) -> (String, String) {
    let length = |at: usize| usize::from(u16::from_le_bytes([zip[at], zip[at + 1]]));
    let (name, begins) = (length(26), 30 + length(26) + length(28));
    let mut content = String::new();
    DeflateDecoder::new(&zip[begins..]).read_to_string(&mut content).unwrap();
    (String::from_utf8_lossy(&zip[30..30 + name]).into_owned(), content)
}

#[test]
fn jobs_read_the_columns_and_people_get_csv() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("trips.csv", &trips());
    let spec =
        json!({"kind": "anonymize", "method": "suppress", "settings": {"k": "3", "m": "1"}, "seed": 1});
    let plain = run(&server, &project, spec.clone());
    assert_eq!(plain["state"], "done", "{plain}");
    let edits = [
        json!({"op": "delete", "rows": [22, 23]}),
        json!({"op": "rename-item", "from": "zoo", "to": "tv\ntower"}),
        json!({"op": "set", "row": 1, "column": "time", "value": "7"}),
    ];
    edits.into_iter().for_each(|edit| drop(server.post(&format!("{project}/edits"), edit)));
    let data = server.data(&project);
    assert_eq!((&data["counts"]["subjects"], &data["counts"]["events"]), (&json!(11), &json!(22)), "{data}");

    let edited = run(&server, &project, spec);
    assert_eq!(edited["state"], "done", "{edited}");
    let path = |job: &Value| format!("/api/jobs/{}", job["id"].as_str().unwrap());
    assert_eq!(server.get(&format!("{}/result", path(&edited)))["verdict"]["holds"], true);
    let folder = |job: &Value| {
        let found = fs::read_dir(place.data().join("projects")).unwrap().flatten();
        let job = job["id"].as_str().unwrap().to_owned();
        found.map(|entry| entry.path().join("jobs").join(&job)).find(|path| path.is_dir()).unwrap()
    };
    assert!(folder(&plain).join("data.csv").is_file());
    assert!(folder(&edited).join("data.frame").is_file() && !folder(&edited).join("data.csv").exists());

    let (name, content) = first_file(&server.ask("GET", &format!("{}/inputs", path(&edited)), None).body);
    assert_eq!(name, "trips-edited.csv");
    assert!(
        content.starts_with("subject,item,time\np0,\"tv\ntower\",0\np0,\"pub, \"\"old\"\"\",7\n"),
        "{content}"
    );
    assert!(edited["command"].as_str().unwrap().contains("anonymize trips-edited.csv"), "{edited}");
    assert!(edited["recipe"].as_str().unwrap().contains("events = \"trips-edited.csv\""), "{edited}");
    let (name, content) = first_file(&server.ask("GET", &format!("{}/inputs", path(&plain)), None).body);
    assert_eq!((name.as_str(), content), ("trips.csv", trips()));

    // What was made before the edits is told apart from the data as they are now.
    let now = server.get(&format!("{}/differences", path(&plain)));
    assert_eq!(now["people_removed"], 1, "{now}");
    let now = server.get(&format!("{}/differences", path(&edited)));
    assert_eq!(now["current"], true, "{now}");
}

#[test]
fn numbers_of_columns_do_not_become_a_row() {
    let place = Place::new();
    let server = place.serve().enter();
    let rows: String = (0..9).map(|n| format!("{},{}\n{},{}\n", n + 10, 7, n + 10, 8)).collect();
    let project = server.project("numbers.csv", &rows);
    let roles = json!({"1": "subject", "2": "item"});
    server.ask("PUT", &format!("{project}/columns"), Some(json!({"form": "sequences", "roles": roles})));
    server.post(&format!("{project}/edits"), json!({"op": "set", "row": 0, "column": "2", "value": "8"}));
    let data = server.data(&project);
    assert_eq!((&data["counts"]["subjects"], &data["counts"]["events"]), (&json!(9), &json!(18)), "{data}");
}

#[test]
fn a_defect_is_told_with_the_line_of_the_file() {
    let place = Place::new();
    let server = place.serve().enter();
    let text = "# made by hand\n\nsubject,item,time\nann,\"two\nlines\",1\n\nann,b,2\nbob,c,3\nbob,,4\n";
    let project = server.project("t.csv", text);
    let problem = server.until(&format!("{project}/data"), |data| data["state"] == "problem");
    assert_eq!(problem["problem"]["line"], 9, "{problem}");
    server.post(&format!("{project}/edits"), json!({"op": "delete", "rows": [1]}));
    let problem = server.until(&format!("{project}/data"), |data| data["state"] == "problem");
    assert_eq!(
        (&problem["problem"]["line"], &problem["problem"]["column"]),
        (&json!(9), &json!("item")),
        "{problem}"
    );
    server.post(&format!("{project}/edits"), json!({"op": "set", "row": 3, "column": "item", "value": "d"}));
    assert_eq!(server.data(&project)["counts"]["events"], 3);
}

#[test]
fn comparisons_and_recommendations_read_the_columns() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("trips.csv", &trips());
    server.post(&format!("{project}/edits"), json!({"op": "rename-item", "from": "zoo", "to": "park"}));
    let compare = |values: Value| {
        json!({"kind": "compare", "methods": [{"name": "suppress", "settings": {"m": "1"}}],
        "vary": {"param": "k", "values": values}})
    };
    let refused =
        server.ask("POST", &format!("{project}/jobs"), Some(compare(json!(["2", "many"])))).refused(422);
    assert_eq!(refused["field"], "methods", "{refused}");
    let job = run(&server, &project, compare(json!(["2", "3"])));
    assert_eq!(job["state"], "done", "{job}");
    assert!(job["recipe"].as_str().unwrap().contains("events = \"trips-edited.csv\""), "{job}");
    let result = server.get(&format!("/api/jobs/{}/result", job["id"].as_str().unwrap()));
    let cells = result["cells"].as_array().unwrap();
    assert!(cells.len() == 2 && cells.iter().all(|cell| cell["state"] == "done"), "{result}");
    let spec = json!({"kind": "recommend", "attacker_knows": "1", "settings": {"k": "2"}});
    let job = run(&server, &project, spec);
    assert_eq!(job["state"], "done", "{job}");
    assert!(job["command"].as_str().unwrap().contains("--attacker-knows 1 -k 2"), "{job}");
}
