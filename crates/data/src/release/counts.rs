//! Counts of people instead of records: how many were at an item, how many went from one item to another.
//!
//! A person counts once in a cell, however often they did the same. There are no totals: a total together with all cells but one
//! tells the one that is missing.

use crate::{EventKind, Events, ItemId};

/// What a cell counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CountTable {
    /// People who have an item, perhaps in a span of time.
    Visits,
    /// People who went from an item to another one in the next event of a record.
    Moves,
    /// People with a record that begins with an item and ends with another one.
    Ends,
}

impl CountTable {
    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            CountTable::Visits => "visits",
            CountTable::Moves => "moves",
            CountTable::Ends => "ends",
        }
    }

    /// The table of that name.
    pub fn parse(name: &str) -> Option<CountTable> {
        [CountTable::Visits, CountTable::Moves, CountTable::Ends]
            .into_iter()
            .find(|table| table.name() == name)
    }
}

/// What people of a cell have in common. Items are those of the released alphabet, which in this form are all intact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CountCell {
    /// The table it belongs to.
    pub table: CountTable,
    /// The item, or where people came from.
    pub item: ItemId,
    /// Where they went; none in a table of visits.
    pub to: Option<ItemId>,
    /// When the span of time begins; none where times are not counted.
    pub time: Option<i64>,
}

/// Cells with the number of people in them, each cell once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// What the counted items were to people.
    pub kind: EventKind,
    /// The published cells.
    pub cells: Vec<(CountCell, u64)>,
    /// How long a span of time is, in the unit of times; 0 where times are not counted.
    pub bin: u64,
}

impl Counts {
    /// Whether there is a cell of the table.
    pub fn has(&self, table: CountTable) -> bool {
        self.cells.iter().any(|(cell, _)| cell.table == table)
    }

    /// The same with items numbered otherwise.
    #[must_use]
    pub fn recode(mut self, image: impl Fn(ItemId) -> ItemId) -> Self {
        for (cell, _) in &mut self.cells {
            cell.item = image(cell.item);
            cell.to = cell.to.map(&image);
        }
        self.cells.sort_unstable();
        self
    }
}

/// Which cells are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counting {
    /// Whether visits are.
    pub visits: bool,
    /// Whether moves are, and from where to where.
    pub moves: Option<CountTable>,
    /// How long a span of time is; 0 where times are not counted.
    pub bin: u64,
}

impl Counting {
    /// The counting that a release shows.
    pub fn of(counts: &Counts) -> Self {
        let moves = [CountTable::Moves, CountTable::Ends].into_iter().find(|table| counts.has(*table));
        Counting { visits: counts.has(CountTable::Visits), moves, bin: counts.bin }
    }

    /// The cells of a person, each once, in the order in which they came about.
    pub fn cells_of(&self, events: &Events, person: usize) -> Vec<CountCell> {
        let mut cells: Vec<CountCell> = Vec::new();
        for record in events.records_of(person) {
            let items = events.record(record);
            if self.visits {
                let times = events.times_of(record).filter(|_| self.bin > 0);
                cells.extend(items.iter().enumerate().map(|(place, item)| CountCell {
                    table: CountTable::Visits,
                    item: *item,
                    to: None,
                    time: times.map(|times| start_of(times[place], self.bin)),
                }));
            }
            if events.kind() != EventKind::Sequence {
                continue;
            }
            let step = |table: CountTable, item: ItemId, to: ItemId| CountCell {
                table,
                item,
                to: Some(to),
                time: None,
            };
            match (self.moves, items) {
                (Some(CountTable::Ends), [first, .., last]) if first != last => {
                    cells.push(step(CountTable::Ends, *first, *last));
                }
                (Some(CountTable::Moves), items) => cells.extend(
                    items
                        .windows(2)
                        .filter(|pair| pair[0] != pair[1])
                        .map(|pair| step(CountTable::Moves, pair[0], pair[1])),
                ),
                _ => {}
            }
        }
        let mut seen = std::collections::HashSet::with_capacity(cells.len());
        cells.retain(|cell| seen.insert(*cell));
        cells
    }
}

/// When the span of time begins that a time lies in.
pub fn start_of(time: i64, bin: u64) -> i64 {
    let bin = i64::try_from(bin).unwrap_or(i64::MAX).max(1);
    time.div_euclid(bin).saturating_mul(bin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dataset;

    #[test]
    fn a_person_is_in_a_cell_once_and_staying_is_no_move() {
        let data = Dataset::from_words(["abbab", "c"]);
        let all = Counting { visits: true, moves: Some(CountTable::Moves), bin: 0 };
        let cells: Vec<(CountTable, ItemId, Option<ItemId>)> =
            all.cells_of(&data.events, 0).into_iter().map(|cell| (cell.table, cell.item, cell.to)).collect();
        let (visits, moves) = (CountTable::Visits, CountTable::Moves);
        let expected = [(visits, 0, None), (visits, 1, None), (moves, 0, Some(1)), (moves, 1, Some(0))];
        assert_eq!(cells, expected);
        let ends = Counting { visits: false, moves: Some(CountTable::Ends), bin: 0 };
        assert_eq!(ends.cells_of(&data.events, 0)[0].to, Some(1));
        assert!(ends.cells_of(&data.events, 1).is_empty(), "a record of one event goes nowhere");
    }

    #[test]
    fn spans_of_time_begin_at_multiples() {
        assert_eq!([0, 59, 60, -1].map(|time| start_of(time, 60)), [0, 0, 60, -60]);
        assert_eq!(start_of(i64::MIN, 7), i64::MIN);
    }
}
