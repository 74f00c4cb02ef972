//! Arbitrary bytes for everything that reads files.
//!
//! A target takes bytes and returns; it must not panic. Beyond that it asserts what holds of every answer: what was read,
//! written and read again is the same; what a parser accepts it renders so that it parses again; `verify` passes nothing that
//! anybody can see to be broken.
//!
//! The targets run in two ways. In CI, `tests/corpus.rs` runs each on its stored corpus and on a fixed number of seeded
//! mutations of every file. For as long as one likes, `make fuzz TARGET=events-csv SECONDS=600` runs one under libFuzzer, guided
//! by coverage; what it finds goes into `corpus/` and so into CI.
//!
//! * [`events`], [`workbook`], [`inputs`], [`points`]: the readers of data. [`documents`]: recipes, manifests, ledgers. [`directory`]:
//!   `throng verify` on whatever lies in a directory. [`bundle`]: projects of the workbench. [`mutate`]: small changes to a file.

pub mod bundle;
pub mod directory;
pub mod documents;
pub mod events;
pub mod inputs;
pub mod mutate;
pub mod points;
pub mod workbook;

/// A function that must take any bytes.
pub type Target = fn(&[u8]);

/// Every target by the name of its corpus.
pub const TARGETS: &[(&str, Target)] = &[
    ("events-csv", events::csv),
    ("events-wide", events::wide),
    ("events-spmf", events::spmf),
    ("events-fimi", events::fimi),
    ("events-parquet", events::parquet),
    ("events-workbook", workbook::events),
    ("events-json", events::json),
    ("events-xes", events::xes),
    ("graph", inputs::graph),
    ("records", inputs::records),
    ("places", inputs::places),
    ("taxonomy", inputs::taxonomy),
    ("lists", inputs::lists),
    ("patterns", inputs::patterns),
    ("items", inputs::items),
    ("times", inputs::times),
    ("points-csv", points::csv),
    ("points-gpx", points::gpx),
    ("points-geojson", points::geojson),
    ("recipe", documents::recipe),
    ("comparison", documents::comparison),
    ("manifest", documents::manifest),
    ("ledger", documents::ledger),
    ("release", directory::release),
    ("bundle", bundle::bundle),
];

/// The target of that name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}
