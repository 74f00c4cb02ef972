//! A file of the user's: read, mended, edited.

use std::io::Write;

use serde_json::{Value, json};

use crate::client::{Place, wait_for};

#[test]
fn a_wrong_column_is_mended_on_the_screen() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("visits.csv", "who;where;when\nann;zoo;2\nann;pub;1\nbob;zoo;1\n");
    let view = server.data(&project);
    assert_eq!((&view["state"], &view["rows"]), (&json!("problem"), &json!(3)));
    assert!(view["problem"]["help"].to_string().contains("person"), "{view}");
    assert!(view["columns"].as_array().unwrap().iter().all(|column| column["role"].is_null()));
    server.ask("GET", &format!("{project}/risk"), None).refused(409);

    let answer =
        server.ask("PUT", &format!("{project}/columns"), Some(json!({"roles": {"whom": "subject"}})));
    assert!(answer.refused(422)["help"].to_string().contains("who, where, when"));
    let roles = json!({"roles": {"who": "subject", "where": "item", "when": "time"}});
    assert_eq!(server.ask("PUT", &format!("{project}/columns"), Some(roles)).status, 200);
    let view = server.data(&project);
    assert_eq!((&view["state"], &view["kind"]), (&json!("ready"), &json!("timed")));
    assert_eq!(view["counts"], json!({"subjects": 2, "records": 2, "events": 3, "items": 2}));
    assert_eq!(view["sentence"], "2 people, 2 items, 3 events; 1.50 a record on average, in order of time.");
}

#[test]
fn a_column_taken_for_the_record_can_be_left_out() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("t.csv", "subject,trip,item\nann,1,zoo\nann,2,pub\n");
    assert_eq!(server.data(&project)["counts"]["records"], 2);
    let roles = json!({"roles": {"trip": "none"}});
    assert_eq!(server.ask("PUT", &format!("{project}/columns"), Some(roles)).status, 200);
    assert_eq!(server.data(&project)["counts"]["records"], 1);
}

#[test]
fn what_a_broken_file_holds_before_its_defect_is_shown() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("t.csv", "subject,item\nann,zoo\nbob\n");
    let view = server.data(&project);
    assert_eq!(
        (&view["state"], &view["rows"], &view["problem"]["line"]),
        (&json!("problem"), &json!(1), &json!(3))
    );
    assert!(view["problem"]["detail"].as_str().unwrap().starts_with("`t.csv` line 3"), "{view}");
}

#[test]
fn edits_are_undone_and_redone_across_restarts() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("t.csv", "subject,item\nann,zoo\nann,pub\nbob,zoo\nbob,mall\n");
    let edit = |edit| server.post(&format!("{project}/edits"), edit);
    edit(json!({"op": "rename-item", "from": "zoo", "to": "park"}));
    edit(json!({"op": "delete", "rows": [3]}));
    edit(json!({"op": "set", "row": 1, "column": "item", "value": "bar"}));
    assert_eq!(server.post(&format!("{project}/undo"), json!({})), json!({"undo": 2, "redo": 1, "rows": 3}));
    let before = server.get(&format!("{project}/rows"));
    drop(server);

    let server = place.serve().enter();
    let view = server.data(&project);
    assert_eq!((&view["undo"], &view["redo"], &view["counts"]["items"]), (&json!(2), &json!(1), &json!(2)));
    assert_eq!(server.get(&format!("{project}/rows")), before);
    server.post(&format!("{project}/redo"), json!({}));
    let rows = server.get(&format!("{project}/rows"));
    assert_eq!(rows["rows"], json!([[0, "ann", "park"], [1, "ann", "bar"], [2, "bob", "park"]]));
    for _ in 0..3 {
        server.post(&format!("{project}/undo"), json!({}));
    }
    assert_eq!(server.get(&format!("{project}/rows"))["total"], 4);
    server.ask("POST", &format!("{project}/edits"), Some(json!({"op": "delete", "rows": [99]}))).refused(422);
}

