//! `throng compare`: one command, limits, Ctrl-C and going on.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::program::Desk;

const RECIPE: &str = "\
schema = \"throng-compare/1\"
title = \"Distance against k\"
data = { world = \"city\", subjects = 400 }
vary = { k = [2, 5] }
measures = [\"distance\", \"suppression\"]
attack = { known = 2, targets = 100 }
limits = { jobs = 2 }

[[methods]]
name = \"seqanon\"
m = 1

[[methods]]
name = \"seqanon\"
label = \"pairs\"
m = 2

[[methods]]
name = \"u-seqanon\"
m = 2
max-suppressed = 0

[[methods]]
name = \"seqanon\"
label = \"always 3\"
m = 1
k = 3
";

const TABLES: [&str; 3] = ["table.csv", "table.json", "table.md"];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("compare.toml", RECIPE);
    desk
}

fn tables(desk: &Desk, directory: &str) -> [String; 3] {
    TABLES.map(|file| desk.read(&format!("{directory}/{file}")))
}

#[test]
fn subgraphs_are_compared() {
    let desk = Desk::new();
    desk.write(
        "compare.toml",
        "schema = \"throng-compare/1\"\ndata = { world = \"city\", subjects = 400 }\nvary = { k = [2, 40] }\nattack = false\n\
         measures = [{ name = \"subgraphs\", graph-people = 3, graph-support = 3, graph-edges = 2 }]\n\
         [[methods]]\nname = \"suppress\"\nm = 2\n",
    );
    desk.ok("compare compare.toml -o out");
    let table = desk.read("out/table.csv");
    let expected = [
        "data,method,k,seed,outcome,reason,subgraphs_kept,subgraphs_false,subgraphs_frequent",
        "city,suppress,2,0,done,,1,0,5",
        "city,suppress,40,0,done,,0,0,5",
    ];
    assert_eq!(table.lines().collect::<Vec<_>>(), expected);
    assert!(desk.read("out/index.html").contains("<svg"));
}

#[test]
fn a_comparison_is_one_command() {
    let desk = desk();
    insta::assert_snapshot!("compare_plan", desk.ok("compare compare.toml -o out --dry-run").stdout);
    insta::assert_snapshot!("compare", desk.ok("compare compare.toml -o out").all());
    insta::assert_snapshot!("compare_table", desk.read("out/table.csv"));
    let page = desk.read("out/index.html");
    for part in ["<svg", "<h2>Cells without a release</h2>", "vary = { k = [2, 5] }"] {
        assert!(page.contains(part), "the page lacks {part}");
    }
    for outside in ["http://", "https://", "<script", "src="] {
        let found = page.replace("http://www.w3.org/2000/svg", "").contains(outside);
        assert!(!found, "the page has {outside}");
    }
    assert!(desk.read("out/plots/distance-share-of-largest.svg").starts_with("<svg"));

    // All is decided: nothing runs again, and the answer is the same.
    let earlier = tables(&desk, "out");
    let again = desk.ok("compare compare.toml -o out --json").json();
    assert_eq!((&again["cells"], &again["done"], &again["reused"]), (&7.into(), &6.into(), &7.into()));
    assert_eq!(tables(&desk, "out"), earlier);
}

/// A cell more, and those that are there are used again.
#[test]
fn a_changed_recipe_uses_again_what_it_can() {
    let desk = desk();
    desk.ok("compare compare.toml -o out");
    desk.write("compare.toml", &RECIPE.replace("[2, 5]", "{ from = 2, to = 8, step = 3 }"));
    let more = desk.ok("compare compare.toml -o out --json").json();
    assert_eq!((&more["cells"], &more["reused"]), (&10.into(), &7.into()));
}

#[test]
fn an_interrupted_comparison_goes_on_and_ends_with_the_same_tables() {
    let desk = desk();
    // Large enough that a signal arrives while cells are open.
    desk.write("compare.toml", &RECIPE.replace("400", "4000").replace("[2, 5]", "[2, 3, 4, 5, 6, 7]"));
    let mut child = desk
        .command("compare compare.toml -o out --progress json --jobs 2")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !(line.contains("\"phase\":\"cells\"") && line.contains("\"done\":2")) {
        line.clear();
        assert!(messages.read_line(&mut line).unwrap() > 0, "the comparison ended before it was interrupted");
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    messages.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains("cells are kept; the same command goes on from there"), "{rest}");
    assert!(!desk.path("out/table.csv").exists());

    let resumed = desk.ok("compare compare.toml -o out --jobs 1 --json").json();
    assert!(resumed["reused"].as_u64().unwrap() >= 2);
    desk.ok("compare compare.toml -o uninterrupted --jobs 3");
    assert_eq!(tables(&desk, "out"), tables(&desk, "uninterrupted"));
}

#[test]
fn a_cell_beyond_its_limits_says_so_and_runs_again_with_more() {
    let desk = desk();
    // So many people that no cell fits into what the allocator still has when the limit is set.
    desk.write("compare.toml", &RECIPE.replace("subjects = 400", "subjects = 5000"));
    let late = desk.run("compare compare.toml -o out --time 1ms");
    assert_eq!(late.code, 4, "{}", late.stderr);
    insta::assert_snapshot!("compare_late", late.stderr);
    let full = desk.run("compare compare.toml -o out --memory 2MiB");
    assert_eq!(full.code, 4, "{}", full.stderr);
    insta::assert_snapshot!("compare_full", full.stderr);
    desk.ok("compare compare.toml -o out --time 5min --memory 2GiB");
    let table = &tables(&desk, "out")[0];
    assert!(
        table.contains("done") && !table.contains("out-of-memory") && !table.contains("timed-out"),
        "{table}"
    );
}

/// Specification 13.11: to the letter, BF-P2kA publishes an A of one person.
#[test]
fn what_breaks_its_promise_to_the_letter_is_measured_and_marked() {
    let desk = Desk::new();
    let trips = [("1", "APR"), ("2", "A"), ("3", "PR"), ("4", "PR")];
    let rows = trips.iter().flat_map(|(who, trip)| trip.chars().map(move |item| format!("{who},{item}\n")));
    desk.write("trips.csv", &format!("subject,item\n{}", rows.collect::<String>())).write(
        "compare.toml",
        "schema = \"throng-compare/1\"\ntitle = \"To the letter\"\ndata = { events = \"trips.csv\" }\n\
         vary = { k = [2] }\nmeasures = [{ name = \"similarity\", min-support = 2 }]\nattack = { known = 1 }\n\n\
         [[methods]]\nname = \"bf-p2ka\"\n\n[[methods]]\nname = \"bf-p2ka\"\nlabel = \"printed\"\nvariant = \"as-printed\"\n",
    );
    let run = desk.ok("compare compare.toml -o out --json").json();
    assert_eq!((&run["cells"], &run["done"]), (&2.into(), &1.into()));
    let rows = run["rows"].as_array().unwrap();
    assert_eq!((&rows[0]["outcome"], &rows[1]["outcome"]), (&"done".into(), &"broken".into()));
    assert!(rows[1]["sim1"].is_number() && rows[1]["reason"].as_str().unwrap().contains("does not keep"));
    assert!(desk.read("out/plots/sim1.svg").contains("printed (promise broken)"));
    assert!(!desk.read("out/plots/frontier.svg").contains("printed"));
    assert!(desk.read("out/index.html").contains("break their promise"));
    // Decided once, like any other cell; and still never written.
    assert_eq!(desk.ok("compare compare.toml -o out --json").json()["reused"], 2);
    desk.fails("anonymize trips.csv --method bf-p2ka -k 2 --variant as-printed -o release", 5);
    assert!(!desk.path("release").exists());
}

#[test]
fn a_directory_of_other_files_is_refused() {
    let desk = desk();
    std::fs::create_dir(desk.path("mine")).unwrap();
    desk.write("mine/thesis.doc", "x");
    insta::assert_snapshot!(desk.run("compare compare.toml -o mine").all());
}

#[test]
fn what_is_wrong_with_a_comparison_is_pointed_at() {
    let change = |from: &str, to: &str| RECIPE.replace(from, to);
    let cases: &[(&str, String)] = &[
        ("unknown key", change("title", "titel")),
        ("another schema", change("throng-compare", "throng-recipe")),
        ("unknown parameter", change("{ k =", "{ kk =")),
        ("nothing follows", change("{ k =", "{ epsilon =")),
        ("value out of range", change("[2, 5]", "[2, 0]")),
        ("a value twice", change("[2, 5]", "[2, 2]")),
        ("no value", change("[2, 5]", "[]")),
        ("downwards", change("[2, 5]", "{ from = 5, to = 2, step = 1 }")),
        ("no step", change("[2, 5]", "{ from = 2, to = 5 }")),
        ("unknown measure", change("\"distance\"", "\"distanse\"")),
        ("unknown attack", change("known = 2", "knwon = 2")),
        ("wrong limit", change("jobs = 2", "time = \"soon\"")),
        ("same label", change("label = \"pairs\"\n", "")),
        (
            "missing parameter",
            change("vary = { k = [2, 5] }\n", "")
                .replace("name = \"u-seqanon\"\nm = 2\nmax-suppressed = 0", "name = \"lkc\""),
        ),
        ("unknown scale", format!("plots = {{ scales = [\"distanze\"] }}\n{RECIPE}")),
    ];
    let desk = Desk::new();
    let mut text = String::new();
    for (what, recipe) in cases {
        desk.write("wrong.toml", recipe);
        let ran = desk.run("compare wrong.toml -o out");
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{what}\n{}", ran.stderr);
        text.push_str(&format!("# {what}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
    assert_eq!(desk.files(), ["wrong.toml"]);
}
