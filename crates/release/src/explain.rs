//! Why a release looks the way it does, as a plain table for the publisher's eyes.
//!
//! Reasons name patterns that were too rare, with their supports: nothing of this belongs in a release directory.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use serde::Serialize;
use throng_data::{Dataset, Dictionary, ItemId, Release, render_item};
use throng_methods::{Explanation, Reason};

/// A table with one line a step: what was done, to which items, which pattern forced it, how many people had it,
/// how many were needed, and what else mattered.
pub fn table(explanation: &Explanation, items: &Dictionary) -> String {
    if explanation.steps.is_empty() {
        return "nothing had to be changed\n".to_owned();
    }
    let header = ["step", "action", "items", "forced by", "people", "needed", "details"].map(str::to_owned);
    let mut rows = vec![header.to_vec()];
    rows.extend(explanation.steps.iter().enumerate().map(|(step, reason)| row(step + 1, reason, items)));
    align(&rows, &[0, 4, 5])
}

/// One step of a method, for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was done: `merge`, `suppress`, ...
    pub action: &'static str,
    /// To which items; long groups are shortened.
    pub items: Vec<String>,
    /// The pattern that forced it.
    pub pattern: Vec<String>,
    /// How many people had the pattern.
    pub people: u64,
    /// How many were needed.
    pub needed: u64,
    /// What else mattered.
    pub details: BTreeMap<&'static str, String>,
}

/// The same as a list.
pub fn steps(explanation: &Explanation, items: &Dictionary) -> Vec<Step> {
    let step = |reason: &Reason| Step {
        action: reason.action,
        items: words(&reason.items, items),
        pattern: words(&reason.pattern, items),
        people: reason.support,
        needed: reason.needed,
        details: reason.details.clone(),
    };
    explanation.steps.iter().map(step).collect()
}

/// An item of the data that no released event can stand for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LostItem {
    /// Its name.
    pub item: String,
    /// How many people had it.
    pub people: u64,
}

/// The items that no longer occur, most people first, then by name.
pub fn lost_items(data: &Dataset, release: &Release) -> Vec<LostItem> {
    let mut kept: HashSet<&str> = HashSet::new();
    for (group, _) in release.alphabet.iter().zip(release.occurring()).filter(|(_, occurs)| *occurs) {
        kept.extend(group.members.iter().map(|member| release.base.name(*member)));
    }
    let people = data.events.people_by_item(data.items.len());
    let mut lost: Vec<LostItem> = (data.items.names().zip(people))
        .filter(|(item, people)| *people > 0 && !kept.contains(item))
        .map(|(item, people)| LostItem { item: item.to_owned(), people })
        .collect();
    lost.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.item.cmp(&b.item)));
    lost
}

fn words(groups: &[Vec<ItemId>], items: &Dictionary) -> Vec<String> {
    let word =
        |group: &Vec<ItemId>| shortened(render_item(group.iter().map(|item| items.name(*item))), group.len());
    groups.iter().map(word).collect()
}

fn row(step: usize, reason: &Reason, items: &Dictionary) -> Vec<String> {
    let join = |groups: &[Vec<ItemId>], between: &str| words(groups, items).join(between);
    let details: Vec<String> = reason.details.iter().map(|(name, value)| format!("{name} {value}")).collect();
    vec![
        step.to_string(),
        reason.action.to_owned(),
        join(&reason.items, " + "),
        join(&reason.pattern, " > "),
        reason.support.to_string(),
        reason.needed.to_string(),
        details.join(", "),
    ]
}

/// A long group by its beginning and its size: lines must stay readable when half the items are one.
fn shortened(group: String, members: usize) -> String {
    const LONGEST: usize = 36;
    if group.chars().count() <= LONGEST || members < 2 {
        return group;
    }
    let begin: String = group.chars().take(LONGEST - 12).collect();
    format!("{begin}… ({members})")
}

/// Columns padded to the width of their longest cell; those in `right` are aligned right.
fn align(rows: &[Vec<String>], right: &[usize]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let gap = if column == 0 { "" } else { "  " };
            if right.contains(&column) {
                let _ = write!(line, "{gap}{cell:>width$}");
            } else {
                let _ = write!(line, "{gap}{cell:<width$}");
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_step_says_what_forced_it() {
        let items: Dictionary = ["mall", "zoo", "pub"].into_iter().collect();
        let steps = vec![
            Reason {
                action: "merge",
                items: vec![vec![0], vec![1]],
                pattern: vec![vec![0], vec![2]],
                support: 1,
                needed: 5,
                details: BTreeMap::from([("distance", "12.5".to_owned())]),
            },
            Reason {
                action: "suppress",
                items: vec![vec![0, 1]],
                pattern: vec![vec![0, 1], vec![0, 1]],
                support: 4,
                needed: 5,
                details: BTreeMap::new(),
            },
        ];
        insta::assert_snapshot!(table(&Explanation { steps }, &items), @r"
        step  action    items       forced by                people  needed  details
           1  merge     mall + zoo  mall > pub                    1       5  distance 12.5
           2  suppress  {mall|zoo}  {mall|zoo} > {mall|zoo}       4       5
        ");
        let all: Vec<String> = (1..=60).map(|cell| format!("cell {cell}")).collect();
        let group = shortened(render_item(all.iter().map(String::as_str)), 60);
        assert_eq!(group, "{cell 1|cell 10|cell 11|… (60)");
        assert_eq!(table(&Explanation::default(), &items), "nothing had to be changed\n");
    }

    #[test]
    fn an_item_is_lost_when_no_released_event_can_stand_for_it() {
        let data = Dataset::from_words(["abc", "abd", "cd"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        assert_eq!(lost_items(&data, &release), []);
        // c and d are gone; b is published as {a|b}.
        let events = data.events.retain(|_, _, item| item < 2);
        release.body = release.body.with_events(|_| events);
        release.alphabet[1].members = vec![0, 1];
        let lost: Vec<(String, u64)> =
            lost_items(&data, &release).into_iter().map(|lost| (lost.item, lost.people)).collect();
        assert_eq!(lost, [("c".to_owned(), 2), ("d".to_owned(), 2)]);
    }
}
