//! What leaves the workbench: the release and nothing else, of the data as they are now, in words that are true of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Place, Server};
use crate::jobs::{released, ticked};

/// The folder of a job.
fn folder(place: &Place, project: &str, job: &str) -> PathBuf {
    let last = |address: &str| address.rsplit('/').next().unwrap().to_owned();
    place.data().join("projects").join(last(project)).join("jobs").join(last(job))
}

fn finished(server: &Server, project: &str, spec: Value) -> (String, Value) {
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "done", "{job}");
    (format!("/api/jobs/{}", job["id"].as_str().unwrap()), job)
}

fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

/// The zip held `recipe.toml`: the secret seed of differential privacy and the private names of files and columns.
#[test]
fn the_zip_is_the_release_directory_and_nothing_else() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("clicks", 1000);
    let spec = json!({"kind": "anonymize", "method": "ngrams", "settings": {"epsilon": "1"}, "seed": 987_654_321_987_u64});
    let (path, _) = finished(&server, &project, spec);
    server.post(&format!("{path}/publish"), ticked(&server, &path));
    let zip = server.ask("GET", &format!("{path}/download"), None).body;
    let archive = place.write("release.zip", "");
    std::fs::write(&archive, &zip).unwrap();
    let unpacked = place.data().parent().unwrap().join("unpacked");
    let script = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])";
    let done = Command::new("python3").args(["-c", script]).args([&archive, &unpacked]).status().unwrap();
    assert!(done.success());
    let taken = files(&unpacked.join("release"));
    assert_eq!(taken, files(&folder(&place, &project, &path).join("release")));
    let manifest: Value = serde_json::from_slice(&taken["manifest.json"]).unwrap();
    let mut named: Vec<&str> =
        manifest["outputs"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    named.push("manifest.json");
    named.sort_unstable();
    assert_eq!(taken.keys().map(String::as_str).collect::<Vec<_>>(), named);
    for (name, bytes) in &taken {
        assert!(!String::from_utf8_lossy(bytes).contains("987654321987"), "the seed is in {name}");
    }
    // The recipe is a download of its own, and says that it is private.
    let recipe = server.ask("GET", &format!("{path}/files/recipe.toml"), None).text();
    assert!(recipe.starts_with("# For you, not for publication"), "{recipe}");
    let list = server.get(&format!("{path}/files"));
    let private: Vec<&Value> =
        list.as_array().unwrap().iter().filter(|file| file["private"] == true).collect();
    assert_eq!((private.len(), &private[0]["name"]), (1, &json!("recipe.toml")));
}

/// The page sent seed 0 with every run: anybody could draw the noise again and take it off.
#[test]
fn a_seed_that_could_be_guessed_is_refused_for_secret_noise_and_none_is_needed() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("clicks", 1000);
    let spec = |seed: Value| json!({"kind": "anonymize", "method": "ngrams", "settings": {"epsilon": "1"}, "seed": seed});
    let refused = server.ask("POST", &format!("{project}/jobs"), Some(spec(json!(0)))).refused(422);
    assert_eq!(refused["field"], "seed");
    let checked = server.post(&format!("{project}/check"), spec(json!(7)));
    assert_eq!((&checked["ok"], &checked["problems"][0]["field"]), (&json!(false), &json!("seed")));
    // Two runs without a seed draw different noise.
    let releases: Vec<Vec<u8>> = (0..2)
        .map(|_| {
            let (path, job) = finished(&server, &project, spec(Value::Null));
            assert!(!job["recipe"].as_str().unwrap().contains("seed"), "{job}");
            std::fs::read(folder(&place, &project, &path).join("release/release.csv")).unwrap()
        })
        .collect();
    assert_ne!(releases[0], releases[1]);
}

