//! Market baskets with a taxonomy, with the size and character of the Groceries set.
//!
//! A few goods are in many baskets and most in few. Half of what people buy belongs together: the ingredients
//! of a meal, the things for a clean house.

use super::draw::{Draw, Weighted};
use super::shelves::{SHELVES, goods};
use super::stream::push_row;
use super::{Character, Population, World};

pub(super) const BASKETS: World = World {
    name: "baskets",
    purpose: "market baskets (sets, not sequences) with a taxonomy of goods, like the Groceries set",
    files: &[
        ("events.csv", "subject,item: what a person bought; the order says nothing"),
        ("baskets.dat", "the same in FIMI form, a basket a line"),
        ("taxonomy.csv", "good;aisle;department;groceries"),
        ("alphabet.csv", "all goods there are, one a line: public"),
        ("sensitive.csv", "goods that say too much, one a line"),
        ("policy.csv", "goods that an attacker may know together, a set a line"),
        ("constraints.csv", "goods that may become one, by department, a set a line"),
    ],
    attributes: &[],
    subjects: 9_835,
    sizes: None,
    character: Character {
        subjects: 9_835,
        items: 169,
        noun: "goods",
        events: 43_391,
        longest: 32,
        singled_out_by_2: 0.3,
        singled_out_by_4: 9.9,
    },
    stage: |_| Box::new(Baskets::new()),
};

/// The shop is the same whatever the seed of the customers.
const SHOP_SEED: u64 = 169;

/// What is bought most, most first.
const STAPLES: [&str; 12] = [
    "whole-milk",
    "rolls",
    "mineral-water",
    "tomatoes",
    "plain-yoghurt",
    "bananas",
    "eggs",
    "butter",
    "potatoes",
    "coffee",
    "frankfurters",
    "lager",
];

const SENSITIVE: [&str; 5] = ["whisky", "vodka", "gin", "rum", "liqueur"];

/// What an attacker may know of a basket, a set a line: what lies on top, and what is talked about.
const POLICY: [&str; 6] = [
    "whole-milk,rolls",
    "tomatoes,mineral-water",
    "bananas,plain-yoghurt,whole-milk",
    "coffee,butter",
    "lager,frankfurters",
    "eggs,potatoes",
];

/// Goods in a basket.
const MAX_GOODS: u32 = 32;

/// Sets the mean size of baskets.
const LENGTH_SHIFT: f64 = 4.4;

/// Sets of goods that are bought together, and how many goods each has.
const OCCASIONS: usize = 30;
const OCCASION_SIZE: usize = 7;

struct Baskets {
    goods: Vec<&'static str>,
    lengths: Weighted,
    demand: Weighted,
    occasions: Vec<[usize; OCCASION_SIZE]>,
}

impl Baskets {
    fn new() -> Self {
        let goods: Vec<&str> = goods().collect();
        let mut draw = Draw::new(SHOP_SEED, 0);
        let mut others: Vec<&str> = goods.iter().copied().filter(|good| !STAPLES.contains(good)).collect();
        for last in (1..others.len()).rev() {
            others.swap(last, draw.below(last as u32 + 1) as usize);
        }
        let ranking: Vec<&str> = STAPLES.iter().copied().chain(others).collect();
        let rank = |good: &str| ranking.iter().position(|other| *other == good).unwrap_or(ranking.len());
        let demand = Weighted::new(goods.iter().map(|good| 1.0 / (rank(good) as f64 + 2.0)));
        let occasions = (0..OCCASIONS).map(|_| std::array::from_fn(|_| demand.draw(&mut draw))).collect();
        Baskets { lengths: Weighted::heavy_tail(MAX_GOODS, LENGTH_SHIFT), goods, demand, occasions }
    }
}

impl Population for Baskets {
    fn tables(&self) -> Vec<(&'static str, String)> {
        let mut taxonomy = String::new();
        for (department, aisle, goods) in SHELVES {
            taxonomy.extend(goods.split(' ').map(|good| format!("{good};{aisle};{department};groceries\n")));
        }
        let mut constraints: Vec<(&str, Vec<&str>)> = Vec::new();
        for (department, _, goods) in SHELVES {
            match constraints.last_mut().filter(|(last, _)| last == department) {
                Some((_, all)) => all.extend(goods.split(' ')),
                None => constraints.push((department, goods.split(' ').collect())),
            }
        }
        let constraints = constraints.iter().map(|(_, goods)| goods.join(",") + "\n").collect();
        let policy = POLICY.iter().map(|set| format!("{set}\n")).collect();
        let sensitive = SENSITIVE.iter().map(|good| format!("{good}\n")).collect();
        let goods = SHELVES.iter().flat_map(|(_, _, goods)| goods.split(' '));
        let alphabet = goods.map(|good| format!("{good}\n")).collect();
        vec![
            ("taxonomy.csv", taxonomy),
            ("alphabet.csv", alphabet),
            ("sensitive.csv", sensitive),
            ("policy.csv", policy),
            ("constraints.csv", constraints),
        ]
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item"), ("baskets.dat", "")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let wanted = self.lengths.draw(draw) + 1;
        let occasion = &self.occasions[draw.below(OCCASIONS as u32) as usize];
        let mut basket: Vec<usize> = Vec::with_capacity(wanted);
        // Who keeps meeting what is in the basket already goes to the till.
        for _ in 0..3 * wanted {
            if basket.len() == wanted {
                break;
            }
            let good = match draw.below(2 * OCCASION_SIZE as u32) as usize {
                nth if nth < OCCASION_SIZE => occasion[nth],
                _ => self.demand.draw(draw),
            };
            if !basket.contains(&good) {
                basket.push(good);
            }
        }
        basket.sort_unstable();
        for (nth, good) in basket.iter().enumerate() {
            push_row(&mut rows[0], &[subject, self.goods[*good]]);
            if nth > 0 {
                rows[1].push(b' ');
            }
            rows[1].extend_from_slice(self.goods[*good].as_bytes());
        }
        rows[1].push(b'\n');
        basket.len() as u64
    }
}
