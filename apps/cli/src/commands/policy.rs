//! `throng policy`: derives a privacy or a utility policy from sets, and shows one before it is used.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgGroup, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::{Failure, Fraction, Help};
use throng_data::formats::{
    CUT_FROM_DATA, Defect, InputError, Read, open_dataset, read_names, read_policy, read_taxonomy,
    write_file, write_row,
};
use throng_data::{Dataset, EventKind};
use throng_methods::set::policy::{self, Privacy, Utility};

use super::{force, path};
use crate::failure::Stop;
use crate::layout::{Side, Table, count, counted};
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate baskets -o baskets
  throng policy baskets/baskets.dat --derive km -k 5 -m 2 -o policy.csv
  throng policy baskets/baskets.dat --derive frequency -k 20      on the screen
  throng policy baskets/baskets.dat --utility level --taxonomy baskets/taxonomy.csv -o utility.csv
  throng policy baskets/baskets.dat --show policy.csv

A policy has a set of items a line, `a,b,c`; lines may be changed, removed and added. A privacy
policy lists what an attacker may know: use it with `throng anonymize ... --policy FILE`. A utility
policy divides the items into those that may become one: `--constraints FILE`.
A privacy policy derived from the data names what is rare in them: it is not safe to publish.";

/// What there is for tables.
const OF_A_TABLE: &str =
    "of a table, say with {quasi} what may be known, and make hierarchies with {throng hierarchy}";

/// Sets shown in a summary.
const SHOWN: usize = 8;

/// Name, flags and help.
pub fn command() -> Command {
    let number = |name: &'static str, letter: &'static str, help: &'static str, least: i64| {
        Arg::new(name)
            .long(name)
            .value_name(letter)
            .value_parser(value_parser!(u32).range(least..))
            .help(help)
    };
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
    };
    let words = |name: &'static str, words: &[&'static str], help: &'static str| {
        let parser = PossibleValuesParser::new(words.to_vec());
        Arg::new(name).long(name).value_name("HOW").value_parser(parser).help(help)
    };
    let k = number("k", "K", "People that every set of the policy needs [default: 5]", 2);
    let m = number("m", "M", "Largest set of a policy by km [default: 2]", 1);
    Command::new("policy")
        .about("Derive privacy and utility policies for sets, and show them")
        .arg(reading::data())
        .arg(words(
            "derive",
            &["km", "records", "frequency"],
            "A privacy policy: sets of up to m items that fewer than k people have; whole records; rare items, or all \
             pairs of the items of `--among`",
        ))
        .arg(words(
            "utility",
            &["level", "similarity", "top-frequency", "whole"],
            "A utility policy: items below one node of the taxonomy; below the largest node with at most `--share` of all \
             items; by level but for the most frequent items; all items together",
        ))
        .arg(file("show", "Show this privacy policy"))
        .group(ArgGroup::new("what").args(["derive", "utility", "show"]).required(true))
        .arg(k.long(None::<&str>).short('k'))
        .arg(m.long(None::<&str>).short('m'))
        .arg(file("among", "Items an attacker may know, one a line, for records and pairs [default: all]"))
        .arg(file("taxonomy", "The taxonomy of the items, for utility policies"))
        .arg(number("level", "N", "Steps below the root of the taxonomy [default: 1]", 0))
        .arg(
            Arg::new("share")
                .long("share")
                .value_name("SHARE")
                .value_parser(share)
                .help("Largest share of all items that are alike [default: 10%]"),
        )
        .arg(number("keep", "N", "How many of the most frequent items stay as they are [default: 10]", 0))
        .arg(file("output", "Where the policy goes [default: standard output]").short('o'))
        .arg(force("Replace the file if it exists"))
        .args(reading::flags())
        .after_help(EXAMPLES)
}

fn share(text: &str) -> Result<Fraction, String> {
    let share = text.parse().ok().filter(|share| *share <= Fraction::ONE);
    share.ok_or_else(|| "expected a share such as 10% or 0.1".to_owned())
}

#[derive(Serialize)]
struct Summary<'a> {
    kind: &'a str,
    strategy: &'a str,
    sets: usize,
    by_size: BTreeMap<usize, usize>,
    items: usize,
    all_items: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'a [Vec<String>]>,
}

/// Reads the data, derives the policy or reads it, shows it, and writes it.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let source = reading::data_source(matches);
    let mut options = reading::options(matches)?;
    options.sets = true;
    let opened = open_dataset(&source, &options, &session.progress).map_err(of_no_sets)?;
    let Some(Read { dataset: data, .. }) = opened.read else {
        let help =
            format!("turn them into events first: `{}`", opened.proposal.prepare_command(source.name()));
        return Err(Stop::usage("a policy is for sets, and the data are points", help));
    };
    if data.events.kind() == EventKind::Absent {
        return Err(Stop::usage("a policy is for sets, and the data are a table", OF_A_TABLE));
    }
    check_flags(matches)?;
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let (kind, strategy, sets) = match (word("derive"), word("utility")) {
        (Some(strategy), _) => ("privacy", strategy, derive(matches, strategy, &data, session)?),
        (None, Some(strategy)) => ("utility", strategy, divide(matches, strategy, &data, session)?),
        (None, None) => {
            let file = path(matches, "show").unwrap_or_default();
            let sets = read_policy(&reading::source(&file), &data.items)?;
            ("privacy", "file", sets.into_iter().map(sorted).collect())
        }
    };
    let file = path(matches, "output");
    if let Some(file) = &file {
        write_file(file, matches.get_flag("force"), |out| {
            if kind == "privacy" {
                writeln!(out, "{CUT_FROM_DATA}: publishing it gives away what is rare in them")?;
            }
            sets.iter().try_for_each(|set| write_row(out, set.iter().map(String::as_str)))?;
            Ok(())
        })?;
    }
    let mut by_size = BTreeMap::new();
    sets.iter().for_each(|set| *by_size.entry(set.len()).or_insert(0) += 1);
    let summary = Summary {
        kind,
        strategy,
        sets: sets.len(),
        by_size,
        items: sets.iter().flatten().collect::<BTreeSet<_>>().len(),
        all_items: data.items.len(),
        policy: file.is_none().then_some(&sets),
        file: file.clone(),
    };
    if session.json {
        return session.print_json("throng-policy/1", &summary);
    }
    session.say(&in_words(&summary, &sets));
    match file {
        Some(file) => session.say(&format!("written to {}\n", file.display())),
        None if strategy == "file" => {}
        None => {
            let mut lines = Vec::new();
            sets.iter()
                .try_for_each(|set| write_row(&mut lines, set.iter().map(String::as_str)))
                .map_err(|error| Stop::writing(&error))?;
            session.print(&String::from_utf8_lossy(&lines))?;
        }
    }
    Ok(())
}

