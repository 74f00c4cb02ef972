//! Jobs: run, watched, stopped, and what is left of them.

use serde_json::{Value, json};

use crate::client::{Place, Server, processes};

/// A job that runs until it is stopped.
pub fn endless(server: &Server) -> (String, Value) {
    let project = server.world("city", 300);
    let spec = json!({"kind": "anonymize", "method": "wait-for-cancel", "settings": {}});
    (project.clone(), server.post(&format!("{project}/jobs"), spec))
}

pub fn running(server: &Server, job: &Value) -> String {
    let id = job["id"].as_str().unwrap().to_owned();
    // A phase has been heard of: the child is there.
    server.until(&format!("/api/jobs/{id}"), |job| {
        assert!(matches!(job["state"].as_str(), Some("queued" | "running")), "{job}");
        job["progress"]["phase"].is_string()
    });
    assert_eq!(processes(&id), 1);
    id
}

#[test]
fn a_release_is_made_watched_and_published() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("city", 500);
    let checked =
        server.post(&format!("{project}/check"), json!({"method": "seqanon", "settings": {"k": "x"}}));
    assert_eq!((&checked["ok"], &checked["problems"][0]["field"]), (&json!(false), &json!("k")));
    let spec = json!({"kind": "anonymize", "method": "seqanon", "settings": {"k": "3", "m": "2"}, "seed": 1});
    let job = server.post(&format!("{project}/jobs"), spec);
    let path = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    let events = server.ask("GET", &format!("{path}/events"), None).text();
    assert!(events.starts_with("event: state\n"), "{events}");
    assert!(events.trim_end().lines().rev().nth(1).is_some_and(|line| line == "event: state"), "{events}");
    let job = server.finish(&job);
    assert_eq!(job["state"], "done", "{job}");
    assert!(job["recipe"].as_str().unwrap().contains("name = \"seqanon\""), "{job}");
    assert_eq!(
        job["command"],
        "throng anonymize city.csv --places places.csv --taxonomy taxonomy.csv --method seqanon -k 3 -m 2 --seed 1 -o release"
    );

    let result = server.get(&format!("{path}/result"));
    assert_eq!((&result["kind"], &result["verdict"]["holds"]), (&json!("anonymize"), &json!(true)));
    assert_eq!(result["risk"]["after"]["points"][1]["singled_out"]["count"], 0);
    assert!(!result["reasons"]["first"].as_array().unwrap().is_empty());
    for map in ["map_before", "map_after"] {
        assert!(!result[map]["features"]["features"].as_array().unwrap().is_empty(), "{map}");
    }
    let names: Vec<Value> = server
        .get(&format!("{path}/files"))
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["name"].clone())
        .collect();
    assert_eq!(names, ["items.csv", "manifest.json", "recipe.toml", "release.csv", "report.html"]);
    // Nothing leaves before the checklist is complete; what is needed to decide can be seen.
    server.ask("GET", &format!("{path}/files/release.csv"), None).refused(409);
    server.ask("GET", &format!("{path}/download"), None).refused(409);
    assert!(server.ask("GET", &format!("{path}/files/report.html"), None).text().contains("<html"));

    let mut list = ticked(&server, &path);
    list["checklist"]["residual"] = json!(false);
    let open = server.ask("POST", &format!("{path}/publish"), Some(list)).refused(422);
    assert_eq!(open["field"], "residual");
    assert!(server.get(&path)["published"].is_null());
    let published = server.post(&format!("{path}/publish"), ticked(&server, &path));
    assert_eq!(published["download"], format!("{path}/download"));
    assert!(server.get(&path)["published"].is_string());
    let csv = server.ask("GET", &format!("{path}/files/release.csv"), None).text();
    assert!(csv.starts_with("record,item\n") && !csv.contains("p000001"));
    let zip = server.ask("GET", &format!("{path}/download"), None);
    assert!(zip.body.starts_with(b"PK"));
    // Who is who stays here.
    assert!(!zip.text().contains("linkage"));
    server.ask("GET", &format!("{path}/files/linkage.csv"), None).refused(404);

    let play = json!({"know": [{"item": "D4"}], "ordered": true, "release": job["id"]});
    let after = server.post(&format!("{project}/play"), play)["matches"].as_u64().unwrap();
    assert!(after >= 3, "{after}");
    drop(server);
    let server = place.serve().enter();
    assert_eq!(server.get(&path)["state"], "done");
    assert_eq!(server.get(&format!("{path}/result")), result);
}

/// A wish to publish with every point of the release's own checklist confirmed.
pub fn ticked(server: &Server, path: &str) -> Value {
    let points = server.get(&format!("{path}/checklist"));
    let keys = points.as_array().unwrap().iter().map(|point| point["key"].as_str().unwrap().to_owned());
    json!({"checklist": keys.map(|key| (key, json!(true))).collect::<serde_json::Map<_, _>>()})
}

