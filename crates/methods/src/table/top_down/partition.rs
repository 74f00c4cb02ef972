//! The groups under the present cut, with the rows of each group next to each other.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use throng_contract::{Cancelled, Phase};

use super::super::demands::Demands;
use super::super::quasi::{Quasi, Shape};
use super::super::release::Cells;
use super::super::rows::Layout;
use super::effect::{Effect, effect};
use super::score::ScoreForm;
use super::value::{Margins, Value};

/// Groups with fewer rows are looked at by one thread.
const ALONE: usize = 16_384;

/// Splits of a line that are tried against demands on sensitive values before it is left as it is.
const TRIES: usize = 16;

/// Rows that share all values of the cut.
#[derive(Debug, Clone)]
struct Group {
    begin: usize,
    rows: usize,
    /// The value of each column.
    values: Vec<u32>,
}

/// The cut, the groups, and what may be specialised next.
pub struct Partition<'a> {
    quasi: &'a [Quasi],
    demands: &'a Demands,
    margins: &'a [Margins],
    form: ScoreForm,
    layout: Layout,
    words: Vec<u32>,
    values: Vec<Value>,
    /// Groups with each value.
    groups_of: Vec<Vec<u32>>,
    groups: Vec<Group>,
    /// For each column, which part of its value's specialisation a code goes to.
    part: Vec<Vec<u32>>,
    /// For each column, the value of each code.
    value_of: Vec<Vec<u32>>,
    /// Size of the smallest group.
    smallest: u32,
}

/// A value in the queue, with the score it had when it was put there.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Queued {
    score: f64,
    value: u32,
}

impl Eq for Queued {}

