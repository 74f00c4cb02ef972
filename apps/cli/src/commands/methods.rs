//! `throng methods`: the catalogue, as a table or one entry in full.

use clap::{Arg, ArgMatches, Command};
use serde::Serialize;
use throng_contract::{Better, Cost, Descriptor, DescriptorKind, Scale, SettingKind, did_you_mean};
use throng_lab::{Aspect, catalogue};
use throng_measure::attack::ATTACKER;

use crate::failure::Stop;
use crate::layout::{BOLD, Side, Table, wrap};
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng methods                    all methods, promises and measures, one line each
  throng methods seqanon            one in full: parameters, inputs, paper, an example
  throng methods queries            a measure, with the scales of its numbers
  throng methods usefulness         thresholds for \"limited\" and \"poor\"
  throng methods --json             the same for programs";

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("methods")
        .about("List methods, promises and measures, or describe one")
        .arg(Arg::new("name").value_name("NAME").help("A method, a promise or a measure to describe in full"))
        .after_help(EXAMPLES)
}

/// Prints the catalogue or one entry.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    match matches.get_one::<String>("name") {
        Some(name) if name == USEFULNESS => match session.json {
            true => session.print_json("throng-usefulness/1", &Graded { limits: limits() }),
            false => session.print(&graded()),
        },
        Some(name) => {
            let descriptor = find(name)?;
            match session.json {
                true => session.print_json("throng-descriptor/1", descriptor),
                false => session.print(&in_full(descriptor)),
            }
        }
        None if session.json => {
            let all = Catalogue { methods: methods(), promises: promises(), measures: measures() };
            session.print_json("throng-methods/1", &all)
        }
        None => session.print(&overview()),
    }
}

/// The name under which the limits of usefulness are listed.
const USEFULNESS: &str = "usefulness";

#[derive(Serialize)]
struct Graded {
    limits: Vec<GradedBy>,
}

/// What releases are graded by, with the thresholds for limited and poor.
#[derive(Serialize)]
struct GradedBy {
    name: &'static str,
    about: &'static str,
    limited: String,
    poor: String,
}

fn limits() -> Vec<GradedBy> {
    let limit = |aspect: Aspect| {
        let [limited, poor] = aspect.usual().map(|limit| aspect.written(limit));
        GradedBy { name: aspect.name(), about: aspect.describe(), limited, poor }
    };
    Aspect::ALL.into_iter().map(limit).collect()
}

fn graded() -> String {
    let columns = [Side::Left, Side::Right, Side::Right, Side::Left];
    let mut table = Table::new(&columns).header(["NAME", "LIMITED FROM", "POOR FROM", "WHAT IS LOOKED AT"]);
    for by in limits() {
        table.row([by.name, &by.limited, &by.poor, by.about]);
    }
    let about = "A release has the worst grade of these: good, limited or poor. Other limits: --usefulness events=20%,60%";
    format!("{}\n{}\n", table.render(), wrap(about, 96).join("\n"))
}

#[derive(Serialize)]
struct Catalogue {
    methods: Vec<&'static Descriptor>,
    promises: Vec<&'static Descriptor>,
    measures: Vec<&'static Descriptor>,
}

fn methods() -> Vec<&'static Descriptor> {
    catalogue::methods().map(|method| method.descriptor()).collect()
}

fn promises() -> Vec<&'static Descriptor> {
    catalogue::promises().map(|promise| promise.descriptor()).collect()
}

fn measures() -> Vec<&'static Descriptor> {
    catalogue::measures().map(|measure| measure.descriptor()).collect()
}

/// The method of that name or else the promise, measure or attacker; some names (`lkc`) are both, and then the method's entry says
/// more.
fn find(name: &str) -> Result<&'static Descriptor, Stop> {
    let all: Vec<_> = methods().into_iter().chain(promises()).chain(measures()).chain([&ATTACKER]).collect();
    if let Some(descriptor) = all.iter().find(|descriptor| descriptor.name == name) {
        return Ok(descriptor);
    }
    let help = match did_you_mean(name, all.iter().map(|descriptor| descriptor.name)) {
        Some(close) => format!("did you mean `{close}`?"),
        None => "see `throng methods` for all names".to_owned(),
    };
    Err(Stop::usage(format!("there is no method, promise or measure `{name}`"), help))
}

