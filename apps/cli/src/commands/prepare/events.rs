//! `throng prepare events`: events made coarser or fewer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_contract::{Class, Failing, Failure};
use throng_data::EventKind;
use throng_data::formats::{open_dataset, read_places_of};
use throng_prepare::events::{self, Bin, Condition, Length, Mapping, Steps, Summary};
use throng_prepare::units::{Distance, UtcOffset};

use super::super::{force, output, path};
use crate::failure::Stop;
use crate::layout::{BOLD, Side, Table, count, counted};
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng prepare events city/events.csv -o coarse --time-bin hour --record-bin day
  throng prepare events city/events.csv -o coarse --force --min-people 5 --max-length 99%
  throng prepare events city/events.csv -o coarse --force --keep hour=6..20 --drop item=p1

Steps are taken in this order: period, conditions, items, rare items, records, times, repeats, lengths.";

/// Name, flags and help.
pub fn command() -> Command {
    let value = |name: &'static str, what: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(what).help(help).help_heading("Steps")
    };
    let bins = || PossibleValuesParser::new(Bin::ALL.map(|(_, word)| word));
    let spans = "hour|part-of-day|day|week";
    Command::new("events")
        .about("Make events coarser or fewer: time bins, groups of items, conditions, shorter records")
        .arg(reading::data())
        .arg(
            output("Write the events, and what is known of items and people, into this directory")
                .required(true),
        )
        .arg(force("Replace an earlier preparation"))
        .arg(value("from", "MOMENT", "Keep events from this date or time on"))
        .arg(value("to", "MOMENT", "Keep events before this date or time"))
        .arg(
            value(
                "keep",
                "CONDITION",
                "Keep only these events: item=a|b, hour=8..17, weekday=1..5, age=20..29",
            )
            .action(ArgAction::Append),
        )
        .arg(value("drop", "CONDITION", "Drop these events; may be repeated").action(ArgAction::Append))
        .arg(
            value("map", "FILE", "Items become groups: `item,group` a line")
                .value_parser(value_parser!(PathBuf))
                .group("items-become"),
        )
        .arg(
            value("to-category", "", "Items become their categories (with --category)")
                .action(ArgAction::SetTrue)
                .num_args(0)
                .group("items-become"),
        )
        .arg(
            value("prefix", "N", "Items become the first so many characters of their names")
                .value_parser(value_parser!(u32).range(1..))
                .group("items-become"),
        )
        .arg(
            value(
                "cell",
                "SIDE",
                "Items become the square cells they lie in, for example 500m (with --lat, --lon or --places)",
            )
            .group("items-become"),
        )
        .arg(
            Arg::new("places")
                .long("places")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with_all(["lat", "lon", "x", "y"])
                .help("Where the items are, and their categories: item,x,y or item,lat,lon"),
        )
        .arg(value("min-people", "N", "Drop items that fewer people have").value_parser(value_parser!(u64)))
        .arg(
            value("record-bin", spans, "Begin another record with each of these")
                .value_parser(bins())
                .hide_possible_values(true),
        )
        .arg(
            value("time-bin", spans, "Replace times by the beginning of these")
                .value_parser(bins())
                .hide_possible_values(true),
        )
        .arg(
            value("collapse", "", "Consecutive events with one item become one")
                .action(ArgAction::SetTrue)
                .num_args(0),
        )
        .arg(value(
            "max-length",
            "N|SHARE",
            "Cut records after so many events, or at the length that 99% have",
        ))
        .arg(
            value("utc-offset", "OFFSET", "The clock by which days begin [default: +00:00]")
                .allow_hyphen_values(true),
        )
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// Reads, takes the steps, and writes.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let source = reading::data_source(matches);
    let steps = steps(matches)?;
    let opened = open_dataset(&source, &reading::options(matches)?, &session.progress)?;
    let Some(read) = opened.read else {
        let help =
            format!("turn them into events first: `{}`", opened.proposal.prepare_command(source.name()));
        return Err(Stop::usage("the file holds points, and no events yet", help));
    };
    if read.dataset.events.kind() == EventKind::Absent {
        let help = "a table is made coarser by its hierarchies: see `throng hierarchy`";
        return Err(Stop::usage("the file holds a row a person, and no events", help));
    }
    let mut read = read;
    if let Some(file) = path(matches, "places") {
        let own = read.shape.roles.item.as_deref();
        let places = reading::source(&file);
        read.dataset.places = Some(read_places_of(&places, own, &read.dataset.items, &session.progress)?);
    }
    let (data, summary) = events::reshape(&read.dataset, &steps)?;
    let directory = path(matches, "output").unwrap_or_default();
    let written = events::write(&data, &summary, read.shape.time, &directory, matches.get_flag("force"))?;
    if session.json {
        return session.print_object(&summary);
    }
    session.say(&in_words(&summary, &directory, &written));
    Ok(())
}

