//! `throng hierarchy`: makes a generalisation hierarchy for a column or for the items.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::{Class, Failure, did_you_mean};
use throng_data::formats::{Format, Source, read_dataset, read_names, read_places, write_file};
use throng_data::{ColumnKind, Dictionary, Domain, Places};
use throng_prepare::hierarchies::{Generated, Plan, Rule, Values};

use super::{force, path};
use crate::failure::Stop;
use crate::layout::counted;
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate patients -o patients
  throng hierarchy patients/patients.csv --column age --by width --from 0 --to 99 -o age.csv
  throng hierarchy patients/patients.csv --column admitted --by date -o admitted.csv
  throng hierarchy patients/patients.csv --column postcode --by prefix      on the screen
  throng hierarchy patients/codes.csv --items --by frequency --fan-out 4 -o codes.csv

A line is `leaf;parent;...;root`, as ARX and Amnesia write it, and may be edited. Use the file with
`throng anonymize ... --hierarchy COLUMN=FILE`, for items with `--taxonomy FILE`.
A hierarchy cut from the data gives something of them away; the command says what. Ends given with
`--from` and `--to`, and values listed with `--domain`, are not taken from the data.";

/// Name, flags and help.
pub fn command() -> Command {
    let number = |name: &'static str, help: &'static str, least: i64| {
        Arg::new(name)
            .long(name)
            .value_name("N")
            .value_parser(value_parser!(u32).range(least..=1_000_000))
            .help(help)
    };
    let end = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("VALUE").allow_hyphen_values(true).help(help)
    };
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
    };
    let rules = Rule::ALL.map(|(_, name, help)| PossibleValue::new(name).help(help));
    Command::new("hierarchy")
        .about("Make a generalisation hierarchy for a column or for the items")
        .arg(reading::data())
        .arg(
            Arg::new("column")
                .long("column")
                .value_name("COLUMN")
                .help("The column of a table, one row a person, that the hierarchy is for"),
        )
        .arg(
            Arg::new("items")
                .long("items")
                .action(ArgAction::SetTrue)
                .help("The hierarchy is for the items of sequences or sets"),
        )
        .group(ArgGroup::new("target").args(["column", "items"]).required(true))
        .arg(
            Arg::new("by")
                .long("by")
                .value_name("RULE")
                .required(true)
                .value_parser(PossibleValuesParser::new(rules))
                .help("By what values are put together"),
        )
        .arg(number("fan-out", "Nodes below one node [default: 2 for intervals, 5 for neighbours]", 2))
        .arg(number("bins", "Intervals at the lowest level [default: 20]", 1))
        .arg(end("from", "The lowest number or date there can be [default: that of the data]"))
        .arg(end("to", "The highest number or date there can be [default: that of the data]"))
        .arg(file("domain", "All values there can be, one a line [default: those of the data]"))
        .arg(file("places", "Where the values are, for `--by z-order`: item,x,y or item,lat,lon"))
        .arg(file("output", "Where the hierarchy goes [default: standard output]").short('o'))
        .arg(force("Replace the file if it exists"))
        .args(reading::flags())
        .after_help(EXAMPLES)
}

const TAXONOMY_EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng taxonomy city/events.csv --by space --places city/places.csv --fan-out 4 -o taxonomy.csv
  throng taxonomy city/events.csv --by frequency      on the screen

A line is `item;parent;...;root` and may be edited. Use the file with
`throng anonymize ... --taxonomy FILE`.";

/// `throng taxonomy`: a hierarchy of the items, with fewer flags.
pub fn taxonomy_command() -> Command {
    let rules = [
        PossibleValue::new("name").help("neighbours in alphabetical order"),
        PossibleValue::new("frequency").help("neighbours in the order of how many people have them"),
        PossibleValue::new("space").help("neighbours on the map"),
        PossibleValue::new("category").help("items below the category they have"),
        PossibleValue::new("prefix").help("codes: the last characters masked one after the other"),
    ];
    // The same command underneath: what speaks of columns is not shown.
    command()
        .name("taxonomy")
        .about("Make a taxonomy of the items: by name, frequency, place or category")
        .mut_arg("column", |arg| arg.hide(true))
        .mut_arg("items", |arg| arg.hide(true))
        .mut_arg("bins", |arg| arg.hide(true))
        .mut_arg("from", |arg| arg.hide(true))
        .mut_arg("to", |arg| arg.hide(true))
        .mut_arg("by", |arg| arg.value_parser(PossibleValuesParser::new(rules)))
        .mut_arg("places", |arg| {
            arg.help("Where the items are, and their categories: item,x,y or item,lat,lon")
        })
        .mut_arg("output", |arg| arg.help("Where the taxonomy goes [default: standard output]"))
        .mut_group("target", |group| group.required(false))
        .after_help(TAXONOMY_EXAMPLES)
}

/// What a hierarchy is made for: values, with how many people have each.
struct HierarchyValues {
    names: Vec<String>,
    people: Vec<u64>,
    kind: ColumnKind,
    /// Where they are, if columns of the data say so.
    places: Option<Places>,
    /// What they are, if a column of the data says so.
    categories: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Made<'a> {
    column: Option<&'a str>,
    by: &'a str,
    leaves: usize,
    height: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    gives_away: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<&'a [Vec<String>]>,
}

