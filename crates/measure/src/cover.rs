//! Which released items may stand for which original items.

use throng_data::{EventKind, Events, GeneralisedItem, ItemId, Release};

/// The released items that cover each original item.
#[derive(Debug, Clone)]
pub(crate) struct Cover {
    /// `released[offsets[item]..offsets[item + 1]]` cover `item`, ascending; one of them under global recoding.
    offsets: Vec<usize>,
    released: Vec<ItemId>,
}

impl Cover {
    /// Every item stands for itself.
    pub fn identity(items: usize) -> Self {
        Cover { offsets: (0..=items).collect(), released: (0..items as ItemId).collect() }
    }

    /// The cover of `items` original items by a released alphabet.
    pub fn of(alphabet: &[GeneralisedItem], items: usize) -> Self {
        let mut offsets = vec![0; items + 1];
        for member in alphabet.iter().flat_map(|item| &item.members) {
            offsets[*member as usize + 1] += 1;
        }
        for item in 0..items {
            offsets[item + 1] += offsets[item];
        }
        let mut next = offsets.clone();
        let mut released = vec![0; offsets[items]];
        for (number, item) in (0..).zip(alphabet) {
            for member in &item.members {
                released[next[*member as usize]] = number;
                next[*member as usize] += 1;
            }
        }
        Cover { offsets, released }
    }

    /// Which released items may stand for the same original item as another one.
    pub fn overlaps(alphabet: &[GeneralisedItem], items: usize) -> Self {
        let cover = Cover::of(alphabet, items);
        let (mut offsets, mut released) = (vec![0], Vec::new());
        for item in alphabet {
            let mut others: Vec<ItemId> =
                item.members.iter().flat_map(|member| cover.of_item(*member)).copied().collect();
            others.sort_unstable();
            others.dedup();
            released.extend_from_slice(&others);
            offsets.push(released.len());
        }
        Cover { offsets, released }
    }

    /// The released items that may stand for an original item.
    pub fn of_item(&self, item: ItemId) -> &[ItemId] {
        match self.offsets.get(item as usize..item as usize + 2) {
            Some([start, end]) => &self.released[*start..*end],
            _ => &[],
        }
    }

    /// The same for an item that may be unknown, and then has no cover.
    pub fn of_any(&self, item: ItemId) -> &[ItemId] {
        if (item as usize) < self.offsets.len() - 1 { self.of_item(item) } else { &[] }
    }

    /// The place of a released item among those that may stand for an original one.
    pub fn position(&self, item: ItemId, released: ItemId) -> Option<usize> {
        self.of_item(item).iter().position(|candidate| *candidate == released)
    }

    /// Whether every item of the data became one released item everywhere, and nothing was suppressed. Counting tells:
    /// then it does not matter which record is which.
    pub fn is_global(&self, original: &Events, release: &Release) -> bool {
        let mut before = vec![0_u64; release.alphabet.len()];
        for item in original.items() {
            match self.of_item(*item) {
                [one] => before[*one as usize] += 1,
                _ => return false,
            }
        }
        let mut after = vec![0_u64; release.alphabet.len()];
        release.events().items().iter().for_each(|item| after[*item as usize] += 1);
        before == after
    }

    /// Whether a released item may stand for an original one.
    pub fn covers(&self, released: ItemId, item: ItemId) -> bool {
        self.of_item(item).contains(&released)
    }

    /// What became of each event of a record: the released item that stands for it, or `None` if it was suppressed.
    ///
    /// In a sequence, released events stand for the earliest original events they can, in order; a released event that
    /// covers nothing is passed over. That is exact when a record was recoded, truncated or lost all its events of an
    /// item; where single events were suppressed, an earlier event that the same released item covers may be taken for
    /// the one that was kept. In a set, one released item may stand for several original ones.
    pub fn align(
        &self,
        kind: EventKind,
        original: &[ItemId],
        released: &[ItemId],
        aligned: &mut Vec<Option<ItemId>>,
    ) {
        aligned.clear();
        match kind {
            EventKind::Set => aligned.extend(
                original
                    .iter()
                    .map(|item| self.of_item(*item).iter().copied().find(|cover| released.contains(cover))),
            ),
            EventKind::Sequence | EventKind::Absent => {
                aligned.resize(original.len(), None);
                let mut from = 0;
                for event in released {
                    let next = original[from..].iter().position(|item| self.covers(*event, *item));
                    if let Some(next) = next {
                        aligned[from + next] = Some(*event);
                        from += next + 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover() -> Cover {
        Cover::of(
            &[GeneralisedItem::of(vec![0, 1]), GeneralisedItem::of(vec![2]), GeneralisedItem::of(vec![1, 3])],
            5,
        )
    }

    #[test]
    fn an_item_may_be_covered_by_none_one_or_several() {
        let cover = cover();
        assert_eq!([0, 1, 2, 3, 4].map(|item| cover.of_item(item).len()), [1, 2, 1, 1, 0]);
        assert!(cover.covers(2, 3) && !cover.covers(0, 3));
        assert_eq!(Cover::identity(3).of_item(2), [2]);
        assert!(Cover::identity(3).of_item(3).is_empty());
    }

    #[test]
    fn released_items_overlap_when_they_share_a_member() {
        let alphabet = [vec![0, 1], vec![2], vec![1, 3]].map(GeneralisedItem::of);
        let overlaps = Cover::overlaps(&alphabet, 5);
        assert_eq!([0, 1, 2].map(|item| overlaps.of_item(item)), [&[0, 2][..], &[1], &[0, 2]]);
    }

    #[test]
    fn suppressed_events_have_no_counterpart() {
        let (cover, mut aligned) = (cover(), Vec::new());
        cover.align(EventKind::Sequence, &[0, 4, 2, 1], &[0, 1, 2], &mut aligned);
        assert_eq!(aligned, [Some(0), None, Some(1), Some(2)]);
        cover.align(EventKind::Sequence, &[0, 2, 3], &[0, 2], &mut aligned);
        assert_eq!(aligned, [Some(0), None, Some(2)]);
        cover.align(EventKind::Set, &[0, 1, 2, 4], &[0], &mut aligned);
        assert_eq!(aligned, [Some(0), Some(0), None, None]);
    }
}
