//! `throng generate`: a synthetic world to try everything on.

mod graph;

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_prepare::worlds::{self, World, WorldOptions, Written};

use super::{force, output, path, seed};
use crate::failure::Stop;
use crate::layout::{BOLD, Side, Table, count, wrap};
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng generate city -o town --subjects 1000 --seed 7
  throng inspect town/events.csv
  throng generate quest -o quest --subjects 2000 --terms 5000 --mean-length 8

Columns with sets, and with sequences, of the same people (`patients`):
  throng inspect patients/codes.csv --sets --records patients/records.csv --quasi age,sex
  throng anonymize patients/codes.csv --sets --records patients/records.csv --quasi age,sex \\
      --taxonomy patients/codes-taxonomy.csv --method rum-bound --delta 0.5 -k 5 -m 2 -o release
  throng anonymize patients/events.csv --records patients/records.csv --quasi age,sex \\
      --method rum-bound --delta 0.9 -k 5 -m 2 -o stays";

/// Name, flags and help.
pub fn command() -> Command {
    let names: Vec<&str> = worlds::ALL.iter().map(|world| world.name).collect();
    Command::new("generate")
        .about("Make a synthetic world to try everything on")
        .arg(
            Arg::new("world")
                .value_name("WORLD")
                .required(true)
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .help("Which world, of those below"),
        )
        .arg(output("Write the world's files into this directory").required(true))
        .arg(
            Arg::new("subjects")
                .long("subjects")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help("Number of people [default: as listed below]"),
        )
        .arg(
            Arg::new("terms")
                .long("terms")
                .value_name("N")
                .value_parser(value_parser!(u32))
                .help("Number of different items, for `quest`"),
        )
        .arg(
            Arg::new("mean-length")
                .long("mean-length")
                .value_name("N")
                .value_parser(value_parser!(f64))
                .help("Items a person, on average, for `quest`"),
        )
        .arg(seed())
        .arg(force("Replace a world that is already there"))
        .subcommand(graph::command())
        .subcommand_negates_reqs(true)
        .args_conflicts_with_subcommands(true)
        .disable_help_subcommand(true)
        .after_help(format!("{}\n{EXAMPLES}", names_and_purposes()))
        .after_long_help(format!("{}\n{EXAMPLES}", listing()))
}

/// The worlds, one line each.
fn names_and_purposes() -> String {
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    for world in worlds::ALL {
        table.row([world.name, world.purpose]);
    }
    format!("Worlds; `throng generate WORLD --help` describes one:\n{}", table.render())
}

/// The worlds, with what the default ones were measured to be.
fn listing() -> String {
    let mut text = "Worlds, as measured with the default size and seed:\n".to_owned();
    for world in worlds::ALL {
        let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
        table.row([world.name, world.purpose]);
        table.row(["", &world.character.to_string()]);
        let files: Vec<&str> = world.files.iter().map(|(file, _)| *file).collect();
        table.row(["", &files.join(", ")]);
        text.push_str(&table.render());
    }
    text
}

/// `throng generate WORLD --help`: the files of a world, what it was measured to be, and a command that makes it.
pub fn describe(name: &str) -> Result<String, Stop> {
    let world = worlds::find(name)?;
    let mut text = format!("{BOLD}{name}{BOLD:#}, a world\n  {}\n\n", world.purpose);
    let mut files = Table::new(&[Side::Left, Side::Left]).indent(2);
    for (file, what) in world.files {
        files.row([*file, *what]);
    }
    text.push_str(&format!("{BOLD}Files{BOLD:#}\n{}\n", files.render()));
    text.push_str(&format!("{BOLD}As measured with the default size and seed{BOLD:#}\n"));
    for line in wrap(&world.character.to_string(), 96) {
        text.push_str(&format!("  {line}\n"));
    }
    let sizes = match world.sizes {
        Some(sizes) => format!(" --terms {} --mean-length {}", sizes.terms, sizes.mean_length),
        None => String::new(),
    };
    let example = format!("throng generate {name} -o {name} --subjects {}{sizes}", world.subjects);
    text.push_str(&format!("\n{BOLD}Example{BOLD:#}\n  {example}\n"));
    text.push_str("\nOther options, and other worlds: `throng generate --help`\n");
    Ok(text)
}

#[derive(Serialize)]
struct Generated<'a> {
    world: &'a str,
    directory: &'a Path,
    files: &'a [&'a str],
    subjects: u64,
    events: u64,
    mean_length: f64,
    longest: u64,
    seed: u64,
}

/// Writes the world.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    if let Some((graph::NAME, matches)) = matches.subcommand() {
        return graph::run(matches, session);
    }
    let name = matches.get_one::<String>("world").map_or("", String::as_str);
    let world = worlds::find(name)?;
    let seed = matches.get_one("seed").copied().unwrap_or(0);
    let options = WorldOptions {
        subjects: matches.get_one("subjects").copied(),
        seed,
        terms: matches.get_one("terms").copied(),
        mean_length: matches.get_one("mean-length").copied(),
    };
    let directory = path(matches, "output").unwrap_or_else(|| PathBuf::from(name));
    let force = matches.get_flag("force");
    let written = worlds::generate(name, &options, &directory, force, &session.progress)?;
    if session.json {
        let result = Generated {
            world: world.name,
            directory: &written.directory,
            files: &written.files,
            subjects: written.subjects,
            events: written.events,
            mean_length: written.mean_length(),
            longest: written.longest,
            seed,
        };
        return session.print_json("throng-generate/1", &result);
    }
    session.say(&summary(world, &written));
    Ok(())
}

fn summary(world: &World, written: &Written) -> String {
    let mut text = format!(
        "{}: {} people, {} events, {:.2} a person\n",
        world.name,
        count(written.subjects),
        count(written.events),
        written.mean_length()
    );
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    for (file, content) in world.files {
        table.row([written.directory.join(file).display().to_string(), (*content).to_owned()]);
    }
    text.push_str(&table.render());
    text
}
