//! Generalises items along a taxonomy until every set of up to `m` of them is shared by `k` people, one cut for all.
//!
//! [`Apriori`] (AA) looks at single items first, then at pairs, and so on; [`Direct`] (DA) looks at sets of all sizes at once.
//! [`LmApriori`] and [`LmDirect`] also keep every sensitive item from being guessed.
//!
//! # Reference
//! TMK08: Terrovitis, Mamoulis, Kalnis. Privacy-preserving anonymization of set-valued data. VLDB 2008. Algorithms DA and
//! AA. TMK11: the same authors. Local and global recoding methods for anonymizing set-valued data. VLDB Journal 20(1),
//! 2011, for l^m-diversity.
//! # Guarantees
//! The release satisfies `km` (`klm` for the l^m-diverse ones): one cut maps a known set of original items to one set of
//! nodes, which has no carriers or enough. If a cut is k^m-anonymous so is every more general one, so what has been
//! repaired stays repaired. Shares of secrets are not like that: carriers of two items overlap, and people with both
//! weigh less in the union. So the l^m-diverse methods begin again after they changed something, until nothing changes.
//! Every released item covers the original one; nothing is suppressed.
//! # Cost
//! The people behind all pairs of nodes are counted once, a walk over the expanded records of each node. Larger sets
//! are walked depth first. Memory holds one counter for each pair of an inner node and another node.
//! # Departs from the paper
//! * `sound` counts people; `as-printed` counts records, which is the same while everybody has one.
//! * A hierarchy is not required: without one, neighbours in the order of names are grouped.
//! * `as-printed` l^m-diversity looks at the sets of each size once, and may leave unsafe what was merged later.
//! * The root may be published, as a last resort; the paper does not say.

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Input, Need, Product};

use super::job::{Job, Part};
use super::params::{ByCuts, DiverseByCuts};
use super::search::Search;
use crate::{Method, MethodError, Outcome, Task};

pub(super) static APRIORI: Descriptor = Descriptor {
    name: "apriori",
    purpose: "generalise items along a taxonomy until every set of up to m of them is shared by k people",
    takes: &[DataKind::Sets],
    needs: &[Need::optional(Input::Taxonomy)],
    params: ByCuts::ALL,
    keeps: Some("km"),
    product: Some(Product::of(BodyKind::Records)),
    variants: true,
    paper: "TMK08",
    example: "throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv --method apriori -k 5 -m 2 -o release",
    notes: "Truthful: every published item covers one that was there. An item is published the same way for everybody. \
            Attackers who know more than m items, or which items a person does not have, are not covered.",
    ..Descriptor::blank(DescriptorKind::Method)
};

static DIRECT: Descriptor = Descriptor {
    name: "da",
    purpose: "like apriori, but look at sets of all sizes at once (slower; the paper's first algorithm)",
    example: "throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv --method da -k 5 -m 2 -o release",
    ..APRIORI
};

pub(super) static LM_APRIORI: Descriptor = Descriptor {
    name: "lm-apriori",
    purpose: "like apriori, and at most one in l of those who fit has any one sensitive item",
    needs: &[Need::optional(Input::Taxonomy), Need::required(Input::SensitiveItems)],
    params: DiverseByCuts::ALL,
    keeps: Some("klm"),
    paper: "TMK11",
    example: "throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv --sensitive baskets/sensitive.csv \
              --method lm-apriori -k 5 -l 2 -m 2 -o release",
    notes: "Sensitive items are published as they are; an attacker who already knows one of them is not covered.",
    ..APRIORI
};

static LM_DIRECT: Descriptor = Descriptor {
    name: "lm-da",
    purpose: "like da, and at most one in l of those who fit has any one sensitive item",
    example: "throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv --sensitive baskets/sensitive.csv \
              --method lm-da -k 5 -l 2 -m 2 -o release",
    ..LM_APRIORI
};

/// AA: size by size.
#[derive(Debug, Clone, Copy)]
pub struct Apriori;

/// DA: all sizes at once.
#[derive(Debug, Clone, Copy)]
pub struct Direct;

/// AA with sensitive items.
#[derive(Debug, Clone, Copy)]
pub struct LmApriori;

/// DA with sensitive items.
#[derive(Debug, Clone, Copy)]
pub struct LmDirect;

impl Method for Apriori {
    fn descriptor(&self) -> &'static Descriptor {
        &APRIORI
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = ByCuts::of(task.settings);
        run(&Job::new(APRIORI.name, task, asked.crowd, asked.fan_out)?, Search::by_size)
    }
}

impl Method for Direct {
    fn descriptor(&self) -> &'static Descriptor {
        &DIRECT
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = ByCuts::of(task.settings);
        run(&Job::new(DIRECT.name, task, asked.crowd, asked.fan_out)?, Search::at_once)
    }
}

impl Method for LmApriori {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_APRIORI
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = DiverseByCuts::of(task.settings);
        run(&Job::new(LM_APRIORI.name, task, asked.crowd, asked.fan_out)?, Search::by_size)
    }
}

impl Method for LmDirect {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_DIRECT
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = DiverseByCuts::of(task.settings);
        run(&Job::new(LM_DIRECT.name, task, asked.crowd, asked.fan_out)?, Search::at_once)
    }
}

fn run<'a>(
    job: &'a Job<'a>,
    look: impl Fn(&mut Search<'a>) -> Result<(), MethodError>,
) -> Result<Outcome, MethodError> {
    if let Some(outcome) = job.nothing_to_do() {
        return Ok(outcome);
    }
    job.check(&job.leaves)?;
    let mut search = job.search(&job.leaves);
    look(&mut search)?;
    Ok(job.publish(vec![Part::from(search)], &vec![0; job.leaves.crowds()]))
}