/// A file without a column of items is most likely a table.
fn of_no_sets(error: InputError) -> Stop {
    let no_items = matches!(&*error.defect, Defect::MissingColumn { role: "item", wanted: None, .. });
    let mut failure = Failure::from(error);
    if no_items {
        failure = failure.with_help(
            Help::from("a policy is for sets: name the column of items with {item}; ").and(OF_A_TABLE),
        );
    }
    Stop::Failure(failure)
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names
}

/// Refuses flags that would be passed over.
fn check_flags(matches: &ArgMatches) -> Result<(), Stop> {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let (derive, utility) = (word("derive"), word("utility"));
    for (flag, dashes, used) in [
        ("k", "-", matches!(derive, Some("km" | "frequency"))),
        ("m", "-", derive == Some("km")),
        ("among", "--", matches!(derive, Some("records" | "frequency"))),
        ("taxonomy", "--", utility.is_some_and(|how| how != "whole")),
        ("level", "--", matches!(utility, Some("level" | "top-frequency"))),
        ("share", "--", utility == Some("similarity")),
        ("keep", "--", utility == Some("top-frequency")),
        ("output", "--", derive.or(utility).is_some()),
    ] {
        if !used && matches.contains_id(flag) {
            let message = format!("`{dashes}{flag}` says nothing about what is asked for");
            return Err(Stop::usage(
                message,
                format!("leave out `{dashes}{flag}`; see `throng policy --help`"),
            ));
        }
    }
    if derive == Some("frequency") && matches.contains_id("among") && matches.contains_id("k") {
        let help = "leave out one of them: rare items need `-k`, pairs the list";
        return Err(Stop::usage("`-k` says nothing about all pairs of `--among`", help));
    }
    Ok(())
}

fn derive(
    matches: &ArgMatches,
    strategy: &str,
    data: &Dataset,
    session: &Session,
) -> Result<Vec<Vec<String>>, Stop> {
    let k = matches.get_one::<u32>("k").map_or(5, |k| u64::from(*k));
    let m = matches.get_one::<u32>("m").map_or(2, |m| *m as usize);
    let among = path(matches, "among").map(|file| read_names(&reading::source(&file))).transpose()?;
    let strategy = match (strategy, among) {
        ("km", _) => Privacy::Km { k, m },
        ("records", among) => Privacy::Records { of: among.unwrap_or_default() },
        (_, Some(of)) => Privacy::Pairs { of },
        (_, None) => Privacy::Rare { k },
    };
    Ok(policy::privacy(data, &strategy, &session.progress)?)
}

fn divide(
    matches: &ArgMatches,
    strategy: &str,
    data: &Dataset,
    session: &Session,
) -> Result<Vec<Vec<String>>, Stop> {
    let level = matches.get_one::<u32>("level").copied().unwrap_or(1);
    let keep = matches.get_one::<u32>("keep").map_or(10, |keep| *keep as usize);
    let tenth = Fraction::new(1, 10).unwrap_or(Fraction::ONE);
    let strategy = match strategy {
        "level" => Utility::Level(level),
        "similarity" => Utility::Similarity(matches.get_one("share").copied().unwrap_or(tenth)),
        "top-frequency" => Utility::TopFrequency { keep, level },
        _ => Utility::Whole,
    };
    let taxonomy = path(matches, "taxonomy")
        .map(|file| read_taxonomy(&reading::source(&file), &session.progress))
        .transpose()?;
    Ok(policy::utility(data, taxonomy.as_ref(), &strategy)?)
}

fn in_words(summary: &Summary<'_>, sets: &[Vec<String>]) -> String {
    let what = match summary.kind {
        "privacy" => "of items that must not single anybody out",
        _ => "of items that may become one",
    };
    let mut text = format!(
        "{} {what}; {} of {} items are in one\n",
        counted(summary.sets, "set", "sets"),
        count(summary.items),
        count(summary.all_items)
    );
    let mut table = Table::new(&[Side::Right, Side::Right]).header(["items", "sets"]).indent(2);
    summary.by_size.iter().for_each(|(size, sets)| table.row([count(*size), count(*sets)]));
    if !sets.is_empty() {
        text.push_str(&table.render());
    }
    for set in sets.iter().take(SHOWN) {
        let names = set.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more =
            if set.len() > SHOWN { format!(", and {} more", set.len() - SHOWN) } else { String::new() };
        text.push_str(&format!("  {names}{more}\n"));
    }
    if sets.len() > SHOWN {
        text.push_str(&format!("  and {} more\n", counted(sets.len() - SHOWN, "set", "sets")));
    }
    text
}