/// Reads the values, makes the hierarchy, and writes it.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let column = matches.get_one::<String>("column").map(String::as_str);
    let mut found = match column {
        Some(column) => of_column(matches, column, session)?,
        None => of_items(matches, session)?,
    };
    let domain = path(matches, "domain");
    if let Some(file) = &domain {
        found = within(&reading::source(file), found)?;
    }
    let places = match path(matches, "places") {
        Some(file) => Some(places(&reading::source(&file), &found, session)?),
        None => found.places.take(),
    };
    let plan = plan(matches)?;
    let made = plan.generate(&Values {
        names: found.names.iter().map(String::as_str).collect(),
        people: found.people,
        kind: found.kind,
        places: places.as_ref(),
        categories: places
            .as_ref()
            .and_then(|places| places.categories.as_deref())
            .or(found.categories.as_deref()),
        listed: domain.is_some(),
    })?;
    let file = path(matches, "output");
    let text = made.render();
    if let Some(file) = &file {
        write_file(file, matches.get_flag("force"), |out| Ok(out.write_all(text.as_bytes())?))?;
    }
    if session.json {
        let result = Made {
            column,
            by: plan.rule.name(),
            leaves: made.paths.len(),
            height: made.height(),
            gives_away: made.from_data,
            paths: file.is_none().then_some(&made.paths),
            file,
        };
        return session.print_json("throng-hierarchy/1", &result);
    }
    match &file {
        None => session.print(&text)?,
        Some(file) => session.say(&format!(
            "{} below {}, written to {}\n",
            counted(made.paths.len(), "leaf", "leaves"),
            counted(made.height(), "level", "levels"),
            file.display()
        )),
    }
    warn(&made, session);
    Ok(())
}

fn warn(made: &Generated, session: &Session) {
    if let Some(what) = made.from_data {
        session.say(&format!(
            "cut from the data: publishing it, or cells that carry its names, gives away {what}\n"
        ));
    }
}

fn plan(matches: &ArgMatches) -> Result<Plan, Stop> {
    let name = matches.get_one::<String>("by").map_or("", String::as_str);
    let rule = Rule::parse(name)
        .ok_or_else(|| Stop::usage(format!("there is no rule `{name}`"), "see `throng hierarchy --help`"))?;
    let usual = Plan::new(rule);
    let number = |name: &str, usual: usize| matches.get_one::<u32>(name).map_or(usual, |it| *it as usize);
    let end = |name: &str| matches.get_one::<String>(name).cloned();
    for (flag, wanted) in [
        ("bins", rule.cuts_intervals()),
        ("fan-out", !matches!(rule, Rule::Calendar | Rule::Prefix | Rule::Category)),
        ("from", rule.cuts_intervals() || rule == Rule::Calendar),
        ("to", rule.cuts_intervals() || rule == Rule::Calendar),
        ("places", matches!(rule, Rule::ZOrder | Rule::Category)),
    ] {
        if !wanted && matches.contains_id(flag) {
            let message = format!("`--{flag}` says nothing about a hierarchy by {name}");
            return Err(Stop::usage(message, format!("leave out `--{flag}`, or choose another `--by`")));
        }
    }
    Ok(Plan {
        rule,
        fan_out: number("fan-out", usual.fan_out),
        bins: number("bins", usual.bins),
        from: end("from"),
        to: end("to"),
    })
}

fn of_items(matches: &ArgMatches, session: &Session) -> Result<HierarchyValues, Stop> {
    let source = reading::data_source(matches);
    let data = read_dataset(&source, &reading::options(matches)?, &session.progress)?.dataset;
    Ok(HierarchyValues {
        names: data.items.names().map(str::to_owned).collect(),
        people: data.events.people_by_item(data.items.len()),
        kind: ColumnKind::Category,
        places: data.places,
        categories: data.own_categories,
    })
}

fn of_column(matches: &ArgMatches, name: &str, session: &Session) -> Result<HierarchyValues, Stop> {
    let source = reading::data_source(matches);
    let mut options = reading::options(matches)?;
    options.format = Some(Format::Table);
    let table = read_dataset(&source, &options, &session.progress)?.dataset.attributes.unwrap_or_default();
    let Some(column) = table.column(name) else {
        let names = || table.columns.iter().map(|column| column.name.as_str());
        let help = match did_you_mean(name, names()) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => format!("its columns are {}", names().collect::<Vec<_>>().join(", ")),
        };
        return Err(Stop::usage(format!("`{}` has no column `{name}`", source.name()), help));
    };
    let domain = Domain::of(column, None).expect("only a hierarchy can fail to fit");
    let mut people = vec![0; domain.len()];
    domain.codes.iter().for_each(|code| people[*code as usize] += 1);
    Ok(HierarchyValues { names: domain.values, people, kind: domain.kind, places: None, categories: None })
}

/// The values of a list, with the people of those that occur.
fn within(list: &Source, found: HierarchyValues) -> Result<HierarchyValues, Stop> {
    let names = read_names(list)?;
    let listed: Dictionary = names.iter().map(String::as_str).collect();
    let mut people = vec![0; names.len()];
    let mut missing = 0;
    for (name, count) in found.names.iter().zip(&found.people).filter(|(name, _)| !name.is_empty()) {
        match listed.find(name) {
            Some(at) => people[at as usize] += count,
            None => missing += 1,
        }
    }
    if missing > 0 {
        let what = counted(missing, "value of the data is", "values of the data are");
        let message = format!("{what} not listed in `{}`", list.name());
        return Err(Failure::new(Class::BadInput, message)
            .with_help("list all values there can be, as the data write them")
            .into());
    }
    Ok(HierarchyValues { names, people, kind: found.kind, places: None, categories: None })
}

fn places(source: &Source, found: &HierarchyValues, session: &Session) -> Result<Places, Stop> {
    let names: Dictionary = found.names.iter().map(String::as_str).collect();
    Ok(read_places(source, &names, &session.progress)?)
}
