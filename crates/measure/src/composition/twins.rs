//! Who of one release is who in the other.

use throng_data::Body;

use super::Side;

/// People of two releases who have the same name.
pub(super) struct Twins {
    others: [Vec<Option<u32>>; 2],
}

impl Twins {
    pub fn of(first: &Side<'_>, second: &Side<'_>) -> Self {
        let find = |here: &Side<'_>, there: &Side<'_>| {
            here.original.subjects.names().map(|name| there.original.subjects.find(name)).collect()
        };
        Twins { others: [find(first, second), find(second, first)] }
    }

    pub fn other(&self, side: usize, person: u32) -> Option<u32> {
        self.others[side][person as usize]
    }

    /// All who are in both.
    pub fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..).zip(&self.others[0]).filter_map(|(person, other)| Some([person, (*other)?]))
    }

    /// People with events, or a row of a table, in the data of both and a record in each release.
    pub fn with_events(&self, first: &Side<'_>, second: &Side<'_>) -> Vec<[u32; 2]> {
        let there = |side: &Side<'_>, person: u32| {
            let records = side.original.events.records_of(person as usize);
            let offsets = side.original.events.record_offsets();
            let has_events = offsets[records.start] < offsets[records.end];
            match &side.release.body {
                Body::Records(released) => {
                    has_events && !released.events.records_of(person as usize).is_empty()
                }
                Body::Mixed(released) => !released.events.records_of(person as usize).is_empty(),
                Body::Table(_) => true,
                Body::Chunks(_) | Body::Counts(_) => has_events,
            }
        };
        self.pairs().filter(|pair| there(first, pair[0]) && there(second, pair[1])).collect()
    }
}
