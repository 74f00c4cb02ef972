//! What the workbench does when something fails around it: it is killed, crowded out, or finds what others left.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::client::{Place, Server, processes, wait_for};
use crate::jobs::{endless, running};

const TRIPS: &str = "subject,item\nann,zoo\nann,pub\nbob,zoo\nbob,pub\n";

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn jobs_end_with_a_workbench_that_is_killed() {
    let place = Place::new();
    let server = place.serve().enter();
    let (_, job) = endless(&server);
    let id = running(&server, &job);
    server.crash();
    // No other workbench is started that could tidy up.
    wait_for("the end of the job's process", || (processes(&id) == 0).then_some(()));
}

#[test]
fn strangers_cannot_crowd_the_owner_out() {
    let place = Place::new();
    let server = place.serve().enter();
    let mut strangers = Vec::new();
    for number in 0..600 {
        let mut stream = server.connect();
        // Some say nothing, some begin to speak.
        if number % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
        }
        strangers.push(stream);
    }
    assert!(server.get("/api/projects").is_array());
    // The first of them had to leave.
    let _ = strangers[0].read(&mut [0]);
}

#[test]
fn a_client_that_does_not_finish_its_request_is_hung_up_on() {
    let place = Place::new();
    let server = place.start(&["serve", "--head-timeout", "50"]);
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    // Without the limit, this would wait for ever.
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
}

#[test]
fn what_an_earlier_workbench_left_half_done_is_swept_and_nothing_else() {
    let place = Place::new();
    let server = place.serve().enter();
    let whole = server.project("whole.csv", TRIPS);
    let going = server.project("going.csv", TRIPS);
    server.data(&going);
    server.crash();
    let folder = place.data().join("projects");
    let id = |project: &str| project.rsplit('/').next().unwrap().to_owned();
    // As if it had been killed in the middle of an upload, of making a project, and of deleting another.
    fs::write(folder.join(".upload-abc"), "half").unwrap();
    fs::create_dir_all(folder.join("aaaabbbbccccdddd")).unwrap();
    fs::write(folder.join("aaaabbbbccccdddd/unfinished"), "").unwrap();
    fs::write(folder.join("aaaabbbbccccdddd/data.csv"), "half").unwrap();
    fs::rename(folder.join(id(&going)), folder.join(format!(".deleted-{}", id(&going)))).unwrap();
    // A project that was deleted while another request wrote into its folder, as earlier versions left it.
    fs::create_dir_all(folder.join("abcdefghijkmnpqr/jobs/x")).unwrap();
    fs::write(folder.join("abcdefghijkmnpqr/jobs/x/data.csv"), TRIPS).unwrap();
    // Not the workbench's.
    fs::create_dir_all(folder.join("mine")).unwrap();
    fs::write(folder.join("mine/data.csv"), TRIPS).unwrap();
    let server = place.serve().enter();
    let mut left: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    let mut expected = [id(&whole), "mine".to_owned()];
    expected.sort();
    assert_eq!(left, expected);
    let projects = server.get("/api/projects");
    assert_eq!(projects.as_array().unwrap().len(), 1, "{projects}");
    assert_eq!(server.data(&whole)["state"], "ready");
    assert_eq!(server.ask("DELETE", &whole, None).status, 204);
    assert!(!folder.join(id(&whole)).exists());
}

#[test]
fn a_new_database_sweeps_no_project_of_the_one_that_was_lost() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("whole.csv", TRIPS);
    drop(server);
    for entry in fs::read_dir(place.data()).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with("workbench.sqlite") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    let server = place.serve().enter();
    assert_eq!(server.get("/api/projects").as_array().unwrap().len(), 0);
    let id = project.rsplit('/').next().unwrap();
    assert!(place.data().join("projects").join(id).join("data.csv").is_file());
}

