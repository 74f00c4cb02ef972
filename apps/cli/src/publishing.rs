//! Flags of publishing, made from the table that recipes walk, too.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use throng_contract::SettingKind;
use throng_lab::Recipe;
use throng_lab::recipe::publishing::{PUBLISHING, PublishSetting, Said};

use crate::failure::Stop;

/// The name of the flag, without its dashes: `no-map` turns off what is on.
fn name(publish: &PublishSetting) -> String {
    publish.setting.flag().trim_start_matches('-').to_owned()
}

/// The flag of a setting.
pub fn flag(publish: &PublishSetting) -> Arg {
    let setting = publish.setting;
    let arg = Arg::new(name(publish)).long(name(publish)).help(setting.help);
    let arg = match setting.default {
        Some(default) if setting.kind != SettingKind::Switch => arg.default_value(default),
        _ => arg,
    };
    match setting.kind {
        SettingKind::Switch => arg.action(ArgAction::SetTrue),
        SettingKind::Path { value } => arg.value_name(value).value_parser(value_parser!(PathBuf)),
        SettingKind::Choice { words } => arg.value_parser(PossibleValuesParser::new(words.iter().copied())),
        SettingKind::Columns | SettingKind::Column => {
            arg.value_name(setting.kind.value_name()).value_delimiter(',').action(ArgAction::Append)
        }
        kind if publish.several => arg.value_name(kind.value_name()).action(ArgAction::Append),
        kind => arg.value_name(kind.value_name()),
    }
}

/// Puts what was typed into a recipe; what was not stays as it is.
pub fn apply(matches: &ArgMatches, recipe: &mut Recipe) -> Result<(), Stop> {
    for publish in &PUBLISHING {
        if let Some(given) = given(matches, publish) {
            publish.say(recipe, given)?;
        }
    }
    Ok(())
}

/// What was typed of a setting.
pub fn given(matches: &ArgMatches, publish: &PublishSetting) -> Option<Said> {
    let name = name(publish);
    if matches.value_source(&name) != Some(ValueSource::CommandLine) {
        return None;
    }
    match publish.setting.kind {
        SettingKind::Switch => matches.get_flag(&name).then(|| Said::Switch(!publish.setting.turns_off())),
        // Good from any folder: a recipe starts from its own.
        SettingKind::Path { .. } => {
            let path = matches.get_one::<PathBuf>(&name)?;
            Some(Said::Path(std::path::absolute(path).unwrap_or_else(|_| path.clone())))
        }
        _ if publish.several => {
            let texts = matches.get_many::<String>(&name)?;
            let trimmed = publish.setting.kind == SettingKind::Column;
            let text = |text: &String| if trimmed { text.trim().to_owned() } else { text.clone() };
            Some(Said::Texts(texts.map(text).collect()))
        }
        _ => matches.get_one::<String>(&name).cloned().map(Said::Text),
    }
}
