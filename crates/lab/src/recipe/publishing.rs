//! The settings of publishing, described once: flags, keys of recipes and commands walk this table.

use std::path::PathBuf;

use throng_contract::{Failure, Setting, SettingKind};
use throng_ledger::Together;
use throng_release::{Limits, ReleaseFormat};

use super::Recipe;

/// What was said of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// On or off.
    Switch(bool),
    /// A word.
    Text(String),
    /// Several words.
    Texts(Vec<String>),
    /// A file or directory.
    Path(PathBuf),
}

/// A setting of publishing: how it is called, and where a recipe keeps it.
#[derive(Debug, Clone, Copy)]
pub struct PublishSetting {
    /// What users see of it; its name is the flag.
    pub setting: Setting,
    /// The key in the section `publish` of recipes.
    pub key: &'static str,
    /// Whether several values may be given.
    pub several: bool,
    get: fn(&Recipe) -> Option<Said>,
    set: fn(&mut Recipe, Said) -> Result<(), Failure>,
}

impl PublishSetting {
    /// What the recipe says, where that is not what is usual.
    pub fn given(&self, recipe: &Recipe) -> Option<Said> {
        (self.get)(recipe)
    }

    /// Puts what was said into the recipe. A list of columns that are accepted grows; another list is replaced.
    pub fn say(&self, recipe: &mut Recipe, given: Said) -> Result<(), Failure> {
        (self.set)(recipe, given)
    }

    /// Whether it is on or off.
    pub fn is_switch(&self) -> bool {
        self.setting.kind == SettingKind::Switch
    }

    /// What was said, as it is typed.
    pub(super) fn typed(&self, given: Said) -> Vec<String> {
        match given {
            Said::Switch(on) => self.setting.typed(&on.to_string()),
            Said::Text(text) => self.setting.typed(&text),
            Said::Texts(texts) => texts.iter().flat_map(|text| self.setting.typed(text)).collect(),
            Said::Path(path) => self.setting.typed(&path.display().to_string()),
        }
    }

    const fn keyed(self, key: &'static str) -> Self {
        PublishSetting { key, ..self }
    }

    const fn or(self, default: &'static str) -> Self {
        PublishSetting { setting: Setting { default: Some(default), ..self.setting }, ..self }
    }

    const fn several(self) -> Self {
        PublishSetting { several: true, ..self }
    }
}

const fn publish(
    name: &'static str,
    kind: SettingKind,
    help: &'static str,
    get: fn(&Recipe) -> Option<Said>,
    set: fn(&mut Recipe, Said) -> Result<(), Failure>,
) -> PublishSetting {
    let setting = Setting { name, kind, default: None, help };
    PublishSetting { setting, key: name, several: false, get, set }
}

const fn switch(
    name: &'static str,
    default: &'static str,
    help: &'static str,
    get: fn(&Recipe) -> Option<Said>,
    set: fn(&mut Recipe, Said) -> Result<(), Failure>,
) -> PublishSetting {
    publish(name, SettingKind::Switch, help, get, set).or(default)
}

/// Which columns are published as they are.
pub const COLUMNS: PublishSetting = publish(
    "publish",
    SettingKind::Columns,
    "Columns to publish as they are, beside events or in a table; all others are withheld",
    |recipe| texts(&recipe.data.files.publish),
    |recipe, given| put_texts(&mut recipe.data.files.publish, given),
)
.keyed("columns")
.several();

/// The form of the released events.
pub const FORMAT: PublishSetting = publish(
    "format",
    SettingKind::Choice { words: &["csv", "parquet"] },
    "Form of the released events",
    |recipe| (recipe.format == ReleaseFormat::Parquet).then(|| Said::Text("parquet".to_owned())),
    |recipe, given| {
        recipe.format = match given {
            Said::Text(word) if word == "parquet" => ReleaseFormat::Parquet,
            _ => ReleaseFormat::Csv,
        };
        Ok(())
    },
)
.or("csv");

/// Whether the published report has a map.
pub const MAP: PublishSetting = switch(
    "map",
    "true",
    "Leave the map out of the published report; it shows roughly where released places are",
    |recipe| (!recipe.map).then_some(Said::Switch(false)),
    |recipe, given| put_switch(&mut recipe.map, given),
);

/// Whether columns are published that single people out.
pub const ACCEPT_EXPOSED_COLUMNS: PublishSetting = switch(
    "accept-exposed-columns",
    "false",
    "Publish columns that single people out; the release and the ledger record that they do",
    |recipe| on(recipe.data.files.accept_exposed_columns),
    |recipe, given| put_switch(&mut recipe.data.files.accept_exposed_columns, given),
);

/// Which columns are published that identify people directly.
pub const ACCEPT_IDENTIFIER: PublishSetting = publish(
    "accept-identifier",
    SettingKind::Column,
    "Publish a column that identifies people directly (names, documents, free text); it is recorded",
    |recipe| texts(&recipe.data.files.accept_identifiers),
    |recipe, given| {
        let mut more = Vec::new();
        put_texts(&mut more, given)?;
        recipe.data.files.accept_identifiers.extend(more);
        Ok(())
    },
)
.keyed("accept-identifiers")
.several();

/// Whether a release may be empty.
pub const ALLOW_EMPTY: PublishSetting = switch(
    "allow-empty",
    "false",
    "Write a release in which no event is left",
    |recipe| on(recipe.allow_empty),
    |recipe, given| put_switch(&mut recipe.allow_empty, given),
);