/// After a person had been deleted the old release, with that person in it, was published without a word.
#[test]
fn a_person_who_was_removed_is_not_published() {
    let place = Place::new();
    let server = place.serve().enter();
    let rows: String = ["ann", "bob", "cid", "dan"].map(|name| format!("{name},zoo\n{name},pub\n")).concat();
    let project = server.project("t.csv", &format!("subject,item\n{rows}"));
    let spec = json!({"kind": "anonymize", "method": "bf-p2ka", "settings": {"k": "2"}});
    let (path, _) = finished(&server, &project, spec.clone());
    assert_eq!(server.get(&format!("{path}/differences"))["current"], true);
    let (published, _) = finished(&server, &project, spec.clone());
    server.post(&format!("{published}/publish"), ticked(&server, &published));

    server.post(&format!("{project}/edits"), json!({"op": "delete", "rows": [0, 1]}));
    let found = server.get(&format!("{path}/differences"));
    assert_eq!(
        (&found["current"], &found["may_be_published"], &found["people_removed"]),
        (&json!(false), &json!(false), &json!(1))
    );
    assert_eq!((&found["events_then"], &found["events_now"]), (&json!(8), &json!(6)));
    let mut wish = ticked(&server, &path);
    for earlier in [false, true] {
        wish["earlier_state"] = json!(earlier);
        let refused = server.ask("POST", &format!("{path}/publish"), Some(wish.clone())).refused(409);
        assert_eq!(refused["field"], "earlier_state");
        assert!(refused["help"].to_string().contains("run it again"), "{refused}");
    }
    // What was cleared before the withdrawal is not given out any more either.
    server.ask("GET", &format!("{published}/download"), None).refused(409);
    server.ask("GET", &format!("{published}/files/release.csv"), None).refused(409);

    // It is known after a restart, and gone when the edit is taken back.
    drop(server);
    let server = place.serve().enter();
    assert_eq!(server.get(&format!("{path}/differences"))["people_removed"], 1);
    server.post(&format!("{project}/undo"), json!({}));
    assert_eq!(server.get(&format!("{path}/differences"))["current"], true);
    server.post(&format!("{project}/redo"), json!({}));

    let (again, _) = finished(&server, &project, spec);
    assert_eq!(server.get(&format!("{again}/differences"))["current"], true);
    server.post(&format!("{again}/publish"), ticked(&server, &again));
    assert_eq!(server.ask("GET", &format!("{again}/download"), None).status, 200);
}

#[test]
fn a_release_of_an_earlier_state_is_published_only_when_that_is_asked_for() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("city", 300);
    let path = released(&server, &project, "3");
    let places = server.ask("GET", &format!("{project}/inputs/places?offset=0&limit=1000"), None).text();
    let mut lines: Vec<&str> = places.lines().collect();
    let last = lines.pop().unwrap();
    let moved = format!("{}\n{},1,1\n", lines.join("\n"), last.split(',').next().unwrap());
    let put = server.ask_raw("PUT", &format!("{project}/inputs/places"), "text/csv", moved.as_bytes());
    assert_eq!(put.status, 200, "{}", put.text());
    let found = server.get(&format!("{path}/differences"));
    assert_eq!(
        (&found["current"], &found["may_be_published"], &found["inputs"]),
        (&json!(false), &json!(true), &json!(["places"]))
    );
    let mut wish = ticked(&server, &path);
    server.ask("POST", &format!("{path}/publish"), Some(wish.clone())).refused(409);
    wish["earlier_state"] = json!(true);
    server.post(&format!("{path}/publish"), wish);
    assert_eq!(server.ask("GET", &format!("{path}/download"), None).status, 200);
}

/// A differentially private release was said to be "generalised only where needed", in crowds that it does not have.
#[test]
fn the_checklist_is_true_of_the_release() {
    let place = Place::new();
    let server = place.serve().enter();
    let words = |path: &str| server.get(&format!("{path}/checklist")).to_string();
    let project = server.world("clicks", 1000);
    let spec = json!({"kind": "anonymize", "method": "ngrams", "settings": {"epsilon": "1"}});
    let (noisy, _) = finished(&server, &project, spec);
    let said = words(&noisy);
    for wrong in ["coarser", "finds exactly", "fewer than 5", "numbered anew"] {
        assert!(!said.contains(wrong), "{wrong}: {said}");
    }
    assert!(said.contains("secret noise") && said.contains("privacy budget"), "{said}");
    let project = server.world("city", 300);
    let said = words(&released(&server, &project, "3"));
    assert!(said.contains("coarser") && said.contains("a secret that stays with you"), "{said}");
    assert!(!said.contains("secret noise"), "{said}");
}

