//! `throng measure`: what a release is still good for, next to the data it was made from.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_contract::{Better, Descriptor, Scale};
use throng_lab::{Answer, Evaluated, Files, Measured, Measurement, Wanted, catalogue, default_measures};

use super::{path, seed};
use crate::failure::Stop;
use crate::layout::{BOLD, FAINT, Side, Table, number, wrap};
use crate::session::Session;
use crate::{columns, flags, reading};

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 \\
      --linkage links.csv -o release
  throng measure city/events.csv release
  throng measure city/events.csv release --linkage links.csv --places city/places.csv \\
      --taxonomy city/taxonomy.csv
  throng measure city/events.csv release --measure queries --drawn 100 --longest 3
  throng measure city/events.csv release --measure patterns --min-support 2% --json

Numbers compare a release with the very data it was made from: they are for the publisher.
Without --measure, all are asked but those that mine patterns.";

/// Name, flags and help.
pub fn command() -> Command {
    let names: Vec<&str> = catalogue::measures().map(|measure| measure.descriptor().name).collect();
    let file = |name: &'static str, value: &'static str| {
        Arg::new(name).value_name(value).required(true).value_parser(value_parser!(PathBuf))
    };
    Command::new("measure")
        .about("Measure what a release is still good for")
        .arg(file("data", "ORIGINAL").help("The data the release was made from"))
        .arg(file("release", "RELEASE").help("A release directory, or a file of events"))
        .arg(
            Arg::new("measure")
                .long("measure")
                .value_name("NAME")
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .action(ArgAction::Append)
                .help("Which measure; may be repeated; see `throng methods` [default: the quick ones]"),
        )
        .arg(
            Arg::new("linkage")
                .long("linkage")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Which record is whose, to compare records with their originals and to count people"),
        )
        .arg(seed())
        .args(flags::of_params(&catalogue::params_of_all_measures()))
        .args(flags::of_inputs(&catalogue::inputs_of_all_measures()))
        .args(columns::flags())
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// Measures and prints.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let given = flags::given(matches, &catalogue::params_of_all_measures());
    let settings: Vec<(String, String)> =
        given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let named: Vec<Wanted> =
        matches.get_many::<String>("measure").into_iter().flatten().map(|name| Wanted::of(name)).collect();
    refuse_idle(&settings, if named.is_empty() { default_measures() } else { named.clone() })?;
    let release = matches.get_one::<PathBuf>("release").map_or(Path::new("-"), PathBuf::as_path);
    let mut files = Files { read: reading::options(matches)?, ..Files::of(reading::data_source(matches)) };
    columns::apply(matches, &mut files)?;
    let measurement = Measurement {
        files: flags::inputs(matches, files),
        release: reading::source(release),
        linkage: path(matches, "linkage").map(|path| reading::source(&path)),
        wanted: named.into_iter().map(|wanted| wanted.with_known(&settings)).collect(),
        settings,
        seed: matches.get_one::<u64>("seed").copied().unwrap_or(0),
    };
    let measured = throng_lab::measure(&measurement, &session.progress)?;
    match session.json {
        true => session.print_json("throng-measures/1", &measured),
        false => session.print(&in_words(&measured)),
    }
}

/// A parameter that no measure asked has would have no effect.
fn refuse_idle(settings: &[(String, String)], asked: Vec<Wanted>) -> Result<(), Stop> {
    for (name, _) in settings {
        let one = [(name.clone(), String::new())];
        if asked.iter().all(|wanted| wanted.clone().with_known(&one).settings == wanted.settings) {
            let owners = catalogue::params_of_all_measures();
            let owners = owners.iter().find(|shared| shared.param.name == name);
            let owner = owners.and_then(|shared| shared.owners.first()).copied().unwrap_or_default();
            return Err(Stop::usage(
                format!("no measure that was asked has a parameter `{name}`"),
                format!("leave it out, or add `--measure {owner}`"),
            ));
        }
    }
    Ok(())
}

fn in_words(measured: &Measured) -> String {
    let columns = [Side::Left, Side::Left, Side::Right, Side::Left, Side::Left];
    let mut table = Table::new(&columns).header(["MEASURE", "SCALE", "VALUE", "BETTER", "WHAT IT SAYS"]);
    let mut silent = Table::new(&[Side::Left, Side::Left]).indent(2);
    let mut any_silent = false;
    for evaluated in &measured.measures {
        if let Answer::NotApplicable(reason) = &evaluated.answer {
            silent.row([evaluated.measure.as_str(), reason]);
            any_silent = true;
            continue;
        }
        let mut name = evaluated.measure.as_str();
        for (scale, value) in readings(evaluated) {
            table.row([name, scale.name, &number(value), better(scale), scale.help]);
            name = "";
        }
    }
    let mut text = table.render();
    if any_silent {
        text.push_str(&format!("\n{BOLD}Not measured{BOLD:#}\n{}", silent.render()));
    }
    for note in &measured.notes {
        for (line, words) in wrap(note, 90).iter().enumerate() {
            let lead = if line == 0 { "\nnote: " } else { "      " };
            text.push_str(&format!("{FAINT}{lead}{words}{FAINT:#}\n"));
        }
    }
    text
}

/// The readings in the order of the scales.
fn readings(evaluated: &Evaluated) -> Vec<(&'static Scale, f64)> {
    let descriptor: Option<&'static Descriptor> =
        catalogue::measure(&evaluated.measure).ok().map(|measure| measure.descriptor());
    let scales = descriptor.and_then(|descriptor| descriptor.gauge).map_or(&[][..], |gauge| gauge.scales);
    scales.iter().filter_map(|scale| Some((scale, evaluated.reading(scale.name)?))).collect()
}

fn better(scale: &Scale) -> &'static str {
    match scale.better {
        Better::Low => "low",
        Better::High => "high",
        Better::Neither => "",
    }
}
