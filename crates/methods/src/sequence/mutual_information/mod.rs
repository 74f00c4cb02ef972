//! Hides sensitive patterns in a person's own sequence by publishing symbols as more general ones.
//!
//! [`MiTopDown`] starts from "anything" and refines while an observer learns no more than `epsilon` about which sensitive
//! pattern occurred; [`MiBottomUp`] merges the sensitive patterns themselves. Every person's sequence is treated by
//! itself, with an image of its own.
//!
//! # Reference
//! BFJ16: Bonomi, Fan, Jin. An information theoretic approach to individual sequential data sanitization. WSDM 2016.
//! Algorithms 1 to 3.
//! # Guarantees
//! The release satisfies `mi` for every person: the mutual information between the sensitive pattern that occurred and
//! the published one is at most `epsilon`. That bounds the average; the notes say how surely the best guess hits.
//! # Cost
//! Occurrences are counted once, `events * window * pattern length` steps; a refinement is judged by the patterns alone.
//! # Departs from the paper
//! * The frequency of a published pattern is the sum over the patterns published as it (a channel), which makes the
//!   information monotone and at most the entropy; the printed formula counts it in the published sequence, where
//!   coarsening can raise it above the entropy. `as-printed` uses that formula.
//! * Bottom-up merges the two clusters whose merge leaves the whole image cheapest; the paper's distance (Definition 6) looks
//!   at the symbols of the two clusters only, which `as-printed` does.
//! * The root is not always safe: patterns of different lengths stay apart. We test that first and report the floor.
//! * The cost function's printed monotonicity is reversed; costs grow towards the root.

mod bottom_up;
pub mod channel;
pub mod cost;
pub mod occurrences;
mod top_down;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, help, settings,
};
use throng_data::{Body, Dictionary, Events, GeneralisedItem, ItemId, Nature, NodeId, Release, Suppression};

use throng_models::mi::{EPSILON, ONLY, Only, UNIT, Unit, WINDOW};

pub use self::bottom_up::common_image;
use self::channel::Person;
use self::cost::{CostFunction, Costs};
use crate::{Explanation, Method, MethodError, Outcome, Reason, Task, Variant};

/// Information below this many bits is rounding.
const ROUNDING: f64 = 1e-9;

settings! {
    /// What the method is asked for.
    struct Asked {
        epsilon: f64 = EPSILON.or("0.5"),
        unit: Unit = UNIT,
        window: u64 = WINDOW,
        only: Only = ONLY,
        cost: CostFunction = Key::choice(
            "cost",
            "what generalising costs: linear or exponential in levels, or the share of leaves (iloss)",
        )
        .or("linear"),
    }
}

static TOP_DOWN: Descriptor = Descriptor {
    name: "mi-top-down",
    kind: DescriptorKind::Method,
    purpose: "generalise each person's symbols, from the root down, until sensitive patterns cannot be told apart",
    takes: &[DataKind::Sequences],
    needs: &[
        Need::required(Input::Taxonomy),
        Need::either(Input::Patterns, Input::PersonPatterns),
        Need::optional(Input::PersonPatterns),
        Need::optional(Input::Costs),
    ],
    params: Asked::ALL,
    keeps: Some("mi"),
    product: Some(Product::of(BodyKind::Records)),
    over_parts: None,
    gauge: None,
    variants: true,
    paper: "BFJ16",
    example: "throng anonymize clicks/events.csv --taxonomy clicks/taxonomy.csv --patterns clicks/patterns.csv \
              --method mi-top-down --epsilon 0.5 --window 10 -o release",
    notes: "Protects patterns, not identities: a person may still be recognised. Symbols outside the patterns are \
            published as finely as the promise allows. Patterns of single people (`person-patterns`) are theirs beside those of \
            the list; a person without any is published unchanged, so that a generalised record tells that there was something \
            to hide.",
};

