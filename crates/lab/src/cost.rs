//! What a run will cost, before it begins: from the size of the data and how much an attacker knows.
//!
//! Methods that promise against attackers who know `m` events count the patterns of up to `m` events that records hold. There are
//! few of them in short records and very many in long ones, and that is what takes long; the rest follows from the number of items that have to be joined.
//!
//! # Cost
//! A pass over the lengths of records.
//!
//! The rates are those of `docs/BENCHMARKS.md` (*How cost grows* has the sizes from which on a run is announced), on one machine: an [`Estimate`] is good to a factor of [`BAND`] either way, not more.

use serde::Serialize;
use throng_contract::{BodyKind, Descriptor, Input, Product, Settings, Value, shell_line};
use throng_data::Dataset;

use crate::advice::coarsenings;
use throng_data::load::Files;

/// How far an estimate may be off.
pub const BAND: f64 = 4.0;

/// Seconds from which on a run is announced.
const LONG: f64 = 20.0;

/// Events that are read in a second.
const READ: f64 = 10_000_000.0;

/// What is promised is checked once more, pattern by pattern.
const CHECKED: f64 = 0.03;

/// What a run will take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Seconds, to a factor of [`BAND`].
    pub seconds: f64,
    /// Events of the data.
    pub events: u64,
    /// Different items.
    pub items: u64,
    /// Patterns of up to so many events are counted, where the promise speaks of that.
    pub known: Option<u64>,
    /// About so many of them are in the data.
    pub patterns: f64,
    /// Events of the longest record.
    pub longest: u64,
}

/// What a method will take on these data.
pub fn estimate(method: &Descriptor, settings: &Settings, data: &Dataset) -> Estimate {
    let known = ["m", "L"].into_iter().find_map(|name| match settings.get(name) {
        Some(Value::Integer(known)) => Some(*known),
        _ => None,
    });
    let events = &data.events;
    let items = data.items.len();
    let mut patterns = 0.0;
    let mut longest = 0;
    for record in 0..events.records() {
        let length = events.record(record).len();
        patterns += known.map_or(0.0, |known| patterns_of(length, items, known));
        longest = longest.max(length);
    }
    Estimate {
        seconds: seconds(method, patterns, items as f64, events.len() as f64),
        events: events.len() as u64,
        items: items as u64,
        known,
        patterns,
        longest: longest as u64,
    }
}

/// What a method takes for so many patterns, items and events.
fn seconds(method: &Descriptor, patterns: f64, items: f64, events: f64) -> f64 {
    let rates = method.product.unwrap_or(Product::of(BodyKind::Records)).rates;
    let micros = (rates.pattern + CHECKED) * patterns + rates.item * items + rates.event * events;
    micros / 1e6 + 2.0 * events / READ
}

/// Different patterns of up to `known` events in a record, at most: ways to choose them, and words of so many items.
fn patterns_of(length: usize, items: usize, known: u64) -> f64 {
    let (mut chosen, mut words, mut all) = (1.0, 1.0, 0.0);
    for taken in 0..known.min(length as u64) {
        chosen *= (length as f64 - taken as f64) / (taken as f64 + 1.0);
        words *= items as f64;
        all += f64::min(chosen, words);
    }
    all
}

impl Estimate {
    /// Whether the user should be told before it begins.
    pub fn is_long(&self) -> bool {
        self.seconds >= LONG
    }

    /// How long it takes at least, in seconds.
    pub fn least(&self) -> f64 {
        self.seconds / BAND
    }

    /// How long it takes at most, in seconds, unless the data are unusual.
    pub fn most(&self) -> f64 {
        self.seconds * BAND
    }

    /// What it rests on.
    pub fn basis(&self) -> String {
        let counted = |count: u64, one: &str, many: &str| {
            format!("{} {}", grouped(count as f64), if count == 1 { one } else { many })
        };
        let mut text = format!(
            "{} of {}",
            counted(self.events, "event", "events"),
            counted(self.items, "item", "items")
        );
        if let Some(known) = self.known.filter(|_| self.patterns >= 1.0) {
            let most = counted(known, "event", "events");
            text.push_str(&format!(", about {} patterns of up to {most}", rounded(self.patterns)));
        }
        text
    }

    /// One line for the user, with what to do first.
    pub fn in_words(&self, files: &Files, data: &Dataset) -> String {
        let mut text = format!("this may take about {}: {}", duration(self.seconds), self.basis());
        if let Some(command) = coarser_first(files, data, self) {
            text.push_str(&format!("; coarser data take less and keep more: `{command}`"));
        }
        text
    }
}

/// The command that makes the data coarser, or records shorter.
fn coarser_first(files: &Files, data: &Dataset, estimate: &Estimate) -> Option<String> {
    let step = match coarsenings(data, None).first() {
        Some(first) if first.flags().is_some() => first.flags().unwrap_or_default(),
        _ if data.categories().is_some() => vec!["--to-category".to_owned(), "--collapse".to_owned()],
        _ if data.events.times().is_some() && estimate.longest > 20 => {
            vec!["--record-bin".to_owned(), "day".to_owned()]
        }
        _ if estimate.longest > 20 => vec!["--max-length".to_owned(), "95%".to_owned()],
        _ => vec!["--min-people".to_owned(), "5".to_owned()],
    };
    prepare_command(files, &step)
}

