//! The first clusters: what a method for tables makes of the columns alone.

use hashbrown::HashMap;
use throng_contract::Settings;
use throng_data::{Dataset, RecodedTable, Role};

use super::likeness::Likeness;
use super::params::{TableMethod, Wanted};
use crate::set::local::gray;
use crate::table::{BottomUp, ClusterRows, Incognito, Mondrian, TopDown};
use crate::{Method, MethodError, Task};

/// People whose rows a method for tables publishes alike, in groups of at least `k`.
pub(super) fn by_columns(
    task: &Task<'_>,
    relational: TableMethod,
    wanted: &Wanted,
) -> Result<Vec<Vec<u32>>, MethodError> {
    let method: &dyn Method = match relational {
        TableMethod::Cluster => &ClusterRows,
        TableMethod::Incognito => &Incognito,
        TableMethod::TopDown => &TopDown,
        TableMethod::BottomUp => &BottomUp,
        TableMethod::Mondrian => &Mondrian,
    };
    let typed = wanted.of_columns();
    let given = typed.iter().map(|(name, value)| (*name, value.as_str()));
    let settings = Settings::parse(method.descriptor(), given)?;
    let table = task.data.attributes.clone().unwrap_or_default();
    let data = Dataset::from_table(task.data.subjects.clone(), table);
    let outcome = method.anonymize(&Task { data: &data, settings: &settings, ..*task })?;
    let table = outcome.release.body.into_table().unwrap_or_default();
    Ok(alike(&table, data.subjects.len()))
}

/// People with the same quasi-identifying cells, in the order of their first.
fn alike(table: &RecodedTable, people: usize) -> Vec<Vec<u32>> {
    let mut group_of = vec![0_u32; people];
    let mut groups = 1;
    for column in table.with_role(Role::QuasiIdentifying) {
        let mut known: HashMap<(u32, u32), u32, foldhash::fast::FixedState> = HashMap::default();
        for (group, cell) in group_of.iter_mut().zip(&column.cells) {
            let next = known.len() as u32;
            *group = *known.entry((*group, *cell)).or_insert(next);
        }
        groups = known.len();
    }
    let mut members = vec![Vec::new(); groups];
    for (person, group) in (0..).zip(group_of) {
        members[group as usize].push(person);
    }
    members
}

/// People with similar items, in groups of about `size`: neighbours in the Gray order of their items.
pub(super) fn by_items(data: &Dataset, likeness: &Likeness, size: usize) -> Vec<Vec<u32>> {
    let mut names: Vec<u32> = (0..data.items.len() as u32).collect();
    names.sort_by_key(|item| data.items.name(*item));
    let mut place = vec![0_u32; names.len()];
    (0..).zip(&names).for_each(|(at, item)| place[*item as usize] = at);
    let people = data.events.subjects();
    let keys: Vec<Vec<u32>> = (0..people as u32)
        .map(|person| {
            let mut places: Vec<u32> =
                likeness.items(person).iter().map(|item| place[*item as usize]).collect();
            places.sort_unstable();
            places
        })
        .collect();
    let mut order: Vec<u32> = (0..people as u32).collect();
    order.sort_by(|a, b| gray(&keys[*a as usize], &keys[*b as usize]).then(a.cmp(b)));
    // Groups of the same size, but for one person.
    let groups = (people / size.max(1)).max(1);
    let bounds: Vec<usize> = (0..=groups).map(|group| group * people / groups).collect();
    bounds.windows(2).map(|ends| order[ends[0]..ends[1]].to_vec()).collect()
}
