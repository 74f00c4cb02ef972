//! What a release is still good for, and what it still gives away: the numbers of the manifest and the report.
//!
//! Shares and averages over all people only; nothing here speaks of a single record or of a rare pattern.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_contract::{Cost, Failure, Progress};
use throng_data::{Column, EventKind, RecodedTable};
use throng_measure::attack::curve::{RiskCurve, RiskPoint as Attacked, before_and_after, known_beyond};

use crate::evaluate::{Answer, Wanted, evaluate, fitting, measures_up_to, reads};
use crate::manifest::{as_typed, parameters};
use crate::plan::Made;
use crate::rounding::Rounding;
use crate::table_risk::{TableRisk, table_risk};
use crate::together_risk::{KnownColumns, TogetherRisk, together_risk};

/// What attackers who know some events or columns of a person can do, before and after.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Risk {
    /// How many people attackers looked for; 0 where that is not told.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub targets: u64,
    /// Whether these are a sample of all people.
    pub sampled: bool,
    /// Whether attackers who have the release know the times of events: they do when times are published.
    #[serde(default)]
    pub times: bool,
    /// Whether attackers who have the data know them: they do when the data have times.
    #[serde(default)]
    pub times_before: bool,
    /// Whether attackers know the published columns of a person, too.
    #[serde(default)]
    pub columns: bool,
    /// One point for each number of known events, or of known columns of a table.
    pub points: Vec<RiskPoint>,
    /// Of a table: the risks of whoever is known by all columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableRisk>,
    /// Of events beside published columns: what both give away together, by how many columns are known, from none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<TogetherRisk>,
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RiskPoint {
    /// How many events of a person the attacker knows, or how many columns.
    pub known: u64,
    /// With the original data.
    pub before: Crowds,
    /// With the release.
    pub after: Crowds,
}

/// Shares of people by the crowd they are found in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Crowds {
    /// Nobody else fits.
    pub singled_out: f64,
    /// Fewer than 5 people fit.
    pub below_5: f64,
    /// Fewer than 20 people fit.
    pub below_20: f64,
    /// The 95% interval of the share singled out, when those looked for are a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The same for fewer than 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below_5_interval: Option<[f64; 2]>,
}

impl Risk {
    /// Whether nothing is told.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The risk as it may be published: shares in steps, no counts and no intervals; nothing where shares are withheld.
    pub(crate) fn rounded(&self, rounding: &Rounding) -> Risk {
        let points = self.points.iter().map(|point| point.rounded(rounding));
        match points.collect::<Option<Vec<_>>>() {
            Some(points) if !points.is_empty() => {
                let table = self.table.and_then(|table| table.rounded(rounding));
                let together = self.together.iter().filter_map(|together| together.rounded(rounding));
                Risk { targets: 0, points, table, together: together.collect(), ..*self }
            }
            _ => Risk::default(),
        }
    }
}

impl RiskPoint {
    /// As it may be published; nothing where shares are withheld.
    pub(crate) fn rounded(&self, rounding: &Rounding) -> Option<RiskPoint> {
        Some(RiskPoint {
            known: self.known,
            before: self.before.rounded(rounding)?,
            after: self.after.rounded(rounding)?,
        })
    }
}

