//! Tables and sets: read, given roles and hierarchies, anonymised and published, over HTTP.

use serde_json::{Value, json};

use crate::client::{Place, Server};

/// Forty people in four groups of ten.
fn people() -> String {
    let rows = (0..40).map(|n| {
        let disease = ["flu", "asthma", "cancer", "ulcer"][n % 4];
        format!(
            "p{n},{},{},{},{disease}\n",
            20 + n,
            if n % 2 == 0 { "f" } else { "m" },
            13_000 + n / 10 * 100 + n % 10
        )
    });
    format!("id,age,sex,zip,disease\n{}", rows.collect::<String>())
}

/// The project with its roles confirmed.
fn table(server: &Server) -> String {
    let project = server.project("people.csv", &people());
    let roles = json!({"age": "quasi-identifying", "sex": "quasi-identifying", "zip": "quasi-identifying",
        "disease": "sensitive", "id": "subject"});
    let kinds = json!({"zip": "category"});
    let body = json!({"form": "table", "roles": roles, "kinds": kinds});
    let answer = server.ask("PUT", &format!("{project}/columns"), Some(body));
    assert_eq!(answer.status, 200, "{}", answer.text());
    project
}

fn named(list: &Value, name: &str) -> Value {
    list.as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == name)
        .unwrap_or_else(|| panic!("{name}: {list}"))
        .clone()
}

#[test]
fn a_table_is_guessed_and_its_roles_are_the_users() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("people.csv", &people());
    let data = server.data(&project);
    assert_eq!(
        (&data["kind"], &data["form"], &data["form_said"]),
        (&json!("table"), &json!("table"), &json!(false))
    );
    assert_eq!(named(&data["columns"], "id")["guessed_role"], "subject");
    assert_eq!(named(&data["columns"], "age")["guessed_role"], "quasi-identifying");
    let project = table(&server);
    let data = server.data(&project);
    assert_eq!(
        data["sentence"],
        "40 people, a row each; 3 columns may identify together, 1 column must not be inferred."
    );
    assert_eq!(named(&data["columns"], "zip")["said_kind"], "category");
    let fits = server.get(&format!("{project}/fits"));
    assert_eq!(named(&fits["methods"], "mondrian")["ok"], true);
    let misfit = named(&fits["methods"], "seqanon");
    assert_eq!((&misfit["ok"], &misfit["why"]), (&json!(false), &json!("`seqanon` does not take tables")));
    // A type that the values do not have is explained, with the column.
    let wrong = json!({"kinds": {"sex": "number"}});
    assert_eq!(server.ask("PUT", &format!("{project}/columns"), Some(wrong)).status, 200);
    assert_eq!(server.data(&project)["problem"]["column"], "sex");
}

#[test]
fn hierarchies_are_made_edited_and_undone() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = table(&server);
    let path = |rest: &str| format!("{project}/{rest}");
    let made = server.post(&path("inputs/hierarchy:zip/generate"), json!({"by": "prefix"}));
    assert_eq!((&made["input"], &made["problem"]), (&json!("hierarchy:zip"), &json!(null)));
    assert!(made["note"].as_str().unwrap().contains("cut from the data"), "{made}");
    let root = server.get(&path("taxonomy?target=hierarchy:zip"))["nodes"][0].clone();
    assert_eq!((&root["name"], &root["leaves"]), (&json!("*"), &json!(40)));
    let edit = |edit| server.ask("PATCH", &path("taxonomy?target=hierarchy:zip"), Some(edit));
    assert_eq!(edit(json!({"op": "add", "under": "*", "name": "elsewhere"})).status, 200);
    edit(json!({"op": "rename", "id": "13000", "name": "x"})).refused(422);
    assert_eq!(server.get(&path("data"))["undo"], 2);
    let elsewhere = path("taxonomy?target=hierarchy:zip&under=elsewhere");
    assert_eq!(server.ask("GET", &elsewhere, None).status, 200);
    server.post(&path("undo"), json!({}));
    server.ask("GET", &elsewhere, None).refused(404);
    server.post(&path("undo"), json!({}));
    assert_eq!(server.get(&path("inputs")), json!([]));
    server.post(&path("redo"), json!({}));
    assert_eq!(server.get(&path("inputs"))[0]["rows"], 40);
    // One that misses values is refused, and nothing is replaced.
    let put = server.ask_raw("PUT", &path("inputs/hierarchy:sex"), "text/csv", b"f;*\n");
    assert!(put.refused(422)["detail"].as_str().unwrap().contains("sex"));
    for wrong in ["inputs/hierarchy:nowhere", "inputs/hierarchy"] {
        let put = server.ask_raw("PUT", &path(wrong), "text/csv", b"f;*\n");
        assert!(put.status == 404 || put.status == 422, "{wrong}: {}", put.text());
    }
}

