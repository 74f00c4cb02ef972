//! The miners of patterns that people share. `throng mine` has a command for each.

use throng_contract::Progress;
use throng_data::Events;

use crate::{Form, Keep, MineError, Patterns, Search, Stop};

/// Every miner of sequences and sets, in the order shown to people. A new miner is one module and one line here.
pub const ALL: &[&dyn Miner] = &[
    &SequenceMiner {
        name: "patterns",
        purpose: "All sequences of items that enough people have, in order, gaps allowed",
        keep: Keep::Frequent,
    },
    &SequenceMiner {
        name: "closed",
        purpose: "Closed sequences: no longer one has the same support",
        keep: Keep::Closed,
    },
    &SequenceMiner {
        name: "maximal",
        purpose: "Maximal sequences: no longer one is frequent",
        keep: Keep::Maximal,
    },
    &ItemsetMiner,
];

/// The miner of that name.
pub fn find(name: &str) -> Option<&'static dyn Miner> {
    ALL.iter().copied().find(|miner| miner.name() == name)
}

/// Finds patterns that enough people share.
///
/// # Example
/// The whole of a miner that finds single items. In this crate, the code is a file of its own, and `&ItemMiner` is one line in [`ALL`].
/// ```
/// use throng_contract::{Progress, Threshold};
/// use throng_data::{Dataset, Events};
/// use throng_mine::{Form, Keep, MineError, Miner, Patterns, Search, Stop};
///
/// struct ItemMiner;
///
/// impl Miner for ItemMiner {
///     fn name(&self) -> &'static str {
///         "items"
///     }
///
///     fn purpose(&self) -> &'static str {
///         "Items that enough people have"
///     }
///
///     fn form(&self) -> Form {
///         Form::Itemsets
///     }
///
///     fn mine(
///         &self,
///         search: &Search,
///         events: &Events,
///         stop: Stop<'_>,
///         progress: &Progress,
///     ) -> Result<Patterns, MineError> {
///         Search { lengths: 1..=1, ..search.clone() }.itemsets(events, stop, progress)
///     }
/// }
///
/// let data = Dataset::from_words(["ab", "ac", "a"]);
/// let search = Search::new(Threshold::Absolute(2));
/// let patterns = ItemMiner.mine(&search, &data.events, &|| false, &Progress::silent())?;
/// assert_eq!((patterns.len(), patterns.get(0).support), (1, 3));
/// # Ok::<(), MineError>(())
/// ```
pub trait Miner: Sync {
    /// The word that users type.
    fn name(&self) -> &'static str;

    /// What it finds, in one line.
    fn purpose(&self) -> &'static str;

    /// What its patterns are.
    fn form(&self) -> Form;

    /// Which of the frequent patterns it keeps; where the user may choose, unless the user does.
    fn keep(&self) -> Keep {
        Keep::Frequent
    }

    /// Whether the user may choose which patterns are kept.
    fn lets_choose(&self) -> bool {
        false
    }

    /// Finds what the search describes. When `stop` answers true, what was found so far is given back, marked as incomplete.
    fn mine(
        &self,
        search: &Search,
        events: &Events,
        stop: Stop<'_>,
        progress: &Progress,
    ) -> Result<Patterns, MineError>;
}

struct SequenceMiner {
    name: &'static str,
    purpose: &'static str,
    keep: Keep,
}

impl Miner for SequenceMiner {
    fn name(&self) -> &'static str {
        self.name
    }

    fn purpose(&self) -> &'static str {
        self.purpose
    }

    fn form(&self) -> Form {
        Form::Sequences
    }

    fn keep(&self) -> Keep {
        self.keep
    }

    fn mine(
        &self,
        search: &Search,
        events: &Events,
        stop: Stop<'_>,
        progress: &Progress,
    ) -> Result<Patterns, MineError> {
        search.sequences(events, stop, progress)
    }
}

struct ItemsetMiner;

impl Miner for ItemsetMiner {
    fn name(&self) -> &'static str {
        "itemsets"
    }

    fn purpose(&self) -> &'static str {
        "Sets of items that enough people have in one record, in any order"
    }

    fn form(&self) -> Form {
        Form::Itemsets
    }

    fn lets_choose(&self) -> bool {
        true
    }

    fn mine(
        &self,
        search: &Search,
        events: &Events,
        stop: Stop<'_>,
        progress: &Progress,
    ) -> Result<Patterns, MineError> {
        search.itemsets(events, stop, progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_miner_is_found_by_its_own_name() {
        for miner in ALL {
            assert_eq!(find(miner.name()).map(Miner::purpose), Some(miner.purpose()));
        }
        assert!(find("subgraphs").is_none());
    }
}