static BOTTOM_UP: Descriptor = Descriptor {
    name: "mi-bottom-up",
    purpose: "merge each person's sensitive patterns, closest first, until they cannot be told apart",
    example: "throng anonymize clicks/events.csv --taxonomy clicks/taxonomy.csv --patterns clicks/patterns.csv \
              --method mi-bottom-up --epsilon 0.5 --window 10 -o release",
    notes: "Faster than top-down for large alphabets. Protects patterns, not identities. A symbol may be raised past one \
            that stays as it is. Patterns of single people are theirs beside those of the list; a generalised record tells \
            that there was something to hide.",
    ..TOP_DOWN
};

/// Refines from the root.
#[derive(Debug, Clone, Copy)]
pub struct MiTopDown;

/// Merges from the patterns.
#[derive(Debug, Clone, Copy)]
pub struct MiBottomUp;

impl Method for MiTopDown {
    fn descriptor(&self) -> &'static Descriptor {
        &TOP_DOWN
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        run("mi-top-down", task, top_down::refine)
    }
}

impl Method for MiBottomUp {
    fn descriptor(&self) -> &'static Descriptor {
        &BOTTOM_UP
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        run("mi-bottom-up", task, bottom_up::merge)
    }
}

/// What a person's image must achieve, and what it costs.
struct Goal<'a> {
    person: &'a Person<'a>,
    costs: Costs<'a>,
    limit: f64,
    variant: Variant,
    /// The person's only pattern must not be published as itself.
    hide_only: bool,
}

impl Goal<'_> {
    fn information(&self, image: &[NodeId]) -> f64 {
        match self.variant {
            Variant::Sound => self.person.information(image),
            Variant::AsPrinted => self.person.information_as_printed(image),
        }
    }

    fn is_met(&self, image: &[NodeId]) -> bool {
        self.information(image) <= self.limit + ROUNDING && self.only_is_hidden(image)
    }

    /// Coarsening never undoes it: an item that stands for others, too, still does.
    fn only_is_hidden(&self, image: &[NodeId]) -> bool {
        let taxonomy = self.costs.taxonomy;
        let general = |item: &ItemId| taxonomy.leaf_count(image[*item as usize]) > 1;
        !self.hide_only || self.person.only().is_none_or(|only| only.iter().any(general))
    }

    /// The paper's utility loss: what every event costs, added up.
    fn loss(&self, leaves: &[NodeId], image: &[NodeId]) -> f64 {
        (0..leaves.len()).map(|item| self.loss_of(leaves, image, item)).sum()
    }

    /// What the events of one item cost.
    fn loss_of(&self, leaves: &[NodeId], image: &[NodeId], item: usize) -> f64 {
        match self.person.frequency[item] {
            0 => 0.0,
            count => count as f64 * self.costs.of(leaves[item], image[item]),
        }
    }
}

/// A change to a person's image.
struct Step {
    action: &'static str,
    node: NodeId,
    loss: f64,
}

/// One person's result.
struct Treated {
    image: Option<Vec<NodeId>>,
    steps: Vec<Step>,
    loss: f64,
    information: f64,
    /// Has one sensitive pattern and no other.
    has_only: bool,
}