fn steps(matches: &ArgMatches) -> Result<Steps, Stop> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let conditions = |name: &str| -> Result<Vec<Condition>, Stop> {
        let given = matches.get_many::<String>(name).into_iter().flatten();
        Ok(given.map(|text| text.parse::<Condition>()).collect::<Result<_, _>>()?)
    };
    let bin = |name: &str| -> Result<Option<Bin>, Stop> { Ok(text(name).map(str::parse).transpose()?) };
    let items = if let Some(file) = path(matches, "map") {
        Some(Mapping::Groups(groups(&file)?))
    } else if matches.get_flag("to-category") {
        Some(Mapping::Category)
    } else if let Some(length) = matches.get_one::<u32>("prefix") {
        Some(Mapping::Prefix(*length as usize))
    } else {
        text("cell").map(|side| named("cell", side.parse::<Distance>())).transpose()?.map(Mapping::Cells)
    };
    let offset =
        text("utc-offset").map(|offset| named("utc-offset", offset.parse::<UtcOffset>())).transpose()?;
    Ok(Steps {
        from: text("from").map(events::moment).transpose()?,
        to: text("to").map(events::moment).transpose()?,
        keep: conditions("keep")?,
        drop: conditions("drop")?,
        items,
        min_people: matches.get_one::<u64>("min-people").copied().unwrap_or(0),
        time_bin: bin("time-bin")?,
        collapse: matches.get_flag("collapse"),
        record_bin: bin("record-bin")?,
        max_length: text("max-length").map(length).transpose()?,
        offset: offset.unwrap_or_default().seconds(),
    })
}

/// The value of a flag; an error names the flag.
fn named<T, E: Failing>(flag: &str, value: Result<T, E>) -> Result<T, Stop> {
    value.map_err(|error| {
        let failure = Failure::from(error);
        let help = failure.help.unwrap_or_else(|| "see {throng prepare events --help}".into());
        Failure::new(failure.class, format!("`--{flag}`: {}", failure.message)).with_help(help).into()
    })
}

fn length(text: &str) -> Result<Length, Stop> {
    let share = text.strip_suffix('%').and_then(|share| share.parse::<f64>().ok()).map(|share| share / 100.0);
    match (share, text.parse::<usize>()) {
        (Some(share), _) if share > 0.0 && share <= 1.0 => Ok(Length::Share(share)),
        (None, Ok(events)) if events > 0 => Ok(Length::Events(events)),
        _ => Err(Stop::usage(
            format!("`--max-length {text}` is neither a number of events nor a share of records"),
            "give a number such as 50, or a share such as 99%",
        )),
    }
}

/// Groups of items from a file: `item,group` a line.
fn groups(file: &Path) -> Result<BTreeMap<String, String>, Stop> {
    let source = reading::source(file);
    let bytes = source.open()?.read_all()?;
    let mut groups = BTreeMap::new();
    for (number, line) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let pair = line.rsplit_once([',', ';', '\t']).map(|(item, group)| (item.trim(), group.trim()));
        let Some((item, group)) = pair.filter(|(item, group)| !item.is_empty() && !group.is_empty()) else {
            let message = format!("`{}` line {number}: expected an item and its group", source.name());
            return Err(Failure::new(Class::BadInput, message).with_help("write `item,group` a line").into());
        };
        if groups.insert(item.to_owned(), group.to_owned()).is_some_and(|other| other != group) {
            let message =
                format!("`{}` line {number}: item `{item}` has another group already", source.name());
            return Err(Failure::new(Class::BadInput, message)
                .with_help("keep one line for each item")
                .into());
        }
    }
    Ok(groups)
}

fn in_words(summary: &Summary, directory: &Path, written: &[&str]) -> String {
    let (before, after) = (&summary.before, &summary.after);
    let mut text = format!(
        "{BOLD}{} of {} are left, with {} of {} people{BOLD:#}\n\n",
        count(after.events),
        counted(before.events, "event", "events"),
        count(after.people),
        count(before.people),
    );
    let mut table =
        Table::new(&[Side::Left, Side::Right, Side::Right]).header(["", "BEFORE", "AFTER"]).indent(2);
    for (what, before, after) in [
        ("people", before.people, after.people),
        ("items", before.items, after.items),
        ("records", before.records, after.records),
        ("events", before.events, after.events),
    ] {
        table.row([what.to_owned(), count(before), count(after)]);
    }
    text.push_str(&table.render());
    let dropped = [
        (summary.outside_period, "events outside the period"),
        (summary.by_condition, "events by condition"),
        (summary.rare, "events with items of too few people"),
        (summary.repeats, "repeated events, joined with the one before"),
        (summary.cut, "events behind the end of records that were cut"),
    ];
    for (number, what) in dropped.iter().filter(|(number, _)| *number > 0) {
        text.push_str(&format!("  dropped: {} {what}\n", count(*number)));
    }
    text.push('\n');
    for file in written {
        text.push_str(&format!("  {}\n", directory.join(file).display()));
    }
    text
}
