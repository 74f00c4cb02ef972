//! The best of many numbered contestants, kept up to date while their standings change.

/// A binary tree of matches; the winner of all is at its root. A change replays the matches on one path only.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// `winners[1]` won it all; contestants sit in `winners[size..]`, and `NO_CONTESTANT` fills the rest.
    winners: Vec<u32>,
    size: usize,
}

const NO_CONTESTANT: u32 = u32::MAX;

impl Tournament {
    /// Plays all matches among `contestants` numbers; `beats(a, b)` must be a strict total order.
    pub fn new(contestants: usize, beats: impl Fn(u32, u32) -> bool) -> Self {
        let size = contestants.next_power_of_two();
        let mut winners = vec![NO_CONTESTANT; 2 * size];
        for contestant in 0..contestants {
            winners[size + contestant] = contestant as u32;
        }
        let mut tournament = Tournament { winners, size };
        for at in (1..size).rev() {
            tournament.play(at, &beats);
        }
        tournament
    }

    /// The winner, if there is anybody.
    pub fn winner(&self) -> Option<u32> {
        self.winners.get(1).copied().filter(|winner| *winner != NO_CONTESTANT)
    }

    /// The standing of a contestant changed.
    pub fn replay(&mut self, contestant: u32, beats: impl Fn(u32, u32) -> bool) {
        let mut at = (self.size + contestant as usize) / 2;
        while at > 0 {
            self.play(at, &beats);
            at /= 2;
        }
    }

    fn play(&mut self, at: usize, beats: impl Fn(u32, u32) -> bool) {
        let (left, right) = (self.winners[2 * at], self.winners[2 * at + 1]);
        self.winners[at] = match (left, right) {
            (NO_CONTESTANT, other) | (other, NO_CONTESTANT) => other,
            _ if beats(right, left) => right,
            _ => left,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_is_the_best_after_every_change() {
        let mut standing = [3_u32, 1, 4, 1, 5, 9, 2];
        let mut tournament =
            Tournament::new(standing.len(), |a, b| standing[a as usize] > standing[b as usize]);
        for (contestant, value) in [(5, 0), (2, 7), (4, 8), (2, 0), (4, 0), (0, 0)] {
            standing[contestant as usize] = value;
            // Equal standings: the lower number, so that the order is total.
            let beats = |a: u32, b: u32| {
                (standing[a as usize], std::cmp::Reverse(a)) > (standing[b as usize], std::cmp::Reverse(b))
            };
            tournament.replay(contestant, beats);
            let best = (0..standing.len() as u32)
                .max_by_key(|c| standing[*c as usize])
                .map(|c| standing[c as usize]);
            assert_eq!(tournament.winner().map(|winner| standing[winner as usize]), best);
        }
        assert_eq!(Tournament::new(0, |_, _| false).winner(), None);
        assert_eq!(Tournament::new(1, |_, _| false).winner(), Some(0));
    }
}
