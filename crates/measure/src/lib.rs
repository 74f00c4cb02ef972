//! What data are like, what a release is still good for, and what it still gives away.
//!
//! * [`profile`]: sizes, lengths and frequent items of a dataset.
//! * [`shape`], [`distance`], [`semantic`]: what a release lost, in items, in space and in meaning.
//! * [`risk`]: how many people an attacker who knows a few events singles out, before and after.

mod cover;
pub mod distance;
pub mod profile;
pub mod risk;
pub mod semantic;
pub mod shape;

pub use distance::DistanceLoss;
pub use profile::Profile;
pub use risk::RiskCurve;
pub use shape::Shape;
