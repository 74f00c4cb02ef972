//! How much two people, or a person and a cluster, have to give up to look alike.

use super::super::quasi::{Quasi, Shape};

/// Columns with up to so many values have the cost of every pair at hand.
const TABLE: usize = 128;

/// The cost of publishing two values as one, for one column.
#[derive(Debug, Clone)]
enum Pairs<'a> {
    /// Every pair is at hand.
    Table { costs: Vec<f64>, values: usize },
    /// Computed when asked for.
    Computed(&'a Quasi),
}

/// The cost of publishing people as one, over all columns.
#[derive(Debug, Clone)]
pub struct Costs<'a> {
    quasi: &'a [Quasi],
    pairs: Vec<Pairs<'a>>,
}

/// The smallest cells over the rows of a cluster.
#[derive(Debug, Clone)]
pub struct Region {
    /// Smallest and largest code of each column.
    bounds: Vec<(u32, u32)>,
    /// The codes that occur, ascending, for columns whose cells are sets; empty for others.
    sets: Vec<Vec<u32>>,
}

impl<'a> Costs<'a> {
    /// Prepares the columns.
    pub fn new(quasi: &'a [Quasi]) -> Self {
        let pairs = quasi.iter().map(|quasi| {
            let values = quasi.len();
            if values > TABLE {
                return Pairs::Computed(quasi);
            }
            let codes = 0..values as u32;
            let costs =
                codes.clone().flat_map(|a| codes.clone().map(move |b| quasi.loss(a.min(b), a.max(b))));
            Pairs::Table { costs: costs.collect(), values }
        });
        Costs { quasi, pairs: pairs.collect() }
    }

    /// NCP of the smallest cells over two rows, summed over columns.
    pub fn pair(&self, a: &[u32], b: &[u32]) -> f64 {
        let mut sum = 0.0;
        for (at, pairs) in self.pairs.iter().enumerate() {
            let (a, b) = (a[at], b[at]);
            sum += match pairs {
                Pairs::Table { costs, values } => costs[a as usize * values + b as usize],
                Pairs::Computed(quasi) => quasi.loss(a.min(b), a.max(b)),
            };
        }
        sum
    }

    /// The region of one row.
    pub fn region(&self, row: &[u32]) -> Region {
        let bounds = row[..self.quasi.len()].iter().map(|code| (*code, *code)).collect();
        let set = |(quasi, code): (&Quasi, &u32)| match quasi.shape {
            Shape::Flat => vec![*code],
            _ => Vec::new(),
        };
        Region { bounds, sets: self.quasi.iter().zip(row).map(set).collect() }
    }

    /// Widens a region so that it covers a row.
    pub fn cover(&self, region: &mut Region, row: &[u32]) {
        for (at, (low, high)) in region.bounds.iter_mut().enumerate() {
            *low = (*low).min(row[at]);
            *high = (*high).max(row[at]);
            if matches!(self.quasi[at].shape, Shape::Flat)
                && let Err(place) = region.sets[at].binary_search(&row[at])
            {
                region.sets[at].insert(place, row[at]);
            }
        }
    }

    /// Widens a region so that it covers another.
    pub fn join(&self, region: &mut Region, other: &Region) {
        for (at, (low, high)) in region.bounds.iter_mut().enumerate() {
            *low = (*low).min(other.bounds[at].0);
            *high = (*high).max(other.bounds[at].1);
            for code in &other.sets[at] {
                if let Err(place) = region.sets[at].binary_search(code) {
                    region.sets[at].insert(place, *code);
                }
            }
        }
    }

    /// NCP of a region, summed over columns.
    pub fn loss(&self, region: &Region) -> f64 {
        self.quasi
            .iter()
            .enumerate()
            .map(|(at, quasi)| self.loss_of(quasi, region.bounds[at], region.sets[at].len()))
            .sum()
    }

    fn loss_of(&self, quasi: &Quasi, (low, high): (u32, u32), set: usize) -> f64 {
        match quasi.shape {
            Shape::Flat => quasi.loss_of_set(set),
            _ => quasi.loss(low, high),
        }
    }

    /// NCP of a region if it covered a row too.
    pub fn loss_with(&self, region: &Region, row: &[u32]) -> f64 {
        let column = |(at, quasi): (usize, &Quasi)| {
            let (low, high) = region.bounds[at];
            let code = row[at];
            let new = usize::from(
                matches!(quasi.shape, Shape::Flat) && region.sets[at].binary_search(&code).is_err(),
            );
            self.loss_of(quasi, (low.min(code), high.max(code)), region.sets[at].len() + new)
        };
        self.quasi.iter().enumerate().map(column).sum()
    }

    /// NCP of a region if it covered another too.
    pub fn loss_joined(&self, region: &Region, other: &Region) -> f64 {
        let column = |(at, quasi): (usize, &Quasi)| {
            let ((low, high), (from, to)) = (region.bounds[at], other.bounds[at]);
            let set = match quasi.shape {
                Shape::Flat => in_either(&region.sets[at], &other.sets[at]),
                _ => 0,
            };
            self.loss_of(quasi, (low.min(from), high.max(to)), set)
        };
        self.quasi.iter().enumerate().map(column).sum()
    }

    /// What a region loses at least if it covers another that begins at `reach.0` or before and ends at `reach.1` or after, column by
    /// column.
    pub fn at_least(&self, region: &Region, reach: &[(u32, u32)]) -> f64 {
        let column = |(at, quasi): (usize, &Quasi)| {
            let ((low, high), (from, to)) = (region.bounds[at], reach[at]);
            self.loss_of(quasi, (low.min(from), high.max(to)), region.sets[at].len())
        };
        self.quasi.iter().enumerate().map(column).sum()
    }
}

impl Region {
    /// Smallest and largest code of each column.
    pub fn bounds(&self) -> &[(u32, u32)] {
        &self.bounds
    }
}

/// How many numbers are in one of two ascending lists or in both.
fn in_either(a: &[u32], b: &[u32]) -> usize {
    let common = a.iter().filter(|code| b.binary_search(code).is_ok()).count();
    a.len() + b.len() - common
}
