//! How far generalisation moved people: the distance between a dataset and its release.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Definition 6.
//! # Cost
//! One distance for every pair of an item and a member of its generalised item, then one pass over the events. The
//! largest distance is found by comparing far-out places only, which is quadratic in the worst case.
//! # Departs from the paper
//! Suppressed events have no distance: they are left out of the averages and counted apart, as are records without any
//! event left. The average over trajectories is over records, not over people. Members without coordinates are
//! left out.
//! # Without knowing which record is which
//! Under global recoding without suppression every event of an item became the same released item, so the original
//! records and the released alphabet say all there is to know. Whether that is so can be seen by counting.

use rayon::prelude::*;
use serde::Serialize;
use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Need, Scale, Settings};
use throng_data::{Coordinates, Events, ItemId, Nature, Places, Release};

use crate::cover::Cover;
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "distance",
    purpose: "how far generalisation moved people, on average",
    takes: &[DataKind::Sequences, DataKind::Sets],
    needs: &[Need::required(Input::Places)],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss(
                "distance_share_of_largest",
                "distance between data and release, as a share of the largest between two places",
                1.0,
            ),
            Scale::loss(
                "distance",
                "distance between data and release, in the unit of the places, or metres for degrees",
                f64::INFINITY,
            ),
            Scale::loss(
                "distance_inside_items",
                "average distance between two members of a generalised item, as a share of the largest",
                1.0,
            ),
        ],
    }),
    paper: "PSLG14",
    example: "throng measure city/events.csv release --measure distance --places city/places.csv",
    notes: "Suppressed events have no distance and are left out. A release read back without its linkage has a distance \
            only if every item became one released item and nothing was suppressed.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// The distance of the release from the data, and inside generalised items.
#[derive(Debug, Clone, Copy)]
pub struct DistanceMeasure;

impl Measure for DistanceMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let missing = MeasureError::MissingInput { measure: DESCRIPTOR.name, input: Input::Places };
        let places = on.original.places.as_ref().ok_or(missing)?;
        let moves = Moves::of(places, on.release);
        let largest = largest_distance(&on.original.events, places);
        let mut readings = Readings::new();
        if let Some(loss) = moves.loss(&on.original.events, on.release, on.aligned, largest) {
            readings.push(("distance_share_of_largest", loss.normalised));
            readings.push(("distance", loss.mean));
        }
        let inside = moves.inside(on.release);
        let share = if largest > 0.0 { (inside / largest).min(1.0) } else { 0.0 };
        readings.push(("distance_inside_items", share));
        Ok(readings)
    }
}

/// Records are averaged in blocks of this size, so that sums do not depend on the number of threads.
const BLOCK: usize = 8192;

/// The distance between a dataset and its release.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DistanceLoss {
    /// Average over records of the average over events, in the unit of the places (metres for degrees).
    pub mean: f64,
    /// The same as a share of `largest`; 0 when all places coincide.
    pub normalised: f64,
    /// The largest distance between two places that occur in the data.
    pub largest: f64,
    /// Records averaged.
    pub records: u64,
    /// Events left out because they were suppressed.
    pub suppressed_events: u64,
    /// Records left out because all their events were suppressed.
    pub emptied_records: u64,
}

/// D_loc: the average distance from an item to the members of its generalised item; 0 without members.
pub fn location(places: &Places, item: ItemId, members: &[ItemId]) -> f64 {
    let mut mean = Mean::default();
    for member in located(places, members) {
        mean.add(places.distance(item, *member));
    }
    mean.value().unwrap_or(0.0)
}

/// Items that only a taxonomy or a public alphabet knows have no coordinates.
fn located<'a>(places: &Places, members: &'a [ItemId]) -> impl Iterator<Item = &'a ItemId> {
    members.iter().filter(|member| (**member as usize) < places.points.len())
}

/// D_traj: the average of D_loc over the events of a record, each given with the members of its generalised item;
/// `None` for a record without events.
pub fn trajectory<'a>(
    places: &Places,
    events: impl IntoIterator<Item = (ItemId, &'a [ItemId])>,
) -> Option<f64> {
    let mut mean = Mean::default();
    for (item, members) in events {
        mean.add(location(places, item, members));
    }
    mean.value()
}

/// D: the distance between the original records and their released counterparts. `None` when the release has none:
/// perturbed and synthetic records do not stand for original ones, event by event.
pub fn dataset(original: &Events, places: &Places, release: &Release) -> Option<DistanceLoss> {
    let largest = largest_distance(original, places);
    Moves::of(places, release).loss(original, release, true, largest)
}

/// The same with every distance multiplied by a weight of its released item.
pub(crate) fn weighted(
    original: &Events,
    places: &Places,
    release: &Release,
    aligned: bool,
    weights: &[f64],
) -> Option<DistanceLoss> {
    let mut moves = Moves::of(places, release);
    for (item, distances) in (0..).zip(&mut moves.distances) {
        let covers = moves.cover.of_item(item);
        distances.iter_mut().zip(covers).for_each(|(distance, cover)| *distance *= weights[*cover as usize]);
    }
    moves.loss(original, release, aligned, largest_distance(original, places))
}

/// How far every item is from each released item that covers it.
struct Moves {
    cover: Cover,
    /// D_loc by item, in the order of its covers. Under global recoding an item has one, the same for all its events.
    distances: Vec<Vec<f64>>,
}

