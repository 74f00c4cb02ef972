//! Groups similar trajectories, then generalises each group by itself, so that nearby places are merged only where it
//! is needed, and no person's visit to a sensitive place can be inferred.
//!
//! [`Zga`] calls trajectories similar when they share places that are close on the map (Z-order), [`Sga`] when they
//! share frequent itineraries. Both make keys, sort them in Gray order, cut the order into clusters and anonymise
//! each cluster with l^m-ANON; the four steps are separate and pure.
//!
//! # Reference
//! PSLG-SOA: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Select-Organize-Anonymize: a framework for trajectory
//! data anonymization. Algorithms ZGA, SGA, l^m-ANON.
//! # Guarantees
//! The release satisfies `klm`: an attacker who knows up to `m` non-sensitive events of a person, in order, finds at least `k`
//! people who fit, of whom at most one in `l` has any given sensitive item. Each cluster keeps it by itself, and clusters
//! share no person: what an attacker knows in real places fits in each cluster either no person or enough people with a small enough
//! share of secrets, and so does the sum. Numbers of people (`form = "count"`) add up instead, so clusters are joined until
//! they keep it together. Every event covers the original one; sensitive items stay as they are.
//! # Cost
//! A sort of the keys, then for each cluster the cost of SEQANON on its share of the data; clusters run in parallel.
//! # Departs from the paper
//! * The definition bounds the *number* of people with a sensitive item, the text their *share*; `form = "ratio"` is
//!   what is claimed and the default, `form = "count"` is the letter, which `as-printed` follows in any case. Patterns of all lengths up to `m` count, not
//!   only of length `m`.
//! * l^m-ANON begins again after merges (see [`lm_anon`]).
//! * Cluster sizes differ by at most one. A cluster that cannot be anonymised joins its neighbour in Gray order; the
//!   paper would not end. `clusters = 0` chooses their number: it is doubled while the mean displacement shrinks.
//! * People are kept whole: all records of a person are in one cluster.
//! * The paper's text and figure disagree on the order of key bits; by default the last of Z-order or of the frequent list
//!   is the most significant bit, `key-order` chooses others. Figure 2 has the order of a list: `key-order = "alphabet"`.

mod asked;
mod itineraries;
pub mod keys;
pub mod lm_anon;
pub mod order;
mod release;
mod together;

use rayon::prelude::*;
use throng_contract::{Descriptor, Input, Progress};
use throng_data::{Events, ItemId, Places};
use throng_models::choices::SecretForm;

use self::asked::{ItineraryOrder, PlaceOrder, Promised, SGA, SgaAsked, Within, ZGA, ZgaAsked};
use self::keys::Keys;
use self::lm_anon::{Anonymized, LmAnon, extract};
use super::exposed::{Diversity, check_size};
use super::feasibility;
use super::params::Limits;
use super::proximity::Distances;
use crate::{Explanation, Method, MethodError, Outcome, Task, Variant};

/// ZGA: similar means close on the map.
#[derive(Debug, Clone, Copy)]
pub struct Zga;

/// SGA: similar means sharing frequent itineraries.
#[derive(Debug, Clone, Copy)]
pub struct Sga;

impl Method for Zga {
    fn descriptor(&self) -> &'static Descriptor {
        &ZGA
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let ZgaAsked { promised, key_order, within } = ZgaAsked::of(task.settings);
        let job = Job::new("zga", task, promised, within)?;
        let z = job.places.z_values();
        let mut columns: Vec<ItemId> =
            (0..z.len() as ItemId).filter(|item| !job.sensitive[*item as usize]).collect();
        columns.sort_by_key(|item| std::cmp::Reverse((z[*item as usize], *item)));
        match key_order {
            PlaceOrder::Ascending => columns.reverse(),
            PlaceOrder::Alphabet => {
                let missing = MethodError::MissingInput { method: "zga", input: Input::Alphabet };
                let listed = task.data.items.ids(task.inputs.alphabet.as_ref().ok_or(missing)?);
                let mut place = vec![listed.len(); z.len()];
                for (at, item) in listed.iter().enumerate().rev() {
                    place[*item as usize] = at;
                }
                // Places that are not listed come last, in their order.
                columns.sort_by_key(|item| place[*item as usize]);
            }
            PlaceOrder::Descending => {}
        }
        let keys = Keys::of_items(&job.events, &columns, z.len());
        job.run(&keys)
    }
}

impl Method for Sga {
    fn descriptor(&self) -> &'static Descriptor {
        &SGA
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let SgaAsked { promised, itineraries, key_order, within } = SgaAsked::of(task.settings);
        let job = Job::new("sga", task, promised, within)?;
        let top = itineraries as usize;
        let mut columns = itineraries::most_frequent(&job.events, task.data.items.len(), top, task.progress)?;
        match key_order {
            ItineraryOrder::Descending => columns.reverse(),
            ItineraryOrder::Ascending => {}
        }
        let keys = Keys::of_patterns(&job.events, &columns);
        job.run(&keys)
    }
}

