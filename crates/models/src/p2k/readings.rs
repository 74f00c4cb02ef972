//! What a released record may have been, where released items overlap.

use throng_contract::{Cancelled, Phase};
use throng_data::{ItemId, Release};

use super::holders::Holders;
use crate::cover::Cover;

/// So many original sequences are counted for one released record; beyond that its safety is not settled.
pub(super) const READINGS: usize = 4096;

/// The original items behind released ones, as classes.
pub(super) struct Readings {
    cover: Cover,
    /// For each class the released items that may stand for it, ascending.
    covering: Vec<Vec<ItemId>>,
    /// For each released item those that may stand for all that it may, itself included.
    wider: Vec<Vec<ItemId>>,
}

impl Readings {
    pub fn of(release: &Release, cover: Cover) -> Self {
        let items = 0..release.alphabet.len() as ItemId;
        let mut covering: Vec<Vec<ItemId>> = vec![Vec::new(); cover.len()];
        for item in items.clone() {
            cover.of(item).iter().for_each(|class| covering[*class as usize].push(item));
        }
        let wider = items.map(|item| {
            let (first, others) = cover.of(item).split_first()?;
            let covers_others = |wide: &ItemId| {
                let classes = cover.of(*wide);
                others.iter().all(|class| classes.binary_search(class).is_ok())
            };
            Some(covering[*first as usize].iter().copied().filter(covers_others).collect())
        });
        let wider = wider.map(Option::unwrap_or_default).collect();
        Readings { cover, covering, wider }
    }

    /// What the record may have been that fits the fewest people, and how many; exact below `k`. `None` when it may have
    /// been too much to be counted.
    pub fn rarest(
        &self,
        released: &Holders,
        record: usize,
        k: u64,
        phase: &Phase<'_>,
    ) -> Result<Option<(Vec<String>, u64)>, Cancelled> {
        let items = released.sequence(record);
        let wider: Vec<&[ItemId]> = items.iter().map(|item| self.wider[*item as usize].as_slice()).collect();
        let classes: Vec<&[u32]> = items.iter().map(|item| self.cover.of(*item)).collect();
        // A person who shows wider items all along may have been all that this record may have been.
        if released.count(&wider, k, phase)? >= k {
            return Ok(Some((Vec::new(), k)));
        }
        let readings =
            classes.iter().try_fold(1_usize, |product, classes| product.checked_mul(classes.len()));
        if readings.is_none_or(|readings| readings > READINGS) {
            return Ok(None);
        }
        let mut at = vec![0; classes.len()];
        let mut rarest: Option<(Vec<usize>, u64)> = None;
        loop {
            let known = classes.iter().zip(&at).map(|(classes, at)| classes[*at]);
            let pattern: Vec<&[ItemId]> =
                known.map(|class| self.covering[class as usize].as_slice()).collect();
            let support = released.count(&pattern, k, phase)?;
            if rarest.as_ref().is_none_or(|(_, fewest)| support < *fewest) {
                rarest = Some((at.clone(), support));
            }
            // The next reading, the last event changing fastest.
            let Some(turned) = (0..at.len()).rev().find(|event| at[*event] + 1 < classes[*event].len())
            else {
                break;
            };
            at[turned] += 1;
            at[turned + 1..].fill(0);
        }
        Ok(rarest.map(|(at, support)| {
            let known = classes.iter().zip(&at).map(|(classes, at)| classes[*at]);
            (known.map(|class| self.cover.name(class).to_owned()).collect(), support)
        }))
    }
}
