//! Baskets drawn as the IBM Quest generator draws them: any number of records and terms, and any mean length.
//!
//! A pool of patterns, sets of terms that belong together, is drawn first. A pattern takes some of its terms from the one before it, so
//! that patterns overlap; how often one is used falls off exponentially, and each has a level of corruption, by which terms of it are left out.
//! A record has a length of its own (Poisson) and is filled from the pool.
//!
//! # Departs from the paper
//! Agrawal and Srikant keep a pattern that no longer fits whole, half of the time, and put it into the next record otherwise. Every record here is
//! one person's, who has a random stream of their own, so it is cut to fit or left out: lengths are as asked.

use super::draw::{Draw, Weighted};
use super::stream::push_row;
use super::{Character, Population, Sizes, World};

pub(super) const QUEST: World = World {
    name: "quest",
    purpose: "baskets of any number of terms and mean length, drawn as the IBM Quest generator does",
    files: &[
        ("events.csv", "subject,item: the terms of a person; the order says nothing"),
        ("baskets.dat", "the same in FIMI form, a record a line"),
        ("taxonomy.csv", "term;ten of them;a hundred;...: ten members a node"),
    ],
    attributes: &[],
    subjects: 10_000,
    sizes: Some(SIZES),
    character: Character {
        subjects: 10_000,
        items: 994,
        noun: "terms",
        events: 100_295,
        longest: 23,
        singled_out_by_2: 21.9,
        singled_out_by_4: 86.6,
    },
    stage: |sizes| Box::new(Quest::new(sizes.unwrap_or(SIZES))),
};

/// Sizes unless asked otherwise.
const SIZES: Sizes = Sizes { terms: 1_000, mean_length: 10.0 };

/// The pool is the same whatever the seed of the people.
const POOL_SEED: u64 = 1994;

/// Patterns in the pool, unless there are few terms.
const PATTERNS: u32 = 2_000;

/// Mean number of terms of a pattern.
const PATTERN_LENGTH: f64 = 4.0;

/// Mean share of a pattern's terms that it has from the one before.
const SHARED: f64 = 0.5;

/// Corruption is about this, with this standard deviation (a variance of 0.1).
const CORRUPTION: (f64, f64) = (0.5, 0.316);

/// Patterns tried for each term that is wanted, before a record is left shorter.
const TRIES: usize = 8;

struct Quest {
    terms: Vec<String>,
    mean_length: f64,
    patterns: Vec<Pattern>,
    use_of: Weighted,
}

/// Terms that belong together.
struct Pattern {
    terms: Vec<u32>,
    /// How likely it is that one more term is left out.
    corruption: f64,
}

impl Quest {
    fn new(sizes: Sizes) -> Self {
        let mut draw = Draw::new(POOL_SEED, 0);
        let count = PATTERNS.min(sizes.terms.saturating_mul(2));
        let mut patterns: Vec<Pattern> = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let length = (draw.poisson(PATTERN_LENGTH - 1.0) + 1).min(sizes.terms) as usize;
            let before: &[u32] = patterns.last().map_or(&[], |pattern| &pattern.terms);
            let shared = (draw.exponential(SHARED).min(1.0) * length as f64).round() as usize;
            let mut terms: Vec<u32> = before.iter().copied().take(shared.min(length)).collect();
            while terms.len() < length {
                let term = draw.below(sizes.terms);
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
            // What is left out of a pattern, and handed on to the next, is not always its first terms.
            for last in (1..terms.len()).rev() {
                terms.swap(last, draw.below(last as u32 + 1) as usize);
            }
            let corruption = (CORRUPTION.0 + CORRUPTION.1 * draw.normal()).clamp(0.0, 0.95);
            patterns.push(Pattern { terms, corruption });
        }
        let use_of = Weighted::new((0..count).map(|_| draw.exponential(1.0)));
        let terms = (0..sizes.terms).map(|term| format!("t{term}")).collect();
        Quest { terms, mean_length: sizes.mean_length, patterns, use_of }
    }

    /// The terms of one record, ascending.
    fn record(&self, draw: &mut Draw) -> Vec<u32> {
        let wanted = (draw.poisson(self.mean_length - 1.0) as usize + 1).min(self.terms.len());
        let mut record: Vec<u32> = Vec::with_capacity(wanted);
        for _ in 0..TRIES * wanted {
            if record.len() >= wanted {
                break;
            }
            let pattern = &self.patterns[self.use_of.draw(draw)];
            let mut used = pattern.terms.len();
            while used > 0 && draw.chance(pattern.corruption) {
                used -= 1;
            }
            let fresh: Vec<u32> =
                pattern.terms[..used].iter().copied().filter(|term| !record.contains(term)).collect();
            let room = wanted - record.len();
            if fresh.len() <= room || draw.chance(0.5) {
                record.extend(fresh.into_iter().take(room));
            }
        }
        if record.is_empty() {
            record.push(draw.below(self.terms.len() as u32));
        }
        record.sort_unstable();
        record
    }
}

impl Population for Quest {
    fn tables(&self) -> Vec<(&'static str, String)> {
        let mut levels = 0;
        let mut groups = self.terms.len();
        while groups > 1 {
            groups = groups.div_ceil(10);
            levels += 1;
        }
        let mut taxonomy = String::new();
        for (number, term) in self.terms.iter().enumerate() {
            taxonomy.push_str(term);
            let mut size = 1;
            for level in 1..levels.max(1) {
                size *= 10;
                taxonomy.push_str(&format!(";l{level}-{}", number / size));
            }
            taxonomy.push_str(";*\n");
        }
        vec![("taxonomy.csv", taxonomy)]
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item"), ("baskets.dat", "")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let record = self.record(draw);
        for (nth, term) in record.iter().enumerate() {
            let term = &self.terms[*term as usize];
            push_row(&mut rows[0], &[subject, term]);
            if nth > 0 {
                rows[1].push(b' ');
            }
            rows[1].extend_from_slice(term.as_bytes());
        }
        rows[1].push(b'\n');
        record.len() as u64
    }
}
