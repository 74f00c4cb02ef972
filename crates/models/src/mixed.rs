//! Promises about columns and events together: an attacker who knows a person's row *and* some of their items.
//!
//! People whose rows show the same in every quasi-identifying column form a *group*, and a promise about events has to hold inside
//! each group by itself. Why that is enough against an attacker who knows original values and original items: what they know of the
//! columns fits whole groups, and the person's own group is among them (see `table.rs`). Inside that group at least `k` people fit
//! the known items too, in whatever words they are released (see `cover.rs`), or no person does. Further groups can only add people.
//! For shares of secrets, each group that fits has at most one in `l`, and so has their union.
//!
//! A row that says nothing puts its person in the group of all such rows, unless no event is released either: of such people
//! nothing is said, and they are left out.
//!
//! # Cost
//! The rows are grouped once; every group is a small release of its own, with an alphabet of its own, and groups are judged in
//! parallel by the checkers for events.

pub(crate) mod beside;
pub(crate) mod diverse;
mod groups;
pub(crate) mod kkm;

use throng_contract::{Key, Progress};

use self::groups::{Group, Groups};
use crate::ranges::{KNOWN, PEOPLE};
use crate::table::classes::Classes;
use crate::{CheckError, Evidence, Verdict, Violation};

const K: Key<u64> = Key::integer(
    "k",
    PEOPLE,
    "how many people must fit whatever an attacker knows of columns and items together",
);

const M: Key<u64> = Key::integer(
    "m",
    KNOWN,
    "how many items (or events, in order) of a person an attacker may know beside the columns",
);

/// Judges every group by itself. `inside` gives what is wrong with the events of a group: how many cases were looked at, how many are
/// broken, and the first of those.
fn judge(
    promise: &'static str,
    evidence: &Evidence<'_>,
    k: u64,
    list: usize,
    progress: &Progress,
    inside: impl Fn(&Group, &Progress) -> Result<Inside, CheckError> + Sync,
) -> Result<Verdict, CheckError> {
    let table = evidence.release.table().ok_or(CheckError::Missing {
        promise,
        what: "a table beside the events: a row a person, with quasi-identifying columns",
        help: "give the columns with {records FILE} and {quasi A,B,C}; for events alone, ask for `km`",
    })?;
    let classes = Classes::of(table, progress)?;
    let groups = Groups::of(evidence.release, &classes);
    let found = groups.each(progress, |group, quiet| {
        let mut found = inside(group, quiet)?;
        found.checked += 1;
        for violation in &mut found.worst {
            violation.pattern.splice(0..0, group.shown.iter().cloned());
        }
        if group.people() < k {
            found.broken += 1;
            found.worst.push(Violation {
                pattern: group.shown.clone(),
                support: group.people(),
                needed: k,
                details: Default::default(),
            });
        }
        Ok(found)
    })?;
    let mut all = Inside::default();
    for part in found {
        all.checked += part.checked;
        all.broken += part.broken;
        all.worst.extend(part.worst);
    }
    all.worst.sort_by(|a, b| {
        (a.pattern.len(), a.support, &a.pattern).cmp(&(b.pattern.len(), b.support, &b.pattern))
    });
    all.worst.truncate(list);
    if list == 0 {
        all.broken = all.broken.min(1);
    }
    Ok(Verdict {
        promise,
        holds: all.broken == 0,
        checked: all.checked,
        violations: all.worst,
        violations_total: all.broken,
        ..Verdict::default()
    })
}

/// What was found wrong in a group.
#[derive(Default)]
struct Inside {
    checked: u64,
    broken: u64,
    worst: Vec<Violation>,
}

#[cfg(test)]
mod tests;