#[test]
fn a_table_is_released_attacked_and_published() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = table(&server);
    server.post(&format!("{project}/inputs/hierarchy:zip/generate"), json!({"by": "prefix"}));
    let play = |release: Option<&Value>| {
        let know = json!([{"column": "age", "item": "25"}, {"column": "sex", "item": "m"}]);
        let mut body = json!({ "know": know });
        if let Some(job) = release {
            body["release"] = job["id"].clone();
        }
        server.post(&format!("{project}/play"), body)
    };
    assert_eq!(play(None)["matches"], 1);
    let spec = json!({"kind": "anonymize", "method": "mondrian", "settings": {"k": "5"}});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "done", "{job}");
    assert!(job["command"].as_str().unwrap().contains("--hierarchy zip=zip.csv"), "{job}");
    let path = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    let result = server.get(&format!("{path}/result"));
    assert_eq!(result["verdict"]["holds"], true);
    let ages =
        result["frequencies"].as_array().unwrap().iter().find(|one| one["column"] == "age").unwrap().clone();
    let released: u64 =
        ages["released"].as_array().unwrap().iter().map(|one| one["released"].as_u64().unwrap()).sum();
    assert_eq!(released, 40);
    assert!(play(Some(&job))["matches"].as_u64().unwrap() >= 5);
    let differences = server.get(&format!("{path}/differences"));
    assert_eq!(differences["current"], true, "{differences}");
    let edit = json!({"op": "set", "row": 0, "column": "age", "value": "77"});
    server.post(&format!("{project}/edits"), edit);
    assert_eq!(server.get(&format!("{path}/differences"))["people_changed"], 1);
    server.post(&format!("{project}/undo"), json!({}));
    let points = server.get(&format!("{path}/checklist"));
    let checklist: serde_json::Map<String, Value> = points
        .as_array()
        .unwrap()
        .iter()
        .map(|point| (point["key"].as_str().unwrap().to_owned(), json!(true)))
        .collect();
    server.post(
        &format!("{path}/publish"),
        json!({"checklist": checklist, "ledger": false, "earlier_state": false}),
    );
    let csv = server.ask("GET", &format!("{path}/files/records.csv"), None).text();
    assert!(csv.starts_with("record,age,sex,zip,disease\n"), "{csv}");
    assert_eq!(csv.lines().count(), 41);
    assert!(!csv.contains("p1,"));
}

#[test]
fn baskets_are_sets_with_a_policy() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("baskets", 400);
    let data = server.data(&project);
    assert_eq!((&data["kind"], &data["form"]), (&json!("sets"), &json!("sets")));
    let made =
        server.post(&format!("{project}/inputs/policy/generate"), json!({"derive": "frequency", "k": 5}));
    assert!(made["rows"].as_u64().unwrap() > 0, "{made}");
    let spec = json!({"kind": "anonymize", "method": "apriori", "settings": {"k": "3", "m": "2"}});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "done", "{job}");
    let result = server.get(&format!("/api/jobs/{}/result", job["id"].as_str().unwrap()));
    assert_eq!(result["verdict"]["holds"], true);
    assert!(!result["frequencies"][0]["original"].as_array().unwrap().is_empty());
    assert!(job["command"].as_str().unwrap().contains("--sets"), "{job}");
}

#[test]
fn a_world_opens_in_each_of_its_forms() {
    let place = Place::new();
    let server = place.serve().enter();
    for (form, kind) in [("table", "table"), ("sets", "sets"), ("sequences", "timed")] {
        let project =
            server.post("/api/projects", json!({"world": "patients", "subjects": 200, "form": form}));
        let project = format!("/api/projects/{}", project["id"].as_str().unwrap());
        let data = server.data(&project);
        assert_eq!((&data["kind"], &data["problem"]), (&json!(kind), &json!(null)), "{form}");
        let inputs = server.get(&format!("{project}/inputs"));
        assert!(!inputs.as_array().unwrap().is_empty(), "{form}");
        assert!(
            inputs.as_array().unwrap().iter().all(|input| input["problem"].is_null()),
            "{form}: {inputs}"
        );
    }
    let wrong = json!({"world": "city", "form": "table"});
    server.ask("POST", "/api/projects", Some(wrong)).refused(422);
}

