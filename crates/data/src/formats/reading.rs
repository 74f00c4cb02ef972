//! The options of reading, described once: flags, keys of recipes, entries of the ledger and commands walk this table.

use super::options::{Format, ReadOptions};

/// What the value of an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// The name of a column.
    Column,
    /// Any text.
    Text,
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
            OptionKind::Column | OptionKind::Text => "text".to_owned(),
        })
    }
}

/// All options, in the order of the help.
pub static READING: [ReadingOption; 10] = [
    ReadingOption {
        flag: "subject",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the person [default: subject, user, person or id]",
        get: |options| options.subject.clone(),
        set: |options, text| text_into(&mut options.subject, text),
    },
    ReadingOption {
        flag: "record",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the record [default: record, trip or trajectory, if there is one]",
        get: |options| options.record.clone(),
        set: |options, text| text_into(&mut options.record, text),
    },
    ReadingOption {
        flag: "item",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the item [default: item, place, location, poi or region]",
        get: |options| options.item.clone(),
        set: |options, text| text_into(&mut options.item, text),
    },
    ReadingOption {
        flag: "time",
        kind: OptionKind::Column,
        requires: None,
        help: "Column of the time [default: time or timestamp, if there is one]",
        get: |options| options.time.clone(),
        set: |options, text| text_into(&mut options.time, text),
    },
    ReadingOption {
        flag: "time-format",
        kind: OptionKind::Text,
        requires: None,
        help: "How times are written, for example \"%d/%m/%Y %H:%M\" [default: numbers or ISO-8601]",
        get: |options| options.time_format.clone(),
        set: |options, text| text_into(&mut options.time_format, text),
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
        help: "What separates columns [default: guessed from the header]",
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
        help: "The form of the data [default: by the file's extension]",
        get: |options| options.format.map(|format| format.name().to_owned()),
        set: |options, text| {
            options.format = Some(Format::parse(text)?);
            Some(())
        },
    },
    ReadingOption {
        flag: "sets",
        kind: OptionKind::Switch,
        requires: None,
        help: "Order means nothing: read the items of a record as a set, for baskets and codes",
        get: |options| options.sets.then(|| "true".to_owned()),
        set: |options, text| {
            options.sets = text.parse().ok()?;
            Some(())
        },
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
        assert!(wrong("input-format", "xls").starts_with("one of long-csv, "));
    }
}
