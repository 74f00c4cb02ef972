//! Methods that publish sets: market baskets, diagnoses, lists of skills.

pub mod baskets;
pub mod index;
pub mod policy;