impl Ord for Queued {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.value.cmp(&self.value))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Partition<'a> {
    /// One group of everybody, every column at its most general.
    pub fn new(quasi: &'a [Quasi], demands: &'a Demands, margins: &'a [Margins], form: ScoreForm) -> Self {
        let (layout, words) = Layout::rows(quasi, demands);
        let rows = layout.count(&words);
        let all = Group { begin: 0, rows, values: (0..quasi.len() as u32).collect() };
        Partition {
            quasi,
            demands,
            margins,
            form,
            layout,
            words,
            values: quasi.iter().enumerate().map(|(at, quasi)| Value::root(quasi, at)).collect(),
            groups_of: vec![vec![0]; quasi.len()],
            groups: vec![all],
            part: quasi.iter().map(|quasi| vec![0; quasi.len()]).collect(),
            value_of: (0..).zip(quasi).map(|(at, quasi)| vec![at; quasi.len()]).collect(),
            smallest: u32::try_from(rows).unwrap_or(u32::MAX),
        }
    }

    /// Specialises as long as something is allowed and, unless `everything`, of use; how often.
    pub fn run(&mut self, everything: bool, phase: &Phase<'_>) -> Result<u64, Cancelled> {
        for value in 0..self.values.len() {
            self.look(value);
        }
        let mut queue: BinaryHeap<Queued> =
            (0..self.values.len() as u32).filter_map(|value| self.queued(value, everything)).collect();
        let mut steps = 0;
        while let Some(next) = queue.pop() {
            phase.advance(1)?;
            let value = next.value as usize;
            if !self.is_allowed(value) {
                // A line may still be split elsewhere.
                if matches!(self.quasi[self.values[value].column].shape, Shape::Line(_)) {
                    self.look(value);
                    queue.extend(self.queued(next.value, everything));
                }
                continue;
            }
            let now = self.queued(next.value, everything);
            if now != Some(next) {
                queue.extend(now);
                continue;
            }
            let before = self.smallest;
            let first = self.values.len();
            self.apply(value);
            steps += 1;
            for value in first..self.values.len() {
                self.look(value);
                queue.extend(self.queued(value as u32, everything));
            }
            // Scores count what is lost of the smallest group, which has changed for all.
            if self.smallest != before {
                queue = queue.drain().filter_map(|queued| self.queued(queued.value, everything)).collect();
            }
        }
        Ok(steps)
    }

    fn is_allowed(&self, value: usize) -> bool {
        let value = &self.values[value];
        value.allowed && value.smallest >= self.demands.k
    }

    /// A value with its present score. Lines stay in the queue while they are not allowed: they may be split elsewhere.
    fn queued(&self, value: u32, everything: bool) -> Option<Queued> {
        let Value { parts, gain, smallest, .. } = &self.values[value as usize];
        let line = matches!(self.quasi[self.values[value as usize].column].shape, Shape::Line(_));
        if parts.is_empty() || !(self.is_allowed(value as usize) || line) || !(everything || *gain > 0.0) {
            return None;
        }
        let score = self.form.of(*gain, self.smallest, (*smallest).min(self.smallest));
        Some(Queued { score, value })
    }

    /// Finds what a value may be specialised into, and what that would do to its groups.
    fn look(&mut self, value: usize) {
        let column = self.values[value].column;
        let quasi = &self.quasi[column];
        if !matches!(quasi.shape, Shape::Line(_)) {
            self.values[value].specialise(quasi, &self.margins[column]);
            self.weigh(value);
            return;
        }
        let forbidden = self.forbidden_splits(value);
        let low = self.values[value].low;
        for _ in 0..TRIES {
            self.values[value].split(quasi, &self.margins[column], |code| !forbidden[(code - low) as usize]);
            let Some((_, left, _)) = self.values[value].parts.first().copied() else { return };
            self.weigh(value);
            if self.values[value].allowed {
                return;
            }
            self.values[value].refused.push(left);
        }
        self.values[value].parts.clear();
    }

    /// Where a line must not be split: some group would have a part that is too small. By the last code on the left.
    fn forbidden_splits(&self, value: usize) -> Vec<bool> {
        let Value { column, low, high, .. } = self.values[value];
        let width = (high - low + 1) as usize;
        let least = (self.demands.k as usize).max(1);
        let mut change = vec![0_i32; width + 1];
        let mut forbid = |from: u32, to: u32| {
            change[(from - low) as usize] += 1;
            change[(to - low) as usize] -= 1;
        };
        let mut codes: Vec<u32> = Vec::new();
        for group in &self.groups_of[value] {
            codes.clear();
            codes.extend(self.layout.iter(self.rows_of(*group)).map(|row| row[column]));
            let count = codes.len();
            let smallest = codes.iter().copied().min().unwrap_or(low);
            let largest = codes.iter().copied().max().unwrap_or(low);
            let (_, after, _) = codes.select_nth_unstable(least.min(count) - 1);
            forbid(smallest, *after);
            let (_, before, _) = codes.select_nth_unstable(count - least.min(count));
            forbid(*before, largest);
        }
        let mut open = 0;
        let forbidden = change[..width].iter().map(|change| {
            open += change;
            open > 0
        });
        forbidden.collect()
    }

    fn rows_of(&self, group: u32) -> &[u32] {
        let Group { begin, rows, .. } = self.groups[group as usize];
        &self.words[begin * self.layout.stride..(begin + rows) * self.layout.stride]
    }

    /// Works out what the specialisation of a value would do to all its groups.
    fn weigh(&mut self, value: usize) {
        let column = self.values[value].column;
        for (number, (low, high, _)) in (0..).zip(&self.values[value].parts) {
            self.part[column][*low as usize..=*high as usize].fill(number);
        }
        let parts = self.values[value].parts.len();
        let (part, layout, demands) = (&self.part[column], self.layout, self.demands);
        let nothing = Effect { smallest: u32::MAX, allowed: true };
        let both = |a: Effect, b: Effect| Effect {
            smallest: a.smallest.min(b.smallest),
            allowed: a.allowed && b.allowed,
        };
        let effect = self.groups_of[value]
            .par_iter()
            .with_min_len(64)
            .map(|group| effect(self.rows_of(*group), layout, column, parts, part, demands))
            .reduce(|| nothing, both);
        self.values[value].smallest = effect.smallest;
        self.values[value].allowed = effect.allowed;
    }

    /// Specialises a value: its groups fall apart.
    fn apply(&mut self, value: usize) {
        let Value { column, parts, .. } = self.values[value].clone();
        let first = self.values.len() as u32;
        for (number, (low, high, node)) in (0..).zip(&parts) {
            self.values.push(Value::new(column, *low, *high, *node));
            self.groups_of.push(Vec::new());
            self.value_of[column][*low as usize..=*high as usize].fill(first + number);
        }
        let mut touched = std::mem::take(&mut self.groups_of[value]);
        touched.sort_unstable_by_key(|group| self.groups[*group as usize].begin);

        // Groups lie apart in memory: each thread gets those of its own.
        let stride = self.layout.stride;
        let mut rest = self.words.as_mut_slice();
        let mut gone = 0;
        let mut pieces = Vec::with_capacity(touched.len());
        for group in &touched {
            let Group { begin, rows, .. } = self.groups[*group as usize];
            let (_, after) = rest.split_at_mut((begin - gone) * stride);
            let (piece, after) = after.split_at_mut(rows * stride);
            pieces.push((*group, piece));
            rest = after;
            gone = begin + rows;
        }
        let shared = Shared {
            layout: self.layout,
            demands: self.demands,
            part: &self.part,
            values: &self.values,
            groups: &self.groups,
            column,
            parts: parts.len(),
        };
        let split: Vec<(u32, Vec<SubGroup>)> = pieces
            .into_par_iter()
            .with_min_len(16)
            .map(|(group, piece)| (group, shared.split(group, piece)))
            .collect();

        for (group, pieces) in split {
            let mut begin = self.groups[group as usize].begin;
            for (number, SubGroup { part, rows, effects }) in pieces.into_iter().enumerate() {
                // The first piece takes the place of the group, so that other columns' lists stay right.
                let id = if number == 0 { group } else { self.groups.len() as u32 };
                let mut values = self.groups[group as usize].values.clone();
                values[column] = first + part;
                for (at, effect) in effects.iter().enumerate() {
                    if at != column {
                        let other = &mut self.values[values[at] as usize];
                        other.smallest = other.smallest.min(effect.smallest);
                        other.allowed &= effect.allowed;
                        if number > 0 {
                            self.groups_of[values[at] as usize].push(id);
                        }
                    }
                }
                self.groups_of[(first + part) as usize].push(id);
                let piece = Group { begin, rows, values };
                begin += rows;
                self.smallest = self.smallest.min(u32::try_from(rows).unwrap_or(u32::MAX));
                if number == 0 {
                    self.groups[group as usize] = piece;
                } else {
                    self.groups.push(piece);
                }
            }
        }
    }

    /// How each code of each column is published now.
    pub fn cells(&self) -> Vec<Cells> {
        self.quasi
            .iter()
            .zip(&self.value_of)
            .map(|(quasi, value_of)| {
                let mut used: Vec<u32> = value_of.clone();
                used.sort_unstable();
                used.dedup();
                let covers = used.iter().map(|value| self.values[*value as usize].cover(quasi)).collect();
                let cell = |value: &u32| used.partition_point(|known| known < value) as u32;
                Cells { covers, of_code: value_of.iter().map(cell).collect() }
            })
            .collect()
    }
}

