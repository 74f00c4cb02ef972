//! Promises in plain language: what a publisher wants to be able to say, with the method and settings that make it true.
//!
//! `{one}` and `{many}` stand for what the data are made of: a place and places, a page and pages.
//!
//! Every preset is checked against the descriptors by a test; whatever is not set has the method's default.

use serde::{Serialize, Serializer};

/// A promise in plain language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Preset {
    /// A name for programs.
    pub name: &'static str,
    /// What the publisher can say afterwards.
    pub title: &'static str,
    /// What that means, and what it costs, in a sentence or two.
    pub says: &'static str,
    /// The promise behind it.
    pub promise: &'static str,
    /// A method that keeps the promise.
    pub method: &'static str,
    /// Settings that differ from the method's defaults: name, value as typed.
    #[serde(serialize_with = "as_map")]
    pub settings: &'static [(&'static str, &'static str)],
}

fn as_map<S: Serializer>(settings: &&[(&str, &str)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(settings.iter().copied())
}

/// All presets, the mildest first.
pub const ALL: &[Preset] = &[
    Preset {
        name: "two-places",
        title: "Two known {many} identify no one",
        says: "An attacker who knows two {many} of a person, in order, finds at least five people who fit. Near or similar \
                {many} are merged where that is needed.",
        promise: "km",
        method: "seqanon",
        settings: &[("k", "5"), ("m", "2")],
    },
    Preset {
        name: "three-places",
        title: "Three known {many} identify no one",
        says: "The same for three known {many}, among at least ten people. More {many} are merged.",
        promise: "km",
        method: "seqanon",
        settings: &[("k", "10"), ("m", "3")],
    },
    Preset {
        name: "no-sensitive-place",
        title: "Two known {many} identify no one, and no sensitive {one} can be guessed",
        says: "Two known {many} fit at least five people, and at most half of them share the same sensitive {one}. \
                Needs a list of sensitive items.",
        promise: "klm",
        method: "zga",
        settings: &[("k", "5"), ("l", "2"), ("m", "2")],
    },
    Preset {
        name: "two-items",
        title: "Any two {many} of a person identify no one",
        says: "An attacker who knows two {many} of a person finds at least five people who have them. Rare {many} are \
                replaced by their group in the taxonomy.",
        promise: "km",
        method: "apriori",
        settings: &[("k", "5"), ("m", "2")],
    },
    Preset {
        name: "no-sensitive-item",
        title: "Any two {many} of a person identify no one, and no sensitive {one} can be guessed",
        says: "Two known {many} fit at least five people, and at most half of them share the same sensitive {one}. \
                Needs a list of sensitive items.",
        promise: "klm",
        method: "lm-apriori",
        settings: &[("k", "5"), ("l", "2"), ("m", "2")],
    },
    Preset {
        name: "five-alike",
        title: "Known columns identify no one",
        says: "In the columns that may identify together, everybody looks like at least four others. Cells become ranges \
                and groups, as narrow as that allows.",
        promise: "k",
        method: "mondrian",
        settings: &[("k", "5")],
    },
    Preset {
        name: "one-level",
        title: "Known columns identify no one, and each column has one level of detail",
        says: "The same, with all cells of a column on one level of its hierarchy: coarser, and easier to count with. \
                Every column needs a hierarchy.",
        promise: "k",
        method: "incognito",
        settings: &[("k", "5")],
    },
    Preset {
        name: "timed-visits",
        title: "Three timed sightings identify no one, and no sensitive value can be guessed",
        says: "Three timed visits fit at least 20 people, and no sensitive value is surer than 60% among them. \
                Visits are removed where that is needed; times stay exact.",
        promise: "lkc",
        method: "lkc",
        settings: &[("L", "3"), ("K", "20"), ("C", "60%")],
    },
    Preset {
        name: "shared-routes",
        title: "Every route that is published was taken by at least ten people",
        says: "Rare routes are moved onto the closest frequent one, so a record may show places where its person \
                never was. Frequent routes stay as they are.",
        promise: "p2k",
        method: "bf-p2ka",
        settings: &[("k", "10")],
    },
    Preset {
        name: "synthetic-sets",
        title: "What is published would look about the same without any one person",
        says: "Synthetic records with the frequent combinations of the real ones, differentially private. No person \
                stands behind a record; rare combinations are lost. Needs a taxonomy that everybody may know.",
        promise: "dp",
        method: "diffpart",
        settings: &[("epsilon", "1")],
    },
    Preset {
        name: "synthetic",
        title: "What is published would look about the same without any one person",
        says: "Synthetic records with the frequent steps of the real ones, differentially private. No person stands \
                behind a record; rare behaviour is lost. Needs a public list of all items.",
        promise: "dp",
        method: "ngrams",
        settings: &[("epsilon", "1")],
    },
];

#[cfg(test)]
mod tests {
    use throng_contract::Settings;

    use super::*;
    use throng_release::catalogue;

    #[test]
    fn every_preset_is_a_valid_setting_of_a_method_that_keeps_its_promise() {
        for preset in ALL {
            let method = catalogue::method(preset.method).unwrap().descriptor();
            assert_eq!(method.keeps, Some(preset.promise), "{}", preset.name);
            let settings = Settings::parse(method, preset.settings.iter().copied());
            assert!(settings.is_ok(), "{}: {settings:?}", preset.name);
        }
    }
}
