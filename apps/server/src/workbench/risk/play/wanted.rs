//! What attackers want to learn: the sensitive items, and the values of sensitive attributes.
//!
//! An attribute is sensitive when the user gave it that role, with all its values; otherwise the values count that are
//! listed as sensitive. Support counts people: everybody has an attribute once.

use std::sync::Arc;

use throng_contract::{Input, Progress};
use throng_data::formats::{ReadOptions, Source, read_items, read_people};
use throng_data::{Dataset, ItemId, Release, Table};
use throng_measure::attack::{Common, Secrets};

use super::{SharedSecret, short};
use crate::platform::problem::Problem;
use crate::workbench::project::Projects;
use crate::workbench::reading::ColumnRole;
use crate::workbench::snapshots::{Snapshot, Workspace};

/// Values of one attribute that are told apart: one with more is no matter of a few groups.
const MAX_VALUES: usize = 100;
/// Secrets in one answer.
const MAX_SECRETS: usize = 24;

/// What attackers want to learn of the people of a project.
#[derive(Debug)]
pub struct Wanted {
    items: Vec<ItemId>,
    names: Vec<String>,
    /// Attribute and value.
    values: Vec<(String, String)>,
    /// Who has what in the data.
    pub original: Secrets,
}

/// Looked up once for each state of data and inputs.
pub fn wanted(
    projects: &Projects,
    workspace: &Workspace,
    snapshot: &Snapshot,
) -> Result<Arc<Wanted>, Problem> {
    let data = snapshot.need_data()?;
    workspace.wanted.get((snapshot.revision, workspace.inputs_version()), || {
        Ok(Wanted::of(projects, &workspace.project, snapshot, data))
    })
}

impl Wanted {
    fn of(projects: &Projects, project: &str, snapshot: &Snapshot, data: &Dataset) -> Self {
        // A file that cannot be used hides nothing: it is told on the Meaning screen.
        let source = |input: Input| {
            let path = projects.home.input(project, input);
            path.is_file().then(|| Source::file(path))
        };
        let items = source(Input::SensitiveItems).and_then(|source| read_items(&source, &data.items).ok());
        let names = items.unwrap_or_default();
        let items: Vec<ItemId> = names.iter().filter_map(|name| data.items.find(name)).collect();
        let table = source(Input::Records).and_then(|source| {
            let (options, quiet) = (ReadOptions::default(), Progress::silent());
            Some(read_people(&source, &options, None, &data.subjects, &quiet).ok()?.table)
        });
        let listed = std::fs::read_to_string(projects.home.input(project, Input::SensitiveValues));
        let values = match &table {
            None => Vec::new(),
            Some(table) => sensitive_values(table, snapshot, &listed.unwrap_or_default()),
        };
        let mut wanted = Wanted { items, names, values, original: nothing(data.events.subjects()) };
        let mut secret_of = vec![None; data.items.len()];
        for (secret, item) in (0..).zip(&wanted.items) {
            secret_of[*item as usize] = Some(secret);
        }
        wanted.original = Secrets::of_items(wanted.names.clone(), &data.events, &secret_of);
        if let Some(table) = table.filter(|_| !wanted.values.is_empty()) {
            let of_values = Secrets::of_values(&table, data.events.subjects(), &wanted.values);
            wanted.original = wanted.original.and(&of_values);
        }
        wanted
    }

    /// Whether anything is sensitive.
    pub fn is_some(&self) -> bool {
        !self.items.is_empty() || !self.values.is_empty()
    }

    /// Who has what in a release: items that surely are a secret, and attributes that were published.
    pub fn in_release(&self, release: &Release) -> Secrets {
        let secret_of = Secrets::given_away(release, &self.items);
        let of_items = Secrets::of_items(self.names.clone(), release.events(), &secret_of);
        match release.attributes().filter(|_| !self.values.is_empty()) {
            Some(table) => of_items.and(&Secrets::of_values(table, release.people(), &self.values)),
            None => of_items,
        }
    }

    /// Secrets as they are told.
    pub fn told(&self, secrets: &[Common]) -> Vec<SharedSecret> {
        let told = |common: &Common| {
            let named = |(attribute, value): &&(String, String)| {
                common.name.strip_prefix(attribute.as_str()).and_then(|rest| rest.strip_prefix('='))
                    == Some(value.as_str())
            };
            let of_attribute = self.values.iter().find(named);
            SharedSecret {
                attribute: of_attribute.map(|(attribute, _)| short(attribute)),
                value: short(of_attribute.map_or(&common.name, |(_, value)| value)),
                people: common.people,
                share: common.share,
            }
        };
        secrets.iter().take(MAX_SECRETS).map(told).collect()
    }
}

fn nothing(subjects: usize) -> Secrets {
    Secrets::of_values(&Table::default(), subjects, &[])
}

/// All values of attributes with the role `sensitive`, and those that are listed: `COLUMN=VALUE,VALUE`, or `COLUMN=*`.
fn sensitive_values(table: &Table, snapshot: &Snapshot, listed: &str) -> Vec<(String, String)> {
    let people = snapshot.summary.counts.map_or(0, |counts| counts.subjects as usize);
    let roles = snapshot.reading.attributes.iter();
    let by_role =
        roles.filter(|(_, role)| **role == ColumnRole::Sensitive).map(|(name, _)| (name.as_str(), "*"));
    let by_list = listed.lines().filter_map(|line| line.trim().split_once('='));
    let mut values: Vec<(String, String)> = Vec::new();
    for (name, wanted) in by_role.chain(by_list) {
        let name = name.trim();
        let Some(column) = table.column(name) else { continue };
        let own: Vec<String> = match wanted.trim() {
            "*" => {
                let mut all: Vec<String> = (0..people).map(|person| column.text(person)).collect();
                all.sort_unstable();
                all.dedup();
                if all.len() > MAX_VALUES { Vec::new() } else { all }
            }
            some => some.split(',').map(|value| value.trim().to_owned()).collect(),
        };
        for value in own.into_iter().filter(|value| !value.is_empty()) {
            let pair = (name.to_owned(), value);
            if !values.contains(&pair) {
                values.push(pair);
            }
        }
    }
    values
}
