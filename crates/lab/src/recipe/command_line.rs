//! A recipe as the command that a person would type.

use throng_contract::{Given, Input, Setting, shell_line};
use throng_data::Role;
use throng_data::formats::{READING_FORMAT, ReadingSetting};
use throng_data::load::Files;
use throng_methods::Variant;
use throng_release::catalogue;

use super::Recipe;
use super::publishing::{PUBLISHING, PublishSetting, USEFULNESS};

impl Recipe {
    /// The command that makes the release in `target`. A world in place of files has none of its own, so that its recipe is
    /// the only way to say it.
    pub fn command_line(&self, target: &str) -> String {
        let files = &self.data.files;
        let method = catalogue::method(&self.method).ok().map(|method| method.descriptor());
        let mut words = vec!["throng".to_owned(), "anonymize".to_owned(), files.data.name().to_owned()];
        words.extend(files.reading_words());
        words.extend(files.input_words(|input| {
            let attributes = !files.publish.is_empty() || !files.sensitive_values.is_empty();
            method.is_none_or(|method| method.uses(input)) || (input == Input::Records && attributes)
        }));
        words.extend(["--method".to_owned(), self.method.clone()]);
        let param = |name: &str| -> Option<&'static Setting> { method?.param(name) };
        for (name, value) in &self.settings {
            words.extend(param(name).map(|param| param.typed(value)).unwrap_or_default());
        }
        let mut say = |flag: &str, value: &str| words.extend([flag.to_owned(), value.to_owned()]);
        if self.variant != Variant::Sound {
            say("--variant", self.variant.name());
        }
        // Without a seed it is 0.
        if let Some(seed) = self.seed.filter(|seed| *seed != 0) {
            say("--seed", &seed.to_string());
        }
        let (lists, others): (Vec<&PublishSetting>, Vec<&PublishSetting>) =
            PUBLISHING.iter().partition(|publish| publish.several);
        let (switches, values): (Vec<&PublishSetting>, Vec<&PublishSetting>) =
            others.into_iter().partition(|publish| publish.is_switch());
        let typed = |publish: &PublishSetting| {
            publish.given(self).map(|given| publish.typed(given)).unwrap_or_default()
        };
        for publish in lists.into_iter().chain(values).chain(switches) {
            if publish.key == USEFULNESS.key {
                let roles = files.role_words().into_iter();
                words.extend(roles.flat_map(|(flag, value)| [flag.to_owned(), value]));
            }
            words.extend(typed(publish));
        }
        words.extend(["-o".to_owned(), target.to_owned()]);
        shell_line(words.iter().map(String::as_str))
    }
}

/// What files are given with, as a user would type it.
pub trait Typed {
    /// The flags that say how the data are read.
    fn reading_words(&self) -> Vec<String>;
    /// The flags that say what columns are. Those of a table that may be known, or must not be learned, have short ones.
    fn role_words(&self) -> Vec<(&'static str, String)>;
    /// The flags that give the wanted inputs.
    fn input_words(&self, wanted: impl Fn(Input) -> bool) -> Vec<String>;
}

impl Typed for Files {
    fn reading_words(&self) -> Vec<String> {
        let table = self.is_table();
        let words = |(option, value): (&ReadingSetting, String)| match option.setting.name {
            "subject" if table => vec!["--id".to_owned(), value],
            _ => option.typed(value),
        };
        // Roles say that it is a table.
        let implied = |option: &ReadingSetting| {
            option.setting.name == READING_FORMAT && table && !self.roles.is_empty()
        };
        let given = self.read.given().filter(|(option, _)| !implied(option));
        let mut words: Vec<String> = given.flat_map(words).collect();
        for (column, kind) in &self.read.types {
            words.extend(["--type".to_owned(), format!("{column}={}", kind.name())]);
        }
        for (column, range) in &self.ranges {
            words.extend(["--range".to_owned(), format!("{column}={range}")]);
        }
        words
    }

    fn role_words(&self) -> Vec<(&'static str, String)> {
        let mut words = Vec::new();
        let mut left: Vec<&(String, Role)> = self.roles.iter().collect();
        if self.is_table() {
            for (flag, role) in
                [("--quasi", Role::QuasiIdentifying), ("--sensitive-attribute", Role::Sensitive)]
            {
                // A name with a comma in it cannot stand in a list.
                let short = |(column, own): &(String, Role)| *own == role && !column.contains(',');
                let columns: Vec<&str> =
                    left.iter().filter(|entry| short(entry)).map(|(column, _)| column.as_str()).collect();
                if !columns.is_empty() {
                    words.push((flag, columns.join(",")));
                }
                left.retain(|entry| !short(entry));
            }
        }
        words.extend(left.into_iter().map(|(column, role)| ("--role", format!("{column}={}", role.name()))));
        words
    }

    fn input_words(&self, wanted: impl Fn(Input) -> bool) -> Vec<String> {
        let mut words = Vec::new();
        for input in Input::ALL.into_iter().filter(|input| wanted(*input)) {
            let mut say = |value: &str| words.extend([format!("--{}", input.flag()), value.to_owned()]);
            if input.row().given == Given::Values {
                self.sensitive_values.iter().for_each(|value| say(value));
            }
            for (key, source) in self.inputs.iter().filter(|(key, _)| key.input == input) {
                match &key.column {
                    Some(column) => say(&format!("{column}={}", source.name())),
                    None => say(source.name()),
                }
            }
        }
        words
    }
}
