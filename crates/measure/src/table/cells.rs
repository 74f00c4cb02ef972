//! A released column beside the original one.

use std::collections::BTreeMap;
use std::ops::Range;

use throng_data::{ColumnKind, Cover, Domain, RecodedColumn, Wanted, position};

/// Codes of original values.
#[derive(Debug, Clone, PartialEq)]
enum Codes {
    /// All from one to another.
    Run(Range<u32>),
    /// These, ascending.
    List(Vec<u32>),
}

impl Codes {
    fn len(&self) -> usize {
        match self {
            Codes::Run(run) => run.len(),
            Codes::List(list) => list.len(),
        }
    }

    fn to_vec(&self) -> Vec<u32> {
        match self {
            Codes::Run(run) => run.clone().collect(),
            Codes::List(list) => list.clone(),
        }
    }
}

/// What one cover stands for in the data.
#[derive(Debug, Clone)]
struct Covered {
    codes: Codes,
    /// Ends, where the cover is everything between two numbers or dates.
    ends: Option<(f64, f64)>,
    ncp: f64,
}

/// A released column beside the original one.
#[derive(Debug)]
pub(crate) struct Cells<'a> {
    pub column: &'a RecodedColumn,
    pub domain: Domain,
    covered: Vec<Covered>,
    /// Whether all values are whole, so that a range has so many of them.
    whole: bool,
}

/// What a query wants of a column, by code and by place.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    codes: Vec<bool>,
    /// Places of wanted values, or the ends of a range.
    places: Vec<f64>,
    between: bool,
}

impl<'a> Cells<'a> {
    /// Puts a released column beside the domain of the original one.
    pub fn new(column: &'a RecodedColumn, domain: Domain) -> Self {
        let mut finite = domain.positions.iter().flatten().filter(|place| !place.is_nan());
        let whole = domain.positions.is_some() && finite.all(|place| place.fract() == 0.0);
        let mut reader = Reader::of(&domain);
        let covered = column.covers.iter().map(|cover| reader.read(cover)).collect();
        Cells { column, domain, covered, whole }
    }

    /// How many original values a cover may stand for.
    pub fn size(&self, cover: u32) -> usize {
        self.covered[cover as usize].codes.len()
    }

    /// The codes of the original values that a cover may stand for.
    pub fn codes(&self, cover: u32) -> Vec<u32> {
        self.covered[cover as usize].codes.to_vec()
    }

    /// How a cover is spread over bins of the original values, every value being equally likely: bin, share. `bins` has the bin
    /// of each code; where codes have an order, bins follow it.
    pub fn spread(&self, cover: u32, bins: &[u32]) -> Vec<(u32, f64)> {
        let covered = &self.covered[cover as usize].codes;
        let mut shares: Vec<(u32, f64)> = Vec::new();
        let mut add = |bin: u32, codes: usize| match shares.last_mut() {
            Some((last, share)) if *last == bin => *share += codes as f64,
            _ => shares.push((bin, codes as f64)),
        };
        match covered {
            Codes::List(list) => list.iter().for_each(|code| add(bins[*code as usize], 1)),
            Codes::Run(run) => {
                let mut rest = &bins[run.start as usize..run.end as usize];
                while let Some(bin) = rest.first() {
                    let end = rest.partition_point(|other| other <= bin);
                    add(*bin, end);
                    rest = &rest[end..];
                }
            }
        }
        let all = covered.len() as f64;
        shares.iter_mut().for_each(|(_, share)| *share /= all);
        shares
    }

    /// The normalised certainty penalty of a cover: 0 for a single value, 1 for all of them.
    pub fn ncp(&self, cover: u32) -> f64 {
        self.covered[cover as usize].ncp
    }

    /// What a query wants, for this column.
    pub fn wish(&self, wanted: &Wanted) -> Wish {
        let kind = self.domain.kind;
        match wanted {
            Wanted::Values(values) => {
                let places: Vec<f64> = values.iter().filter_map(|value| position(value, kind)).collect();
                let is_wanted = |(code, value): (usize, &String)| match &self.domain.positions {
                    Some(own) if !own[code].is_nan() => places.contains(&own[code]),
                    _ => values.contains(value),
                };
                let codes = self.domain.values.iter().enumerate().map(is_wanted).collect();
                Wish { codes, places, between: false }
            }
            Wanted::Between(low, high) => {
                let ends = position(low, kind).zip(position(high, kind));
                let places = ends.map_or_else(Vec::new, |(low, high)| vec![low, high]);
                let within = |code: usize| match (&self.domain.positions, ends) {
                    (Some(own), Some((low, high))) => (low..=high).contains(&own[code]),
                    _ => (low.as_str()..=high.as_str()).contains(&self.domain.values[code].as_str()),
                };
                Wish { codes: (0..self.domain.len()).map(within).collect(), places, between: true }
            }
        }
    }

    /// Whether an original value is what a query wants.
    pub fn fits(&self, wish: &Wish, code: u32) -> bool {
        wish.codes[code as usize]
    }

