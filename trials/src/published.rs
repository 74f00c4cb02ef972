//! What a differentially private release says beside its records: nothing that was counted without noise.
//!
//! Every number in the manifest is a parameter, or can be counted again in the published records by anybody.

use serde_json::Value;
use tempfile::TempDir;
use throng_contract::Progress;
use throng_lab::{MANIFEST, Run, Target, anonymize};
use throng_methods::Variant;

use crate::world::World;

/// Paths below which numbers are the publisher's choice, and not the data's.
const CHOSEN: [&str; 3] = ["promise.parameters", "method.parameters", "promise.statement"];

/// Publishes the release as a user would, and walks the manifest.
pub fn shows_nothing_exact(world: &World) -> Result<(), String> {
    let place = TempDir::new().map_err(|error| error.to_string())?;
    let directory = place.path().join("release");
    // Without a seed: the noise of a release that is written must not follow from a number that the user typed.
    let job = throng_lab::Job { seed: None, ..world.job(Variant::Sound, 0) };
    let out = Target { allow_empty: true, ..Target::new(&directory) };
    anonymize(&Run { job, out, linkage: None }, &Progress::silent()).map_err(|failure| failure.message)?;
    let read = |name: &str| std::fs::read_to_string(directory.join(name)).map_err(|error| error.to_string());
    let manifest: Value = serde_json::from_str(&read(MANIFEST)?).map_err(|error| error.to_string())?;
    let are_counts = directory.join("counts.csv").is_file();
    let released = read(if are_counts { "counts.csv" } else { "release.csv" })?;
    let rows: Vec<&str> = released.lines().skip(1).collect();
    let field = |at: usize| rows.iter().filter_map(move |row| row.split(',').nth(at));
    let ends = field(2).filter(|to| are_counts && !to.is_empty());
    let mut items: Vec<&str> = field(1).chain(ends).collect();
    items.sort_unstable();
    items.dedup();
    let records = field(0).filter_map(|record| record.parse::<u64>().ok()).max().unwrap_or(0);
    let filled = field(0).collect::<std::collections::BTreeSet<_>>().len() as u64;
    let told = manifest["counts"]["records"].as_u64().unwrap_or(records);
    let countable = [rows.len() as u64, records, items.len() as u64, told, told - filled.min(told)];
    walk("", &manifest, &mut |path, number| {
        let chosen = CHOSEN.iter().any(|prefix| path.starts_with(prefix));
        let counted = (path.starts_with("counts.") || path == "form.rows")
            && number.as_u64().is_some_and(|n| countable.contains(&n));
        if chosen || counted { Ok(()) } else { Err(format!("the manifest publishes {number} at `{path}`")) }
    })
}

fn walk(
    path: &str,
    value: &Value,
    visit: &mut impl FnMut(&str, &serde_json::Number) -> Result<(), String>,
) -> Result<(), String> {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Number(number) => visit(path, number),
        Value::Array(values) => values.iter().try_for_each(|value| walk(&below("[]"), value, visit)),
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| walk(&below(name), value, visit)),
        _ => Ok(()),
    }
}
