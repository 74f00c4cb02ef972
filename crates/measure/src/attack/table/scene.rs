//! A table that attackers know, and a published one.

use std::collections::BTreeMap;

use throng_data::{Cover, Domain, Hierarchy, RecodedTable, Role, Table};

use super::overlap::overlap;
use crate::attack::point::Reach;
use crate::attack::scene::Own;
use crate::attack::secrets::{Guess, Secrets};
use crate::table::{Cells, Groups};

/// One column that attackers know.
#[derive(Debug)]
struct Known {
    name: String,
    /// The known value of each person.
    codes: Vec<u32>,
    /// How many people share each value.
    people: Vec<u32>,
    /// The covers that fit each value, ascending.
    fitting: Vec<Vec<u32>>,
    /// What each class shows.
    shown: Vec<u32>,
    /// The classes that show each cover.
    classes: Vec<Vec<u32>>,
}

/// What a scene is put together from, for one column.
struct Facts {
    name: String,
    /// The known value of each person.
    codes: Vec<u32>,
    /// The covers that fit each value, ascending.
    fitting: Vec<Vec<u32>>,
    /// The cover of each published person.
    cells: Vec<u32>,
}

/// The people attackers look for, and what is known of them.
struct Population {
    columns: Vec<Facts>,
    people: usize,
    /// Which published row is whose.
    own: Own,
    truth: Secrets,
}

/// What is known of people, and the published rows in which they are looked for.
#[derive(Debug)]
pub struct TableScene {
    columns: Vec<Known>,
    people: usize,
    own: Own,
    /// Published people in each class of rows that look alike.
    sizes: Vec<u32>,
    /// The class of each published person; `None` for a suppressed row.
    class_of: Vec<Option<u32>>,
    /// How many people have which secret, by class.
    secrets: Vec<Vec<(u32, u32)>>,
    /// The secrets of the known people.
    truth: Option<Secrets>,
    /// How many secrets there are.
    names: usize,
}

impl TableScene {
    /// The data as they are: known and published. `people` is how many rows there are.
    pub fn original(table: &Table, people: usize) -> Self {
        let identity = RecodedTable::identity(table);
        TableScene::release(table, &identity, people, &BTreeMap::new(), Own::Same)
    }

    /// Known are the data, published is a release of them.
    pub fn release(
        table: &Table,
        release: &RecodedTable,
        people: usize,
        hierarchies: &BTreeMap<String, Hierarchy>,
        own: Own,
    ) -> Self {
        let mut columns = Vec::new();
        for column in release.known() {
            let Some(original) = table.column(&column.name) else { continue };
            let hierarchy = hierarchies.get(&column.name);
            let Ok(domain) = Domain::of(original, hierarchy).or_else(|_| Domain::of(original, None)) else {
                continue;
            };
            let cells = Cells::new(column, domain);
            let mut fitting = vec![Vec::new(); cells.domain.len()];
            for cover in 0..column.covers.len() as u32 {
                cells.codes(cover).iter().for_each(|code| fitting[*code as usize].push(cover));
            }
            columns.push(Facts {
                name: column.name.clone(),
                codes: cells.domain.codes,
                fitting,
                cells: column.cells.clone(),
            });
        }
        let names = secret_names(release);
        let truth = published_secrets(&RecodedTable::identity(table), people, &names);
        TableScene::put_together(Population { columns, people, own, truth }, release, &names)
    }

    /// A release alone. What is known are released cells, and they fit others that may stand for the same value.
    pub fn released(release: &RecodedTable) -> Self {
        let people = published_rows(release);
        let mut columns = Vec::new();
        for column in release.known() {
            let fits = |cover: &Cover| {
                let overlapping = |other: &u32| overlap(cover, &column.covers[*other as usize], column.kind);
                (0..column.covers.len() as u32).filter(overlapping).collect::<Vec<u32>>()
            };
            let fitting = column.covers.iter().map(fits).collect();
            let (codes, cells) = (column.cells.clone(), column.cells.clone());
            columns.push(Facts { name: column.name.clone(), codes, fitting, cells });
        }
        let names = secret_names(release);
        let truth = published_secrets(release, people, &names);
        TableScene::put_together(Population { columns, people, own: Own::Same, truth }, release, &names)
    }

