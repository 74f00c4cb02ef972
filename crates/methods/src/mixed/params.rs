//! Parameters that the methods for columns and events have in common.

use throng_contract::{Choice, Fraction, Key, choices, settings};
use throng_data::EventKind;
use throng_models::ranges::{KNOWN, PEOPLE};

use super::items::ItemLoss;
use super::order::Merge;
use crate::set::params::FAN_OUT;
use crate::table::params::{BOUNDS, Bounds};

choices! {
    /// A method for tables.
    pub(super) enum TableMethod {
        /// CLUSTER.
        Cluster = "cluster",
        /// Incognito.
        Incognito = "incognito",
        /// Top-down specialisation.
        TopDown = "top-down",
        /// Bottom-up generalisation.
        BottomUp = "bottom-up",
        /// Mondrian.
        Mondrian = "mondrian",
    }
}

choices! {
    /// A method for sets.
    pub(super) enum SetMethod {
        /// Apriori.
        Apriori = "apriori",
        /// LRA.
        Lra = "lra",
        /// VPA.
        Vpa = "vpa",
        /// COAT.
        Coat = "coat",
        /// PCTA.
        Pcta = "pcta",
    }
}

choices! {
    /// A method for sets that keeps sensitive items from being guessed.
    pub(super) enum DiverseSetMethod {
        /// Apriori.
        Apriori = "apriori",
        /// LRA.
        Lra = "lra",
        /// VPA.
        Vpa = "vpa",
    }
}

choices! {
    /// A method for sequences.
    pub(super) enum SequenceMethod {
        /// Suppression.
        Suppress = "suppress",
        /// SEQANON.
        Seqanon = "seqanon",
        /// SD-SEQANON.
        SdSeqanon = "sd-seqanon",
    }
}

/// People who must share what is known of columns and items together.
const K: Key<u64> =
    Key::integer("k", PEOPLE, "people who must fit whatever is known of columns and items together").or("5");

/// Largest set of items an attacker may know.
const M: Key<u64> = Key::integer(
    "m",
    KNOWN,
    "items (or events, in order) of a person an attacker may know beside the columns",
)
.or("2");

/// How uncertain a secret stays.
const L: Key<u64> = Key::integer("l", PEOPLE, "how uncertain a sensitive item must stay: one in l").or("2");

/// The bound of RUM-BOUND.
pub(super) const DELTA_COLUMNS: Key<Fraction> =
    Key::share("delta", "the most that columns may lose: mean certainty penalty (NCP) of a cell").or("0.3");

/// The bound of TUM-BOUND.
pub(super) const DELTA_ITEMS: Key<Fraction> =
    Key::share("delta", "the most that items may lose, as `loss` measures it").or("0.1");

/// What TUM-BOUND bounds.
pub(super) const LOSS: Key<ItemLoss> = Key::choice(
    "loss",
    "what `delta` bounds: the mean share of all items that an item may be, or the paper's utility loss (UL)",
)
.or("ncp");

/// How partners are chosen.
const MERGE: Key<Merge> =
    Key::choice(
        "merge",
        "merge clusters with similar columns (r), similar items (t), or both (rt); -loss: by what items lose, slowly",
    )
    .or("rt");

/// What makes the first clusters.
pub(super) const RELATIONAL: Key<TableMethod> =
    Key::choice("relational", "the method for tables that makes the first clusters").or("cluster");

/// What generalises the items of a cluster.
const TRANSACTION: Key<SetMethod> = Key::choice(
    "transaction",
    "where events are sets: the method for sets that generalises the items of each cluster",
)
.or("apriori");

/// What makes the sequences of a cluster safe.
const SEQUENTIAL: Key<SequenceMethod> = Key::choice(
    "sequential",
    "where events are ordered: the method for sequences that protects those of each cluster",
)
.or("suppress");

/// The same where some items are sensitive.
const LM_TRANSACTION: Key<DiverseSetMethod> =
    Key::choice("transaction", TRANSACTION.setting.help).or("apriori");

/// People of a part, for LRA.
const PART_SIZE: Key<u64> =
    Key::integer("part-size", 1..=1_000_000_000, "lra: people of a part of a cluster, about").or("500");

/// What COAT may suppress.
const MAX_SUPPRESSED: Key<Fraction> =
    Key::share("max-suppressed", "coat: largest share of a cluster's items that may be suppressed").or("10%");

/// People of a group, for TFIRST.
pub(super) const GROUP_SIZE: Key<u64> =
    Key::integer("group-size", 1..=1_000_000_000, "people with similar items who become one group, about")
        .or("250");

