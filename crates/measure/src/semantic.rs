//! How far generalisation mixed places of different meaning, by a taxonomy of the items.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Definition 7, and the
//! semantic similarity penalty of section 5.
//! # Departs from the paper
//! Definition 7 covers generalised locations only; an intact one counts 0 here, so that changing nothing costs nothing.
//! Records without events have no average and are left out.

use throng_contract::{
    Cost, DataKind, Descriptor, DescriptorKind, Fraction, Gauge, Input, Need, Scale, Settings,
};
use throng_data::{NodeId, Release, Taxonomy, TaxonomyError};

use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "semantic",
    purpose: "how far items of different meaning were mixed, by a taxonomy",
    takes: &[DataKind::Sequences, DataKind::Sets],
    needs: &[Need::required(Input::Taxonomy)],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss("semantic_penalty", "average dissimilarity over records and their events", 1.0),
            Scale::loss(
                "semantic_dissimilarity",
                "average over generalised items of the share of the taxonomy's leaves they are spread over",
                1.0,
            ),
        ],
    }),
    paper: "PSLG14",
    example: "throng measure city/events.csv release --measure semantic --taxonomy city/taxonomy.csv",
    notes: "Every generalised item must have its members among the leaves of the taxonomy.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Dissimilarity inside generalised items, and the penalty of the release.
#[derive(Debug, Clone, Copy)]
pub struct SemanticMeasure;

impl Measure for SemanticMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let missing = MeasureError::MissingInput { measure: DESCRIPTOR.name, input: Input::Taxonomy };
        let taxonomy = on.inputs.taxonomy.as_ref().ok_or(missing)?;
        let reason = "a generalised item has a member that is no leaf of the taxonomy";
        let outside = |_| MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason };
        let costs = dissimilarities(on.release, taxonomy).map_err(outside)?;
        let mut occurs = vec![false; on.release.alphabet.len()];
        on.release.events().items().iter().for_each(|item| occurs[*item as usize] = true);
        let generalised = on.release.alphabet.iter().zip(&costs).zip(occurs);
        let mixed: Vec<f64> = generalised
            .filter(|((item, _), occurs)| *occurs && !item.is_intact())
            .map(|((_, cost), _)| *cost)
            .collect();
        let mean = if mixed.is_empty() { 0.0 } else { mixed.iter().sum::<f64>() / mixed.len() as f64 };
        Ok(vec![("semantic_penalty", average(on.release, &costs)), ("semantic_dissimilarity", mean)])
    }
}

/// SD: the share of the taxonomy's leaves under the closest common ancestor of the members; 0 for fewer than two.
/// Exact, because methods compare such shares.
pub fn dissimilarity(taxonomy: &Taxonomy, members: &[NodeId]) -> Fraction {
    match members {
        [] | [_] => Fraction::ZERO,
        [first, others @ ..] => {
            let ancestor = others.iter().fold(*first, |ancestor, member| taxonomy.lca(ancestor, *member));
            let leaves = u64::from(taxonomy.leaf_count(ancestor));
            Fraction::new(leaves, u64::from(taxonomy.leaves())).unwrap_or(Fraction::ZERO)
        }
    }
}

/// P: the average over records of the average dissimilarity of their events, from 0 (all intact) to 1; 0 for a release
/// without events. An error when a member of a generalised item is not a leaf of the taxonomy.
pub fn penalty(release: &Release, taxonomy: &Taxonomy) -> Result<f64, TaxonomyError> {
    Ok(average(release, &dissimilarities(release, taxonomy)?))
}

/// SD of every released item.
pub(crate) fn dissimilarities(release: &Release, taxonomy: &Taxonomy) -> Result<Vec<f64>, TaxonomyError> {
    let leaf = |member: &u32| {
        let name = release.base.name(*member);
        let node = taxonomy.find(name).filter(|node| taxonomy.is_leaf(*node));
        node.ok_or_else(|| TaxonomyError::MissingItem { name: name.to_owned() })
    };
    let of_item = |members: &[u32]| {
        // An intact item costs nothing, whether or not the taxonomy knows it.
        if members.len() < 2 {
            return Ok(0.0);
        }
        let leaves = members.iter().map(leaf).collect::<Result<Vec<NodeId>, TaxonomyError>>()?;
        Ok(dissimilarity(taxonomy, &leaves).to_f64())
    };
    release.alphabet.iter().map(|item| of_item(&item.members)).collect()
}

fn average(release: &Release, costs: &[f64]) -> f64 {
    let (mut sum, mut records) = (0.0, 0_u64);
    for record in 0..release.records() {
        let items = release.events().record(record);
        if !items.is_empty() {
            sum += items.iter().map(|item| costs[*item as usize]).sum::<f64>() / items.len() as f64;
            records += 1;
        }
    }
    if records == 0 { 0.0 } else { sum / records as f64 }
}

#[cfg(test)]
mod tests {
    use throng_data::{Dataset, GeneralisedItem};

    use super::*;

    fn taxonomy() -> Taxonomy {
        let paths = ["a;food;any", "b;drink;any", "c;food;any", "d;drink;any"];
        Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap()
    }

    #[test]
    fn the_penalty_averages_events_then_records() {
        let data = Dataset::from_words(["ab", "c", ""]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        assert_eq!(penalty(&release, &taxonomy()).unwrap(), 0.0);
        // a and c are both food (2 of 4 leaves), b stays: (0.5 + 0) / 2 and 0.5.
        release.alphabet = vec![
            GeneralisedItem::of(vec![0, 2]),
            GeneralisedItem::of(vec![1]),
            GeneralisedItem::of(vec![0, 2]),
        ];
        assert_eq!(penalty(&release, &taxonomy()).unwrap(), 0.375);
    }

    #[test]
    fn items_outside_the_taxonomy_are_an_error() {
        let data = Dataset::from_words(["ax"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        assert_eq!(penalty(&release, &taxonomy()).unwrap(), 0.0, "nothing was generalised");
        release.alphabet = vec![GeneralisedItem::of(vec![0, 1]); 2];
        assert!(
            matches!(penalty(&release, &taxonomy()), Err(TaxonomyError::MissingItem { name }) if name == "x")
        );
    }
}
