//! Attackers who know the published columns of a person, too: people who differ in one of them do not fit.
//!
//! # Cost
//! Each target is looked for alone, because those of whom the same events are known may differ in their columns. Counting
//! stops at the crowd that is enough, so that common events cost little and rare ones have short lists.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};

use super::crowd::Crowd;
use super::knowledge::Known;
use super::point::Reach;

/// For each target, what attackers reach with one event, two, up to `most`. `groups` numbers people alike who agree in all
/// columns, published and known people being the same.
pub(super) fn look_for(
    targets: &[Known],
    most: usize,
    crowd: &Crowd<'_>,
    groups: &[u32],
    progress: &Progress,
) -> Result<Vec<Vec<Reach>>, Cancelled> {
    let phase = progress.phase("attack", Some(targets.len() as u64));
    targets
        .par_iter()
        .map(|target| {
            phase.advance(1)?;
            let own = target.subject as usize;
            let agrees = |person: u32| groups[person as usize] == groups[own];
            let reach = |known: usize| {
                let usable = crowd.usable(Some(own), &target.first(known));
                Reach { people: crowd.count_among(&usable, agrees), guess: None }
            };
            Ok((1..=most).map(reach).collect())
        })
        .collect()
}
