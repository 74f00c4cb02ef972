//! Who is let in, and what no client can do.

use std::fs;

use crate::client::{Place, wait_for};

const TRIPS: &str = "subject,item\nann,zoo\nann,pub\nbob,zoo\n";

#[test]
fn a_token_lets_one_browser_in_once() {
    let place = Place::new();
    let server = place.serve();
    let host = [("Host", server.host.as_str())];
    let wrong = server.send("GET", "/?token=wrong", &host, b"");
    assert_eq!(wrong.status, 401);
    assert!(wrong.header("set-cookie").is_none());
    server.send("GET", "/api/projects", &host, b"").refused(401);
    let forged = [("Host", server.host.as_str()), ("Cookie", "throng=1")];
    server.send("GET", "/api/projects", &forged, b"").refused(401);

    let right = server.send("GET", &format!("/?token={}", server.token), &host, b"");
    assert_eq!((right.status, right.header("location")), (303, Some("/")));
    let cookie = right.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
    let again = server.send("GET", &format!("/?token={}", server.token), &host, b"");
    assert_eq!(again.status, 401);
    assert!(again.header("set-cookie").is_none());
}

/// The page in a file that opens the browser leads here. A redirect would count as that page's, and the strict cookie would not be sent.
#[test]
fn a_browser_that_a_page_led_here_goes_on_by_itself() {
    let place = Place::new();
    let server = place.serve();
    let headers = [("Host", server.host.as_str()), ("Sec-Fetch-Site", "cross-site")];
    let entered = server.send("GET", &format!("/?token={}", server.token), &headers, b"");
    assert_eq!((entered.status, entered.header("location")), (200, None));
    assert!(entered.header("set-cookie").is_some() && !entered.text().contains("token"));
    assert!(entered.text().contains("<script src=\"/enter.js\">"));
    assert_eq!(server.send("GET", "/enter.js", &headers, b"").status, 200);
}

#[test]
fn a_browser_that_lost_its_cookie_is_let_in_by_the_terminal() {
    let place = Place::new();
    let mut server = place.serve();
    let first = server.token.clone();
    let host = server.host.clone();
    let open = |server: &crate::client::Server, path: &str| server.send("GET", path, &[("Host", &host)], b"");
    assert_eq!(open(&server, &format!("/?token={first}")).status, 303);
    let stranger = open(&server, "/");
    assert_eq!(stranger.status, 401);
    assert!(stranger.text().contains("Look at the terminal") && !stranger.text().contains("token"));
    let second = server.next_token();
    assert_ne!(second, first);
    assert_eq!(open(&server, &format!("/?token={first}")).status, 401);
    assert_eq!(open(&server, &format!("/?token={second}")).status, 303);
    assert_eq!(open(&server, &format!("/?token={second}")).status, 401);
}

