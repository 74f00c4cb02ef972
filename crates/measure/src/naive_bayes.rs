//! A naive Bayes classifier that learns from cells which may be one of several values.
//!
//! Classifiers of libraries learn from cells that are one value; a released cell often is not, and with local recoding
//! the same value lies under many different cells. Here a cell teaches each value that it may be, by its share: nothing has to be
//! made up about which value it was, and the people to be classified are looked up by their original values.
//!
//! # Cost
//! One pass for each predictor; rows that show the same are taken together.

use rayon::prelude::*;

/// One column to learn from: numbered cells, and what each number may be.
#[derive(Debug)]
pub(crate) struct Predictor {
    /// The cell of each person.
    pub cells: Vec<u32>,
    /// What each cell may be: bin, share.
    pub shares: Vec<Vec<(u32, f64)>>,
    /// How many bins there are.
    pub bins: usize,
}

/// Who is in which class, and in which part.
#[derive(Debug)]
pub(crate) struct Roll {
    /// The class of each person; `None` teaches nothing.
    pub class_of: Vec<Option<u32>>,
    /// How many classes there are.
    pub classes: usize,
    /// The part of each person.
    pub part_of: Vec<u32>,
    /// How many parts there are.
    pub parts: usize,
}

/// What was learned from all parts but one, as logarithms of probabilities.
#[derive(Debug)]
pub(crate) struct Classifier {
    prior: Vec<f64>,
    /// One table for each predictor: of bin `b` and class `c` at `b * classes + c`.
    tables: Vec<Vec<f64>>,
}

impl Classifier {
    /// One classifier for each part, which has seen all people but those of the part.
    pub fn teach(roll: &Roll, predictors: &[Predictor]) -> Vec<Classifier> {
        let classes = roll.classes;
        let mut people = vec![vec![0_u64; classes]; roll.parts];
        for (class, part) in roll.class_of.iter().zip(&roll.part_of) {
            if let Some(class) = class {
                people[*part as usize][*class as usize] += 1;
            }
        }
        let seen = |without: usize| {
            let others = (0..roll.parts).filter(|part| *part != without).map(|part| &people[part]);
            others.fold(vec![0_u64; classes], |mut sum, counts| {
                sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                sum
            })
        };
        let seen: Vec<Vec<u64>> = (0..roll.parts).map(seen).collect();
        let tables: Vec<Vec<Vec<f64>>> =
            predictors.par_iter().map(|predictor| tables(predictor, roll, &seen)).collect();
        let mut by_part: Vec<Classifier> = seen
            .iter()
            .map(|seen| {
                let all: u64 = seen.iter().sum();
                let prior = |people: &u64| smoothed(*people as f64, all as f64, classes);
                Classifier { prior: seen.iter().map(prior).collect(), tables: Vec::new() }
            })
            .collect();
        for tables in tables {
            by_part.iter_mut().zip(tables).for_each(|(classifier, table)| classifier.tables.push(table));
        }
        by_part
    }

    /// The likeliest class of a person with these bins, one for each predictor. Ties go to the class that comes first.
    pub fn guess(&self, bins: impl Iterator<Item = u32> + Clone) -> u32 {
        let classes = self.prior.len();
        let mut best = (0, f64::NEG_INFINITY);
        for (class, prior) in self.prior.iter().enumerate() {
            let tables = self.tables.iter().zip(bins.clone());
            let score = prior + tables.map(|(table, bin)| table[bin as usize * classes + class]).sum::<f64>();
            if score > best.1 {
                best = (class as u32, score);
            }
        }
        best.0
    }
}

/// The tables of one predictor, one for each part that is left out.
fn tables(predictor: &Predictor, roll: &Roll, seen: &[Vec<u64>]) -> Vec<Vec<f64>> {
    let classes = roll.classes;
    // Cell, class and part as one number; sorted, so that sums have one order.
    let key = |(cell, (class, part)): (&u32, (&Option<u32>, &u32))| {
        let class = u64::from((*class)?);
        Some((u64::from(*cell) * classes as u64 + class) * roll.parts as u64 + u64::from(*part))
    };
    let rows = predictor.cells.iter().zip(roll.class_of.iter().zip(&roll.part_of));
    let mut keys: Vec<u64> = rows.filter_map(key).collect();
    keys.sort_unstable();
    let mut by_part = vec![vec![0.0; predictor.bins * classes]; roll.parts];
    for alike in keys.chunk_by(|one, other| one == other) {
        let (rest, part) = (alike[0] / roll.parts as u64, (alike[0] % roll.parts as u64) as usize);
        let (cell, class) = ((rest / classes as u64) as usize, (rest % classes as u64) as usize);
        for (bin, share) in &predictor.shares[cell] {
            by_part[part][*bin as usize * classes + class] += share * alike.len() as f64;
        }
    }
    (0..roll.parts)
        .map(|without| {
            let others: Vec<&Vec<f64>> =
                (0..roll.parts).filter(|part| *part != without).map(|part| &by_part[part]).collect();
            let learned = |place: usize| {
                let people = others.iter().map(|part| part[place]).sum();
                smoothed(people, seen[without][place % classes] as f64, predictor.bins)
            };
            (0..predictor.bins * classes).map(learned).collect()
        })
        .collect()
}

/// The logarithm of a share, as if everything had been seen once more (Laplace).
fn smoothed(part: f64, whole: f64, kinds: usize) -> f64 {
    ((part + 1.0) / (whole + kinds as f64)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_teaches_every_value_that_it_may_be() {
        // Class 0 has value 0, class 1 has value 2; a cell that may be 0 or 1 speaks for class 0 at 1, too.
        let shares = vec![vec![(0, 0.5), (1, 0.5)], vec![(2, 1.0)]];
        let predictor = Predictor { cells: vec![0, 0, 1, 1, 0], shares, bins: 3 };
        let roll = Roll {
            class_of: vec![Some(0), Some(0), Some(1), Some(1), None],
            classes: 2,
            part_of: vec![0; 5],
            parts: 2,
        };
        let taught = Classifier::teach(&roll, &[predictor]);
        // The second part is empty: its classifier has seen everyone. The first has seen no one.
        let guesses = |at: usize| [0, 1, 2].map(|bin| taught[at].guess([bin].into_iter()));
        assert_eq!((guesses(1), guesses(0)), ([0, 0, 1], [0, 0, 0]));
        // Two of class 0, each with a half for value 1: (1 + 1) / (2 + 3).
        assert!((taught[1].tables[0][2] - 0.4_f64.ln()).abs() < 1e-12);
    }
}
