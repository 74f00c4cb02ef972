//! Parameters that the methods for columns and events have in common.

use throng_contract::{Setting, SettingKind};
use throng_models::ranges::{KNOWN, PEOPLE};

pub(super) use crate::table::params::BOUNDS;

/// People who must share what is known of columns and items together.
pub(super) const K: Setting = Setting {
    name: "k",
    kind: PEOPLE,
    default: Some("5"),
    help: "people who must fit whatever is known of columns and items together",
};

/// Largest set of items an attacker may know.
pub(super) const M: Setting = Setting {
    name: "m",
    kind: KNOWN,
    default: Some("2"),
    help: "items (or events, in order) of a person an attacker may know beside the columns",
};

/// How uncertain a secret stays.
pub(super) const L: Setting = Setting {
    name: "l",
    kind: PEOPLE,
    default: Some("2"),
    help: "how uncertain a sensitive item must stay: one in l",
};

/// The bound of RUM-BOUND.
pub(super) const DELTA_COLUMNS: Setting = Setting {
    name: "delta",
    kind: SettingKind::Share,
    default: Some("0.3"),
    help: "the most that columns may lose: mean certainty penalty (NCP) of a cell",
};

/// The bound of TUM-BOUND.
pub(super) const DELTA_ITEMS: Setting = Setting {
    name: "delta",
    kind: SettingKind::Share,
    default: Some("0.1"),
    help: "the most that items may lose, as `loss` measures it",
};

/// What TUM-BOUND bounds.
pub(super) const LOSS: Setting = Setting {
    name: "loss",
    kind: SettingKind::Choice { words: &["ncp", "ul"] },
    default: Some("ncp"),
    help: "what `delta` bounds: the mean share of all items that an item may be, or the paper's utility loss (UL)",
};

/// How partners are chosen.
pub(super) const MERGE: Setting = Setting {
    name: "merge",
    kind: SettingKind::Choice { words: &["r", "t", "rt", "t-loss", "rt-loss"] },
    default: Some("rt"),
    help: "merge clusters with similar columns (r), similar items (t), or both (rt); -loss: by what items lose, slowly",
};

/// What makes the first clusters.
pub(super) const RELATIONAL: Setting = Setting {
    name: "relational",
    kind: SettingKind::Choice { words: &["cluster", "incognito", "top-down", "bottom-up", "mondrian"] },
    default: Some("cluster"),
    help: "the method for tables that makes the first clusters",
};

/// What generalises the items of a cluster.
pub(super) const TRANSACTION: Setting = Setting {
    name: "transaction",
    kind: SettingKind::Choice { words: &["apriori", "lra", "vpa", "coat", "pcta"] },
    default: Some("apriori"),
    help: "where events are sets: the method for sets that generalises the items of each cluster",
};

/// What makes the sequences of a cluster safe.
pub(super) const SEQUENTIAL: Setting = Setting {
    name: "sequential",
    kind: SettingKind::Choice { words: &["suppress", "seqanon", "sd-seqanon"] },
    default: Some("suppress"),
    help: "where events are ordered: the method for sequences that protects those of each cluster",
};

/// The same where some items are sensitive.
pub(super) const LM_TRANSACTION: Setting =
    Setting { kind: SettingKind::Choice { words: &["apriori", "lra", "vpa"] }, ..TRANSACTION };

/// People of a part, for LRA.
pub(super) const PART_SIZE: Setting = Setting {
    name: "part-size",
    kind: SettingKind::Integer { min: 1, max: 1_000_000_000 },
    default: Some("500"),
    help: "lra: people of a part of a cluster, about",
};

/// What COAT may suppress.
pub(super) const MAX_SUPPRESSED: Setting = Setting {
    name: "max-suppressed",
    kind: SettingKind::Share,
    default: Some("10%"),
    help: "coat: largest share of a cluster's items that may be suppressed",
};

/// People of a group, for TFIRST.
pub(super) const GROUP_SIZE: Setting = Setting {
    name: "group-size",
    kind: SettingKind::Integer { min: 1, max: 1_000_000_000 },
    default: Some("250"),
    help: "people with similar items who become one group, about",
};
