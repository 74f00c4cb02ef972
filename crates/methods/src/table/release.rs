//! From groups or codes to a released table.

use hashbrown::HashMap;
use rayon::prelude::*;
use throng_data::{Cover, RecodedColumn, RecodedTable, Release, Role};

use super::quasi::{Quasi, Shape};
use super::rows::Layout;
use crate::Task;

/// The cells of a column: what each code is published as.
#[derive(Debug, Clone)]
pub struct Cells {
    /// The distinct covers.
    pub covers: Vec<Cover>,
    /// The cover of each code.
    pub of_code: Vec<u32>,
}

/// A table in which every value of a column is published in one way everywhere. Rows that are suppressed lose all their cells.
pub fn by_code(task: &Task<'_>, quasi: &[Quasi], cells: Vec<Cells>, suppressed: &[u32]) -> Release {
    let recoded = quasi
        .iter()
        .zip(cells)
        .map(|(quasi, Cells { covers, of_code })| {
            (covers, quasi.codes.iter().map(|code| of_code[*code as usize]).collect())
        })
        .collect();
    build(task, quasi, recoded, suppressed)
}

/// A table in which every group has the smallest cells that cover its rows. The rows of a group lie next to each other; `sizes`
/// says where a group ends.
pub fn by_group(task: &Task<'_>, quasi: &[Quasi], layout: Layout, words: &[u32], sizes: &[usize]) -> Release {
    let recoded =
        quasi.par_iter().enumerate().map(|(at, quasi)| grouped(quasi, at, layout, words, sizes)).collect();
    build(task, quasi, recoded, &[])
}

fn grouped(
    quasi: &Quasi,
    at: usize,
    layout: Layout,
    words: &[u32],
    sizes: &[usize],
) -> (Vec<Cover>, Vec<u32>) {
    let mut covers = Vec::new();
    let mut cells = vec![0; quasi.codes.len()];
    let hasher = foldhash::fast::FixedState::with_seed(0);
    let mut known: HashMap<Vec<u32>, u32, _> = HashMap::with_hasher(hasher);
    let mut begin = 0;
    let mut codes: Vec<u32> = Vec::new();
    for size in sizes {
        let group = &words[begin * layout.stride..(begin + size) * layout.stride];
        begin += size;
        codes.clear();
        codes.extend(layout.iter(group).map(|row| row[at]));
        let (low, high) =
            codes.iter().fold((u32::MAX, 0), |(low, high), code| (low.min(*code), high.max(*code)));
        match &quasi.shape {
            Shape::Flat => {
                codes.sort_unstable();
                codes.dedup();
            }
            // Two groups below one node have one cell, whatever their ends.
            Shape::Tree(tree) if low != high => {
                codes.clear();
                codes.extend([u32::MAX, tree.node(low, high)]);
            }
            _ => {
                codes.clear();
                codes.extend([low, high]);
            }
        }
        let cell = match known.get(&codes) {
            Some(cell) => *cell,
            None => {
                let cell = covers.len() as u32;
                covers.push(match quasi.shape {
                    Shape::Flat => quasi.set(&codes),
                    _ => quasi.cover(low, high),
                });
                known.insert(codes.clone(), cell);
                cell
            }
        };
        for row in layout.iter(group) {
            cells[row[layout.stride - 1] as usize] = cell;
        }
    }
    (covers, cells)
}

/// Equal covers as one: groups that differ may be published alike.
fn distinct(covers: Vec<Cover>, mut cells: Vec<u32>) -> (Vec<Cover>, Vec<u32>) {
    let hasher = foldhash::fast::FixedState::with_seed(0);
    let mut known: HashMap<Cover, u32, _> = HashMap::with_hasher(hasher);
    let mut number = Vec::with_capacity(covers.len());
    let mut kept = Vec::with_capacity(covers.len());
    for cover in covers {
        let next = known.len() as u32;
        number.push(*known.entry(cover).or_insert_with_key(|cover| {
            kept.push(cover.clone());
            next
        }));
    }
    cells.iter_mut().for_each(|cell| *cell = number[*cell as usize]);
    (kept, cells)
}

fn build(
    task: &Task<'_>,
    quasi: &[Quasi],
    recoded: Vec<(Vec<Cover>, Vec<u32>)>,
    suppressed: &[u32],
) -> Release {
    let mut recoded: Vec<Option<(Vec<Cover>, Vec<u32>)>> = recoded.into_iter().map(Some).collect();
    let columns = task.data.attributes.iter().flat_map(|table| &table.columns);
    let published = columns.enumerate().filter_map(|(number, column)| {
        let role = column.role.filter(|role| *role != Role::Identifying)?;
        let own = quasi.iter().position(|quasi| quasi.column == number).and_then(|at| recoded[at].take());
        Some(match own {
            Some((covers, cells)) => {
                let (covers, cells) = distinct(covers, cells);
                RecodedColumn { name: column.name.clone(), role, kind: column.kind(), covers, cells }
            }
            None => RecodedColumn::intact(column, role),
        })
    });
    let mut table = RecodedTable { columns: published.collect() };
    table.suppress(suppressed);
    Release::of_table(table, task.data.subjects.len())
}
