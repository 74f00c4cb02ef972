//! Crowds counted for many targets at once.
//!
//! Where items are common, nearly every record has to be looked at for every target. Then it pays to turn the records
//! into columns: for each clue the first and the last place in a record where it fits. Of two known events one may
//! come before the other where the first place of the one lies before the last place of the other. Of more, the same must
//! hold for neighbours; and that is enough where those in the middle fit one place only, or where first places, and after
//! them last places, are in order. The few other records are looked at one by one. Events in no order need be there as often
//! as they are known. Columns are made for a block of records at a time, which stays in the cache; two columns are compared once
//! for all targets, and leave one bit a record. Targets of whom the same is known are counted once.
//!
//! # Cost
//! Up to three comparisons for each two columns that some target has as neighbours: about 0.1 ms each for a million records. Then a few
//! instructions for 64 records, for each different choice of known events.

mod columns;
mod plan;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use self::columns::Columns;
use self::plan::Plan;
use super::crowd::Crowd;
use super::knowledge::Clue;
use super::point::Reach;
use super::search::is_part;
use super::secrets::Guess;

/// Records in a block, unless one person has more.
const BLOCK: usize = 1 << 10;

/// Counts the people who fit, for each target with two known events, three, and so on, as far as all of them are common.
/// Nothing when records are too long for it.
pub(super) fn count(
    usable: &[Vec<Vec<Clue>>],
    crowd: &Crowd<'_>,
    progress: &Progress,
) -> Result<Vec<Vec<Option<Reach>>>, Cancelled> {
    let mut reached: Vec<Vec<Option<Reach>>> = usable.iter().map(|levels| vec![None; levels.len()]).collect();
    if !crowd.has_columns() {
        return Ok(reached);
    }
    let mut clues: Vec<Clue> =
        usable.iter().flatten().filter(|known| known.len() > 1).flatten().copied().collect();
    clues.sort_unstable();
    clues.dedup();
    clues.retain(|clue| crowd.is_common(*clue));
    // Clues that fit the same released items are the same where only places are compared.
    let mut clues: Vec<&[ItemId]> = clues.into_iter().map(|clue| crowd.released(clue)).collect();
    clues.sort_unstable();
    clues.dedup();

    let width = 1 + crowd.secrets().map_or(0, |secrets| secrets.len());
    let ordered = crowd.is_ordered();
    let mut plan = Plan::new(ordered);
    let mut places = Vec::new();
    for (target, levels) in usable.iter().enumerate() {
        let mut before: Option<(&[Clue], u32)> = None;
        for (level, known) in levels.iter().enumerate().filter(|(_, known)| known.len() > 1) {
            let columns: Option<Vec<u32>> = known
                .iter()
                .map(|clue| Some(clues.binary_search(&crowd.released(*clue)).ok()? as u32))
                .collect();
            let Some(columns) = columns else { break };
            if !ordered && !crowd.stand_apart(known) {
                break;
            }
            let wider = before.filter(|(clues, _)| is_part(clues, known)).map(|(_, question)| question);
            let question = plan.ask(columns, wider);
            places.push((target, level, question));
            before = Some((known, question));
        }
    }
    let plan = plan.finish();

    let rows = plan.questions() * width;
    let counts = crowd
        .blocks(BLOCK)
        .into_par_iter()
        .map(|block| {
            progress.check()?;
            Ok(block)
        })
        .try_fold(
            || (Columns::new(&clues, crowd, &plan), vec![0_u32; rows]),
            |(mut columns, mut counts), block: Result<_, Cancelled>| {
                columns.fill(block?);
                columns.answer(width, &mut counts);
                columns.clear();
                Ok((columns, counts))
            },
        )
        .map(|folded: Result<(Columns<'_, '_>, Vec<u32>), Cancelled>| folded.map(|(_, counts)| counts))
        .try_reduce(
            || vec![0_u32; rows],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                Ok(a)
            },
        )?;
    for (target, level, question) in places {
        let row = &counts[question as usize * width..][..width];
        reached[target][level] = Some(Reach { people: row[0], guess: Guess::best(&row[1..]) });
    }
    Ok(reached)
}
