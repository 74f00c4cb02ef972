//! One way out of a failure, in words that every surface makes its own.
//!
//! A library does not know how its user sets something: a terminal has flags, the workbench has controls, Python has
//! arguments. So a [`Help`] is a sentence in which settings and commands are *named*, with the value that they should get, and
//! each surface words them:
//!
//! ```
//! use throng_contract::{Change, Help, Surface};
//!
//! struct Page;
//! impl Surface for Page {
//!     fn change(&self, change: &Change) -> String {
//!         format!("“{}”", change.setting)
//!     }
//! }
//!
//! let help = Help::from("name the column of the person with {subject COLUMN}");
//! assert_eq!(help.to_string(), "name the column of the person with `--subject COLUMN`");
//! assert_eq!(help.on(&Page), "name the column of the person with “subject”");
//! assert_eq!(help.changes().next().unwrap().setting, "subject");
//! ```
//!
//! # Templates
//! `{NAME}` names a setting, `{NAME VALUE}` a setting and what to change it to, `{throng COMMAND}` a command, and each `$` is
//! replaced by the next value of [`Help::with`]. Only texts of the program are templates: a value cannot name a setting.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::brief::brief;

/// A sentence without a final stop that says what to change, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(from = "Written", into = "Vec<HelpPart>")]
pub struct Help(Vec<HelpPart>);

/// How a help is read: as parts, or as the plain sentence that earlier versions wrote.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Sentence(String),
    Parts(Vec<HelpPart>),
}

impl From<Written> for Help {
    fn from(written: Written) -> Self {
        match written {
            Written::Sentence(words) => Help::words(words),
            Written::Parts(parts) => Help(parts),
        }
    }
}

impl From<Help> for Vec<HelpPart> {
    fn from(help: Help) -> Self {
        help.0
    }
}

/// A part of a [`Help`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum HelpPart {
    /// Plain words.
    Words(String),
    /// A setting, and what to change it to.
    Change(Change),
    /// A command of the program.
    Command {
        /// Its words, without the name of the program.
        command: String,
    },
}

/// What should become of a setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct Change {
    /// The setting's name, as in recipes: `subject`, `k`, `places`. A switch to turn off is `no-NAME`.
    pub setting: Cow<'static, str>,
    /// The value that it should get, or what stands for one (`COLUMN`); nothing where it is a switch or should be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// How a surface says a setting or a command.
pub trait Surface {
    /// A setting, and what to change it to.
    fn change(&self, change: &Change) -> String;

    /// Several settings that are changed together.
    fn changes(&self, changes: &[&Change]) -> String {
        changes.iter().map(|change| self.change(change)).collect::<Vec<_>>().join(" ")
    }

    /// A command, without the name of the program.
    fn command(&self, command: &str) -> String {
        format!("`throng {command}`")
    }
}

/// A terminal: settings are flags.
#[derive(Debug, Clone, Copy)]
pub struct CommandLine;

impl Surface for CommandLine {
    fn change(&self, change: &Change) -> String {
        self.changes(&[change])
    }

    fn changes(&self, changes: &[&Change]) -> String {
        let typed = changes.iter().map(|change| {
            let flag = flag_of(&change.setting);
            change.value.as_ref().map_or(flag.clone(), |value| format!("{flag} {value}"))
        });
        format!("`{}`", typed.collect::<Vec<_>>().join(" "))
    }
}

/// The flag of a setting: one dash before one lower-case letter, two before every other name. Columns of coordinates on a plane
/// are named by long flags, beside `--lat` and `--lon`.
pub fn flag_of(setting: &str) -> String {
    match setting.as_bytes() {
        [b'x' | b'y'] => format!("--{setting}"),
        [letter] if letter.is_ascii_lowercase() => format!("-{setting}"),
        _ => format!("--{setting}"),
    }
}

impl Help {
    /// Plain words that name no setting; they may hold values of a user.
    pub fn words(words: impl Into<String>) -> Self {
        Help(vec![HelpPart::Words(words.into())])
    }

