//! The items of one cluster, made safe as if the cluster were all there is: by a method for sets, or for sequences.

use throng_contract::{Settings, choices};
use throng_data::{Dataset, Dictionary, EventKind, EventsBuilder, Inputs, ItemId, Places, Release};

use super::aligned::standing_for;
use super::params::{By, DiverseSetMethod, SequenceMethod, SetMethod, Wanted};
use crate::sequence::feasibility::{breaking_length, profile_of};
use crate::sequence::{LmSuppress, SdSeqanon, Seqanon, Suppress};
use crate::set::params::FAN_OUT;
use crate::set::{Apriori, Coat, LmApriori, LmLocal, LmVertical, Local, Pcta, Vertical};
use crate::{Method, MethodError, Reason, Task};

choices! {
    /// How much items lose.
    pub(super) enum ItemLoss {
        /// The mean share of all items that an item may be; suppressed is all of them.
        Certainty = "ncp",
        /// UL of a record, as printed.
        Utility = "ul",
    }
}

/// A method for sets or sequences, set up for clusters.
pub(super) struct Transaction<'a> {
    task: &'a Task<'a>,
    wanted: Wanted,
    method: &'static dyn Method,
    settings: Settings,
    /// Where a cluster has none of the sensitive items, nothing but the crowd is asked for.
    plain: (&'static dyn Method, Settings),
    inputs: Inputs,
    /// Items that there are, the papers' |I|.
    domain: usize,
    loss: ItemLoss,
}

/// The items of a cluster as they are published.
#[derive(Debug)]
pub(super) struct Generalised {
    /// Events over the cluster's own items, its people in their order.
    pub release: Release,
    /// What was done, over the data's items.
    pub steps: Vec<Reason>,
    /// What is lost, summed over what [`Transaction::weight`] counts.
    pub lost: f64,
}

impl<'a> Transaction<'a> {
    /// The method that was asked for.
    pub fn new(task: &'a Task<'a>, wanted: Wanted, loss: ItemLoss) -> Result<Self, MethodError> {
        let kind = task.data.events.kind();
        let ordered = kind == EventKind::Sequence;
        if ordered && loss == ItemLoss::Utility {
            return Err(MethodError::Usage {
                what:
                    "`loss = ul` counts the subsets that a general item may stand for, and sequences have none"
                        .into(),
                help: "use {loss ncp}, or read the events as sets with {sets}".into(),
            });
        }
        let (method, plain) = if ordered { of_sequences(wanted.by) } else { of_sets(wanted.by) };
        let leaves = task.inputs.taxonomy.as_ref().map(|taxonomy| taxonomy.leaves() as usize);
        Ok(Transaction {
            task,
            method,
            wanted,
            settings: own_settings(&wanted, kind, method)?,
            plain: (plain, own_settings(&wanted, kind, plain)?),
            // A policy names what is protected; here everything of up to m items is.
            inputs: Inputs {
                taxonomy: task.inputs.taxonomy.clone(),
                constraints: task.inputs.constraints.clone(),
                sensitive_items: match wanted.by {
                    By::Crowds { .. } => Vec::new(),
                    By::Diversity { .. } => task.inputs.sensitive_items.clone(),
                },
                ..Inputs::default()
            },
            domain: leaves.unwrap_or(0).max(task.data.items.len()),
            loss,
        })
    }

    /// What the losses of all clusters are divided by.
    pub fn weight(&self) -> f64 {
        let events = &self.task.data.events;
        match self.loss {
            ItemLoss::Certainty => events.len().max(1) as f64,
            ItemLoss::Utility => events.records().max(1) as f64,
        }
    }

    /// Whether items stand in an order of their names, because there is no taxonomy.
    pub fn is_generated(&self) -> bool {
        self.inputs.taxonomy.is_none() && self.method.descriptor().param(FAN_OUT.setting.name).is_some()
    }

    /// Whether some events may be taken away, so that it does not matter how many people have any.
    pub fn suppresses(&self) -> bool {
        self.method.descriptor().name.ends_with("suppress")
    }

