//! Privacy and utility policies, derived from the data: which sets of items must not single anybody out, and which items
//! may become one.
//!
//! A *privacy* policy is a list of sets of items; it is kept when every non-empty subset of each has no carriers at all or at
//! least `k`. A *utility* policy divides the items; only items of one part may be generalised together. Both are lists of
//! names, so that they can be shown, edited and saved before they are used.
//!
//! # Reference
//! LGM11: Loukides, Gkoulalas-Divanis, Malin. COAT: constraint-based anonymization of transactions. Knowledge and
//! Information Systems 28(2), 2011.
//! # Departs from the paper
//! Which strategies there are is told by papers that build on it; their names and details are ours. A derived privacy
//! policy is cut from the data: it names what is rare, and is for the publisher's eyes.

mod privacy;
mod utility;

use throng_contract::{Fraction, Progress};
use throng_data::{Dataset, Dictionary, ItemId, Taxonomy};

pub use self::privacy::{pairs, rare_items, rare_sets, whole_records};
pub use self::utility::{by_level, by_similarity, by_top_frequency, partition};
use crate::MethodError;

/// How a privacy policy is derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Privacy {
    /// All sets of up to `m` items that some people have, and fewer than `k`.
    Km {
        /// People needed.
        k: u64,
        /// Largest set.
        m: usize,
    },
    /// What an attacker knows who knows a whole record: every record, unless it is part of another one. `of` leaves only these
    /// items in it.
    Records {
        /// Items that may be known; all when it is empty.
        of: Vec<String>,
    },
    /// Single items that fewer than `k` people have.
    Rare {
        /// People needed.
        k: u64,
    },
    /// All pairs of these items.
    Pairs {
        /// The items.
        of: Vec<String>,
    },
}

/// How a utility policy is derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Utility {
    /// The leaves below each node of a taxonomy that is so many steps below the root.
    Level(u32),
    /// Items that are alike: the largest subtrees of a taxonomy with at most this share of all leaves.
    Similarity(Fraction),
    /// The most frequent items stay as they are; the others are divided by level.
    TopFrequency {
        /// How many items stay.
        keep: usize,
        /// Steps below the root for the others.
        level: u32,
    },
    /// Everything may be generalised with everything.
    Whole,
}

impl Utility {
    /// Whether the strategy needs a taxonomy.
    pub fn needs_taxonomy(&self) -> bool {
        *self != Utility::Whole
    }
}

/// Derives a privacy policy: sets of names, smaller sets first, then by name.
pub fn privacy(
    data: &Dataset,
    strategy: &Privacy,
    progress: &Progress,
) -> Result<Vec<Vec<String>>, MethodError> {
    let size = data.items.len();
    let sets = match strategy {
        Privacy::Km { k, m } => rare_sets(&data.events, size, *k, *m, progress)?,
        Privacy::Records { of } => whole_records(&data.events, size, &known(&data.items, of)?, progress)?,
        Privacy::Rare { k } => rare_items(&data.events, size, *k),
        Privacy::Pairs { of } => pairs(&known(&data.items, of)?),
    };
    Ok(named(&data.items, sets))
}

/// Derives a utility policy: a partition of the items of the data, each part sorted by name.
pub fn utility(
    data: &Dataset,
    taxonomy: Option<&Taxonomy>,
    strategy: &Utility,
) -> Result<Vec<Vec<String>>, MethodError> {
    let tree = || taxonomy.ok_or_else(no_taxonomy);
    let sets = match strategy {
        Utility::Level(level) => by_level(&data.items, tree()?, *level)?,
        Utility::Similarity(share) => by_similarity(&data.items, tree()?, *share)?,
        Utility::TopFrequency { keep, level } => by_top_frequency(data, tree()?, *keep, *level)?,
        Utility::Whole => vec![(0..data.items.len() as ItemId).collect()],
    };
    let sets = sets.into_iter().filter(|set: &Vec<ItemId>| !set.is_empty()).collect();
    Ok(named(&data.items, sets))
}

fn no_taxonomy() -> MethodError {
    MethodError::Usage {
        what: "this utility policy is read off a taxonomy, and none was given".to_owned(),
        help: "add {taxonomy FILE}, or use the whole domain".into(),
    }
}

/// The numbers of names, or the first name that does not occur.
fn known(items: &Dictionary, names: &[String]) -> Result<Vec<ItemId>, MethodError> {
    names
        .iter()
        .map(|name| {
            items.find(name).ok_or_else(|| MethodError::BadData {
                what: format!("item `{name}` does not occur in the data"),
                help: "name items as they are written in the data".into(),
            })
        })
        .collect()
}

fn named(items: &Dictionary, sets: Vec<Vec<ItemId>>) -> Vec<Vec<String>> {
    let mut sets: Vec<Vec<String>> = sets
        .into_iter()
        .map(|set| {
            let mut names: Vec<String> = set.into_iter().map(|item| items.name(item).to_owned()).collect();
            names.sort_unstable();
            names
        })
        .collect();
    sets.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    sets
}
