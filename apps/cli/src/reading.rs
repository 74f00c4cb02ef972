//! Flags that say how the data is to be read; everything not given is guessed from the file.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use throng_data::formats::{Format, OptionKind, READING, ReadOptions, ReadingOption, Source};

use crate::failure::Stop;

/// `DATA`.
pub fn data() -> Arg {
    Arg::new("data")
        .value_name("DATA")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("The data: events or a table as text, workbook, JSON, XES, SPMF, FIMI or Parquet, perhaps packed; `-` is standard input")
}

/// The flags.
pub fn flags() -> Vec<Arg> {
    READING.iter().map(flag).collect()
}

fn flag(option: &ReadingOption) -> Arg {
    let arg = Arg::new(option.flag)
        .long(option.flag)
        .help(option.help)
        .help_heading("Reading the data")
        .hide_short_help(true);
    let arg = match option.kind {
        OptionKind::Column => arg.value_name("COLUMN"),
        OptionKind::Columns => arg.value_name("COLUMN[,COLUMN]"),
        OptionKind::Text => arg.value_name(match option.flag {
            "encoding" | "sheet" => "NAME",
            _ => "FORMAT",
        }),
        OptionKind::Letter => arg.value_name("CHAR").value_parser(value_parser!(char)),
        OptionKind::Format => {
            arg.value_name("FORMAT").value_parser(PossibleValuesParser::new(Format::ALL.map(Format::name)))
        }
        OptionKind::Switch => arg.action(ArgAction::SetTrue),
    };
    match option.requires {
        Some(other) => arg.requires(other),
        None => arg,
    }
}

/// What the flags say.
pub fn options(matches: &ArgMatches) -> Result<ReadOptions, Stop> {
    options_over(matches, ReadOptions::default())
}

/// What the flags say, and what was there before where they say nothing.
pub fn options_over(matches: &ArgMatches, mut options: ReadOptions) -> Result<ReadOptions, Stop> {
    for option in &READING {
        let given = match option.kind {
            OptionKind::Letter => matches.get_one::<char>(option.flag).map(char::to_string),
            OptionKind::Switch => matches.get_flag(option.flag).then(|| "true".to_owned()),
            _ => matches.get_one::<String>(option.flag).cloned(),
        };
        if let Some(text) = given {
            option.set(&mut options, &text).map_err(|wanted| {
                Stop::usage(
                    format!("`--{} {text}` is not {wanted}", option.flag),
                    format!("see the help of `--{}`", option.flag),
                )
            })?;
        }
    }
    Ok(options)
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
