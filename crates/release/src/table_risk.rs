//! What attackers who know the columns of a person can do with a table, before and after.
//!
//! The *prosecutor* and the *journalist* are told by the smallest group of rows that look alike, the *marketer* by the average over people of
//! one over the crowd they are found in; see [`throng_measure::attack::table`]. *Disclosure* is how surely a sensitive value is guessed.
//!
//! # What may be published
//! The smallest group and the share of the most frequent sensitive value can be counted in the released rows by anyone, and are told exactly.
//! Averages over people are told in steps. The highest risk in the data, and of how many people a value is certain, can hang on a
//! single person by more than a step, and are the publisher's alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_contract::{Cancelled, Fraction, Progress};
use throng_data::{Hierarchy, RecodedTable, Table};
use throng_measure::attack::curve::{MAX_TARGETS, USUALLY_KNOWN};
use throng_measure::attack::table::{TableScene, attack_table};
use throng_measure::attack::{AttackResult, Attacker, Own, Plan, Point};

use crate::risk::{Crowds, Risk, RiskPoint};
use crate::rounding::Rounding;

/// What an attacker who knows all columns of a person can do, before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TableRisk {
    /// How many columns there are to know.
    pub columns: u64,
    /// With the original data.
    pub before: AllKnown,
    /// With the release.
    pub after: AllKnown,
    /// How surely a sensitive value is guessed of anybody by the release alone: the share of the most frequent one. Absent where no column
    /// is sensitive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_chance: Option<f64>,
}

/// The risks of people whose columns are all known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AllKnown {
    /// The highest risk of a person, where the attacker knows that they are there; absent where that is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prosecutor: Option<f64>,
    /// The same where the attacker knows only that some person is there: without a table of the population, the release is the population.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journalist: Option<f64>,
    /// The average risk.
    pub marketer: f64,
    /// What becomes known of sensitive values; absent where no column is sensitive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disclosure: Option<Disclosure>,
}

/// What becomes known of sensitive values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Disclosure {
    /// How surely the best guess is right, on average.
    pub confidence: f64,
    /// How surely at most; absent where that is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest: Option<f64>,
    /// Of what share of people a value is certain; absent where that is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certain: Option<f64>,
}

impl TableRisk {
    /// As it may be published; nothing where shares are withheld.
    pub fn rounded(&self, rounding: &Rounding) -> Option<TableRisk> {
        let before = AllKnown { prosecutor: None, journalist: None, ..self.before.rounded(rounding)? };
        Some(TableRisk { before, after: self.after.rounded(rounding)?, ..*self })
    }
}

impl AllKnown {
    fn rounded(&self, rounding: &Rounding) -> Option<AllKnown> {
        let disclosure = match &self.disclosure {
            Some(told) => {
                let confidence = rounding.share(told.confidence)?;
                Some(Disclosure { confidence, highest: None, certain: None })
            }
            None => None,
        };
        Some(AllKnown { marketer: rounding.share(self.marketer)?, disclosure, ..*self })
    }
}

/// Attacks a table and a release of it, whose rows are of the same people, with the same targets and the same known columns.
pub fn table_risk(
    table: &Table,
    release: &RecodedTable,
    people: usize,
    hierarchies: &BTreeMap<String, Hierarchy>,
    seed: u64,
    progress: &Progress,
) -> Result<Risk, Cancelled> {
    let plan = Plan { known: USUALLY_KNOWN, below: 5, targets: Some(MAX_TARGETS), confidence: Fraction::ONE };
    let original = TableScene::original(table, people);
    let released = TableScene::release(table, release, people, hierarchies, Own::Same);
    let run = |scene: &TableScene| attack_table(scene, &Attacker::PLAIN, &plan, seed, progress);
    let (before, after) = (run(&original)?, run(&released)?);
    let points = before.points.iter().zip(&after.points).map(|(before, after)| RiskPoint {
        known: before.known,
        before: crowds(before),
        after: crowds(after),
    });
    let points: Vec<RiskPoint> = points.collect();
    let told = all_known(&original, &before).zip(all_known(&released, &after));
    let table = told.map(|(before, after)| TableRisk {
        columns: released.columns() as u64,
        before,
        after,
        by_chance: released.by_chance(),
    });
    Ok(Risk { targets: before.targets, sampled: before.sampled, points, table, ..Risk::default() })
}

fn all_known(scene: &TableScene, attack: &AttackResult) -> Option<AllKnown> {
    let all = attack.points.last()?;
    let highest = scene.smallest_group().map_or(0.0, |people| 1.0 / f64::from(people));
    Some(AllKnown {
        prosecutor: Some(highest),
        journalist: Some(highest),
        marketer: all.reidentified.mean,
        disclosure: all.inference.as_ref().map(|inference| Disclosure {
            confidence: inference.confidence.mean,
            highest: Some(inference.highest),
            certain: Some(inference.certain.share),
        }),
    })
}

/// Shares of people by crowd, of one point of an attack.
pub fn crowds(point: &Point) -> Crowds {
    // A step of the histogram begins at 20.
    let few: u64 = point.crowds.histogram.iter().filter(|bin| bin.to < 20).map(|bin| bin.targets).sum();
    let all: u64 = point.crowds.histogram.iter().map(|bin| bin.targets).sum();
    Crowds {
        singled_out: point.singled_out.share,
        below_5: point.below.share,
        below_20: few as f64 / all.max(1) as f64,
        interval: point.singled_out.interval,
        below_5_interval: point.below.interval,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(prosecutor: f64, marketer: f64) -> AllKnown {
        let disclosure = Disclosure { confidence: 0.61, highest: Some(1.0), certain: Some(0.31) };
        AllKnown {
            prosecutor: Some(prosecutor),
            journalist: Some(prosecutor),
            marketer,
            disclosure: Some(disclosure),
        }
    }

    #[test]
    fn what_hangs_on_one_person_is_not_published() {
        let exact = TableRisk {
            columns: 3,
            before: known(1.0, 0.77),
            after: known(0.2, 0.12),
            by_chance: Some(0.333),
        };
        let told = exact.rounded(&Rounding::Step(0.05)).unwrap();
        assert_eq!((told.before.prosecutor, told.before.marketer), (None, 0.75));
        // Anyone can count the smallest group of the release, and its most frequent value.
        assert_eq!((told.after.prosecutor, told.by_chance), (Some(0.2), Some(0.333)));
        let disclosure = told.after.disclosure.unwrap();
        assert_eq!((disclosure.confidence, disclosure.highest, disclosure.certain), (0.6, None, None));
        assert_eq!(exact.rounded(&Rounding::Withheld(String::new())), None);
    }
}
