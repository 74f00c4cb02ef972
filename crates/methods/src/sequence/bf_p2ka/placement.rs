//! Pruning and re-attachment: where each record goes in the tree.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::{Events, ItemId};

use super::closest::{Desk, Match, Paths};
use super::tree::{ROOT, Tree};
use crate::{Reason, Variant};

/// Steps that are explained; the rest is counted.
const EXPLAINED: usize = 1000;

/// The tree, and the node of every record that has one.
pub(super) struct Placement<'a> {
    events: &'a Events,
    k: u64,
    alphabet: usize,
    tree: Tree,
    /// The longest kept prefix of each record.
    own: Vec<u32>,
    /// Where each record is published; `None` while it is cut, the root once it is dropped or was empty.
    place: Vec<Option<u32>>,
    /// Length each moved record has in common with what it was moved to.
    common: Vec<Option<u32>>,
    /// Rounds of re-attachment.
    pub rounds: u32,
    /// The first steps, for the publisher.
    pub reasons: Vec<Reason>,
}

impl<'a> Placement<'a> {
    /// Grows the tree and cuts the records that it does not hold.
    pub fn new(events: &'a Events, k: u64, alphabet: usize, progress: &Progress) -> Result<Self, Cancelled> {
        let phase = progress.phase("growing the prefix tree", None);
        let (tree, own) = Tree::grow(events, k, alphabet, &phase)?;
        let held = |record: usize| tree.node(own[record]).depth as usize == events.span(record).len();
        let place: Vec<_> = (0..events.records()).map(|record| held(record).then_some(own[record])).collect();
        let common = vec![None; events.records()];
        Ok(Placement { events, k, alphabet, tree, own, place, common, rounds: 0, reasons: Vec::new() })
    }

    /// Re-attaches what was cut; `sound` prunes again and goes on until no node has fewer than `k` people.
    pub fn settle(&mut self, variant: Variant, progress: &Progress) -> Result<(), Cancelled> {
        while self.place.contains(&None) {
            self.rounds += 1;
            self.reattach(progress)?;
            if variant == Variant::Sound {
                self.prune();
            }
        }
        Ok(())
    }

    /// Moves every cut record to the path that is closest to what the person really did. The tree's shape does not
    /// change meanwhile, so the order of the records does not matter.
    fn reattach(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let supports = self.tree.supports(self.events, &self.place);
        let paths = Paths::new(&self.tree, &supports, self.alphabet);
        let (distinct, cut) = self.distinct_cut();
        let closest = |record: usize, desk: &mut Desk| {
            paths.closest(self.events.record(record), self.own[record], desk)
        };
        let phase = progress.phase("re-attaching cut sequences", Some(distinct.len() as u64));
        let matches: Vec<Option<Match>> = distinct
            .par_chunks(64)
            .map_init(
                || Desk::new(self.alphabet),
                |desk, chunk| {
                    phase.advance(chunk.len() as u64)?;
                    Ok(chunk.iter().map(|record| closest(*record as usize, desk)).collect::<Vec<_>>())
                },
            )
            .collect::<Result<Vec<_>, Cancelled>>()?
            .concat();
        if self.rounds == 1 {
            self.explain_cut(&distinct, &cut, &matches);
        }
        for (record, at) in cut {
            let found = matches[at as usize];
            self.place[record as usize] = Some(found.map_or(ROOT, |found| found.node));
            self.common[record as usize] = Some(found.map_or(0, |found| found.common));
        }
        Ok(())
    }

    /// One record for each distinct cut sequence; and every cut record with the number of its sequence.
    fn distinct_cut(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        let hasher = FixedState::with_seed(0);
        let mut index: HashTable<u32> = HashTable::new();
        let mut distinct: Vec<u32> = Vec::new();
        let mut cut = Vec::new();
        for record in (0..self.events.records()).filter(|record| self.place[*record].is_none()) {
            let sequence = self.events.record(record);
            let of = |at: &u32| self.events.record(distinct[*at as usize] as usize);
            let hash = hasher.hash_one(sequence);
            let at = match index.find(hash, |at| of(at) == sequence) {
                Some(at) => *at,
                None => {
                    let at = distinct.len() as u32;
                    index.insert_unique(hash, at, |at| hasher.hash_one(of(at)));
                    distinct.push(record as u32);
                    at
                }
            };
            cut.push((record as u32, at));
        }
        (distinct, cut)
    }

