//! Help texts, manual pages and completion scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::Desk;

/// Lines of a screen, about.
const SCREEN: usize = 56;

/// The groups of the program's help, each with its commands.
fn groups() -> Vec<(String, Vec<String>)> {
    let help = Desk::new().ok("--help").stdout;
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let listed = help.lines().skip_while(|line| !line.starts_with("Start:"));
    for line in listed.take_while(|line| !line.is_empty()) {
        match (line.strip_suffix(':'), groups.last_mut()) {
            (Some(heading), _) if !line.starts_with(' ') => groups.push((heading.to_owned(), Vec::new())),
            (_, Some((_, commands))) => commands.extend(line.split_whitespace().next().map(str::to_owned)),
            (_, None) => {}
        }
    }
    groups
}

fn commands() -> Vec<String> {
    groups().into_iter().flat_map(|(_, commands)| commands).collect()
}

#[test]
fn commands_are_listed_by_group_on_one_screen() {
    let groups = groups();
    let headings: Vec<&str> = groups.iter().map(|(heading, _)| heading.as_str()).collect();
    assert_eq!(headings, ["Start", "Look", "Prepare", "Protect", "Judge", "Publish", "Explore"]);
    assert!(groups.iter().all(|(_, commands)| !commands.is_empty()), "{groups:?}");
    for command in commands().iter().map(String::as_str).chain([""]) {
        let desk = Desk::new();
        let lines = |flag: &str| desk.ok(&format!("{command} {flag}")).stdout.lines().count();
        assert!(lines("--help") <= SCREEN, "`throng {command} --help` has {} lines", lines("--help"));
        assert!(lines("-h") <= lines("--help"), "`throng {command} -h`");
        assert!(lines("--help") <= lines("--help-all"), "`throng {command} --help`");
    }
}

#[test]
fn every_option_is_explained_or_named_on_the_screen() {
    let desk = Desk::new();
    let all = flags_by_command();
    for command in commands().iter().filter(|command| all.contains_key(*command)) {
        let screen = desk.ok(&format!("{command} --help")).stdout;
        // Parameters of methods, promises and measures are explained with them.
        let shared = desk.ok(&format!("{command} --help-all")).stdout;
        let shared = shared.split("Method parameters").nth(1).unwrap_or_default();
        let shared = flags_in(shared.split("\n\n").next().unwrap_or_default());
        let screen = flags_in(&screen);
        for flag in all[command].iter().filter(|flag| !shared.contains(flag)) {
            assert!(screen.contains(flag), "`throng {command} --help` does not name {flag}");
        }
    }
}

#[test]
fn the_help_of_a_method_has_its_settings_its_promise_and_an_example() {
    let desk = Desk::new();
    insta::assert_snapshot!(
        "help_of_a_method",
        desk.ok("anonymize city/events.csv --method seqanon --help").stdout
    );
    insta::assert_snapshot!("help_of_a_world", desk.ok("generate quest --help").stdout);
    let all = desk.ok("methods --json").json();
    for (kind, command, flag) in [
        ("methods", "anonymize", "--method"),
        ("promises", "verify", "--promise"),
        ("measures", "measure", "--measure"),
    ] {
        for described in all[kind].as_array().unwrap() {
            let name = described["name"].as_str().unwrap();
            let help = desk.ok(&format!("{command} --help {flag}={name}")).stdout;
            for param in described["params"].as_array().unwrap() {
                let words = param["help"].as_str().unwrap().split(' ').take(3).collect::<Vec<_>>().join(" ");
                assert!(help.contains(&words), "`throng {command} {flag} {name} --help` lacks {words}");
            }
            for line in described["example"].as_str().unwrap().lines() {
                assert!(help.contains(line), "`throng {command} {flag} {name} --help` lacks its example");
            }
        }
    }
}

