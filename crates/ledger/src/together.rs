//! What happens to a release that breaks its promise together with an earlier one.

use serde::{Deserialize, Serialize};

/// The publisher's policy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Together {
    /// The release is written, and the publisher is told before it is.
    #[default]
    Warn,
    /// Nothing is written; nor where the two cannot be compared.
    Refuse,
}

impl Together {
    /// The words users type.
    pub const WORDS: [&str; 2] = ["warn", "refuse"];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Together::Warn => Together::WORDS[0],
            Together::Refuse => Together::WORDS[1],
        }
    }

    /// The policy of that name.
    pub fn parse(word: &str) -> Option<Self> {
        [Together::Warn, Together::Refuse].into_iter().find(|policy| policy.name() == word)
    }
}
