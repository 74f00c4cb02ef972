//! What a specialisation would do to a group: how small its parts become, and whether they satisfy the demands.

use super::super::demands::Demands;
use super::super::rows::Layout;

/// What a specialisation of each column would do to a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effect {
    pub smallest: u32,
    pub allowed: bool,
}

/// The smallest part of a group under a specialisation of one column, and whether all parts satisfy the demands.
pub(super) fn effect(
    words: &[u32],
    layout: Layout,
    column: usize,
    parts: usize,
    part: &[u32],
    demands: &Demands,
) -> Effect {
    if parts == 0 {
        return Effect { smallest: u32::MAX, allowed: true };
    }
    let mut counts = vec![0_u32; parts];
    for row in layout.iter(words) {
        counts[part[row[column] as usize] as usize] += 1;
    }
    let smallest = counts.iter().copied().filter(|count| *count > 0).min().unwrap_or(u32::MAX);
    let mut allowed = smallest >= demands.k;
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut tally: Vec<(u32, u32)> = Vec::new();
    for (number, secret) in demands.secrets.iter().enumerate() {
        if !allowed {
            break;
        }
        pairs.clear();
        pairs.extend(layout.iter(words).map(|row| (part[row[column] as usize], row[layout.quasi + number])));
        pairs.sort_unstable();
        allowed = pairs.chunk_by(|a, b| a.0 == b.0).all(|run| {
            tally.clear();
            tally.extend(run.chunk_by(|a, b| a.1 == b.1).map(|same| (same[0].1, same.len() as u32)));
            demands.known_diverse(secret, &tally) && demands.close(secret, &tally, &secret.overall)
        });
    }
    Effect { smallest, allowed }
}
