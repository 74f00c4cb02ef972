//! How many people fit COUNT queries: in the data for sure, in a release as far as it can tell.
//!
//! A query may ask for items, for cells of columns, or for both. In a release, a cell is what is asked for with the chance that its
//! cover leaves: the wanted part of what it may be, every value being equally likely. Chances of columns
//! and of items multiply: a release does not say more.
//!
//! # Cost
//! Items as in [`crate::counting`]. Rows of tables that show the same in all columns that any query asks for are looked at once;
//! then, for each query, one multiplication for each such row and column that is asked for.

use std::collections::BTreeMap;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::{Column, Cover, Dictionary, Domain, Events, ItemId, Query, RecodedColumn, Role, Wanted};

use crate::Comparison;
use crate::counting::{Meaning, SetModel, count, count_weighted};
use crate::table::{Cells, Groups, Wish};

/// The answer to one query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// People of the data who fit.
    pub actual: u64,
    /// People who fit on average, over all ways to fill in the release.
    pub estimate: f64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// The user stopped it.
    Cancelled,
    /// A query asks for a column that the data or the release do not have.
    NoColumn,
}

impl From<Cancelled> for Unanswered {
    fn from(Cancelled: Cancelled) -> Self {
        Unanswered::Cancelled
    }
}

/// Answers queries from the data and from the release.
pub fn answers(on: &Comparison<'_>, queries: &[Query], sets: SetModel) -> Result<Vec<Answer>, Unanswered> {
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    for (column, _) in queries.iter().flat_map(|query| &query.cells) {
        let next = asked.len();
        asked.entry(column).or_insert(next);
    }
    let names = {
        let mut names: Vec<(&str, usize)> = asked.iter().map(|(name, place)| (*name, *place)).collect();
        names.sort_unstable_by_key(|(_, place)| *place);
        names
    };
    let released: Vec<RecodedColumn> = names
        .iter()
        .map(|(name, _)| released_column(on, name))
        .collect::<Option<_>>()
        .ok_or(Unanswered::NoColumn)?;
    let columns: Vec<Cells<'_>> = released
        .iter()
        .map(|column| {
            let original = original_column(on, &column.name)?;
            let hierarchy = on.inputs.hierarchies.get(&column.name);
            let domain = Domain::of(original, hierarchy).or_else(|_| Domain::of(original, None)).ok()?;
            Some(Cells::new(column, domain))
        })
        .collect::<Option<_>>()
        .ok_or(Unanswered::NoColumn)?;
    let wishes = |query: &Query| -> Vec<(usize, Wish)> {
        let wish = |(column, wanted): &(String, Wanted)| {
            let place = asked[column.as_str()];
            (place, columns[place].wish(wanted))
        };
        query.cells.iter().map(wish).collect()
    };
    let before = Side { on, columns: &columns, wishes: &wishes, released: false, sets };
    let after = Side { released: true, ..before };
    let (actual, estimates) = (before.answers(queries)?, after.answers(queries)?);
    let answer = |(actual, estimate): (f64, f64)| Answer { actual: actual.round() as u64, estimate };
    Ok(actual.into_iter().zip(estimates).map(answer).collect())
}

fn original_column<'a>(on: &Comparison<'a>, name: &str) -> Option<&'a Column> {
    on.original.attributes.as_ref()?.column(name)
}

/// A column as it is released; one that is not published is suppressed everywhere.
fn released_column(on: &Comparison<'_>, name: &str) -> Option<RecodedColumn> {
    if let Some(column) = on.release.table().and_then(|table| table.column(name)) {
        return Some(column.clone());
    }
    if let Some(column) = on.release.attributes().and_then(|table| table.column(name)) {
        return Some(RecodedColumn::intact(column, column.role.unwrap_or(Role::Insensitive)));
    }
    let column = original_column(on, name)?;
    Some(RecodedColumn {
        name: name.to_owned(),
        role: Role::Insensitive,
        kind: column.kind(),
        covers: vec![Cover::Suppressed],
        cells: vec![0; on.release.people()],
    })
}

/// The data, or the release.
#[derive(Clone, Copy)]
struct Side<'a, 'c> {
    on: &'a Comparison<'c>,
    columns: &'a [Cells<'a>],
    wishes: &'a (dyn Fn(&Query) -> Vec<(usize, Wish)> + Sync),
    released: bool,
    sets: SetModel,
}

impl Side<'_, '_> {
    fn answers(&self, queries: &[Query]) -> Result<Vec<f64>, Cancelled> {
        let (with_items, without): (Vec<usize>, Vec<usize>) =
            (0..queries.len()).partition(|query| !queries[*query].items.is_empty());
        let (plain, joint): (Vec<usize>, Vec<usize>) =
            with_items.into_iter().partition(|query| queries[*query].cells.is_empty());
        let mut answers = vec![0.0; queries.len()];
        let mut put = |places: &[usize], values: Vec<f64>| {
            places.iter().zip(values).for_each(|(place, value)| answers[*place] = value);
        };
        if !plain.is_empty() || !joint.is_empty() {
            put(&plain, self.of_items(queries, &plain)?);
            put(&joint, self.of_both(queries, &joint)?);
        }
        put(&without, self.of_cells(queries, &without)?);
        Ok(answers)
    }

