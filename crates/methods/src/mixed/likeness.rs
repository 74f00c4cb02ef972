//! How different the items of people are: the bit-vector transaction distance (BTD).
//!
//! The distance of two people is `(items of one alone + 1) / (items of both + 1)`, that of a cluster the largest of its pairs. It says
//! which clusters are merged, and nothing else: what a merge is worth is measured on the generalised items.
//!
//! # Cost
//! People with the same items are looked at once. Items of each are at hand in order of size, the largest first, so that the
//! largest distance of two clusters is found among their first few: two people with nothing in common set a limit to the rest.
//! # Departs from the paper
//! The text prints OR in the numerator and lists XOR among the operators; the formula's purpose, and other implementations,
//! have XOR. A person with several records is compared by the items of all of them.

use hashbrown::HashMap;
use throng_data::{Events, ItemId};

/// What people have: the distinct sets of items, and who has which.
#[derive(Debug)]
pub(super) struct Likeness {
    sets: Vec<Vec<ItemId>>,
    set_of: Vec<u32>,
}

/// The sets of items of a cluster, the largest first, each once.
pub(super) type Sets = Vec<u32>;

impl Likeness {
    /// Reads the items of everybody.
    pub fn of(events: &Events) -> Self {
        let mut known: HashMap<Vec<ItemId>, u32, foldhash::fast::FixedState> = HashMap::default();
        let mut sets = Vec::new();
        let mut own: Vec<ItemId> = Vec::new();
        let set_of = (0..events.subjects()).map(|person| {
            own.clear();
            own.extend(events.records_of(person).flat_map(|record| events.record(record)));
            own.sort_unstable();
            own.dedup();
            if let Some(set) = known.get(&own) {
                return *set;
            }
            let set = sets.len() as u32;
            sets.push(own.clone());
            known.insert(own.clone(), set);
            set
        });
        let set_of = set_of.collect();
        Likeness { sets, set_of }
    }

    /// The items of a person.
    pub fn items(&self, person: u32) -> &[ItemId] {
        &self.sets[self.set_of[person as usize] as usize]
    }

    /// The sets of some people.
    pub fn sets(&self, people: &[u32]) -> Sets {
        let mut sets: Sets = people.iter().map(|person| self.set_of[*person as usize]).collect();
        self.in_order(&mut sets);
        sets
    }

    /// The sets of two clusters together.
    pub fn joined(&self, a: &Sets, b: &Sets) -> Sets {
        let mut sets: Sets = a.iter().chain(b).copied().collect();
        self.in_order(&mut sets);
        sets
    }

    fn in_order(&self, sets: &mut Sets) {
        sets.sort_unstable_by_key(|set| (std::cmp::Reverse(self.sets[*set as usize].len()), *set));
        sets.dedup();
    }

    /// The largest distance within a cluster.
    pub fn within(&self, sets: &Sets) -> f64 {
        let mut most = 0.0_f64;
        for (at, a) in sets.iter().enumerate() {
            let Some(next) = sets.get(at + 1) else { break };
            if self.limit(*a, *next) <= most {
                break;
            }
            most = self.largest(*a, &sets[at + 1..], most);
        }
        most
    }

    /// The largest distance between a person of one cluster and a person of another, or `least` if it is not larger.
    pub fn between(&self, a: &Sets, b: &Sets, least: f64) -> f64 {
        let mut most = least;
        let Some(first) = b.first() else { return most };
        for set in a {
            if self.limit(*set, *first) <= most {
                break;
            }
            most = self.largest(*set, b, most);
        }
        most
    }

    /// The largest distance of a set to any of `others`, which are in order, or `least`.
    fn largest(&self, set: u32, others: &[u32], least: f64) -> f64 {
        let mut most = least;
        for other in others {
            if self.limit(set, *other) <= most {
                break;
            }
            most = most.max(distance(&self.sets[set as usize], &self.sets[*other as usize]));
        }
        most
    }

    /// The distance two sets of these sizes have at most.
    fn limit(&self, a: u32, b: u32) -> f64 {
        (self.sets[a as usize].len() + self.sets[b as usize].len() + 1) as f64
    }
}

/// BTD of two ascending lists of items.
pub(super) fn distance(a: &[ItemId], b: &[ItemId]) -> f64 {
    let (mut common, mut at) = (0_usize, 0);
    for item in a {
        while b.get(at).is_some_and(|other| other < item) {
            at += 1;
        }
        common += usize::from(b.get(at) == Some(item));
    }
    let apart = a.len() + b.len() - 2 * common;
    (apart + 1) as f64 / (common + 1) as f64
}

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::*;

    fn figure_1a() -> Likeness {
        let words = ["efbg", "efdh", "bceg", "fdh", "eg", "afh"];
        Likeness::of(&Dataset::from_words(words).events.as_sets())
    }

    /// The vector `rt-metrics`.
    #[test]
    fn distances_of_figure_1a() {
        let people = figure_1a();
        assert_eq!(distance(people.items(0), people.items(1)), 5.0 / 3.0);
        assert_eq!(distance(people.items(0), people.items(2)), 3.0 / 4.0);
    }

    #[test]
    fn the_largest_distance_is_found_without_looking_at_all_pairs() {
        let people = figure_1a();
        let all = |of: &[u32], others: &[u32]| {
            let pairs = of.iter().flat_map(|a| others.iter().map(move |b| (*a, *b))).filter(|(a, b)| a != b);
            pairs.map(|(a, b)| distance(people.items(a), people.items(b))).fold(0.0, f64::max)
        };
        for cut in 1..6 {
            let (some, rest): (Vec<u32>, Vec<u32>) = (0..6).partition(|person| *person < cut);
            let (a, b) = (people.sets(&some), people.sets(&rest));
            assert_eq!(people.between(&a, &b, 0.0), all(&some, &rest));
            assert_eq!(people.within(&a), all(&some, &some));
            assert_eq!(people.joined(&a, &b), people.sets(&[0, 1, 2, 3, 4, 5]));
        }
    }
}
