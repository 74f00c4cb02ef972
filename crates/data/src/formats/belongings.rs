//! Columns of an events file that belong to the person or to the item rather than to the event: attributes, coordinates, categories.
//!
//! One file is often all there is. Such a column has one value for each person or item; an empty cell says nothing, so that a value which stands
//! in the first event only is taken. Two different values for one person or item are refused, unless the first is to be taken.

use super::error::{Defect, InputError, Shape};
use super::header::Header;
use super::options::ReadOptions;
use super::records::typed;
use super::role_names::RoleName;
use crate::{Column, Coordinates, Dataset, Dictionary, Places, Table};

/// Whose a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Person,
    Item,
}

/// What a column is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Attribute,
    First,
    Second,
    Category,
}

/// The values of one column by the names of whom they belong to.
#[derive(Debug, Default)]
pub(super) struct Kept {
    owners: Dictionary,
    values: Dictionary,
    /// The code of the value of each owner.
    of_owner: Vec<u32>,
    /// Whether an owner has another value, too.
    varying: Vec<bool>,
}

impl Kept {
    /// Forgets all values and keeps the memory.
    pub fn clear(&mut self) {
        self.owners.clear();
        self.values.clear();
        self.of_owner.clear();
        self.varying.clear();
    }

    /// Keeps a value of an owner; the first one stands, and what is empty says nothing.
    pub fn keep(&mut self, owner: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        let (owner, code) = (self.owners.intern(owner) as usize, self.values.intern(value));
        match self.of_owner.get(owner) {
            None => {
                self.of_owner.push(code);
                self.varying.push(false);
            }
            Some(known) if *known != code => self.varying[owner] = true,
            Some(_) => {}
        }
    }

    fn value(&self, owner: &str) -> &str {
        self.owners.find(owner).map_or("", |owner| self.values.name(self.of_owner[owner as usize]))
    }

    /// Takes in what a later block has.
    fn join(&mut self, block: &Kept) {
        for (owner, name) in block.owners.names().enumerate() {
            self.keep(name, block.values.name(block.of_owner[owner]));
            if block.varying[owner]
                && let Some(owner) = self.owners.find(name)
            {
                self.varying[owner as usize] = true;
            }
        }
    }
}

/// One such column: which it is, and what is known of it.
#[derive(Debug)]
struct Belonging {
    column: usize,
    used: Use,
    kept: Kept,
}

/// All such columns of a file.
#[derive(Debug)]
pub(super) struct Belongings {
    columns: Vec<Belonging>,
    system: Coordinates,
    first_value: bool,
    /// Rows that were joined, where each is a person of its own.
    rows: usize,
}

