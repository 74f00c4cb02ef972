//! Released items in the words of an attacker who knows the original ones.
//!
//! An attacker knows real events; the release shows what each of them may have been. Where an item is published whole
//! for some people and merged for others, a count of released items as unrelated symbols misses people who fit what
//! the attacker knows. Checkers therefore count *classes*: original items that are covered by exactly the same released
//! items cannot be told apart by anything in the release, and every pattern over original items is one over classes.
//!
//! A person fits a pattern when a record of theirs *may* contain it. Which patterns have to be protected? Those that
//! some released record may contain. The original data is not at hand, and every event that really happened and was
//! published is covered by a released item, so whatever an attacker can know of published events is among them. It may be
//! more than what really happened: then the checker asks too much, never too little.
//!
//! # Cost
//! One pass over the members of all released items that occur.

use std::collections::BTreeMap;

use throng_data::{ItemId, Release, render_item};

/// What each released item is counted as.
#[derive(Debug)]
pub(crate) struct Cover {
    /// How classes are written; ascending.
    names: Vec<String>,
    /// How many original items each class has.
    sizes: Vec<u32>,
    /// `classes[starts[i]..starts[i + 1]]` are what released item `i` may stand for, ascending.
    starts: Vec<u32>,
    classes: Vec<u32>,
    /// The class of each original item; [`NO_CLASS`] where it has none. Empty where symbols are counted as written.
    class_of: Vec<u32>,
    partition: bool,
}

/// The class of an original item that nothing released may stand for, or that is left out.
const NO_CLASS: u32 = u32::MAX;

impl Cover {
    /// Every released item as it is written, a symbol of its own. Items written alike are one symbol to a reader.
    /// Items all of whose members are left out count as nothing.
    pub fn as_written(release: &Release, left_out: impl Fn(ItemId) -> bool) -> Self {
        let symbols = Symbols::of(release);
        let counts =
            |members: &[ItemId]| members.is_empty() || members.iter().any(|member| !left_out(*member));
        let mut number = vec![None; symbols.names.len()];
        let (mut names, mut sizes) = (Vec::new(), Vec::new());
        for (symbol, name) in symbols.names.iter().enumerate() {
            if counts(&symbols.members[symbol]) {
                number[symbol] = Some(names.len() as u32);
                names.push(name.clone());
                sizes.push(symbols.members[symbol].len().max(1) as u32);
            }
        }
        let classes: Vec<Vec<u32>> = number.into_iter().map(|class| class.into_iter().collect()).collect();
        Cover::assemble(names, sizes, &symbols, &classes, Vec::new(), true)
    }

    /// Every released item as the classes of original items that it may stand for, but for those left out.
    pub fn in_original_words(release: &Release, left_out: impl Fn(ItemId) -> bool) -> Self {
        let symbols = Symbols::of(release);
        let mut covering: Vec<Vec<u32>> = vec![Vec::new(); release.base.len()];
        let mut alike: BTreeMap<Vec<u32>, Vec<ItemId>> = BTreeMap::new();
        for (symbol, members) in symbols.members.iter().enumerate() {
            members.iter().for_each(|member| covering[*member as usize].push(symbol as u32));
            // Nothing says what it stands for: something of its own.
            if members.is_empty() && symbols.occurs[symbol] {
                alike.insert(vec![symbol as u32], Vec::new());
            }
        }
        for (member, covering) in covering.into_iter().enumerate() {
            if !covering.is_empty() && !left_out(member as ItemId) {
                alike.entry(covering).or_default().push(member as ItemId);
            }
        }
        let partition = alike.keys().all(|covering| covering.len() == 1);
        let mut named: Vec<(String, Vec<u32>, Vec<ItemId>)> = alike
            .into_iter()
            .map(|(covering, members)| {
                let whole = covering.iter().find(|at| symbols.members[**at as usize].len() == members.len());
                let name = match whole {
                    Some(symbol) => symbols.names[*symbol as usize].clone(),
                    None => render_item(members.iter().map(|member| release.base.name(*member))),
                };
                (name, covering, members)
            })
            .collect();
        named.sort_unstable();
        let mut classes: Vec<Vec<u32>> = vec![Vec::new(); symbols.names.len()];
        let (mut names, mut sizes) = (Vec::new(), Vec::new());
        let mut class_of = vec![NO_CLASS; release.base.len()];
        for (class, (name, covering, members)) in (0..).zip(named) {
            covering.iter().for_each(|symbol| classes[*symbol as usize].push(class));
            members.iter().for_each(|member| class_of[*member as usize] = class);
            names.push(name);
            sizes.push(members.len().max(1) as u32);
        }
        Cover::assemble(names, sizes, &symbols, &classes, class_of, partition)
    }

