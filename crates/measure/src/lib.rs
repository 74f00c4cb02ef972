//! What data are like, what a release is still good for, and what it still gives away.
//!
//! * [`profile`]: sizes, lengths and frequent items of a dataset.
//! * [`Measure`], [`ALL`]: what a release is still good for, each measure with its scales.
//! * [`shape`], [`distance`], [`semantic`], [`suppression`]: what a release lost, in items, in space, in meaning, and
//!   altogether; [`combined`]: in space and in meaning. [`mi_utility`]: the same by costs of a taxonomy's levels.
//!   [`lengths`]: whether records are as long as they were. [`counts`]: what is left of visits and moves in a release of counts.
//! * [`ncp`], [`discernibility`], [`average_class`], [`precision`], [`utility_loss`]: the same for cells of tables and items of
//!   sets. [`frequencies`]: how often single values seem to occur.
//! * [`workload`], [`queries`], [`query_parts`], [`kl`]: how well it answers COUNT queries; [`answers`] and [`counting`] estimate the answers, and
//!   [`chunk_supports`] bounds them where records were taken apart.
//! * [`patterns`], [`itemsets`], [`subgraphs`], [`similarity`], [`mfs`]: which frequent patterns it keeps.
//! * [`classification`]: how well a column of a table is still predicted.
//! * [`attack`](mod@attack): how many people an attacker who knows a few events singles out, before and after; [`Attack`], [`attack::catalogue::ALL`]: the
//!   ways of getting to know a person.
//! * [`composition`]: what two releases of the same people give away together.

pub mod answers;
pub mod attack;
pub mod average_class;
pub mod chunk_supports;
pub mod classification;
pub mod combined;
pub mod composition;
pub mod counting;
pub mod counts;
mod cover;
pub mod disassociation;
pub mod discernibility;
pub mod distance;
pub mod frequencies;
mod frequent;
pub mod itemsets;
pub mod kl;
pub mod lengths;
mod measure;
pub mod mfs;
pub mod mi_utility;
mod naive_bayes;
pub mod ncp;
pub mod patterns;
pub mod precision;
pub mod profile;
pub mod queries;
pub mod query_parts;
pub mod reconstruction;
pub mod semantic;
pub mod shape;
pub mod similarity;
pub mod subgraphs;
pub mod suppression;
mod table;
pub mod table_profile;
pub mod utility_loss;
pub mod workload;

pub use attack::Attack;
pub use composition::Composition;
pub use distance::DistanceLoss;
pub use measure::{Comparison, Measure, MeasureError, OnChunks, Readings};
pub use profile::Profile;
pub use shape::Shape;

/// Every measure there is. A new measure is one module and one line here.
pub const ALL: &[&dyn Measure] = &[
    &shape::ShapeMeasure,
    &suppression::SuppressionMeasure,
    &lengths::LengthMeasure,
    &counts::CountsMeasure,
    &ncp::NcpMeasure,
    &discernibility::DiscernibilityMeasure,
    &average_class::AverageClassMeasure,
    &precision::PrecisionMeasure,
    &utility_loss::UtilityLossMeasure,
    &frequencies::FrequencyMeasure,
    &classification::ClassificationMeasure,
    &distance::DistanceMeasure,
    &semantic::SemanticMeasure,
    &combined::CombinedDistanceMeasure,
    &mi_utility::MiUtilityMeasure,
    &queries::QueryMeasure,
    &query_parts::QueryPartsMeasure,
    &kl::KlMeasure,
    &patterns::PatternMeasure,
    &itemsets::ItemsetMeasure,
    &subgraphs::SubgraphMeasure,
    &similarity::SimilarityMeasure,
    &mfs::MfsMeasure,
    &disassociation::TopSets,
    &disassociation::TopSetsOfLevels,
    &disassociation::PairErrors,
    &disassociation::LostTerms,
];

/// The measure of that name.
pub fn find(name: &str) -> Option<&'static dyn Measure> {
    ALL.iter().copied().find(|measure| measure.descriptor().name == name)
}