pub fn released(server: &Server, project: &str, k: &str) -> String {
    let spec = json!({"kind": "anonymize", "method": "seqanon", "settings": {"k": k, "m": "2"}});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "done", "{job}");
    format!("/api/jobs/{}", job["id"].as_str().unwrap())
}

#[test]
fn what_is_published_is_recorded_and_the_next_release_of_the_same_people_is_warned_about() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("city", 300);
    let lines = || std::fs::read_to_string(place.ledger()).unwrap_or_default().lines().count();
    let told = |path: &str| server.until(&format!("{path}/ledger"), |told| told["state"] != "preparing");
    let publish = |path: &str| server.post(&format!("{path}/publish"), ticked(&server, path));

    let first = released(&server, &project, "3");
    // A trial is not a release.
    assert_eq!(lines(), 0);
    let before = told(&first);
    assert_eq!(
        (&before["state"], &before["warning"], &before["number"]),
        (&json!("ready"), &json!(null), &json!(null))
    );
    assert_eq!(publish(&first)["ledger"]["number"], 1);
    assert_eq!(publish(&first)["ledger"]["number"], 1);
    assert_eq!(lines(), 1);
    assert!(!std::fs::read_to_string(place.ledger()).unwrap().contains("p000001"));

    let second = released(&server, &project, "4");
    let told = told(&second);
    let earlier = &told["earlier"][0];
    assert_eq!(
        (&earlier["number"], &earlier["same_data"], &earlier["share"]),
        (&json!(1), &json!(true), &json!(1.0))
    );
    assert!(earlier["together"]["points"].as_array().is_some_and(|points| points.len() == 3), "{told}");
    assert!(told["warning"].as_str().unwrap().contains("released before"), "{told}");
    let mut left_out = ticked(&server, &second);
    left_out["ledger"] = json!(false);
    assert_eq!(server.post(&format!("{second}/publish"), left_out)["ledger"], json!(null));
    assert_eq!(lines(), 1);
    assert_eq!(publish(&second)["ledger"]["number"], 2);

    // The command line reads the same ledger, and finds it whole.
    let check = std::process::Command::new(env!("CARGO_BIN_EXE_throng"))
        .args(["ledger", "check"])
        .env_clear()
        .env("THRONG_LEDGER", place.ledger())
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

#[test]
fn a_ledger_that_cannot_be_used_stops_publishing_and_not_the_trial() {
    let place = Place::new();
    std::fs::create_dir_all(place.ledger()).unwrap();
    let server = place.serve().enter();
    let project = server.world("city", 300);
    let path = released(&server, &project, "3");
    let told = server.get(&format!("{path}/ledger"));
    assert_eq!(told["state"], "unavailable");
    assert!(told["problem"].is_string(), "{told}");
    let mut wish = ticked(&server, &path);
    let refused = server.ask("POST", &format!("{path}/publish"), Some(wish.clone())).refused(409);
    assert_eq!(refused["field"], "ledger");
    assert!(server.get(&path)["published"].is_null());
    wish["ledger"] = json!(false);
    server.post(&format!("{path}/publish"), wish);
    assert!(server.get(&path)["published"].is_string());
}

#[test]
fn a_cell_that_cannot_be_says_so_in_plain_words() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("t.csv", "subject,item\nann,zoo\nbob,pub\n");
    let methods = json!([{"name": "bf-p2ka", "settings": {"max-suppressed": "1%"}}]);
    let spec = json!({"kind": "compare", "methods": methods, "vary": {"param": "k", "values": [1, 5]}});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    let result = server.get(&format!("/api/jobs/{}/result", job["id"].as_str().unwrap()));
    let cells = result["cells"].as_array().unwrap();
    let cell = cells.iter().find(|cell| cell["x"] == "5").unwrap();
    assert_eq!(cell["state"], "infeasible", "{result}");
    assert!(cell["problem"].as_str().is_some_and(|words| words.len() > 20), "{result}");
}

#[test]
fn a_synthetic_release_has_no_people() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("clicks", 2000);
    let spec = json!({"kind": "anonymize", "method": "ngrams", "settings": {"epsilon": "1"}});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "done", "{job}");
    let result = server.get(&format!("/api/jobs/{}/result", job["id"].as_str().unwrap()));
    assert_eq!(result["manifest"]["nature"], "synthetic");
    let play = json!({"know": [], "ordered": true, "release": job["id"]});
    server.ask("POST", &format!("{project}/play"), Some(play)).refused(422);
}

