//! Publishes made-up sequences with the frequent runs of the real ones, under differential privacy.
//!
//! # Reference
//! CAC12: Chen, Acs, Castelluccia. Differentially Private Sequential Data Publication via Variable-Length N-Grams.
//! CCS 2012. Our `l-max`, `n-max` are the paper's; its `&` is the end of a sequence.
//! # Guarantees
//! The release satisfies `dp` with the given epsilon, for people. From each person one sequence of at most `l_max`
//! events is counted, so grams start at most at `l_max` places of it. The gram that starts at one place is counted
//! along one path of the tree, first its one symbol, then two, and so on; it changes one count of each node there by one.
//! A node with budget `e` adds discrete Laplace noise of scale `l_max / e`, so the place costs `e / l_max` there,
//! and, as the [`BudgetLedger`] lets no path spend more than epsilon, at most `epsilon / l_max` altogether. All places
//! together cost epsilon. Which nodes exist depends on noisy counts only, and what comes after the tree looks at nothing
//! else. The alphabet is public knowledge, never taken from the data.
//!
//! By default sequences are drawn from their first event to their end (`sampler = start`, specification 8). Then a symbol
//! opens each sequence, grams start at `l_max + 1` places of it, and the noise is as much larger; and before the tree a
//! tenth of epsilon is spent on the number of sequences, a twentieth on their lengths, of which a person changes each by one.
//! The paths of the ledger all go on from there. About as many records are drawn as there are people. To keep to the number
//! of people always would give it away, so it is kept in all but one release of a hundred; `drawn-records` takes a number that is
//! public.
//!
//! This holds while the seed is secret, and for what is published: the number of people, for one, is not.
//!
//! The release is *synthetic*: no record belongs to anybody, and none should be read as something that happened.
//! # Cost
//! One pass over the kept events for each of the `n_max` levels, and for each node one draw of noise for each item of
//! the alphabet. Joining and writing go through the grams that are frequent enough to occur once; drawing, through the
//! events drawn.
//! # Departs from the paper
//! * The guarantee is for a person, not for a sequence: only the first record of each person is counted.
//!   `as-printed` counts all records; where a person has several, that release is refused by the checker.
//! * The noise is a whole number, drawn exactly, rather than a rounded real number.
//! * Budgets are whole numbers of steps of 2^-32, rounded down.
//! * Sequences are drawn, not put together from the longest grams first, which leaves mostly records of one event.
//!   `sampler = grams` and `as-printed` do as the paper does.
//! * A single item is looked into only above the threshold, like longer grams; `expand = all` looks into every item.
//! * A gram whose parts were too rare to be in the tree is not limited by them when sequences are written; among
//!   grams of one length the frequent come first.

mod consistency;
mod grams;
mod lengths;
mod noise;
mod sampler;
mod sequences;
mod synthesis;
mod tree;

use std::collections::BTreeMap;
use std::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, choices, settings,
};
use throng_data::{Body, EventKind, Events, GeneralisedItem, ItemId, Nature, Release, Suppression};
use throng_models::{Budget, BudgetLedger, EPSILON};

pub use self::consistency::consistent;
pub use self::grams::Grams;
pub use self::lengths::Lengths;
pub use self::noise::{DiscreteLaplace, Noise, Silence};
pub use self::sampler::Sampler;
pub(crate) use self::sequences::Alphabet;
pub use self::sequences::Sequences;
pub use self::synthesis::{Synthetic, synthesise};
pub use self::tree::{Expand, Growth, Node, Starts, Tree, threshold};

use crate::{Explanation, Method, MethodError, Outcome, Reason, Task, Variant};

choices! {
    /// How sequences are drawn.
    enum Drawing {
        /// From first event to end.
        Start = "start",
        /// The longest runs first, as in the paper.
        Grams = "grams",
    }
}

