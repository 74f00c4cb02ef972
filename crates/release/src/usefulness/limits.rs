//! Thresholds for "limited" and "poor": one table for every front end.
//!
//! What needs the data is looked at in steps of 20 points, whose limits lie between two steps: a limit of 10, 30, 50, 70 or 90% is
//! exact, any other counts as the next of these.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_contract::{Class, Failure, Fraction, did_you_mean};

use super::Grade;

/// Something a release is graded by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    /// Events that were suppressed.
    Events,
    /// Original items an event stands for, on average.
    Members,
    /// The same as a share of all items.
    Spread,
    /// Items that no longer occur.
    Items,
    /// Records without events.
    Records,
    /// Frequent patterns that fewer than half as many people seem to have.
    Patterns,
    /// COUNT queries whose answer is off by more than half.
    Queries,
    /// Share of its column's range that a released cell covers, on average.
    Cells,
    /// Rows of which nothing is said.
    Rows,
}

impl Aspect {
    /// All of them, in the order they are looked at.
    pub const ALL: [Aspect; 9] = [
        Aspect::Members,
        Aspect::Spread,
        Aspect::Cells,
        Aspect::Rows,
        Aspect::Records,
        Aspect::Events,
        Aspect::Items,
        Aspect::Patterns,
        Aspect::Queries,
    ];

    /// The word users type.
    pub const fn name(self) -> &'static str {
        match self {
            Aspect::Events => "events",
            Aspect::Members => "members",
            Aspect::Spread => "spread",
            Aspect::Items => "items",
            Aspect::Records => "records",
            Aspect::Patterns => "patterns",
            Aspect::Queries => "queries",
            Aspect::Cells => "cells",
            Aspect::Rows => "rows",
        }
    }

    /// What it is, in a few words.
    pub const fn describe(self) -> &'static str {
        match self {
            Aspect::Events => "events that were suppressed",
            Aspect::Members => "original items an event stands for, on average",
            Aspect::Spread => "the same as a share of all items",
            Aspect::Items => "items that no longer occur",
            Aspect::Records => "records without events",
            Aspect::Patterns => "frequent patterns that fewer than half as many people seem to have",
            Aspect::Queries => "COUNT queries whose answer is off by more than half",
            Aspect::Cells => {
                "of a table: share of its column's range that a released cell covers, on average"
            }
            Aspect::Rows => "of a table: rows of which nothing is said",
        }
    }

    /// The default thresholds for "limited" and "poor".
    pub const fn usual(self) -> [f64; 2] {
        match self {
            Aspect::Members => [4.0, 20.0],
            Aspect::Spread | Aspect::Events | Aspect::Records | Aspect::Rows => [0.1, 0.5],
            Aspect::Items | Aspect::Cells => [0.3, 0.7],
            Aspect::Patterns | Aspect::Queries => [0.5, 0.9],
        }
    }

    /// A limit as it is written.
    pub fn written(self, limit: f64) -> String {
        match self {
            Aspect::Members => limit.to_string(),
            _ => format!("{}%", (limit * 1000.0).round() / 10.0),
        }
    }

    fn parse(name: &str) -> Option<Aspect> {
        Aspect::ALL.into_iter().find(|aspect| aspect.name() == name)
    }
}

/// Limits that differ from the usual ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Limits(BTreeMap<Aspect, [f64; 2]>);

impl Limits {
    /// Whether all are the usual ones.
    pub fn is_usual(&self) -> bool {
        self.0.is_empty()
    }

    /// The thresholds for "limited" and "poor".
    pub fn of(&self, aspect: Aspect) -> [f64; 2] {
        self.0.get(&aspect).copied().unwrap_or_else(|| aspect.usual())
    }

    /// The grade of a value.
    pub fn grade(&self, aspect: Aspect, value: f64) -> Grade {
        let [limited, poor] = self.of(aspect);
        match value {
            value if value >= poor => Grade::Poor,
            value if value >= limited => Grade::Limited,
            _ => Grade::Good,
        }
    }

    /// Limits as a user types them, one `NAME=LIMITED,POOR` each: `events=10%,50%`, `members=4,20`.
    pub fn parse<'a>(given: impl IntoIterator<Item = &'a str>) -> Result<Self, Failure> {
        let mut limits = BTreeMap::new();
        for text in given {
            let (name, values) = text.split_once('=').ok_or_else(|| malformed(text))?;
            let Some(aspect) = Aspect::parse(name) else {
                let names = Aspect::ALL.map(Aspect::name);
                let help = match did_you_mean(name, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("they are graded by {}", names.join(", ")),
                };
                let failure = Failure::new(Class::Usage, format!("releases are not graded by `{name}`"));
                return Err(failure.with_help(help));
            };
            let (limited, poor) = values.split_once(',').ok_or_else(|| malformed(text))?;
            let number = |text: &str| number(text.trim(), aspect).ok_or_else(|| malformed(text));
            let pair = [number(limited)?, number(poor)?];
            if pair[0] > pair[1] {
                let what = format!("`{text}`: a release cannot be poor before it is limited");
                return Err(Failure::new(Class::Usage, what).with_help("give the smaller limit first"));
            }
            limits.insert(aspect, pair);
        }
        limits.retain(|aspect: &Aspect, pair| *pair != aspect.usual());
        Ok(Limits(limits))
    }

    /// The same as they are typed.
    pub fn typed(&self) -> Vec<String> {
        let typed = |(aspect, [limited, poor]): (&Aspect, &[f64; 2])| {
            format!("{}={},{}", aspect.name(), aspect.written(*limited), aspect.written(*poor))
        };
        self.0.iter().map(typed).collect()
    }
}

/// A share (`10%`, `0.1`), or for members any number from 0 on.
fn number(text: &str, aspect: Aspect) -> Option<f64> {
    match aspect {
        Aspect::Members => text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0),
        _ => text
            .parse::<Fraction>()
            .ok()
            .map(|share| share.to_f64())
            .filter(|share| (0.0..=1.0).contains(share)),
    }
}

fn malformed(text: &str) -> Failure {
    Failure::new(Class::Usage, format!("`{text}` is no limit of usefulness"))
        .with_help("write what it is about and two limits, as in `events=10%,50%` or `members=4,20`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_typed() {
        let limits = Limits::parse(["events=20%,0.6", "members=2,9.5", "items=30%,70%"]).unwrap();
        assert_eq!(limits.of(Aspect::Events), [0.2, 0.6]);
        assert_eq!(limits.of(Aspect::Records), [0.1, 0.5]);
        // What is said but usual is no difference.
        assert_eq!(limits.typed(), ["events=20%,60%", "members=2,9.5"]);
        let again = limits.typed();
        assert_eq!(Limits::parse(again.iter().map(String::as_str)).unwrap(), limits);
        assert!(Limits::default().is_usual());
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in ["events", "events=10%", "event=10%,50%", "events=50%,10%", "events=1,2", "members=-1,2"]
        {
            assert_eq!(Limits::parse([text]).unwrap_err().class, Class::Usage, "{text}");
        }
    }
}
