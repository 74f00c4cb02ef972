//! The options of reading, described once: flags, keys of recipes, entries of the ledger and commands walk this table.

use throng_contract::{Setting, SettingKind};

use super::encoding::Encoding;
use super::options::{Format, ReadOptions};

/// A setting of reading: where it is kept.
#[derive(Debug, Clone, Copy)]
pub struct ReadingSetting {
    /// What users see of it; its name is the flag, and the key in recipes.
    pub setting: Setting,
    /// A setting without which it means nothing.
    pub requires: Option<&'static str>,
    get: fn(&ReadOptions) -> Option<String>,
    set: fn(&mut ReadOptions, &str) -> Option<()>,
}

impl ReadingSetting {
    /// The value as a user types it, if it was given.
    pub fn value(&self, options: &ReadOptions) -> Option<String> {
        (self.get)(options)
    }

    /// A value as it is typed. All these flags are long ones: `--x`, too.
    pub fn typed(&self, value: String) -> Vec<String> {
        let flag = format!("--{}", self.setting.name);
        match self.setting.kind {
            SettingKind::Switch => vec![flag],
            _ => vec![flag, value],
        }
    }

    /// Sets it to what a user typed. What is wrong with it is said as what it should be.
    pub fn set(&self, options: &mut ReadOptions, text: &str) -> Result<(), String> {
        (self.set)(options, text).ok_or_else(|| match (self.setting.name, self.setting.kind) {
            ("delimiter", _) => "one ASCII character".to_owned(),
            ("encoding", _) => "the name of an encoding, such as windows-1252".to_owned(),
            (_, SettingKind::Letter) => "one character".to_owned(),
            (_, SettingKind::Choice { words }) => format!("one of {}", words.join(", ")),
            (_, SettingKind::Switch) => "true or false".to_owned(),
            _ => "text".to_owned(),
        })
    }
}

/// The setting that names the form of the data.
pub const READING_FORMAT: &str = "input-format";

const fn reading(
    name: &'static str,
    kind: SettingKind,
    help: &'static str,
    get: fn(&ReadOptions) -> Option<String>,
    set: fn(&mut ReadOptions, &str) -> Option<()>,
) -> ReadingSetting {
    ReadingSetting { setting: Setting { name, kind, default: None, help }, requires: None, get, set }
}

impl ReadingSetting {
    /// The same, meaningless without another one.
    const fn with(self, other: &'static str) -> Self {
        ReadingSetting { requires: Some(other), ..self }
    }
}