/// What both algorithms share: the data without sensitive events, and the requirement.
struct Job<'a> {
    task: &'a Task<'a>,
    places: &'a Places,
    sensitive: Vec<bool>,
    /// Who carries which sensitive items.
    carried: Diversity,
    /// Non-sensitive events, trimmed until lengths alone give no person away.
    events: Events,
    trimmed: bool,
    /// Distances of all places, for all clusters, if they are kept.
    distances: Option<Distances>,
    promised: Promised,
    within: Within,
    m: usize,
}

impl<'a> Job<'a> {
    fn new(
        method: &'static str,
        task: &'a Task<'a>,
        promised: Promised,
        within: Within,
    ) -> Result<Self, MethodError> {
        let places =
            task.data.places.as_ref().ok_or(MethodError::MissingInput { method, input: Input::Places })?;
        let mut sensitive = vec![false; task.data.items.len()];
        for item in task.data.items.ids(&task.inputs.sensitive_items) {
            sensitive[item as usize] = true;
        }
        let (k, m) = (promised.k, promised.m as usize);
        check_size(sensitive.len(), m)?;
        let mut events =
            task.data.events.clone().without_times().retain(|_, _, item| !sensitive[item as usize]);
        if task.variant == Variant::AsPrinted {
            events = events.one_subject_per_record();
        }
        let Limits { infeasible, max_suppressed } = within.limits;
        let (kept, carried) = rayon::join(
            || feasibility::ensure(&events, k, m, infeasible, max_suppressed, task.progress),
            || carried(task, &sensitive, promised.l, form(task, within.form)),
        );
        let kept = kept?;
        let trimmed = kept.is_some();
        let distances = Distances::of(places, within.distance);
        let events = kept.unwrap_or(events);
        Ok(Job { task, places, sensitive, carried, events, trimmed, distances, promised, within, m })
    }

    fn run(&self, keys: &Keys) -> Result<Outcome, MethodError> {
        let order = order::gray_order(keys, self.events.subjects());
        let clusters = match self.promised.clusters {
            0 => self.best_number_of_clusters(&order)?,
            given => self.anonymize_clusters(&order, given as usize, self.task.progress)?,
        };
        let release = release::publish(self.task, &self.events, &clusters);
        let mut notes = Vec::new();
        match clusters.len() {
            1 => notes.push("all people were anonymised together".to_owned()),
            number => notes.push(format!("{number} clusters of people were anonymised apart")),
        }
        if self.trimmed {
            notes.push(format!(
                "{} of {} events were suppressed: their records are too long to hide",
                release.suppression.events, release.suppression.events_before
            ));
        }
        let steps = clusters.into_iter().enumerate().flat_map(|(number, cluster)| {
            cluster.result.steps.into_iter().map(move |mut step| {
                step.details.insert("cluster", (number + 1).to_string());
                step
            })
        });
        let public_notes =
            vec!["a place may be published as it is for one group of people and merged for another"];
        let explanation = Explanation { steps: steps.collect() };
        Ok(Outcome { also: Vec::new(), release, explanation, notes, public_notes, ledger: None })
    }

    /// Doubles the number of clusters while that moves events less.
    fn best_number_of_clusters(&self, order: &[u32]) -> Result<Vec<Cluster>, MethodError> {
        let phase = self.task.progress.phase("choose the number of clusters", None);
        let muted = self.task.progress.muted();
        let mut best = self.anonymize_clusters(order, 1, &muted)?;
        let mut displacement = release::displacement(self.places, &best);
        let mut number = 2;
        while number as u64 * self.promised.k * 2 <= order.len() as u64 {
            phase.advance(1)?;
            let tried = self.anonymize_clusters(order, number, &muted)?;
            let moved = release::displacement(self.places, &tried);
            if moved >= displacement {
                break;
            }
            (best, displacement) = (tried, moved);
            number *= 2;
        }
        Ok(best)
    }

    /// Cuts the order into clusters and anonymises each; one that cannot be joins its neighbour.
    fn anonymize_clusters(
        &self,
        order: &[u32],
        number: usize,
        progress: &Progress,
    ) -> Result<Vec<Cluster>, MethodError> {
        let mut pending: Vec<Option<Vec<u32>>> =
            order::cut(order.len(), number).into_iter().map(|range| Some(order[range].to_vec())).collect();
        let mut done: Vec<Option<Cluster>> = Vec::new();
        done.resize_with(pending.len(), || None);
        loop {
            let phase = progress.phase("anonymize clusters", Some(pending.iter().flatten().count() as u64));
            let muted = progress.muted();
            let results: Vec<Option<Result<Option<Cluster>, MethodError>>> = pending
                .par_iter()
                .map(|subjects| {
                    let subjects = subjects.as_ref()?;
                    let result = self.anonymize_cluster(subjects, &muted);
                    Some(phase.advance(1).map_err(MethodError::from).and(result))
                })
                .collect();
            let mut failed = None;
            for (at, result) in results.into_iter().enumerate() {
                match result.transpose()? {
                    Some(Some(cluster)) => {
                        done[at] = Some(cluster);
                        pending[at] = None;
                    }
                    Some(None) => failed = failed.or(Some(at)),
                    None => {}
                }
            }
            let Some(at) = failed.or_else(|| self.too_many_together(&done)) else {
                return Ok(done.into_iter().flatten().collect());
            };
            self.join_with_neighbour(at, &mut pending, &mut done)?;
        }
    }