    /// Why the sequences of these people cannot be made alike: too few of them have so many events in a record.
    pub fn lone_length(&self, people: &[u32]) -> Option<MethodError> {
        let events = &self.task.data.events;
        if events.kind() != EventKind::Sequence || self.suppresses() {
            return None;
        }
        let (k, m) = (self.wanted.k, self.wanted.m as usize);
        let profile = profile_of(events, people.iter().map(|person| *person as usize), m);
        let enough = breaking_length(&profile, k)?;
        Some(MethodError::Infeasible {
            why: format!(
                "{} people have {} or more events in a record, fewer than k = {k}: merging items cannot hide them",
                profile[enough],
                enough + 1
            ),
            help: "use {sequential suppress}, which takes such events away, or a smaller `k` or `m`".into(),
        })
    }

    /// Generalises the items of some people. With `as_they_are`, or without events, nothing is generalised.
    pub fn generalise(&self, people: &[u32], as_they_are: bool) -> Result<Generalised, MethodError> {
        let (data, used) = part(self.task.data, people);
        if as_they_are || data.events.is_empty() {
            let release = Release::identity(data.items.clone(), data.events.clone());
            let lost = self.lost(&data, &release);
            return Ok(Generalised { release, steps: Vec::new(), lost });
        }
        let secret = !data.items.ids(&self.inputs.sensitive_items).is_empty();
        let (method, settings) = match secret {
            true => (self.method, &self.settings),
            false => (self.plain.0, &self.plain.1),
        };
        let progress = self.task.progress.muted();
        let task = Task { data: &data, settings, inputs: &self.inputs, progress: &progress, ..*self.task };
        let outcome = method.anonymize(&task)?;
        let lost = self.lost(&data, &outcome.release);
        // A node of a taxonomy that is larger than the data has leaves that no step speaks of.
        let in_data = |items: &Vec<ItemId>| -> Vec<ItemId> {
            items.iter().filter_map(|item| used.get(*item as usize).copied()).collect()
        };
        let steps = outcome.explanation.steps.into_iter().map(|step| Reason {
            items: step.items.iter().map(in_data).collect(),
            pattern: step.pattern.iter().map(in_data).collect(),
            ..step
        });
        Ok(Generalised { steps: steps.collect(), lost, release: outcome.release })
    }

    /// What the items of some people lose on average, generalised together; nothing where there are none.
    pub fn mean_lost(&self, people: &[u32]) -> Result<f64, MethodError> {
        let events = &self.task.data.events;
        let records = people.iter().flat_map(|person| events.records_of(*person as usize));
        let weight: usize = match self.loss {
            ItemLoss::Certainty => records.map(|record| events.record(record).len()).sum(),
            ItemLoss::Utility => records.count(),
        };
        Ok(self.generalise(people, false)?.lost / weight.max(1) as f64)
    }

    /// What the items of a cluster lose.
    fn lost(&self, data: &Dataset, release: &Release) -> f64 {
        let size = |item: ItemId| release.alphabet[item as usize].members.len();
        let records = 0..data.events.records();
        match self.loss {
            ItemLoss::Certainty => {
                let others = self.domain.saturating_sub(1).max(1) as f64;
                let kind = data.events.kind();
                let lost = |record: usize| {
                    let (before, after) = (data.events.record(record), release.events().record(record));
                    let share =
                        |item: Option<ItemId>| item.map_or(1.0, |item| (size(item) - 1) as f64 / others);
                    standing_for(kind, before, after, &release.alphabet).into_iter().map(share).sum::<f64>()
                };
                records.map(lost).sum()
            }
            ItemLoss::Utility => {
                let lost = |record: usize| {
                    let shown = release.events().record(record);
                    let all: usize = shown.iter().map(|item| size(*item)).sum();
                    shown.iter().map(|item| utility_loss(size(*item), all)).sum::<f64>()
                };
                records.map(lost).sum()
            }
        }
    }
}