/// `throng anonymize --method NAME --help`.
pub fn method_help(name: &str) -> Result<String, Stop> {
    let descriptor = catalogue::method(name)?.descriptor();
    let usage = format!("throng anonymize <DATA> --method {name}{} -o <DIR>", required(descriptor));
    Ok(help_of(&usage, descriptor, "anonymize"))
}

/// `throng verify --promise NAME --help`.
pub fn promise_help(name: &str) -> Result<String, Stop> {
    let descriptor = catalogue::promise(name)?.descriptor();
    let usage = format!("throng verify <RELEASE> --promise {name}{}", required(descriptor));
    Ok(help_of(&usage, descriptor, "verify"))
}

/// `throng measure --measure NAME --help`.
pub fn measure_help(name: &str) -> Result<String, Stop> {
    let descriptor = catalogue::measure(name)?.descriptor();
    let usage = format!("throng measure <ORIGINAL> <RELEASE> --measure {name}{}", required(descriptor));
    Ok(help_of(&usage, descriptor, "measure"))
}

fn help_of(usage: &str, descriptor: &Descriptor, command: &str) -> String {
    let all = format!("Other options: `throng {command} --help`; all of them: `throng {command} --help-all`");
    format!("{BOLD}Usage:{BOLD:#} {usage} [OPTIONS]\n\n{}\n{all}\n", in_full(descriptor))
}

/// The parameters and inputs that have to be given, as typed.
fn required(descriptor: &Descriptor) -> String {
    let params = descriptor.params.iter().filter(|param| param.default.is_none());
    let params = params.map(|param| format!(" {} <{}>", param.flag(), param.kind.value_name()));
    let needs = descriptor.needs.iter().filter(|need| need.required && need.instead.is_none());
    params.chain(needs.map(|need| format!(" --{} <FILE>", need.input.flag()))).collect()
}

fn overview() -> String {
    let columns = [Side::Left; 5];
    let mut table = Table::new(&columns).header(["METHOD", "PROMISE", "DATA", "PAPER", "PURPOSE"]);
    for descriptor in methods() {
        table.row([
            descriptor.name,
            descriptor.keeps.unwrap_or("-"),
            &kinds(descriptor),
            descriptor.paper,
            descriptor.purpose,
        ]);
    }
    let mut text = table.render();
    let mut table = Table::new(&columns[..3]).header(["PROMISE", "PARAMETERS", "WHAT IT SAYS"]);
    for descriptor in promises() {
        let params: Vec<&str> = descriptor.params.iter().map(|param| param.name).collect();
        table.row([descriptor.name, &params.join(" "), descriptor.purpose]);
    }
    text.push('\n');
    text.push_str(&table.render());
    let mut table = Table::new(&columns[..4]).header(["MEASURE", "COST", "PAPER", "WHAT IT SAYS"]);
    for descriptor in measures() {
        let cost = descriptor.gauge.map_or("", |gauge| cost(gauge.cost));
        table.row([descriptor.name, cost, or_dash(descriptor.paper), descriptor.purpose]);
    }
    text.push('\n');
    text.push_str(&table.render());
    text.push_str("\nOne in full: throng methods NAME\n");
    text
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

fn cost(cost: Cost) -> &'static str {
    match cost {
        Cost::Pass => "a pass",
        Cost::Queries => "queries",
        Cost::Mining => "mining",
    }
}

fn kinds(descriptor: &Descriptor) -> String {
    let words: Vec<&str> = descriptor.takes.iter().map(|kind| kind.name()).collect();
    words.join(", ")
}

