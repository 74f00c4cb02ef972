//! What is known of people, what was published, and what connects the two.

use throng_data::{Events, ItemId, Nature, Release};

use super::crowd::Published;
use super::secrets::Secrets;
use crate::cover::Cover;

/// Data that attackers know something of, and published data in which they look for people.
#[derive(Debug)]
pub struct Scene<'a> {
    pub(super) known: &'a Events,
    pub(super) published: &'a Events,
    pub(super) cover: Cover,
    pub(super) own: Own,
    /// By known item: whether it is a secret itself. Empty when no item is.
    pub(super) secret_items: Vec<bool>,
    pub(super) secrets: Option<Secrets>,
    /// The secrets of the people knowledge is drawn from.
    pub(super) truth: Option<Secrets>,
    /// By person: a number that those share who agree in all published columns. Empty when no column is known.
    pub(super) columns: &'a [u32],
    pub(super) nature: Nature,
}

/// Which published person is which known one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Own {
    /// They have the same number.
    Same,
    /// The published person of each known one.
    Linked(Vec<Option<u32>>),
    /// Not known.
    Unknown,
    /// Not known, and nothing is missing: what is known is looked for whole.
    Whole,
}

impl Own {
    /// The published person.
    pub(super) fn of(&self, subject: u32) -> Option<usize> {
        match self {
            Own::Same => Some(subject as usize),
            Own::Linked(people) => people[subject as usize].map(|person| person as usize),
            Own::Unknown | Own::Whole => None,
        }
    }
}

impl<'a> Scene<'a> {
    /// The data as they are: known and published.
    pub fn original(events: &'a Events) -> Self {
        let items = events.items().iter().max().map_or(0, |item| *item as usize + 1);
        Scene::new(events, events, Cover::identity(items), Own::Same, Nature::Truthful)
    }

    /// Known are the data, published is a release of them; a released item fits whatever it may stand for. Members of
    /// released items must be numbered as the items of the data.
    pub fn release(original: &'a Events, release: &'a Release, own: Own) -> Self {
        let cover = Cover::of(&release.alphabet, release.base.len());
        Scene::new(original, release.events(), cover, own, release.nature)
    }

    /// A release alone. What is known are released events, and they fit others that may stand for the same item.
    pub fn released(release: &'a Release) -> Self {
        let cover = Cover::overlaps(&release.alphabet, release.base.len());
        Scene::new(release.events(), release.events(), cover, Own::Same, release.nature)
    }

    /// A release alone of which several possible datasets are known: knowledge is drawn from one, and looked for in another.
    pub fn possible(known: &'a Release, published: &'a Release) -> Self {
        let cover = Cover::overlaps(&published.alphabet, published.base.len());
        Scene::new(known.events(), published.events(), cover, Own::Whole, published.nature)
    }

    fn new(known: &'a Events, published: &'a Events, cover: Cover, own: Own, nature: Nature) -> Self {
        Scene {
            known,
            published,
            cover,
            own,
            secret_items: Vec::new(),
            secrets: None,
            truth: None,
            columns: &[],
            nature,
        }
    }

    /// What attackers look into.
    pub(super) fn published(&self) -> Published<'_> {
        Published { events: self.published, cover: &self.cover, secrets: self.secrets.as_ref() }
    }

    /// The same, with attackers who are after secrets: `truth` of the people known, `published` of those published.
    #[must_use]
    pub fn with_secrets(mut self, truth: Secrets, published: Secrets) -> Self {
        self.truth = Some(truth);
        self.secrets = Some(published);
        self
    }

    /// The same, with items that are never known: they are what attackers want to learn.
    #[must_use]
    pub fn hiding(mut self, items: &[ItemId]) -> Self {
        let size = self.known.items().iter().max().map_or(0, |item| *item as usize + 1);
        self.secret_items = vec![false; size];
        for item in items {
            if let Some(secret) = self.secret_items.get_mut(*item as usize) {
                *secret = true;
            }
        }
        self
    }

    /// The same, with attackers who know the published columns of a person: people with the same number agree in all of them.
    /// Known and published people must have the same numbers.
    #[must_use]
    pub fn with_columns(mut self, groups: &'a [u32]) -> Self {
        self.columns = groups;
        self
    }

    /// Whether each published record stands for a person.
    pub fn has_people(&self) -> bool {
        self.nature != Nature::Synthetic
    }
}
