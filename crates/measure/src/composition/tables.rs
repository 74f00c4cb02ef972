//! Two tables: the groups of the first, cut by the groups of the second.
//!
//! An attacker knows every published column of the target that is not sensitive, and so the target's group in each release. Two attacks
//! follow, and both are told:
//!
//! * **By values**: the target's sensitive value is in the group of the first release and in that of the second. Only values in both are
//!   possible. No row needs to be tied to another row.
//! * **By rows**: an attacker who can tell which rows of both are one person's is left with the people who are in both groups. That is the
//!   strongest attacker; what the intersection of both groups keeps, no other attack on the two releases takes away.
//!
//! Being absent or suppressed is a group, too: who is new in the second release is among the rows of a group that the first does not have,
//! and who left is among the rows that the second does not have any more.
//!
//! # Guarantees
//! Exact, over all people; nothing is drawn.
//! # Cost
//! One look-up for each row and column, and one sorted list of values for each pair of groups that has people.

use std::collections::BTreeMap;

use serde::Serialize;
use throng_contract::{Cancelled, Progress};
use throng_data::{ColumnKind, Cover, RecodedColumn, RecodedTable, Role};

use super::groups::{Groups, NOWHERE, known};
use super::{Composition, Demand, Joint, Learned, Question, Side, Twins};
use crate::attack::Share;

/// What two tables give away together, beyond crowds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TablesTogether {
    /// The columns of the first that are taken to be known: all but the sensitive ones.
    pub known_in_first: Vec<String>,
    /// The same of the second.
    pub known_in_second: Vec<String>,
    /// What is learned of the sensitive columns that both publish.
    pub values: Vec<ValuesTogether>,
    /// People of the first who are not in the data of the second.
    pub left: Moved,
    /// People of the second who are not in the data of the first.
    pub joined: Moved,
}

/// What both give away of a sensitive column, in shares of the people who are in both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValuesTogether {
    /// The column.
    pub column: String,
    /// Several values are possible in each release alone, and one in both.
    pub certain: Share,
    /// The same for an attacker who can tell which rows of both are one person's.
    pub certain_by_rows: Share,
    /// Each release alone keeps the promised l or t, and the people in both groups do not.
    pub promise_lost: Share,
    /// How many different values are left to the worst of the people in both, who had at least two in each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fewest: Option<u64>,
}

/// People who are in one release alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    /// How many of them are published.
    pub people: u64,
    /// Those in a group that keeps its promise alone, who are told from it by the other release: fewer than `k` people of the group are
    /// missing there, or their values are less varied than promised.
    pub exposed: Share,
}

/// A person of either release.
#[derive(Clone, Copy)]
struct Person {
    rows: [Option<u32>; 2],
    groups: [u32; 2],
    cell: u32,
}

impl Person {
    fn is_in_both(&self) -> bool {
        self.rows.iter().all(Option::is_some)
    }
}

