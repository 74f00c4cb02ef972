//! `throng mine subgraphs`: frequent subgraphs of one labelled graph.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_data::Graph;
use throng_data::formats::{GraphOptions, Source, read_graph, write_file};
use throng_mine::Keep;
use throng_mine::subgraphs::{
    Constraints, Distance, Measure, Pruning, SubgraphFormat, SubgraphSearch, near, write_subgraphs,
};

use super::time_limit;
use crate::failure::Stop;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  printf 'v 1 A\\nv 2 B\\nv 3 A\\nv 4 B\\ne 1 2 x\\ne 2 3 x\\ne 3 4 x\\n' > toy.lg
  throng mine subgraphs toy.lg --min-support 2
  throng mine subgraphs toy.lg --min-support 1 --exact --json
  throng mine subgraphs toy.lg --min-support 1 --top 3 --draw best.svg
  throng mine subgraphs toy.lg --min-support 1 --keep maximal --max-edges 3
  throng mine subgraphs toy.lg --min-support 1 --distance hops --delta 2 --max-edges 2

Files: GraMi's `.lg` and gSpan's lines (`v ID LABEL`, `e ID ID LABEL`), GraphML, edge lists in CSV
(`from,to,label`) with `--labels FILE` (`node,label`); also as `.gz` and `.zst`.";

/// Name, flags and help.
pub fn command() -> Command {
    let number = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64).range(1..)).help(help)
    };
    let words = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("LABELS").value_delimiter(',').help(help)
    };
    let one_of = |name: &'static str, values: &'static [&'static str], default: &'static str| {
        Arg::new(name).long(name).value_parser(PossibleValuesParser::new(values)).default_value(default)
    };
    Command::new("subgraphs")
        .about("Frequent subgraphs of one large labelled graph (GraMi)")
        .arg(Arg::new("graph").value_name("GRAPH").required(true).help("The graph; `-` is standard input"))
        .arg(number("min-support", "Support that is enough").required(true))
        .arg(flag("directed", "Edges have a direction (GraphML files say so themselves)"))
        .arg(flag("ignore-edge-labels", "All edges have the same label, as where labels are weights"))
        .arg(Arg::new("labels").long("labels").value_name("FILE").help("Labels of nodes, for an edge list: `node,label`"))
        .arg(flag("exact", "Compute the support itself; otherwise a lower bound that is enough is given"))
        .arg(
            one_of("support", &["mni", "mis", "mis-greedy", "harmful-overlap"], "mni")
                .value_name("MEASURE")
                .help("What is counted: nodes that can stand for a node of the pattern, or places apart"),
        )
        .arg(one_of("keep", &["frequent", "closed", "maximal"], "frequent").value_name("WHICH").help(
            "All frequent patterns; those part of no larger one with the same support; of no larger frequent one",
        ))
        .arg(number("top", "Only so many patterns, those with the largest support"))
        .arg(number("max-edges", "At most so many edges"))
        .arg(number("max-nodes", "At most so many nodes"))
        .arg(number("max-degree", "At most so many edges at a node"))
        .arg(number("max-same-label", "Each node label at most so many times in a pattern"))
        .arg(words("only-labels", "Only these node labels, separated by commas"))
        .arg(words("without-labels", "None of these node labels"))
        .arg(words("only-edges", "Only these edge labels"))
        .arg(words("without-edges", "None of these edge labels"))
        .arg(
            Arg::new("without-part")
                .long("without-part")
                .value_name("FILE")
                .action(ArgAction::Append)
                .help("No pattern that has this graph (an `.lg` file) as a part; may be repeated"),
        )
        .arg(number("min-edges", "At least so many edges; looked at when all is found"))
        .arg(number("min-nodes", "At least so many nodes; looked at when all is found"))
        .arg(words("with-labels", "All of these node labels; looked at when all is found"))
        .arg(
            Arg::new("distance")
                .long("distance")
                .value_name("METRIC")
                .value_parser(PossibleValuesParser::new(["hops", "weights", "lengths"]))
                .requires("delta")
                .help("Edges of patterns stand for paths: of hops, of one over the weights, or of the weights"),
        )
        .arg(
            Arg::new("delta")
                .long("delta")
                .value_name("D")
                .value_parser(positive)
                .requires("distance")
                .help("The longest path that an edge of a pattern stands for"),
        )
        .arg(
            Arg::new("alpha")
                .long("alpha")
                .value_name("SHARE")
                .value_parser(alpha)
                .help("Approximate (AGraMi): give up long searches; nothing infrequent is told, some may be missed"),
        )
        .arg(
            Arg::new("without")
                .long("without")
                .value_name("OPTIMISATIONS")
                .value_delimiter(',')
                .value_parser(PossibleValuesParser::new(Pruning::NAMES))
                .help("Switch optimisations off; the result is the same"),
        )
        .arg(time_limit())
        .arg(
            one_of("format", &["text", "lg", "json", "dot", "svg"], "text")
                .value_name("FORMAT")
                .help("How patterns are written; `--json` is short for `--format json`"),
        )
        .arg(
            Arg::new("draw")
                .long("draw")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Also write a picture of the patterns (SVG)"),
        )
        .arg(flag("force", "Replace an earlier picture").requires("draw"))
        .after_help(EXAMPLES)
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0, such as 2 or 0.3".to_owned())
}

fn alpha(text: &str) -> Result<f64, String> {
    positive(text)
        .ok()
        .filter(|alpha| *alpha <= 1.0)
        .ok_or_else(|| "expected a number above 0 and at most 1".to_owned())
}