    /// A template with a value for each `$`.
    pub fn with<'a>(template: &'static str, values: impl IntoIterator<Item = &'a dyn fmt::Display>) -> Self {
        let mut values = values.into_iter();
        let mut fill = |text: &str| {
            let mut filled = String::with_capacity(text.len());
            for letter in text.chars() {
                match (letter == '$').then(|| values.next()).flatten() {
                    Some(value) => filled.push_str(&value.to_string()),
                    None => filled.push(letter),
                }
            }
            filled
        };
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some((words, named, after)) = next_name(rest) {
            if !words.is_empty() {
                parts.push(HelpPart::Words(fill(words)));
            }
            parts.push(match named.split_once(' ') {
                Some(("throng", command)) => HelpPart::Command { command: fill(command) },
                Some((setting, value)) => {
                    let setting = named_setting(setting, &mut fill);
                    HelpPart::Change(Change { setting, value: Some(fill(value)) })
                }
                None => HelpPart::Change(Change { setting: named_setting(named, &mut fill), value: None }),
            });
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(HelpPart::Words(fill(rest)));
        }
        Help(parts)
    }

    /// The same, and then another sentence.
    #[must_use]
    pub fn and(mut self, other: impl Into<Help>) -> Self {
        self.0.extend(other.into().0);
        self
    }

    /// Several ways out, in one sentence.
    pub fn any_of(ways: impl IntoIterator<Item = Help>) -> Self {
        let joined = ways.into_iter().reduce(|first, next| first.and("; ").and(next));
        joined.unwrap_or_else(|| Help::words(""))
    }

    /// All parts, in order.
    pub fn parts(&self) -> &[HelpPart] {
        &self.0
    }

    /// The settings that it would change.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.0.iter().filter_map(|part| match part {
            HelpPart::Change(change) => Some(change),
            HelpPart::Words(_) | HelpPart::Command { .. } => None,
        })
    }

    /// What a setting should become, if the help says so.
    pub fn change_of(&self, setting: &str) -> Option<&Change> {
        self.changes().find(|change| change.setting == setting)
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sentence in the words of a surface.
    pub fn on(&self, surface: &impl Surface) -> String {
        let mut text = String::new();
        let mut at = 0;
        while let Some(part) = self.0.get(at) {
            match part {
                HelpPart::Words(words) => text.push_str(words),
                HelpPart::Command { command } => text.push_str(&surface.command(command)),
                HelpPart::Change(change) => {
                    let mut together = vec![change];
                    while let (Some(HelpPart::Words(blank)), Some(HelpPart::Change(next))) =
                        (self.0.get(at + 1), self.0.get(at + 2))
                        && blank == " "
                    {
                        together.push(next);
                        at += 2;
                    }
                    text.push_str(&surface.changes(&together));
                }
            }
            at += 1;
        }
        text
    }

    /// The same with little of what files say, see [`brief`].
    pub(crate) fn briefly(mut self) -> Self {
        for part in &mut self.0 {
            match part {
                HelpPart::Words(text) | HelpPart::Command { command: text } => *text = brief(text),
                HelpPart::Change(change) => change.value = change.value.as_deref().map(brief),
            }
        }
        self
    }
}

/// The words before the next name in braces, what is in the braces, and the rest. Other braces are words.
fn next_name(template: &'static str) -> Option<(&'static str, &'static str, &'static str)> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$'))
    };
    let named = |at: usize| {
        let (named, after) = template[at + 1..].split_once('}')?;
        let name = named.split_once(' ').map_or(named, |(name, _)| name);
        is_name(name).then_some((&template[..at], named, after))
    };
    template.match_indices('{').find_map(|(at, _)| named(at))
}

/// The name of a setting, which may itself be a value.
fn named_setting(name: &'static str, fill: &mut impl FnMut(&str) -> String) -> Cow<'static, str> {
    match name.contains('$') {
        true => Cow::Owned(fill(name)),
        false => Cow::Borrowed(name),
    }
}

/// Writes ways out in the words of a terminal, for what a command prints as JSON.
pub fn typed<S: serde::Serializer>(ways: &[Help], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(ways.iter().map(Help::to_string))
}

/// A [`Help`] from a template and a value for each `$`.
///
/// ```
/// let column = "user";
/// assert_eq!(throng_contract::help!("say {subject $}", column).to_string(), "say `--subject user`");
/// ```
#[macro_export]
macro_rules! help {
    ($template:literal $(, $value:expr)* $(,)?) => {
        $crate::Help::with($template, [$(&$value as &dyn ::std::fmt::Display),*])
    };
}

/// A template without values.
impl From<&'static str> for Help {
    fn from(template: &'static str) -> Self {
        Help::with(template, [])
    }
}

/// Plain words that name no setting.
impl From<String> for Help {
    fn from(words: String) -> Self {
        Help::words(words)
    }
}

/// In the words of a terminal.
impl fmt::Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.on(&CommandLine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_are_changed_together_are_typed_together() {
        let help =
            Help::from("name columns with {lat COLUMN} {lon COLUMN}, or {x} and {y}; see {throng methods}");
        let typed = "name columns with `--lat COLUMN --lon COLUMN`, or `--x` and `--y`; see `throng methods`";
        assert_eq!(help.to_string(), typed);
        assert_eq!(help.changes().count(), 4);
    }

    #[test]
    fn a_value_never_names_a_setting() {
        let help = Help::with("say {subject $}, not $", [&"{force}" as &dyn fmt::Display, &"{item} $"]);
        assert_eq!(help.to_string(), "say `--subject {force}`, not {item} $");
        assert_eq!(help.changes().count(), 1);
        assert_eq!(Help::from("as `{a|b|c}`, or { \"subject\": 1 }").changes().count(), 0);
        assert_eq!(Help::words("{force}").changes().count(), 0);
    }

    #[test]
    fn a_help_survives_a_pipe() {
        let help = Help::from("give {k 5}, or {sets}; see {throng methods}");
        let text = serde_json::to_string(&help).unwrap();
        assert_eq!(serde_json::from_str::<Help>(&text).unwrap(), help);
        assert_eq!(serde_json::from_str::<Help>("\"give more\"").unwrap(), Help::words("give more"));
    }
}