    /// How likely a cover stands for what a query wants, every value being equally likely: the part of what it covers that
    /// is wanted. Of a range of whole numbers, or of days, all count, whether they occur or not.
    pub fn chance(&self, wish: &Wish, cover: u32) -> f64 {
        let covered = &self.covered[cover as usize];
        if let Some((low, high)) = covered.ends
            && (self.whole || wish.between)
        {
            return self.part(low, high, wish);
        }
        let wanted = match &covered.codes {
            Codes::Run(run) => run.clone().filter(|code| wish.codes[*code as usize]).count(),
            Codes::List(list) => list.iter().filter(|code| wish.codes[**code as usize]).count(),
        };
        if covered.codes.len() == 0 { 0.0 } else { wanted as f64 / covered.codes.len() as f64 }
    }

    /// The wanted part of a range.
    fn part(&self, low: f64, high: f64, wish: &Wish) -> f64 {
        if !wish.between {
            let mut places: Vec<f64> =
                wish.places.iter().copied().filter(|place| (low..=high).contains(place)).collect();
            places.sort_by(f64::total_cmp);
            places.dedup();
            return places.len() as f64 / (high - low + 1.0);
        }
        let [from, to] = wish.places[..] else { return 0.0 };
        if self.whole {
            let (from, to) = (from.ceil().max(low), to.floor().min(high));
            return (to - from + 1.0).max(0.0) / (high - low + 1.0);
        }
        let (from, to) = (from.max(low), to.min(high));
        match (to >= from, high > low) {
            (false, _) => 0.0,
            (true, false) => 1.0,
            (true, true) => (to - from) / (high - low),
        }
    }
}

/// Reads covers in terms of a domain.
struct Reader<'d> {
    domain: &'d Domain,
    code_of: BTreeMap<&'d str, u32>,
    /// The codes below each node of the hierarchy that was asked for.
    below: BTreeMap<u32, Vec<u32>>,
}

impl<'d> Reader<'d> {
    fn of(domain: &'d Domain) -> Self {
        let code_of = (0..).zip(&domain.values).map(|(code, value)| (value.as_str(), code)).collect();
        Reader { domain, code_of, below: BTreeMap::new() }
    }

    fn read(&mut self, cover: &Cover) -> Covered {
        let known = |codes: Vec<u32>, ncp: f64| Covered { codes: Codes::List(codes), ends: None, ncp };
        match cover {
            Cover::Value(value) => match self.code_of.get(value.as_str()) {
                Some(code) => known(vec![*code], 0.0),
                None => self.node(value).unwrap_or_else(|| known(Vec::new(), 0.0)),
            },
            Cover::Node { name, members } => self.node(name).unwrap_or_else(|| {
                let codes = self.codes(members);
                let ncp = self.share(members.len());
                known(codes, ncp)
            }),
            Cover::Set(values) => {
                let codes = self.codes(values);
                known(codes, self.share(values.len()))
            }
            Cover::Range { low, high } => {
                let kind = self.domain.kind;
                let ends = position(low, kind).zip(position(high, kind));
                let (low, high) = ends.unwrap_or((f64::NAN, f64::NAN));
                let places = self.domain.positions.as_deref().unwrap_or_default();
                // A missing value comes last, and compares with nothing.
                let from = places.partition_point(|place| *place < low) as u32;
                let to = places.partition_point(|place| *place <= high) as u32;
                let span = self.span();
                let ncp = if span > 0.0 { ((high - low) / span).clamp(0.0, 1.0) } else { 0.0 };
                Covered { codes: Codes::Run(from..to.max(from)), ends, ncp }
            }
            Cover::Suppressed => {
                let ends = (self.domain.kind != ColumnKind::Category).then(|| self.ends()).flatten();
                Covered { codes: Codes::Run(0..self.domain.len() as u32), ends, ncp: 1.0 }
            }
        }
    }

    /// A node of the hierarchy, by name.
    fn node(&mut self, name: &str) -> Option<Covered> {
        let tree = self.domain.hierarchy.as_ref()?.tree();
        let node = tree.find(name)?;
        let codes = self.below.entry(node).or_insert_with(|| {
            let mut leaves = tree.leaves_under(node);
            leaves.sort_unstable();
            let under = |code: &u32| leaves.binary_search(&self.domain.leaves[*code as usize]).is_ok();
            (0..self.domain.len() as u32).filter(under).collect()
        });
        let ncp = match tree.leaf_count(node) {
            1 => 0.0,
            leaves => f64::from(leaves) / f64::from(tree.leaves()),
        };
        Some(Covered { codes: Codes::List(codes.clone()), ends: None, ncp })
    }

    fn codes(&self, values: &[String]) -> Vec<u32> {
        let mut codes: Vec<u32> =
            values.iter().filter_map(|value| self.code_of.get(value.as_str())).copied().collect();
        codes.sort_unstable();
        codes
    }