    /// The scene of these people and a release, with the names of all secrets.
    fn put_together(population: Population, release: &RecodedTable, names: &[(String, String)]) -> Self {
        let Population { columns, people, own, truth } = population;
        let rows = published_rows(release);
        let mut groups = Groups::all(rows, |row| release.is_suppressed(row));
        for column in &columns {
            groups = groups.split(|row| column.cells[row]);
        }
        let mut first = vec![usize::MAX; groups.sizes.len()];
        let published = published_secrets(release, rows, names);
        let mut secrets: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); groups.sizes.len()];
        for (row, class) in groups.of.iter().enumerate() {
            let Some(class) = class.map(|class| class as usize) else { continue };
            first[class] = first[class].min(row);
            for secret in published.of(row as u32) {
                *secrets[class].entry(*secret).or_default() += 1;
            }
        }
        let known = |Facts { name, codes, fitting, cells }: Facts| {
            let mut people = vec![0; fitting.len()];
            codes.iter().for_each(|code| people[*code as usize] += 1);
            let shown: Vec<u32> = first.iter().map(|row| cells[*row]).collect();
            let covers =
                shown.iter().chain(fitting.iter().flatten()).max().map_or(0, |last| *last as usize + 1);
            let mut classes = vec![Vec::new(); covers];
            (0..).zip(&shown).for_each(|(class, cover)| classes[*cover as usize].push(class));
            Known { name, codes, people, fitting, shown, classes }
        };
        TableScene {
            columns: columns.into_iter().map(known).collect(),
            people,
            own,
            sizes: groups.sizes,
            class_of: groups.of,
            secrets: secrets.into_iter().map(|secrets| secrets.into_iter().collect()).collect(),
            truth: (!names.is_empty()).then_some(truth),
            names: names.len(),
        }
    }

    /// How many people something is known of.
    pub fn people(&self) -> usize {
        self.people
    }

    /// How many columns there are to know.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// People in the smallest group of published rows that look alike; none where nothing is published.
    pub fn smallest_group(&self) -> Option<u32> {
        self.sizes.iter().copied().min()
    }

    /// The share of the most frequent sensitive value among the published rows; none where no column is sensitive.
    pub fn by_chance(&self) -> Option<f64> {
        self.truth.as_ref()?;
        let mut people = vec![0; self.names];
        self.secrets.iter().flatten().for_each(|(secret, held)| people[*secret as usize] += held);
        let rows: u32 = self.sizes.iter().sum();
        Some(f64::from(people.into_iter().max().unwrap_or(0)) / f64::from(rows.max(1)))
    }

    /// The name of a column.
    pub fn name(&self, column: usize) -> &str {
        &self.columns[column].name
    }

    pub(super) fn truth(&self) -> Option<&Secrets> {
        self.truth.as_ref()
    }

    /// How many people share a person's value.
    pub(in crate::attack) fn sharing(&self, column: usize, person: u32) -> u32 {
        let column = &self.columns[column];
        column.people[column.codes[person as usize] as usize]
    }

    /// Whether a published row says nothing.
    pub(in crate::attack) fn is_silent(&self, published: usize) -> bool {
        self.class_of.get(published).copied().flatten().is_none()
    }

    /// How many classes of published rows that look alike there are.
    pub(in crate::attack) fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// The class of a published person; none where the row says nothing.
    pub(in crate::attack) fn class_of(&self, published: u32) -> Option<u32> {
        self.class_of.get(published as usize).copied().flatten()
    }

    /// How many of these columns, one after the other, fit what is known of a person.
    pub(in crate::attack) fn fitting(&self, class: u32, person: u32, columns: &[usize]) -> usize {
        let fits = |column: &&usize| {
            let column = &self.columns[**column];
            let fitting = &column.fitting[column.codes[person as usize] as usize];
            fitting.binary_search(&column.shown[class as usize]).is_ok()
        };
        columns.iter().take_while(fits).count()
    }

    /// All published people by how many of these columns, one after the other, fit what is known of a person.
    pub(in crate::attack) fn people_fitting(&self, person: u32, columns: &[usize]) -> Vec<u32> {
        let mut people = vec![0; columns.len() + 1];
        if let Some(first) = columns.first().map(|column| &self.columns[*column]) {
            let covers = &first.fitting[first.codes[person as usize] as usize];
            for class in covers.iter().flat_map(|cover| &first.classes[*cover as usize]) {
                let fitting = 1 + self.fitting(*class, person, &columns[1..]);
                people[fitting] += self.sizes[*class as usize];
            }
        }
        people[0] = self.class_of.len() as u32 - people[1..].iter().sum::<u32>();
        people
    }

    pub(super) fn searcher(&self) -> Searcher<'_> {
        Searcher { scene: self, counts: vec![0; self.names], candidates: Vec::new() }
    }
}

