//! The options of reading, described once: flags, keys of recipes, entries of the ledger and commands walk this table.

use super::encoding::Encoding;
use super::options::{Format, ReadOptions};

/// What the value of an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// The name of a column.
    Column,
    /// Any text.
    Text,
    /// Names of columns, with commas between them.
    Columns,
    /// One character.
    Letter,
    /// A form of data by its name.
    Format,
    /// On when it is given.
    Switch,
}

/// One option: how it is called, and where it is kept.
#[derive(Debug, Clone, Copy)]
pub struct ReadingOption {
    /// The flag without its dashes, and the key in recipes.
    pub flag: &'static str,
    /// What its value is.
    pub kind: OptionKind,
    /// An option without which it means nothing.
    pub requires: Option<&'static str>,
    /// One line for people.
    pub help: &'static str,
    get: fn(&ReadOptions) -> Option<String>,
    set: fn(&mut ReadOptions, &str) -> Option<()>,
}

impl ReadingOption {
    /// The option's value as a user types it, if it was given.
    pub fn value(&self, options: &ReadOptions) -> Option<String> {
        (self.get)(options)
    }

    /// Sets the option to what a user typed. What is wrong with it is said as what it should be.
    pub fn set(&self, options: &mut ReadOptions, text: &str) -> Result<(), String> {
        (self.set)(options, text).ok_or_else(|| match self.kind {
            OptionKind::Letter if self.flag == "delimiter" => "one ASCII character".to_owned(),
            OptionKind::Letter => "one character".to_owned(),
            OptionKind::Format => format!("one of {}", Format::ALL.map(Format::name).join(", ")),
            OptionKind::Switch => "true or false".to_owned(),
            OptionKind::Text if self.flag == "encoding" => {
                "the name of an encoding, such as windows-1252".to_owned()
            }
            OptionKind::Column | OptionKind::Columns | OptionKind::Text => "text".to_owned(),
        })
    }
}

