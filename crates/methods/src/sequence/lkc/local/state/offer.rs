//! Suppressions that could be made, and which is the best.

use std::ops::Range;

use super::super::super::violating::ViolatingSets;

/// A suppression that could be made: of a doublet, in the records of a violating sequence or everywhere.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    pub doublet: u32,
    pub within: Option<u32>,
}

/// All offers: of each violating sequence one for each doublet, in order; then one for each doublet everywhere.
pub(super) struct Offers {
    pub all: Vec<Offer>,
    /// By violating sequence, its first offer.
    first: Vec<u32>,
    /// By doublet, the offer that suppresses it everywhere.
    everywhere: Vec<Option<u32>>,
}

impl Offers {
    pub fn of(violating: &ViolatingSets, doublets: usize) -> Self {
        let mut all: Vec<Offer> = Vec::new();
        let mut first = Vec::with_capacity(violating.len());
        let mut everywhere = vec![None; doublets];
        for (number, set) in (0..).zip(violating.iter()) {
            first.push(all.len() as u32);
            for doublet in set {
                all.push(Offer { doublet: *doublet, within: Some(number) });
                everywhere[*doublet as usize] = Some(0);
            }
        }
        for (doublet, offer) in (0..).zip(&mut everywhere) {
            if let Some(offer) = offer {
                *offer = all.len() as u32;
                all.push(Offer { doublet, within: None });
            }
        }
        Offers { all, first, everywhere }
    }

    /// The offer to suppress a doublet everywhere, if it is in a violating sequence.
    pub fn everywhere(&self, doublet: u32) -> Option<u32> {
        self.everywhere[doublet as usize]
    }

    /// The offers of a violating sequence of so many doublets.
    pub fn within(&self, set: u32, doublets: usize) -> Range<u32> {
        let first = self.first[set as usize];
        first..first + doublets as u32
    }

    /// The offer to suppress a doublet in the records of a violating sequence, if that contains it.
    pub fn one(&self, violating: &ViolatingSets, set: u32, doublet: u32) -> Option<u32> {
        let place = violating.get(set as usize).iter().position(|member| *member == doublet)?;
        Some(self.first[set as usize] + place as u32)
    }
}

/// What an offer would do.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    pub cleared: u32,
    pub loss: u64,
}

/// Where an offer stands.
pub(super) enum Standing {
    /// It would do this. Whether it is allowed is only asked of the best.
    Worth(Worth),
    /// It was not allowed, and is not before one of these doublets is suppressed somewhere.
    Refused { until: Vec<u32> },
    /// Nothing is left for it to clear, and never will be.
    Nothing,
}

impl Standing {
    /// Whether it was refused until this doublet is suppressed somewhere.
    pub fn waits_for(&self, doublet: u32) -> bool {
        matches!(self, Standing::Refused { until } if until.binary_search(&doublet).is_ok())
    }

    fn worth(&self) -> Option<Worth> {
        match self {
            Standing::Worth(worth) => Some(*worth),
            Standing::Refused { .. } | Standing::Nothing => None,
        }
    }
}

/// More sequences cleared for each unit of loss; local before global, then less loss, then the earlier doublet.
pub(super) fn beats(offers: &[Offer], standings: &[Standing], a: u32, b: u32) -> bool {
    let (worth_a, worth_b) = match (standings[a as usize].worth(), standings[b as usize].worth()) {
        (Some(worth_a), Some(worth_b)) => (worth_a, worth_b),
        (one, other) => return (one.is_some(), b) > (other.is_some(), a),
    };
    let (offer_a, offer_b) = (offers[a as usize], offers[b as usize]);
    let value = |of: Worth, against: Worth| u128::from(of.cleared) * (u128::from(against.loss) + 1);
    let order = value(worth_a, worth_b)
        .cmp(&value(worth_b, worth_a))
        .then(offer_a.within.is_some().cmp(&offer_b.within.is_some()))
        .then(worth_b.loss.cmp(&worth_a.loss))
        .then(offer_b.doublet.cmp(&offer_a.doublet))
        .then(b.cmp(&a));
    order.is_gt()
}
