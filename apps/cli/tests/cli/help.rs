//! Help texts, manual pages and completion scripts.

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
