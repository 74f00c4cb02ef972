//! How a measure draws queries where no workload is given.

use std::ops::RangeInclusive;

use throng_contract::{Key, choices, settings};

/// How many queries are drawn where no workload is given.
pub const DRAWN: Key<u64> =
    Key::integer("drawn", 1..=1_000_000, "how many queries to draw from the data, without `queries`")
        .or("1000");

/// The longest query drawn where no workload is given.
pub const LONGEST: Key<u64> = Key::integer(
    "longest",
    1..=100,
    "draw queries of one item to so many, of a table of so many columns, without `queries`",
)
.or("2");

/// The shortest query drawn where no workload is given.
pub const SHORTEST: Key<u64> = Key::integer(
    "shortest",
    1..=100,
    "draw queries of at least so many items; as many as `longest` for queries of one size",
)
.or("1");

choices! {
    /// What has the same chance when queries are drawn.
    pub enum Evenly {
        /// Every record, so that frequent patterns are drawn often.
        Records = "records",
        /// Every different pattern.
        Patterns = "patterns",
    }
}

/// What has the same chance when queries are drawn.
pub const EVENLY: Key<Evenly> =
    Key::choice(
        "evenly-over",
        "give every record the same chance, so that frequent patterns are drawn often, or every different pattern",
    )
    .or("records");

settings! {
    /// How queries are drawn where no workload is given.
    #[derive(Copy)]
    pub(crate) struct Drawn {
        drawn: u64 = DRAWN,
        shortest: u64 = SHORTEST,
        longest: u64 = LONGEST,
        evenly_over: Evenly = EVENLY,
    }
}

impl Drawn {
    pub fn sizes(self) -> RangeInclusive<usize> {
        self.shortest as usize..=self.longest as usize
    }
}
