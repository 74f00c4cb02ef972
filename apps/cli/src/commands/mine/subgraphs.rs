//! `throng mine subgraphs`: frequent subgraphs of one labelled graph.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_data::Graph;
use throng_data::formats::{Source, read_graph, write_file};
use throng_lab::graph_search::{GraphOption, GraphSearch, OPTIONS, Takes};
use throng_mine::subgraphs::{MAX_EDGES, SubgraphFormat, write_subgraphs};

use super::super::path;
use super::time_limit;
use crate::failure::Stop;
use crate::help;
use crate::layout::counted;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  printf 'v 1 A\\nv 2 B\\nv 3 A\\nv 4 B\\ne 1 2 x\\ne 2 3 x\\ne 3 4 x\\n' > toy.lg
  throng mine subgraphs toy.lg --min-support 2
  throng mine subgraphs toy.lg --min-support 1 --exact --json
  throng mine subgraphs toy.lg --min-support 1 --top 3 --draw best.svg
  throng mine subgraphs toy.lg --min-support 1 --keep maximal --max-edges 3
  throng mine subgraphs toy.lg --min-support 1 --distance hops --delta 2 --max-edges 2
  printf 'schema = \"throng-mine/1\"\\ngraph.file = \"toy.lg\"\\nsearch.min-support = 1\\n' > mine.toml
  printf '[constraints]\\nmax-same-label = 1\\n' >> mine.toml
  throng mine subgraphs --recipe mine.toml

Files: GraMi's `.lg` and gSpan's lines (`v ID LABEL`, `e ID ID LABEL`), GraphML, edge lists in CSV
(`from,to,label`) with `--labels FILE` (`node,label`); also as `.gz` and `.zst`.";

/// What `--help` explains; `--help-all` explains the other options.
const ESSENTIAL: [&str; 15] = [
    "graph",
    "recipe",
    "min-support",
    "directed",
    "labels",
    "exact",
    "support",
    "keep",
    "top",
    "max-edges",
    "max-nodes",
    "distance",
    "time-limit",
    "format",
    "draw",
];

/// Name, flags and help.
pub fn command() -> Command {
    help::essential(declared(), &ESSENTIAL)
}

fn declared() -> Command {
    Command::new("subgraphs")
        .about("Frequent subgraphs of one large labelled graph (GraMi)")
        .arg(
            Arg::new("graph")
                .value_name("GRAPH")
                .required_unless_present("recipe")
                .help("The graph; `-` is standard input"),
        )
        .arg(
            Arg::new("recipe")
                .long("recipe")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Do what the recipe says; flags given besides take precedence"),
        )
        .args(OPTIONS.iter().map(argument))
        .arg(time_limit())
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(PossibleValuesParser::new(["text", "lg", "json", "dot", "svg"]))
                .default_value("text")
                .help("How patterns are written; `--json` is short for `--format json`"),
        )
        .arg(
            Arg::new("draw")
                .long("draw")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Also write a picture of the patterns (SVG)"),
        )
        .arg(
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Replace an earlier picture")
                .requires("draw"),
        )
        .after_help(EXAMPLES)
}

/// The flag of an option.
fn argument(option: &'static GraphOption) -> Arg {
    let arg = Arg::new(option.name).long(option.name).help(option.help);
    let takes = option.takes;
    let checked = move |text: &str| takes.check(text).map(|()| text.to_owned());
    match takes {
        Takes::Switch => arg.action(ArgAction::SetTrue),
        Takes::Word(words) => arg.value_name(option.value).value_parser(PossibleValuesParser::new(words)),
        Takes::Words(words) => arg
            .value_name(option.value)
            .value_delimiter(',')
            .action(ArgAction::Append)
            .value_parser(PossibleValuesParser::new(words)),
        Takes::Labels => {
            arg.value_name(option.value).value_delimiter(',').action(ArgAction::Append).value_parser(checked)
        }
        Takes::Files => arg.value_name(option.value).action(ArgAction::Append).value_parser(checked),
        _ => arg.value_name(option.value).value_parser(checked),
    }
}

