//! What two releases break together, in plain words.

use std::collections::BTreeMap;

use super::Composition;

impl Composition {
    /// What the two releases break together though each keeps its promise, in plain words; empty when nothing was found. Attackers know no more
    /// events than the promises speak of.
    pub fn broken(&self) -> Vec<String> {
        let people = |count: u64| if count == 1 { "1 person".to_owned() } else { format!("{count} people") };
        let mut broken = Vec::new();
        let spoken = self.points.iter().filter(|point| point.known <= self.promised);
        if let Some(worst) =
            spoken.clone().max_by_key(|point| point.lost.count).filter(|worst| worst.lost.count > 0)
        {
            broken.push(format!(
                "of {} looked for, {} are left with fewer than {} people who fit in both",
                people(self.targets),
                worst.lost.count,
                self.k
            ));
        }
        let learned = spoken.flat_map(|point| &point.learned).filter(|learned| learned.targets.count > 0);
        let mut columns: BTreeMap<&str, u64> = BTreeMap::new();
        for learned in learned {
            let most = columns.entry(&learned.column).or_default();
            *most = learned.targets.count.max(*most);
        }
        for values in self.tables.iter().flat_map(|tables| &tables.values) {
            let most = columns.entry(&values.column).or_default();
            *most = values.certain_by_rows.count.max(*most);
        }
        for (column, count) in columns.into_iter().filter(|(_, count)| *count > 0) {
            broken.push(format!(
                "`{column}` of {} is certain from both, and from neither alone",
                people(count)
            ));
        }
        for values in self
            .tables
            .iter()
            .flat_map(|tables| &tables.values)
            .filter(|values| values.promise_lost.count > 0)
        {
            let count = people(values.promise_lost.count);
            broken.push(format!("`{}` of {count} is less varied in both than each promises", values.column));
        }
        if let Some(tables) = &self.tables {
            for (moved, what) in [(&tables.left, "left"), (&tables.joined, "joined")] {
                if moved.exposed.count > 0 {
                    broken.push(format!(
                        "{} who {what} in between can be told from the others",
                        people(moved.exposed.count)
                    ));
                }
            }
        }
        if let Some(counts) = &self.counts {
            let cells =
                |count: u64| if count == 1 { "1 count".to_owned() } else { format!("{count} counts") };
            if counts.differ_by_few > 0 {
                broken.push(format!(
                    "the difference of {} is of fewer than {} people",
                    cells(counts.differ_by_few),
                    self.k
                ));
            }
            if counts.told > 0 {
                broken.push(format!("{} that one withholds follow from the other", cells(counts.told)));
            }
        }
        broken
    }
}