    fn assemble(
        names: Vec<String>,
        sizes: Vec<u32>,
        symbols: &Symbols,
        by_symbol: &[Vec<u32>],
        class_of: Vec<u32>,
        partition: bool,
    ) -> Self {
        let (mut starts, mut classes) = (vec![0], Vec::new());
        for symbol in &symbols.of_item {
            classes.extend_from_slice(&by_symbol[*symbol as usize]);
            starts.push(classes.len() as u32);
        }
        Cover { names, sizes, starts, classes, class_of, partition }
    }

    /// What a released item may stand for.
    #[inline]
    pub fn of(&self, item: ItemId) -> &[u32] {
        &self.classes[self.starts[item as usize] as usize..self.starts[item as usize + 1] as usize]
    }

    /// The class of an original item; `None` when nothing that is counted may stand for it.
    pub fn class_of(&self, item: ItemId) -> Option<u32> {
        self.class_of.get(item as usize).copied().filter(|class| *class != NO_CLASS)
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// How a class is written: as released where a released item stands for just this class.
    pub fn name(&self, class: u32) -> &str {
        &self.names[class as usize]
    }

    /// How many original items are in a class.
    pub fn size(&self, class: u32) -> u32 {
        self.sizes[class as usize]
    }

    /// Whether no original item is covered by two released ones: then classes are released items and nothing else.
    pub fn is_partition(&self) -> bool {
        self.partition
    }
}

/// Whether no person has two different released items that may stand for the same original one.
///
/// Then everybody who fits a known pattern fits it in one released wording only, so that the people of the pattern are
/// those of its wordings, added up. If every released wording has enough people, and few enough of them carry a secret,
/// the same holds for the sum.
pub(crate) fn apart_within_people(release: &Release) -> bool {
    let symbols = Symbols::of(release);
    let mut seen: Vec<(u32, u32)> = vec![(u32::MAX, 0); release.base.len()];
    let mut counted: Vec<u32> = vec![u32::MAX; symbols.names.len()];
    for person in 0..release.people() {
        let items = release.events().records_of(person).flat_map(|record| release.events().record(record));
        for symbol in items.map(|item| symbols.of_item[*item as usize]) {
            if std::mem::replace(&mut counted[symbol as usize], person as u32) == person as u32 {
                continue;
            }
            for member in &symbols.members[symbol as usize] {
                let before = std::mem::replace(&mut seen[*member as usize], (person as u32, symbol));
                if before.0 == person as u32 && before.1 != symbol {
                    return false;
                }
            }
        }
    }
    true
}

/// The distinct written items, ascending. Those that do not occur stand for nothing.
struct Symbols {
    names: Vec<String>,
    members: Vec<Vec<ItemId>>,
    occurs: Vec<bool>,
    of_item: Vec<u32>,
}

impl Symbols {
    fn of(release: &Release) -> Self {
        let mut used = vec![false; release.alphabet.len()];
        release.events().items().iter().for_each(|item| used[*item as usize] = true);
        let mut written = release.names();
        let mut order: Vec<u32> = (0..written.len() as u32).collect();
        order.sort_by(|a, b| written[*a as usize].cmp(&written[*b as usize]));
        let mut symbols = Symbols {
            names: Vec::new(),
            members: Vec::new(),
            occurs: Vec::new(),
            of_item: vec![0; written.len()],
        };
        for item in order.into_iter().map(|item| item as usize) {
            if symbols.names.last() != Some(&written[item]) {
                symbols.names.push(std::mem::take(&mut written[item]));
                symbols.members.push(Vec::new());
                symbols.occurs.push(false);
            }
            let symbol = symbols.names.len() - 1;
            symbols.of_item[item] = symbol as u32;
            if used[item] {
                symbols.occurs[symbol] = true;
                symbols.members[symbol].extend_from_slice(&release.alphabet[item].members);
            }
        }
        for members in &mut symbols.members {
            members.sort_unstable();
            members.dedup();
        }
        symbols
    }
}