/// Everything below a folder.
fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn a_project_that_is_deleted_while_others_write_into_it_leaves_nothing() {
    const WRITERS: usize = 6;
    let place = Place::new();
    let server = place.serve().enter();
    let spec = json!({"kind": "anonymize", "method": "bf-p2ka", "settings": {"k": "2"}});
    for round in 0..20 {
        let project = server.project("going.csv", TRIPS);
        server.data(&project);
        let places = b"item,x,y\nzoo,1,2\npub,2,3\n";
        let taken = server.ask_raw("PUT", &format!("{project}/inputs/places"), "text/csv", places);
        assert_eq!(taken.status, 200, "{}", taken.text());
        // Each writer has been answered once before the project goes, and writes on until it is told that it is gone.
        let began = std::sync::Barrier::new(WRITERS + 1);
        let answers: Vec<(u16, String)> = std::thread::scope(|scope| {
            let (server, project, began, spec) = (&server, &project, &began, &spec);
            let write = move |writer: usize| match writer % 3 {
                0 => server.ask("POST", &format!("{project}/jobs"), Some(spec.clone())),
                1 => server.ask_raw("PUT", &format!("{project}/inputs/places"), "text/csv", places),
                _ => {
                    server.ask("POST", &format!("{project}/undo"), None);
                    server.ask("POST", &format!("{project}/redo"), None)
                }
            };
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    scope.spawn(move || {
                        let mut answers = vec![write(writer)];
                        began.wait();
                        // Far more requests than fit into a deletion: if none is told, the deletion failed.
                        while answers.len() < 10_000 && answers.last().is_some_and(|last| last.status != 404)
                        {
                            answers.push(write(writer));
                        }
                        answers.into_iter().map(|last| (last.status, last.text())).collect::<Vec<_>>()
                    })
                })
                .collect();
            began.wait();
            let gone = server.ask("DELETE", project, None);
            assert_eq!(gone.status, 204, "{}", gone.text());
            // From here on, nothing of it is there: writers have not even heard of it.
            let left = files_below(&place.data().join("projects"));
            assert!(left.is_empty(), "round {round}: {left:?}");
            writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
        });
        assert!(answers.iter().any(|(status, _)| *status == 404));
        for (status, text) in answers {
            assert!(matches!(status, 200 | 202 | 404 | 409 | 422), "round {round}: {status}: {text}");
        }
        let left: Vec<_> = fs::read_dir(place.data().join("projects")).unwrap().flatten().collect();
        assert!(left.is_empty(), "round {round}: {left:?}");
    }
}

#[test]
fn what_was_typed_into_a_deleted_project_is_not_in_the_database_either() {
    let place = Place::new();
    let server = place.serve().enter();
    let project = server.project("going.csv", TRIPS);
    server.data(&project);
    let typed = "xq7-typed-by-hand";
    server
        .post(&format!("{project}/edits"), json!({"op": "set", "row": 0, "column": "item", "value": typed}));
    let files = || {
        let entries = fs::read_dir(place.data()).unwrap().flatten().map(|entry| entry.path());
        entries.filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    let holds = |path: &std::path::PathBuf| {
        fs::read(path).unwrap().windows(typed.len()).any(|bytes| bytes == typed.as_bytes())
    };
    assert!(files().iter().any(holds), "the edit is kept while the project is");
    assert_eq!(server.ask("DELETE", &project, None).status, 204);
    let left: Vec<_> = files().into_iter().filter(holds).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_directory_that_was_there_keeps_its_permissions() {
    let place = Place::new();
    fs::create_dir(place.data()).unwrap();
    fs::set_permissions(place.data(), fs::Permissions::from_mode(0o755)).unwrap();
    let server = place.serve().enter();
    assert_eq!(mode(&place.data()), 0o755);
    // What is made in it is its owner's alone.
    assert_eq!(mode(&place.data().join("projects")), 0o700);
    assert_eq!(mode(&place.data().join("workbench.sqlite")), 0o600);
    drop(server);
    let other = Place::new();
    let _server = other.serve();
    assert_eq!(mode(&other.data()), 0o700);
}

#[test]
fn a_database_of_a_later_version_is_refused_and_stays_as_it_is() {
    let place = Place::new();
    let file = place.data().join("workbench.sqlite");
    // An empty database: the header of the file, with the user version at 60, and a page without rows.
    let mut bytes = vec![0; 4096];
    bytes[..16].copy_from_slice(b"SQLite format 3\0");
    bytes[16..24].copy_from_slice(&[0x10, 0, 1, 1, 0, 64, 32, 32]);
    for (at, number) in [(24, 1_u32), (28, 1), (44, 4), (56, 1), (60, 99), (92, 1), (96, 3_045_000)] {
        bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
    }
    bytes[100..108].copy_from_slice(&[0x0d, 0, 0, 0, 0, 0x10, 0, 0]);
    fs::create_dir(place.data()).unwrap();
    fs::write(&file, &bytes).unwrap();
    let refused = place.command(&["serve"]).output().unwrap();
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(7), "{text}");
    assert!(text.contains("later version") && text.contains("--data-dir"), "{text}");
    assert_eq!(fs::read(&file).unwrap()[60..64], 99_u32.to_be_bytes());
}

#[test]
fn another_address_of_this_machine_is_listened_on() {
    let place = Place::new();
    let server = place.start(&["serve", "--bind", "127.0.0.2"]);
    assert!(server.host.starts_with("127.0.0.2:"), "{}", server.host);
    let server = server.enter();
    assert_eq!(server.upload("trips.csv", TRIPS).status, 201);
}

#[test]
fn the_browser_is_led_in_without_a_token_in_the_list_of_processes() {
    let place = Place::new();
    let (told, opener) =
        (place.write("told", ""), place.write("xdg-open", "#!/bin/sh\necho \"$@\" >> \"$TOLD\"\n"));
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(["serve", "--data-dir"]).arg(place.data()).env_clear();
    command.env("PATH", opener.parent().unwrap()).env("DISPLAY", ":0").env("TOLD", &told);
    let server = Server::of(command.stdin(Stdio::null()));
    let words = wait_for("the browser to be started", || {
        fs::read_to_string(&told).ok().filter(|text| text.ends_with('\n'))
    });
    assert!(!words.contains(&server.token), "{words}");
    let page = std::path::PathBuf::from(words.trim());
    assert_eq!(mode(&page), 0o600);
    assert!(fs::read_to_string(&page).unwrap().contains(&server.address));
    drop(server);
    assert!(!page.exists(), "an address that leads nowhere is kept");
}

#[test]
fn the_log_tells_what_happened_and_names_no_person() {
    let place = Place::new();
    let mut command = place.command(&["serve", "--log-format", "json"]);
    let log = place.write("log", "");
    let server = Server::of(command.stderr(fs::File::create(&log).unwrap())).enter();
    let project = server.project("ward-seven.csv", TRIPS);
    server.data(&project);
    server.get(&format!("{project}/rows?search=zoo"));
    let spec = json!({"kind": "anonymize", "method": "bf-p2ka", "settings": {"k": "2"}});
    server.finish(&server.post(&format!("{project}/jobs"), spec));
    server.ask("GET", "/api/projects/zoo", None).refused(404);
    let (token, cookie) = (server.token.clone(), server.cookie.split_once('=').unwrap().1.to_owned());
    let host = server.host.split_once('.').unwrap().0.to_owned();
    drop(server);
    let text = fs::read_to_string(&log).unwrap();
    let events: Vec<Value> = text
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let said = |message: &str| events.iter().filter(|event| event["message"] == message).count();
    assert!(
        said("started") == 1 && said("stopped") == 1 && said("job began") == 1 && said("job ended") == 1,
        "{text}"
    );
    let missed = |event: &&Value| event["route"] == "/api/projects/{project}" && event["status"] == 404;
    assert!(events.iter().any(|event| missed(&event)), "{text}");
    for secret in ["ward-seven", "zoo", "ann", token.as_str(), cookie.as_str(), host.as_str()] {
        let told = events.iter().find(|event| event.to_string().contains(secret));
        assert!(told.is_none(), "{secret}: {told:?}");
    }
}

/// A small file that unpacks to so many megabytes of rows.
fn bomb(megabytes: usize) -> Vec<u8> {
    let packed = |text: &str| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    };
    let mut all = packed("subject,item\n");
    // Files that are packed one by one and put behind each other are one packed file.
    let million = packed(&"ann,zoo\n".repeat(125_000));
    all.extend(million.repeat(megabytes));
    all
}

