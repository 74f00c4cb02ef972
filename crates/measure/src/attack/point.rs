//! What attackers who know so many events can do: crowds, shares, odds.

use serde::Serialize;

use super::attacker::Plan;
use super::secrets::{Guess, Inference, Secrets};
use super::share::{Mean, Share};

/// What an attacker reaches with what is known of one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    /// How many people fit.
    pub people: u32,
    /// The best guess at a secret.
    pub guess: Option<Guess>,
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// How many events the attacker knows, or all of a record that has fewer.
    pub known: u64,
    /// Targets whom no one else fits.
    pub singled_out: Share,
    /// Targets found among fewer people than the attack was asked about.
    pub below: Share,
    /// The chance of picking the target out of the people who fit, on average.
    pub reidentified: Mean,
    /// How many people fit, over all targets.
    pub crowds: Crowds,
    /// What becomes known of secrets, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inference: Option<Inference>,
}

/// Sizes of crowds over all targets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Crowds {
    /// The smallest crowd; 0 without targets.
    pub smallest: u32,
    /// One in four targets is in a crowd of at most this size.
    pub quarter: u32,
    /// One in two.
    pub half: u32,
    /// Three in four.
    pub three_quarters: u32,
    /// The largest crowd.
    pub largest: u32,
    /// People in a crowd, on average over targets.
    pub average: f64,
    /// Targets by the size of their crowd: 1, 2 to 4, 5 to 9, 10 to 19, and so on.
    pub histogram: Vec<Bin>,
}

/// Targets whose crowd has a size between two bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The smallest size.
    pub from: u32,
    /// The largest size.
    pub to: u32,
    /// How many targets.
    pub targets: u64,
}

impl Point {
    /// Sums up what was reached for each target.
    pub(super) fn of(
        known: usize,
        reached: &[Reach],
        subjects: &[u32],
        truth: Option<&Secrets>,
        plan: &Plan,
        sampled: bool,
    ) -> Self {
        let total = reached.len() as u64;
        let below = |limit: u32| {
            let count = reached.iter().filter(|reach| reach.people < limit).count() as u64;
            Share::new(count, total, sampled)
        };
        // No one fits when a release holds nothing of the target, and then no one is picked.
        let odds = |reach: &Reach| if reach.people == 0 { 0.0 } else { 1.0 / f64::from(reach.people) };
        Point {
            known: known as u64,
            singled_out: below(2),
            below: below(plan.below),
            reidentified: Mean::of(reached.iter().map(odds), sampled),
            crowds: Crowds::of(reached.iter().map(|reach| reach.people).collect()),
            inference: infer(reached, subjects, truth, plan, sampled),
        }
    }
}

impl Crowds {
    fn of(mut sizes: Vec<u32>) -> Self {
        sizes.sort_unstable();
        let at = |part: f64| {
            let place = (sizes.len() as f64 * part).ceil() as usize;
            sizes.get(place.max(1) - 1).copied().unwrap_or(0)
        };
        let mut histogram = Vec::new();
        let mut rest = &sizes[..];
        for (from, to) in bounds() {
            if rest.is_empty() {
                break;
            }
            let (here, beyond) = rest.split_at(rest.partition_point(|size| *size <= to));
            histogram.push(Bin { from, to, targets: here.len() as u64 });
            rest = beyond;
        }
        Crowds {
            smallest: at(0.0),
            quarter: at(0.25),
            half: at(0.5),
            three_quarters: at(0.75),
            largest: at(1.0),
            average: match sizes.len() {
                0 => 0.0,
                targets => sizes.iter().map(|size| f64::from(*size)).sum::<f64>() / targets as f64,
            },
            histogram,
        }
    }
}

/// 0 to 1, 2 to 4, 5 to 9, 10 to 19, 20 to 49, 50 to 99, and so on in the same steps.
fn bounds() -> impl Iterator<Item = (u32, u32)> {
    let steps = (0..10).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
    let starts: Vec<u32> = steps.filter_map(|start| u32::try_from(start).ok()).collect();
    let ends: Vec<u32> = starts.iter().skip(1).map(|start| start - 1).chain([u32::MAX]).collect();
    starts.into_iter().zip(ends)
}

fn infer(
    reached: &[Reach],
    subjects: &[u32],
    truth: Option<&Secrets>,
    plan: &Plan,
    sampled: bool,
) -> Option<Inference> {
    let truth = truth?;
    let total = reached.len() as u64;
    let confidence = |reach: &Reach| match reach.guess {
        Some(guess) if reach.people > 0 => f64::from(guess.people) / f64::from(reach.people),
        _ => 0.0,
    };
    let sure = |reach: &Reach| {
        reach
            .guess
            .filter(|guess| plan.confidence.is_exceeded_by(u64::from(guess.people), u64::from(reach.people)))
    };
    let right = |(reach, subject): (&Reach, &u32)| {
        sure(reach).is_some_and(|guess| truth.of(*subject).contains(&guess.secret))
    };
    let certain =
        |reach: &Reach| reach.guess.is_some_and(|guess| guess.people == reach.people && guess.people > 0);
    let confident = reached.iter().filter(|reach| sure(reach).is_some()).count() as u64;
    let rightly = reached.iter().zip(subjects).filter(|pair| right(*pair)).count() as u64;
    Some(Inference {
        confidence: Mean::of(reached.iter().map(confidence), sampled),
        highest: reached.iter().map(confidence).fold(0.0, f64::max),
        certain: Share::new(reached.iter().filter(|reach| certain(reach)).count() as u64, total, sampled),
        confident: Share::new(confident, total, sampled),
        right: Share::new(rightly, total, sampled),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crowds_are_told_by_quartiles_and_growing_steps() {
        let crowds = Crowds::of(vec![1, 1, 2, 4, 5, 19, 20, 100]);
        let Crowds { smallest, quarter, half, three_quarters, largest, average, histogram } = crowds;
        assert_eq!(average, 19.0);
        assert_eq!([smallest, quarter, half, three_quarters, largest], [1, 1, 4, 19, 100]);
        let bins: Vec<(u32, u32, u64)> =
            histogram.iter().map(|bin| (bin.from, bin.to, bin.targets)).collect();
        let expected =
            [(1, 1, 2), (2, 4, 2), (5, 9, 1), (10, 19, 1), (20, 49, 1), (50, 99, 0), (100, 199, 1)];
        assert_eq!(bins, expected);
        assert_eq!(bounds().last(), Some((2_000_000_000, u32::MAX)));
        assert_eq!(Crowds::of(Vec::new()).largest, 0);
    }
}
