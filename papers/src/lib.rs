//! Every worked example of every paper, as printed: see `tests/`, one file for each paper. Beside the examples, the papers'
//! algorithms are written down there once more, step by step and without any cleverness, and compared on small data that
//! are drawn here.

/// Small numbers that look random and are the same in every run.
#[derive(Debug, Clone)]
pub struct Draw(u64);

impl Draw {
    /// A stream of its own for each number.
    pub fn new(stream: u64) -> Self {
        Draw(stream.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        // A multiplicative step, its high bits folded down: any generator would do.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let folded = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((folded >> 33) as usize) % bound.max(1)
    }

    /// Between `least` and `most` words over the first `letters` letters, each of `shortest` to `longest` of them.
    pub fn words(&mut self, number: [usize; 2], letters: usize, lengths: [usize; 2]) -> Vec<String> {
        let between = |draw: &mut Self, [low, high]: [usize; 2]| low + draw.below(high - low + 1);
        let number = between(self, number);
        (0..number)
            .map(|_| {
                let length = between(self, lengths);
                (0..length).map(|_| char::from(b'a' + self.below(letters) as u8)).collect()
            })
            .collect()
    }
}

/// All ways to choose `size` of `length` positions, in lexicographic order.
pub fn positions(length: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = |chosen: &Vec<usize>| {
            let from = chosen.last().map_or(0, |last| last + 1);
            let chosen = chosen.clone();
            (from..length).map(move |at| [chosen.as_slice(), &[at]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