    /// So many values as a share of all: those of the hierarchy, or those that occur.
    fn share(&self, values: usize) -> f64 {
        let all = match &self.domain.hierarchy {
            Some(hierarchy) => hierarchy.tree().leaves() as usize,
            None => self.domain.len(),
        };
        if values <= 1 || all == 0 { 0.0 } else { (values as f64 / all as f64).min(1.0) }
    }

    fn ends(&self) -> Option<(f64, f64)> {
        let places = self.domain.positions.as_deref().unwrap_or_default();
        let mut finite = places.iter().copied().filter(|place| !place.is_nan());
        let low = finite.next()?;
        Some((low, finite.next_back().unwrap_or(low)))
    }

    fn span(&self) -> f64 {
        self.ends().map_or(0.0, |(low, high)| high - low)
    }
}

#[cfg(test)]
mod tests {
    use throng_data::{Column, ColumnValues, Hierarchy, Role};

    use super::*;

    fn range(low: &str, high: &str) -> Cover {
        Cover::Range { low: low.to_owned(), high: high.to_owned() }
    }

    fn numbers(values: &[f64]) -> Column {
        Column { name: "n".to_owned(), role: None, values: ColumnValues::Numbers(values.to_vec()) }
    }

    fn released(kind: ColumnKind, covers: Vec<Cover>) -> RecodedColumn {
        let cells = (0..covers.len() as u32).collect();
        RecodedColumn { name: "n".to_owned(), role: Role::QuasiIdentifying, kind, covers, cells }
    }

    #[test]
    fn a_range_of_whole_numbers_has_as_many_as_lie_in_it() {
        // Vector ncp-unit-range: 19 to 20 in 19 to 70 costs 1/51, and nothing less.
        let column = released(
            ColumnKind::Number,
            vec![range("19", "20"), Cover::Value("19".into()), Cover::Suppressed],
        );
        let domain = Domain::of(&numbers(&[19.0, 20.0, 70.0, f64::NAN]), None).unwrap();
        let cells = Cells::new(&column, domain);
        assert_eq!([0, 1, 2].map(|cover| cells.ncp(cover)), [1.0 / 51.0, 0.0, 1.0]);
        assert_eq!([0, 1, 2].map(|cover| cells.size(cover)), [2, 1, 4]);
        let wish = cells.wish(&Wanted::Between("20".into(), "29".into()));
        assert_eq!([0, 1, 2].map(|cover| cells.chance(&wish, cover)), [0.5, 0.0, 10.0 / 52.0]);
        let wish = cells.wish(&Wanted::Values(vec!["19.0".into(), "45".into()]));
        assert_eq!([0, 1, 2].map(|cover| cells.chance(&wish, cover)), [0.5, 1.0, 2.0 / 52.0]);
        let missing = cells.wish(&Wanted::Values(vec![String::new()]));
        assert!(cells.fits(&missing, 3) && !cells.fits(&missing, 0));
    }

    #[test]
    fn other_numbers_are_measured_by_length() {
        let column = released(ColumnKind::Number, vec![range("0", "2")]);
        let cells = Cells::new(&column, Domain::of(&numbers(&[0.0, 0.5, 2.0, 4.0]), None).unwrap());
        assert_eq!(cells.ncp(0), 0.5);
        let wish = cells.wish(&Wanted::Between("1.5".into(), "9".into()));
        assert_eq!(cells.chance(&wish, 0), 0.25);
        let wish = cells.wish(&Wanted::Values(vec!["0.5".into()]));
        assert_eq!(cells.chance(&wish, 0), 1.0 / 3.0);
    }

    #[test]
    fn a_node_stands_for_its_leaves_and_a_set_for_its_values() {
        let values = ["a", "b", "d"].into_iter().collect();
        let column = Column {
            name: "n".to_owned(),
            role: None,
            values: ColumnValues::Categories { values, codes: vec![0, 1, 2] },
        };
        let paths = ["a;x;*", "b;x;*", "c;y;*", "d;y;*"].map(|line| line.split(';'));
        let tree = Hierarchy::from_paths(paths).unwrap();
        let members: std::sync::Arc<[String]> = ["c", "d"].map(str::to_owned).into_iter().collect();
        let covers = vec![
            Cover::Node { name: "y".into(), members },
            Cover::Set(vec!["a".into(), "b".into()]),
            // A node that was read back from a file.
            Cover::Value("x".into()),
        ];
        let column_released = released(ColumnKind::Category, covers.clone());
        let cells = Cells::new(&column_released, Domain::of(&column, Some(&tree)).unwrap());
        assert_eq!([0, 1, 2].map(|cover| cells.ncp(cover)), [0.5; 3]);
        assert_eq!([0, 1, 2].map(|cover| cells.codes(cover)), [vec![2], vec![0, 1], vec![0, 1]]);
        let plain = Cells::new(&column_released, Domain::of(&column, None).unwrap());
        assert_eq!([0, 1].map(|cover| plain.ncp(cover)), [2.0 / 3.0; 2]);
        assert_eq!(plain.codes(0), [2]);
    }
}