    /// A cluster that has to be joined with another because of what they say together.
    fn too_many_together(&self, done: &[Option<Cluster>]) -> Option<usize> {
        if self.task.variant == Variant::AsPrinted || form(self.task, self.within.form) == SecretForm::Ratio {
            return None;
        }
        let clusters = done.iter().enumerate().filter_map(|(at, cluster)| Some((at, cluster.as_ref()?)));
        together::first_too_many(clusters, |cluster| self.diversity(&cluster.subjects))
    }

    fn join_with_neighbour(
        &self,
        at: usize,
        pending: &mut [Option<Vec<u32>>],
        done: &mut [Option<Cluster>],
    ) -> Result<(), MethodError> {
        let alive = |other: usize| pending[other].is_some() || done[other].is_some();
        let next = (at + 1..pending.len()).find(|other| alive(*other));
        let neighbour = next.or_else(|| (0..at).rev().find(|other| alive(*other)));
        let (Some(neighbour), Variant::Sound) = (neighbour, self.task.variant) else {
            return Err(self.infeasible());
        };
        let (first, second) = (at.min(neighbour), at.max(neighbour));
        let mut people = |at: usize| {
            pending[at].take().or_else(|| done[at].take().map(|cluster| cluster.subjects)).unwrap_or_default()
        };
        let joined = [people(first), people(second)].concat();
        pending[first] = Some(joined);
        Ok(())
    }

    fn infeasible(&self) -> MethodError {
        let (why, help) = match self.task.variant {
            Variant::AsPrinted => (
                "a cluster cannot be anonymised by merging all its places; the paper's loop would not end"
                    .to_owned(),
                "use {variant sound}, which joins it with its neighbour, or fewer clusters",
            ),
            Variant::Sound => {
                let l = self.promised.l;
                let (many, help) = match form(self.task, self.within.form) {
                    SecretForm::Ratio => (
                        format!("more than one in {l} people carries the same sensitive item"),
                        "lower {l}, or take the most frequent sensitive items off the list",
                    ),
                    SecretForm::Count => (
                        format!(
                            "more than {l} people who cannot be told apart carry the same sensitive item"
                        ),
                        "raise {l}, use {form ratio}, or take the most frequent sensitive items off the list",
                    ),
                };
                (format!("however places are merged, {many}"), help)
            }
        };
        MethodError::Infeasible { why, help: help.into() }
    }

    fn anonymize_cluster(
        &self,
        subjects: &[u32],
        progress: &Progress,
    ) -> Result<Option<Cluster>, MethodError> {
        let events = extract(&self.events, subjects);
        let diversity = self.diversity(subjects);
        let algorithm = LmAnon {
            k: self.promised.k,
            m: self.m,
            places: self.places,
            linkage: self.within.distance,
            distances: self.distances.as_ref(),
            variant: self.task.variant,
        };
        let result = algorithm.run(&events, &diversity, progress)?;
        Ok(result.map(|result| Cluster { subjects: subjects.to_vec(), events, result }))
    }

    /// Which people of a cluster carry which sensitive items, in any of their records.
    fn diversity(&self, subjects: &[u32]) -> Diversity {
        self.carried.among(subjects)
    }
}

/// Which sensitive items everybody carries; as printed, every record is a person.
fn carried(task: &Task<'_>, sensitive: &[bool], l: u64, form: SecretForm) -> Diversity {
    let whole = &task.data.events;
    match task.variant {
        Variant::AsPrinted => {
            let records = (0..whole.records()).map(|record| record..record + 1);
            Diversity::of_people(whole, records, sensitive, l, form)
        }
        Variant::Sound => {
            let records = (0..whole.subjects()).map(|subject| whole.records_of(subject));
            Diversity::of_people(whole, records, sensitive, l, form)
        }
    }
}

/// The letter of the paper counts people, whatever was asked for; the checker judges what was asked for.
fn form(task: &Task<'_>, asked: SecretForm) -> SecretForm {
    match task.variant {
        Variant::AsPrinted => SecretForm::Count,
        Variant::Sound => asked,
    }
}

/// A cluster of subjects with its own partition of the items.
struct Cluster {
    subjects: Vec<u32>,
    events: Events,
    result: Anonymized,
}