#[test]
fn a_recommendation_says_why() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("city", 300);
    let spec =
        json!({"kind": "recommend", "promise": "km", "settings": {"k": "3", "m": "2"}, "keep": "distance"});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "done", "{job}");
    let result = server.get(&format!("/api/jobs/{}/result", job["id"].as_str().unwrap()));
    assert!(
        result["choice"]["method"].is_string() && !result["why"].as_str().unwrap().is_empty(),
        "{result}"
    );
    let first = &result["candidates"][0];
    assert!(first["values"][result["scale"].as_str().unwrap()].is_number(), "{result}");
    let promised = json!({"k": "3", "m": "2"});
    let wrong = json!({"kind": "recommend", "promise": "km", "settings": promised, "keep": "everything"});
    assert_eq!(server.ask("POST", &format!("{project}/jobs"), Some(wrong)).refused(422)["field"], "keep");
}

#[test]
fn methods_are_compared_over_a_range() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("city", 300);
    let methods = json!([{"name": "seqanon", "settings": {"m": "2"}}, {"name": "bf-p2ka", "settings": {}}]);
    let spec = |vary| json!({"kind": "compare", "methods": methods, "vary": vary});
    let range = json!({"param": "k", "from": 2, "to": 6, "step": 2});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec(range)));
    assert_eq!(job["state"], "done", "{job}");
    assert!(job["recipe"].as_str().unwrap().contains("throng-compare/1"), "{job}");
    let path = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    let result = server.get(&format!("{path}/result"));
    let cells = result["cells"].as_array().unwrap();
    let of = |cell: &Value| format!("{} {}", cell["method"].as_str().unwrap(), cell["x"].as_str().unwrap());
    let mut found: Vec<String> = cells.iter().map(of).collect();
    found.sort();
    assert_eq!(found, ["bf-p2ka 2", "bf-p2ka 4", "bf-p2ka 6", "seqanon 2", "seqanon 4", "seqanon 6"]);
    assert!(cells.iter().all(|cell| cell["state"] == "done" && cell["seconds"].is_number()), "{result}");
    let scales: Vec<&str> =
        result["scales"].as_array().unwrap().iter().map(|scale| scale["name"].as_str().unwrap()).collect();
    assert!(scales.contains(&"risk") && scales.contains(&"seconds") && scales.len() > 3, "{scales:?}");
    assert!(cells[0]["values"]["risk"].is_number(), "{result}");
    assert!(server.ask("GET", &format!("{path}/files/table.csv"), None).text().starts_with("data,method,k"));

    let endless = json!({"param": "k", "from": 2, "to": 1_000_000, "step": 1});
    assert_eq!(
        server.ask("POST", &format!("{project}/jobs"), Some(spec(endless))).refused(422)["field"],
        "vary"
    );
    let nothing = json!({"param": "epsilon", "values": ["1"]});
    assert_eq!(
        server.ask("POST", &format!("{project}/jobs"), Some(spec(nothing))).refused(422)["field"],
        "vary"
    );
}

#[test]
fn a_run_that_cannot_be_says_why() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("t.csv", "subject,item\nann,zoo\nbob,pub\n");
    let spec =
        json!({"kind": "anonymize", "method": "bf-p2ka", "settings": {"k": "5", "max-suppressed": "1%"}});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "failed");
    assert!(job["problem"]["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{job}");
    let path = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    server.ask("GET", &format!("{path}/result"), None).refused(409);
    server.ask("GET", &format!("{path}/download"), None).refused(409);
    let missing = json!({"kind": "anonymize", "method": "zga", "settings": {}});
    let refused = server.ask("POST", &format!("{project}/jobs"), Some(missing)).refused(422);
    assert_eq!(refused["field"], "places");
}

#[test]
fn cancel_ends_the_child() {
    let place = Place::new();
    let server = place.serve().enter();
    let (project, job) = endless(&server);
    let id = running(&server, &job);
    let next = json!({"kind": "anonymize", "method": "bf-p2ka", "settings": {}});
    let waiting = server.post(&format!("{project}/jobs"), next);
    assert_eq!(waiting["state"], "queued");
    let cancelled = server.post(&format!("/api/jobs/{id}/cancel"), json!({}));
    assert_eq!((&cancelled["state"], processes(&id)), (&json!("cancelled"), 0));
    // The queue goes on, and what is over cannot be stopped again.
    assert_eq!(server.finish(&waiting)["state"], "done");
    let again = server.post(&format!("/api/jobs/{}/cancel", waiting["id"].as_str().unwrap()), json!({}));
    assert_eq!(again["state"], "done");
    assert_eq!(server.ask("DELETE", &format!("/api/jobs/{id}"), None).status, 204);
    server.ask("GET", &format!("/api/jobs/{id}"), None).refused(404);
}

