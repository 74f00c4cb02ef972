//! What is published: releases as they were made, as they are written, and as they are judged.
//!
//! * [`Checked`]: a release in memory that its promise's own checker has judged. [`judge`]: how it is put before the checkers.
//! * [`body`]: which files each kind of release becomes, when nothing is left of it, what may lie beside it.
//! * [`directory`]: the files. [`manifest`]: what the directory says about itself. [`Salt`]: the secret it is made with.
//! * [`published`]: a release directory read back. [`verify()`]: a release or data judged by a promise.
//! * [`Exact`], [`Risk`], [`TableRisk`], [`TogetherRisk`]: what the publisher sees. [`rounding`]: what may be told of it.
//! * [`Usefulness`]: what a release is still good for; [`ColumnsVerdict`]: what its columns give away.
//! * [`catalogue`]: every method, promise and measure by name.
//! * [`spreadsheet`]: copies with formulas escaped. [`explain`]: reasons, for the publisher's eyes only.

pub mod as_written;
pub mod body;
pub mod catalogue;
pub mod clock;
pub mod columns;
pub mod directory;
pub mod exact;
pub mod explain;
pub mod identifiers;
pub mod judge;
pub mod load;
pub mod made;
pub mod manifest;
pub mod published;
pub mod read_back;
pub mod risk;
pub mod rounding;
pub mod salt;
pub mod sample;
pub mod spreadsheet;
pub mod table_risk;
pub mod together_risk;
pub mod usefulness;
pub mod verify;
mod written;

pub use catalogue::promise_of;
pub use clock::Timing;
pub use columns::ColumnsVerdict;
pub use directory::{DirectoryError, ITEMS, MANIFEST, RECORDS, REPORT, ReleaseFormat, Target};
pub use exact::{Exact, Lost};
pub use identifiers::AcceptedIdentifier;
pub use load::load;
pub use made::{AlsoKept, Checked, Made};
pub use manifest::Manifest;
pub use published::{explain_cells, read_release};
pub use risk::{Crowds, Risk, RiskPoint};
pub use salt::Salt;
pub use spreadsheet::{defuse, is_run_by_spreadsheets};
pub use table_risk::{AllKnown, Disclosure, TableRisk};
pub use together_risk::TogetherRisk;
pub use usefulness::{Advice, Aspect, Grade, Limits, Survived, Usefulness};
pub use verify::{JudgedPromise, Verification, Verified, verify, verify_with};
