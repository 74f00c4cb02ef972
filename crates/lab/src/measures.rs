//! What a release is still good for, and what it still gives away: the numbers of the manifest and the report.
//!
//! Shares and averages over all people only; nothing here speaks of a single record or of a rare pattern.

use std::collections::BTreeMap;

use throng_contract::{Cost, Failure, Progress};
use throng_data::{Column, EventKind, RecodedTable};
use throng_measure::attack::curve::{RiskCurve, RiskPoint as Attacked, before_and_after, known_beyond};

use crate::evaluate::{Answer, Wanted, evaluate, fitting, measures_up_to, reads};
use throng_release::Checked;
use throng_release::manifest::{as_typed, parameters};
use throng_release::risk::{Crowds, Risk, RiskPoint};
use throng_release::table_risk::table_risk;
use throng_release::together_risk::{KnownColumns, together_risk};

/// Measures of a release by scale, and the risk that is left. Only what takes one pass: users wait for more only if they
/// ask for it. `columns` are published beside events as they are; `groups` numbers people alike who agree in all of them that may be
/// known, and is empty if none is.
pub(crate) fn measure(
    made: &Checked,
    columns: &[&Column],
    groups: &[u32],
    progress: &Progress,
) -> Result<(BTreeMap<String, f64>, Risk), Failure> {
    let (original, release) = (&made.loaded.data.events, &made.outcome.release);
    let (people, hierarchies) = (original.subjects(), &made.loaded.inputs.hierarchies);
    let risk = match (&made.loaded.data.attributes, release.table()) {
        // No person stands behind a part of a record, or a count: there is no crowd to look for.
        _ if !release.body.has_rows() => Risk::default(),
        (Some(table), Some(released)) if original.kind() == EventKind::Absent => {
            table_risk(table, released, people, hierarchies, made.seed, progress)?
        }
        (Some(table), Some(released)) => {
            // An attacker who knows the columns too: as they were in the data, and as they are in the release.
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
pub(crate) fn lengths(made: &Checked, progress: &Progress) -> Result<BTreeMap<String, f64>, Failure> {
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

/// A synthetic release has no curve of its own: no person stands behind its records.
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