/// Runs the attack on two releases that have a table and no events.
pub(super) fn intersect(
    sides: [&Side<'_>; 2],
    tables: [&RecodedTable; 2],
    twins: &Twins,
    question: &Question,
    progress: &Progress,
) -> Result<Composition, Cancelled> {
    let k = u64::from(question.k);
    let phase = progress.phase("attack both", None);
    let groups = [0, 1].map(|side| Groups::of(tables[side], sides[side].release.people()));
    phase.advance(0)?;
    let (people, sizes) = people(sides, &groups, twins);
    let in_both: Vec<&Person> = people.iter().filter(|person| person.is_in_both()).collect();
    let size = |person: &Person, side: usize| match person.groups[side] {
        // Nothing is said of the person alone.
        NOWHERE => u64::MAX,
        group => groups[side].people(group).len() as u64,
    };
    let joint = |person: &Person| match person.groups {
        [NOWHERE, NOWHERE] => u64::MAX,
        _ => sizes[person.cell as usize],
    };
    let lost = |person: &Person| joint(person) < k && size(person, 0) >= k && size(person, 1) >= k;
    let total = in_both.len() as u64;
    let share = |is: &dyn Fn(&Person) -> bool| {
        Share::new(in_both.iter().filter(|person| is(person)).count() as u64, total, false)
    };
    let mut point = Joint {
        known: 0,
        below_in_first: share(&|person| size(person, 0) < k),
        below_in_second: share(&|person| size(person, 1) < k),
        below_in_both: share(&|person| joint(person) < k),
        lost: share(&lost),
        singled_out: share(&|person| joint(person) == 1),
        learned: Vec::new(),
    };
    let mut exposed: Vec<bool> = people.iter().map(|person| !person.is_in_both() && lost(person)).collect();
    let mut values = Vec::new();
    let both = tables[0]
        .with_role(Role::Sensitive)
        .filter_map(|column| Some([column, tables[1].column(&column.name)?]));
    for columns in both.filter(|columns| columns[1].role == Role::Sensitive) {
        phase.advance(0)?;
        let found = Values::of(columns, &people, sizes.len(), &groups, &question.demand);
        let ways: Vec<Ways> = people.iter().map(|person| found.ways(person)).collect();
        for (place, person) in people.iter().enumerate().filter(|(_, person)| !person.is_in_both()) {
            exposed[place] |= person.groups != [NOWHERE; 2] && (ways[place].lost || ways[place].by_rows);
        }
        let count = |is: &dyn Fn(&Ways) -> bool| {
            let of_both = people.iter().zip(&ways).filter(|(person, _)| person.is_in_both());
            Share::new(of_both.filter(|(_, ways)| is(ways)).count() as u64, total, false)
        };
        let fewest = people.iter().zip(&ways).filter(|(person, _)| person.is_in_both());
        let told = ValuesTogether {
            column: columns[0].name.clone(),
            certain: count(&|ways| ways.by_values),
            certain_by_rows: count(&|ways| ways.by_rows),
            promise_lost: count(&|ways| ways.lost),
            fewest: fewest.filter_map(|(_, ways)| ways.left).min(),
        };
        point.learned.push(Learned { column: told.column.clone(), targets: told.certain });
        values.push(told);
    }
    let moved = |side: usize| {
        let there = |person: &&(usize, &Person)| {
            person.1.rows[1 - side].is_none() && person.1.groups[side] != NOWHERE
        };
        let alone: Vec<(usize, &Person)> = people.iter().enumerate().filter(|one| there(&one)).collect();
        let count = alone.iter().filter(|(place, _)| exposed[*place]).count() as u64;
        Moved { people: alone.len() as u64, exposed: Share::new(count, alone.len() as u64, false) }
    };
    let names = |side: usize| known(tables[side]).map(|column| column.name.clone()).collect();
    Ok(Composition {
        points: vec![point],
        tables: Some(TablesTogether {
            known_in_first: names(0),
            known_in_second: names(1),
            values,
            left: moved(0),
            joined: moved(1),
        }),
        ..Composition::of(total, total, false, k, question)
    })
}

/// All people of both, each once, and how many are in each pair of groups.
fn people(sides: [&Side<'_>; 2], groups: &[Groups; 2], twins: &Twins) -> (Vec<Person>, Vec<u64>) {
    let mut cells: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    let mut sizes = Vec::new();
    let mut people = Vec::new();
    let mut push = |rows: [Option<u32>; 2]| {
        let group = |side: usize| rows[side].map_or(NOWHERE, |row| groups[side].group(row));
        let groups = [group(0), group(1)];
        let next = cells.len() as u32;
        let cell = *cells.entry(groups).or_insert(next);
        sizes.resize(sizes.len().max(cell as usize + 1), 0);
        sizes[cell as usize] += 1;
        people.push(Person { rows, groups, cell });
    };
    for row in 0..sides[0].release.people() as u32 {
        push([Some(row), twins.other(0, row)]);
    }
    for row in 0..sides[1].release.people() as u32 {
        if twins.other(1, row).is_none() {
            push([None, Some(row)]);
        }
    }
    (people, sizes)
}

/// What both give away of one person's value.
#[derive(Debug, Clone, Copy, Default)]
struct Ways {
    by_values: bool,
    by_rows: bool,
    lost: bool,
    left: Option<u64>,
}

/// A missing value: it is nothing to learn, and does not make a group more varied.
const MISSING: u32 = u32::MAX;

/// The values of a sensitive column: by group of each release, and by pair of groups.
struct Values {
    codes: [Vec<u32>; 2],
    alone: [Vec<Seen>; 2],
    cells: Vec<[Seen; 2]>,
    common: Vec<u64>,
}

/// The values of some people.
#[derive(Debug, Clone, Default)]
struct Seen {
    distinct: u64,
    kept: bool,
}

impl Values {
    fn of(
        columns: [&RecodedColumn; 2],
        people: &[Person],
        cells: usize,
        groups: &[Groups; 2],
        demand: &Demand,
    ) -> Self {
        let (codes, size) = codes(columns);
        let kind = columns[1].kind;
        let overall = [0, 1].map(|side: usize| {
            let mut overall = vec![0; size];
            let published = (0..).zip(&codes[side]).filter(|(row, _)| groups[side].group(*row) != NOWHERE);
            published
                .filter(|(_, code)| **code != MISSING)
                .for_each(|(_, code)| overall[*code as usize] += 1);
            overall
        });
        let judge = |values: &mut Vec<u32>, side: usize| {
            values.retain(|code| *code != MISSING);
            values.sort_unstable();
            let runs: Vec<u64> = values.chunk_by(|a, b| a == b).map(|run| run.len() as u64).collect();
            let close = demand.closeness.is_none() || {
                let mut dense = vec![0; size];
                values.iter().for_each(|code| dense[*code as usize] += 1);
                demand.is_close(&dense, &overall[side], kind)
            };
            Seen {
                distinct: runs.len() as u64,
                kept: demand.is_nothing() || (demand.is_diverse(&runs) && close),
            }
        };
        let mut distinct: [Vec<Vec<u32>>; 2] = [Vec::new(), Vec::new()];
        let alone = [0, 1].map(|side: usize| {
            let mut seen = Vec::new();
            for group in 0..groups[side].len() as u32 {
                let of_group = groups[side].people(group).iter();
                let mut values: Vec<u32> = of_group.map(|row| codes[side][*row as usize]).collect();
                seen.push(judge(&mut values, side));
                values.dedup();
                distinct[side].push(values);
            }
            seen
        });
        let mut of_cell: Vec<[Vec<u32>; 2]> = vec![[Vec::new(), Vec::new()]; cells];
        let mut pairs = vec![[NOWHERE; 2]; cells];
        for person in people {
            pairs[person.cell as usize] = person.groups;
            for side in 0..2 {
                if let Some(row) = person.rows[side].filter(|_| person.groups[side] != NOWHERE) {
                    of_cell[person.cell as usize][side].push(codes[side][row as usize]);
                }
            }
        }
        let common = pairs.iter().map(|pair| match pair {
            [NOWHERE, _] | [_, NOWHERE] => u64::MAX,
            [one, two] => common(&distinct[0][*one as usize], &distinct[1][*two as usize]),
        });
        let common = common.collect();
        let cells = of_cell.iter_mut().map(|[one, two]| [judge(one, 0), judge(two, 1)]).collect();
        Values { codes, alone, cells, common }
    }

    fn ways(&self, person: &Person) -> Ways {
        let published = |side: &usize| person.groups[*side] != NOWHERE;
        let sides: Vec<usize> = (0..2).filter(published).collect();
        let code = |side: usize| person.rows[side].map_or(MISSING, |row| self.codes[side][row as usize]);
        let alone = |side: &usize| &self.alone[*side][person.groups[*side] as usize];
        let cell = &self.cells[person.cell as usize];
        if sides.is_empty() || sides.iter().any(|side| code(*side) == MISSING) {
            return Ways::default();
        }
        let several = sides.iter().all(|side| alone(side).distinct > 1);
        let fewest = sides.iter().map(|side| cell[*side].distinct).min().unwrap_or(u64::MAX);
        // A value that changed in between is in no intersection.
        let common = match sides.len() == 2 && code(0) == code(1) {
            true => self.common[person.cell as usize],
            false => u64::MAX,
        };
        Ways {
            by_values: several && common == 1,
            by_rows: several && fewest == 1,
            lost: sides.iter().all(|side| alone(side).kept) && sides.iter().any(|side| !cell[*side].kept),
            left: several.then_some(fewest.min(common)),
        }
    }
}

/// The values of both columns by the same numbers, in their order, and how many there are.
fn codes(columns: [&RecodedColumn; 2]) -> ([Vec<u32>; 2], usize) {
    let kind = columns[1].kind;
    let place = |text: &str| match kind {
        ColumnKind::Number => text.parse::<f64>().ok(),
        _ => None,
    };
    let mut names: Vec<String> =
        columns.iter().flat_map(|column| column.covers.iter().map(Cover::render)).collect();
    names.sort_by(|a, b| match (place(a), place(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (x, y) => y.is_some().cmp(&x.is_some()).then_with(|| a.cmp(b)),
    });
    names.dedup();
    let number: BTreeMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let codes = columns.map(|column| {
        let code = |cover: &Cover| match cover {
            Cover::Value(value) if value.is_empty() => MISSING,
            cover => number.get(cover.render().as_str()).copied().unwrap_or(MISSING),
        };
        let of_cover: Vec<u32> = column.covers.iter().map(code).collect();
        column.cells.iter().map(|cell| of_cover[*cell as usize]).collect()
    });
    (codes, names.len())
}

/// How many values two ascending lists have in common.
fn common(one: &[u32], two: &[u32]) -> u64 {
    one.iter().filter(|value| two.binary_search(value).is_ok()).count() as u64
}