#[test]
fn reading_stops_when_the_project_goes() {
    let place = Place::new();
    let server = place.serve().enter();
    let answer =
        server.ask_raw("POST", "/api/projects/upload?name=t.csv.gz", "application/gzip", &bomb(4_000));
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    wait_for("a process that reads the file", || (processes(&id) == 1).then_some(()));
    assert_eq!(server.get(&format!("/api/projects/{id}/data"))["state"], "loading");
    assert_eq!(server.ask("DELETE", &format!("/api/projects/{id}"), None).status, 204);
    wait_for("the end of the process that reads", || (processes(&id) == 0).then_some(()));
    assert!(server.get("/api/projects").as_array().unwrap().is_empty());
}

#[test]
fn a_file_that_unpacks_to_more_than_may_be_is_refused_and_the_workbench_goes_on() {
    let place = Place::new();
    let server = place.start(&["serve", "--limit", "unpacked=3MB"]).enter();
    let packed = server.ask_raw("POST", "/api/projects/upload?name=t.csv.gz", "application/gzip", &bomb(4));
    let project = format!("/api/projects/{}", packed.json()["id"].as_str().unwrap());
    let view = server.data(&project);
    assert_eq!(view["state"], "problem");
    let told = view["problem"]["detail"].as_str().unwrap();
    assert!(told.contains("`t.csv.gz`") && told.contains("unpacks to more than 3 MB"), "{told}");
    assert!(view["problem"]["help"].to_string().contains("unpacked="), "{view}");
    assert_eq!(server.data(&server.project("t.csv", TRIPS))["state"], "ready");
}

#[test]
fn a_file_that_needs_too_much_memory_costs_the_workbench_nothing() {
    let place = Place::new();
    let server = place.start(&["serve", "--max-memory", "60"]).enter();
    let many: String = (0..400_000).map(|number| format!("person-{number},place-{number}\n")).collect();
    let view = server.data(&server.project("t.csv", &format!("subject,item\n{many}")));
    assert_eq!(view["state"], "problem", "{view}");
    let told = view["problem"]["detail"].as_str().unwrap();
    assert!(told.contains("more memory than reading a file may use (30 MB)"), "{told}");
    assert!(view["problem"]["help"].to_string().contains("\"setting\":\"max-memory\""), "{view}");
    assert_eq!(server.data(&server.project("t.csv", TRIPS))["state"], "ready");
}