/// "Copy as recipe" left out the published columns and the seed: the copy was another release.
#[test]
fn the_copied_recipe_and_the_copied_command_are_the_run() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.world("metro", 400);
    let spec = json!({
        "kind": "anonymize", "method": "lkc", "settings": {"L": "1", "K": "5", "C": "100%"}, "seed": 4,
        "publish": ["status"],
    });
    let checked = server.post(&format!("{project}/check"), spec.clone());
    let (path, job) = finished(&server, &project, spec);
    assert_eq!((&checked["recipe"], &checked["command"]), (&job["recipe"], &job["command"]));
    let own = folder(&place, &project, &path);
    // The files under the names that people know.
    let desk = place.data().parent().unwrap().join("desk");
    std::fs::create_dir(&desk).unwrap();
    for entry in std::fs::read_dir(&own).unwrap().map(|entry| entry.unwrap()) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_file() && name.ends_with(".csv") {
            std::fs::copy(entry.path(), desk.join(if name == "data.csv" { "metro.csv" } else { &name }))
                .unwrap();
        }
    }
    std::fs::write(desk.join("copied.toml"), job["recipe"].as_str().unwrap()).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_throng"));
    let run = |line: &str| {
        let ran = Command::new("/bin/sh")
            .args(["-c", line])
            .current_dir(&desk)
            .env_clear()
            .env("PATH", program.parent().unwrap())
            .env("THRONG_LEDGER", place.ledger())
            .output()
            .unwrap();
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    };
    // Every run has a secret of its own; that of this one is in the draft of its ledger entry.
    let draft: Value =
        serde_json::from_slice(&std::fs::read(own.join("ledger-entry.json")).unwrap()).unwrap();
    let salt = draft["salt"].as_str().unwrap();
    run(&format!("throng anonymize --recipe copied.toml --salt {salt} -o by-recipe"));
    let command = job["command"].as_str().unwrap();
    run(&command.replace("-o release", &format!("--salt {salt} -o by-command")));
    let expected = files(&own.join("release"));
    for repeated in ["by-recipe", "by-command"] {
        let found = files(&desk.join(repeated));
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for name in ["release.csv", "records.csv", "manifest.json", "report.html"] {
            let text = |files: &BTreeMap<String, Vec<u8>>| String::from_utf8_lossy(&files[name]).into_owned();
            assert_eq!(text(&found), text(&expected), "{name} {repeated}");
        }
    }
}

#[test]
fn a_table_of_a_release_has_a_copy_that_no_spreadsheet_runs_and_stays_exact_itself() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("t.csv", "subject,item\nann,=1+1\nbob,=1+1\n");
    let spec = json!({"kind": "anonymize", "method": "bf-p2ka", "settings": {"k": "2"}});
    let (path, _) = finished(&server, &project, spec);
    let copy = format!("{path}/files/release.csv/spreadsheet");
    server.ask("GET", &copy, None).refused(409);
    server.post(&format!("{path}/publish"), ticked(&server, &path));
    let answer = server.ask("GET", &copy, None);
    assert!(answer.header("content-disposition").unwrap().contains("release-for-spreadsheets.csv"));
    assert_eq!(answer.text(), "record,item\n1,'=1+1\n2,'=1+1\n");
    let exact = server.ask("GET", &format!("{path}/files/release.csv"), None).text();
    assert_eq!(exact, "record,item\n1,=1+1\n2,=1+1\n");
    server.ask("GET", &format!("{path}/files/manifest.json/spreadsheet"), None).refused(422);
}
