//! What supports give away across chunks.
//!
//! Of a group of `n` people `x` have one thing and `y` another. However chunks are put together, at least `x + y - n` have both: of
//! those with the rarer thing, that share has the other for sure.

/// The largest share that may follow: one in so many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub one_in: u64,
}

impl Bound {
    /// Whether supports of different chunks in a group of people link more than they may.
    pub fn is_broken(self, x: u64, y: u64, people: u64) -> bool {
        (x + y).saturating_sub(people).saturating_mul(self.one_in) > x.min(y)
    }

    /// The rarest term that is linked with one of another chunk too surely. `chunks` hold terms by falling support.
    pub fn rarest_linked(
        self,
        chunks: &[Vec<usize>],
        support: impl Fn(&usize) -> u64,
        people: u64,
    ) -> Option<usize> {
        let most: Vec<u64> =
            chunks.iter().map(|chunk| chunk.iter().map(&support).max().unwrap_or(0)).collect();
        let linked = |(number, term): (usize, usize)| {
            let others = most.iter().enumerate().filter(|(other, _)| *other != number);
            let x = others.map(|(_, most)| *most).max().unwrap_or(0);
            x > 0 && self.is_broken(x, support(&term), people)
        };
        let all = chunks
            .iter()
            .enumerate()
            .flat_map(|(number, chunk)| chunk.iter().map(move |term| (number, *term)));
        all.filter(|entry| linked(*entry)).map(|(_, term)| term).max()
    }
}

/// The largest share that follows from two supports in a group of people, as a fraction of whole numbers.
pub(super) fn linked_share(x: u64, y: u64, people: u64) -> (u64, u64) {
    ((x + y).saturating_sub(people), x.min(y).max(1))
}
