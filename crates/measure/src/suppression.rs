//! What was taken away rather than made coarser.
//!
//! Counted by comparing the release with the data, not taken from what the method says of itself. Perturbed records may
//! hold events that never happened, so there only the balance can be told.

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Scale, Settings};
use throng_data::{Events, Nature};

use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "suppression",
    kind: DescriptorKind::Measure,
    purpose: "which share of events, items and records was taken away",
    takes: &[DataKind::Sequences, DataKind::Sets],
    needs: &[],
    params: &[],
    keeps: None,
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss("suppressed_events_share", "share of events that were taken away", 1.0),
            Scale::loss("suppressed_items_share", "share of items that no released item stands for", 1.0),
            Scale::loss("emptied_records_share", "share of records that lost all their events", 1.0),
        ],
    }),
    variants: false,
    paper: "",
    example: "throng measure city/events.csv release --measure suppression",
    notes: "Synthetic records replace the data: nothing was taken away from any of them.",
};

/// Shares of what was taken away.
#[derive(Debug, Clone, Copy)]
pub struct SuppressionMeasure;

impl Measure for SuppressionMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        if on.release.nature == Nature::Synthetic {
            let reason = "the records are synthetic, and stand for nobody";
            return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        }
        let (before, after) = (&on.original.events, &on.release.events);
        let mut covered = vec![false; on.release.base.len().max(on.original.items.len())];
        let mut released = vec![false; on.release.alphabet.len()];
        after.items().iter().for_each(|item| released[*item as usize] = true);
        for (item, _) in on.release.alphabet.iter().zip(&released).filter(|(_, occurs)| **occurs) {
            item.members.iter().for_each(|member| covered[*member as usize] = true);
        }
        let mut occurs = vec![false; on.original.items.len()];
        before.items().iter().for_each(|item| occurs[*item as usize] = true);
        let items = occurs.iter().filter(|occurs| **occurs).count();
        let gone = occurs.iter().zip(&covered).filter(|(occurs, covered)| **occurs && !**covered).count();
        let emptied = empty_records(after).saturating_sub(empty_records(before));
        Ok(vec![
            ("suppressed_events_share", share(before.len().saturating_sub(after.len()), before.len())),
            ("suppressed_items_share", share(gone, items)),
            ("emptied_records_share", share(emptied, before.records() - empty_records(before))),
        ])
    }
}

fn empty_records(events: &Events) -> usize {
    events.record_offsets().windows(2).filter(|ends| ends[0] == ends[1]).count()
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64).min(1.0) }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Dataset, Release};

    use super::*;

    #[test]
    fn events_items_and_records_are_counted_apart() {
        let data = Dataset::from_words(["abc", "c", "ab", ""]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let settings = Settings::parse(&DESCRIPTOR, []).unwrap();
        let progress = Progress::silent();
        release.events = data.events.retain(|_, _, item| item != 2);
        let on = Comparison::of(&data, &release, &progress);
        let readings = SuppressionMeasure.measure(&on, &settings).unwrap();
        let expected = [2.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0];
        assert_eq!(readings.iter().map(|(_, value)| *value).collect::<Vec<_>>(), expected);
    }
}
