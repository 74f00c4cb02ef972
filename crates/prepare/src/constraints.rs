//! Utility constraints made by a rule: a partition of the items into sets whose members may stand for each other.
//!
//! Items are put in an order in which neighbours belong together, and cut into so many sets, or into sets of the sizes that the evaluation of
//! U-SEQANON uses.
//!
//! # Reference
//! \[PSLG14\] Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014, figure 18.
//! # Guarantees
//! Every item is in exactly one set. The same items and rule give the same sets.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use throng_data::formats::write_row;
use throng_data::{Coordinates, Dictionary, Places};

/// In which order items are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// Neighbours in the alphabet; numbers by size.
    Name,
    /// Items that about as many people have.
    Frequency,
    /// Neighbours on the map.
    Space,
    /// Items of one category.
    Category,
}

impl Grouping {
    /// All of them with the words users type and what they do.
    pub const ALL: [(Grouping, &'static str, &'static str); 4] = [
        (Grouping::Name, "name", "neighbours in alphabetical order, numbers by size"),
        (Grouping::Frequency, "frequency", "items that about as many people have"),
        (Grouping::Space, "space", "neighbours on the map"),
        (Grouping::Category, "category", "items of one category, a set for each"),
    ];
}

/// How many sets, and how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// So many sets of about the same size.
    Equal(usize),
    /// Two halves, as the paper's U1.
    U1,
    /// Four quarters, as the paper's U2.
    U2,
    /// Six sets of 20%, 14%, 16%, 14%, 18% and 18%, as the paper's U3.
    U3,
}

impl Sizes {
    /// The share of each set.
    fn shares(self) -> Vec<usize> {
        match self {
            Sizes::Equal(sets) => vec![1; sets.max(1)],
            Sizes::U1 => vec![50; 2],
            Sizes::U2 => vec![25; 4],
            Sizes::U3 => vec![20, 14, 16, 14, 18, 18],
        }
    }
}

/// The items in an order in which neighbours belong together. `people` says how many people have each. Without places, an order in space is that of names.
pub fn ordered(items: &Dictionary, people: &[u64], places: Option<&Places>, grouping: Grouping) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    match (grouping, places) {
        (Grouping::Frequency, _) => {
            let count = |item: u32| people.get(item as usize).copied().unwrap_or(0);
            order.sort_by_key(|item| (std::cmp::Reverse(count(*item)), *item));
        }
        (Grouping::Space, Some(places)) => split(&mut order, places),
        _ => order.sort_by(|a, b| natural(items.name(*a), items.name(*b))),
    }
    order
}

/// Cuts an order into sets. No set is empty, so that there may be fewer than asked for.
pub fn partition(order: &[u32], sizes: Sizes) -> Vec<Vec<u32>> {
    let shares = match sizes {
        Sizes::Equal(sets) => Sizes::Equal(sets.clamp(1, order.len().max(1))).shares(),
        sizes => sizes.shares(),
    };
    let all: usize = shares.iter().sum();
    let mut sets = Vec::new();
    let (mut before, mut from) = (0, 0);
    for share in shares {
        before += share;
        let to = order.len() * before / all;
        if to > from {
            sets.push(order[from..to].to_vec());
        }
        from = to;
    }
    sets
}

/// A set for each category, in the order of their names.
pub fn by_category(categories: &[String]) -> Vec<Vec<u32>> {
    let mut sets: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (item, category) in (0_u32..).zip(categories) {
        sets.entry(category).or_default().push(item);
    }
    sets.into_values().collect()
}

/// The file: a set a line, quoted as CSV.
pub fn render(items: &Dictionary, sets: &[Vec<u32>]) -> String {
    let mut text = Vec::new();
    for set in sets {
        // Writing to a `Vec` cannot fail.
        let _ = write_row(&mut text, set.iter().map(|item| items.name(*item)));
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Halves along the longer side, again and again: neighbours in the order are neighbours on the map.
fn split(items: &mut [u32], places: &Places) {
    if items.len() < 3 {
        return;
    }
    let at = |item: &u32| {
        let [first, second] = places.points[*item as usize];
        // A degree of longitude is shorter than one of latitude.
        match places.system {
            Coordinates::Plane => [first, second],
            Coordinates::Degrees => [second * first.to_radians().cos(), first],
        }
    };
    let spread = |side: usize| {
        let values = items.iter().map(|item| at(item)[side]);
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        high - low
    };
    let side = usize::from(spread(1) > spread(0));
    items.sort_by(|a, b| at(a)[side].total_cmp(&at(b)[side]).then(a.cmp(b)));
    let (first, second) = items.split_at_mut(items.len() / 2);
    split(first, places);
    split(second, places);
}

/// `place 9` before `place 10`.
fn natural(a: &str, b: &str) -> Ordering {
    let key = |name: &str| {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (word, number) = name.split_at(name.len() - digits);
        (word.to_owned(), number.parse::<u64>().ok())
    };
    key(a).cmp(&key(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(names: &[&str]) -> Dictionary {
        names.iter().copied().collect()
    }

    #[test]
    fn sets_are_a_partition_of_the_sizes_asked_for() {
        let order: Vec<u32> = (0..100).collect();
        let sizes = |sizes| partition(&order, sizes).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(Sizes::U1), [50, 50]);
        assert_eq!(sizes(Sizes::U3), [20, 14, 16, 14, 18, 18]);
        assert_eq!(sizes(Sizes::Equal(3)), [33, 33, 34]);
        assert_eq!(partition(&order[..3], Sizes::U3).concat(), order[..3]);
        assert_eq!(partition(&order[..2], Sizes::Equal(9)).len(), 2);
    }

    #[test]
    fn neighbours_follow_names_people_or_the_map() {
        let names = items(&["place 10", "place 9", "a,b"]);
        let order = |grouping, places: Option<&Places>| ordered(&names, &[1, 5, 3], places, grouping);
        assert_eq!(order(Grouping::Name, None), [2, 1, 0]);
        assert_eq!(order(Grouping::Frequency, None), [1, 2, 0]);
        let points = vec![[9.0, 0.0], [0.0, 0.0], [8.0, 0.0]];
        let places = Places { system: Coordinates::Plane, points, categories: None };
        assert_eq!(order(Grouping::Space, Some(&places)), [1, 2, 0]);
        assert_eq!(render(&names, &[vec![0, 2], vec![1]]), "place 10,\"a,b\"\nplace 9\n");
    }

    #[test]
    fn a_category_is_a_set() {
        let categories = ["bar", "inn", "bar"].map(str::to_owned);
        assert_eq!(by_category(&categories), [vec![0, 2], vec![1]]);
    }
}
