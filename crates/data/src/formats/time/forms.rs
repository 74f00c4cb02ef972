//! The common ways to write a date and a time, in the letters of `strptime`.

use super::formatted;

/// Dates; those that begin with the day come before those that begin with the month.
const DATES: [&str; 23] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%m.%d.%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d.%m.%y",
    "%d-%m-%y",
    "%m-%d-%y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d/%b/%Y",
    "%b %d, %Y",
    "%b %d %Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%Y%m%d",
];

/// What may follow a date.
const TIMES: [&str; 12] = [
    "",
    " %H:%M",
    " %H:%M:%S",
    " %H:%M:%S%.f",
    "T%H:%M",
    "T%H:%M:%S",
    "T%H:%M:%S%.f",
    ", %H:%M",
    ", %H:%M:%S",
    ":%H:%M:%S",
    " %I:%M %p",
    " %I:%M:%S %p",
];

/// What may follow a time.
const ZONES: [&str; 4] = ["", " %z", "%z", " UTC"];

/// Forms that are no date followed by a time.
const WHOLE: [&str; 5] = [
    "%a %b %d %H:%M:%S %z %Y",
    "%a %b %d %H:%M:%S %Y",
    "%a, %d %b %Y %H:%M:%S %z",
    "%a, %d %b %Y %H:%M:%S GMT",
    "%Y%m%dT%H%M%S",
];

/// The forms in which a value can be read, the likeliest first.
pub(super) fn forms_of(value: &str) -> Vec<String> {
    if !may_be_time(value) {
        return Vec::new();
    }
    let parts = DATES.iter().flat_map(|date| {
        TIMES.iter().flat_map(move |time| {
            let zones = if time.is_empty() { &ZONES[..1] } else { &ZONES[..] };
            zones.iter().map(move |zone| format!("{date}{time}{zone}"))
        })
    });
    let forms = parts.chain(WHOLE.iter().map(|form| (*form).to_owned()));
    forms.filter(|form| plausible(form, value) && formatted(form, value).is_some()).collect()
}

/// Words that stand in times, in lower case: months and days of the week as they begin, halves of the day, zones.
const WORDS: [&str; 24] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed",
    "thu", "fri", "sat", "sun", "am", "pm", "utc", "gmt", "t",
];

/// Whether a text has what every form has: some digits, something between them, and no words but those of times. Trying all forms on every name
/// of a file would take long.
fn may_be_time(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let apart = value.bytes().any(|byte| matches!(byte, b'/' | b'.' | b'-' | b' ' | b':'));
    let known = |word: &str| {
        let word = word.to_ascii_lowercase();
        WORDS.iter().any(|known| if known.len() < 3 { word == *known } else { word.starts_with(known) })
    };
    let mut words = value.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    value.len() <= 48 && digits >= 3 && apart && words.all(known)
}

/// `%Y` would also take the year 24.
fn plausible(form: &str, value: &str) -> bool {
    if !form.contains("%Y") {
        return true;
    }
    let mut digits = 0;
    value.bytes().any(|byte| {
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        digits >= 4
    })
}

/// The same form with day and month swapped, where both are numbers and the zone does not move the day.
pub(super) fn swapped(form: &str) -> Option<String> {
    if form.contains("%z") || form.starts_with("%Y") || !form.contains("%d") || !form.contains("%m") {
        return None;
    }
    Some(form.replace("%d", "\0").replace("%m", "%d").replace('\0', "%m"))
}
