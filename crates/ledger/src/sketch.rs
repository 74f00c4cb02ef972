//! Who is in a release, without saying who.
//!
//! The names of all people are hashed under the ledger's key, and the 1,024 smallest hashes are kept (a bottom-k
//! sketch). Hashes fall evenly, so those below a limit are a random sample of the people, and the *same* people of two
//! releases fall below the same limit: how many of one sample are in the other says how many people they share.
//!
//! # Guarantees
//! Up to 1,024 people in both releases the answer is exact. Above, it carries a 95% Wilson interval.
//! # Cost
//! One hash a person.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use throng_data::Dictionary;
use throng_measure::attack::Share;

use super::key::Key;

/// How many hashes are kept.
const SIZE: usize = 1024;
/// Below so many people of a sample, finding no person in common says nothing.
const ENOUGH: u64 = 30;

/// The people of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Sketch {
    /// Which key the hashes were made with.
    pub key: String,
    /// How many people there are.
    pub people: u64,
    /// The smallest hashes, ascending.
    smallest: Vec<u64>,
}

/// As it stands in a ledger: the hashes in hexadecimal, sixteen digits each.
#[derive(Serialize, Deserialize)]
struct Written {
    key: String,
    people: u64,
    smallest: String,
}

impl From<Sketch> for Written {
    fn from(sketch: Sketch) -> Self {
        let digits = sketch.smallest.iter().map(|hash| format!("{hash:016x}"));
        Written { key: sketch.key, people: sketch.people, smallest: digits.collect() }
    }
}

impl TryFrom<Written> for Sketch {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        const WRONG: &str = "the sketch of people is damaged";
        let digits = written.smallest.as_bytes();
        let hashes = digits.chunks(16).map(|digits| {
            let text = std::str::from_utf8(digits).ok().filter(|text| text.len() == 16);
            text.and_then(|text| u64::from_str_radix(text, 16).ok())
        });
        let smallest: Vec<u64> = hashes.collect::<Option<_>>().ok_or(WRONG)?;
        if !smallest.is_sorted() || smallest.len() > SIZE {
            return Err(WRONG);
        }
        Ok(Sketch { key: written.key, people: written.people, smallest })
    }
}

/// How much of a release's people an earlier one had too.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Overlap {
    /// Share of the later release's people.
    pub share: f64,
    /// Bounds of the share, 95% of the time.
    pub interval: [f64; 2],
    /// Whether nothing was estimated.
    pub exact: bool,
    /// How many people of the later release were looked up in the earlier one.
    pub compared: u64,
}

impl Overlap {
    /// Whether at least one person was found in both.
    pub fn is_some(&self) -> bool {
        self.share > 0.0
    }

    /// Whether too few people could be compared to tell.
    pub fn is_unknown(&self) -> bool {
        !self.is_some() && !self.exact && self.compared < ENOUGH
    }
}

impl Sketch {
    /// The people of a release.
    pub fn of(names: &Dictionary, key: &Key) -> Self {
        let mut hashes: Vec<u64> =
            (0..names.len() as u32).into_par_iter().map(|person| key.hash(names.name(person))).collect();
        if hashes.len() > SIZE {
            hashes.select_nth_unstable(SIZE - 1);
            hashes.truncate(SIZE);
        }
        hashes.sort_unstable();
        Sketch { key: key.fingerprint(), people: names.len() as u64, smallest: hashes }
    }

    /// How many of these people an earlier release had; `None` when the two were made with different keys.
    pub fn overlap(&self, earlier: &Sketch) -> Option<Overlap> {
        if self.key != earlier.key {
            return None;
        }
        let limits = [self, earlier].map(Sketch::limit);
        let limit = limits[0].unwrap_or(u64::MAX).min(limits[1].unwrap_or(u64::MAX));
        let exact = limits == [None, None];
        let sample = self.smallest.iter().filter(|hash| exact || **hash < limit);
        let (mut compared, mut common) = (0, 0);
        for hash in sample {
            compared += 1;
            common += u64::from(earlier.smallest.binary_search(hash).is_ok());
        }
        let found = Share::new(common, compared, !exact);
        // No people to compare: anything may be true.
        let interval = found.interval.unwrap_or(if exact { [found.share; 2] } else { [0.0, 1.0] });
        Some(Overlap { share: found.share, interval, exact, compared })
    }

    /// The largest hash kept, when some were not.
    fn limit(&self) -> Option<u64> {
        self.smallest.last().copied().filter(|_| self.people > self.smallest.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn sketch(people: Range<u32>, key: u8) -> Sketch {
        let mut names = Dictionary::new();
        people.for_each(|person| assert_ne!(names.intern(&format!("p{person}")), u32::MAX));
        Sketch::of(&names, &Key::of(key))
    }

    #[test]
    fn few_people_are_compared_exactly() {
        let overlap = sketch(0..100, 1).overlap(&sketch(75..500, 1)).unwrap();
        assert_eq!((overlap.share, overlap.exact, overlap.compared), (0.25, true, 100));
        let apart = sketch(0..100, 1).overlap(&sketch(100..500, 1)).unwrap();
        assert!(!apart.is_some() && !apart.is_unknown());
    }

    #[test]
    fn many_people_are_compared_by_a_sample_whose_interval_holds_the_truth() {
        for (later, earlier, truth) in
            [(0..20_000, 0..20_000, 1.0), (0..20_000, 10_000..40_000, 0.5), (0..3_000, 2_700..9_000, 0.1)]
        {
            let overlap = sketch(later, 1).overlap(&sketch(earlier, 1)).unwrap();
            let [low, high] = overlap.interval;
            assert!(!overlap.exact && low <= truth && truth <= high, "{overlap:?}, truth {truth}");
            assert!(high - low < 0.13, "{overlap:?}");
        }
    }

    #[test]
    fn a_handful_in_a_huge_crowd_cannot_be_told() {
        let overlap = sketch(0..5, 1).overlap(&sketch(0..200_000, 1)).unwrap();
        assert!(overlap.is_unknown() || overlap.is_some(), "{overlap:?}");
        assert_eq!(overlap.interval[1], 1.0);
    }

    #[test]
    fn sketches_of_different_keys_are_not_compared() {
        assert_eq!(sketch(0..10, 1).overlap(&sketch(0..10, 2)), None);
    }

    #[test]
    fn a_sketch_reads_back_as_written_and_damage_is_noticed() {
        let sketch = sketch(0..3000, 1);
        let text = serde_json::to_string(&sketch).unwrap();
        assert_eq!(serde_json::from_str::<Sketch>(&text).unwrap(), sketch);
        for damaged in [r#""00""#, r#""000000000000000g""#, r#""00000000000000020000000000000001""#] {
            let text = format!(r#"{{"key":"k","people":2,"smallest":{damaged}}}"#);
            assert!(serde_json::from_str::<Sketch>(&text).is_err(), "{damaged}");
        }
    }
}
