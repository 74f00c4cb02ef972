//! Flags made from the catalogue: parameters and inputs of methods and promises.
//!
//! A one-letter lower-case parameter is a short flag (`-k 5`), any other a long one (`--L 3`, `--distance single`).
//! A switch that is on by default is turned off with `--no-NAME`. Values are passed on as text: ranges are
//! checked against the descriptor of the method that was chosen, which alone knows them.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use throng_contract::{Descriptor, Given, Input, Setting, SettingKind};
use throng_lab::Files;
use throng_lab::catalogue::SharedParam;

use crate::failure::Stop;
use crate::{help, reading};

/// One flag for each parameter, the short ones first.
pub fn of_params(shared: &[SharedParam]) -> Vec<Arg> {
    let mut shared: Vec<&SharedParam> = shared.iter().collect();
    shared.sort_by_key(|entry| entry.param.name.len() > 1);
    shared.into_iter().map(of_param).collect()
}

fn of_param(shared: &SharedParam) -> Arg {
    let param = shared.param;
    let (text, heading) = match shared.owners.as_slice() {
        [] => (with_default(param), "Parameters"),
        owners => {
            let text = format!("{} [{}{}]", param.help, owners.join(", "), not_for_all(shared));
            (text, help::SHARED_PARAMS)
        }
    };
    let arg = Arg::new(param.name)
        .help(text)
        .help_heading(heading)
        .hide_short_help(!shared.owners.is_empty())
        .allow_hyphen_values(matches!(param.kind, SettingKind::Number { .. } | SettingKind::Integer { .. }));
    let arg = match (param.is_short(), param.name.chars().next()) {
        (true, Some(letter)) => arg.short(letter),
        _ => arg.long(param.flag().trim_start_matches('-').to_owned()),
    };
    match param.kind {
        SettingKind::Switch => arg.action(ArgAction::SetTrue),
        // Where methods know different words, their help lists them.
        SettingKind::Choice { words } if words.len() < shared.words.len() => arg.value_name("WORD"),
        kind => arg.value_name(kind.value_name()),
    }
}

/// Words that some of the methods do not know, with those that do; words of the same methods together.
fn not_for_all(shared: &SharedParam) -> String {
    let some: Vec<_> = shared.words.iter().filter(|(_, owners)| owners.len() < shared.owners.len()).collect();
    let group = |of: &[&(&str, Vec<&str>)]| {
        let words: Vec<&str> = of.iter().map(|(word, _)| *word).collect();
        of.first().map(|(_, owners)| format!("; {}: {}", words.join(", "), owners.join(", ")))
    };
    some.chunk_by(|a, b| a.1 == b.1).filter_map(group).collect()
}

/// What a parameter of a command's own is for. Those of methods have defaults of each method's own.
fn with_default(param: &Setting) -> String {
    match (param.kind, param.default) {
        (SettingKind::Switch, _) | (_, None | Some("")) => param.help.to_owned(),
        (_, Some(default)) => format!("{} [default: {default}]", param.help),
    }
}

/// The parameters that were given, as text.
pub fn given<'a>(matches: &'a ArgMatches, shared: &[SharedParam]) -> Vec<(&'static str, &'a str)> {
    let value = |param: &Setting| match param.kind {
        SettingKind::Switch if !matches.get_flag(param.name) => None,
        SettingKind::Switch if param.turns_off() => Some("false"),
        SettingKind::Switch => Some("true"),
        _ => matches.get_one::<String>(param.name).map(String::as_str),
    };
    shared.iter().filter_map(|entry| Some((entry.param.name, value(entry.param)?))).collect()
}

/// One flag for each input.
pub fn of_inputs(inputs: &[Input]) -> Vec<Arg> {
    // Hierarchies are named by column, with the other flags of columns.
    let of_dataset = |input: &&Input| input.row().given != Given::FileOfColumn;
    inputs.iter().filter(of_dataset).map(|input| of_input(*input)).collect()
}

fn of_input(input: Input) -> Arg {
    let essential = [Input::Places, Input::Taxonomy, Input::Records].contains(&input);
    let arg = Arg::new(input.flag()).long(input.flag()).help_heading("Inputs").hide_short_help(!essential);
    match input.row().given {
        Given::Values => arg
            .value_name("COLUMN=VALUE[,VALUE]")
            .action(ArgAction::Append)
            .help("Attribute values that must not be inferred; may be repeated"),
        _ => arg
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help(format!("A file with {}", input.describe())),
    }
}

/// Puts the inputs that were given among the files of a run, in place of those that are there.
pub fn inputs(matches: &ArgMatches, mut files: Files) -> Files {
    for input in Input::ALL.into_iter().filter(|input| input.row().given == Given::File) {
        // No flag is made for an input that nothing in the catalogue uses.
        if let Ok(Some(path)) = matches.try_get_one::<PathBuf>(input.flag()) {
            files.give(input, reading::source(path));
        }
    }
    if let Ok(Some(values)) = matches.try_get_many::<String>(Input::SensitiveValues.flag()) {
        files.sensitive_values = values.cloned().collect();
    }
    files
}

/// Refuses inputs that constrain the result which the chosen method or promise would silently not honour.
pub fn refuse_unused(files: &Files, descriptor: &Descriptor) -> Result<(), Stop> {
    match Input::wishes().find(|input| files.is_given(*input) && !descriptor.uses(*input)) {
        None => Ok(()),
        Some(input) => Err(Stop::usage(
            format!("`{}` does not use `--{}`", descriptor.name, input.flag()),
            format!("leave it out, or choose another one; see `throng methods {}`", descriptor.name),
        )),
    }
}