#[test]
fn meaning_is_made_edited_and_refused() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("t.csv", "subject,item\nann,a\nann,b\nbob,c\nbob,d\n");
    let path = |rest: &str| format!("{project}/{rest}");
    let put = server.ask_raw("PUT", &path("inputs/places"), "text/csv", b"item,x,y\na,1,1\n");
    let problem = put.refused(422);
    assert!(problem["detail"].as_str().unwrap().contains("places.csv"), "{problem}");
    let put =
        server.ask_raw("PUT", &path("inputs/places"), "text/csv", b"item,x,y\na,1,1\nb,2,2\nc,9,9\nd,8,8\n");
    assert_eq!((put.status, &put.json()["rows"]), (200, &json!(4)));
    assert_eq!(server.get(&path("map"))["bounds"], json!([1.0, 1.0, 9.0, 9.0]));

    let made = server.post(&path("inputs/taxonomy/generate"), json!({"fanout": 2, "by": "z-order"}));
    assert_eq!((&made["input"], &made["problem"]), (&json!("taxonomy"), &json!(null)));
    let root = server.get(&path("taxonomy"))["nodes"][0].clone();
    assert_eq!((&root["leaves"], &root["children"]), (&json!(4), &json!(2)));
    let edit = |edit| server.ask("PATCH", &path("taxonomy"), Some(edit));
    assert_eq!(edit(json!({"op": "add", "under": root["id"], "name": "far"})).status, 200);
    assert_eq!(edit(json!({"op": "move", "id": "c", "to": "far"})).status, 200);
    edit(json!({"op": "rename", "id": "a", "name": "z"})).refused(422);
    edit(json!({"op": "move", "id": root["id"], "to": "far"})).refused(422);
    let far = server.get(&path("taxonomy?under=far"));
    assert_eq!(far["nodes"][0]["name"], "c");
    assert_eq!(server.ask("DELETE", &path("inputs/taxonomy"), None).status, 204);
    server.ask("GET", &path("taxonomy"), None).refused(404);
}

#[test]
fn the_attacker_finds_whom_the_data_gives_away() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("t.csv", "subject,item\nann,a\nann,b\nbob,a\nbob,b\ncid,b\ncid,a\n");
    let play = |ordered| {
        let know = json!({"know": [{"item": "b"}, {"item": "a"}], "ordered": ordered});
        server.post(&format!("{project}/play"), know)["matches"].clone()
    };
    assert_eq!((play(true), play(false)), (json!(1), json!(3)));
    let risk = server.risk(&project, "known=2&below=3");
    assert_eq!((&risk["people"], &risk["below"]), (&json!(3), &json!(3)));
    assert_eq!(risk["points"].as_array().unwrap().len(), 2);
    let wrong = server.ask("GET", &format!("{project}/risk?known=99"), None).refused(422);
    assert_eq!(wrong["field"], "known");
}

