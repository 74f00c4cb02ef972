//! Plans, runs, comparisons and recommendations.
//!
//! * [`Files`], [`load()`]: the data and what goes with it, read and fitted together.
//! * [`Job`]: what is asked for. [`Plan`]: the same, checked once; [`Plan::make`] makes a whole release in memory. [`save()`] writes it
//!   and records it.
//! * [`Run`], [`anonymize`]: a file in, a verified release directory out.
//! * [`evaluate()`]: what measures say of a release. [`default_measures`]: which ones are asked.
//! * [`Measurement`], [`measure()`]: the same of a release that was read back.
//! * [`Recipe`]: a job as a TOML file. [`KeptRun`]: what the publisher keeps of a run.
//! * [`schema`]: what the columns of a table are, as a TOML file.
//! * [`compare`]: methods, values and data against each other, resumable.
//! * [`Attacking`], [`attack()`], [`play`]: what attackers can do with data and with a release.
//! * [`recommend`]: which method to choose for a promise, by trying them. `advice`: what to change where a release is not good.
//! * [`graph_search`]: what is asked of the subgraph miner, as flags and as a recipe.
//! * [`mining`]: sequences, sets and subgraphs that the data have, for forms.
//! * [`presets`]: promises in plain language, with settings that keep them.
//! * [`worker`]: what a child process of the program tells its parent.
//!
//! What the crates below it offer to front ends is named here, too: [`catalogue`], [`manifest`], [`verify()`] and the rest of
//! `throng_release`, [`ledger`], [`report`] and [`plot`].

mod advice;
mod after;
mod alignment;
mod attack;
pub mod compare;
pub mod cost;
mod evaluate;
pub mod graph_search;
mod job;
mod kept;
mod make;
mod measured;
mod measures;
pub mod mining;
mod plan;
pub mod presets;
pub mod recipe;
pub mod recommend;
pub mod reconstruct;
mod run;
mod save;
pub mod schema;
mod seed;
mod time_limit;
pub mod worker;

pub use throng_data::load::{Files, Loaded};
pub use throng_ledger as ledger;
pub use throng_ledger::Together;
pub use throng_release::{
    AcceptedIdentifier, Advice, AllKnown, AlsoKept, Aspect, Checked, ColumnsVerdict, Crowds, DirectoryError,
    Disclosure, Exact, Grade, ITEMS, JudgedPromise, Limits, Lost, MANIFEST, Made, Manifest, RECORDS, REPORT,
    ReleaseFormat, Risk, RiskPoint, Salt, Survived, TableRisk, Target, Timing, TogetherRisk, Usefulness,
    Verification, Verified, catalogue, defuse, explain, explain_cells, is_run_by_spreadsheets, load,
    manifest, promise_of, read_release, rounding, verify, verify_with,
};
pub use throng_report as report;
pub use throng_report::{Sample, Samples, plot, samples};

pub use after::Before;
pub use attack::{Answered, Attacked, AttackedBy, Attacking, Columns, KnownTogether, Side, attack, play};
pub use evaluate::{Answer, Evaluated, Wanted, default_measures, evaluate, measures_up_to};
pub use job::Job;
pub use kept::KeptRun;
pub use measured::{Measured, Measurement, measure};
pub use plan::Plan;
pub use recipe::Recipe;
pub use run::{Run, anonymize, anonymize_with};
pub use save::{Place, Saved, Saving, save};
pub use seed::GUESSABLE;
pub use throng_release::manifest::AfterEntry;