/// Looks for one target after the other.
pub(super) struct Searcher<'a> {
    scene: &'a TableScene,
    /// People with each secret; all zero in between.
    counts: Vec<u32>,
    candidates: Vec<u32>,
}

impl Searcher<'_> {
    /// What is reached with the first so many of the columns, for each of the steps, ascending.
    pub fn reach(&mut self, person: u32, columns: &[usize], steps: &[usize]) -> Vec<Reach> {
        let scene = self.scene;
        let own = scene.own.of(person);
        if own.is_some_and(|own| scene.class_of.get(own).copied().flatten().is_none()) {
            // Nothing is said of the target: everybody is as good as anybody.
            return vec![self.everybody(); steps.len()];
        }
        self.candidates.clear();
        let mut reached = Vec::with_capacity(steps.len());
        for (known, column) in columns.iter().enumerate() {
            let column = &scene.columns[*column];
            let fitting = &column.fitting[column.codes[person as usize] as usize];
            if known == 0 {
                let classes = fitting.iter().flat_map(|cover| &column.classes[*cover as usize]);
                self.candidates.extend(classes);
                // By class, so that answers do not depend on the order of covers.
                self.candidates.sort_unstable();
            } else {
                let fits = |class: &u32| fitting.binary_search(&column.shown[*class as usize]).is_ok();
                self.candidates.retain(fits);
            }
            if steps.contains(&(known + 1)) {
                let reach = if self.candidates.is_empty() { self.everybody() } else { self.found() };
                reached.push(reach);
            }
        }
        reached
    }

    fn found(&mut self) -> Reach {
        let people = self.candidates.iter().map(|class| self.scene.sizes[*class as usize]).sum();
        for (secret, people) in self.candidates.iter().flat_map(|class| &self.scene.secrets[*class as usize])
        {
            self.counts[*secret as usize] += people;
        }
        let guess = Guess::best(&self.counts);
        self.counts.fill(0);
        Reach { people, guess }
    }

    /// All published people, and nothing learned that was not known before.
    fn everybody(&mut self) -> Reach {
        let candidates = std::mem::take(&mut self.candidates);
        self.candidates = (0..self.scene.sizes.len() as u32).collect();
        let Reach { guess, .. } = self.found();
        self.candidates = candidates;
        Reach { people: self.scene.class_of.len() as u32, guess }
    }
}

fn published_rows(release: &RecodedTable) -> usize {
    release.columns.first().map_or(0, |column| column.cells.len())
}

/// All values of sensitive columns: column, value.
fn secret_names(release: &RecodedTable) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for column in release.with_role(Role::Sensitive) {
        let mut values: Vec<&String> = column
            .covers
            .iter()
            .filter_map(|cover| match cover {
                Cover::Value(value) => Some(value),
                _ => None,
            })
            .collect();
        values.sort_unstable();
        values.dedup();
        names.extend(values.into_iter().map(|value| (column.name.clone(), value.clone())));
    }
    names
}

/// The secrets that the release shows of each published person.
fn published_secrets(release: &RecodedTable, rows: usize, names: &[(String, String)]) -> Secrets {
    let number: BTreeMap<(&str, &str), u32> = (0..)
        .zip(names)
        .map(|(secret, (column, value))| ((column.as_str(), value.as_str()), secret))
        .collect();
    let columns: Vec<(Vec<Option<u32>>, &[u32])> = release
        .with_role(Role::Sensitive)
        .map(|column| {
            let secret = |cover: &Cover| match cover {
                Cover::Value(value) => number.get(&(column.name.as_str(), value.as_str())).copied(),
                _ => None,
            };
            (column.covers.iter().map(secret).collect(), column.cells.as_slice())
        })
        .collect();
    let written = names.iter().map(|(column, value)| format!("{column}={value}")).collect();
    Secrets::of_people(written, rows, |row, held| {
        held.extend(columns.iter().filter_map(|(secrets, cells)| secrets[cells[row] as usize]));
    })
}