/// Reads the graph, mines it, and prints the patterns.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let distance = text("distance").map(|name| match name {
        "weights" => Distance::Weights,
        "lengths" => Distance::Lengths,
        _ => Distance::Hops,
    });
    let options = GraphOptions {
        directed: matches.get_flag("directed"),
        weighted: matches!(distance, Some(Distance::Weights | Distance::Lengths)),
        labels: text("labels").map(Source::parse),
    };
    let search = search(matches, session, &options)?;
    let source = Source::parse(text("graph").unwrap_or("-"));
    let mut graph = read_graph(&source, &options, &session.progress)?;
    say_what_was_read(&graph, session);
    if matches.get_flag("ignore-edge-labels") {
        graph = graph.without_edge_labels();
    } else if distance.is_none() && weights_as_labels(&graph) {
        session.say(
            "the labels of edges look like weights: `--ignore-edge-labels` leaves them out of patterns\n",
        );
    }
    if let (Some(distance), Some(delta)) = (distance, matches.get_one::<f64>("delta")) {
        graph = near(&graph, distance, *delta, &session.progress)?;
    }

    let limit = matches.get_one::<Duration>("time-limit").copied();
    let began = Instant::now();
    let stop = || limit.is_some_and(|limit| began.elapsed() >= limit);
    let found = search.mine(&graph, &stop, &session.progress)?;
    if !found.complete {
        session.say("stopped at the time limit: patterns may be missing\n");
    }
    if found.given_up > 0 {
        session.say(&format!(
            "{} candidates have too many places to choose among: they are left out; `--support mni` counts without\n",
            found.given_up
        ));
    }
    if search.alpha.is_some() && found.searches > 0 {
        let share = 100.0 * found.timed_out as f64 / found.searches as f64;
        session.say(&format!(
            "{share:.1}% of {} searches were given up: patterns may be missing\n",
            found.searches
        ));
    }
    let late = search.constraints.said_at_the_end();
    if !late.is_empty() {
        session
            .say(&format!("looked at when all was found, and no help to the search: {}\n", late.join(", ")));
    }
    let format = match text("format") {
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

fn search(matches: &ArgMatches, session: &Session, options: &GraphOptions) -> Result<SubgraphSearch, Stop> {
    let number = |name: &str| matches.get_one::<u64>(name).map(|number| *number as usize);
    let words = |name: &str| -> Option<Vec<String>> {
        matches.get_many::<String>(name).map(|words| words.cloned().collect())
    };
    let part = |file: &String| read_graph(&Source::parse(file), options, &session.progress);
    let without_parts = matches.get_many::<String>("without-part").into_iter().flatten().map(part);
    let mut search = SubgraphSearch::new(matches.get_one::<u64>("min-support").copied().unwrap_or(1));
    search.exact = matches.get_flag("exact");
    search.alpha = matches.get_one::<f64>("alpha").copied();
    search.top = number("top");
    search.keep = match matches.get_one::<String>("keep").map(String::as_str) {
        Some("closed") => Keep::Closed,
        Some("maximal") => Keep::Maximal,
        _ => Keep::Frequent,
    };
    search.measure = match matches.get_one::<String>("support").map(String::as_str) {
        Some("mis") => Measure::Mis,
        Some("mis-greedy") => Measure::MisGreedy,
        Some("harmful-overlap") => Measure::HarmfulOverlap,
        _ => Measure::Mni,
    };
    for name in matches.get_many::<String>("without").into_iter().flatten() {
        search.pruning.switch_off(name);
    }
    search.constraints = Constraints {
        max_nodes: number("max-nodes"),
        max_edges: number("max-edges"),
        max_degree: number("max-degree"),
        only_labels: words("only-labels"),
        without_labels: words("without-labels").unwrap_or_default(),
        only_edges: words("only-edges"),
        without_edges: words("without-edges").unwrap_or_default(),
        max_same_label: number("max-same-label"),
        without_parts: without_parts.collect::<Result<_, _>>()?,
        min_nodes: number("min-nodes"),
        min_edges: number("min-edges"),
        with_labels: words("with-labels").unwrap_or_default(),
    };
    if search.alpha.is_some() && (search.exact || search.top.is_some() || search.keep == Keep::Closed) {
        let message = "an approximation (`--alpha`) gives lower bounds of supports only";
        return Err(Stop::usage(message, "leave out `--alpha`, or `--exact`, `--top` and `--keep closed`"));
    }
    Ok(search)
}

fn say_what_was_read(graph: &Graph, session: &Session) {
    let (nodes, edges) = (graph.nodes.len(), graph.edges().len());
    let labels = graph.node_labels.len();
    let kind = if graph.directed { "directed" } else { "undirected" };
    session.say(&format!("{nodes} nodes with {labels} labels, {edges} edges, {kind}\n"));
    let left_out = graph.left_out();
    if left_out.loops + left_out.repeats > 0 {
        let (loops, repeats) = (left_out.loops, left_out.repeats);
        session.say(&format!("left out: {loops} edges from a node to itself, {repeats} given again\n"));
    }
}

/// Whether edges seem to have measurements for labels: fractions, nearly all of them different.
fn weights_as_labels(graph: &Graph) -> bool {
    let names = graph.edge_labels.names();
    let many = names.len() > 20;
    many && graph.edge_labels.names().all(|name| name.parse::<f64>().is_ok())
}
