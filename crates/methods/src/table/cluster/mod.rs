//! Gathers each person with those who are most like them, and publishes every cluster by its smallest cells.
//!
//! # Reference
//! PGLS13: Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos. Anonymizing data with relational and transaction attributes. ECML/PKDD
//! 2013. Algorithm CLUSTER.
//! # Guarantees
//! The release satisfies `k`, and `l-diversity` and `t-closeness` where they were asked for: clusters that do not are merged with the
//! cheapest other one until they do. Every cell covers its original value and is no wider than its cluster.
//! # Cost
//! People are first cut into buckets of neighbours, as `mondrian` cuts; a bucket of `b` people costs `b * b / k`, whatever the number
//! of people. `as-printed` is one bucket of everybody: quadratic.
//! # Departs from the paper
//! * Buckets: the nearest person is looked for among neighbours only; up to [`BUCKET`] people there is one bucket.
//! * The paper draws every seed and takes the people who are nearest to it. We draw the first; each next is the person farthest from
//!   the last, so that no person far out is left for the end, and of a few times as many people as are needed those join, one
//!   after another, who widen the cluster least. On random tables that loses about a sixth less.
//! * People with equal values who are enough for a cluster are one from the start: no seed could do better.
//! * The paper asks for no diversity. A cluster takes the nearest people whose sensitive values it lacks before it is merged.

mod buckets;
mod greedy;
pub(crate) mod neighbours;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use throng_contract::{
    BodyKind, Cancelled, DataKind, Descriptor, DescriptorKind, Input, Need, Phase, Product, Progress,
    settings,
};

use self::greedy::{Cluster, Greedy};
use self::neighbours::Costs;
use super::demands::{Counter, Demands};
use super::params::{BOUNDS, Bounds, K, OfSecrets};
use super::quasi::{Quasi, Sets, Wanted};
use super::release::by_group;
use super::rows::Layout;
use crate::{Explanation, Method, MethodError, Outcome, Task, Variant};

/// The most people of a bucket.
pub const BUCKET: usize = 1_024;

