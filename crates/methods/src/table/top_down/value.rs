//! The values of the present cut, and what each of them may be specialised into.

use throng_data::{Cover, NodeId};

use super::super::quasi::{Quasi, Shape};
use super::score::info_gain;

/// People by value and by class: what gains are computed from, whatever the groups.
#[derive(Debug, Clone)]
pub struct Margins {
    /// People of each code.
    people: Vec<u64>,
    /// People of each code by class; empty without a class column.
    classes: Vec<u64>,
    width: usize,
}

impl Margins {
    /// Counts a column. `class` gives the class of each person and the number of classes.
    pub fn new(quasi: &Quasi, class: Option<(&[u32], usize)>) -> Margins {
        let mut people = vec![0; quasi.len()];
        for code in &quasi.codes {
            people[*code as usize] += 1;
        }
        let width = class.map_or(0, |(_, classes)| classes);
        let mut classes = vec![0; quasi.len() * width];
        if let Some((of_person, _)) = class {
            for (code, class) in quasi.codes.iter().zip(of_person) {
                classes[*code as usize * width + *class as usize] += 1;
            }
        }
        Margins { people, classes, width }
    }

    fn people(&self, low: u32, high: u32) -> u64 {
        self.people[low as usize..=high as usize].iter().sum()
    }

    fn classes(&self, low: u32, high: u32) -> Vec<u64> {
        let mut sum = vec![0; self.width];
        for row in
            self.classes[low as usize * self.width..(high as usize + 1) * self.width].chunks_exact(self.width)
        {
            sum.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
        sum
    }
}

/// A value of the cut: all codes from `low` to `high`.
#[derive(Debug, Clone)]
pub struct Value {
    /// The column it belongs to.
    pub column: usize,
    /// Its smallest code.
    pub low: u32,
    /// Its largest code.
    pub high: u32,
    /// The node it is published as, for columns with a hierarchy.
    node: NodeId,
    /// What it may be specialised into, from the left; empty when there is nothing more special.
    pub parts: Vec<(u32, u32, NodeId)>,
    /// What that would gain.
    pub gain: f64,
    /// The smallest part of a group that it would make.
    pub smallest: u32,
    /// Whether all parts satisfy what is asked of groups.
    pub allowed: bool,
    /// Splits of a line that broke a demand.
    pub refused: Vec<u32>,
}

impl Value {
    /// The most general value of a column.
    pub fn root(quasi: &Quasi, column: usize) -> Value {
        let node = match &quasi.shape {
            Shape::Tree(tree) => tree.hierarchy.tree().root(),
            _ => 0,
        };
        Value::new(column, 0, quasi.len() as u32 - 1, node)
    }

    /// A value that was not looked at yet.
    pub fn new(column: usize, low: u32, high: u32, node: NodeId) -> Value {
        Value {
            column,
            low,
            high,
            node,
            parts: Vec::new(),
            gain: 0.0,
            smallest: u32::MAX,
            allowed: true,
            refused: Vec::new(),
        }
    }

    /// Finds what a value below a hierarchy, or a set, may be specialised into. Lines are split by [`Value::split`].
    pub fn specialise(&mut self, quasi: &Quasi, margins: &Margins) {
        self.parts = match &quasi.shape {
            Shape::Tree(tree) => {
                let names = tree.hierarchy.tree();
                let depth = names.depth(self.node) as usize + 1;
                let mut parts: Vec<(u32, u32, NodeId)> = Vec::new();
                if !names.is_leaf(self.node) {
                    for code in self.low..=self.high {
                        let child = tree.ancestor(code, depth);
                        match parts.last_mut() {
                            Some(part) if part.2 == child => part.1 = code,
                            _ => parts.push((code, code, child)),
                        }
                    }
                }
                parts
            }
            _ if self.low < self.high => (self.low..=self.high).map(|code| (code, code, 0)).collect(),
            _ => Vec::new(),
        };
        self.gain = self.gain_of(quasi, margins, &self.parts);
    }