#[test]
fn help_of_an_unknown_name_is_a_usage_error() {
    let desk = Desk::new();
    for line in [
        "anonymize --method seqanno --help",
        "anonymize --help --method seqanno",
        "anonymize -h --method=seqanno",
        "generate --help citty",
        "verify --promise kn --help",
        "measure --help --measure querie",
    ] {
        let ran = desk.fails(line, 2);
        assert!(ran.stderr.contains("did you mean"), "throng {line}\n{}", ran.stderr);
    }
}

#[test]
fn examples_of_the_screen_are_examples_of_the_whole_help() {
    let desk = Desk::new();
    let typed = |help: &str, command: &str| -> Vec<String> {
        let help = help.replace("\\\n", " ");
        let start = format!("throng {command} ");
        let lines = help.split("Examples:\n").nth(1).unwrap_or_default().lines().map(str::trim);
        let lines = lines.filter(|line| line.starts_with(&start));
        let lines = lines.map(|line| line.split_once("   ").map_or(line, |(line, _)| line));
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    for command in commands() {
        let [screen, all] = ["--help", "--help-all"]
            .map(|flag| typed(&desk.ok(&format!("{command} {flag}")).stdout, &command));
        assert!(screen.iter().all(|line| all.contains(line)), "`throng {command}`: {screen:?}");
    }
}

/// A help text without what it takes from the catalogue and the list of worlds, so that neither has to be
/// repeated here.
fn own_words(help: &str) -> String {
    let mut kept = Vec::new();
    let mut taken = false;
    for line in help.lines() {
        if !line.starts_with(' ') && !line.is_empty() {
            taken = ["Parameters", "Inputs", "Worlds"].iter().any(|heading| line.starts_with(heading));
        }
        if !taken {
            kept.push(line);
        }
    }
    kept.join("\n")
}

#[test]
fn help_texts_are_as_reviewed() {
    let desk = Desk::new();
    insta::assert_snapshot!("help", desk.ok("--help").stdout);
    for command in commands() {
        let help = desk.ok(&format!("{command} --help")).stdout;
        insta::assert_snapshot!(format!("help_{command}"), own_words(&help));
    }
    insta::assert_snapshot!("help_short", desk.ok("anonymize -h").stdout);
    insta::assert_snapshot!("help_all", desk.ok("--help-all").stdout);
    insta::assert_snapshot!("help_all_anonymize", own_words(&desk.ok("anonymize --help-all").stdout));
}

#[test]
fn every_command_has_examples_that_name_it() {
    for command in commands() {
        let help = Desk::new().ok(&format!("{command} --help")).stdout;
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        assert!(
            examples.contains(&format!("throng {command}")),
            "`throng {command} --help` lacks an example"
        );
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let desk = Desk::new();
    desk.ok("man -o man1");
    for command in commands() {
        let page = desk.read(&format!("man1/throng-{command}.1"));
        assert!(page.contains(".SH SYNOPSIS") && page.contains(&format!("throng {command}")), "{command}");
    }
    // Pages have every option, those too that the help of one screen only names.
    for flag in &flags_by_command()["anonymize"] {
        let page = desk.read("man1/throng-anonymize.1").replace("\\-", "-");
        assert!(page.contains(flag.as_str()), "the manual page of `anonymize` lacks {flag}");
    }
    assert!(desk.read("man1/throng.1").starts_with(".ie"));
    assert_eq!(desk.ok("man methods").stdout, desk.read("man1/throng-methods.1"));
}

#[test]
fn shells_complete_every_command() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.ok(&format!("completions {shell}")).stdout;
        for command in commands() {
            assert!(script.contains(&command), "{shell} does not complete `{command}`");
        }
        assert!(script.contains("spell-out"), "{shell} completes only what the help of one screen explains");
    }
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(Desk::new().ok("--version").stdout.trim(), concat!("throng ", env!("CARGO_PKG_VERSION")));
}

