//! Which doublets to suppress: the greedy choice of Algorithm 2.
//!
//! The paper keeps violating and maximal frequent sequences in two trees, to find and count those that contain a
//! doublet. Lists of sequences by doublet give the same counts, and a tournament the next winner without looking at
//! all doublets again.

use throng_contract::{Cancelled, Progress, choices};
use throng_mine::doublets::FrequentSet;

use super::tournament::Tournament;
use super::violating::ViolatingSets;

choices! {
    /// The three score functions of the paper, by their numbers.
    pub enum Score {
        /// Violating sequences removed for each maximal frequent sequence lost (plus one).
        GainPerLoss = "1",
        /// Most violating sequences removed.
        Gain = "2",
        /// Fewest maximal frequent sequences lost.
        Loss = "3",
    }
}

/// A doublet to suppress everywhere, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The doublet.
    pub doublet: u32,
    /// Violating sequences that go with it (PrivGain).
    pub gain: u32,
    /// Maximal frequent sequences that go with it (UtilityLoss).
    pub loss: u32,
    /// The smallest violating sequence that goes with it.
    pub example: usize,
}

/// Chooses doublets until no violating sequence is left. `support[d]` is the number of people with doublet `d`.
pub fn choose(
    violating: &ViolatingSets,
    frequent: &[FrequentSet],
    support: &[u64],
    score: Score,
    progress: &Progress,
) -> Result<Vec<Choice>, Cancelled> {
    let doublets = support.len();
    let mut violations = Register::new(doublets, violating.iter());
    let mut patterns = Register::new(doublets, frequent.iter().map(|set| set.doublets.as_slice()));
    let mut tournament = {
        let (gain, loss) = (&violations.count, &patterns.count);
        Tournament::new(doublets, |a, b| beats(score, gain, loss, support, a, b))
    };
    let phase = progress.phase("choose what to suppress", Some(violating.len() as u64));
    let mut choices = Vec::new();
    let mut changed = Vec::new();
    while let Some(doublet) = tournament.winner() {
        let gain = violations.count[doublet as usize];
        if gain == 0 {
            break;
        }
        let example = violations.first_with(doublet);
        choices.push(Choice { doublet, gain, loss: patterns.count[doublet as usize], example });
        violations.remove(doublet, |at| violating.get(at), &mut changed);
        patterns.remove(doublet, |at| &frequent[at].doublets, &mut changed);
        changed.sort_unstable();
        changed.dedup();
        for doublet in changed.drain(..) {
            let (gain, loss) = (&violations.count, &patterns.count);
            tournament.replay(doublet, |a, b| beats(score, gain, loss, support, a, b));
        }
        phase.advance(u64::from(gain))?;
    }
    Ok(choices)
}

/// The order of choice: only doublets of violating sequences, higher score, fewer people, earlier time.
fn beats(score: Score, gain: &[u32], loss: &[u32], support: &[u64], a: u32, b: u32) -> bool {
    let (gain_a, gain_b) = (u64::from(gain[a as usize]), u64::from(gain[b as usize]));
    if gain_a == 0 || gain_b == 0 {
        return (gain_a > 0, b) > (gain_b > 0, a);
    }
    let (loss_a, loss_b) = (u64::from(loss[a as usize]) + 1, u64::from(loss[b as usize]) + 1);
    let order = match score {
        Score::GainPerLoss => (gain_a * loss_b).cmp(&(gain_b * loss_a)),
        Score::Gain => gain_a.cmp(&gain_b),
        // Most doublets end no maximal sequence at all: among them the one that clears most goes first.
        Score::Loss => loss_b.cmp(&loss_a).then(gain_a.cmp(&gain_b)),
    };
    let order = order.then(support[b as usize].cmp(&support[a as usize])).then(b.cmp(&a));
    order.is_gt()
}

/// Sets by the doublets they contain, with a count of those not yet removed.
struct Register {
    starts: Vec<u64>,
    sets: Vec<u32>,
    removed: Vec<bool>,
    count: Vec<u32>,
}

impl Register {
    fn new<'a>(doublets: usize, sets: impl ExactSizeIterator<Item = &'a [u32]> + Clone) -> Self {
        let mut starts = vec![0_u64; doublets + 1];
        let mut count = vec![0_u32; doublets];
        for doublet in sets.clone().flatten() {
            starts[*doublet as usize + 1] += 1;
            count[*doublet as usize] += 1;
        }
        for doublet in 0..doublets {
            starts[doublet + 1] += starts[doublet];
        }
        let mut free = starts.clone();
        let mut numbers = vec![0_u32; starts[doublets] as usize];
        let removed = vec![false; sets.len()];
        for (number, set) in sets.enumerate() {
            for doublet in set {
                let slot = &mut free[*doublet as usize];
                numbers[*slot as usize] = number as u32;
                *slot += 1;
            }
        }
        Register { starts, sets: numbers, removed, count }
    }

    fn with(&self, doublet: u32) -> &[u32] {
        let doublet = doublet as usize;
        &self.sets[self.starts[doublet] as usize..self.starts[doublet + 1] as usize]
    }

    fn first_with(&self, doublet: u32) -> usize {
        let first = self.with(doublet).iter().find(|set| !self.removed[**set as usize]);
        first.map_or(0, |set| *set as usize)
    }

    /// Removes the sets that contain a doublet; adds every doublet whose count changed to `changed`.
    fn remove<'a>(&mut self, doublet: u32, get: impl Fn(usize) -> &'a [u32], changed: &mut Vec<u32>) {
        for position in self.starts[doublet as usize]..self.starts[doublet as usize + 1] {
            let set = self.sets[position as usize] as usize;
            if !std::mem::replace(&mut self.removed[set], true) {
                for member in get(set) {
                    self.count[*member as usize] -= 1;
                    changed.push(*member);
                }
            }
        }
    }
}