/// Each person has an age of their own. An attacker who knows events would find no one: a table has none.
#[test]
fn attackers_of_a_table_know_columns() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = table(&server);
    let risk = server.risk(&project, "");
    let points = risk["points"].as_array().unwrap();
    assert_eq!(points.last().unwrap()["singled_out"]["share"], 1.0, "{risk}");
    assert!(points[0]["singled_out"]["share"].as_f64().unwrap() > 0.2, "{risk}");
}

/// With none ticked, all columns used to be published.
#[test]
fn a_column_that_is_not_ticked_is_not_published() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = table(&server);
    let spec = |publish: Value| json!({"kind": "anonymize", "method": "mondrian", "settings": {"k": "5"}, "publish": publish});
    let header = |spec: Value| {
        let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
        assert_eq!(job["state"], "done", "{job}");
        let folder = place.data().join("projects").join(project.rsplit('/').next().unwrap());
        let release = folder.join("jobs").join(job["id"].as_str().unwrap()).join("release/records.csv");
        let csv = std::fs::read_to_string(release).unwrap();
        (csv.lines().next().unwrap().to_owned(), job)
    };
    let (columns, job) = header(spec(json!(["zip", "disease"])));
    assert_eq!(columns, "record,zip,disease");
    let command = job["command"].as_str().unwrap();
    assert!(
        command.contains("--quasi zip ") && !command.contains("age") && !command.contains("sex"),
        "{command}"
    );
    assert!(!job["recipe"].as_str().unwrap().contains("age"), "{job}");
    // A sensitive column is withheld as any other.
    assert_eq!(header(spec(json!(["age"]))).0, "record,age");
    // None ticked: nothing is published, and the method needs a column to make coarser.
    for ticked in [json!([]), json!(["disease"])] {
        let refused = server.ask("POST", &format!("{project}/jobs"), Some(spec(ticked))).refused(422);
        assert_eq!(refused["field"], "publish", "{refused}");
        assert!(refused["detail"].as_str().unwrap().contains("none of them is ticked"), "{refused}");
    }
    let checked = json!({"method": "mondrian", "settings": {"k": "5"}, "publish": []});
    let checked = server.post(&format!("{project}/check"), checked);
    assert_eq!((&checked["ok"], &checked["problems"][0]["field"]), (&json!(false), &json!("publish")));
    // Who does not say which gets the columns that have a role.
    let all = json!({"kind": "anonymize", "method": "mondrian", "settings": {"k": "5"}});
    assert_eq!(header(all).0, "record,age,sex,zip,disease");
}

#[test]
fn a_column_of_mixed_data_that_is_not_ticked_is_not_published() {
    let place = Place::new();
    let server = place.serve().enter();
    let rows = (0..40).map(|n| {
        let codes = ["a b", "a", "b c", "a c"][n % 4];
        format!("p{n},{},{},{codes}\n", 20 + n, if n % 2 == 0 { "f" } else { "m" })
    });
    let project = server.project("people.csv", &format!("id,age,sex,codes\n{}", rows.collect::<String>()));
    let roles =
        json!({"age": "quasi-identifying", "sex": "quasi-identifying", "codes": "item", "id": "subject"});
    let answer =
        server.ask("PUT", &format!("{project}/columns"), Some(json!({"form": "mixed", "roles": roles})));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let spec =
        json!({"kind": "anonymize", "method": "rum-bound", "settings": {"k": "3"}, "publish": ["sex"]});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "done", "{job}");
    let folder = place.data().join("projects").join(project.rsplit('/').next().unwrap());
    let release = folder.join("jobs").join(job["id"].as_str().unwrap()).join("release/records.csv");
    assert!(std::fs::read_to_string(release).unwrap().starts_with("record,sex\n"));
    let command = job["command"].as_str().unwrap();
    assert!(command.contains("--role sex=") && !command.contains("--role age="), "{command}");
}
