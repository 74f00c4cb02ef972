//! COUNT queries: how many people have these items, and these values?

/// A COUNT query. A person fits who has all the items (in this order, where events are ordered) and all the values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The items.
    pub items: Vec<String>,
    /// For each column that is asked for: what is wanted of it.
    pub cells: Vec<(String, Wanted)>,
}

impl Query {
    /// A query for items alone.
    pub fn of_items(items: Vec<String>) -> Self {
        Query { items, cells: Vec::new() }
    }
}

/// What a query wants of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// One of these values.
    Values(Vec<String>),
    /// Something between two numbers or dates, both included.
    Between(String, String),
}
