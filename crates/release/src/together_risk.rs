//! What attackers who know columns of a person *and* some of their events can do, before and after.
//!
//! A promise about events is kept for people whose columns are not known, one about columns for people whose events are not. Here both are
//! known, some of each; see [`throng_measure::attack::attack_together`].
//!
//! # What may be published
//! Every number is a share of people, told in steps like those for an attacker who knows events alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_contract::{Cancelled, Fraction, Progress};
use throng_data::{Column, Events, Hierarchy, RecodedTable, Release, Role, Table};
use throng_measure::attack::curve::{MAX_TARGETS, usual_attacker};
use throng_measure::attack::table::TableScene;
use throng_measure::attack::{Own, Plan, Scene, attack_together};

use crate::risk::RiskPoint;
use crate::rounding::Rounding;
use crate::table_risk::crowds;

/// What an attacker who knows so many columns, and some events besides, can do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TogetherRisk {
    /// How many columns are known; 0 is none.
    pub columns: u64,
    /// One point for each number of known events, from 0.
    pub points: Vec<RiskPoint>,
}

impl TogetherRisk {
    /// As it may be published; nothing where shares are withheld.
    pub fn rounded(&self, rounding: &Rounding) -> Option<TogetherRisk> {
        let points: Option<_> = self.points.iter().map(|point| point.rounded(rounding)).collect();
        Some(TogetherRisk { columns: self.columns, points: points? })
    }
}

/// The columns of the data, and what becomes of them in the release, as attackers see them.
pub struct KnownColumns {
    before: TableScene,
    after: TableScene,
}

impl KnownColumns {
    /// Columns that the release made coarser, of the same people in the same order.
    pub fn recoded(
        table: &Table,
        released: &RecodedTable,
        people: usize,
        hierarchies: &BTreeMap<String, Hierarchy>,
    ) -> Self {
        KnownColumns {
            before: TableScene::original(table, people),
            after: TableScene::release(table, released, people, hierarchies, Own::Same),
        }
    }

    /// Columns that are published as they are: all may be known but the sensitive ones.
    pub fn as_they_are(columns: &[&Column], people: usize) -> Self {
        let known = columns.iter().filter(|column| column.role != Some(Role::Sensitive));
        let known = known.map(|column| Column { role: Some(Role::QuasiIdentifying), ..(*column).clone() });
        let table = Table { columns: known.collect() };
        let scene = || TableScene::original(&table, people);
        KnownColumns { before: scene(), after: scene() }
    }
}

/// Attacks the data and a release of them, looking for the same people by the same events and columns; nothing where no column may be known,
/// or no person stands behind the records.
pub fn together_risk(
    original: &Events,
    release: &Release,
    columns: &KnownColumns,
    known: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<TogetherRisk>, Cancelled> {
    let plan = Plan { known, below: 5, targets: Some(MAX_TARGETS), confidence: Fraction::ONE };
    let (data, released) = (Scene::original(original), Scene::release(original, release, Own::Same));
    if columns.after.columns() == 0 || !released.has_people() || release.people() != original.subjects() {
        return Ok(Vec::new());
    }
    let timed = original.times().is_some();
    let run = |scene: &Scene<'_>, table: &TableScene, times: bool| {
        attack_together(scene, table, &usual_attacker(original, times), &plan, seed, progress)
    };
    let before = run(&data, &columns.before, timed)?;
    let after = run(&released, &columns.after, timed && release.events().times().is_some())?;
    let both = before.iter().filter_map(|before| {
        let after = after.iter().find(|after| after.columns == before.columns)?;
        let points = before.attack.points.iter().zip(&after.attack.points);
        let points = points.map(|(before, after)| RiskPoint {
            known: before.known,
            before: crowds(before),
            after: crowds(after),
        });
        Some(TogetherRisk { columns: before.columns, points: points.collect() })
    });
    Ok(both.collect())
}
