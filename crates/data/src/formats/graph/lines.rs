//! `v ID LABEL` and `e ID ID LABEL`, a line each: the files of GraMi (`.lg`, begun by `# t 1`) and gSpan (begun by `t # 0`).
//!
//! A node may have several labels on its line. Where a file has several graphs, nodes of a later one are named after its number
//! too: `3/17`.

use throng_contract::Progress;

use super::{GraphOptions, Reading};
use crate::Graph;
use crate::formats::error::InputError;
use crate::formats::source::Source;
use crate::formats::text::for_each_line;

/// Lines between two looks at whether the work was cancelled.
const BREATH: u64 = 1 << 16;

pub(super) fn read(
    source: &Source,
    options: &GraphOptions,
    progress: &Progress,
) -> Result<Graph, InputError> {
    let mut reading = Reading::new(source.name(), options.directed, options.weighted);
    let mut graphs = 0_u32;
    for_each_line(source, |line, text| {
        if line.is_multiple_of(BREATH) {
            progress.check()?;
        }
        let mut words = text.split_ascii_whitespace();
        let named = |id: &str| if graphs > 1 { format!("{graphs}/{id}") } else { id.to_owned() };
        match words.next().unwrap_or_default() {
            "t" => graphs += 1,
            "#" if words.next() == Some("t") => graphs += 1,
            "#" | "%" => {}
            "v" => {
                let Some(id) = words.next() else {
                    return Err(reading.fault(line, "a node without an id", FORM));
                };
                natural(&reading, line, id)?;
                let labels: Vec<&str> = words.collect();
                if labels.is_empty() {
                    return Err(reading.fault(line, "a node without a label", FORM));
                }
                reading.node(line, &named(id), labels)?;
            }
            "e" => {
                let (Some(from), Some(to)) = (words.next(), words.next()) else {
                    return Err(reading.fault(line, "an edge without two ids", FORM));
                };
                natural(&reading, line, from)?;
                natural(&reading, line, to)?;
                let label = words.next().unwrap_or_default();
                if words.next().is_some() {
                    return Err(reading.fault(line, "an edge with more than one label", TWICE));
                }
                reading.edge(line, &named(from), &named(to), label)?;
            }
            _ => {
                return Err(reading.fault(
                    line,
                    "a line that begins with neither `t`, `v`, `e` nor `#`",
                    FORM,
                ));
            }
        }
        Ok(())
    })?;
    reading.finish()
}

const FORM: &str = "write `v ID LABEL` for a node and `e ID ID LABEL` for an edge; edge lists are CSV files with {labels FILE}";
const TWICE: &str = "give the edge once for each of its labels";

/// Ids are numbers from 0, as the form has them: a sign is a mistake that would go unnoticed.
fn natural(reading: &Reading<'_>, line: u64, id: &str) -> Result<(), InputError> {
    match id.starts_with('-') {
        true => Err(reading.fault(line, "a negative id", "number nodes from 0")),
        false => Ok(()),
    }
}
