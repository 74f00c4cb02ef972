//! The baselines: one part decides who is together, and the other pays.
//!
//! [`RelationalFirst`] (RFIRST) gathers people with similar columns and generalises the items of each group; [`TransactionFirst`] (TFIRST)
//! gathers people with similar items and publishes the smallest cells that cover each group.
//!
//! # Reference
//! PGLS13: Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos. Anonymizing data with relational and transaction attributes. ECML/PKDD
//! 2013. Section 3.
//! # Guarantees
//! The release satisfies `kkm`, for the reasons given in [`super::bound`].
//! # Cost
//! That of the method for tables, or of a sort of people by their items; then that of the method for events on each group.
//! # Departs from the paper
//! * Groups in which some people have items, and fewer than `k`, are merged with the nearest ones.
//! * TFIRST takes neighbours in the Gray order of items, as LRA does, and the method for events is free to choose.

use throng_contract::{Descriptor, Input, Need, settings};

use super::bound::RUM_BOUND;
use super::formation::{by_columns, by_items};
use super::items::ItemLoss;
use super::job::Job;
use super::order::Partners;
use super::params::{GROUP_SIZE, Km, Publishing, RELATIONAL, TableMethod, Wanted};
use crate::{Method, MethodError, Outcome, Task};

settings! {
    /// What RFIRST is asked for.
    struct RelationalAsked {
        crowd: Km,
        relational: TableMethod = RELATIONAL,
        publishing: Publishing,
    }
}

settings! {
    /// What TFIRST is asked for.
    struct TransactionAsked {
        crowd: Km,
        group_size: u64 = GROUP_SIZE,
        publishing: Publishing,
    }
}

static RFIRST: Descriptor = Descriptor {
    name: "rfirst",
    purpose: "the columns first: gather similar rows, then generalise the items of each group",
    params: RelationalAsked::ALL,
    variants: false,
    example: "throng anonymize patients/codes.csv --sets --records patients/records.csv --quasi age,sex --taxonomy patients/codes-taxonomy.csv \
              --method rfirst -k 5 -m 2 -o release",
    notes: "A baseline: columns stay as precise as they can, and items pay for it. `rum-bound` finds what lies between.",
    ..RUM_BOUND
};

static TFIRST: Descriptor = Descriptor {
    name: "tfirst",
    purpose: "the items first: gather people with similar items, then generalise the columns of each group",
    needs: &[
        Need::required(Input::Records),
        Need::optional(Input::Hierarchies),
        Need::optional(Input::Taxonomy),
        Need::optional(Input::Places),
        Need::optional(Input::Constraints),
    ],
    params: TransactionAsked::ALL,
    variants: false,
    example: "throng anonymize patients/codes.csv --sets --records patients/records.csv --quasi age,sex --taxonomy patients/codes-taxonomy.csv \
              --method tfirst -k 5 -m 2 -o release",
    notes: "A baseline: items stay as precise as they can, and columns pay for it. `tum-bound` finds what lies between.",
    ..RUM_BOUND
};

/// RFIRST.
#[derive(Debug, Clone, Copy)]
pub struct RelationalFirst;

/// TFIRST.
#[derive(Debug, Clone, Copy)]
pub struct TransactionFirst;

impl Method for RelationalFirst {
    fn descriptor(&self) -> &'static Descriptor {
        &RFIRST
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let RelationalAsked { crowd, relational, publishing } = RelationalAsked::of(task.settings);
        let wanted = Wanted::crowd(crowd, publishing);
        let job = Job::new(RFIRST.name, task, wanted, ItemLoss::Certainty)?;
        run(&job, by_columns(task, relational, &wanted)?)
    }
}

impl Method for TransactionFirst {
    fn descriptor(&self) -> &'static Descriptor {
        &TFIRST
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let TransactionAsked { crowd, group_size, publishing } = TransactionAsked::of(task.settings);
        let job = Job::new(TFIRST.name, task, Wanted::crowd(crowd, publishing), ItemLoss::Certainty)?;
        let size = group_size.max(crowd.k);
        let groups = by_items(task.data, &job.likeness, usize::try_from(size).unwrap_or(usize::MAX));
        run(&job, groups)
    }
}

fn run(job: &Job<'_>, groups: Vec<Vec<u32>>) -> Result<Outcome, MethodError> {
    let mut clusters = job.clusters(groups, None);
    let mut partners = Partners::new(&clusters);
    job.repair(&mut clusters, &mut partners)?;
    let notes =
        vec![format!("the mean certainty penalty (NCP) of the columns is {:.6}", clusters.mean_loss())];
    let groups = clusters.into_groups();
    let borrowed: Vec<&[u32]> = groups.iter().map(Vec::as_slice).collect();
    let items = job.generalise(&borrowed, false)?;
    Ok(job.publish(&groups, items, notes))
}
