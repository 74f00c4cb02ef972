//! Counts of people instead of records: visits of items, and moves between them.
//!
//! Many publishers want no more than that, and it is far easier to protect than whole records. [`Counted`] withholds counts of
//! few people; [`NoisyCounts`] adds noise.

mod noisy;
mod threshold;

use rayon::prelude::*;
use throng_contract::{Key, choices, settings};
use throng_data::{CountCell, CountTable, Counting, EventKind};

pub use self::noisy::{NoisyCounts, anonymize as noisy_counts};
pub use self::threshold::Counted;
use crate::{MethodError, Task};

choices! {
    /// What is counted.
    enum Tables {
        /// Both, where they go together.
        All = "all",
        /// People at an item.
        Visits = "visits",
        /// People who went from one item to another.
        Moves = "moves",
    }
}

choices! {
    /// What a move is.
    enum Moves {
        /// From an event to the next one.
        Steps = "steps",
        /// From the first event of a record to its last.
        Ends = "ends",
    }
}

const TABLES: Key<Tables> = Key::choice(
    "tables",
    "what is counted: people at an item, people who went from one to another, or both where they go together",
)
.or("all");

const MOVES: Key<Moves> = Key::choice(
    "moves",
    "what a move is: from an event to the next one, or from the first event of a record to its last",
)
.or("steps");

settings! {
    /// What is counted.
    #[derive(Copy)]
    struct Wanted {
        tables: Tables = TABLES,
        moves: Moves = MOVES,
    }
}

/// What the settings ask for on these data, and what the publisher is told about it.
fn counting(task: &Task<'_>, asked: Wanted, bin: u64) -> Result<(Counting, Vec<String>), MethodError> {
    let kind = task.data.events.kind();
    let ordered = kind == EventKind::Sequence;
    let tables = asked.tables;
    if bin > 0 && task.data.events.times().is_none() {
        return Err(MethodError::Usage {
            what: "there are no times to count visits by".to_owned(),
            help: "name the column of times with {time COLUMN}, or leave out {bin}".into(),
        });
    }
    if tables == Tables::Moves && !ordered {
        return Err(MethodError::Usage {
            what: "sets have no order, so there are no moves from one item to another".to_owned(),
            help: "count visits with {tables visits}".into(),
        });
    }
    if tables == Tables::Moves && bin > 0 {
        return Err(MethodError::Usage {
            what: "moves are not counted by time".to_owned(),
            help: "leave out {bin}, or count visits with {tables visits}".into(),
        });
    }
    let mut notes = Vec::new();
    let moves = match asked.moves {
        Moves::Ends => CountTable::Ends,
        Moves::Steps => CountTable::Moves,
    };
    let both = tables == Tables::All && ordered && bin == 0;
    if tables == Tables::All && ordered && bin > 0 {
        notes.push(
            "moves were left out: beside visits by time they would tell of visits that are withheld; `tables = moves` \
             counts them in a release of their own"
                .into(),
        );
    }
    let moves = (both || tables == Tables::Moves).then_some(moves);
    Ok((Counting { visits: tables != Tables::Moves, moves, bin }, notes))
}

/// How many people are in each cell, by cell. Of each person the first `most` cells of each table count.
fn tally(task: &Task<'_>, counting: Counting, most: usize) -> Result<Vec<(CountCell, u64)>, MethodError> {
    let events = &task.data.events;
    let phase = task.progress.phase("counting people", Some(events.subjects() as u64));
    let people: Vec<usize> = (0..events.subjects()).collect();
    let mut cells: Vec<CountCell> = Vec::new();
    for part in people.chunks(1 << 14) {
        let own = part.par_iter().map(|person| bounded(counting.cells_of(events, *person), most));
        cells.extend(own.collect::<Vec<_>>().into_iter().flatten());
        phase.advance(part.len() as u64)?;
    }
    cells.par_sort_unstable();
    Ok(cells.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect())
}

/// The first `most` cells of each table.
fn bounded(mut cells: Vec<CountCell>, most: usize) -> Vec<CountCell> {
    let (mut visits, mut moves) = (0, 0);
    cells.retain(|cell| {
        let seen = if cell.table == CountTable::Visits { &mut visits } else { &mut moves };
        *seen += 1;
        *seen <= most
    });
    cells
}