    /// Cuts nodes that have fewer than `k` people after re-attachment, and with them the records placed there. Nodes
    /// without people break nothing: they go only when others do.
    fn prune(&mut self) {
        let supports = self.tree.supports(self.events, &self.place);
        let rare = |at: &(u32, u64)| at.1 > 0 && at.1 < self.k;
        let nodes = self.tree.below_root().map(|(at, _)| (at, supports[at as usize]));
        let Some(_) = nodes.clone().find(rare) else { return };
        self.reasons.extend(
            nodes
                .filter(|(at, support)| {
                    let parent = self.tree.node(*at).parent;
                    rare(&(*at, *support)) && (parent == ROOT || supports[parent as usize] >= self.k)
                })
                .take(EXPLAINED.saturating_sub(self.reasons.len()))
                .map(|(at, support)| {
                    let mut path = Vec::new();
                    self.tree.push_path(at, &mut path);
                    reason("cut", &path, &path, support, self.k)
                }),
        );
        let (tree, kept_as) = self.tree.prune(|at| supports[at as usize] >= self.k);
        for place in &mut self.place {
            *place = place.filter(|at| *at == ROOT || supports[*at as usize] >= self.k);
            *place = place.map(|at| kept_as[at as usize]);
        }
        for own in &mut self.own {
            *own = kept_as[*own as usize];
        }
        self.tree = tree;
    }

    fn explain_cut(&mut self, distinct: &[u32], cut: &[(u32, u32)], matches: &[Option<Match>]) {
        let explained = distinct.len().min(EXPLAINED);
        // Records of one person follow each other.
        let mut people = vec![(0_u64, usize::MAX); explained];
        for (record, at) in cut.iter().filter(|(_, at)| (*at as usize) < explained) {
            let subject = self.events.subject_of(*record as usize);
            let (count, last) = &mut people[*at as usize];
            if *last != subject {
                (*count, *last) = (*count + 1, subject);
            }
        }
        for (at, (people, _)) in people.into_iter().enumerate() {
            let sequence = self.events.record(distinct[at] as usize);
            let mut path = Vec::new();
            self.reasons.push(match matches[at] {
                None => reason("drop", sequence, sequence, people, self.k),
                Some(found) => {
                    self.tree.push_path(found.node, &mut path);
                    let added = path.len() - found.common as usize;
                    let details = [("common", found.common.to_string()), ("added", added.to_string())];
                    let reason = reason("attach", &path, sequence, people, self.k);
                    Reason { details: BTreeMap::from(details), ..reason }
                }
            });
        }
    }

    /// The published sequence of a record, appended to `path`.
    pub fn push_record(&self, record: usize, path: &mut Vec<ItemId>) {
        self.tree.push_path(self.place[record].unwrap_or(ROOT), path);
    }

    /// How many of a record's events are published, in order; the others are gone, and what else is published for it
    /// was put in.
    pub fn kept(&self, record: usize) -> usize {
        self.common[record].map_or(self.events.span(record).len(), |common| common as usize)
    }

    /// Whether the record was cut at some time.
    pub fn was_moved(&self, record: usize) -> bool {
        self.common[record].is_some()
    }
}

fn reason(action: &'static str, items: &[ItemId], pattern: &[ItemId], support: u64, needed: u64) -> Reason {
    let groups = |items: &[ItemId]| items.iter().map(|item| vec![*item]).collect();
    Reason {
        action,
        items: groups(items),
        pattern: groups(pattern),
        support,
        needed,
        details: BTreeMap::new(),
    }
}
