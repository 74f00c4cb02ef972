//! Columns and events together: people whose published cells are written alike are enough, and so are those of them who fit known items.

use std::collections::BTreeMap;

use throng_data::Role;
use throng_lab::Loaded;
use throng_methods::Outcome;

use super::Judged;
use super::klm::{Bound, klm, klm_of_sets};
use super::table::fits;
use crate::people::Person;
use crate::world::World;

/// Judges every group of people by itself.
pub fn mixed(people: Vec<Person>, loaded: &Loaded, outcome: &Outcome, world: &World) -> Judged {
    let (Some(data), Some(release)) = (&loaded.data.attributes, outcome.release.table()) else {
        return Judged::Broken("there is no table".to_owned());
    };
    let (k, m) = (world.number("k"), world.number("m"));
    let l = if world.value("l").is_empty() { 1 } else { world.number("l") };
    let sensitive = match world.value("l") {
        "" => Vec::new(),
        _ => loaded.data.items.ids(&loaded.inputs.sensitive_items),
    };
    let mut groups: BTreeMap<Vec<String>, Vec<Person>> = BTreeMap::new();
    for (row, person) in people.into_iter().enumerate() {
        for column in &data.columns {
            let Some(released) = release.column(&column.name) else { continue };
            let value = column.text(row);
            if !fits(released.cover(row), &value, column.kind()) {
                return Judged::Broken(format!("`{value}` became {:?}", released.cover(row)));
            }
        }
        let shown = release.with_role(Role::QuasiIdentifying).map(|column| column.cover(row).render());
        groups.entry(shown.collect()).or_default().push(person);
    }
    for (shown, people) in groups {
        if people.len() < k {
            return Judged::Broken(format!("{shown:?} is shown by {} people, not {k}", people.len()));
        }
        for secret in &sensitive {
            let has = |person: &&Person| person.after.iter().flatten().any(|shown| shown.fits(*secret));
            let carriers = people.iter().filter(has).count();
            if carriers * l > people.len() {
                return Judged::Broken(format!(
                    "{shown:?}: {carriers} of {} have item {secret}",
                    people.len()
                ));
            }
        }
        let judged = match world.sets {
            true => klm_of_sets(&people, &sensitive, k, l, m),
            false => klm(&people, &sensitive, k, Bound::OneIn(l), m),
        };
        if let Judged::Broken(why) = judged {
            return Judged::Broken(format!("{shown:?}: {why}"));
        }
    }
    Judged::Holds
}