settings! {
    /// What the method is asked for.
    struct Asked {
        epsilon: f64 = EPSILON,
        l_max: u64 = Key::integer(
            "l-max",
            1..=200,
            "events of a person that are counted; more of them need more noise",
        )
        .or("20"),
        n_max: u64 = Key::integer("n-max", 1..=20, "length of the longest runs that are counted").or("5"),
        sampler: Drawing = Key::choice(
            "sampler",
            "start draws sequences from first event to end; grams takes the longest runs first, as the paper",
        )
        .or("start"),
        expand: Expand = Key::choice(
            "expand",
            "which single items are looked into: those above the noise, or all",
        )
        .or("frequent"),
        drawn_records: u64 = Key::integer(
            "drawn-records",
            0..=10_000_000,
            "records to draw, a number that may be public; 0 means about as many as people, and no more",
        )
        .or("0"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ngrams",
    purpose: "publish synthetic sequences with the frequent runs of the real ones, differentially private",
    takes: &[DataKind::Sequences],
    needs: &[Need::required(Input::Alphabet)],
    params: Asked::ALL,
    keeps: Some("dp"),
    product: Some(Product::of(BodyKind::Records).synthetic()),
    variants: true,
    paper: "CAC12",
    example: "throng anonymize clicks/events.csv --method ngrams --epsilon 1 --alphabet clicks/alphabet.csv -o release",
    notes: "Synthetic, not truthful: no record belongs to a person. Of each person only the first record, and of it \
            the first l-max events, are counted. There are no more records than people, but for one release in a hundred, unless \
            `drawn-records` says how many. The alphabet must be public knowledge, not collected from the data. \
            The noise is drawn from a secret of 256 bits, afresh for every release; a person who gets it from the kept run \
            can take the noise away again. Every further release of the same people adds its epsilon. Times are not \
            published.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// NGRAMS.
#[derive(Debug, Clone, Copy)]
pub struct Ngrams;

impl Method for Ngrams {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        anonymize(task, &mut DiscreteLaplace::of(task))
    }
}

/// The method with noise from elsewhere.
pub fn anonymize(task: &Task<'_>, noise: &mut dyn Noise) -> Result<Outcome, MethodError> {
    let asked = Asked::of(task.settings);
    let missing = MethodError::MissingInput { method: DESCRIPTOR.name, input: Input::Alphabet };
    let alphabet = Alphabet::new(task.inputs.alphabet.as_ref().ok_or(missing)?, &task.data.items)?;
    let l_max = asked.l_max as u32;
    let n_max = asked.n_max as u32;
    if n_max > l_max {
        return Err(MethodError::Usage {
            what: format!("runs of {n_max} events cannot occur in sequences of at most {l_max}"),
            help: "choose `n-max` no larger than `l-max`".into(),
        });
    }
    // The letter of the paper knows no other way to write sequences.
    let drawn = asked.sampler == Drawing::Start && task.variant == Variant::Sound;
    let growth = Growth { n_max, expand: asked.expand };
    let size = alphabet.items.len() as u32;
    let counted = Sequences::collect(&task.data.events, &alphabet.symbol_of, size, l_max, task.variant);
    let mut ledger = BudgetLedger::new(Budget::within(asked.epsilon), counted.records_per_person());
    let (sequences, tree, synthetic, notes);
    if drawn {
        sequences = counted.opened();
        let (lengths, starts) = Lengths::count(&sequences, &mut ledger, noise)?;
        tree = Tree::explore(&sequences, growth, Some(starts), &mut ledger, noise, task.progress)?;
        let records = match asked.drawn_records {
            0 => lengths.records(),
            asked => asked,
        };
        let mut random = random(task);
        let sampler = Sampler::new(&tree, &sequences, &lengths).balanced(&random);
        synthetic = sampler.draw(records, &mut random, task.progress)?;
        notes = Vec::new();
    } else {
        sequences = counted;
        tree = Tree::explore(&sequences, growth, None, &mut ledger, noise, task.progress)?;
        let mut grams = Grams::of(&tree, &consistent(&tree));
        grams.extend(l_max, task.progress)?;
        synthetic = synthesise(&grams, task.progress)?;
        notes = incomplete(&grams);
    }
    let explanation = explanation(&tree, asked.expand, &sequences, &alphabet);
    let release = publish(task, alphabet, &sequences, &synthetic);
    let public_notes = public_notes(task.variant);
    Ok(Outcome { also: Vec::new(), release, explanation, notes, public_notes, ledger: Some(ledger) })
}

/// Draws that need not be secret, but come from the same secret as the noise where there is one: a stream of their own.
fn random(task: &Task<'_>) -> ChaCha20Rng {
    let mut random = match task.noise {
        Some(key) => ChaCha20Rng::from_seed(key),
        None => ChaCha20Rng::seed_from_u64(task.seed),
    };
    random.set_stream(1);
    random
}

/// Every copy is a record of its own, of no real person.
fn publish(task: &Task<'_>, alphabet: Alphabet, sequences: &Sequences, synthetic: &[Synthetic]) -> Release {
    let mut items: Vec<ItemId> = Vec::new();
    let mut record_events = vec![0];
    for Synthetic { symbols, copies } in synthetic {
        for _ in 0..*copies {
            items.extend_from_slice(symbols);
            record_events.push(items.len() as u64);
        }
    }
    let records = record_events.len() as u32 - 1;
    let before = task.data.events.len() as u64;
    let suppression = Suppression {
        rows: 0,
        items: 0,
        events: before - sequences.events(),
        emptied_records: sequences.unused_records(),
        events_before: before,
    };
    Release {
        base: Arc::new(alphabet.base),
        alphabet: alphabet.items.into_iter().map(|item| GeneralisedItem::of(vec![item])).collect(),
        body: Body::of_events(Events::from_parts(
            EventKind::Sequence,
            (0..=records).collect(),
            record_events,
            items,
            None,
        )),
        suppression,
        nature: Nature::Synthetic,
    }
}

/// What only the publisher gets to know: how long runs grew depends on the data.
fn incomplete(grams: &Grams) -> Vec<String> {
    if grams.is_complete() {
        return Vec::new();
    }
    vec![format!("there are too many frequent runs to make them longer than {} events", grams.longest())]
}

/// What every reader should know; parameters stand in the manifest.
fn public_notes(variant: Variant) -> Vec<&'static str> {
    vec![
        "synthetic: no record belongs to a person, and none should be read as something that happened",
        match variant {
            Variant::Sound => {
                "of each person only the first record was counted, and of it the first l-max events"
            }
            Variant::AsPrinted => {
                "the first l-max events of every record were counted: the guarantee is for a record, not for a person"
            }
        },
        "the guarantee rests on noise that stays secret: the seed is not published, nor is any exact number of the data",
    ]
}

/// One step for each gram that was looked into, with its noisy count.
fn explanation(tree: &Tree, expand: Expand, sequences: &Sequences, alphabet: &Alphabet) -> Explanation {
    let step = |(node, about): (usize, &Node)| {
        let (parent, symbol) = about.parent?;
        let above = tree.nodes()[parent as usize].budget;
        let mut gram = tree.gram(node);
        let opening = gram.first().copied() == sequences.start();
        gram.drain(..usize::from(opening));
        if gram.is_empty() {
            return None;
        }
        let mut details = BTreeMap::from([
            ("counted", "occurrences, with noise".to_owned()),
            ("epsilon", format!("{:.6}", about.budget.epsilon())),
        ]);
        if opening {
            details.insert("where", "at the start of a sequence".to_owned());
        }
        Some(Reason {
            action: "expand",
            items: Vec::new(),
            pattern: gram.into_iter().map(|symbol| vec![alphabet.items[symbol as usize]]).collect(),
            support: tree.noisy_bins(parent as usize)[symbol as usize].max(0) as u64,
            needed: if parent == 0 && expand == Expand::All {
                1
            } else {
                threshold(sequences, above).ceil().max(1.0) as u64
            },
            details,
        })
    };
    Explanation { steps: tree.nodes().iter().enumerate().filter_map(step).collect() }
}
