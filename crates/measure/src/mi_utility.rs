//! The utility loss of the mutual-information methods: what publishing each event as a coarser one costs.
//!
//! # Reference
//! BFJ16: Bonomi, Fan, Jin. An information theoretic approach to individual sequential data sanitization. WSDM 2016.
//! Definition 4; averaged over people as in section 6.
//! # Departs from the paper
//! A generalised item that is no node of the taxonomy costs as much as the lowest node above all its members. A suppressed
//! event costs as much as one published as the root.

use throng_contract::{
    Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Key, Need, Scale, Settings, settings,
};
use throng_data::{ItemId, Nature, NodeId, Release, Taxonomy};
use throng_methods::sequence::mutual_information::cost::{CostFunction, Costs};

use crate::cover::Cover;
use crate::{Comparison, Measure, MeasureError, Readings};

settings! {
    /// What the measure is asked for.
    struct Asked {
        cost: CostFunction = Key::choice(
            "cost",
            "what generalising costs: linear or exponential in levels, or the share of leaves (iloss)",
        )
        .or("linear"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "mi-utility",
    purpose: "what publishing events as coarser ones costs, by a taxonomy and the user's own costs",
    takes: &[DataKind::Sequences, DataKind::Sets],
    needs: &[Need::required(Input::Taxonomy), Need::optional(Input::Costs)],
    params: Asked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss(
                "utility_loss",
                "average over people of the cost of an event; 1 is the root",
                f64::INFINITY,
            ),
            Scale::loss("utility_loss_total", "the cost of all events, added up", f64::INFINITY),
        ],
    }),
    paper: "BFJ16",
    example: "throng measure city/events.csv release --measure mi-utility --taxonomy city/taxonomy.csv",
    notes: "A suppressed event costs as much as one published as the root. Costs of symbols multiply.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Definition 4.
#[derive(Debug, Clone, Copy)]
pub struct MiUtilityMeasure;

impl Measure for MiUtilityMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        let missing = MeasureError::MissingInput { measure: DESCRIPTOR.name, input: Input::Taxonomy };
        let taxonomy = on.inputs.taxonomy.as_ref().ok_or(missing)?;
        let (original, release) = (&on.original.events, on.release);
        let refuse = |reason| MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason };
        if release.nature != Nature::Truthful {
            return Err(refuse("released events do not stand for original ones"));
        }
        let cover = Cover::of(&release.alphabet, release.base.len().max(on.original.items.len()));
        let matched = on.aligned && release.records() == original.records();
        if !matched && !cover.is_global(original, release) {
            return Err(refuse("records cannot be matched with their originals; give the `linkage`"));
        }
        let leaves = taxonomy
            .align(&on.original.items)
            .map_err(|_| refuse("an item of the data is no leaf of the taxonomy"))?;
        let nodes = nodes(release, taxonomy)
            .ok_or_else(|| refuse("a generalised item has a member that is no leaf of the taxonomy"))?;
        let function = asked.cost;
        let costs = Costs { taxonomy, function, given: on.inputs.costs.as_ref() };

        // What an item costs as each of its covers, and when suppressed.
        let cost = |item: ItemId, node: Option<NodeId>| {
            costs.of(leaves[item as usize], node.unwrap_or(leaves[item as usize]))
        };
        let table: Vec<(Vec<f64>, f64)> = (0..on.original.items.len() as ItemId)
            .map(|item| {
                let covers = cover.of_item(item).iter().map(|released| cost(item, nodes[*released as usize]));
                (covers.collect(), cost(item, Some(taxonomy.root())))
            })
            .collect();

        let (mut sum, mut people, mut total, mut aligned) = (0.0, 0_u64, 0.0, Vec::new());
        for subject in 0..original.subjects() {
            let (mut loss, mut events) = (0.0, 0_usize);
            for record in original.records_of(subject) {
                let items = original.record(record);
                events += items.len();
                if !matched {
                    loss += items.iter().map(|item| table[*item as usize].0[0]).sum::<f64>();
                    continue;
                }
                cover.align(original.kind(), items, release.events().record(record), &mut aligned);
                for (item, released) in items.iter().zip(&aligned) {
                    let (covers, suppressed) = &table[*item as usize];
                    let at = released.and_then(|released| cover.position(*item, released));
                    loss += at.map_or(*suppressed, |at| covers[at]);
                }
            }
            total += loss;
            if events > 0 {
                sum += loss / events as f64;
                people += 1;
            }
        }
        let average = if people == 0 { 0.0 } else { sum / people as f64 };
        Ok(vec![("utility_loss", average), ("utility_loss_total", total)])
    }
}

/// The lowest node above all members of each released item; no node for an intact item. `None` when a member is no leaf.
fn nodes(release: &Release, taxonomy: &Taxonomy) -> Option<Vec<Option<NodeId>>> {
    let node = |members: &[ItemId]| -> Option<Option<NodeId>> {
        if members.len() < 2 {
            return Some(None);
        }
        let mut common = None;
        for member in members {
            let leaf = taxonomy.find(release.base.name(*member)).filter(|node| taxonomy.is_leaf(*node))?;
            common = Some(common.map_or(leaf, |common| taxonomy.lca(common, leaf)));
        }
        Some(common)
    };
    release.alphabet.iter().map(|item| node(&item.members)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use throng_contract::Progress;
    use throng_data::{Dataset, GeneralisedItem, Inputs, SymbolCosts};

    use super::*;

    #[test]
    fn events_cost_by_level_and_suppressed_ones_the_root() {
        // Two levels above a and b, which are siblings; c is elsewhere.
        let paths = ["a;food;any", "b;food;any", "c;drink;any"];
        let taxonomy = Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap();
        let data = Dataset::from_words(["ac", "b", ""]);
        let id = |name: &str| data.items.find(name).unwrap();
        let (a, b, c) = (id("a"), id("b"), id("c"));
        let events = data.events.retain(|_, _, item| item != c);
        let mut release = Release::identity(data.items.clone(), events.recode(|_| 0, false));
        release.alphabet = vec![GeneralisedItem::of(vec![a, b])];
        let progress = Progress::silent();
        let weights = BTreeMap::from([("a".to_owned(), 3.0)]);
        let given = SymbolCosts { weights, ..SymbolCosts::default() };
        let inputs = Inputs { taxonomy: Some(taxonomy), ..Inputs::default() };
        let on = Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) };
        let settings = Settings::parse(&DESCRIPTOR, []).unwrap();
        // ann: a costs 1/2, c was suppressed and costs 1. bob: 1/2.
        let readings = MiUtilityMeasure.measure(&on, &settings).unwrap();
        assert_eq!(readings, [("utility_loss", (1.5 / 2.0 + 0.5) / 2.0), ("utility_loss_total", 2.0)]);
        let weighted_inputs = Inputs { costs: Some(given), ..inputs.clone() };
        let weighted = Comparison { inputs: &weighted_inputs, ..on };
        assert_eq!(MiUtilityMeasure.measure(&weighted, &settings).unwrap()[1].1, 3.0);
        let unmatched = Comparison { aligned: false, ..on };
        assert!(MiUtilityMeasure.measure(&unmatched, &settings).is_err());
    }
}