/// The method for sets, and the one where nothing is sensitive.
fn of_sets(by: By) -> (&'static dyn Method, &'static dyn Method) {
    match by {
        By::Crowds { sets, .. } => {
            let method: &'static dyn Method = match sets {
                SetMethod::Apriori => &Apriori,
                SetMethod::Lra => &Local,
                SetMethod::Vpa => &Vertical,
                SetMethod::Coat => &Coat,
                SetMethod::Pcta => &Pcta,
            };
            (method, method)
        }
        By::Diversity { sets, .. } => match sets {
            DiverseSetMethod::Apriori => (&LmApriori, &Apriori),
            DiverseSetMethod::Lra => (&LmLocal, &Local),
            DiverseSetMethod::Vpa => (&LmVertical, &Vertical),
        },
    }
}

/// The method for sequences, and the one where nothing is sensitive.
fn of_sequences(by: By) -> (&'static dyn Method, &'static dyn Method) {
    match by {
        By::Crowds { sequences: SequenceMethod::Suppress, .. } => (&Suppress, &Suppress),
        By::Crowds { sequences: SequenceMethod::Seqanon, .. } => (&Seqanon, &Seqanon),
        By::Crowds { sequences: SequenceMethod::SdSeqanon, .. } => (&SdSeqanon, &SdSeqanon),
        By::Diversity { .. } => (&LmSuppress, &Suppress),
    }
}

/// `(2^size - 1) / (2^all - 1)`, however large.
fn utility_loss(size: usize, all: usize) -> f64 {
    let below_one = |exponent: usize| 1.0 - (-(exponent as f64)).exp2();
    (size as f64 - all as f64).exp2() * below_one(size) / below_one(all)
}

/// Our values for the settings that another method has, too.
fn own_settings(wanted: &Wanted, kind: EventKind, method: &dyn Method) -> Result<Settings, MethodError> {
    let descriptor = method.descriptor();
    let typed = wanted.of_items(kind);
    let known = typed.iter().filter(|(name, _)| descriptor.param(name).is_some());
    Ok(Settings::parse(descriptor, known.map(|(name, value)| (*name, value.as_str())))?)
}

/// The events of some people, over the items that occur among them, and which those are.
fn part(data: &Dataset, people: &[u32]) -> (Dataset, Vec<ItemId>) {
    let records = || people.iter().flat_map(|person| data.events.records_of(*person as usize));
    let mut used: Vec<ItemId> = records().flat_map(|record| data.events.record(record)).copied().collect();
    used.sort_unstable();
    used.dedup();
    let items: Dictionary = used.iter().map(|item| data.items.name(*item)).collect();
    let mut events = EventsBuilder::new(data.events.kind(), false);
    let mut own: Vec<ItemId> = Vec::new();
    for (number, person) in (0..).zip(people) {
        for record in data.events.records_of(*person as usize) {
            own.clear();
            let place = |item: &ItemId| used.partition_point(|other| other < item) as ItemId;
            own.extend(data.events.record(record).iter().map(place));
            events.push(number, &own, &[]);
        }
    }
    let data = Dataset {
        subjects: Dictionary::new(),
        items: items.into(),
        events: events.finish(people.len()),
        places: data.places.as_ref().map(|places| of_items(places, &used)),
        own_categories: None,
        attributes: None,
    };
    (data, used)
}

/// Where some of the items are.
fn of_items(places: &Places, items: &[ItemId]) -> Places {
    let categories = |all: &Vec<String>| items.iter().map(|item| all[*item as usize].clone()).collect();
    Places {
        system: places.system,
        points: items.iter().map(|item| places.points[*item as usize]).collect(),
        categories: places.categories.as_ref().map(categories),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vector `rt-metrics`: the items of Figure 1b's first record are `E`, `F`, `G` and one of four.
    #[test]
    fn utility_loss_is_that_of_the_formula() {
        let sizes = [1, 1, 4, 1];
        let lost: f64 = sizes.iter().map(|size| utility_loss(*size, 7)).sum();
        assert!((lost - 18.0 / 127.0).abs() < 1e-12);
        assert_eq!(utility_loss(1, 1), 1.0);
        assert!(utility_loss(600, 619) > 0.0 && utility_loss(619, 619) <= 1.0);
    }
}
