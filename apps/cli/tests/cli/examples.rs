//! Every example that the catalogue shows runs as typed, once the worlds it names were generated.

use crate::program::Desk;

/// The worlds whose files an example reads: `city` for `city/events.csv`.
fn worlds(example: &str, known: &[String]) -> Vec<String> {
    let folders =
        example.split_whitespace().filter_map(|word| word.split_once('/')).map(|(folder, _)| folder);
    let mut worlds: Vec<String> =
        folders.filter(|folder| known.iter().any(|world| world == folder)).map(str::to_owned).collect();
    worlds.sort();
    worlds.dedup();
    worlds
}

fn all_worlds() -> Vec<String> {
    let help = Desk::new().ok("generate --help").stdout;
    let listed = help.lines().skip_while(|line| !line.starts_with("Worlds")).skip(1);
    let named = listed.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    named.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

fn run_as_typed(desk: &Desk, example: &str, known: &[String]) {
    for world in worlds(example, known) {
        if !desk.path(&world).exists() {
            // Suppressing visits one by one takes long in an unoptimised build: a thousand passengers will do.
            let size = if example.contains("lkc-local") { " --subjects 1000" } else { "" };
            desk.ok(&format!("generate {world} -o {world}{size}"));
        }
    }
    let line = example.strip_prefix("throng ").unwrap_or_else(|| panic!("`{example}` is no call of throng"));
    let ran = desk.run(line);
    // A promise judged on original data may well not hold there.
    let judged = line.starts_with("verify ") && !line.starts_with("verify release");
    assert!(ran.code == 0 || (judged && ran.code == 5), "throng {line}\n{}", ran.stderr);
}

#[test]
fn examples_of_the_catalogue_run_as_typed() {
    let known = all_worlds();
    assert!(known.contains(&"city".to_owned()), "{known:?}");
    let catalogue = Desk::new().ok("methods --json").json();
    let methods = catalogue["methods"].as_array().unwrap();
    for method in methods {
        let desk = Desk::new();
        run_as_typed(&desk, method["example"].as_str().unwrap(), &known);
    }
    for promise in catalogue["promises"].as_array().unwrap() {
        // A promise is tried on what a method made that keeps it.
        if let Some(method) = methods.iter().find(|method| method["keeps"] == promise["name"]) {
            let desk = Desk::new();
            run_as_typed(&desk, method["example"].as_str().unwrap(), &known);
            run_as_typed(&desk, promise["example"].as_str().unwrap(), &known);
        }
    }
    // A measure is tried on a release of data that it says something of.
    let releases = [
        ("sequences", "seqanon"),
        ("table", "incognito"),
        ("sets", "apriori"),
        ("chunks", "disassociation"),
        ("counts", "counts"),
        ("mixed", "rum-bound"),
    ]
    .map(|(kind, name)| {
        let method = methods.iter().find(|method| method["name"] == name).unwrap();
        let desk = Desk::new();
        // Some measures have to know which row is whose, where there are rows.
        let linkage = if ["chunks", "counts"].contains(&kind) { "" } else { " --linkage linkage.csv" };
        let example = format!("{}{linkage}", method["example"].as_str().unwrap());
        run_as_typed(&desk, &example, &known);
        (kind, desk)
    });
    for measure in catalogue["measures"].as_array().unwrap() {
        let example = measure["example"].as_str().unwrap();
        let kind = match example {
            example if example.contains("--measure counts") => "counts",
            example if ["tkd", "tkd-ml2", "re", "tlost"].iter().any(|name| measure["name"] == *name) => {
                assert!(example.contains("baskets/"));
                "chunks"
            }
            example if example.contains("patients/patients.csv") => "table",
            example if example.contains("patients/codes.csv") => "mixed",
            example if example.contains("baskets/") => "sets",
            _ => "sequences",
        };
        let (_, desk) = releases.iter().find(|(known, _)| *known == kind).unwrap();
        run_as_typed(desk, example, &known);
    }
}

/// Help texts show whole sessions: their lines run one after the other.
#[test]
fn examples_of_help_texts_run_as_typed() {
    for command in [
        "generate",
        "inspect",
        "prepare",
        "prepare graph",
        "hierarchy",
        "policy",
        "reconstruct",
        "methods",
        "recommend",
        "anonymize",
        "verify",
        "ledger",
        "measure",
        "workload",
        "mine",
        "mine subgraphs",
        "man",
    ] {
        let desk = Desk::new();
        if ["verify", "ledger"].contains(&command) {
            desk.ok("generate city -o city");
            let line = "anonymize city/events.csv --places city/places.csv --method seqanon -m 2";
            desk.ok(&format!("{line} -k 5 -o release"));
            desk.ok(&format!("{line} -k 10 -o coarser"));
        }
        let help = desk.ok(&format!("{command} --help-all")).stdout;
        let help = help.split("\\\n").map(str::trim).collect::<Vec<_>>().join(" ");
        let examples = help.split("Examples:\n").nth(1).unwrap();
        let mut lines: Vec<&str> = examples.lines().take_while(|line| !line.is_empty()).collect();
        if command == "generate" {
            desk.ok("generate patients -o patients --subjects 400");
            lines.extend(examples.split("(`patients`):\n").nth(1).unwrap().lines());
        }
        for line in lines {
            // What stands behind the command in words is set apart by three blanks or more.
            let line = line.trim_start();
            let typed = line.find("   ").map_or(line, |end| &line[..end]);
            let output = desk.shell(typed);
            // That the promise does not hold is what two of the examples show.
            let expected = if command == "verify" { [Some(0), Some(5)] } else { [Some(0), Some(0)] };
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(expected.contains(&output.status.code()), "{typed}\n{said}");
        }
    }
}

#[test]
fn secretas_features_run_as_the_table_says() {
    let table = include_str!("../../../../docs/SECRETA.md");
    let commands = table.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let desk = Desk::new();
    for line in commands.lines().filter(|line| !line.starts_with('#')) {
        let output = desk.shell(line);
        assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
