//! `throng prepare`: raw points to sequences of places; `throng prepare events`: events made coarser; `throng prepare graph`: a graph of
//! items.

mod events;
mod graph;

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_contract::{Failing, Failure, Threshold};
use throng_prepare::points::{self, Counting, FILES, GridSize, MaxSpeed, Options, Prepared, RegionOptions};

use super::{force, output, path};
use crate::failure::Stop;
use crate::layout::{BOLD, Side, Table, count, counted};
use crate::session::Session;
use crate::{help, reading};

const EXAMPLES: &str = "\
Examples:
  printf 'subject,time,x,y\\nann,0,1,1\\nann,60,9,9\\nbob,0,2,1\\nbob,90,8,9\\n' > points.csv
  throng prepare points.csv -o trips --grid 2x2
  throng prepare points.csv -o trips --force --grid 4x4 --regions --min-density 2
  throng prepare points.csv -o trips --force --cell 2.5 --trip-gap 30min --time-bin 1h
  throng inspect trips/events.csv
  throng prepare events trips/events.csv -o hours --time-bin hour --min-people 2";

/// What `--help` explains; `--help-all` explains the other options.
const ESSENTIAL: [&str; 12] = [
    "points",
    "output",
    "force",
    "max-speed",
    "trip-gap",
    "per-day",
    "stops",
    "grid",
    "cell",
    "regions",
    "min-density",
    "time-bin",
];

/// Name, flags and help.
pub fn command() -> Command {
    help::essential(declared(), &ESSENTIAL)
}

fn declared() -> Command {
    Command::new("prepare")
        .about("Turn raw points into sequences of places; `events`: coarser ones; `graph`: of items")
        .subcommand(events::command())
        .subcommand(graph::command())
        .subcommand_negates_reqs(true)
        .args_conflicts_with_subcommands(true)
        .arg(
            Arg::new("points")
                .value_name("POINTS")
                .required(true)
                .num_args(1..)
                .value_parser(value_parser!(PathBuf))
                .help("CSV with subject, time and lat,lon or x,y; GPX; GeoJSON lines; several are taken together"),
        )
        .arg(output("Write events, places, areas and a summary into this directory").required(true))
        .arg(force("Replace an earlier preparation"))
        .args(cleaning())
        .args(places())
        .args(columns())
        .after_help(EXAMPLES)
}

fn value(name: &'static str, what: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(what).help(help)
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn cleaning() -> Vec<Arg> {
    [
        value(
            "max-speed",
            "SPEED",
            "Drop points that could only be reached faster: 150km/h, 40m/s, a number on a plane, or off \
             [default: 300km/h with lat,lon; off on a plane]",
        ),
        value("trip-gap", "DURATION", "Begin another trip after such a silence, for example 30min"),
        switch("per-day", "Begin another trip at midnight"),
        value("utc-offset", "OFFSET", "The clock by which days and time bins begin [default: +00:00]")
            .allow_hyphen_values(true),
        value("stops", "RADIUS,DURATION", "Keep only stays, for example 200m,20min"),
    ]
    .map(|arg| arg.help_heading("Cleaning and trips"))
    .into()
}

fn places() -> Vec<Arg> {
    [
        value(
            "grid",
            "COLUMNSxROWS",
            "Number of cells over the whole area [default: a side chosen from the data; 100x100 below regions]",
        ),
        value("cell", "SIDE", "Side of a square cell instead, for example 500m").conflicts_with("grid"),
        value("bounds", "W,S,E,N", "The area of the grid; points outside are dropped [default: all points]")
            .allow_hyphen_values(true),
        switch("regions", "Join dense cells into regions of interest and drop what lies outside")
            .requires("min-density"),
        value("min-density", "PEOPLE", "People who make a cell dense: 30, or a share such as 1%")
            .requires("regions"),
        value("density-of", "people|trips", "What the density counts")
            .value_parser(PossibleValuesParser::new(["people", "trips"]))
            .hide_possible_values(true)
            .default_value("people"),
        Arg::new("k")
            .short('k')
            .value_name("N")
            .value_parser(value_parser!(u64))
            .requires("regions")
            .help("Refuse regions that fewer people could be behind"),
        switch(
            "interpolate",
            "Add the cells that the line between two points crosses [default: with regions]",
        ),
        switch("no-interpolate", "Only the cells of the points themselves").conflicts_with("interpolate"),
        switch("keep-repeats", "Keep consecutive visits of one place apart"),
        value("time-bin", "DURATION", "Replace times by the beginning of their bin, for example 1h"),
        switch("accept-loss", "Go on where nearly all points are dropped, or next to no places are left"),
    ]
    .map(|arg| arg.help_heading("Places"))
    .into()
}

fn columns() -> Vec<Arg> {
    [
        value(
            "subject",
            "COLUMN",
            "Column of the person; in GPX, `name` takes the track's name [default: by name]",
        ),
        value("record", "COLUMN", "Column of the trip [default: by name]"),
        value("time", "COLUMN", "Column of the time [default: by name]"),
        value("lat", "COLUMN", "Column of the latitude [default: by name]"),
        value("lon", "COLUMN", "Column of the longitude [default: by name]"),
        value("x", "COLUMN", "Column of x on a plane [default: by name]"),
        value("y", "COLUMN", "Column of y on a plane [default: by name]"),
        value("delimiter", "CHAR", "What separates columns [default: guessed]")
            .value_parser(value_parser!(char)),
        value("time-format", "FORMAT", "How times are written [default: found by trying]"),
        value("input-format", "csv|gpx|geojson", "The form of the points [default: by extension]"),
    ]
    .map(|arg| arg.help_heading("Reading the points"))
    .into()
}

/// Reads, prepares and writes.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    match matches.subcommand() {
        Some(("events", matches)) => return events::run(matches, session),
        Some(("graph", matches)) => return graph::run(matches, session),
        _ => {}
    }
    let paths = matches.get_many::<PathBuf>("points").into_iter().flatten();
    let sources: Vec<_> = paths.map(|path| reading::source(path)).collect();
    let directory = path(matches, "output").unwrap_or_default();
    let prepared = points::prepare_all(&sources, &options(matches)?, &session.progress)?;
    points::write(&prepared, &directory, matches.get_flag("force"), &session.progress)?;
    if session.json {
        return session.print_object(&prepared.summary);
    }
    let files = FILES.map(|file| directory.join(file).display().to_string());
    session.say(&in_words(&prepared, &files));
    Ok(())
}

