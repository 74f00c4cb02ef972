//! The generalised items of a release, by name.

use throng_data::Release;

use super::GeneralisedEntry;

/// The generalised items that occur in a release, sorted by name.
pub(super) fn generalised(release: &Release) -> Vec<GeneralisedEntry> {
    let occurs = release.occurring();
    let names = release.names();
    let mut entries: Vec<GeneralisedEntry> = Vec::new();
    for (item, general) in release.alphabet.iter().enumerate().filter(|(item, _)| occurs[*item]) {
        if general.is_intact() && general.label.is_none() {
            continue;
        }
        let mut members: Vec<String> =
            general.members.iter().map(|member| release.base.name(*member).to_owned()).collect();
        members.sort_unstable();
        entries.push(GeneralisedEntry { item: names[item].clone(), members });
    }
    entries.sort_by(|a, b| a.item.cmp(&b.item));
    entries
}

#[cfg(test)]
mod tests {
    use throng_data::{Dataset, GeneralisedItem};

    use super::*;
    use crate::manifest::distinct_items;

    #[test]
    fn items_that_no_longer_occur_are_neither_listed_nor_counted() {
        // Items a=0 b=1 c=2 d=3; a and b became one item, d was suppressed, as was whatever c and d became.
        let data = Dataset::from_words(["abcd", "bc"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        release.alphabet = vec![
            GeneralisedItem::of(vec![0, 1]),
            GeneralisedItem::of(vec![2]),
            GeneralisedItem::of(vec![2, 3]),
        ];
        let events =
            data.events.retain(|_, _, item| item != 3).recode(|item| [0, 0, 1, 2][item as usize], false);
        release.body = throng_data::Body::of_events(events);
        let json = serde_json::to_string(&generalised(&release)).unwrap();
        assert_eq!(json, r#"[{"item":"{a|b}","members":["a","b"]}]"#);
        assert_eq!(distinct_items(release.events().items(), release.alphabet.len()), 2);
    }
}