impl Moves {
    fn of(places: &Places, release: &Release) -> Self {
        let cover = Cover::of(&release.alphabet, release.base.len().max(places.points.len()));
        let distances = (0..places.points.len() as ItemId)
            .into_par_iter()
            .map(|item| {
                let covers = cover.of_item(item).iter();
                covers
                    .map(|cover| location(places, item, &release.alphabet[*cover as usize].members))
                    .collect()
            })
            .collect();
        Moves { cover, distances }
    }

    fn loss(
        &self,
        original: &Events,
        release: &Release,
        aligned: bool,
        largest: f64,
    ) -> Option<DistanceLoss> {
        if release.nature != Nature::Truthful || release.records() != original.records() {
            return None;
        }
        if !aligned && !self.cover.is_global(original, release) {
            return None;
        }
        let blocks: Vec<Block> = (0..original.records().div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let records = block * BLOCK..((block + 1) * BLOCK).min(original.records());
                if aligned { self.block(records, original, release) } else { self.recoded(records, original) }
            })
            .collect();

        let (mut mean, mut suppressed_events, mut emptied_records) = (Mean::default(), 0, 0);
        for block in blocks {
            mean.sum += block.mean.sum;
            mean.count += block.mean.count;
            suppressed_events += block.suppressed_events;
            emptied_records += block.emptied_records;
        }
        let (records, mean) = (mean.count, mean.value().unwrap_or(0.0));
        let normalised = if largest > 0.0 { (mean / largest).min(1.0) } else { 0.0 };
        Some(DistanceLoss { mean, normalised, largest, records, suppressed_events, emptied_records })
    }

    /// The average over generalised items that occur of the average distance between two members.
    fn inside(&self, release: &Release) -> f64 {
        let mut occurs = vec![false; release.alphabet.len()];
        release.events().items().iter().for_each(|item| occurs[*item as usize] = true);
        let mut mean = Mean::default();
        for (number, item) in (0..).zip(&release.alphabet) {
            // Members without coordinates have no distances; the others were averaged without them.
            let located = item.members.iter().filter(|member| (**member as usize) < self.distances.len());
            let sums: Vec<f64> = located.filter_map(|member| self.distance(*member, number)).collect();
            if occurs[number as usize] && sums.len() > 1 {
                // D_loc averages over all members, the item itself among them; pairs leave that one out.
                mean.add(sums.iter().sum::<f64>() / (sums.len() - 1) as f64);
            }
        }
        mean.value().unwrap_or(0.0)
    }

    fn distance(&self, item: ItemId, released: ItemId) -> Option<f64> {
        let at = self.cover.position(item, released)?;
        Some(self.distances[item as usize][at])
    }

    fn block(&self, records: std::ops::Range<usize>, original: &Events, release: &Release) -> Block {
        let (mut block, mut aligned) = (Block::default(), Vec::new());
        for record in records {
            let items = original.record(record);
            self.cover.align(original.kind(), items, release.events().record(record), &mut aligned);
            let mut mean = Mean::default();
            for (item, released) in items.iter().zip(&aligned) {
                match released.and_then(|released| self.distance(*item, released)) {
                    Some(distance) => mean.add(distance),
                    None => block.suppressed_events += 1,
                }
            }
            match mean.value() {
                Some(value) => block.mean.add(value),
                None => block.emptied_records += u64::from(!items.is_empty()),
            }
        }
        block
    }

    /// The same where every item has one cover and nothing was suppressed.
    fn recoded(&self, records: std::ops::Range<usize>, original: &Events) -> Block {
        let mut block = Block::default();
        for record in records {
            let mut mean = Mean::default();
            original.record(record).iter().for_each(|item| mean.add(self.distances[*item as usize][0]));
            if let Some(value) = mean.value() {
                block.mean.add(value);
            }
        }
        block
    }
}

#[derive(Debug, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

#[derive(Debug, Default)]
struct Block {
    mean: Mean,
    suppressed_events: u64,
    emptied_records: u64,
}

/// The largest distance between two items that occur.
fn largest_distance(original: &Events, places: &Places) -> f64 {
    let mut occurs = vec![false; places.points.len()];
    for item in original.items() {
        occurs[*item as usize] = true;
    }
    // In space, where the straight line between two points of the globe orders pairs as the great circle does.
    let mut points: Vec<(f64, [f64; 3], ItemId)> = (0..places.points.len() as ItemId)
        .filter(|item| occurs[*item as usize])
        .map(|item| (0.0, in_space(places.system, places.points[item as usize]), item))
        .collect();
    let middle = points.iter().fold([0.0; 3], |sum: [f64; 3], (_, point, _)| {
        std::array::from_fn(|axis| sum[axis] + point[axis] / points.len() as f64)
    });
    for (radius, point, _) in &mut points {
        *radius = straight(*point, middle);
    }
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut widest, mut pair) = (-1.0, None);
    for (first, a) in points.iter().enumerate() {
        for b in &points[first + 1..] {
            // No pair is farther apart than its two ways over the middle; the bound only falls from here on.
            if a.0 + b.0 < widest {
                break;
            }
            let apart = straight(a.1, b.1);
            if apart > widest {
                (widest, pair) = (apart, Some((a.2, b.2)));
            }
        }
    }
    pair.map_or(0.0, |(a, b)| places.distance(a, b))
}

fn in_space(system: Coordinates, point: [f64; 2]) -> [f64; 3] {
    match system {
        Coordinates::Plane => [point[0], point[1], 0.0],
        Coordinates::Degrees => {
            let (lat, lon) = (point[0].to_radians(), point[1].to_radians());
            [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
        }
    }
}

fn straight(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests;