/// Browsers send a cookie to every port of a host. The page of another server on this machine must not get ours.
#[test]
fn the_cookie_belongs_to_a_secret_name_and_counts_nowhere_else() {
    let place = Place::new();
    let server = place.serve();
    let name = server.host.split_once(".localhost:").unwrap().0.to_owned();
    assert!(name.starts_with("throng-") && name.len() == 27, "{name}");
    let plain = format!("127.0.0.1:{}", server.socket.port());
    let open = |host: &str, path: &str, more: &[(&str, &str)]| {
        let headers: Vec<(&str, &str)> = [("Host", host)].into_iter().chain(more.iter().copied()).collect();
        server.send("GET", path, &headers, b"")
    };
    // Without a token the name is not told.
    for path in ["/", "/?token=wrong", "/api/projects", "/api/session", "/assets/x.js", "/door"] {
        let answer = open(&plain, path, &[]);
        assert!(matches!(answer.status, 401 | 404 | 405), "{path}: {}", answer.status);
        assert!(!answer.head.contains(&name) && !answer.text().contains(&name), "{path}");
    }
    // With one, the browser is led to the name, and gets its cookie only there.
    let led = open(&plain, &format!("/?token={}", server.token), &[]);
    assert_eq!((led.status, led.header("location")), (303, Some(server.address.as_str())));
    assert!(led.header("set-cookie").is_none(), "{}", led.head);
    let entered = open(&server.host, &format!("/?token={}", server.token), &[]);
    assert_eq!(entered.status, 303);
    let cookie = entered.header("set-cookie").unwrap();
    assert!(!cookie.to_lowercase().contains("domain"), "the cookie is for this one host: {cookie}");
    let pair = cookie.split(';').next().unwrap();
    let secret = format!("Bearer {}", pair.split_once('=').unwrap().1);
    assert_eq!(open(&server.host, "/api/projects", &[("Cookie", pair)]).status, 200);
    for other in [&plain, &format!("localhost:{}", server.socket.port())] {
        open(other, "/api/projects", &[("Cookie", pair)]).refused(401);
        assert_eq!(open(other, "/", &[("Cookie", pair)]).status, 401);
        // Programs that do not resolve the name say so in a header that no browser adds by itself.
        assert_eq!(open(other, "/api/projects", &[("Authorization", &secret)]).status, 200);
        open(other, "/api/projects", &[("Authorization", "Bearer wrong")]).refused(401);
    }
    // A tab that stays open finds the next server under the same name; others get another name.
    drop(server);
    let again = place.serve();
    assert!(again.host.starts_with(&format!("{name}.localhost:")), "{}", again.host);
    assert!(!Place::new().serve().host.starts_with(&name));
    use std::os::unix::fs::PermissionsExt;
    let file = fs::metadata(place.data().join("host-name")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}

#[test]
fn another_host_gets_nothing() {
    let place = Place::new();
    let server = place.serve().enter();
    let port = server.socket.port();
    let others = ["evil.example", "evil.localhost", "throng-aaaaaaaaaaaaaaaaaaaa.localhost"];
    let others = others.map(|name| format!("{name}:{port}"));
    for host in others.iter().map(String::as_str).chain(["evil.example", "127.0.0.1", "127.0.0.1:1", ""]) {
        let headers = [("Host", host), ("Cookie", server.cookie.as_str())];
        server.send("GET", "/api/projects", &headers, b"").refused(403);
        server.send("GET", "/", &headers, b"").refused(403);
    }
    server
        .raw(format!("GET /api/projects HTTP/1.0\r\nCookie: {}\r\n\r\n", server.cookie).as_bytes())
        .refused(403);
}

#[test]
fn another_site_cannot_change_anything() {
    let place = Place::new();
    let server = place.serve().enter();
    let own = format!("http://{}", server.host);
    let body = br#"{"world":"clicks","subjects":10}"#;
    let base = [
        ("Host", server.host.as_str()),
        ("Cookie", server.cookie.as_str()),
        ("Content-Type", "application/json"),
    ];
    let with = |more: &[(&'static str, &str)]| {
        let headers: Vec<(&str, &str)> = base.iter().copied().chain(more.iter().copied()).collect();
        server.send("POST", "/api/projects", &headers, body)
    };
    with(&[]).refused(403);
    with(&[("Origin", "null")]).refused(403);
    with(&[("Origin", "http://evil.example")]).refused(403);
    with(&[("Origin", &format!("{own}.evil.example"))]).refused(403);
    with(&[("Origin", &own), ("Sec-Fetch-Site", "cross-site")]).refused(403);
    assert_eq!(server.get("/api/projects").as_array().unwrap().len(), 0);
    assert_eq!(with(&[("Origin", &own)]).status, 201);
    let id = server.get("/api/projects")[0]["id"].as_str().unwrap().to_owned();
    for (method, path) in [
        ("PATCH", format!("/api/projects/{id}")),
        ("DELETE", format!("/api/projects/{id}")),
        ("PUT", format!("/api/projects/{id}/inputs/places")),
        ("POST", format!("/api/projects/{id}/undo")),
        ("POST", "/api/projects/upload?name=t.csv".to_owned()),
    ] {
        server.send(method, &path, &base, body).refused(403);
    }
    assert_eq!(server.get("/api/projects").as_array().unwrap().len(), 1);
}

#[test]
fn every_answer_forbids_what_is_not_ours() {
    let place = Place::new();
    let server = place.serve().enter();
    for path in ["/", "/api/projects", "/api/nothing", "/assets/nothing.js", "/api/openapi.json"] {
        let answer = server.ask("GET", path, None);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{path}");
        assert!(answer.header("access-control-allow-origin").is_none(), "{path}");
    }
    assert_eq!(server.ask("GET", "/api/projects", None).header("cache-control"), Some("no-store"));
    server.ask("GET", "/api/nothing", None).refused(404);
    server.ask("DELETE", "/api/projects", None).refused(405);
}

#[test]
fn names_lead_nowhere() {
    let place = Place::new();
    place.write("secret.csv", "subject,item\nsecret,secret\n");
    let server = place.serve().enter();
    let answer = server.upload("..%2F..%2F..%2Fsecret.csv", TRIPS);
    assert_eq!(answer.status, 201);
    assert_eq!(answer.json()["name"], "secret.csv");
    assert!(
        fs::read_to_string(place.data().parent().unwrap().join("secret.csv")).unwrap().contains("secret")
    );
    for path in [
        "/api/projects/..",
        "/api/projects/..%2F..%2Fsecret/data",
        "/api/projects/%2e%2e/inputs/places",
        "/api/jobs/..%2F..%2Fworkbench.sqlite",
        "/api/jobs/x/files/..%2F..%2F..%2Fworkbench.sqlite",
        "/..%2Fworkbench.sqlite",
        "/%2e%2e/workbench.sqlite",
        "/assets/..%2f..%2fworkbench.sqlite",
    ] {
        assert_eq!(server.ask("GET", path, None).status, 404, "{path}");
    }
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    for input in ["..%2Fdata", "..", "places%00", "data.csv"] {
        let path = format!("/api/projects/{id}/inputs/{input}");
        let put = server.ask_raw("PUT", &path, "text/csv", b"item,x,y\nzoo,1,2\npub,2,3\n");
        assert!(matches!(put.status, 404 | 400), "{input}: {}", put.status);
    }
    server.upload("trips.exe", TRIPS).refused(422);
    server.upload("trips.pdf", TRIPS).refused(422);
    server.upload("%00", TRIPS).refused(422);
}

#[test]
fn a_download_holds_what_was_released_under_names_of_ours() {
    let place = Place::new();
    let server = place.serve().enter();
    let project =
        server.project("..%2F%2Fetc%2Fodd%22%0Aname.csv", "subject,item\nann,../../a\nbob,../../a\n");
    let spec = serde_json::json!({"kind": "anonymize", "method": "bf-p2ka", "settings": {"k": "2"}});
    let job = server.finish(&server.post(&format!("{project}/jobs"), spec));
    assert_eq!(job["state"], "done", "{job}");
    let path = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    let files = server.get(&format!("{path}/files"));
    let public = |file: &&serde_json::Value| file["private"] == false;
    let files: Vec<&str> =
        files.as_array().unwrap().iter().filter(public).map(|file| file["name"].as_str().unwrap()).collect();
    server.post(&format!("{path}/publish"), crate::jobs::ticked(&server, &path));
    let zip = server.ask("GET", &format!("{path}/download"), None);
    assert_eq!(zip.header("content-disposition"), Some("attachment; filename=\"release.zip\""));
    assert_eq!(entries(&zip.body), files.iter().map(|name| format!("release/{name}")).collect::<Vec<_>>());
    for name in [
        "..%2Fdata.csv",
        "..%2F..%2F..%2Fworkbench.sqlite",
        "%2Fetc%2Fpasswd",
        "release.csv%00",
        "..",
        "ledger-entry.json",
    ] {
        server.ask("GET", &format!("{path}/files/{name}"), None).refused(404);
    }
}

/// Names in the directory of a zip file: each entry begins with `PK\x01\x02`, has the length of its name at 28 and the name at 46.
fn entries(zip: &[u8]) -> Vec<String> {
    let starts = zip.windows(4).enumerate().filter(|(_, bytes)| *bytes == b"PK\x01\x02").map(|(at, _)| at);
    let name = |at: usize| {
        let length = usize::from(u16::from_le_bytes([zip[at + 28], zip[at + 29]]));
        String::from_utf8_lossy(&zip[at + 46..at + 46 + length]).into_owned()
    };
    starts.map(name).collect()
}

#[test]
fn clients_that_dawdle_do_not_keep_others_waiting() {
    use std::io::Write as _;

    let place = Place::new();
    let server = place.serve().enter();
    let half: Vec<std::net::TcpStream> = (0..150)
        .map(|number| {
            let mut stream = server.connect();
            let length = if number % 2 == 0 { "" } else { "Content-Length: 1000000\r\n\r\nsubject,it" };
            let origin = format!("http://{}", server.host);
            let head = format!(
                "POST /api/projects/upload?name=t.csv HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nCookie: {}\r\n{length}",
                server.host, server.cookie
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get("/api/projects").as_array().unwrap().len(), 0);
    drop(half);
    // Uploads that broke off leave nothing.
    let left = || fs::read_dir(place.data().join("projects")).unwrap().count();
    wait_for("uploads that broke off to be removed", || (left() == 0).then_some(()));
}

#[test]
fn only_so_many_listen_to_jobs_at_a_time() {
    use std::io::{Read as _, Write as _};

    let place = Place::new();
    let server = place.serve().enter();
    let (_, job) = crate::jobs::endless(&server);
    let path = format!("/api/jobs/{}/events", job["id"].as_str().unwrap());
    let listen = || {
        let mut stream = server.connect();
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", server.host, server.cookie);
        stream.write_all(head.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        (String::from_utf8_lossy(&first[9..]).into_owned(), stream)
    };
    let listening: Vec<(String, std::net::TcpStream)> = (0..64).map(|_| listen()).collect();
    assert!(listening.iter().all(|(status, _)| status == "200"));
    let refused = server.ask("GET", &path, None).refused(429);
    assert!(refused["help"].is_array());
    drop(listening);
    wait_for("a free seat", || (listen().0 == "200").then_some(()));
    server.post(&format!("/api/jobs/{}/cancel", job["id"].as_str().unwrap()), serde_json::json!({}));
}

#[test]
fn an_upload_beyond_the_limit_is_cut_off_and_leaves_nothing() {
    let place = Place::new();
    let server = place.start(&["serve", "--max-upload", "1"]).enter();
    let large = format!("{TRIPS}{}", "ann,zoo\n".repeat(200_000));
    server.upload("large.csv", &large).refused(413);
    assert_eq!(fs::read_dir(place.data().join("projects")).unwrap().count(), 0);
    assert_eq!(server.get("/api/projects").as_array().unwrap().len(), 0);
    let json = format!(r#"{{"world":"city","name":"{}"}}"#, "x".repeat(3 << 20));
    server.ask_raw("POST", "/api/projects", "application/json", json.as_bytes()).refused(413);
    server.upload("small.csv", "").refused(422);
    let project = server.project("small.csv", TRIPS);
    let put = server.ask_raw("PUT", &format!("{project}/inputs/places"), "text/csv", large.as_bytes());
    put.refused(413);
    let folder = place.data().join("projects").join(project.rsplit('/').next().unwrap());
    assert_eq!(fs::read_dir(folder.join("inputs")).unwrap().count(), 0);
    for path in ["edits", "columns", "play", "check", "jobs"] {
        let method = if path == "columns" { "PUT" } else { "POST" };
        server
            .ask_raw(method, &format!("{project}/{path}"), "application/json", json.as_bytes())
            .refused(413);
    }
}

#[test]
fn an_exported_table_holds_no_formula() {
    let place = Place::new();
    let server = place.serve().enter();
    let text = "subject,item,=note\nann,=1+1,-5\nbob,@SUM(A1),+3.5\ncid,\"=cmd|' /C calc'!A0\",-x\n";
    let project = server.project("t.csv", text);
    let answer = server.ask("GET", &format!("{project}/export"), None);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(answer.header("content-disposition").unwrap().starts_with("attachment"));
    let expected = "subject,item,'=note\nann,'=1+1,-5\nbob,'@SUM(A1),+3.5\ncid,'=cmd|' /C calc'!A0,'-x\n";
    assert_eq!(answer.text(), expected);
}

#[test]
fn only_this_machine_may_listen_and_only_one_server_keeps_a_directory() {
    let place = Place::new();
    let elsewhere = place.command(&["serve", "--bind", "0.0.0.0"]).output().unwrap();
    assert_eq!(elsewhere.status.code(), Some(7));
    let text = String::from_utf8_lossy(&elsewhere.stderr).into_owned();
    assert!(text.contains("accounts"), "{text}");
    let first = place.serve();
    let second = place.command(&["serve"]).output().unwrap();
    assert_eq!(second.status.code(), Some(7), "{}", String::from_utf8_lossy(&second.stderr));
    drop(first);
}
