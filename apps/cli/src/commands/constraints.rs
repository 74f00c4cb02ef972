//! `throng constraints`: makes utility constraints, sets of items that may stand for each other.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_data::formats::{read_dataset, read_places_of, write_file};
use throng_prepare::constraints::{Grouping, Sizes, by_category, ordered, partition, render};

use super::{force, path};
use crate::failure::Stop;
use crate::layout::counted;
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng constraints city/events.csv --by space --places city/places.csv --sets-of u3 -o u3.csv
  throng constraints city/events.csv --by frequency --groups 8      on the screen

A line is a set of items, `a,b,c`, and may be edited. Use the file with
`throng anonymize ... --constraints FILE`. Constraints by frequency are cut from the data, and not
safe to publish.";

/// Name, flags and help.
pub fn command() -> Command {
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
    };
    let rules = Grouping::ALL.map(|(_, name, help)| PossibleValue::new(name).help(help));
    let sizes = [
        PossibleValue::new("u1").help("two halves"),
        PossibleValue::new("u2").help("four quarters"),
        PossibleValue::new("u3").help("six sets of 20%, 14%, 16%, 14%, 18% and 18%"),
    ];
    Command::new("constraints")
        .about("Make utility constraints: sets of items that may stand for each other")
        .arg(reading::data())
        .arg(
            Arg::new("by")
                .long("by")
                .value_name("RULE")
                .required(true)
                .value_parser(PossibleValuesParser::new(rules))
                .help("By what items are put together"),
        )
        .arg(
            Arg::new("groups")
                .long("groups")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=1_000_000))
                .help("How many sets of about the same size [default: 5]"),
        )
        .arg(
            Arg::new("sets-of")
                .long("sets-of")
                .value_name("SIZES")
                .conflicts_with("groups")
                .value_parser(PossibleValuesParser::new(sizes))
                .help("Sets of the sizes that the paper of U-SEQANON uses"),
        )
        .arg(file("places", "Where the items are, and their categories: item,x,y or item,lat,lon"))
        .arg(file("output", "Where the constraints go [default: standard output]").short('o'))
        .arg(force("Replace the file if it exists"))
        .args(reading::flags())
        .after_help(EXAMPLES)
}

#[derive(Serialize)]
struct Made<'a> {
    by: &'a str,
    sets: usize,
    items: usize,
    sizes: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
}

/// Reads the data, makes the sets, and writes them.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let by = word("by").unwrap_or("name");
    let grouping =
        Grouping::ALL.iter().find(|(_, name, _)| *name == by).map_or(Grouping::Name, |(it, ..)| *it);
    let source = reading::data_source(matches);
    let read = read_dataset(&source, &reading::options(matches)?, &session.progress)?;
    let (mut data, own) = (read.dataset, read.shape.roles.item);
    if let Some(file) = path(matches, "places") {
        let places = reading::source(&file);
        data.places = Some(read_places_of(&places, own.as_deref(), &data.items, &session.progress)?);
    }
    let sizes = match word("sets-of") {
        Some("u1") => Sizes::U1,
        Some("u2") => Sizes::U2,
        Some(_) => Sizes::U3,
        None => Sizes::Equal(matches.get_one::<u32>("groups").map_or(5, |groups| *groups as usize)),
    };
    let sets = match (grouping, &data.places) {
        (Grouping::Category, _) => {
            if matches.contains_id("groups") || matches.contains_id("sets-of") {
                let message = "every category is one set: there is nothing to say about their number";
                return Err(Stop::usage(message, "leave out `--groups` and `--sets-of`"));
            }
            data.categories().map(by_category).ok_or_else(|| {
                Stop::usage(
                    "no item has a category",
                    "give a column `category` in the file of `--places`, or a column of the data with `--category`",
                )
            })?
        }
        (Grouping::Space, None) => {
            return Err(Stop::usage(
                "neighbours on the map need places",
                "give the file with coordinates with `--places`, or columns of the data with `--lat` and `--lon`",
            ));
        }
        (grouping, places) => {
            let people = data.events.people_by_item(data.items.len());
            partition(&ordered(&data.items, &people, places.as_ref(), grouping), sizes)
        }
    };
    let text = render(&data.items, &sets);
    let file = path(matches, "output");
    if let Some(file) = &file {
        write_file(file, matches.get_flag("force"), |out| Ok(out.write_all(text.as_bytes())?))?;
    }
    if session.json {
        let sizes = sets.iter().map(Vec::len).collect();
        let made = Made { by, sets: sets.len(), items: data.items.len(), sizes, file };
        return session.print_json("throng-constraints/1", &made);
    }
    match &file {
        None => session.print(&text)?,
        Some(file) => session.say(&format!(
            "{} in {}, written to {}\n",
            counted(data.items.len() as u64, "item", "items"),
            counted(sets.len() as u64, "set", "sets"),
            file.display()
        )),
    }
    if grouping == Grouping::Frequency {
        session.say("cut from the data: publishing it gives away which items more people have than others\n");
    }
    Ok(())
}