settings! {
    /// What the method is asked for.
    struct Asked {
        k: u64 = K,
        of_secrets: OfSecrets,
        bounds: Bounds = BOUNDS,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "cluster",
    purpose: "gather each person with those who are most like them, and publish every cluster by its smallest cells",
    takes: &[DataKind::Table],
    needs: &[Need::optional(Input::Hierarchies)],
    params: Asked::ALL,
    keeps: Some("k"),
    product: Some(Product::of(BodyKind::Table)),
    variants: true,
    paper: "PGLS13",
    example: "throng anonymize patients/patients.csv --schema patients/schema.toml --method cluster -k 5 -o release",
    notes: "Often loses least of the methods for tables. The first seeds are drawn at random: another `seed` gives another release. The \
            same value may be published in different ways in different rows.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// CLUSTER: greedy clustering by NCP.
#[derive(Debug, Clone, Copy)]
pub struct ClusterRows;

impl Method for ClusterRows {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let wanted = Wanted { k: asked.k, bounds: asked.bounds, along_order: false, sets: Sets::Some };
        let quasi = Quasi::read(task, wanted)?;
        let demands = Demands::new(asked.k, &asked.of_secrets, task.data)?;
        if let Some(why) = demands.infeasible(task.data.subjects.len() as u64) {
            return Err(why);
        }
        let (layout, mut words) = Layout::rows(&quasi, &demands);
        let costs = Costs::new(&quasi);
        let grows = task.variant == Variant::Sound;
        let greedy = Greedy { costs: &costs, demands: &demands, layout, grows };
        let clusters = {
            let phase = task.progress.phase("gather clusters", Some(layout.count(&words) as u64));
            gather(&greedy, &quasi, &mut words, task, &phase)?
        };
        let mut grouped = Vec::with_capacity(words.len());
        let mut sizes = Vec::with_capacity(clusters.len());
        for cluster in &clusters {
            for row in &cluster.rows {
                grouped.extend_from_slice(
                    &words[*row as usize * layout.stride..(*row as usize + 1) * layout.stride],
                );
            }
            sizes.push(cluster.rows.len());
        }
        let release = by_group(task, &quasi, layout, &grouped, &sizes);
        Ok(Outcome {
            release,
            explanation: Explanation::default(),
            notes: demands.with_notes(vec![format!(
                "{} people were gathered in {} clusters",
                layout.count(&words),
                clusters.len()
            )]),
            public_notes: Vec::new(),
            ledger: None,
            also: demands.also(),
        })
    }
}

/// Moves people with equal values, where they are enough for a cluster, to the front; the clusters and the number of rows in them.
fn alike(greedy: &Greedy<'_>, words: &mut Vec<u32>) -> (Vec<Cluster>, usize) {
    let Layout { quasi, stride } = greedy.layout;
    let mut order: Vec<u32> = (0..greedy.layout.count(words) as u32).collect();
    let codes = |row: &u32| &words[*row as usize * stride..][..quasi];
    order.par_sort_by(|a, b| codes(a).cmp(codes(b)));
    let mut counter = Counter::default();
    let (mut front, mut back) = (Vec::with_capacity(words.len()), Vec::new());
    let mut clusters = Vec::new();
    for run in order.chunk_by(|a, b| codes(a) == codes(b)) {
        let good = greedy.good(words, run, &mut counter);
        let target = if good { &mut front } else { &mut back };
        let begin = (target.len() / stride) as u32;
        for row in run {
            target.extend_from_slice(&words[*row as usize * stride..(*row as usize + 1) * stride]);
        }
        if good {
            let rows = (begin..begin + run.len() as u32).collect();
            clusters.push(Cluster { rows, region: greedy.costs.region(codes(&run[0])), good });
        }
    }
    let moved = front.len() / stride;
    front.extend(back);
    *words = front;
    (clusters, moved)
}

/// Gathers clusters: people with equal values first, then everybody else, bucket by bucket.
fn gather(
    greedy: &Greedy<'_>,
    quasi: &[Quasi],
    words: &mut Vec<u32>,
    task: &Task<'_>,
    phase: &Phase<'_>,
) -> Result<Vec<Cluster>, Cancelled> {
    let layout = greedy.layout;
    let rows = layout.count(words);
    let printed = task.variant == Variant::AsPrinted;
    let (mut clusters, moved) = if printed { (Vec::new(), 0) } else { alike(greedy, words) };
    phase.advance(moved as u64)?;
    if !clusters.is_empty() && rows - moved < greedy.demands.k as usize {
        greedy.assign(words, (moved as u32..rows as u32).collect(), &mut clusters);
    } else if moved < rows {
        let most = if printed { usize::MAX } else { BUCKET.max(4 * greedy.demands.k as usize) };
        let sizes = buckets::cut(quasi, layout, &mut words[moved * layout.stride..], most);
        let mut begin = moved;
        let spans: Vec<(u64, (usize, usize))> = (0..)
            .zip(sizes)
            .map(|(number, size)| {
                begin += size;
                (number, (begin - size, begin))
            })
            .collect();
        let words = &*words;
        let gathered: Result<Vec<Vec<Cluster>>, Cancelled> = spans
            .into_par_iter()
            .map(|(number, span)| {
                let mut random = ChaCha8Rng::seed_from_u64(task.seed);
                random.set_stream(number);
                let mut clusters = greedy.clusters(words, span, &mut random, task.progress)?;
                greedy.repair(words, &mut clusters, task.progress)?;
                phase.advance((span.1 - span.0) as u64)?;
                Ok(clusters)
            })
            .collect();
        clusters.extend(together(greedy, words, gathered?, task.progress)?);
    }
    greedy.repair(words, &mut clusters, task.progress)?;
    Ok(clusters)
}

/// Brings buckets together, neighbours first, so that a bucket that is not good enough as a whole finds help near by.
fn together(
    greedy: &Greedy<'_>,
    words: &[u32],
    mut buckets: Vec<Vec<Cluster>>,
    progress: &Progress,
) -> Result<Vec<Cluster>, Cancelled> {
    while buckets.len() > 1 {
        let mut pairs = Vec::with_capacity(buckets.len().div_ceil(2));
        let mut rest = buckets.into_iter();
        while let Some(mut pair) = rest.next() {
            pair.extend(rest.next().unwrap_or_default());
            greedy.repair(words, &mut pair, progress)?;
            pairs.push(pair);
        }
        buckets = pairs;
    }
    Ok(buckets.pop().unwrap_or_default())
}
