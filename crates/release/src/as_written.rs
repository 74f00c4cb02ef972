//! A release as a reader sees it who does not know what names stand for.
//!
//! `verify` does not believe a manifest that says what a node of a taxonomy stands for: it judges a release as it is written, every name an
//! item of its own, and with the meaning. A release that is written must pass both, so a run asks for both.

use std::sync::Arc;

use throng_data::{Dictionary, GeneralisedItem, Inputs, Release, parse_item};

/// The release with every name of its own taken for an item; `None` where there is no such name, so that there is one reading only.
pub fn as_written(release: &Release) -> Option<Release> {
    let occurs = release.occurring();
    let named = |(item, occurs): (&GeneralisedItem, &bool)| *occurs && item.label.is_some();
    if !release.body.has_rows() || !release.alphabet.iter().zip(&occurs).any(named) {
        return None;
    }
    let mut base: Dictionary = (*release.base).clone();
    let alphabet = release.alphabet.iter().map(|item| match &item.label {
        Some(label) => {
            let name = parse_item(label).and_then(|names| names.into_iter().next());
            GeneralisedItem::of(vec![base.intern(name.as_deref().unwrap_or(label))])
        }
        None => item.clone(),
    });
    let alphabet = alphabet.collect();
    Some(Release { base: Arc::new(base), alphabet, ..release.clone() })
}

/// The inputs of a promise for one reading of a release: sensitive items that do not occur in it cannot be inferred from it.
pub fn inputs_for(release: &Release, inputs: &Inputs) -> Inputs {
    let mut own = inputs.clone();
    own.sensitive_items.retain(|name| release.base.find(name).is_some());
    own
}

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::*;

    #[test]
    fn a_node_is_an_item_of_its_own_and_members_keep_their_names() {
        let data = Dataset::from_words(["ab", "b"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        assert!(as_written(&release).is_none());
        release.alphabet[0] =
            GeneralisedItem { label: Some("any".to_owned()), ..GeneralisedItem::of(vec![0, 1]) };
        let read = as_written(&release).expect("a name of its own");
        assert_eq!(read.names(), ["any", "b"]);
        assert!(!read.alphabet[0].covers(1), "as written, `any` is not `b`");
    }
}