    /// Splits a line in two where that gains most; `allowed` says where it may be split, by the last code on the left.
    pub fn split(&mut self, quasi: &Quasi, margins: &Margins, allowed: impl Fn(u32) -> bool) {
        self.parts.clear();
        self.gain = 0.0;
        let splits = (self.low..self.high).filter(|code| !self.refused.contains(code) && allowed(*code));
        let mut best: Option<(f64, u32)> = None;
        let gains = Gains::new(self, quasi, margins);
        for code in splits {
            let gain = gains.at(code);
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, code));
            }
        }
        if let Some((gain, code)) = best {
            self.parts = vec![(self.low, code, 0), (code + 1, self.high, 0)];
            self.gain = gain;
        }
    }

    /// What telling these parts apart gains: bits about the class, or NCP.
    fn gain_of(&self, quasi: &Quasi, margins: &Margins, parts: &[(u32, u32, NodeId)]) -> f64 {
        if margins.width > 0 {
            let children: Vec<Vec<u64>> =
                parts.iter().map(|(low, high, _)| margins.classes(*low, *high)).collect();
            return info_gain(&margins.classes(self.low, self.high), children.iter().map(Vec::as_slice));
        }
        let before = self.loss(quasi);
        let gain = parts.iter().map(|(low, high, node)| {
            let part = Value::new(self.column, *low, *high, *node);
            margins.people(*low, *high) as f64 * (before - part.loss(quasi))
        });
        gain.sum::<f64>() / quasi.codes.len() as f64
    }

    /// NCP of a cell that says no more than this.
    fn loss(&self, quasi: &Quasi) -> f64 {
        match &quasi.shape {
            Shape::Tree(tree) => tree.losses[self.node as usize],
            Shape::Line(_) => quasi.loss(self.low, self.high),
            Shape::Flat => quasi.loss_of_set((self.high - self.low + 1) as usize),
        }
    }

    /// How it is published.
    pub fn cover(&self, quasi: &Quasi) -> Cover {
        match &quasi.shape {
            Shape::Tree(tree) => quasi.node(tree, self.node),
            Shape::Flat if self.low < self.high => Cover::Suppressed,
            _ => quasi.cover(self.low, self.high),
        }
    }
}

/// The gain of every split of a line, from sums over its codes.
struct Gains<'a> {
    value: &'a Value,
    quasi: &'a Quasi,
    width: usize,
    /// People up to each code, from the value's smallest code on.
    people: Vec<u64>,
    /// People by class up to each code.
    classes: Vec<u64>,
}

impl<'a> Gains<'a> {
    fn new(value: &'a Value, quasi: &'a Quasi, margins: &Margins) -> Self {
        let codes = value.low as usize..=value.high as usize;
        let mut sum = 0;
        let people = margins.people[codes.clone()].iter().map(|count| {
            sum += count;
            sum
        });
        let people = people.collect();
        let width = margins.width;
        let mut classes = Vec::new();
        if width > 0 {
            let mut sums = vec![0; width];
            for code in codes {
                let row = &margins.classes[code * width..(code + 1) * width];
                sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
                classes.extend_from_slice(&sums);
            }
        }
        Gains { value, quasi, width, people, classes }
    }

    fn at(&self, code: u32) -> f64 {
        let Value { low, high, .. } = *self.value;
        let place = (code - low) as usize;
        if self.width > 0 {
            let all = &self.classes[self.classes.len() - self.width..];
            let left = &self.classes[place * self.width..(place + 1) * self.width];
            let right: Vec<u64> = all.iter().zip(left).map(|(all, left)| all - left).collect();
            return info_gain(all, [left, right.as_slice()]);
        }
        let (all, left) = (self.people[self.people.len() - 1], self.people[place]);
        let before = self.quasi.loss(low, high);
        let saved = left as f64 * (before - self.quasi.loss(low, code))
            + (all - left) as f64 * (before - self.quasi.loss(code + 1, high));
        saved / self.quasi.codes.len() as f64
    }
}
