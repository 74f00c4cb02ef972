//! Methods that publish sets: market baskets, diagnoses, lists of skills.
//!
//! `baskets` are the people, those with the same records together; `index` knows who has what beside what. The methods that
//! climb a taxonomy share the hierarchy (`tree`), the cut through it (`cut`), the supports of nodes (`books`) and the search
//! for what is rare (`search`); they differ in what they look at, and when. Those of `constrained` know no taxonomy: they join any
//! items that a policy allows. `disassociation` changes no item: it takes records apart.

mod apriori;
pub mod baskets;
mod books;
mod constrained;
mod cut;
pub mod diffpart;
pub mod disassociation;
mod index;
mod job;
pub(crate) mod local;
mod optimal;
pub(crate) mod params;
pub mod policy;
mod search;
pub(crate) mod tree;
mod vertical;

pub use apriori::{Apriori, Direct, LmApriori, LmDirect};
pub use constrained::{Coat, Pcta};
pub use diffpart::DiffPart;
pub use disassociation::Disassociation;
pub use local::{LmLocal, Local};
pub use optimal::{LmOptimal, Optimal};
pub use vertical::{LmVertical, Vertical, parts_alone};
