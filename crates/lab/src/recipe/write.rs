//! A recipe as text. What was read and is written again means the same.

use throng_contract::{Input, InputKey, SettingKind};
use throng_data::Role;
use throng_data::formats::{Format, Source};
use throng_methods::Variant;
use toml::{Table, Value};

use super::publishing::{PUBLISHING, PublishSetting, Said};
use super::{Data, Recipe, SCHEMA};

/// How a file is written down.
pub(crate) type Named<'a> = &'a dyn Fn(&str, &Source) -> String;

impl Recipe {
    /// The recipe as text, with paths as they are.
    pub fn to_toml(&self) -> String {
        self.to_toml_with(&|_, source| source.name().to_owned())
    }

    /// The recipe as text, with paths that are good from any folder.
    pub fn to_toml_anywhere(&self) -> String {
        self.to_toml_with(&|_, source| match source.path().map(std::path::absolute) {
            Some(Ok(path)) => path.display().to_string(),
            _ => source.name().to_owned(),
        })
    }

    /// The recipe as text; `named` says how a file of a role is written.
    pub(crate) fn to_toml_with(&self, named: Named<'_>) -> String {
        self.to_table(named).to_string()
    }

    /// The recipe as far as it is written before a method is chosen, with paths as they are: its text, and the section about publishing behind it.
    pub fn to_toml_without_method(&self) -> (String, String) {
        let mut table = self.to_table(&|_, source| source.name().to_owned());
        table.remove("method");
        let publish = table.remove("publish");
        let publish = publish.map(|publish| Table::from_iter([("publish".to_owned(), publish)]).to_string());
        (table.to_string(), publish.unwrap_or_default())
    }

    fn to_table(&self, named: Named<'_>) -> Table {
        let mut root = Table::new();
        root.insert("schema".to_owned(), SCHEMA.into());
        if let Some(seed) = self.seed {
            root.insert("seed".to_owned(), whole(seed));
        }
        if let Some(salt) = &self.salt {
            root.insert("salt".to_owned(), salt.hex().into());
        }
        root.insert("data".to_owned(), data_section(&self.data, named).into());
        let method = method_section(&self.method, &self.settings, self.variant);
        root.insert("method".to_owned(), method.into());
        let publish = publish(self);
        if !publish.is_empty() {
            root.insert("publish".to_owned(), publish.into());
        }
        root
    }
}

/// What a recipe says of its data.
pub(crate) fn data_section(data: &Data, named: Named<'_>) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| table.insert(key.to_owned(), value);
    match &data.world {
        Some(world) => {
            put("world", world.name.into());
            world.options.subjects.map(|subjects| put("subjects", whole(subjects)));
            put("seed", whole(world.options.seed));
            world.options.terms.map(|terms| put("terms", whole(u64::from(terms))));
            world.options.mean_length.map(|mean| put("mean-length", mean.into()));
        }
        None => {
            let key = if data.files.read.format == Some(Format::Table) { "table" } else { "events" };
            put(key, named("data", &data.files.data).into());
        }
    }
    for input in Input::ALL {
        if let Some(source) = data.files.source(input) {
            put(input.flag(), named(input.flag(), source).into());
        }
    }
    if !data.files.sensitive_values.is_empty() {
        put(Input::SensitiveValues.flag(), data.files.sensitive_values.clone().into());
    }
    for (option, value) in data.files.read.given() {
        let value = if option.setting.kind == SettingKind::Switch { true.into() } else { value.into() };
        put(option.setting.name, value);
    }
    let types = &data.files.read.types;
    if !types.is_empty() {
        let types = types.iter().map(|(column, kind)| (column.clone(), kind.name().into()));
        put("types", Value::Table(types.collect()));
    }
    if !data.files.ranges.is_empty() {
        let ranges =
            data.files.ranges.iter().map(|(column, range)| (column.clone(), range.to_string().into()));
        put("ranges", Value::Table(ranges.collect()));
    }
    if data.files.is_given(Input::Hierarchies) {
        let files = data.files.hierarchies();
        let files = files.map(|(column, source)| {
            (column.to_owned(), named(&InputKey::hierarchy(column).role(), source).into())
        });
        put(Input::Hierarchies.flag(), Value::Table(files.collect()));
    }
    if !data.fingerprints.is_empty() {
        let fingerprints =
            data.fingerprints.iter().map(|(role, sha256)| (role.clone(), sha256.clone().into()));
        put("sha256", Value::Table(fingerprints.collect()));
    }
    table
}

/// A method with its parameters.
pub(crate) fn method_section(name: &str, settings: &[(String, String)], variant: Variant) -> Table {
    let mut table = Table::new();
    table.insert("name".to_owned(), name.into());
    for (name, text) in settings {
        table.insert(name.clone(), typed(text));
    }
    if variant != Variant::Sound {
        table.insert("variant".to_owned(), variant.name().into());
    }
    table
}

fn publish(recipe: &Recipe) -> Table {
    let mut table = Table::new();
    // Lists stand last.
    let (lists, others): (Vec<&PublishSetting>, Vec<&PublishSetting>) =
        PUBLISHING.iter().partition(|publish| publish.several);
    for publish in others.into_iter().chain(lists) {
        let Some(given) = publish.given(recipe) else { continue };
        let value = match given {
            Said::Switch(on) => on.into(),
            Said::Text(text) => text.into(),
            Said::Texts(texts) => texts.into(),
            Said::Path(path) => path.display().to_string().into(),
        };
        table.insert(publish.key.to_owned(), value);
    }
    table.extend(roles_section(&recipe.data.files.roles));
    table
}

/// What columns are, if that is said of any.
pub(crate) fn roles_section(roles: &[(String, Role)]) -> Option<(String, Value)> {
    let named = roles.iter().map(|(column, role)| (column.clone(), role.name().into()));
    (!roles.is_empty()).then(|| ("roles".to_owned(), Value::Table(named.collect())))
}

/// TOML has signed numbers only; a seed beyond them is written in quotes.
pub(crate) fn whole(number: u64) -> Value {
    i64::try_from(number).map_or_else(|_| number.to_string().into(), Value::Integer)
}

/// A number or switch as such where nothing is lost by it, text in quotes otherwise.
pub(crate) fn typed(text: &str) -> Value {
    match (text, text.parse::<i64>()) {
        ("true", _) => Value::Boolean(true),
        ("false", _) => Value::Boolean(false),
        (_, Ok(number)) if number.to_string() == text => Value::Integer(number),
        _ => match text.parse::<f64>() {
            Ok(number) if plain(number) && number.to_string() == text => Value::Float(number),
            _ => Value::String(text.to_owned()),
        },
    }
}

/// Whether a number is written without an exponent.
fn plain(number: f64) -> bool {
    number.is_finite() && (1e-4..1e9).contains(&number.abs()) && number.fract() != 0.0
}
