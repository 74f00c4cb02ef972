//! Small random tables with hierarchies, and the parameters of a run.

use std::collections::BTreeMap;
use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use throng_contract::{Progress, Settings};
use throng_data::{Column, ColumnValues, Dataset, Dictionary, Hierarchy, Inputs, Role, Table};
use throng_methods::{Method, MethodError, Outcome, Task, Variant};

/// Hierarchies that columns may have: even, uneven, padded by repeated names, a chain above a single value, one level.
const TREES: [&[&str]; 5] = [
    &["a;x;*", "b;x;*", "c;y;*", "d;y;*"],
    &["a;x;u;all", "b;x;u;all", "c;y;u;all", "d;z;v;all", "e;z;v;all"],
    &["a;a;*", "b;x;*", "c;x;*", "d;d;*"],
    &["a;x;*", "b;y;z;*", "c;y;z;*", "d;*"],
    &["a;any", "b;any", "c;any"],
];

/// Intervals for numbers from 0 to 11.
const INTERVALS: [&str; 4] = ["[0,2];[0,5];*", "[3,5];[0,5];*", "[6,8];[6,11];*", "[9,11];[6,11];*"];

/// Numbers one by one.
const NUMBERS: [&str; 6] = ["0;low;*", "1;low;*", "2;low;*", "3;high;*", "4;high;*", "5;high;*"];

/// Draws whole numbers.
pub struct Draw(ChaCha8Rng);

impl Draw {
    pub fn new(number: u64) -> Draw {
        Draw(ChaCha8Rng::seed_from_u64(number))
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A table, its hierarchies, and what is asked for.
#[derive(Clone)]
pub struct World {
    pub data: Dataset,
    pub inputs: Inputs,
    pub settings: Vec<(String, String)>,
    pub seed: u64,
}

impl World {
    /// A random table. With `lines`, numbers may come without a hierarchy.
    pub fn draw(number: u64, most_rows: usize, lines: bool) -> World {
        let mut draw = Draw::new(number);
        let rows = 1 + draw.below(most_rows);
        let mut columns = Vec::new();
        let mut hierarchies = BTreeMap::new();
        for at in 0..1 + draw.below(3) {
            let name = format!("q{at}");
            let missing = draw.chance(4);
            let (values, tree): (ColumnValues, Option<Vec<&str>>) =
                match draw.below(if lines { 6 } else { 4 }) {
                    0 => (categories(&mut draw, rows, &["a", "b", "c"], missing), None),
                    1 => {
                        let tree = if draw.chance(2) { INTERVALS.to_vec() } else { NUMBERS.to_vec() };
                        let most = if tree.len() == INTERVALS.len() { 12 } else { 6 };
                        (numbers(&mut draw, rows, most, missing), Some(tree))
                    }
                    2 | 3 => {
                        let tree = draw.one(&TREES).to_vec();
                        let leaves: Vec<&str> =
                            tree.iter().filter_map(|path| path.split(';').next()).collect();
                        (categories(&mut draw, rows, &leaves, missing), Some(tree))
                    }
                    4 => (numbers(&mut draw, rows, 9, missing), None),
                    _ => (dates(&mut draw, rows, missing), None),
                };
            if let Some(paths) = tree {
                let tree = Hierarchy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap();
                hierarchies.insert(name.clone(), tree);
            }
            columns.push(Column { name, role: Some(Role::QuasiIdentifying), values });
        }
        for at in 0..1 + usize::from(draw.chance(4)) {
            let values = match draw.chance(3) {
                true => numbers(&mut draw, rows, 4, false),
                false => categories(&mut draw, rows, &["flu", "cold", "gout"], false),
            };
            columns.push(Column { name: format!("s{at}"), role: Some(Role::Sensitive), values });
        }
        let kept = categories(&mut draw, rows, &["p", "q"], true);
        columns.push(Column { name: "kept".to_owned(), role: Some(Role::Insensitive), values: kept });
        let name = categories(&mut draw, rows, &["Ann", "Bob"], false);
        columns.push(Column { name: "name".to_owned(), role: Some(Role::Identifying), values: name });
        let unsaid = categories(&mut draw, rows, &["1", "2"], false);
        columns.push(Column { name: "unsaid".to_owned(), role: None, values: unsaid });
        // Any order of columns.
        for at in (1..columns.len()).rev() {
            columns.swap(at, draw.below(at + 1));
        }
        let subjects: Dictionary =
            (0..rows).map(|row| format!("p{row}")).collect::<Vec<_>>().iter().map(String::as_str).collect();
        let mut settings = vec![("k".to_owned(), (1 + draw.below(4)).to_string())];
        let mut set = |name: &str, value: &str| settings.push((name.to_owned(), value.to_owned()));
        match draw.below(5) {
            0 => {
                set("l", draw.one(&["2", "3"]));
                set("form", draw.one(&["distinct", "entropy", "recursive"]));
                set("c", draw.one(&["1", "2", "0.5"]));
            }
            1 => {
                set("t", draw.one(&["0.2", "1/3", "50%"]));
                set("emd", draw.one(&["by-type", "equal", "ordered"]));
            }
            2 => {
                set("l", "2");
                set("t", "0.4");
            }
            _ => {}
        }
        let inputs = Inputs { hierarchies, ..Inputs::default() };
        World { data: Dataset::from_table(subjects, Table { columns }), inputs, settings, seed: number }
    }

    /// The value of a parameter, as typed.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Runs a method.
    pub fn run(&self, method: &dyn Method, variant: Variant) -> Result<Outcome, MethodError> {
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::parse(method.descriptor(), given).unwrap();
        let progress = Progress::silent();
        let task = Task {
            inputs: &self.inputs,
            variant,
            seed: self.seed,
            ..Task::new(&self.data, &settings, &progress)
        };
        method.anonymize(&task)
    }

    pub fn rows(&self) -> usize {
        self.data.subjects.len()
    }

    pub fn columns(&self) -> &[Column] {
        &self.data.attributes.as_ref().unwrap().columns
    }

    /// Columns of a role, in order.
    pub fn with_role(&self, role: Role) -> Vec<&Column> {
        self.columns().iter().filter(|column| column.role == Some(role)).collect()
    }
}

/// What is needed to look at a failure.
impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {} {:?}", self.seed, self.settings)?;
        for column in self.columns() {
            let cells: Vec<String> = (0..self.rows()).map(|row| column.text(row)).collect();
            writeln!(f, "{} {:?}: {}", column.name, column.role, cells.join(" "))?;
        }
        Ok(())
    }
}

fn categories(draw: &mut Draw, rows: usize, names: &[&str], missing: bool) -> ColumnValues {
    let mut values = Dictionary::new();
    let codes = (0..rows).map(|_| {
        let name = if missing && draw.chance(5) { "" } else { draw.one(names) };
        values.intern(name)
    });
    let codes = codes.collect();
    ColumnValues::Categories { values, codes }
}

fn numbers(draw: &mut Draw, rows: usize, most: usize, missing: bool) -> ColumnValues {
    let number = |draw: &mut Draw| if missing && draw.chance(5) { f64::NAN } else { draw.below(most) as f64 };
    ColumnValues::Numbers((0..rows).map(|_| number(draw)).collect())
}

fn dates(draw: &mut Draw, rows: usize, missing: bool) -> ColumnValues {
    let date = |draw: &mut Draw| (!(missing && draw.chance(5))).then(|| 19_000 + draw.below(40) as i32);
    ColumnValues::Dates((0..rows).map(|_| date(draw)).collect())
}