impl Belongings {
    /// The columns that the options name.
    pub fn of(header: &Header, options: &ReadOptions) -> Result<Self, InputError> {
        let mut columns = Vec::new();
        let mut add = |flag: &'static str, name: &str, used: Use| -> Result<(), InputError> {
            let role = RoleName { role: flag, flag: Some(flag), aliases: &[], weaker: &[] };
            let column = header.need(role, Some(name))?;
            columns.push(Belonging { column, used, kept: Kept::default() });
            Ok(())
        };
        for name in &options.attributes {
            add("attributes", name, Use::Attribute)?;
        }
        let degrees = [("lat", &options.lat, Use::First), ("lon", &options.lon, Use::Second)];
        let plane = [("x", &options.x, Use::First), ("y", &options.y, Use::Second)];
        let system = if options.x.is_some() { Coordinates::Plane } else { Coordinates::Degrees };
        for (flag, name, used) in if options.x.is_some() { plane } else { degrees } {
            if let Some(name) = name {
                add(flag, name, used)?;
            }
        }
        if let Some(name) = &options.category {
            add("category", name, Use::Category)?;
        }
        Ok(Belongings { columns, system, first_value: options.first_value, rows: 0 })
    }

    /// The columns of people that the options name, in a file whose rows hold several items: no column can belong to one of them.
    pub fn of_people(header: &Header, options: &ReadOptions) -> Result<Self, InputError> {
        let of_items = [
            ("lat", &options.lat),
            ("lon", &options.lon),
            ("x", &options.x),
            ("y", &options.y),
            ("category", &options.category),
        ];
        if let Some((flag, _)) = of_items.into_iter().find(|(_, name)| name.is_some()) {
            let what = format!("a row holds several items, so that `{flag}` cannot say something of each");
            let help =
                "leave it out, and give what is known of items as a file: {places} or {taxonomy}".into();
            return Err(InputError::file(&header.file, Defect::Question { what, help }));
        }
        Belongings::of(header, options)
    }

    /// Their places in the file, and whether they belong to the item.
    pub fn positions(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.columns.iter().map(|belonging| (belonging.column, belonging.owner() == Owner::Item))
    }

    /// Takes in the next block.
    pub fn join(&mut self, block: &[Kept]) {
        for (belonging, kept) in self.columns.iter_mut().zip(block) {
            belonging.kept.join(kept);
        }
    }

    /// Takes in the next block of a file in which every row is a person of its own, whom the block knows by the number of the row in it.
    pub fn join_rows(&mut self, block: &[Kept], rows: usize) {
        for (belonging, kept) in self.columns.iter_mut().zip(block) {
            for (owner, row) in kept.owners.names().enumerate() {
                let person = row.parse::<usize>().unwrap_or_default() + self.rows;
                belonging.kept.keep(&person.to_string(), kept.values.name(kept.of_owner[owner]));
            }
        }
        self.rows += rows;
    }

    /// Gives the data the attributes of their people, and the places and categories of their items.
    pub fn finish(self, header: &Header, data: &mut Dataset) -> Result<(), InputError> {
        let (people, items) = (&data.subjects, &data.items);
        let refused = |belonging: &Belonging, defect| {
            InputError::file(&header.file, defect).column(&header.label(belonging.column))
        };
        for belonging in self.columns.iter().filter(|_| !self.first_value) {
            let count = belonging.kept.varying.iter().filter(|varying| **varying).count();
            if count > 0 {
                let whose = match (belonging.owner(), count) {
                    (Owner::Person, 1) => "person",
                    (Owner::Person, _) => "people",
                    (Owner::Item, 1) => "item",
                    (Owner::Item, _) => "items",
                };
                return Err(refused(belonging, Defect::Varying { count, whose }));
            }
        }
        let mut table = Table::default();
        let mut axes = [None, None];
        let mut categories = None;
        for belonging in self.columns {
            let text = |owner: &str| belonging.kept.value(owner).trim().to_owned();
            match belonging.used {
                Use::Attribute => {
                    let mut values = Dictionary::new();
                    let codes = people.names().map(|person| values.intern(&text(person))).collect();
                    let name = header.label(belonging.column);
                    table.columns.push(Column { name, role: None, values: typed(values, codes) });
                }
                Use::Category => {
                    categories = Some(items.names().map(text).collect());
                }
                Use::First | Use::Second => {
                    let (limit, what) = match (self.system, belonging.used) {
                        (Coordinates::Plane, _) => (Coordinates::FARTHEST, "a coordinate"),
                        (_, Use::First) => (90.0, "a latitude"),
                        _ => (180.0, "a longitude"),
                    };
                    let mut axis = Vec::with_capacity(items.len());
                    for item in items.names() {
                        let found = text(item);
                        if found.is_empty() {
                            let missing = items.names().filter(|item| text(item).is_empty()).count();
                            let name = item.to_owned();
                            let defect =
                                Defect::MissingItem { name, others: missing - 1, what: "coordinates" };
                            return Err(refused(&belonging, defect));
                        }
                        let value: Option<f64> = found.parse().ok().filter(|value: &f64| value.is_finite());
                        let Some(value) = value else {
                            return Err(refused(&belonging, Defect::Number { found: Shape::of(&found) }));
                        };
                        if value.abs() > limit {
                            return Err(refused(&belonging, Defect::Range { what, min: -limit, max: limit }));
                        }
                        axis.push(value);
                    }
                    axes[usize::from(belonging.used == Use::Second)] = Some(axis);
                }
            }
        }
        match axes {
            [Some(first), Some(second)] => {
                let points = first.into_iter().zip(second).map(|(first, second)| [first, second]).collect();
                data.places = Some(Places { system: self.system, points, categories });
            }
            _ => data.own_categories = categories,
        }
        data.attributes = (!table.columns.is_empty()).then_some(table);
        Ok(())
    }
}

impl Belonging {
    fn owner(&self) -> Owner {
        if self.used == Use::Attribute { Owner::Person } else { Owner::Item }
    }
}
