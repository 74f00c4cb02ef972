//! Looks for all targets, sharing work between those of whom the same is known.
//!
//! What is known with one event more fits a part of those who fitted before, so records that fit are looked through
//! again instead of all. Whole lists are walked only for the first two events, and once for all targets with the same two.
//! Ordered events that many people have are counted for all targets together: see [`dense`].

use rayon::prelude::*;
use throng_contract::{Cancelled, Phase, Progress};

use super::crowd::{Crowd, Matches};
use super::dense;
use super::knowledge::{Clue, Known};
use super::point::Reach;
use super::scene::Own;

/// Targets are looked for in batches of this size, to bound what is kept of them.
const BATCH: usize = 1 << 13;

/// What is usable of what is known of one target, with one event, two, and so on.
type Usable = Vec<Vec<Clue>>;

/// For each target, what attackers reach with one event, two, up to `most`.
pub(super) fn look_for(
    targets: &[Known],
    most: usize,
    crowd: &Crowd<'_>,
    own: &Own,
    progress: &Progress,
) -> Result<Vec<Vec<Reach>>, Cancelled> {
    let phase = progress.phase("attack", Some(targets.len() as u64));
    let mut reached = Vec::with_capacity(targets.len());
    for batch in targets.chunks(BATCH) {
        let usable: Vec<Usable> = batch
            .par_iter()
            .map(|target| {
                progress.check()?;
                let of = own.of(target.subject);
                let usable = |known: usize| match own {
                    Own::Whole => target.first(known).to_vec(),
                    _ => crowd.usable(of, &target.first(known)),
                };
                Ok((1..=most).map(usable).collect())
            })
            .collect::<Result<_, Cancelled>>()?;
        reached.extend(Batch::new(&usable, crowd, progress)?.look_for_all(&phase)?);
    }
    Ok(reached)
}

struct Batch<'b, 'a> {
    usable: &'b [Usable],
    crowd: &'b Crowd<'a>,
    /// What is reached with one event or none, by what is known, ascending.
    singles: Vec<(&'b [Clue], Reach)>,
    /// What was counted for all targets at once, by target and number of known events.
    counted: Vec<Vec<Option<Reach>>>,
}

impl<'b, 'a> Batch<'b, 'a> {
    fn new(usable: &'b [Usable], crowd: &'b Crowd<'a>, progress: &Progress) -> Result<Self, Cancelled> {
        let mut singles: Vec<&[Clue]> =
            usable.iter().flatten().map(Vec::as_slice).filter(|known| known.len() < 2).collect();
        singles.par_sort_unstable();
        singles.dedup();
        let singles = singles
            .into_par_iter()
            .map(|known| {
                progress.check()?;
                Ok((known, reach(&crowd.find(known, None))))
            })
            .collect::<Result<_, Cancelled>>()?;
        let counted = dense::count(usable, crowd, progress)?;
        Ok(Batch { usable, crowd, singles, counted })
    }

    /// Targets with the same two events follow each other, and are looked for together.
    fn look_for_all(&self, phase: &Phase<'_>) -> Result<Vec<Vec<Reach>>, Cancelled> {
        let pair = |target: usize| -> Option<&[Clue]> {
            let counted = self.counted[target].get(1).is_some_and(Option::is_some);
            self.usable[target].get(1).filter(|known| known.len() == 2 && !counted).map(Vec::as_slice)
        };
        let mut order: Vec<usize> = (0..self.usable.len()).collect();
        order.par_sort_unstable_by_key(|target| (pair(*target), *target));
        let groups: Vec<&[usize]> =
            order.chunk_by(|a, b| pair(*a).is_some() && pair(*a) == pair(*b)).collect();
        let reached: Vec<Vec<(usize, Vec<Reach>)>> = groups
            .into_par_iter()
            .map(|group| {
                let two =
                    group.first().and_then(|target| pair(*target)).map(|two| self.crowd.find(two, None));
                group
                    .iter()
                    .map(|target| {
                        let reached = self.look_for(*target, two.as_ref());
                        phase.advance(1)?;
                        Ok((*target, reached))
                    })
                    .collect::<Result<Vec<_>, Cancelled>>()
            })
            .collect::<Result<_, Cancelled>>()?;
        let mut by_target = vec![Vec::new(); self.usable.len()];
        for (target, reached) in reached.into_iter().flatten() {
            by_target[target] = reached;
        }
        Ok(by_target)
    }

    fn look_for(&self, target: usize, two: Option<&Matches>) -> Vec<Reach> {
        let usable = &self.usable[target];
        let mut reached: Vec<Reach> = Vec::with_capacity(usable.len());
        let mut last: Option<Matches> = None;
        for (place, known) in usable.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| &usable[before]);
            let next = match (before, reached.last(), self.counted[target][place]) {
                (Some(before), Some(reach), _) if before == known => *reach,
                (_, _, Some(counted)) => counted,
                _ if known.len() < 2 => self.single(known),
                _ if place == 1 && two.is_some() => two.map_or_else(|| self.single(known), reach),
                _ => {
                    // Choices of what is usable need not grow: only a part of what is known now may narrow the search.
                    let wider = last.as_ref().or(two.filter(|_| place == 2));
                    let narrowed = wider.and_then(|found| found.records.as_deref());
                    let among = narrowed.filter(|_| before.is_some_and(|before| is_part(before, known)));
                    let found = self.crowd.find(known, among);
                    let next = reach(&found);
                    last = Some(found);
                    next
                }
            };
            reached.push(next);
        }
        reached
    }

    fn single(&self, known: &[Clue]) -> Reach {
        match self.singles.binary_search_by_key(&known, |(known, _)| known) {
            Ok(place) => self.singles[place].1,
            Err(_) => reach(&self.crowd.find(known, None)),
        }
    }
}

fn reach(found: &Matches) -> Reach {
    Reach { people: found.people, guess: found.guess }
}

/// Whether one choice of clues is what another becomes by leaving some out.
pub(super) fn is_part(part: &[Clue], whole: &[Clue]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|clue| rest.any(|other| other == clue))
}
