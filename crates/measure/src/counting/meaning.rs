//! What the items of some events stand for, and how likely which.

use throng_contract::choices;
use throng_data::{GeneralisedItem, Release};

use crate::cover::Cover;

choices! {
    /// How likely a released item of a set stands for some of its members.
    #[derive(Default)]
    pub enum SetModel {
        /// Every non-empty part of the members is equally likely.
        #[default]
        Subset = "subset",
        /// Every member is there with a chance of one in so many, independent of the others.
        Share = "share",
    }
}

/// What the items of some events stand for.
#[derive(Debug)]
pub struct Meaning {
    pub(super) cover: Cover,
    /// How likely a released item is to stand for one of its members.
    pub(super) chances: Vec<f64>,
    /// How many members it has.
    pub(super) sizes: Vec<u32>,
    /// How items of sets are read.
    pub(super) sets: SetModel,
}

impl Meaning {
    /// Every item stands for itself, as in original data.
    pub fn identity(items: usize) -> Self {
        Meaning {
            cover: Cover::identity(items),
            chances: vec![1.0; items],
            sizes: vec![1; items],
            sets: SetModel::Subset,
        }
    }

    /// The meaning of a release's items.
    pub fn of(release: &Release) -> Self {
        let chance = |members: usize| if members == 0 { 0.0 } else { 1.0 / members as f64 };
        Meaning {
            cover: Cover::of(&release.alphabet, release.base.len()),
            chances: release.alphabet.iter().map(|item| chance(item.members.len())).collect(),
            sizes: release.alphabet.iter().map(|item| item.members.len() as u32).collect(),
            sets: SetModel::Subset,
        }
    }

    /// The same for a reader who takes a released item for what it is only where it is one: generalised ones stand for nothing.
    pub fn by_name(release: &Release) -> Self {
        let one = |item: &GeneralisedItem| {
            if item.is_intact() { item.clone() } else { GeneralisedItem::of(Vec::new()) }
        };
        let alphabet: Vec<GeneralisedItem> = release.alphabet.iter().map(one).collect();
        Meaning {
            cover: Cover::of(&alphabet, release.base.len()),
            chances: vec![1.0; alphabet.len()],
            sizes: vec![1; alphabet.len()],
            sets: SetModel::Subset,
        }
    }

    /// The same with another reading of the items of sets.
    #[must_use]
    pub fn with_sets(self, sets: SetModel) -> Self {
        Meaning { sets, ..self }
    }
}
