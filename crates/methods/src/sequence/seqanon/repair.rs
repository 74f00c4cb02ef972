//! Merges or suppresses places until one pattern is safe.

use std::collections::BTreeMap;

use throng_contract::Fraction;
use throng_data::{Events, ItemId};

use super::super::groups::Groups;
use super::super::patterns::PatternSet;
use super::super::proximity::Proximity;
use crate::{Explanation, MethodError, Reason, Task, Variant};

/// What the publisher allows to be merged and suppressed.
#[derive(Clone, Copy)]
pub(super) struct Utility<'a> {
    /// The utility constraint of each item; `None` allows every merge and no suppression.
    pub constraint_of: Option<&'a [u32]>,
    /// The largest share of items that may be suppressed.
    pub max_suppressed: Fraction,
}

/// The partition under construction, and what decides its next step.
pub(super) struct Repair<'a> {
    task: &'a Task<'a>,
    events: &'a Events,
    groups: Groups,
    proximity: Proximity<'a>,
    utility: Utility<'a>,
    k: u64,
    /// Patterns known to have enough people. Groups only grow, so what is safe stays safe.
    safe: PatternSet,
    /// Room for the pattern that is being looked at.
    pattern: Vec<u32>,
    suppressed_items: u64,
    steps: Vec<Reason>,
}

impl<'a> Repair<'a> {
    pub(super) fn new(
        task: &'a Task<'a>,
        events: &'a Events,
        groups: Groups,
        proximity: Proximity<'a>,
        utility: Utility<'a>,
        k: u64,
    ) -> Self {
        Repair {
            task,
            events,
            groups,
            proximity,
            utility,
            k,
            safe: PatternSet::new(),
            pattern: Vec::new(),
            suppressed_items: 0,
            steps: Vec::new(),
        }
    }

    pub(super) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// From now on patterns of so many groups are treated.
    pub(super) fn begin(&mut self, size: usize) {
        self.safe.expect(size, self.groups.all());
    }

    pub(super) fn finish(self) -> (Groups, Explanation) {
        (self.groups, Explanation { steps: self.steps })
    }

    /// The paper's inner loop: while some but too few people have the pattern, merge its rarest place with the
    /// nearest one, or suppress it if there is none to merge with.
    ///
    /// A group is named by its lowest item at the time, which stays in whatever the group becomes.
    pub(super) fn protect(&mut self, elements: &[ItemId]) -> Result<(), MethodError> {
        let mut pattern = std::mem::take(&mut self.pattern);
        let result = self.make_safe(elements, &mut pattern);
        self.pattern = pattern;
        result
    }

    fn make_safe(&mut self, elements: &[ItemId], pattern: &mut Vec<u32>) -> Result<(), MethodError> {
        loop {
            self.groups.image_of(elements, pattern);
            if pattern.is_empty() || self.safe.contains(pattern) {
                return Ok(());
            }
            let support = self.groups.support_up_to(self.events, pattern, self.k);
            if support >= self.k {
                self.safe.insert(pattern);
                return Ok(());
            }
            if support == 0 {
                return Ok(());
            }
            self.task.progress.check()?;
            match self.best_merge(pattern) {
                Some(merge) => self.merge(pattern, support, merge),
                None => self.suppress_rarest(pattern, support)?,
            }
        }
    }

    /// The pattern's rarest place and the one nearest to it.
    fn best_merge(&self, pattern: &[u32]) -> Option<Merge> {
        let mut by_support: Vec<u32> = pattern.to_vec();
        by_support.sort_by_key(|group| self.groups.support(*group));
        by_support.dedup();
        if self.task.variant == Variant::AsPrinted {
            by_support.truncate(1);
        }
        by_support.into_iter().find_map(|group| {
            let allowed = |other: u32| self.constraint(other) == self.constraint(group);
            let (partner, distance) = self.proximity.nearest(&self.groups, group, allowed)?;
            Some(Merge { group, partner, distance })
        })
    }

    fn constraint(&self, group: u32) -> Option<u32> {
        self.utility.constraint_of.map(|constraint_of| constraint_of[group as usize])
    }

    fn merge(&mut self, pattern: &[u32], support: u64, merge: Merge) {
        let details = BTreeMap::from([("distance", format!("{:.6}", merge.distance))]);
        self.explain("merge", &[merge.group, merge.partner], pattern, support, details);
        self.proximity.merge(&self.groups, merge.group, merge.partner);
        self.groups.merge(merge.group, merge.partner);
    }

    fn suppress_rarest(&mut self, pattern: &[u32], support: u64) -> Result<(), MethodError> {
        let rarest = pattern.iter().copied().min_by_key(|group| self.groups.support(*group));
        let (Some(group), Some(_)) = (rarest, self.utility.constraint_of) else {
            return Err(MethodError::Infeasible {
                why: format!("one place is left, and still fewer than k = {} people share a pattern", self.k),
                help: "use {variant sound}, which tests this beforehand".into(),
            });
        };
        self.explain("suppress", &[group], pattern, support, BTreeMap::new());
        self.suppressed_items += self.groups.members(group).len() as u64;
        let items = self.task.data.items.len() as u64;
        if self.utility.max_suppressed.is_exceeded_by(self.suppressed_items, items) {
            return Err(MethodError::Infeasible {
                why: format!(
                    "the utility constraints cannot be met: {} of {items} places would be suppressed, more than the \
                     limit of {}",
                    self.suppressed_items, self.utility.max_suppressed
                ),
                help: "raise {max-suppressed}, use larger constraints, or a smaller `k` or `m`".into(),
            });
        }
        self.groups.suppress(group);
        Ok(())
    }

    fn explain(
        &mut self,
        action: &'static str,
        groups: &[u32],
        pattern: &[u32],
        support: u64,
        details: BTreeMap<&'static str, String>,
    ) {
        let members = |group: &u32| self.groups.members(*group).to_vec();
        self.steps.push(Reason {
            action,
            items: groups.iter().map(members).collect(),
            pattern: pattern.iter().map(members).collect(),
            support,
            needed: self.k,
            details,
        });
    }
}

struct Merge {
    group: u32,
    partner: u32,
    distance: f64,
}
