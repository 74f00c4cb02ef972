//! Small random people: a number, a category with a hierarchy, a category without one, and a few items.

use std::collections::BTreeMap;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{
    Column, ColumnValues, Dataset, Dictionary, EventKind, Hierarchy, Inputs, Role, Table, Taxonomy,
};
use throng_methods::{Method, MethodError, Outcome, Task, Variant};

pub const ITEMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const TOWNS: [&str; 4] = ["n1", "n2", "s1", "s2"];
const COLOURS: [&str; 3] = ["red", "blue", "green"];

#[derive(Debug, Clone)]
pub struct Person {
    pub age: u32,
    pub town: usize,
    pub colour: usize,
    /// Numbers of items.
    pub records: Vec<Vec<usize>>,
}

pub fn people() -> impl Strategy<Value = Vec<Person>> {
    let record = || btree_set(0..ITEMS.len(), 0..4).prop_map(|items| items.into_iter().collect::<Vec<_>>());
    let person = (0..6_u32, 0..TOWNS.len(), 0..COLOURS.len(), vec(record(), 1..=2))
        .prop_map(|(age, town, colour, records)| Person { age, town, colour, records });
    vec(person, 1..=16)
}

/// The same with ordered events, which may repeat.
pub fn travellers() -> impl Strategy<Value = Vec<Person>> {
    let record = || vec(0..ITEMS.len(), 0..5);
    let person = (0..6_u32, 0..TOWNS.len(), 0..COLOURS.len(), vec(record(), 1..=2))
        .prop_map(|(age, town, colour, records)| Person { age, town, colour, records });
    vec(person, 1..=14)
}

fn words(name: &str, cells: Vec<&str>) -> Column {
    let mut values = Dictionary::new();
    let codes = cells.iter().map(|cell| values.intern(cell)).collect();
    Column {
        name: name.to_owned(),
        role: Some(Role::QuasiIdentifying),
        values: ColumnValues::Categories { values, codes },
    }
}

pub fn data(people: &[Person]) -> Dataset {
    data_of(EventKind::Set, people)
}

pub fn data_of(kind: EventKind, people: &[Person]) -> Dataset {
    let names: Vec<String> = (0..people.len()).map(|number| format!("p{number}")).collect();
    let records = people.iter().zip(&names).flat_map(|(person, name)| {
        person.records.iter().map(|record| (name.as_str(), record.iter().map(|item| ITEMS[*item])))
    });
    let mut data = Dataset::from_records(kind, records);
    let ages = people.iter().map(|person| f64::from(person.age)).collect();
    let mut columns = vec![
        Column {
            name: "age".to_owned(),
            role: Some(Role::QuasiIdentifying),
            values: ColumnValues::Numbers(ages),
        },
        words("town", people.iter().map(|person| TOWNS[person.town]).collect()),
        words("colour", people.iter().map(|person| COLOURS[person.colour]).collect()),
    ];
    let mut secret = words("income", people.iter().map(|_| "x").collect());
    secret.role = Some(Role::Sensitive);
    columns.push(secret);
    data.attributes = Some(Table { columns });
    data
}

/// Hierarchies for all columns, so that every method for tables can run, and perhaps a taxonomy.
pub fn inputs(taxonomy: bool, all_hierarchies: bool) -> Inputs {
    let tree = |paths: &[&str]| Hierarchy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap();
    let mut hierarchies = BTreeMap::new();
    hierarchies
        .insert("town".to_owned(), tree(&["n1;north;all", "n2;north;all", "s1;south;all", "s2;south;all"]));
    if all_hierarchies {
        hierarchies.insert(
            "age".to_owned(),
            tree(&["0;young;any", "1;young;any", "2;young;any", "3;old;any", "4;old;any", "5;old;any"]),
        );
        hierarchies.insert("colour".to_owned(), tree(&["red;warm;*", "blue;cold;*", "green;cold;*"]));
    }
    let paths = ["a;x;top", "b;x;top", "c;x;top", "d;y;top", "e;y;top", "f;y;top", "g;y;top"];
    let items = Taxonomy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap();
    Inputs { hierarchies, taxonomy: taxonomy.then_some(items), ..Inputs::default() }
}

/// Hierarchies whose top says nothing, so that the rows of a group may say nothing at all.
pub fn silent_inputs() -> Inputs {
    let tree = |paths: &[&str]| Hierarchy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap();
    let hierarchies = BTreeMap::from([
        ("age".to_owned(), tree(&["0;young;*", "1;young;*", "2;young;*", "3;old;*", "4;old;*", "5;old;*"])),
        ("town".to_owned(), tree(&["n1;north;*", "n2;north;*", "s1;south;*", "s2;south;*"])),
        ("colour".to_owned(), tree(&["red;*", "blue;*", "green;*"])),
    ]);
    Inputs { hierarchies, ..Inputs::default() }
}

pub fn run(
    method: &dyn Method,
    data: &Dataset,
    inputs: &Inputs,
    given: &[(&str, &str)],
    variant: Variant,
) -> Result<Outcome, MethodError> {
    // The smallest cells, unless a test asks for others.
    let tight =
        [("bounds", "tight")].into_iter().filter(|(name, _)| given.iter().all(|(given, _)| given != name));
    let settings = Settings::parse(method.descriptor(), given.iter().copied().chain(tight)).unwrap();
    let progress = Progress::silent();
    method.anonymize(&Task { inputs, variant, seed: 3, ..Task::new(data, &settings, &progress) })
}