/// Rows of a group that go to one part of a specialisation.
struct SubGroup {
    part: u32,
    rows: usize,
    effects: Vec<Effect>,
}

/// What splitting groups needs to know.
struct Shared<'a> {
    layout: Layout,
    demands: &'a Demands,
    part: &'a [Vec<u32>],
    values: &'a [Value],
    groups: &'a [Group],
    column: usize,
    parts: usize,
}

impl Shared<'_> {
    fn split(&self, group: u32, words: &mut [u32]) -> Vec<SubGroup> {
        let part = &self.part[self.column];
        let counts = self.layout.scatter(words, self.parts, |row| part[row[self.column] as usize] as usize);
        let mut begin = 0;
        let mut pieces = Vec::new();
        for (number, rows) in (0..).zip(counts) {
            if rows == 0 {
                continue;
            }
            let piece = &words[begin * self.layout.stride..(begin + rows) * self.layout.stride];
            begin += rows;
            let of_column = |at: usize| {
                if at == self.column {
                    return Effect { smallest: u32::MAX, allowed: true };
                }
                let parts = self.values[self.groups[group as usize].values[at] as usize].parts.len();
                effect(piece, self.layout, at, parts, &self.part[at], self.demands)
            };
            let columns = 0..self.layout.quasi;
            let effects = if rows >= ALONE {
                columns.into_par_iter().map(of_column).collect()
            } else {
                columns.map(of_column).collect()
            };
            pieces.push(SubGroup { part: number, rows, effects });
        }
        pieces
    }
}