    fn progress(&self) -> &Progress {
        self.on.progress
    }

    fn meaning(&self) -> Meaning {
        match self.released {
            true => Meaning::of(self.on.release).with_sets(self.sets),
            false => Meaning::identity(self.on.original.items.len()),
        }
    }

    fn events(&self) -> &Events {
        if self.released { self.on.release.events() } else { &self.on.original.events }
    }

    fn patterns(&self, queries: &[Query], places: &[usize]) -> Vec<Vec<ItemId>> {
        let base = if self.released { &self.on.release.base } else { &self.on.original.items };
        numbered(places.iter().map(|place| &queries[*place]), base)
    }

    fn of_items(&self, queries: &[Query], places: &[usize]) -> Result<Vec<f64>, Cancelled> {
        let patterns = self.patterns(queries, places);
        let people = count(self.events(), &self.meaning(), &patterns, self.progress())?;
        Ok(people.into_iter().map(|people| people.expected).collect())
    }

    fn of_both(&self, queries: &[Query], places: &[usize]) -> Result<Vec<f64>, Cancelled> {
        let patterns = self.patterns(queries, places);
        let weights = |number: usize| {
            let wishes = (self.wishes)(&queries[places[number]]);
            let chances: Vec<(usize, Vec<f64>)> =
                wishes.iter().map(|(column, wish)| (*column, self.chances(*column, wish))).collect();
            (0..self.events().subjects())
                .map(|person| {
                    chances.iter().map(|(column, chances)| chances[self.cell(*column, person)]).product()
                })
                .collect()
        };
        let people =
            count_weighted(self.events(), &self.meaning(), &patterns, Some(&weights), self.progress())?;
        Ok(people.into_iter().map(|people| people.expected).collect())
    }

    fn of_cells(&self, queries: &[Query], places: &[usize]) -> Result<Vec<f64>, Cancelled> {
        if places.is_empty() {
            return Ok(Vec::new());
        }
        // Everybody who shows the same has the same chance.
        let people = self.events().subjects();
        let mut groups = Groups::all(people, |_| false);
        for column in 0..self.columns.len() {
            groups = groups.split(|person| self.cell(column, person) as u32);
        }
        let mut first: Vec<Option<usize>> = vec![None; groups.sizes.len()];
        for (person, group) in groups.of.iter().enumerate() {
            if let Some(group) = group {
                first[*group as usize].get_or_insert(person);
            }
        }
        let shown: Vec<(usize, f64)> =
            first.into_iter().flatten().zip(groups.sizes.iter().map(|size| f64::from(*size))).collect();
        let phase = self.progress().phase("count rows", Some(places.len() as u64));
        places
            .par_iter()
            .map(|place| {
                phase.advance(1)?;
                let chances: Vec<(usize, Vec<f64>)> = (self.wishes)(&queries[*place])
                    .iter()
                    .map(|(column, wish)| (*column, self.chances(*column, wish)))
                    .collect();
                let chance = |person: usize| -> f64 {
                    chances.iter().map(|(column, chances)| chances[self.cell(*column, person)]).product()
                };
                Ok(shown.iter().map(|(person, people)| people * chance(*person)).sum())
            })
            .collect()
    }

    /// What a person shows in a column: the number of a cover, or of an original value.
    fn cell(&self, column: usize, person: usize) -> usize {
        let cells = &self.columns[column];
        match self.released {
            true => cells.column.cells[person] as usize,
            false => cells.domain.codes[person] as usize,
        }
    }

    /// How likely each cover, or each original value, is what a query wants.
    fn chances(&self, column: usize, wish: &Wish) -> Vec<f64> {
        let cells = &self.columns[column];
        match self.released {
            true => (0..cells.column.covers.len() as u32).map(|cover| cells.chance(wish, cover)).collect(),
            false => {
                let fits = |code: u32| if cells.fits(wish, code) { 1.0 } else { 0.0 };
                (0..cells.domain.len() as u32).map(fits).collect()
            }
        }
    }
}

/// The items of queries by number. An item that the base does not have gets a number of its own, which occurs nowhere.
pub(crate) fn numbered<'q>(queries: impl Iterator<Item = &'q Query>, base: &Dictionary) -> Vec<Vec<ItemId>> {
    let mut beyond = Dictionary::new();
    let mut number =
        |name: &String| base.find(name).unwrap_or_else(|| base.len() as ItemId + beyond.intern(name));
    queries.map(|query| query.items.iter().map(&mut number).collect()).collect()
}
