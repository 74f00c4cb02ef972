//! Generalisation hierarchies made by a rule: for columns of a table, and for items.
//!
//! * Numbers and dates are cut into intervals ([`Rule::Width`], [`Rule::Depth`]), and intervals that follow each other are grouped.
//! * Names are put in order ([`Rule::Name`], [`Rule::Frequency`], [`Rule::ZOrder`]), and neighbours are grouped.
//! * Days fall into months, quarters and years ([`Rule::Calendar`]); codes lose their last characters ([`Rule::Prefix`]);
//!   items lie below their categories ([`Rule::Category`]).
//!
//! # Guarantees
//! The result is a tree with the root `*` in which every value of the data has a place, and all lines are equally long, as
//! full-domain methods want them. The same values and rule give the same lines. What a rule took from the data is said
//! ([`Generated::from_data`]): the names in a hierarchy are published with the cells that carry them.
//! # Cost
//! Sorting the distinct values, and writing a line for each leaf.

mod calendar;
mod categories;
mod error;
mod groups;
mod intervals;
mod prefixes;

use throng_data::formats::CUT_FROM_DATA;
use throng_data::limits::Limit;
use throng_data::{ColumnKind, Places};

pub use error::GenerateError;

/// Bytes that a name takes beside its text.
const NAME: u64 = 40;

/// The name of every root.
pub const ROOT: &str = "*";

/// The distinct values that a hierarchy is made for.
#[derive(Debug, Clone)]
pub struct Values<'a> {
    /// As written in the data; empty ones are missing values, which no hierarchy lists.
    pub names: Vec<&'a str>,
    /// How many people have each.
    pub people: Vec<u64>,
    /// What they are.
    pub kind: ColumnKind,
    /// Where they are, if they are places.
    pub places: Option<&'a Places>,
    /// The category of each, if known.
    pub categories: Option<&'a [String]>,
    /// Whether the user listed them; otherwise they were found in the data.
    pub listed: bool,
}

/// By what values are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Intervals of equal width.
    Width,
    /// Intervals of about as many people.
    Depth,
    /// Neighbours in the order of their people, most first.
    Frequency,
    /// Neighbours in the order of their names.
    Name,
    /// Neighbours along a Z-shaped curve through their places.
    ZOrder,
    /// Day, month, quarter, year.
    Calendar,
    /// Ever fewer of the first characters.
    Prefix,
    /// The category of the item.
    Category,
}

impl Rule {
    /// All rules with the words users type and what they do.
    pub const ALL: [(Rule, &'static str, &'static str); 8] = [
        (Rule::Width, "width", "numbers or dates: intervals of equal width"),
        (Rule::Depth, "depth", "numbers or dates: intervals of about as many people"),
        (Rule::Frequency, "frequency", "neighbours in the order of how many people have them"),
        (Rule::Name, "name", "neighbours in alphabetical order"),
        (Rule::ZOrder, "z-order", "neighbours on the map, along a Z-shaped curve"),
        (Rule::Calendar, "date", "dates: day, month, quarter, year"),
        (Rule::Prefix, "prefix", "codes: the last characters masked one after the other"),
        (Rule::Category, "category", "items below the category they have"),
    ];

    /// The word users type.
    pub fn name(self) -> &'static str {
        Rule::ALL.iter().find(|(rule, ..)| *rule == self).map_or("", |(_, name, _)| name)
    }

    /// The rule of that name; `space` is the order on the map.
    pub fn parse(name: &str) -> Option<Rule> {
        let name = if name == "space" { "z-order" } else { name };
        Rule::ALL.into_iter().find(|(_, known, _)| *known == name).map(|(rule, ..)| rule)
    }

    /// Whether it cuts intervals.
    pub fn cuts_intervals(self) -> bool {
        matches!(self, Rule::Width | Rule::Depth)
    }
}

/// How a hierarchy is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// By what values are put together.
    pub rule: Rule,
    /// Nodes below one node, for intervals and neighbours; at least two.
    pub fan_out: usize,
    /// Intervals at the lowest level; at least one.
    pub bins: usize,
    /// The lowest number or date there can be; that of the data when `None`.
    pub from: Option<String>,
    /// The highest number or date there can be; that of the data when `None`.
    pub to: Option<String>,
}

impl Plan {
    /// The usual sizes: twenty intervals, halved in number from level to level; five neighbours a group.
    pub fn new(rule: Rule) -> Self {
        let fan_out = if rule.cuts_intervals() { 2 } else { 5 };
        Plan { rule, fan_out, bins: 20, from: None, to: None }
    }

    /// Makes the hierarchy.
    pub fn generate(&self, values: &Values<'_>) -> Result<Generated, GenerateError> {
        if self.fan_out < 2 || self.bins == 0 {
            return Err(GenerateError::Sizes);
        }
        if values.names.iter().all(|name| name.is_empty()) {
            return Err(GenerateError::Empty);
        }
        if values.names.contains(&ROOT) {
            return Err(GenerateError::Masked);
        }
        match self.rule {
            Rule::Width | Rule::Depth => intervals::generate(self, values),
            Rule::Frequency | Rule::Name | Rule::ZOrder => groups::generate(self, values),
            Rule::Calendar => calendar::generate(self, values),
            Rule::Prefix => prefixes::generate(values),
            Rule::Category => categories::generate(values),
        }
    }
}

/// A hierarchy, as lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// One path for each leaf: the leaf, its parent, and so on to the root.
    pub paths: Vec<Vec<String>>,
    /// What of it was taken from the data, in words that end the sentence "publishing it gives away"; `None` when nothing was.
    pub from_data: Option<&'static str>,
}

impl Generated {
    /// Levels above the leaves.
    pub fn height(&self) -> usize {
        self.paths.first().map_or(0, |path| path.len() - 1)
    }

    /// The file: `leaf;parent;...;root`, a line for each leaf. One that was cut from the data says so in its first line.
    pub fn render(&self) -> String {
        let mut text = match self.from_data {
            Some(what) => format!("{CUT_FROM_DATA}: publishing it gives away {what}\n"),
            None => String::new(),
        };
        for path in &self.paths {
            for (level, name) in path.iter().enumerate() {
                text.push_str(if level > 0 { ";" } else { "" });
                if name.contains([';', '"', '\n', '\r']) {
                    text.push('"');
                    text.push_str(&name.replace('"', "\"\""));
                    text.push('"');
                } else {
                    text.push_str(name);
                }
            }
            text.push('\n');
        }
        text
    }
}

/// Refuses a hierarchy that would not fit: so many leaves below so many levels, with names of so many bytes.
fn within(leaves: usize, levels: usize, name: usize) -> Result<(), GenerateError> {
    if !Limit::Depth.allows(levels as u64) {
        return Err(GenerateError::Limit(Limit::Depth));
    }
    let names = (leaves as u64).saturating_mul(levels as u64);
    match Limit::Hierarchy.allows(names.saturating_mul(name as u64 + NAME)) {
        true => Ok(()),
        false => Err(GenerateError::Limit(Limit::Hierarchy)),
    }
}

/// What a list of the values gives away, unless the user listed them.
fn values_listed(values: &Values<'_>) -> Option<&'static str> {
    (!values.listed).then_some("which values occur in the data")
}
