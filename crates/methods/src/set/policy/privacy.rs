//! What an attacker may know, read off the data.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::{Events, ItemId};

use crate::MethodError;
use crate::set::baskets::{Baskets, NONE, plain};
use crate::set::index::Index;

/// More sets than anybody can look at, or a machine should be asked to hold.
const MAX_SETS: usize = 5_000_000;

/// All sets of up to `m` items that some people have, and fewer than `k`; by first item.
pub fn rare_sets(
    events: &Events,
    items: usize,
    k: u64,
    m: usize,
    progress: &Progress,
) -> Result<Vec<Vec<ItemId>>, MethodError> {
    let index = Index::new(Baskets::of(events, &plain(items), &[]), items, 0);
    let phase = progress.phase("find rare sets", Some(items as u64));
    let alone = index.alone();
    let parts: Result<Vec<Vec<Vec<ItemId>>>, MethodError> = (0..items as ItemId)
        .into_par_iter()
        .map(|item| {
            let mut found = Vec::new();
            let (people, _) = alone.of(item);
            if people > 0 && m > 0 {
                let mut walk = Walk { index: &index, k, m, progress, found: &mut found };
                walk.visit(&mut vec![item], index.rows_with(item), people)?;
            }
            phase.advance(1)?;
            Ok(found)
        })
        .collect();
    let parts = parts?;
    if parts.iter().map(Vec::len).sum::<usize>() > MAX_SETS {
        return Err(too_many());
    }
    Ok(parts.into_iter().flatten().collect())
}

struct Walk<'a> {
    index: &'a Index,
    k: u64,
    m: usize,
    progress: &'a Progress,
    found: &'a mut Vec<Vec<ItemId>>,
}

impl Walk<'_> {
    fn visit(&mut self, set: &mut Vec<ItemId>, rows: &[u32], people: u64) -> Result<(), MethodError> {
        if people < self.k {
            self.found.push(set.clone());
        }
        if self.found.len() > MAX_SETS {
            return Err(too_many());
        }
        if set.len() == self.m {
            return Ok(());
        }
        self.progress.check()?;
        for (item, people) in self.index.found_beside(rows, set.last().copied()) {
            set.push(item);
            if set.len() < self.m {
                let rows = self.index.having(rows, item);
                self.visit(set, &rows, people)?;
            } else if people < self.k {
                self.found.push(set.clone());
            }
            set.pop();
        }
        Ok(())
    }
}

fn too_many() -> MethodError {
    MethodError::Infeasible {
        why: format!("more than {MAX_SETS} sets of items are rare"),
        help: "use a smaller `m`, or merge rare items beforehand".into(),
    }
}

/// Every record, restricted to `of` unless that is empty, without those that are part of another.
pub fn whole_records(
    events: &Events,
    items: usize,
    of: &[ItemId],
    progress: &Progress,
) -> Result<Vec<Vec<ItemId>>, Cancelled> {
    let mut symbol_of = if of.is_empty() { plain(items) } else { vec![NONE; items] };
    of.iter().for_each(|item| symbol_of[*item as usize] = *item);
    let index = Index::new(Baskets::of(events, &symbol_of, &[]), items, 0);
    let baskets = index.baskets();
    let phase = progress.phase("find whole records", Some(baskets.rows() as u64));
    let is_part = |row: usize| {
        let own = baskets.row(row);
        let rarest = own.iter().min_by_key(|item| index.rows_with(**item).len());
        rarest.is_some_and(|item| {
            index.rows_with(*item).iter().any(|other| {
                let wider = baskets.row(*other as usize);
                let longer = wider.len() > own.len() || (wider == own && (*other as usize) < row);
                longer && own.iter().all(|item| wider.binary_search(item).is_ok())
            })
        })
    };
    let kept: Result<Vec<Option<Vec<ItemId>>>, Cancelled> = (0..baskets.rows())
        .into_par_iter()
        .map(|row| {
            phase.advance(1)?;
            Ok((!is_part(row)).then(|| baskets.row(row).to_vec()))
        })
        .collect();
    Ok(kept?.into_iter().flatten().collect())
}

/// Items that some people have, and fewer than `k`.
pub fn rare_items(events: &Events, items: usize, k: u64) -> Vec<Vec<ItemId>> {
    let people = events.people_by_item(items);
    (0..items as ItemId)
        .filter(|item| (1..k).contains(&people[*item as usize]))
        .map(|item| vec![item])
        .collect()
}

/// All pairs of a list.
pub fn pairs(of: &[ItemId]) -> Vec<Vec<ItemId>> {
    let mut list = of.to_vec();
    list.sort_unstable();
    list.dedup();
    let after = |at: usize| list[at + 1..].iter();
    (0..list.len())
        .flat_map(|at| after(at).map(move |other| (at, *other)))
        .map(|(at, other)| vec![list[at], other])
        .collect()
}
