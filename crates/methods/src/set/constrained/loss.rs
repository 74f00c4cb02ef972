//! What a generalised item loses.

use std::cmp::Ordering;

/// The papers' loss of a generalised item, but for factors that are the same for all: `(2^items - 1) people`; of equal
/// losses the one with fewer people is less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loss {
    pub items: usize,
    pub people: u64,
}

/// People are fewer than 2 to the power of this.
const PEOPLE_BITS: usize = 40;

impl Ord for Loss {
    /// Exact, however many items there are: logarithms would make different losses equal, and their order would then depend
    /// on which are compared first.
    fn cmp(&self, other: &Loss) -> Ordering {
        if self.items < other.items {
            return other.cmp(self).reverse();
        }
        let more = self.items - other.items;
        let by_loss = if self.people == 0 || other.people == 0 {
            // A cluster without people loses nothing.
            (self.people > 0).cmp(&(other.people > 0))
        } else if more == 0 {
            self.people.cmp(&other.people)
        } else if more > PEOPLE_BITS {
            Ordering::Greater
        } else {
            // (2^a - 1) p against (2^b - 1) q is 2^b (2^(a-b) p - q) against p - q.
            let (p, q) = (i128::from(self.people), i128::from(other.people));
            let ahead = (p << more) - q;
            // Whatever b is beyond the people, it only makes the left side larger.
            (ahead << other.items.min(PEOPLE_BITS)).cmp(&(p - q))
        };
        by_loss.then(self.people.cmp(&other.people))
    }
}

impl PartialOrd for Loss {
    fn partial_cmp(&self, other: &Loss) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_compare_as_whole_numbers() {
        let of = |items, people| Loss { items, people };
        for (a, b) in (1..12).flat_map(|a| (1..12).map(move |b| (a, b))) {
            for (p, q) in (0..40_u64).flat_map(|p| (0..40_u64).map(move |q| (p, q))) {
                let exact = |items: usize, people: u64| ((1_u64 << items) - 1) * people;
                let expected = exact(a, p).cmp(&exact(b, q)).then(p.cmp(&q));
                assert_eq!(of(a, p).cmp(&of(b, q)), expected, "{a} {p} {b} {q}");
            }
        }
        // 2^72 - 4 and 2^72 - 2.
        assert!(of(70, 4) < of(71, 2));
        assert!(of(5000, 3) < of(5001, 2) && of(5000, 5) > of(5001, 2) && of(5000, 1) > of(3, 1 << 33));
    }
}