#[test]
fn the_attacker_learns_what_those_who_fit_have_in_common() {
    let place = Place::new();
    let server = place.serve().enter();
    let text = "subject,item\nann,zoo\nann,zoo\nbob,zoo\ncid,zoo\ndan,pub\n";
    let project = server.project("t.csv", text);
    let play =
        || server.post(&format!("{project}/play"), json!({"know": [{"item": "zoo"}], "ordered": true}));
    assert_eq!(play()["sensitive"], json!(null));

    let put = |input: &str, text: &[u8]| {
        let answer = server.ask_raw("PUT", &format!("{project}/inputs/{input}"), "text/csv", text);
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    put("records", b"subject,ill,pay\nann,flu,1\nbob,flu,2\ncid,none,3\ndan,flu,4\n");
    assert_eq!(play()["sensitive"], json!(null));
    let roles = json!({"attributes": {"ill": "sensitive"}});
    assert_eq!(server.ask("PUT", &format!("{project}/columns"), Some(roles)).status, 200);
    server.data(&project);
    // People are counted, not rows: ann was there twice.
    let secrets = play()["sensitive"].clone();
    let first = json!({"attribute": "ill", "value": "flu", "people": 2, "share": 2.0 / 3.0});
    assert_eq!(
        (&secrets[0], &secrets[1]["value"], &secrets[1]["people"]),
        (&first, &json!("none"), &json!(1))
    );

    put("sensitive-values", b"pay=2,3\n");
    put("sensitive", b"pub\n");
    let values: Vec<String> = play()["sensitive"]
        .as_array()
        .unwrap()
        .iter()
        .map(|secret| {
            format!(
                "{} {}",
                secret["attribute"].as_str().unwrap_or("item"),
                secret["value"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(values, ["ill flu", "ill none", "pay 2", "pay 3"]);
    let pub_too = server.post(&format!("{project}/play"), json!({"know": [], "ordered": true}));
    let item =
        pub_too["sensitive"].as_array().unwrap().iter().find(|secret| secret["value"] == "pub").unwrap();
    assert_eq!((&item["attribute"], &item["people"]), (&json!(null), &json!(1)));
}

#[test]
fn a_file_on_this_machine_is_opened() {
    let place = Place::new();
    let file = place.write("my trips.csv", "subject,item\nann,zoo\n");
    let server = place.start(&["open", file.to_str().unwrap()]).enter();
    let projects = server.get("/api/projects");
    assert_eq!(projects[0]["name"], "my trips.csv");
    let screen = format!("#/p/{}/data", projects[0]["id"].as_str().unwrap());
    assert!(server.address.ends_with(&screen), "{}", server.address);
}

#[test]
fn a_workbench_that_runs_opens_the_file_of_another_command() {
    let place = Place::new();
    let server = place.serve().enter();
    let file = place.write("trips.csv", "subject,item\nann,zoo\n");
    let second = place.command(&["open", file.to_str().unwrap()]).output().unwrap();
    assert_eq!(second.status.code(), Some(0), "{}", String::from_utf8_lossy(&second.stderr));
    let address = String::from_utf8_lossy(&second.stdout).trim().to_owned();
    let projects = server.get("/api/projects");
    assert_eq!(projects[0]["name"], "trips.csv");
    let screen = format!("#/p/{}/data", projects[0]["id"].as_str().unwrap());
    let token = address.split("?token=").nth(1).unwrap().strip_suffix(&screen).unwrap().to_owned();
    let host = [("Host", server.host.as_str())];
    assert_eq!(server.send("GET", &format!("/?token={token}"), &host, b"").status, 303);

    // What cannot be opened is told in the terminal, and leaves nothing.
    for (file, code) in [("trips.exe", 3), ("nowhere.csv", 3)] {
        place.write("trips.exe", "x");
        let path = place.data().parent().unwrap().join(file);
        let refused = place.command(&["open", path.to_str().unwrap()]).output().unwrap();
        assert_eq!(refused.status.code(), Some(code), "{file}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(file));
    }
    assert_eq!(server.get("/api/projects").as_array().unwrap().len(), 1);

    // The door opens with the key only, which only the owner can read.
    let note = place.data().join("server.json");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&note).unwrap().permissions());
    assert_eq!(mode & 0o077, 0);
    let origin = format!("http://{}", server.host);
    let body = json!({"file": file}).to_string();
    let headers = [("Host", server.host.as_str()), ("Origin", &origin), ("Content-Type", "application/json")];
    server.send("POST", "/door", &headers, body.as_bytes()).refused(401);
    let wrong = [&headers[..], &[("x-throng-key", "wrong")]].concat();
    server.send("POST", "/door", &wrong, body.as_bytes()).refused(401);
    server.send("POST", "/door", &[("Host", server.host.as_str())], body.as_bytes()).refused(403);
    drop(server);
    assert!(!note.exists());
}

/// The note was taken away when the last request ended. A request that hangs outlives the server, and so did the note: the
/// next file was opened at a server that is gone.
#[test]
fn the_note_of_a_server_disappears_with_it_whatever_is_under_way() {
    let place = Place::new();
    let server = place.serve().enter();
    // The largest world there is takes much longer than a server that stops waits for a request.
    let body = json!({"world": "city", "subjects": 2_000_000}).to_string();
    let head = format!(
        "POST /api/projects HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nCookie: {1}\r\n\
         Content-Type: application/json\r\nContent-Length: {2}\r\n\r\n{body}",
        server.host,
        server.cookie,
        body.len()
    );
    let mut asking = std::net::TcpStream::connect(server.socket).unwrap();
    asking.write_all(head.as_bytes()).unwrap();
    let projects = place.data().join("projects");
    wait_for("the folder of the world", || {
        std::fs::read_dir(&projects).is_ok_and(|mut entries| entries.next().is_some()).then_some(())
    });
    let note = place.data().join("server.json");
    assert!(note.exists());
    drop(server);
    assert!(!note.exists());
}

#[test]
fn what_keeps_the_workbench_from_starting_is_told() {
    let said = |place: &Place, words: &[&str], code: i32, text: &str| {
        let output = place.command(words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(text) && said.contains("\nhelp: "), "{said}");
    };
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    said(&Place::new(), &["serve", "--port", &port], 7, "cannot be used");

    let place = Place::new();
    std::fs::create_dir(place.data()).unwrap();
    std::fs::write(
        place.data().join("workbench.sqlite"),
        "not a database, but long enough to be taken for one".repeat(40),
    )
    .unwrap();
    said(&place, &["serve"], 3, "damaged");

    let place = Place::new();
    std::fs::write(place.data(), "a file").unwrap();
    said(&place, &["serve"], 3, "cannot be made");

    // A note of a server that is gone, and a database that another process holds.
    let place = Place::new();
    let server = place.serve();
    said(&place, &["serve"], 7, &format!("at http://{}/", server.socket));
}

#[test]
fn attributes_of_people_have_histograms_and_known_roles_in_a_sample() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("patients", 200);
    let roles: Vec<(String, Value)> = server.data(&project)["attributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| (column["name"].as_str().unwrap().to_owned(), column["role"].clone()))
        .collect();
    let expected = ["age", "sex", "home", "diagnosis"]
        .map(str::to_owned)
        .into_iter()
        .zip(["quasi-identifying", "quasi-identifying", "quasi-identifying", "sensitive"].map(Value::from));
    assert_eq!(roles, expected.collect::<Vec<_>>());
    let bars = server.get(&format!("{project}/histogram?column=sex&attribute=true"));
    let people: u64 = bars["bars"].as_array().unwrap().iter().map(|bar| bar["count"].as_u64().unwrap()).sum();
    assert_eq!((people, &bars["total"]), (200, &200.into()));
    server.ask("GET", &format!("{project}/histogram?column=sex"), None).refused(404);
    server.ask("GET", &format!("{project}/histogram?column=ward&attribute=true"), None).refused(404);
}

#[test]
fn points_are_seen_on_a_grid_and_become_events_at_its_cells() {
    let place = Place::new();
    let server = place.serve().enter();
    let row = |i: u32| format!("{},{},{},{}\n", i % 8, 52.5 + f64::from(i % 5) / 100.0, 13.4, 600 * i);
    let text: String = (0..200).map(row).collect();
    let project = server.project("gps.tracks.csv", &format!("person,lat,lon,time\n{text}"));
    server.data(&project);
    let grid = server.get(&format!("{project}/points?cell=1km"));
    assert_eq!((&grid["cell"], &grid["points"], &grid["places"]), (&json!("1000m"), &json!(200), &json!(5)));
    let features = grid["map"]["features"]["features"].as_array().unwrap();
    let of_kind = |kind: &str| features.iter().filter(|one| one["geometry"]["type"] == kind).count();
    assert_eq!((of_kind("Polygon"), of_kind("Point")), (5, 200));
    let wrong = server.ask("GET", &format!("{project}/points?cell=wide"), None).refused(422);
    assert_eq!(wrong["field"], "cell");

    // One cell of everything says nothing: it is asked for twice.
    let one = json!({"cell": "900km"});
    let refusal = server.ask("POST", &format!("{project}/points"), Some(one)).refused(422);
    assert!(refusal["help"].to_string().contains("{\"setting\":\"accept-loss\"}"), "{refusal}");
    let made = server.post(&format!("{project}/points"), json!({"cell": "1km"}));
    assert_eq!(made["name"], "gps-places.csv");
    let made = format!("/api/projects/{}", made["id"].as_str().unwrap());
    let view = server.data(&made);
    assert_eq!((&view["counts"]["subjects"], &view["counts"]["items"]), (&json!(8), &json!(5)));
    assert_eq!(server.get(&format!("{made}/map"))["features"]["features"].as_array().unwrap().len(), 5);
    server.ask("GET", &format!("{made}/points"), None).refused(422);
}
