//! Flags that say how the data is to be read; everything not given is guessed from the file.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use throng_data::formats::{Format, ReadOptions, Source};

use crate::failure::Stop;

/// `DATA`.
pub fn data() -> Arg {
    Arg::new("data")
        .value_name("DATA")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("The events: CSV, TSV, SPMF, FIMI or Parquet, perhaps .gz or .zst; `-` is standard input")
}

/// The flags.
pub fn flags() -> Vec<Arg> {
    let column =
        |name: &'static str, help: &'static str| Arg::new(name).long(name).value_name("COLUMN").help(help);
    [
        column("subject", "Column of the person [default: subject, user, person or id]"),
        column("record", "Column of the record [default: record, trip or trajectory, if there is one]"),
        column("item", "Column of the item [default: item, place, location, poi or region]"),
        column("time", "Column of the time [default: time or timestamp, if there is one]"),
        Arg::new("time-format")
            .long("time-format")
            .value_name("FORMAT")
            .help("How times are written, for example \"%d/%m/%Y %H:%M\" [default: numbers or ISO-8601]"),
        column("wide", "Column that holds all items of a record, for files with one row a record"),
        Arg::new("separator")
            .long("separator")
            .value_name("CHAR")
            .value_parser(value_parser!(char))
            .requires("wide")
            .help("What separates items in the wide column [default: a blank]"),
        Arg::new("delimiter")
            .long("delimiter")
            .value_name("CHAR")
            .value_parser(value_parser!(char))
            .help("What separates columns [default: guessed from the header]"),
        Arg::new("input-format")
            .long("input-format")
            .value_name("FORMAT")
            .value_parser(PossibleValuesParser::new(Format::ALL.map(Format::name)))
            .help("The form of the data [default: by the file's extension]"),
        Arg::new("sets")
            .long("sets")
            .action(ArgAction::SetTrue)
            .help("Order means nothing: read the items of a record as a set, for baskets and codes"),
    ]
    .map(|arg| arg.help_heading("Reading the data"))
    .into()
}

/// What the flags say.
pub fn options(matches: &ArgMatches) -> Result<ReadOptions, Stop> {
    options_over(matches, ReadOptions::default())
}

/// What the flags say, and what was there before where they say nothing.
pub fn options_over(matches: &ArgMatches, before: ReadOptions) -> Result<ReadOptions, Stop> {
    let text = |name: &str, before: Option<String>| matches.get_one::<String>(name).cloned().or(before);
    let format = matches.get_one::<String>("input-format").and_then(|name| Format::parse(name));
    Ok(ReadOptions {
        format: format.or(before.format),
        subject: text("subject", before.subject),
        record: text("record", before.record),
        item: text("item", before.item),
        time: text("time", before.time),
        wide: text("wide", before.wide),
        separator: matches.get_one::<char>("separator").copied().or(before.separator),
        delimiter: delimiter(matches)?.or(before.delimiter),
        time_format: text("time-format", before.time_format),
        sets: matches.get_flag("sets") || before.sets,
    })
}

/// The flags that say the same, with their values.
pub fn typed(options: &ReadOptions) -> Vec<(&'static str, String)> {
    let given = [
        ("input-format", options.format.map(|format| format.name().to_owned())),
        ("subject", options.subject.clone()),
        ("record", options.record.clone()),
        ("item", options.item.clone()),
        ("time", options.time.clone()),
        ("time-format", options.time_format.clone()),
        ("wide", options.wide.clone()),
        ("separator", options.separator.map(String::from)),
        ("delimiter", options.delimiter.map(|byte| char::from(byte).to_string())),
    ];
    given.into_iter().filter_map(|(flag, value)| Some((flag, value?))).collect()
}

/// What separates columns, as one byte.
pub fn delimiter(matches: &ArgMatches) -> Result<Option<u8>, Stop> {
    let Some(c) = matches.get_one::<char>("delimiter") else { return Ok(None) };
    match u8::try_from(*c) {
        Ok(byte) if byte.is_ascii() => Ok(Some(byte)),
        _ => {
            let help = "give one ASCII character, for example `--delimiter ';'`";
            Err(Stop::usage(format!("`--delimiter {c}` is not an ASCII character"), help))
        }
    }
}

/// A file as the user named it; `-` is standard input.
pub fn source(path: &Path) -> Source {
    if path == Path::new("-") { Source::parse("-") } else { Source::file(path) }
}

/// The file given as `DATA`.
pub fn data_source(matches: &ArgMatches) -> Source {
    source(matches.get_one::<PathBuf>("data").map_or(Path::new("-"), PathBuf::as_path))
}