settings! {
    /// The crowd that is promised.
    #[derive(Copy)]
    pub(super) struct Km {
        k: u64 = K,
        m: u64 = M,
    }
}

settings! {
    /// The crowd that is promised, and how uncertain sensitive items stay.
    #[derive(Copy)]
    pub(super) struct Klm {
        k: u64 = K,
        l: u64 = L,
        m: u64 = M,
    }
}

settings! {
    /// How clusters are merged, and what makes the first of them.
    #[derive(Copy)]
    pub(super) struct Clustering {
        merge: Merge = MERGE,
        relational: TableMethod = RELATIONAL,
    }
}

settings! {
    /// How the items and cells of a cluster are published.
    #[derive(Copy)]
    pub(super) struct Publishing {
        transaction: SetMethod = TRANSACTION,
        sequential: SequenceMethod = SEQUENTIAL,
        fan_out: u64 = FAN_OUT,
        part_size: u64 = PART_SIZE,
        max_suppressed: Fraction = MAX_SUPPRESSED,
        bounds: Bounds = BOUNDS,
    }
}

settings! {
    /// How they are published where items are sensitive.
    #[derive(Copy)]
    pub(super) struct DiversePublishing {
        transaction: DiverseSetMethod = LM_TRANSACTION,
        fan_out: u64 = FAN_OUT,
        part_size: u64 = PART_SIZE,
        bounds: Bounds = BOUNDS,
    }
}

/// What is promised, and by which methods for events it is kept in each cluster.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// People who must fit.
    pub k: u64,
    /// Items, or events in order, that an attacker may know.
    pub m: u64,
    /// The methods.
    pub by: By,
    /// Neighbours that become one where there is no taxonomy.
    pub fan_out: u64,
    /// People of a part.
    pub part_size: u64,
    /// Where ranges and sets of columns may end.
    pub bounds: Bounds,
}

/// The methods for events.
#[derive(Debug, Clone, Copy)]
pub(super) enum By {
    /// Those that promise a crowd.
    Crowds {
        /// For sets.
        sets: SetMethod,
        /// For sequences.
        sequences: SequenceMethod,
        /// What a method for sets may suppress.
        max_suppressed: Fraction,
    },
    /// Those that also keep sensitive items from being guessed. Sequences are suppressed.
    Diversity {
        /// For sets.
        sets: DiverseSetMethod,
        /// At most one in so many has a sensitive item.
        l: u64,
    },
}

impl Wanted {
    /// A crowd alone.
    pub fn crowd(Km { k, m }: Km, publishing: Publishing) -> Self {
        let Publishing { transaction, sequential, fan_out, part_size, max_suppressed, bounds } = publishing;
        let by = By::Crowds { sets: transaction, sequences: sequential, max_suppressed };
        Wanted { k, m, by, fan_out, part_size, bounds }
    }

    /// A crowd, and uncertain sensitive items.
    pub fn diversity(Klm { k, l, m }: Klm, publishing: DiversePublishing) -> Self {
        let DiversePublishing { transaction, fan_out, part_size, bounds } = publishing;
        Wanted { k, m, by: By::Diversity { sets: transaction, l }, fan_out, part_size, bounds }
    }

    /// How uncertain sensitive items must stay, if that is asked for.
    pub fn l(&self) -> Option<u64> {
        match self.by {
            By::Crowds { .. } => None,
            By::Diversity { l, .. } => Some(l),
        }
    }

    /// The values of settings that a method for sets or sequences may have, too: name, value. What a sequence may lose is bounded for all
    /// of them together, where it is bounded.
    pub fn of_items(&self, kind: EventKind) -> Vec<(&'static str, String)> {
        let numbers = [
            (K.setting.name, Some(self.k)),
            (L.setting.name, self.l()),
            (M.setting.name, Some(self.m)),
            (FAN_OUT.setting.name, Some(self.fan_out)),
            (PART_SIZE.setting.name, Some(self.part_size)),
        ];
        let numbers = numbers.into_iter().filter_map(|(name, value)| Some((name, value?.to_string())));
        let share = match self.by {
            By::Crowds { max_suppressed, .. } if kind == EventKind::Set => {
                Some((MAX_SUPPRESSED.setting.name, max_suppressed.to_string()))
            }
            _ => None,
        };
        numbers.chain(share).collect()
    }

    /// The same for a method for tables.
    pub fn of_columns(&self) -> [(&'static str, String); 2] {
        [(K.setting.name, self.k.to_string()), (BOUNDS.setting.name, self.bounds.word().to_owned())]
    }
}