/// What the recipe and the flags ask for; flags take precedence.
fn asked(matches: &ArgMatches) -> Result<GraphSearch, Stop> {
    let mut asked = match path(matches, "recipe") {
        Some(recipe) => GraphSearch::read(&recipe)?,
        None => GraphSearch::default(),
    };
    if let Some(graph) = matches.get_one::<String>("graph") {
        asked.graph = Some(Source::parse(graph));
    }
    for option in &OPTIONS {
        if option.takes == Takes::Switch {
            if matches.get_flag(option.name) {
                asked.say(option, vec!["true".to_owned()]);
            }
        } else if let Some(values) = matches.get_many::<String>(option.name) {
            asked.say(option, values.cloned().collect());
        }
    }
    Ok(asked)
}

/// Reads the graph, mines it, and prints the patterns.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let asked = asked(matches)?;
    let Some(source) = &asked.graph else {
        return Err(Stop::usage(
            "the recipe names no graph",
            "add `file` to its section `graph`, or give one",
        ));
    };
    let search = asked.search(&session.progress)?;
    let graph = read_graph(source, &asked.reading(), &session.progress)?;
    say_what_was_read(&graph, session);
    if !asked.ignores_edge_labels() && asked.distance().is_none() && weights_as_labels(&graph) {
        session.say(
            "the labels of edges look like weights: `--ignore-edge-labels` leaves them out of patterns\n",
        );
    }
    let graph = asked.edges_of_patterns(graph, &session.progress)?;

    let limit = matches.get_one::<Duration>("time-limit").copied();
    let began = Instant::now();
    let stop = || limit.is_some_and(|limit| began.elapsed() >= limit);
    let found = search.mine(&graph, &stop, &session.progress)?;
    if !found.complete {
        session.say("stopped at the time limit: patterns may be missing\n");
    }
    if found.patterns.iter().any(|pattern| pattern.edges.len() == MAX_EDGES) {
        session.say(&format!("patterns with more than {MAX_EDGES} edges are not looked for\n"));
    }
    if found.given_up > 0 {
        session.say(&format!(
            "left out: {} with too many places to choose among; `--support mni` counts without them\n",
            counted(found.given_up, "candidate", "candidates")
        ));
    }
    if search.alpha.is_some() && found.searches > 0 {
        let share = 100.0 * found.timed_out as f64 / found.searches as f64;
        session.say(&format!(
            "{share:.1}% of {} searches were given up: patterns may be missing\n",
            found.searches
        ));
    }
    let late = asked.looked_at_late();
    if !late.is_empty() {
        let flags: Vec<String> = late.iter().map(|name| format!("`--{name}`")).collect();
        session.say(&format!("applied after the search; does not speed it up: {}\n", flags.join(", ")));
    }
    let format = match matches.get_one::<String>("format").map(String::as_str) {
        _ if session.json => SubgraphFormat::Json,
        Some("lg") => SubgraphFormat::Lg,
        Some("json") => SubgraphFormat::Json,
        Some("dot") => SubgraphFormat::Dot,
        Some("svg") => SubgraphFormat::Svg,
        _ => SubgraphFormat::Text,
    };
    if let Some(file) = matches.get_one::<PathBuf>("draw") {
        write_file(file, matches.get_flag("force"), |out| {
            Ok(write_subgraphs(out, &found, &graph, &search, SubgraphFormat::Svg)?)
        })?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    write_subgraphs(&mut out, &found, &graph, &search, format)
        .and_then(|()| out.flush())
        .map_err(|error| Stop::writing(&error))
}

fn say_what_was_read(graph: &Graph, session: &Session) {
    let (nodes, edges) = (graph.nodes.len(), graph.edges().len());
    let labels = graph.node_labels.len();
    let kind = if graph.directed { "directed" } else { "undirected" };
    let (nodes, labels, edges) = (
        counted(nodes, "node", "nodes"),
        counted(labels, "label", "labels"),
        counted(edges, "edge", "edges"),
    );
    session.say(&format!("{nodes} with {labels}, {edges}, {kind}\n"));
    let left_out = graph.left_out();
    if left_out.loops + left_out.repeats > 0 {
        let loops = counted(left_out.loops, "edge", "edges");
        let repeats = left_out.repeats;
        session.say(&format!("left out: {loops} from a node to itself, {repeats} given again\n"));
    }
}

/// Whether edges seem to have measurements for labels: fractions, nearly all of them different.
fn weights_as_labels(graph: &Graph) -> bool {
    let names = graph.edge_labels.names();
    let many = names.len() > 20;
    many && graph.edge_labels.names().all(|name| name.parse::<f64>().is_ok())
}
