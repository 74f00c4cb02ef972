//! Which frequent items a release does not show by name and number: tlost.

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Key, Scale, Settings, settings};
use throng_data::{ChunkKind, ItemId};

use super::refuse;
use crate::{Comparison, Measure, MeasureError, OnChunks, Readings};

settings! {
    /// What the measure is asked for.
    struct LostAsked {
        k: u64 = Key::integer("k", 1..=u32::MAX as u64, "items that more people have are frequent").or("5"),
    }
}

static TLOST: Descriptor = Descriptor {
    name: "tlost",
    purpose: "which share of the frequent items a release does not show by name and number",
    takes: &[DataKind::Sets],
    params: LostAsked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[Scale::loss(
            "tlost",
            "frequent items that stand in term chunks alone, or not as themselves",
            1.0,
        )],
    }),
    paper: "TLMS12",
    example: "throng measure baskets/events.csv release --sets --measure tlost -k 5",
    notes: "Where records were taken apart, an item is lost whose places are all term chunks; in records, one that is suppressed or \
            always generalised.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// tlost.
#[derive(Debug, Clone, Copy)]
pub struct LostTerms;

impl Measure for LostTerms {
    fn descriptor(&self) -> &'static Descriptor {
        &TLOST
    }

    fn on_chunks(&self) -> OnChunks {
        OnChunks::AsTheyAre
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        refuse(on, TLOST.name)?;
        let k = LostAsked::of(settings).k;
        let mut counted = vec![false; on.release.alphabet.len()];
        let mut count = |items: &[ItemId]| items.iter().for_each(|item| counted[*item as usize] = true);
        match on.release.body.chunks() {
            Some(chunks) => (0..chunks.len())
                .filter(|chunk| chunks.kind(*chunk) != ChunkKind::Term)
                .flat_map(|chunk| chunks.parts(chunk))
                .for_each(|part| count(chunks.part(part))),
            None => count(on.release.events().items()),
        }
        let mut kept = vec![false; on.original.items.len()];
        for (item, _) in
            on.release.alphabet.iter().zip(counted).filter(|(item, counted)| *counted && item.is_intact())
        {
            for member in &item.members {
                if let Some(own) = on.original.items.find(on.release.base.name(*member)) {
                    kept[own as usize] = true;
                }
            }
        }
        let people = on.original.events.people_by_item(on.original.items.len());
        let frequent = people.iter().filter(|people| **people > k).count();
        let lost = people.iter().zip(kept).filter(|(people, kept)| **people > k && !kept).count();
        Ok(vec![("tlost", if frequent == 0 { 0.0 } else { lost as f64 / frequent as f64 })])
    }
}
