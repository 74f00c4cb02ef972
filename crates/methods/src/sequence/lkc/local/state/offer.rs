//! Suppressions that could be made, and which is the best.

/// A suppression that could be made: of a doublet, in the records of a violating sequence or everywhere.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    pub doublet: u32,
    pub within: Option<u32>,
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
