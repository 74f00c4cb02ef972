//! What a publisher gives beside the data, by name.

use std::collections::BTreeMap;

use crate::{DeclaredRange, Hierarchy, Query, Taxonomy};

/// What publishing a symbol as a coarser one costs, where the user says so.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SymbolCosts {
    /// How much each symbol matters: a factor for all its costs.
    pub weights: BTreeMap<String, f64>,
    /// What publishing a symbol as one node of the taxonomy costs, in place of what the cost function says: symbol, node.
    pub replacing: BTreeMap<(String, String), f64>,
}

/// Everything beside the data that methods, promises and measures may look at.
///
/// Items, columns and values go by their names: a checker of a release has no numbers of the data. The loader has
/// validated every name against the data where one has to occur in it.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// A generalisation hierarchy over items.
    pub taxonomy: Option<Taxonomy>,
    /// Generalisation hierarchies over columns.
    pub hierarchies: BTreeMap<String, Hierarchy>,
    /// What columns of numbers or dates may hold; every value of the data does.
    pub ranges: BTreeMap<String, DeclaredRange>,
    /// Sets of items that may be generalised together.
    pub constraints: Option<Vec<Vec<String>>>,
    /// Sets of items that an attacker may know of a person.
    pub policy: Option<Vec<Vec<String>>>,
    /// Items that must not be inferred.
    pub sensitive_items: Vec<String>,
    /// Attribute values that must not be inferred: column, value.
    pub sensitive_values: Vec<(String, String)>,
    /// Sequences of items that must be hidden.
    pub patterns: Vec<Vec<String>>,
    /// Sequences of items that must be hidden of one person, by the person. A person who is not in it has no patterns of their own.
    pub person_patterns: Option<BTreeMap<String, Vec<Vec<String>>>>,
    /// A public list of all items that may occur.
    pub alphabet: Option<Vec<String>>,
    /// What publishing symbols as coarser ones costs.
    pub costs: Option<SymbolCosts>,
    /// COUNT queries the release should answer; their items need not occur in the data.
    pub queries: Option<Vec<Query>>,
}

impl Inputs {
    /// No input at all.
    pub const NONE: &'static Inputs = &Inputs {
        taxonomy: None,
        hierarchies: BTreeMap::new(),
        ranges: BTreeMap::new(),
        constraints: None,
        policy: None,
        sensitive_items: Vec::new(),
        sensitive_values: Vec::new(),
        patterns: Vec::new(),
        person_patterns: None,
        alphabet: None,
        costs: None,
        queries: None,
    };
}