/// `throng prepare events` on the same file, with these steps; nothing where the data cannot be read twice.
pub(crate) fn prepare_command(files: &Files, steps: &[String]) -> Option<String> {
    if !files.data.is_lasting() || files.is_table() {
        return None;
    }
    let mut words: Vec<String> =
        ["throng", "prepare", "events", files.data.name()].map(str::to_owned).to_vec();
    words.extend(files.read.given().flat_map(|(option, value)| option.typed(value)));
    if let Some(places) = files.source(Input::Places) {
        words.extend(["--places".to_owned(), places.name().to_owned()]);
    }
    words.extend_from_slice(steps);
    words.extend(["-o".to_owned(), "coarse".to_owned()]);
    Some(shell_line(words.iter().map(String::as_str)))
}

/// Seconds as people say them.
fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("{:.0} seconds", (seconds / 10.0).round().max(1.0) * 10.0),
        seconds if seconds < 5_400.0 => format!("{:.0} minutes", (seconds / 60.0).round()),
        seconds if seconds < 172_800.0 => format!("{:.0} hours", (seconds / 3_600.0).round().max(2.0)),
        _ => "days".to_owned(),
    }
}

/// A large number in words that can be read.
fn rounded(count: f64) -> String {
    match count {
        count if count >= 1e12 => "a million million".to_owned(),
        count if count >= 1e9 => format!("{:.0} billion", count / 1e9),
        count if count >= 1e6 => format!("{:.0} million", count / 1e6),
        count => grouped(count),
    }
}

/// Digits in groups of three.
fn grouped(count: f64) -> String {
    let digits = format!("{count:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use throng_data::formats::Source;

    use super::*;
    use throng_release::catalogue;

    fn of(words: &[String], method: &str, known: &str) -> Estimate {
        let descriptor = catalogue::method(method).unwrap().descriptor();
        let settings = Settings::parse(descriptor, [("k", "5"), ("m", known)]).unwrap();
        estimate(descriptor, &settings, &Dataset::from_words(words.iter().map(String::as_str)))
    }

    #[test]
    fn patterns_grow_with_length_and_knowledge_and_are_no_more_than_words() {
        assert_eq!(patterns_of(4, 100, 2), 4.0 + 6.0);
        assert_eq!(patterns_of(2, 100, 5), 2.0 + 1.0);
        assert_eq!(patterns_of(1_000, 3, 2), 3.0 + 9.0);
        assert_eq!(patterns_of(0, 3, 2), 0.0);
    }

    /// Processor seconds of whole commands in `docs/BENCHMARKS.md`, *Where cost explodes* and *Real data*.
    #[test]
    fn estimates_are_what_was_measured_within_the_band() {
        let measured = [
            ("seqanon", 1.1e6, 21_000.0, 240_000.0, 0.3),
            ("seqanon", 8.4e6, 13_900.0, 764_000.0, 0.9),
            ("seqanon", 1.04e8, 500.0, 250_000.0, 1.9),
            ("zga", 1.1e6, 21_000.0, 240_000.0, 1.4),
            ("zga", 8.4e6, 13_900.0, 764_000.0, 2.7),
            ("sga", 3.0e6, 662.0, 1_000_000.0, 1.5),
            ("suppress", 3.5e6, 9_025.0, 197_251.0, 0.8),
            ("lkc-local", 1.15e7, 65.0, 1_000_000.0, 4.2),
            ("bf-p2ka", 0.0, 100.0, 10_000_000.0, 4.6),
        ];
        for (method, patterns, items, events, took) in measured {
            let descriptor = catalogue::method(method).unwrap().descriptor();
            let told = seconds(descriptor, patterns, items, events);
            assert!(told / BAND < took && took < told * BAND, "{method}: {told} told, {took} taken");
        }
    }

    #[test]
    fn short_records_are_quick_and_long_ones_are_announced() {
        let alphabet: String = ('a'..='z').chain('A'..='Z').collect();
        let short = vec!["abc".to_owned(); 100];
        assert!(!of(&short, "seqanon", "2").is_long());
        let long = vec![alphabet.repeat(4); 500];
        let [two, five] = ["2", "5"].map(|known| of(&long, "seqanon", known));
        assert!(!two.is_long() && five.is_long() && five.seconds > 100.0 * two.seconds, "{two:?} {five:?}");
        assert!(five.least() < five.seconds && five.seconds < five.most());
        let data = Dataset::from_words(long.iter().map(String::as_str));
        let files = Files::of(Source::parse("my trips.csv"));
        let told = five.in_words(&files, &data);
        assert!(told.starts_with("this may take about "), "{told}");
        assert!(
            told.contains("104,000 events of 52 items") && told.contains("patterns of up to 5 events"),
            "{told}"
        );
        assert!(told.contains("throng prepare events ") && told.contains("--max-length"), "{told}");
    }

    #[test]
    fn time_is_told_as_people_do() {
        let told = [3.0, 26.0, 100.0, 7_000.0, 1e7].map(duration);
        assert_eq!(told, ["10 seconds", "30 seconds", "2 minutes", "2 hours", "days"]);
        assert_eq!(grouped(1_234_567.0), "1,234,567");
    }
}