type Algorithm = fn(&Goal<'_>, &[NodeId]) -> (Vec<NodeId>, Vec<Step>);

fn run(method: &'static str, task: &Task<'_>, algorithm: Algorithm) -> Result<Outcome, MethodError> {
    let taxonomy =
        task.inputs.taxonomy.as_ref().ok_or(MethodError::MissingInput { method, input: Input::Taxonomy })?;
    let listed = listed(&task.inputs.patterns, task);
    if listed.is_empty() && task.inputs.person_patterns.is_none() {
        return Err(MethodError::MissingInput { method, input: Input::Patterns });
    }
    let leaves = taxonomy.align(&task.data.items).map_err(|error| MethodError::BadData {
        what: error.to_string(),
        help: "add a line for it to the taxonomy file".into(),
    })?;
    let asked = Asked::of(task.settings);
    let settings = Parameters::new(task, &asked)?;
    let costs = Costs { taxonomy, function: asked.cost, given: task.inputs.costs.as_ref() };
    let events = &task.data.events;
    let phase = task.progress.phase("generalise each person's sequence", Some(events.subjects() as u64));
    let treated: Result<Vec<Treated>, MethodError> = (0..events.subjects())
        .into_par_iter()
        .map(|subject| {
            let records = events.records_of(subject).map(|record| events.record(record)).collect();
            let own = own_patterns(task, subject, &listed);
            let patterns: Vec<&[ItemId]> = listed.iter().chain(&own).map(Vec::as_slice).collect();
            let person = Person::new(records, &patterns, settings.window, leaves.len());
            let treated = treat(&person, costs, &leaves, settings, algorithm, task.variant)?;
            phase.advance(1)?;
            Ok(treated)
        })
        .collect();
    drop(phase);
    let treated = treated?;
    let (release, explanation) = publish(task, &leaves, &treated);
    let notes = notes(&treated, events.len(), settings.hide_only);
    let mut public_notes = vec!["patterns are protected, not identities: a person may still be recognised"];
    if !settings.hide_only {
        public_notes.push("where a person has only one sensitive pattern, it is published as it is");
    }
    if task.inputs.person_patterns.is_some() {
        public_notes.push("a generalised record tells that its person has something to hide");
    }
    Ok(Outcome { also: Vec::new(), release, explanation, notes, public_notes, ledger: None })
}

#[derive(Clone, Copy)]
struct Parameters {
    epsilon: f64,
    relative: bool,
    window: usize,
    hide_only: bool,
}

impl Parameters {
    fn new(task: &Task<'_>, asked: &Asked) -> Result<Self, MethodError> {
        let epsilon = asked.epsilon;
        let relative = asked.unit == Unit::Relative;
        if relative && epsilon > 1.0 {
            return Err(MethodError::Usage {
                what: format!("a relative epsilon of {epsilon} allows more to be learned than there is"),
                help: "use a value from 0 to 1, or {unit bits}".into(),
            });
        }
        let window = asked.window as usize;
        let own = task.inputs.person_patterns.iter().flat_map(|all| all.values().flatten());
        let longest = task.inputs.patterns.iter().chain(own).map(Vec::len).max();
        if let Some(longest) = longest.filter(|longest| longest.saturating_sub(1) > window) {
            return Err(MethodError::Usage {
                what: format!("a pattern of {longest} events cannot occur within a window of {window}"),
                help: help!("use {window $} or more, or a shorter pattern", longest - 1),
            });
        }
        Ok(Parameters { epsilon, relative, window, hide_only: asked.only == Only::Hide })
    }
}

fn treat(
    person: &Person<'_>,
    costs: Costs<'_>,
    leaves: &[NodeId],
    settings: Parameters,
    algorithm: Algorithm,
    variant: Variant,
) -> Result<Treated, MethodError> {
    let limit = if settings.relative { settings.epsilon * person.entropy() } else { settings.epsilon };
    let goal = Goal { person, costs, limit, variant, hide_only: settings.hide_only };
    let has_only = person.only().is_some();
    if goal.is_met(leaves) {
        let information = goal.information(leaves);
        return Ok(Treated { image: None, steps: Vec::new(), loss: 0.0, information, has_only });
    }
    let root = vec![costs.taxonomy.root(); leaves.len()];
    if !goal.only_is_hidden(&root) {
        return Err(MethodError::Infeasible {
            why: "the taxonomy has one item only: nothing can be published as anything else".to_owned(),
            help: "use a taxonomy with more items, or {only keep}".into(),
        });
    }
    if !goal.is_met(&root) {
        return Err(MethodError::Infeasible {
            why: format!(
                "with everything generalised to `{}`, {:.3} bits about sensitive patterns of different lengths remain, \
                 more than the {limit:.3} allowed",
                costs.taxonomy.name(costs.taxonomy.root()),
                goal.information(&root)
            ),
            help: "raise {epsilon}, or use patterns of one length".into(),
        });
    }
    let (image, steps) = algorithm(&goal, leaves);
    let (loss, information) = (goal.loss(leaves, &image), goal.information(&image));
    Ok(Treated { image: Some(image), steps, loss, information, has_only })
}

/// Patterns by number.
fn listed(patterns: &[Vec<String>], task: &Task<'_>) -> Vec<Vec<ItemId>> {
    patterns.iter().map(|pattern| task.data.items.ids(pattern)).collect()
}

/// What is to be hidden of this person alone, beside what is hidden of everybody.
fn own_patterns(task: &Task<'_>, subject: usize, everybody: &[Vec<ItemId>]) -> Vec<Vec<ItemId>> {
    let Some(all) = &task.inputs.person_patterns else { return Vec::new() };
    let own = all.get(task.data.subjects.name(subject as u32)).map(|own| listed(own, task));
    own.unwrap_or_default().into_iter().filter(|pattern| !everybody.contains(pattern)).collect()
}

/// Puts the people's images together. A node is published as all the taxonomy's leaves below it, whether or not they
/// occur in the data: listing only those that do would tell which ones the person has.
fn publish(task: &Task<'_>, leaves: &[NodeId], treated: &[Treated]) -> (Release, Explanation) {
    let taxonomy = task.inputs.taxonomy.as_ref().expect("checked on entry");
    let mut base: Dictionary = (*task.data.items).clone();
    let mut members_of = |node: NodeId| -> Vec<ItemId> {
        taxonomy.leaves_under(node).into_iter().map(|leaf| base.intern(taxonomy.name(leaf))).collect()
    };
    let mut alphabet: Vec<GeneralisedItem> = Vec::new();
    let mut number_of: BTreeMap<NodeId, ItemId> = BTreeMap::new();
    let events = &task.data.events;
    let mut items = Vec::with_capacity(events.len());
    let mut steps = Vec::new();
    for (subject, treated) in treated.iter().enumerate() {
        let image = treated.image.as_deref().unwrap_or(leaves);
        for record in events.records_of(subject) {
            for item in events.record(record) {
                let node = image[*item as usize];
                let next = alphabet.len() as ItemId;
                let number = *number_of.entry(node).or_insert(next);
                if number == next {
                    alphabet.push(GeneralisedItem::of(members_of(node)));
                }
                items.push(number);
            }
        }
        for step in &treated.steps {
            steps.push(Reason {
                action: step.action,
                items: vec![members_of(step.node)],
                pattern: Vec::new(),
                support: 1,
                needed: 1,
                details: BTreeMap::from([
                    ("node", taxonomy.name(step.node).to_owned()),
                    ("loss", format!("{:.6}", step.loss)),
                ]),
            });
        }
    }
    let events = Events::from_parts(
        events.kind(),
        events.subject_offsets().to_vec(),
        events.record_offsets().to_vec(),
        items,
        None,
    );
    let suppression = Suppression { events_before: events.len() as u64, ..Suppression::default() };
    let release = Release {
        base: Arc::new(base),
        alphabet,
        body: Body::of_events(events),
        suppression,
        nature: Nature::Truthful,
    };
    (release, Explanation { steps })
}

fn notes(treated: &[Treated], events: usize, hide_only: bool) -> Vec<String> {
    let changed = treated.iter().filter(|treated| treated.image.is_some()).count();
    let loss: f64 = treated.iter().map(|treated| treated.loss).sum();
    let only = treated.iter().filter(|treated| treated.has_only).count();
    let shown = match hide_only {
        true => "it is not published as itself",
        false => "it is published as it is, whatever epsilon; `only = hide` hides it",
    };
    let most = treated.iter().map(|treated| treated.information).fold(0.0, f64::max);
    vec![
        format!("{changed} of {} people's sequences had to be generalised", treated.len()),
        format!(
            "utility loss {:.4} of at most 1 for each event",
            if events == 0 { 0.0 } else { loss / events as f64 }
        ),
        format!(
            "at most {most:.4} bits can be learned about any one person's sensitive patterns, on average"
        ),
        format!("{only} of {} people have only one sensitive pattern: {shown}", treated.len()),
    ]
}
