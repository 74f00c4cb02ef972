//! Flags that say how the data is to be read; everything not given is guessed from the file.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use throng_contract::SettingKind;
use throng_data::formats::{READING, ReadOptions, ReadingSetting, Source};

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

fn flag(option: &ReadingSetting) -> Arg {
    let setting = option.setting;
    let arg = Arg::new(setting.name)
        .long(setting.name)
        .help(setting.help)
        .help_heading("Reading the data")
        .hide_short_help(true);
    let arg = match setting.kind {
        SettingKind::Switch => arg.action(ArgAction::SetTrue),
        SettingKind::Letter => arg.value_name(setting.kind.value_name()).value_parser(value_parser!(char)),
        SettingKind::Choice { words } => {
            arg.value_name("FORMAT").value_parser(PossibleValuesParser::new(words.iter().copied()))
        }
        kind => arg.value_name(kind.value_name()),
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
        let name = option.setting.name;
        let given = match option.setting.kind {
            SettingKind::Letter => matches.get_one::<char>(name).map(char::to_string),
            SettingKind::Switch => matches.get_flag(name).then(|| "true".to_owned()),
            _ => matches.get_one::<String>(name).cloned(),
        };
        if let Some(text) = given {
            option.set(&mut options, &text).map_err(|wanted| {
                Stop::usage(
                    format!("`--{name} {text}` is not {wanted}"),
                    format!("see the help of `--{name}`"),
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