/// All options, in the order of the help.
pub static READING: [ReadingSetting; 22] = [
    reading(
        "subject",
        SettingKind::Column,
        "Column of the person [default: subject, or found by its name: user_id, patient, card, ...]",
        |options| options.subject.clone(),
        |options, text| text_into(&mut options.subject, text),
    ),
    reading(
        "record",
        SettingKind::Column,
        "Column of the record [default: record, trip_id, session, ..., if there is one]",
        |options| options.record.clone(),
        |options, text| text_into(&mut options.record, text),
    ),
    reading(
        "item",
        SettingKind::Column,
        "Column of the item [default: item, or found by its name: place, poi, activity, url, ...]",
        |options| options.item.clone(),
        |options, text| text_into(&mut options.item, text),
    ),
    reading(
        "time",
        SettingKind::Column,
        "Column of the time [default: time, or found by its name and values]",
        |options| options.time.clone(),
        |options, text| text_into(&mut options.time, text),
    ),
    reading(
        "time-format",
        SettingKind::Text { value: "FORMAT" },
        "How times are written, for example \"%d/%m/%Y %H:%M\" [default: found by trying]",
        |options| options.time_format.clone(),
        |options, text| text_into(&mut options.time_format, text),
    ),
    reading(
        "date",
        SettingKind::Column,
        "Column of the date, where the time is a time of day",
        |options| options.date.clone(),
        |options, text| text_into(&mut options.date, text),
    ),
    reading(
        "no-time",
        SettingKind::Switch,
        "No column is a time that matters: the order of the file is the order",
        |options| options.no_time.then(|| "true".to_owned()),
        |options, text| switch_into(&mut options.no_time, text),
    ),
    reading(
        "wide",
        SettingKind::Column,
        "Column that holds all items of a record, for files with one row a record",
        |options| options.wide.clone(),
        |options, text| text_into(&mut options.wide, text),
    ),
    reading(
        "separator",
        SettingKind::Letter,
        "What separates items in the wide column [default: a blank]",
        |options| options.separator.map(String::from),
        |options, text| {
            options.separator = Some(letter(text)?);
            Some(())
        },
    )
    .with("wide"),
    reading(
        "delimiter",
        SettingKind::Letter,
        "What separates columns [default: found by trying]",
        |options| options.delimiter.map(|byte| char::from(byte).to_string()),
        |options, text| {
            options.delimiter = Some(u8::try_from(letter(text)?).ok().filter(u8::is_ascii)?);
            Some(())
        },
    ),
    reading(
        READING_FORMAT,
        SettingKind::Choice { words: &Format::NAMES },
        "The form of the data [default: found by looking at it]",
        |options| options.format.map(|format| format.name().to_owned()),
        |options, text| {
            options.format = Some(Format::parse(text)?);
            Some(())
        },
    ),
    reading(
        "no-header",
        SettingKind::Switch,
        "The first line is a row already; columns go by their numbers",
        |options| options.no_header.then(|| "true".to_owned()),
        |options, text| switch_into(&mut options.no_header, text),
    ),
    reading(
        "encoding",
        SettingKind::Text { value: "NAME" },
        "How letters are stored, for example windows-1252 [default: found by trying]",
        |options| options.encoding.map(|encoding| encoding.name()),
        |options, text| {
            options.encoding = Some(Encoding::parse(text)?);
            Some(())
        },
    ),
    reading(
        "sheet",
        SettingKind::Text { value: "NAME" },
        "The sheet of a workbook [default: the only one with data]",
        |options| options.sheet.clone(),
        |options, text| text_into(&mut options.sheet, text),
    ),
    reading(
        "attributes",
        SettingKind::Columns,
        "Columns of the events that belong to the person, one value each",
        |options| (!options.attributes.is_empty()).then(|| options.attributes.join(",")),
        |options, text| {
            let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            options.attributes = names.map(str::to_owned).collect();
            Some(())
        },
    ),
    reading(
        "lat",
        SettingKind::Column,
        "Column of the events with the latitude of the item",
        |options| options.lat.clone(),
        |options, text| text_into(&mut options.lat, text),
    )
    .with("lon"),
    reading(
        "lon",
        SettingKind::Column,
        "Column of the events with the longitude of the item",
        |options| options.lon.clone(),
        |options, text| text_into(&mut options.lon, text),
    )
    .with("lat"),
    reading(
        "x",
        SettingKind::Column,
        "Column of the events with the x of the item, on a plane",
        |options| options.x.clone(),
        |options, text| text_into(&mut options.x, text),
    )
    .with("y"),
    reading(
        "y",
        SettingKind::Column,
        "Column of the events with the y of the item, on a plane",
        |options| options.y.clone(),
        |options, text| text_into(&mut options.y, text),
    )
    .with("x"),
    reading(
        "category",
        SettingKind::Column,
        "Column of the events with the category of the item",
        |options| options.category.clone(),
        |options, text| text_into(&mut options.category, text),
    ),
    reading(
        "first-value",
        SettingKind::Switch,
        "Take the first value where a person has several of an attribute, or an item of a place",
        |options| options.first_value.then(|| "true".to_owned()),
        |options, text| switch_into(&mut options.first_value, text),
    ),
    reading(
        "sets",
        SettingKind::Switch,
        "Order means nothing: read the items of a record as a set, for baskets and codes",
        |options| options.sets.then(|| "true".to_owned()),
        |options, text| switch_into(&mut options.sets, text),
    ),
];

impl ReadOptions {
    /// What was said about reading, in the order of the help, with values as a user types them.
    pub fn given(&self) -> impl Iterator<Item = (&'static ReadingSetting, String)> + '_ {
        READING.iter().filter_map(|option| Some((option, option.value(self)?)))
    }
}

fn text_into(slot: &mut Option<String>, text: &str) -> Option<()> {
    *slot = Some(text.to_owned());
    Some(())
}

fn switch_into(slot: &mut bool, text: &str) -> Option<()> {
    *slot = text.parse().ok()?;
    Some(())
}

fn letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_can_be_said_again() {
        let given = ReadOptions {
            format: Some(Format::WideCsv),
            subject: Some("card".to_owned()),
            wide: Some("stops".to_owned()),
            separator: Some('>'),
            delimiter: Some(b';'),
            sets: true,
            ..ReadOptions::default()
        };
        let mut again = ReadOptions::default();
        for (option, value) in given.given() {
            option.set(&mut again, &value).unwrap();
        }
        assert_eq!(again, given);
        assert_eq!(ReadOptions::default().given().count(), 0);
    }

    #[test]
    fn what_is_wrong_is_said_as_what_it_should_be() {
        let wrong = |flag: &str, text: &str| {
            let option = READING.iter().find(|option| option.setting.name == flag).unwrap();
            option.set(&mut ReadOptions::default(), text).unwrap_err()
        };
        assert_eq!(wrong("delimiter", "é"), "one ASCII character");
        assert_eq!(wrong("separator", "->"), "one character");
        assert!(wrong("input-format", "doc").starts_with("one of long-csv, "));
    }
}