/// All options, in the order of the help.
pub static READING: [ReadingOption; 22] = [
    ReadingOption {
        flag: "subject",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the person [default: subject, or found by its name: user_id, patient, card, ...]",
        get: |options| options.subject.clone(),
        set: |options, text| text_into(&mut options.subject, text),
    },
    ReadingOption {
        flag: "record",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the record [default: record, trip_id, session, ..., if there is one]",
        get: |options| options.record.clone(),
        set: |options, text| text_into(&mut options.record, text),
    },
    ReadingOption {
        flag: "item",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the item [default: item, or found by its name: place, poi, activity, url, ...]",
        get: |options| options.item.clone(),
        set: |options, text| text_into(&mut options.item, text),
    },
    ReadingOption {
        flag: "time",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the time [default: time, or found by its name and values]",
        get: |options| options.time.clone(),
        set: |options, text| text_into(&mut options.time, text),
    },
    ReadingOption {
        flag: "time-format",
        kind: OptionKind::Text,
        requires: None,
        help: "How times are written, for example \"%d/%m/%Y %H:%M\" [default: found by trying]",
        get: |options| options.time_format.clone(),
        set: |options, text| text_into(&mut options.time_format, text),
    },
    ReadingOption {
        flag: "date",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the date, where the time is a time of day",
        get: |options| options.date.clone(),
        set: |options, text| text_into(&mut options.date, text),
    },
    ReadingOption {
        flag: "no-time",
        kind: OptionKind::Switch,
        requires: None,
        help: "No column is a time that matters: the order of the file is the order",
        get: |options| options.no_time.then(|| "true".to_owned()),
        set: |options, text| switch_into(&mut options.no_time, text),
    },
    ReadingOption {
        flag: "wide",
        kind: OptionKind::Column,
        requires: None,
        help: "Column that holds all items of a record, for files with one row a record",
        get: |options| options.wide.clone(),
        set: |options, text| text_into(&mut options.wide, text),
    },
    ReadingOption {
        flag: "separator",
        kind: OptionKind::Letter,
        requires: Some("wide"),
        help: "What separates items in the wide column [default: a blank]",
        get: |options| options.separator.map(String::from),
        set: |options, text| {
            options.separator = Some(letter(text)?);
            Some(())
        },
    },
    ReadingOption {
        flag: "delimiter",
        kind: OptionKind::Letter,
        requires: None,
        help: "What separates columns [default: found by trying]",
        get: |options| options.delimiter.map(|byte| char::from(byte).to_string()),
        set: |options, text| {
            options.delimiter = Some(u8::try_from(letter(text)?).ok().filter(u8::is_ascii)?);
            Some(())
        },
    },
    ReadingOption {
        flag: "input-format",
        kind: OptionKind::Format,
        requires: None,
        help: "The form of the data [default: found by looking at it]",
        get: |options| options.format.map(|format| format.name().to_owned()),
        set: |options, text| {
            options.format = Some(Format::parse(text)?);
            Some(())
        },
    },
    ReadingOption {
        flag: "no-header",
        kind: OptionKind::Switch,
        requires: None,
        help: "The first line is a row already; columns go by their numbers",
        get: |options| options.no_header.then(|| "true".to_owned()),
        set: |options, text| switch_into(&mut options.no_header, text),
    },
    ReadingOption {
        flag: "encoding",
        kind: OptionKind::Text,
        requires: None,
        help: "How letters are stored, for example windows-1252 [default: found by trying]",
        get: |options| options.encoding.map(|encoding| encoding.name()),
        set: |options, text| {
            options.encoding = Some(Encoding::parse(text)?);
            Some(())
        },
    },
    ReadingOption {
        flag: "sheet",
        kind: OptionKind::Text,
        requires: None,
        help: "The sheet of a workbook [default: the only one with data]",
        get: |options| options.sheet.clone(),
        set: |options, text| text_into(&mut options.sheet, text),
    },
    ReadingOption {
        flag: "attributes",
        kind: OptionKind::Columns,
        requires: None,
        help: "Columns of the events that belong to the person, one value each",
        get: |options| (!options.attributes.is_empty()).then(|| options.attributes.join(",")),
        set: |options, text| {
            let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            options.attributes = names.map(str::to_owned).collect();
            Some(())
        },
    },
    ReadingOption {
        flag: "lat",
        kind: OptionKind::Column,
        requires: Some("lon"),
        help: "Column of the events with the latitude of the item",
        get: |options| options.lat.clone(),
        set: |options, text| text_into(&mut options.lat, text),
    },
    ReadingOption {
        flag: "lon",
        kind: OptionKind::Column,
        requires: Some("lat"),
        help: "Column of the events with the longitude of the item",
        get: |options| options.lon.clone(),
        set: |options, text| text_into(&mut options.lon, text),
    },
    ReadingOption {
        flag: "x",
        kind: OptionKind::Column,
        requires: Some("y"),
        help: "Column of the events with the x of the item, on a plane",
        get: |options| options.x.clone(),
        set: |options, text| text_into(&mut options.x, text),
    },
    ReadingOption {
        flag: "y",
        kind: OptionKind::Column,
        requires: Some("x"),
        help: "Column of the events with the y of the item, on a plane",
        get: |options| options.y.clone(),
        set: |options, text| text_into(&mut options.y, text),
    },
    ReadingOption {
        flag: "category",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the events with the category of the item",
        get: |options| options.category.clone(),
        set: |options, text| text_into(&mut options.category, text),
    },
    ReadingOption {
        flag: "first-value",
        kind: OptionKind::Switch,
        requires: None,
        help: "Take the first value where a person has several of an attribute, or an item of a place",
        get: |options| options.first_value.then(|| "true".to_owned()),
        set: |options, text| switch_into(&mut options.first_value, text),
    },
    ReadingOption {
        flag: "sets",
        kind: OptionKind::Switch,
        requires: None,
        help: "Order means nothing: read the items of a record as a set, for baskets and codes",
        get: |options| options.sets.then(|| "true".to_owned()),
        set: |options, text| switch_into(&mut options.sets, text),
    },
];

impl ReadOptions {
    /// What was said about reading, in the order of the help, with values as a user types them.
    pub fn given(&self) -> impl Iterator<Item = (&'static ReadingOption, String)> + '_ {
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
            let option = READING.iter().find(|option| option.flag == flag).unwrap();
            option.set(&mut ReadOptions::default(), text).unwrap_err()
        };
        assert_eq!(wrong("delimiter", "é"), "one ASCII character");
        assert_eq!(wrong("separator", "->"), "one character");
        assert!(wrong("input-format", "doc").starts_with("one of long-csv, "));
    }
}
