//! Help texts, manual pages and completion scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::Desk;

fn commands() -> Vec<String> {
    let help = Desk::new().ok("--help").stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| Some(line.split_whitespace().next()?.to_owned()))
        .collect()
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
        let help = desk.ok(&format!("{command} --help")).stdout;
        let below = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names =
            below.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
        left.extend(
            names.filter(|name| *name != "help").map(|name| format!("{command} {name}").trim().to_owned()),
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
        let help = desk.ok(&format!("{command} --help")).stdout;
        assert_eq!(wrong_flags(&help, &all), Vec::<String>::new(), "`throng {command} --help`");
    }
}

/// Flags of programs that the program starts, and of pages.
const NOT_TYPED: [&str; 3] = ["--own-memory", "--with-parent", "--record-later"];

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
