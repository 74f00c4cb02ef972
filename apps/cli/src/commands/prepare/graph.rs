//! `throng prepare graph`: the graph of a dataset's items.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_data::formats::{open_dataset, read_places_of};
use throng_data::{Dataset, EventKind};
use throng_prepare::item_graph::{
    self, EDGES, FILES, GRAPH, ItemGraphSummary, Joining, Labels, NODES, Ties, item_graph,
};

use super::super::{force, output, path};
use crate::failure::Stop;
use crate::layout::{BOLD, counted};
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng prepare graph city/events.csv --places city/places.csv -k 5 -o moves
  throng mine subgraphs moves/graph.lg --directed --min-support 4 --max-edges 3 --top 10
  throng prepare graph city/events.csv --edges co-visits --labels same -k 20 -o both
  throng mine subgraphs both/edges.csv --labels both/nodes.csv --min-support 60 --max-edges 2 \\
    --distance weights --delta 0.02

Nodes are items, edges join items that people went from one to the other of. Both are there where
at least -k people are behind them. A graph is for the publisher: it is no release.";

/// Name, flags and help.
pub fn command() -> Command {
    let value = |name: &'static str, what: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(what).help(help).help_heading("Graph")
    };
    Command::new("graph")
        .about("Make a graph of items: places as nodes, moves or co-visits as edges")
        .arg(reading::data())
        .arg(output("Write the graph, its nodes, its edges and a summary into this directory").required(true))
        .arg(force("Replace an earlier graph"))
        .arg(
            Arg::new("k")
                .short('k')
                .value_name("N")
                .value_parser(value_parser!(u64).range(2..))
                .default_value("5")
                .help("Show only items and edges with at least so many people")
                .help_heading("Graph"),
        )
        .arg(
            value("edges", "TIES", "What joins two items: `moves`, or `co-visits` for items of one record [default: by the data]")
                .value_parser(PossibleValuesParser::new(Ties::ALL.map(|(_, word)| word)))
                .hide_possible_values(true),
        )
        .arg(
            value("undirected", "", "A move back is the same edge as the move there")
                .action(ArgAction::SetTrue)
                .num_args(0),
        )
        .arg(
            value("labels", "BY", "What nodes are labelled by: category, region or same [default: what is known]")
                .value_parser(PossibleValuesParser::new(Labels::WORDS))
                .hide_possible_values(true),
        )
        .arg(
            value("regions", "N", "Regions are cells of so many columns and rows over all places [default: 2]")
                .value_parser(value_parser!(u32).range(1..=1000)),
        )
        .arg(
            value("places", "FILE", "Where the items are, and their categories: item,x,y or item,lat,lon")
                .value_parser(value_parser!(PathBuf)),
        )
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// Reads, joins and writes.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let source = reading::data_source(matches);
    let opened = open_dataset(&source, &reading::options(matches)?, &session.progress)?;
    let Some(mut read) = opened.read else {
        let help =
            format!("turn them into events first: `{}`", opened.proposal.prepare_command(source.name()));
        return Err(Stop::usage("the file holds points, and no events yet", help));
    };
    if read.dataset.events.kind() == EventKind::Absent {
        let help = "give a file with an event a row, or a set of items a row";
        return Err(Stop::usage("the file holds a row a person, and no events", help));
    }
    if let Some(file) = path(matches, "places") {
        let own = read.shape.roles.item.as_deref();
        let places = reading::source(&file);
        read.dataset.places = Some(read_places_of(&places, own, &read.dataset.items, &session.progress)?);
    }
    let (labels, joining) = options(matches, &read.dataset);
    let made = item_graph(&read.dataset, &labels, &joining, &session.progress)?;
    let summary = made.summary(&joining, &labels);
    let directory = path(matches, "output").unwrap_or_default();
    item_graph::write(&made, &summary, &directory, matches.get_flag("force"))?;
    if session.json {
        return session.print_object(&summary);
    }
    session.say(&in_words(&summary, &directory));
    Ok(())
}

fn options(matches: &ArgMatches, data: &Dataset) -> (Labels, Joining) {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let regions = matches.get_one::<u32>("regions").copied();
    let labels = match (text("labels"), regions) {
        (Some("category"), _) => Labels::Category,
        (Some("same"), _) => Labels::Same,
        (Some(_), regions) => Labels::Region(regions.unwrap_or(Labels::REGIONS)),
        // Who says how many regions there are means them.
        (None, Some(regions)) => Labels::Region(regions),
        (None, None) => Labels::known(data, Labels::REGIONS),
    };
    let named = Ties::ALL.into_iter().find(|(_, word)| text("edges") == Some(word));
    let ties = named.map_or_else(|| Ties::usual(data.events.kind()), |(ties, _)| ties);
    let directed = ties == Ties::Moves && !matches.get_flag("undirected");
    (labels, Joining { ties, directed, min_people: matches.get_one("k").copied().unwrap_or(5) })
}

fn in_words(summary: &ItemGraphSummary, directory: &Path) -> String {
    let mut text = format!(
        "{BOLD}{} with {}, {}{BOLD:#} from {}, of at least {} each\n\n",
        counted(summary.nodes, "node", "nodes"),
        counted(summary.labels, "label", "labels"),
        counted(summary.edges, "edge", "edges"),
        summary.edges_from,
        counted(summary.min_people, "person", "people"),
    );
    for (left_out, what) in [(summary.items_left_out, "items"), (summary.pairs_left_out, "pairs of items")] {
        if left_out {
            text.push_str(&format!("  left out: {what} of fewer people\n"));
        }
    }
    text.push('\n');
    for file in FILES {
        text.push_str(&format!("  {}\n", directory.join(file).display()));
    }
    let directed = if summary.directed { " --directed" } else { "" };
    let graph = directory.join(GRAPH);
    text.push_str(&format!(
        "\nfrequent parts: throng mine subgraphs {}{directed} --min-support 10 --max-edges 4\n\
         with weights:   throng mine subgraphs {} --labels {}{directed} --distance weights ...\n",
        graph.display(),
        directory.join(EDGES).display(),
        directory.join(NODES).display(),
    ));
    text
}
