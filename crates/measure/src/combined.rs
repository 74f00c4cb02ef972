//! How far generalisation moved people and what they did, in one number: what SD-SEQANON keeps small.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Definition 8.
//! # Cost
//! That of [`distance`](crate::distance).
//! # Departs from the paper
//! What `distance` and `semantic` say of suppressed events and of intact places holds here, too.

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Need, Scale, Settings};

use crate::distance::weighted;
use crate::semantic::dissimilarities;
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "combined-distance",
    purpose: "how far generalisation moved people, in space times meaning",
    takes: &[DataKind::Sequences, DataKind::Sets],
    needs: &[Need::required(Input::Places), Need::required(Input::Taxonomy)],
    params: &[],
    gauge: Some(Gauge {
        // One pass, but asked for by name only, like what mines: told of every release beside the distance, the two would
        // say more about raw counts than either.
        cost: Cost::Mining,
        scales: &[
            Scale::loss(
                "combined_distance_share",
                "distance times dissimilarity, as a share of the largest distance between two places",
                1.0,
            ),
            Scale::loss(
                "combined_distance",
                "distance times dissimilarity, in the unit of the places, or metres for degrees",
                f64::INFINITY,
            ),
        ],
    }),
    paper: "PSLG14",
    example: "throng measure city/events.csv release --measure combined-distance --places city/places.csv \
              --taxonomy city/taxonomy.csv",
    notes: "Every generalised item must have its members among the leaves of the taxonomy. See `distance` and `semantic`.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Definition 8.
#[derive(Debug, Clone, Copy)]
pub struct CombinedDistanceMeasure;

impl Measure for CombinedDistanceMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let missing = |input| MeasureError::MissingInput { measure: DESCRIPTOR.name, input };
        let refuse = |reason| MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason };
        let places = on.original.places.as_ref().ok_or_else(|| missing(Input::Places))?;
        let taxonomy = on.inputs.taxonomy.as_ref().ok_or_else(|| missing(Input::Taxonomy))?;
        let costs = dissimilarities(on.release, taxonomy)
            .map_err(|_| refuse("a generalised item has a member that is no leaf of the taxonomy"))?;
        let loss = weighted(&on.original.events, places, on.release, on.aligned, &costs)
            .ok_or_else(|| refuse("released events cannot be matched with original ones"))?;
        Ok(vec![("combined_distance_share", loss.normalised), ("combined_distance", loss.mean)])
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Coordinates, Dataset, GeneralisedItem, Inputs, Places, Release, Taxonomy};

    use super::*;

    #[test]
    fn distances_are_weighed_by_dissimilarity() {
        // a and b are 2 apart and half of the taxonomy; c stays. D_loc(a) = 1, times 1/2; averaged with c's 0: 1/4.
        let mut data = Dataset::from_words(["ac", "b"]);
        let [a, b, c] = ["a", "b", "c"].map(|name| data.items.find(name).unwrap());
        let mut points = vec![[0.0, 0.0]; 3];
        points[b as usize] = [2.0, 0.0];
        points[c as usize] = [0.0, 4.0];
        data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
        let paths = ["a;food;any", "b;food;any", "c;drink;any", "d;drink;any"];
        let taxonomy = Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap();
        let mut release =
            Release::identity(data.items.clone(), data.events.recode(|item| u32::from(item == c), false));
        release.alphabet = vec![GeneralisedItem::of(vec![a, b]), GeneralisedItem::of(vec![c])];
        let inputs = Inputs { taxonomy: Some(taxonomy), ..Inputs::default() };
        let progress = Progress::silent();
        let on = Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) };
        let settings = Settings::parse(&DESCRIPTOR, []).unwrap();
        let readings = CombinedDistanceMeasure.measure(&on, &settings).unwrap();
        let largest = 20.0_f64.sqrt();
        assert_eq!(readings[1], ("combined_distance", (0.25 + 0.5) / 2.0));
        assert!((readings[0].1 - 0.375 / largest).abs() < 1e-12);
        let without = Comparison { inputs: Inputs::NONE, ..on };
        assert!(CombinedDistanceMeasure.measure(&without, &settings).is_err());
    }
}
