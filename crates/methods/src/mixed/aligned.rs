//! Which events of a sequence are still there: what was released is matched with what happened, from the beginning.
//!
//! A released sequence is the original one with events taken away and others made general, in the same order. If it can be matched at
//! all, matching every released event with the first that it covers does so: whatever else could follow, can follow the earlier one.

use throng_data::{EventKind, GeneralisedItem, ItemId};

/// For every event of a record, the released item that stands for it; nothing where it was taken away. In a set, the smallest item
/// that covers it.
pub(super) fn standing_for(
    kind: EventKind,
    before: &[ItemId],
    after: &[ItemId],
    alphabet: &[GeneralisedItem],
) -> Vec<Option<ItemId>> {
    let covers = |released: ItemId, item: ItemId| alphabet[released as usize].covers(item);
    match kind {
        EventKind::Sequence => {
            let mut next = after.iter().copied().peekable();
            before.iter().map(|item| next.next_if(|released| covers(*released, *item))).collect()
        }
        EventKind::Set | EventKind::Absent => {
            let smallest = |item: &ItemId| {
                let own = after.iter().copied().filter(|released| covers(*released, *item));
                own.min_by_key(|released| alphabet[*released as usize].members.len())
            };
            before.iter().map(smallest).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_event_is_missed_even_where_its_item_is_left() {
        let alphabet: Vec<GeneralisedItem> =
            [vec![0], vec![1, 2]].into_iter().map(GeneralisedItem::of).collect();
        let shown = |kind, after: &[ItemId]| standing_for(kind, &[0, 1, 0, 2], after, &alphabet);
        assert_eq!(shown(EventKind::Sequence, &[0, 1]), [Some(0), Some(1), None, None]);
        assert_eq!(shown(EventKind::Sequence, &[1, 0]), [None, Some(1), Some(0), None]);
        assert_eq!(shown(EventKind::Sequence, &[1, 1]), [None, Some(1), None, Some(1)]);
        assert_eq!(shown(EventKind::Set, &[0]), [Some(0), None, Some(0), None]);
    }
}
