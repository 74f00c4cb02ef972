//! How far generalisation mixed places of different meaning, by a taxonomy of the items.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Definition 7, and the
//! semantic similarity penalty of section 5.
//! # Departs from the paper
//! Definition 7 covers generalised locations only; an intact one counts 0 here, so that changing nothing costs nothing.
//! Records without events have no average and are left out.

use throng_contract::Fraction;
use throng_data::{NodeId, Release, Taxonomy, TaxonomyError};

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
/// without events. An error when an item of the data is not a leaf of the taxonomy.
pub fn penalty(release: &Release, taxonomy: &Taxonomy) -> Result<f64, TaxonomyError> {
    let leaves = taxonomy.align(&release.base)?;
    let costs: Vec<f64> = release
        .alphabet
        .iter()
        .map(|item| {
            let members: Vec<NodeId> = item.members.iter().map(|member| leaves[*member as usize]).collect();
            dissimilarity(taxonomy, &members).to_f64()
        })
        .collect();
    let (mut sum, mut records) = (0.0, 0_u64);
    for record in 0..release.events.records() {
        let items = release.events.record(record);
        if !items.is_empty() {
            sum += items.iter().map(|item| costs[*item as usize]).sum::<f64>() / items.len() as f64;
            records += 1;
        }
    }
    Ok(if records == 0 { 0.0 } else { sum / records as f64 })
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
        let release = Release::identity(data.items.clone(), data.events.clone());
        assert!(
            matches!(penalty(&release, &taxonomy()), Err(TaxonomyError::MissingItem { name }) if name == "x")
        );
    }
}
