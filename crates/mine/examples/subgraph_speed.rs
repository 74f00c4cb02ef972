//! How fast a graph is mined: `cargo run --release -p throng-mine --example subgraph_speed -- FILE SUPPORT [WITHOUT]...`. Edge labels
//! are left out; `WITHOUT` is an optimisation to switch off.

use std::io::Write;
use std::time::Instant;

use throng_contract::{Failure, Progress};
use throng_data::formats::{GraphOptions, Source, read_graph};
use throng_mine::subgraphs::SubgraphSearch;

fn main() -> Result<(), std::io::Error> {
    let mut out = std::io::stdout().lock();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, support, without @ ..] = &arguments[..] else {
        return writeln!(out, "FILE SUPPORT [WITHOUT]...");
    };
    let start = Instant::now();
    let graph = match read_graph(&Source::parse(file), &GraphOptions::default(), &Progress::silent()) {
        Ok(graph) => graph.without_edge_labels(),
        Err(error) => return writeln!(out, "error: {}", Failure::from(error)),
    };
    let read = start.elapsed().as_secs_f64();
    let mut search = SubgraphSearch::new(support.parse().unwrap_or(1));
    without.iter().for_each(|name| search.pruning.switch_off(name));
    let start = Instant::now();
    if let Ok(found) = search.mine(&graph, &|| start.elapsed().as_secs() > 60, &Progress::silent()) {
        let most = found.patterns.iter().map(|pattern| pattern.edges.len()).max().unwrap_or_default();
        let complete = if found.complete { "" } else { " (time was up)" };
        writeln!(
            out,
            "support {support}: {} patterns of up to {most} edges in {:.2} s after {read:.2} s of reading; {} searches, {} put \
             aside, {} candidates without a search{complete}",
            found.patterns.len(),
            start.elapsed().as_secs_f64(),
            found.searches,
            found.timed_out,
            found.without_search
        )?;
    }
    Ok(())
}