impl Crowds {
    fn rounded(&self, rounding: &Rounding) -> Option<Crowds> {
        Some(Crowds {
            singled_out: rounding.share(self.singled_out)?,
            below_5: rounding.share(self.below_5)?,
            below_20: rounding.share(self.below_20)?,
            interval: None,
            below_5_interval: None,
        })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Measures of a release by scale, and the risk that is left. Only what takes one pass: nobody waits for more who did
/// not ask for it. `columns` are published beside events as they are; `groups` numbers people alike who agree in all of them that may be
/// known, and is empty if none is.
pub(crate) fn measure(
    made: &Made,
    columns: &[&Column],
    groups: &[u32],
    progress: &Progress,
) -> Result<(BTreeMap<String, f64>, Risk), Failure> {
    let (original, release) = (&made.loaded.data.events, &made.outcome.release);
    let (people, hierarchies) = (original.subjects(), &made.loaded.inputs.hierarchies);
    let risk = match (&made.loaded.data.attributes, release.table()) {
        // Nobody stands behind a part of a record, or a count: there is no crowd to look for.
        _ if !release.body.has_rows() => Risk::default(),
        (Some(table), Some(released)) if original.kind() == EventKind::Absent => {
            table_risk(table, released, people, hierarchies, made.seed, progress)?
        }
        (Some(table), Some(released)) => {
            // Whoever knows the columns too: as they were in the data, and as they are in the release.
            let known = known_beyond(made.assumes.known.unwrap_or(0));
            let groups = [alike(&RecodedTable::identity(table), people), alike(released, people)];
            let curves =
                |groups: &[u32]| before_and_after(original, release, groups, known, made.seed, progress);
            let (before, after) = (curves(&groups[0])?.0, curves(&groups[1])?.1);
            let columns = KnownColumns::recoded(table, released, people, hierarchies);
            let together = together_risk(original, release, &columns, known, made.seed, progress)?;
            Risk { columns: true, together, ..risk(&before, &after) }
        }
        _ => {
            let known = known_beyond(made.assumes.known.unwrap_or(0));
            let (before, after) = before_and_after(original, release, groups, known, made.seed, progress)?;
            let columns = KnownColumns::as_they_are(columns, people);
            let together = together_risk(original, release, &columns, known, made.seed, progress)?;
            Risk { columns: !groups.is_empty(), together, ..risk(&before, &after) }
        }
    };
    let mut values = BTreeMap::new();
    let mut wanted: Vec<Wanted> = fitting(measures_up_to(Cost::Pass), &made.loaded.data).collect();
    // Suppression has a section of its own in the manifest.
    wanted.retain(|wanted| wanted.measure != "suppression" && reads(wanted, release.body.kind()));
    // What the method was told of costs holds for measuring them, too.
    let told = as_typed(&parameters(&made.settings));
    let wanted: Vec<Wanted> = wanted.into_iter().map(|wanted| wanted.with_known(&told)).collect();
    for evaluated in evaluate(made, &wanted, progress)? {
        if let Answer::Readings(readings) = evaluated.answer {
            values.extend(readings);
        }
    }
    Ok((values, risk))
}

/// Where noise hides people, the publisher is told little: whether records are as long as they were, or of a release of counts what
/// is left. It is not published.
pub(crate) fn lengths(made: &Made, progress: &Progress) -> Result<BTreeMap<String, f64>, Failure> {
    let mut values = BTreeMap::new();
    let told = [Wanted::of("lengths"), Wanted::of("counts")];
    for evaluated in evaluate(made, &told, progress)? {
        if let Answer::Readings(readings) = evaluated.answer {
            values.extend(readings);
        }
    }
    Ok(values)
}

/// Numbers people alike whose cells are, in all columns that attackers know.
fn alike(table: &RecodedTable, people: usize) -> Vec<u32> {
    let mut groups = vec![0_u32; people];
    for column in table.known() {
        let mut numbers: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for (group, cell) in groups.iter_mut().zip(&column.cells) {
            let next = numbers.len() as u32;
            *group = *numbers.entry((*group, *cell)).or_insert(next);
        }
    }
    groups
}

/// A synthetic release has no curve of its own: nobody stands behind its records.
fn risk(before: &RiskCurve, after: &RiskCurve) -> Risk {
    let crowds = |point: &Attacked| Crowds {
        singled_out: point.singled_out.share,
        below_5: point.below_5.share,
        below_20: point.below_20.share,
        interval: point.singled_out.interval,
        below_5_interval: point.below_5.interval,
    };
    let both = before.points.iter().zip(&after.points);
    Risk {
        targets: before.targets,
        sampled: before.sampled,
        times: after.times,
        times_before: before.times,
        columns: false,
        table: None,
        together: Vec::new(),
        points: both
            .map(|(before, after)| RiskPoint {
                known: before.known,
                before: crowds(before),
                after: crowds(after),
            })
            .collect(),
    }
}