/// Whether copies are written that a spreadsheet can open.
pub const SPREADSHEET_SAFE: PublishSetting = switch(
    "spreadsheet-safe",
    "false",
    "Write copies with formulas escaped, too",
    |recipe| on(recipe.spreadsheet_safe),
    |recipe, given| put_switch(&mut recipe.spreadsheet_safe, given),
);

/// How usefulness is graded.
pub const USEFULNESS: PublishSetting = publish(
    "usefulness",
    SettingKind::Text { value: "NAME=LIMITED,POOR" },
    "Thresholds for \"limited\" and \"poor\": events=10%,50%; `throng methods usefulness` lists all",
    |recipe| (!recipe.limits.is_usual()).then(|| Said::Texts(recipe.limits.typed())),
    |recipe, given| {
        let mut limits = Vec::new();
        put_texts(&mut limits, given)?;
        recipe.limits = Limits::parse(limits.iter().map(String::as_str))?;
        Ok(())
    },
)
.several();

/// Whether every item is written out.
pub const SPELL_OUT: PublishSetting = switch(
    "spell-out",
    "false",
    "Write every item as `{a|b|c}`, instead of short names for large ones and items.csv",
    |recipe| on(recipe.spell_out),
    |recipe, given| put_switch(&mut recipe.spell_out, given),
);

/// What happens to a release that breaks its promise together with an earlier one.
pub const TOGETHER: PublishSetting = publish(
    "together",
    SettingKind::Choice { words: &Together::WORDS },
    "What to do with a release that breaks its promise together with an earlier one of the same people: warn, and write it; \
     refuse, and write nothing, nor where they cannot be compared [default: warn]",
    |recipe| {
        let usual = recipe.together == Together::default();
        (!usual).then(|| Said::Text(recipe.together.name().to_owned()))
    },
    |recipe, given| {
        if let Said::Text(word) = given {
            recipe.together = Together::parse(&word).unwrap_or_default();
        }
        Ok(())
    },
);

/// The release that this one is safe together with.
pub const AFTER: PublishSetting = publish(
    "after",
    SettingKind::Path { value: "DIR" },
    "Make a release of a table that keeps its promise together with the one in this directory, which is of the same people",
    |recipe| recipe.after.clone().map(Said::Path),
    |recipe, given| put_path(&mut recipe.after, given),
);

/// Whose the rows of that release are.
pub const AFTER_LINKAGE: PublishSetting = publish(
    "after-linkage",
    SettingKind::Path { value: "FILE" },
    "Whose the rows of that release are [default: as the ledger says]",
    |recipe| recipe.after_linkage.clone().map(Said::Path),
    |recipe, given| put_path(&mut recipe.after_linkage, given),
);

/// All settings of publishing, in the order of the keys of a recipe.
pub static PUBLISHING: [PublishSetting; 12] = [
    COLUMNS,
    FORMAT,
    MAP,
    ACCEPT_EXPOSED_COLUMNS,
    ACCEPT_IDENTIFIER,
    ALLOW_EMPTY,
    SPREADSHEET_SAFE,
    USEFULNESS,
    SPELL_OUT,
    TOGETHER,
    AFTER,
    AFTER_LINKAGE,
];

fn on(switch: bool) -> Option<Said> {
    switch.then_some(Said::Switch(true))
}

fn texts(texts: &[String]) -> Option<Said> {
    (!texts.is_empty()).then(|| Said::Texts(texts.to_vec()))
}

fn put_switch(slot: &mut bool, given: Said) -> Result<(), Failure> {
    if let Said::Switch(on) = given {
        *slot = on;
    }
    Ok(())
}

fn put_texts(slot: &mut Vec<String>, given: Said) -> Result<(), Failure> {
    if let Said::Texts(texts) = given {
        *slot = texts;
    }
    Ok(())
}

fn put_path(slot: &mut Option<PathBuf>, given: Said) -> Result<(), Failure> {
    if let Said::Path(path) = given {
        *slot = Some(path);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Files, Job};
    use throng_data::formats::Source;
    use throng_methods::Variant;

    #[test]
    fn what_a_recipe_says_can_be_said_again() {
        let job = Job {
            files: Files::of(Source::parse("-")),
            method: "cluster".to_owned(),
            settings: Vec::new(),
            limits: Limits::default(),
            variant: Variant::Sound,
            seed: None,
            salt: None,
            after: None,
        };
        let usual = Recipe::of(&job, ReleaseFormat::Csv);
        assert!(PUBLISHING.iter().all(|publish| publish.given(&usual).is_none()));
        let mut said = usual.clone();
        for publish in &PUBLISHING {
            let given = match (publish.setting.kind, publish.several) {
                (SettingKind::Switch, _) => Said::Switch(!publish.setting.turns_off()),
                (SettingKind::Choice { words }, _) => Said::Text(words[1].to_owned()),
                (SettingKind::Path { .. }, _) => Said::Path("earlier".into()),
                (SettingKind::Text { .. }, _) => Said::Texts(vec!["events=20%,60%".to_owned()]),
                _ => Said::Texts(vec!["age".to_owned()]),
            };
            publish.say(&mut said, given.clone()).unwrap();
            assert_eq!(publish.given(&said), Some(given), "{}", publish.key);
        }
    }
}
