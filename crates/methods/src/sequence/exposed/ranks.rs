//! Groups numbered densely, and records as lists of those numbers.

use throng_data::Events;

use crate::sequence::groups::Groups;

/// The groups there are, numbered densely so that counters stay small.
#[derive(Debug)]
pub(super) struct Ranks {
    rank_of: Vec<u32>,
    groups: Vec<u32>,
}

impl Ranks {
    pub(super) fn of(groups: &Groups) -> Self {
        let mut rank_of = vec![0_u32; groups.bound()];
        let all: Vec<u32> = groups.all().collect();
        for (rank, group) in all.iter().enumerate() {
            rank_of[*group as usize] = rank as u32;
        }
        Ranks { rank_of, groups: all }
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    pub(super) fn group(&self, rank: u32) -> u32 {
        self.groups[rank as usize]
    }

    pub(super) fn of_group(&self, group: u32) -> u32 {
        self.rank_of[group as usize]
    }
}

/// The ranks of every record's published items, for walks that come back to a record many times.
#[derive(Debug)]
pub(super) struct Images {
    ranks: Vec<u32>,
    ends: Vec<u64>,
}

impl Images {
    pub(super) fn of(events: &Events, groups: &Groups, ranks: &Ranks) -> Self {
        let mut images = Images { ranks: Vec::with_capacity(events.len()), ends: vec![0] };
        let mut image = Vec::new();
        for record in 0..events.records() {
            groups.image_of(events.record(record), &mut image);
            images.ranks.extend(image.iter().map(|group| ranks.of_group(*group)));
            images.ends.push(images.ranks.len() as u64);
        }
        images
    }

    /// How many groups the longest record has.
    pub(super) fn longest(&self) -> usize {
        self.ends.windows(2).map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0)
    }

    pub(super) fn of_record(&self, record: u32) -> &[u32] {
        let record = record as usize;
        &self.ranks[self.ends[record] as usize..self.ends[record + 1] as usize]
    }
}