/// The flags of every command and of its own commands, by what is typed.
fn flags_by_command() -> BTreeMap<String, BTreeSet<String>> {
    let desk = Desk::new();
    let mut found = BTreeMap::new();
    let mut left = vec![String::new()];
    while let Some(command) = left.pop() {
        let help = desk.ok(&format!("{command} --help-all")).stdout;
        let below = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names =
            below.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
        let names: Vec<String> =
            if command.is_empty() { commands() } else { names.map(str::to_owned).collect() };
        left.extend(
            names
                .iter()
                .filter(|name| *name != "help")
                .map(|name| format!("{command} {name}").trim().to_owned()),
        );
        // Of options alone: examples may be of other commands.
        let options = help.lines().filter(|line| line.trim_start().starts_with('-'));
        let flags = options
            .flat_map(|line| flags_in(line.split("  ").find(|part| part.contains('-')).unwrap_or(line)));
        found.insert(command, flags.collect());
    }
    found
}

/// `--flag`s of a text. What is longer than it seems, as `--{name}`, is none.
fn flags_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("--") {
        let name: String =
            text[at + 2..].chars().take_while(|sign| sign.is_ascii_lowercase() || *sign == '-').collect();
        let before = text[..at].chars().next_back();
        let starts = before.is_none_or(|sign| !sign.is_alphanumeric() && sign != '-');
        if starts && name.len() > 1 && !name.ends_with('-') {
            found.push(format!("--{name}"));
        }
    }
    found
}

/// The longest command that a text after `throng ` begins with.
fn command_of<'c>(text: &str, all: &'c BTreeMap<String, BTreeSet<String>>) -> Option<&'c String> {
    let begins = |command: &&String| text == command.as_str() || text.starts_with(&format!("{command} "));
    all.keys().filter(|command| !command.is_empty()).filter(begins).max_by_key(|command| command.len())
}

/// Flags in examples of a command belong to that command; any other flag that a text names is there in some command.
fn wrong_flags(text: &str, all: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let shared = &all[""];
    let known = |flag: &String| shared.contains(flag) || all.values().any(|flags| flags.contains(flag));
    let mut wrong: Vec<String> = flags_in(text).into_iter().filter(|flag| !known(flag)).collect();
    for typed in text.split("throng ").skip(1) {
        let typed = typed.split(['`', '\n', '|']).next().unwrap_or(typed);
        if let Some(command) = command_of(typed, all) {
            let own = |flag: &String| all[command].contains(flag) || shared.contains(flag);
            wrong.extend(
                flags_in(typed).into_iter().filter(|flag| !own(flag)).map(|flag| format!("{command} {flag}")),
            );
        }
    }
    wrong
}

#[test]
fn every_flag_that_a_help_names_is_there() {
    let all = flags_by_command();
    assert!(all.len() > 25 && all["anonymize"].contains("--publish"), "{:?}", all.keys());
    assert_eq!(
        wrong_flags("say `--publsh`, or `throng verify x --method y`", &all),
        ["--publsh", "verify --method"]
    );
    let desk = Desk::new();
    for command in all.keys() {
        for flag in ["-h", "--help", "--help-all"] {
            let help = desk.ok(&format!("{command} {flag}")).stdout;
            assert_eq!(wrong_flags(&help, &all), Vec::<String>::new(), "`throng {command} {flag}`");
        }
    }
}

/// Flags of programs that the program starts, and of pages.
const NOT_TYPED: [&str; 4] = ["--own-memory", "--with-parent", "--record-later", "--plan"];

#[test]
fn every_flag_that_a_message_names_is_there() {
    let all = flags_by_command();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut left: Vec<PathBuf> =
        vec![root.join("crates"), root.join("apps/cli/src"), root.join("apps/server/src")];
    let mut looked_at = 0;
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let of_tests =
            path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        if path.extension().is_none_or(|extension| extension != "rs")
            || of_tests
            || path.ends_with("plot/style.rs")
            || path.ends_with("assets.rs")
        {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let wrong = wrong_flags(&code.join("\n"), &all);
        let wrong: Vec<&String> = wrong.iter().filter(|flag| !NOT_TYPED.contains(&flag.as_str())).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        looked_at += 1;
    }
    assert!(looked_at > 300, "{looked_at} files");
}
