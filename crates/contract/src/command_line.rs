//! How a setting is typed on a command line, and how a word survives a shell.

use crate::setting::{Setting, SettingKind};

impl Setting {
    /// Whether the setting is typed with one dash: its name is one lower-case letter.
    pub fn is_short(&self) -> bool {
        self.name.len() == 1 && self.name.chars().all(char::is_lowercase)
    }

    /// Whether it is a switch that is on unless it is turned off.
    pub fn turns_off(&self) -> bool {
        self.kind == SettingKind::Switch && self.default == Some("true")
    }

    /// The flag as it is typed: `-k`, `--distance`, `--no-apriori`.
    pub fn flag(&self) -> String {
        match self.name {
            name if self.turns_off() => format!("--no-{name}"),
            name if self.is_short() => format!("-{name}"),
            name => format!("--{name}"),
        }
    }

    /// A value as it is typed: nothing, a flag, or a flag and its value.
    pub fn typed(&self, value: &str) -> Vec<String> {
        match self.kind {
            SettingKind::Switch if (value == "false") == self.turns_off() => vec![self.flag()],
            SettingKind::Switch => Vec::new(),
            _ => vec![self.flag(), value.to_owned()],
        }
    }
}

/// A word as a shell takes it.
pub fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:%@+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Words as a line for a shell.
pub fn shell_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(shell_quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(name: &'static str, kind: SettingKind, default: Option<&'static str>) -> Setting {
        Setting { name, kind, default, help: "" }
    }

    #[test]
    fn one_lower_case_letter_is_a_short_flag() {
        assert_eq!(setting("k", SettingKind::Share, None).typed("5"), ["-k", "5"]);
        assert_eq!(setting("K", SettingKind::Share, None).typed("5"), ["--K", "5"]);
        assert_eq!(setting("distance", SettingKind::Share, None).flag(), "--distance");
    }

    #[test]
    fn a_switch_is_typed_only_where_it_differs_from_its_default() {
        let off = setting("whole", SettingKind::Switch, Some("false"));
        assert_eq!((off.typed("true"), off.typed("false")), (vec!["--whole".to_owned()], vec![]));
        let on = setting("apriori", SettingKind::Switch, Some("true"));
        assert_eq!((on.typed("true"), on.typed("false")), (vec![], vec!["--no-apriori".to_owned()]));
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_quoted("trips-2024.csv"), "trips-2024.csv");
        assert_eq!(shell_quoted("my trips.csv"), "'my trips.csv'");
        assert_eq!(shell_quoted("a'b"), r"'a'\''b'");
        assert_eq!(shell_line(["-k", ""]), "-k ''");
    }
}
