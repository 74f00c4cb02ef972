//! What speaks for it that two releases are of the same people.

use serde::Serialize;

use super::{Entry, Overlap};

/// Why two releases are taken to be of the same people, and how sure that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Both were made from the same file: certain.
    SameFile,
    /// The publisher calls the data of both by the same name: as sure as the publisher is.
    SameDataset,
    /// Some people have the same names: likely.
    SameNames,
    /// Some people go by the same numbers in different files: no evidence, since all files count from somewhere.
    SameNumbers,
}

impl Evidence {
    /// What speaks for it; `None` when nothing does.
    pub fn between(later: &Entry, earlier: &Entry, overlap: Option<Overlap>) -> Option<Self> {
        let shares = overlap.is_some_and(|overlap| overlap.is_some());
        // No person in common, and everybody was compared.
        let apart = overlap.is_some_and(|overlap| !overlap.is_some() && !overlap.is_unknown());
        let named = later.dataset.as_ref().zip(earlier.dataset.as_ref());
        match named {
            _ if later.same_data(earlier) => Some(Evidence::SameFile),
            Some((later, earlier)) if later == earlier => (!apart).then_some(Evidence::SameDataset),
            _ if !shares => None,
            // Numbers of datasets that are known to be different ones.
            Some(_) if later.numbered || earlier.numbered => None,
            None if later.numbered || earlier.numbered => Some(Evidence::SameNumbers),
            _ => Some(Evidence::SameNames),
        }
    }

    /// Whether it is enough to take the people for the same.
    pub fn is_enough(self) -> bool {
        self != Evidence::SameNumbers
    }

    /// How sure that is, in a few words.
    pub fn in_words(self) -> &'static str {
        match self {
            Evidence::SameFile => "certain: the same file",
            Evidence::SameDataset => "by the name of the dataset",
            Evidence::SameNames => "likely: the same names",
            Evidence::SameNumbers => "doubtful: the same numbers, in different files",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::tests::entry;

    fn overlap(share: f64) -> Option<Overlap> {
        Some(Overlap { share, interval: [share; 2], exact: true, compared: 9 })
    }

    #[test]
    fn numbers_alone_are_no_evidence() {
        let (names, numbers) = (entry(), Entry { numbered: true, ..entry() });
        let dataset = |entry: &Entry, name: &str| Entry { dataset: Some(name.to_owned()), ..entry.clone() };
        let between = |a: &Entry, b: &Entry, share| Evidence::between(a, b, overlap(share));
        assert_eq!(between(&names, &names, 0.5), Some(Evidence::SameNames));
        assert_eq!(between(&numbers, &numbers, 1.0), Some(Evidence::SameNumbers));
        assert_eq!(between(&names, &names, 0.0), None);
        let (wards, trams) = (dataset(&numbers, "wards"), dataset(&numbers, "trams"));
        assert_eq!(between(&wards, &trams, 1.0), None, "they are known to be others");
        assert_eq!(between(&wards, &wards, 0.5), Some(Evidence::SameDataset));
        assert_eq!(between(&wards, &wards, 0.0), None, "no person is in both");
        assert_eq!(Evidence::between(&wards, &wards, None), Some(Evidence::SameDataset));
        assert_eq!(between(&wards, &numbers, 1.0), Some(Evidence::SameNumbers));
        assert!(!Evidence::SameNumbers.is_enough() && Evidence::SameNames.is_enough());
    }
}