fn options(matches: &ArgMatches) -> Result<Options, Stop> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let interpolate = match (matches.get_flag("interpolate"), matches.get_flag("no-interpolate")) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    Ok(Options {
        format: parsed(matches, "input-format")?,
        subject: text("subject"),
        record: text("record"),
        time: text("time"),
        lat: text("lat"),
        lon: text("lon"),
        x: text("x"),
        y: text("y"),
        delimiter: reading::delimiter(matches)?,
        time_format: text("time-format"),
        max_speed: parsed(matches, "max-speed")?.unwrap_or(MaxSpeed::Usual),
        trip_gap: parsed(matches, "trip-gap")?,
        per_day: matches.get_flag("per-day"),
        utc_offset: parsed(matches, "utc-offset")?.unwrap_or_default(),
        stops: parsed(matches, "stops")?,
        grid: grid(matches)?,
        bounds: parsed(matches, "bounds")?,
        regions: regions(matches)?,
        interpolate,
        keep_repeats: matches.get_flag("keep-repeats"),
        time_bin: parsed(matches, "time-bin")?,
        choose_cell: true,
        accept_loss: matches.get_flag("accept-loss"),
    })
}

/// The grid, given as a number of cells or as the side of one.
fn grid(matches: &ArgMatches) -> Result<Option<GridSize>, Stop> {
    match (parsed(matches, "grid")?, parsed(matches, "cell")?) {
        (Some(GridSize::Side(side)), _) => Err(Stop::usage(
            format!("`--grid {side}` is not a number of columns and rows"),
            format!("give both, for example `--grid 10x10`, or the side of a cell with `--cell {side}`"),
        )),
        (_, Some(GridSize::Cells { columns, rows })) => Err(Stop::usage(
            format!("`--cell {columns}x{rows}` is not the side of a cell"),
            format!("give one distance, for example `--cell 500m`, or `--grid {columns}x{rows}`"),
        )),
        (grid, cell) => Ok(grid.or(cell)),
    }
}

fn regions(matches: &ArgMatches) -> Result<Option<RegionOptions>, Stop> {
    let Some(text) = matches.get_one::<String>("min-density") else { return Ok(None) };
    let min_density: Threshold = text.parse().map_err(|()| {
        Stop::usage(
            format!("`--min-density {text}` is neither a number of people nor a share of them"),
            "give a number such as 30, or a share such as 1%",
        )
    })?;
    let counting = match matches.get_one::<String>("density-of").map(String::as_str) {
        Some("trips") => Counting::Trips,
        _ => Counting::People,
    };
    Ok(Some(RegionOptions { min_density, k: matches.get_one("k").copied(), counting }))
}

/// The value of a flag; an error names the flag.
fn parsed<T: FromStr<Err: Failing>>(matches: &ArgMatches, name: &str) -> Result<Option<T>, Failure> {
    let Some(text) = matches.get_one::<String>(name) else { return Ok(None) };
    text.parse().map(Some).map_err(|error| {
        let failure = Failure::from(error);
        let help = failure.help.unwrap_or_else(|| "see {throng prepare --help}".into());
        Failure::new(failure.class, format!("`--{name}`: {}", failure.message)).with_help(help)
    })
}

fn in_words(prepared: &Prepared, files: &[String]) -> String {
    let summary = &prepared.summary;
    let mut text = format!(
        "{BOLD}{} of {} became {} at {}{BOLD:#}\n\n",
        counted(summary.points, "point", "points"),
        counted(summary.people, "person", "people"),
        counted(summary.events, "event", "events"),
        counted(summary.places, "place", "places"),
    );
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("grid", format!("{} x {} cells", count(summary.grid_columns), count(summary.grid_rows)));
    if let (Some(cell), Some(why)) = (&summary.cell, &summary.cell_because) {
        row("cell", format!("{cell}: {why}"));
    }
    if let Some(threshold) = summary.density_threshold {
        row("dense", format!("cells with {} or more", count(threshold)));
    }
    row("trips", format!("{}, of which {} are left", count(summary.trips), count(summary.records)));
    let dropped = [
        (summary.points_too_fast, "points that could only be reached too fast"),
        (summary.points_outside_bounds, "points outside the bounds"),
        (summary.visits_outside_regions, "visits outside all regions"),
        (summary.repeats_collapsed, "repeated visits, joined with the one before"),
        (summary.trips_empty, "trips with nothing left"),
        (summary.people_empty, "people with nothing left"),
    ];
    for (number, what) in dropped.iter().filter(|(number, _)| *number > 0) {
        row("dropped", format!("{} {what}", count(*number)));
    }
    text.push_str(&table.render());
    text.push('\n');
    for file in files {
        text.push_str(&format!("  {file}\n"));
    }
    text
}
