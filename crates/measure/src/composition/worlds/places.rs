//! Where the items of a release that was taken apart stand: in which chunk each cluster sees them.

use throng_data::{ChunkKind, Chunks, ItemId};

use super::NONE;
use crate::composition::Side;

/// Where items stand in a release.
pub(super) struct Places {
    /// The simple cluster of each person.
    pub cluster_of: Vec<u32>,
    parent: Vec<u32>,
    /// By cluster: the items of its own chunks, ascending, with the chunk.
    own: Vec<Vec<(ItemId, u32)>>,
    /// By cluster: the items of its term chunk.
    pub terms: Vec<Vec<ItemId>>,
    pub is_term: Vec<bool>,
}

impl Places {
    pub fn of(side: &Side<'_>, number: impl Fn(ItemId) -> ItemId) -> Self {
        let none = Chunks::new();
        let chunks = side.release.body.chunks().unwrap_or(&none);
        let named = |item: ItemId| {
            let member = side.release.alphabet[item as usize].members.first().copied();
            let name = member.map(|member| side.release.base.name(member));
            name.and_then(|name| side.original.items.find(name)).map(&number)
        };
        let mut places = Places {
            cluster_of: chunks.cluster_of.clone().unwrap_or_default(),
            parent: chunks.clusters().iter().map(|cluster| cluster.parent.unwrap_or(NONE)).collect(),
            own: vec![Vec::new(); chunks.clusters().len()],
            terms: vec![Vec::new(); chunks.clusters().len()],
            is_term: (0..chunks.len()).map(|chunk| chunks.kind(chunk) == ChunkKind::Term).collect(),
        };
        places.cluster_of.resize(side.original.events.subjects(), NONE);
        for chunk in 0..chunks.len() {
            let cluster = chunks.cluster(chunk) as usize;
            let items = chunks.parts(chunk).flat_map(|part| chunks.part(part));
            let mut items: Vec<ItemId> = items.filter_map(|item| named(*item)).collect();
            items.sort_unstable();
            items.dedup();
            if places.is_term[chunk] {
                places.terms[cluster].clone_from(&items);
            }
            places.own[cluster].extend(items.into_iter().map(|item| (item, chunk as u32)));
        }
        places.own.iter_mut().for_each(|own| own.sort_unstable());
        places
    }

    /// The chunk in which a simple cluster sees an item.
    pub fn chunk(&self, cluster: u32, item: ItemId) -> Option<u32> {
        let mut at = cluster;
        while at != NONE {
            let own = &self.own[at as usize];
            if let Ok(found) = own.binary_search_by_key(&item, |(item, _)| *item) {
                return Some(own[found].1);
            }
            at = self.parent[at as usize];
        }
        None
    }

    pub fn root(&self, cluster: u32) -> u32 {
        let above = |cluster: &u32| Some(self.parent[*cluster as usize]).filter(|parent| *parent != NONE);
        std::iter::successors(Some(cluster), above).last().unwrap_or(cluster)
    }
}
