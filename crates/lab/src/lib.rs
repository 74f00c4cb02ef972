//! The catalogue, runs and releases on disk.
//!
//! * [`catalogue`]: every method, promise and measure by name, and every parameter a front end may offer.
//! * [`Files`], [`load()`]: the data and what goes with it, read and fitted together.
//! * [`Job`]: what is asked for. [`Plan`]: the same, checked; it makes a verified release in memory.
//! * [`evaluate()`]: what measures say of it. [`default_measures`]: which ones are asked.
//! * [`Run`], [`anonymize`]: a file in, a verified release directory out. [`Salt`]: the secret it is made with.
//! * [`Measurement`], [`measure()`]: the same of a release that was read back.
//! * [`Recipe`]: a job as a TOML file. [`KeptRun`]: what the publisher keeps of a run.
//! * [`schema`]: what the columns of a table are, as a TOML file.
//! * [`compare`]: methods, values and data against each other, resumable.
//! * [`Verification`], [`verify()`]: a release or data judged by a promise. [`read_release`]: the release itself.
//! * [`Attacking`], [`attack()`], [`play`]: what attackers can do with data and with a release.
//! * [`recommend`]: which method to choose for a promise, by trying them.
//! * [`ledger`]: a record of all releases, which warns when the same people are released again.
//! * [`graph_search`]: what is asked of the subgraph miner, as flags and as a recipe.
//! * [`mining`]: sequences, sets and subgraphs that the data have, for forms.
//! * [`presets`]: promises in plain language, with settings that keep them.
//! * [`Exact`]: what only the publisher sees. [`rounding`]: what may be told of it. [`Usefulness`], [`ColumnsVerdict`]: what a
//!   release is still good for, and what its columns give away. [`defuse`]: a copy for spreadsheets.
//! * [`manifest`]: what the directory says about itself. [`explain`]: reasons, for the publisher's eyes only.
//! * [`report`]: the evidence on one page, for the public and for the publisher.
//! * [`worker`]: what a child process of the program tells its parent.
//! * [`plot`]: charts as SVG, for the report, for comparison pages and as files.

mod after;
mod alignment;
mod as_written;
mod attack;
mod body;
pub mod catalogue;
mod clock;
mod columns;
pub mod compare;
pub mod cost;
mod directory;
mod evaluate;
mod exact;
pub mod explain;
pub mod graph_search;
mod identifiers;
mod job;
mod judge;
mod kept;
pub mod ledger;
mod load;
pub mod manifest;
mod measured;
mod measures;
pub mod mining;
mod plan;
pub mod plot;
pub mod presets;
mod published;
mod read_back;
pub mod recipe;
pub mod recommend;
pub mod reconstruct;
pub mod report;
pub mod rounding;
mod run;
mod salt;
mod sample;
mod samples;
mod save;
pub mod schema;
mod seed;
mod spreadsheet;
mod table_risk;
mod time_limit;
mod together_risk;
mod usefulness;
pub mod verify;
pub mod worker;

pub use after::{AfterEntry, Before};
pub use attack::{Answered, Attacked, AttackedBy, Attacking, Columns, KnownTogether, Side, attack, play};
pub use clock::Timing;
pub use columns::ColumnsVerdict;
pub use directory::{DirectoryError, ITEMS, MANIFEST, RECORDS, REPORT, ReleaseFormat, Target};
pub use evaluate::{Answer, Evaluated, Wanted, default_measures, evaluate, measures_up_to};
pub use exact::{Exact, Lost};
pub use identifiers::AcceptedIdentifier;
pub use job::{Job, promise_of};
pub use kept::KeptRun;
pub use ledger::Together;
pub use load::load;
pub use manifest::Manifest;
pub use measured::{Measured, Measurement, measure};
pub use measures::{Crowds, Risk, RiskPoint};
pub use plan::{AlsoKept, Made, Plan};
pub use published::{explain_cells, read_release};
pub use recipe::Recipe;
pub use run::{Finished, Run, StagedRelease, anonymize, anonymize_with, stage};
pub use salt::Salt;
pub use samples::{Sample, Samples, samples};
pub use save::{Saved, Saving};
pub use seed::GUESSABLE;
pub use spreadsheet::{defuse, is_run_by_spreadsheets};
pub use table_risk::{AllKnown, Disclosure, TableRisk};
pub use throng_data::load::{Files, Loaded};
pub use together_risk::TogetherRisk;
pub use usefulness::{Advice, Aspect, Grade, Limits, Survived, Usefulness};
pub use verify::{JudgedPromise, Verification, Verified, verify, verify_with};
