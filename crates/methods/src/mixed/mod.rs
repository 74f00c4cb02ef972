//! Methods that publish columns and events together: patients with their diagnoses, customers with their baskets, passengers with
//! their trips.
//!
//! People are gathered in clusters whose rows become alike, clusters are merged, and in each cluster the events are generalised (or,
//! where they are ordered, perhaps suppressed) until they are k^m-anonymous by themselves.
//!
//! * [`bound`]: RUM-BOUND and TUM-BOUND, which merge clusters while a bound on one part holds. [`first`]: the baselines, which do not.
//! * `clusters`: the clusters and what each is like; `index` finds the one with the nearest cells, `likeness` says how different the
//!   items of two are, `order` puts partners in order.
//! * `formation`: clusters made by any method for tables; `items`: the items of one cluster, made safe by a method for sets or sequences;
//!   `aligned`: which of them are left.
//! * `job`: what the methods have in common, and the release.

mod aligned;
pub mod bound;
mod clusters;
pub mod first;
mod formation;
mod index;
mod items;
mod job;
mod likeness;
mod order;
mod params;

pub use bound::{LmRumBound, LmTumBound, RumBound, TumBound};
pub use first::{RelationalFirst, TransactionFirst};