fn in_full(descriptor: &Descriptor) -> String {
    let what = match descriptor.kind {
        DescriptorKind::Method => "a method",
        DescriptorKind::Promise => "a promise",
        DescriptorKind::Measure => "a measure",
        DescriptorKind::Attacker => "an attacker",
        DescriptorKind::Miner => "a miner",
    };
    let mut text = format!("{BOLD}{}{BOLD:#}, {what}\n", descriptor.name);
    paragraph(&mut text, "", descriptor.purpose);
    let mut facts = Table::new(&[Side::Left, Side::Left]).indent(2);
    if let Some(promise) = descriptor.keeps {
        let statement = catalogue::promise(promise).map_or("", |promise| promise.descriptor().purpose);
        facts.row(["promise".to_owned(), format!("{promise}: {statement}")]);
    }
    facts.row(["data".to_owned(), kinds(descriptor)]);
    facts.row(["paper", or_dash(descriptor.paper)]);
    if let Some(gauge) = descriptor.gauge {
        facts.row(["cost", cost(gauge.cost)]);
    }
    if descriptor.variants {
        facts.row(["variants", "sound (default), as-printed: choose with --variant"]);
    }
    text.push('\n');
    text.push_str(&facts.render());
    if let Some(gauge) = descriptor.gauge {
        let mut table = Table::new(&[Side::Left; 4]).indent(2);
        for scale in gauge.scales {
            let better = match scale.better {
                Better::Low => "low is better",
                Better::High => "high is better",
                Better::Neither => "",
            };
            table.row([scale.name.to_owned(), ends(scale), better.to_owned(), scale.help.to_owned()]);
        }
        text.push_str(&format!("\n{BOLD}Scales{BOLD:#}\n{}", table.render()));
    }
    if !descriptor.params.is_empty() {
        let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
        for param in descriptor.params {
            let default = param.default.map_or("required".to_owned(), |value| format!("default {value}"));
            table.row([param.flag(), param.help.to_owned()]);
            table.row([String::new(), format!("{}; {default}", range(param.kind))]);
        }
        text.push_str(&format!("\n{BOLD}Parameters{BOLD:#}\n{}", table.render()));
    }
    if !descriptor.needs.is_empty() {
        let mut table = Table::new(&[Side::Left; 3]).indent(2);
        for need in descriptor.needs {
            let required = match (need.required, need.instead) {
                (true, Some(other)) => format!("required, or --{}", other.flag()),
                (true, None) => "required".to_owned(),
                (false, _) => "optional".to_owned(),
            };
            table.row([&format!("--{}", need.input.flag()), &required, need.input.describe()]);
        }
        text.push_str(&format!("\n{BOLD}Inputs{BOLD:#}\n{}", table.render()));
    }
    paragraph(&mut text, "Notes", descriptor.notes);
    if !descriptor.example.is_empty() {
        text.push_str(&format!("\n{BOLD}Example{BOLD:#}\n"));
        for line in descriptor.example.lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}

fn paragraph(text: &mut String, heading: &str, body: &str) {
    if body.is_empty() {
        return;
    }
    if !heading.is_empty() {
        text.push_str(&format!("\n{BOLD}{heading}{BOLD:#}\n"));
    }
    for line in wrap(body, 96) {
        text.push_str(&format!("  {line}\n"));
    }
}

/// From where to where a scale goes.
fn ends(scale: &Scale) -> String {
    match (scale.min.is_finite(), scale.max.is_finite()) {
        (true, true) => format!("{} to {}", scale.min, scale.max),
        (true, false) => format!("{} or more", scale.min),
        (false, true) => format!("{} or less", scale.max),
        (false, false) => "any number".to_owned(),
    }
}

fn range(kind: SettingKind) -> String {
    let up_to = |max: u64| if max >= 1_000_000_000 { "or more".to_owned() } else { format!("to {max}") };
    match kind {
        SettingKind::Integer { min, max } => format!("{min} {}", up_to(max)),
        SettingKind::IntegerOrMax { min, max } => format!("{min} {}, max", up_to(max)),
        SettingKind::Number { min, max } if max.is_infinite() => format!("{min} or more"),
        SettingKind::Number { min, max } => format!("{min} to {max}"),
        SettingKind::Share => "a share: 0.6, 60%, 3/5".to_owned(),
        SettingKind::Threshold => "people: 30, 1%".to_owned(),
        SettingKind::Choice { words } => words.join(", "),
        SettingKind::Switch => "on or off".to_owned(),
        SettingKind::Column => "a column".to_owned(),
        SettingKind::Columns => "columns".to_owned(),
        SettingKind::Text { .. } => "text".to_owned(),
        SettingKind::Letter => "a character".to_owned(),
        SettingKind::Path { .. } => "a file".to_owned(),
    }
}
