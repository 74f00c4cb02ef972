//! Which sets are part of a larger one of the same list.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use crate::Patterns;

/// For each set, whether another one holds it. Sets are sorted, and no two of them are equal.
pub(super) fn parts(sets: &Patterns, progress: &Progress) -> Result<Vec<bool>, Cancelled> {
    let phase = progress.phase("comparing sets", Some(sets.len() as u64));
    let size = sets.iter().flat_map(|set| set.items).max().map_or(0, |item| *item as usize + 1);
    let mut holders: Vec<Vec<u32>> = vec![Vec::new(); size];
    for (at, set) in sets.iter().enumerate() {
        set.items.iter().for_each(|item| holders[*item as usize].push(at as u32));
    }
    (0..sets.len())
        .into_par_iter()
        .map(|at| {
            if at % 4096 == 0 {
                phase.advance(4096.min((sets.len() - at) as u64))?;
            }
            let own = sets.get(at).items;
            let fewest = own.iter().map(|item| &holders[*item as usize]).min_by_key(|holders| holders.len());
            Ok(fewest.is_some_and(|others| {
                others.iter().map(|other| sets.get(*other as usize).items).any(|other| is_part(own, other))
            }))
        })
        .collect()
}

/// Whether a set is part of a larger one.
fn is_part(small: &[ItemId], large: &[ItemId]) -> bool {
    let mut rest = large.iter();
    small.len() < large.len() && small.iter().all(|item| rest.any(|other| other == item))
}
