//! A project as it is kept: its folder, its rows in the database, and the lock that keeps writing and deletion apart.

pub mod gates;
pub mod home;
pub mod store;
