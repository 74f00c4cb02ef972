//! What is promised, and who holds which sensitive value.

use throng_contract::{Fraction, Help, SettingsError, help};
use throng_data::{ColumnValues, Dataset};
use throng_mine::doublets::{DoubletError, DoubletTable, Ties};
use throng_models::choices::MissingSecret;

use super::{Promised, SHARE};
use crate::MethodError;
use crate::method::Task;

/// The thresholds L, K and C of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    /// Longest sequence an attacker may know (L).
    pub length: usize,
    /// People that must fit whatever the attacker knows (K).
    pub people: u64,
    /// How sure the attacker may be of a sensitive value (C).
    pub share: Fraction,
}

impl Requirement {
    /// What a method is asked to promise.
    pub(super) fn new(method: &'static str, promised: &Promised) -> Result<Self, SettingsError> {
        let Promised { length, people, share, .. } = *promised;
        if share == Fraction::ZERO {
            return Err(SettingsError::Wrong {
                owner: method,
                name: SHARE.setting.name,
                wanted: "a share above 0, up to 1".to_owned(),
                given: share.to_string(),
            });
        }
        Ok(Requirement { length: usize::try_from(length).unwrap_or(usize::MAX), people, share })
    }

    /// Whether so many people are too few, or the largest group of holders among them is too large a share.
    pub fn is_violated(&self, people: u32, most_holders: u32) -> bool {
        u64::from(people) < self.people || self.share.is_exceeded_by(most_holders.into(), people.into())
    }
}

/// The sensitive values of each person.
#[derive(Debug, Clone, Default)]
pub struct Sensitive {
    /// `column=value` of each sensitive value.
    pub names: Vec<String>,
    /// `starts[p]..starts[p + 1]` are the positions of person `p` in `held`; empty when nothing is sensitive.
    starts: Vec<u32>,
    held: Vec<u32>,
}

impl Sensitive {
    /// The sensitive values that a task names.
    pub fn named_by(
        method: &'static str,
        task: &Task<'_>,
        missing: MissingSecret,
    ) -> Result<Self, MethodError> {
        let worst = missing == MissingSecret::Worst;
        Sensitive::find(method, task.data, &task.inputs.sensitive_values, worst)
    }

    /// Looks the named values up in the attributes of the data. With `worst`, a person whose value is missing may hold any.
    pub fn find(
        method: &'static str,
        data: &Dataset,
        named: &[(String, String)],
        worst: bool,
    ) -> Result<Self, MethodError> {
        if named.is_empty() {
            return Ok(Sensitive::default());
        }
        let unknown = |what: String, help: Help| MethodError::BadData { what, help };
        let Some(table) = &data.attributes else {
            return Err(MethodError::MissingInput { method, input: throng_contract::Input::Records });
        };
        let people = data.events.subjects();
        let mut of_person: Vec<Vec<u32>> = vec![Vec::new(); people];
        let mut names: Vec<String> = Vec::new();
        for (column_name, value) in named {
            let name = format!("{column_name}={value}");
            if names.contains(&name) {
                continue;
            }
            let Some(column) = table.column(column_name) else {
                let known: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
                return Err(unknown(
                    format!("the sensitive column `{column_name}` is not among the attributes"),
                    help!("the attributes are $", known.join(", ")),
                ));
            };
            let number = names.len() as u32;
            let mut holders = 0;
            for (person, of_person) in of_person.iter_mut().enumerate() {
                let holds = match &column.values {
                    ColumnValues::Categories { values, codes } => values.name(codes[person]) == value,
                    ColumnValues::Numbers(_) | ColumnValues::Dates(_) => column.text(person) == *value,
                };
                let may_hold = worst && !value.is_empty() && column.is_missing(person);
                if holds || may_hold {
                    of_person.push(number);
                }
                holders += u64::from(holds);
            }
            if holders == 0 {
                return Err(unknown(
                    format!("no person has the sensitive value `{value}` in the column `{column_name}`"),
                    "check the spelling against the column's own values".into(),
                ));
            }
            names.push(name);
        }
        let mut starts = Vec::with_capacity(people + 1);
        let mut held = Vec::new();
        starts.push(0);
        for values in of_person {
            held.extend(values);
            starts.push(held.len() as u32);
        }
        Ok(Sensitive { names, starts, held })
    }

    /// How many sensitive values there are.
    pub fn values(&self) -> usize {
        self.names.len()
    }

    /// The sensitive values of a person.
    pub fn of(&self, person: u32) -> &[u32] {
        if self.starts.is_empty() {
            return &[];
        }
        &self.held[self.starts[person as usize] as usize..self.starts[person as usize + 1] as usize]
    }

    /// Counts, among the people of the records, everybody and the holders of the value most of them hold.
    pub fn count(&self, table: &DoubletTable, records: impl IntoIterator<Item = u32>) -> (u32, u32) {
        // Asked for all the time, and mostly about one or two values.
        let (mut few, mut many) = ([0_u32; 8], Vec::new());
        let holders: &mut [u32] = if self.values() <= few.len() {
            &mut few
        } else {
            many.resize(self.values(), 0);
            &mut many
        };
        let (mut people, mut last) = (0, None);
        for record in records {
            let person = table.person(record);
            if last != Some(person) {
                last = Some(person);
                people += 1;
                for value in self.of(person) {
                    holders[*value as usize] += 1;
                }
            }
        }
        (people, holders.iter().copied().max().unwrap_or(0))
    }
}

/// The data as doublets.
pub fn doublets(task: &Task<'_>, ties: Ties) -> Result<DoubletTable, MethodError> {
    DoubletTable::new(&task.data.events, ties).map_err(|error: DoubletError| MethodError::BadData {
        what: error.to_string(),
        help: throng_contract::Failing::help(&error).unwrap_or_else(|| Help::words("")),
    })
}

/// The empty sequence: what an attacker knows who knows only that a person is in the data. Suppressing visits cannot
/// mend it.
pub fn judge_everyone(
    requirement: &Requirement,
    sensitive: &Sensitive,
    table: &DoubletTable,
) -> Result<(), MethodError> {
    let people = table.people() as u32;
    if people == 0 {
        return Ok(());
    }
    if u64::from(people) < requirement.people {
        return Err(MethodError::Infeasible {
            why: format!("there are {people} people, fewer than K = {}", requirement.people),
            help: "lower `K`, or gather more people".into(),
        });
    }
    let mut holders = vec![0_u32; sensitive.values()];
    for person in 0..people {
        for value in sensitive.of(person) {
            holders[*value as usize] += 1;
        }
    }
    for (value, held) in holders.into_iter().enumerate() {
        if requirement.share.is_exceeded_by(held.into(), people.into()) {
            return Err(MethodError::Infeasible {
                why: format!(
                    "`{}` is held by {held} of {people} people, a larger share than C = {}",
                    sensitive.names[value], requirement.share
                ),
                help: "raise `C`: without knowing any visit one can already be so sure".into(),
            });
        }
    }
    Ok(())
}
