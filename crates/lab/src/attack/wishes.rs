//! What attackers are after, found in data and in releases.

use throng_data::{Events, Release, Table};
use throng_measure::attack::Secrets;

/// Sensitive items and values, by name.
pub(super) struct Wishes {
    items: Vec<String>,
    values: Vec<(String, String)>,
}

impl Wishes {
    /// Items, and values of columns; the value `*` stands for every value the column has.
    pub fn new(
        items: Vec<String>,
        values: &[(String, String)],
        table: Option<&Table>,
        subjects: usize,
    ) -> Self {
        let mut all = Vec::new();
        for (column, value) in values {
            match table.and_then(|table| table.column(column)) {
                Some(known) if value == "*" => {
                    let mut texts: Vec<String> = (0..subjects).map(|row| known.text(row)).collect();
                    texts.retain(|text| !text.is_empty());
                    texts.sort_unstable();
                    texts.dedup();
                    all.extend(texts.into_iter().map(|text| (column.clone(), text)));
                }
                _ => all.push((column.clone(), value.clone())),
            }
        }
        Wishes { items, values: all }
    }

    /// Who has what, given the sensitive item that each event is; `None` when nothing is wished for.
    pub fn secrets(
        &self,
        events: &Events,
        secret_of: &[Option<u32>],
        table: Option<&Table>,
    ) -> Option<Secrets> {
        let items =
            (!self.items.is_empty()).then(|| Secrets::of_items(self.items.clone(), events, secret_of));
        let values = (!self.values.is_empty())
            .then(|| Some(Secrets::of_values(table?, events.subjects(), &self.values)))
            .flatten();
        match (items, values) {
            (Some(items), Some(values)) => Some(items.and(&values)),
            (items, values) => items.or(values),
        }
    }

    /// The same as a release shows it. A column that is not published tells nothing, which is a note.
    pub fn published(
        &self,
        release: &Release,
        given_away: &[Option<u32>],
        notes: &mut Vec<String>,
    ) -> Option<Secrets> {
        let table = release.attributes();
        let hidden =
            self.values.iter().find(|(column, _)| table.is_none_or(|table| table.column(column).is_none()));
        if let Some((column, _)) = hidden {
            notes.push(format!("column `{column}` is not published: the release tells nothing about it"));
        }
        let nothing = Table::default();
        self.secrets(release.events(), given_away, Some(table.unwrap_or(&nothing)))
    }
}