#[test]
fn a_server_that_stops_or_crashes_leaves_no_child_and_marks_its_jobs() {
    let place = Place::new();
    let server = place.serve().enter();
    let (project, job) = endless(&server);
    let id = running(&server, &job);
    server.crash();

    let server = place.serve().enter();
    let job = server.get(&format!("/api/jobs/{id}"));
    assert_eq!((&job["state"], &job["problem"]["help"]), (&json!("interrupted"), &json!(["start it again"])));
    assert_eq!(processes(&id), 0);

    let spec = job["spec"].clone();
    let id = running(&server, &server.post(&format!("{project}/jobs"), spec));
    drop(server);
    assert_eq!(processes(&id), 0);
    let server = place.serve().enter();
    assert_eq!(server.get(&format!("/api/jobs/{id}"))["state"], "interrupted");
}

/// Pages hold values as texts: a number in a job that another program posted left them empty.
#[test]
fn values_that_are_numbers_are_told_as_they_are_typed() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("city", 200);
    let spec = json!({"kind": "anonymize", "method": "seqanon", "settings": {"k": 3, "m": 2.0}});
    let refused = server.ask("POST", &format!("{project}/jobs"), Some(spec)).refused(422);
    assert_eq!(refused["field"], "m", "{refused}");
    let spec = json!({"kind": "anonymize", "method": "seqanon", "settings": {"k": 3, "m": 2}});
    let job = server.post(&format!("{project}/jobs"), spec);
    assert_eq!(job["spec"]["settings"], json!({"k": "3", "m": "2"}));
    let spec = json!({"kind": "compare", "methods": [{"name": "seqanon", "settings": {"m": 2}}],
        "vary": {"param": "k", "values": [2, "3"]}});
    let job = server.post(&format!("{project}/jobs"), spec);
    assert_eq!(job["spec"]["methods"][0]["settings"], json!({"m": "2"}));
    assert_eq!(job["spec"]["vary"]["values"], json!(["2", "3"]));
    let listed = server.get(&format!("{project}/jobs"));
    assert_eq!(listed[1]["spec"]["settings"], json!({"k": "3", "m": "2"}));
}

#[test]
fn a_comparison_of_too_many_values_is_refused_before_anything_else_is_looked_at() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("city", 200);
    let compare = |methods: Value, values: Vec<u32>| {
        let spec = json!({"kind": "compare", "methods": methods, "vary": {"param": "k", "values": values}});
        server.ask("POST", &format!("{project}/jobs"), Some(spec)).refused(422)
    };
    let many = compare(json!([{"name": "seqanon", "settings": {}}]), (2..60_002).collect());
    assert_eq!(many["field"], "vary", "{many}");
    assert!(many["detail"].as_str().unwrap().contains("at most 50 values"), "{many}");
    // Nothing but their number was looked at: the name of the method is wrong as well.
    let unknown = compare(json!([{"name": "nothing", "settings": {}}]), (2..60_002).collect());
    assert_eq!(unknown["field"], "vary", "{unknown}");
    let methods: Vec<Value> = (0..60).map(|_| json!({"name": "nothing", "settings": {}})).collect();
    assert_eq!(compare(json!(methods), vec![2])["field"], "methods");
}

/// `throng verify` cannot count people where one has several records and no linkage is published; the run can. Both are said.
#[test]
fn what_a_reader_can_verify_is_told_beside_the_verdict() {
    let place = Place::new();
    let server = place.serve().enter();
    let trips: String = (0..12)
        .flat_map(|person| ["a", "b"].map(|trip| format!("p{person},{trip},zoo\np{person},{trip},pub\n")))
        .collect();
    let project = server.project("trips.csv", &format!("subject,record,item\n{trips}"));
    let spec = json!({"kind": "anonymize", "method": "seqanon", "settings": {"k": "3", "m": "2"}});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec.clone()));
    assert_eq!(job["state"], "done", "{job}");
    let path = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    let result = server.get(&format!("{path}/result"));
    assert_eq!(
        (&result["verdict"]["holds"], &result["reader"]["answer"]),
        (&json!(true), &json!("judged-in-part"))
    );
    let words = result["reader"]["words"].to_string();
    for part in ["verify it in part", "24 records are of 12", "one record for each person", "counts records"]
    {
        assert!(words.contains(part), "{part}: {words}");
    }
    let verified = server.get(&format!("{path}/checklist"))[0].clone();
    assert_eq!(verified["key"], "verified");
    assert!(verified["about"].to_string().contains("Judged with your data"), "{verified}");
    assert!(verified["about"].to_string().contains("24 records are of 12"), "{verified}");

    let single = server.project("single.csv", "subject,item\na,zoo\nb,zoo\nc,zoo\n");
    let job = server.finish(&server.post(&format!("{single}/jobs"), spec));
    let result = server.get(&format!("/api/jobs/{}/result", job["id"].as_str().unwrap()));
    assert_eq!(result["reader"]["answer"], "holds", "{result}");
}
