//! A comparison as a TOML file: methods, the values they take, data, measures, limits.

use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_contract::{Cost, DataKind, Descriptor, Settings, did_you_mean};
use throng_measure::attack::ATTACKER;
use throng_methods::Variant;

use super::limits::{Limits, parse_memory, parse_time};
use super::range;
use crate::evaluate::{Wanted, measures_up_to};
use crate::recipe;
use crate::recipe::{
    Data, Document, KeyValue, MethodPart, RecipeError, Section, World, roles, schema, settings,
};
use throng_release::catalogue;

/// Name and version of the form of a comparison.
pub const SCHEMA: &str = "throng-compare/1";

/// What is compared.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Comparing {
    /// What it is about, in a line.
    pub title: String,
    /// More about it, in a few sentences.
    pub about: Option<String>,
    /// The recipe as it was written.
    pub text: String,
    /// Data, each with its name.
    pub data: Vec<(String, Data)>,
    /// Methods, each with the values that stay.
    pub methods: Vec<Compared>,
    /// Parameters that vary, with the values they take; the first goes along the axis of plots.
    pub vary: Vec<(String, Vec<String>)>,
    /// Seeds: every cell is run with each.
    pub seeds: Vec<u64>,
    /// What is asked about each release. A value `=k` is that of the cell's own parameter `k`.
    pub measures: Vec<Wanted>,
    /// Settings of the attacker, if there is one.
    pub attack: Option<Vec<(String, String)>>,
    /// What a cell may cost.
    pub limits: Limits,
    /// Which numbers are drawn.
    pub plots: Plots,
}

/// A method with the values that stay.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Compared {
    /// Name in tables and plots.
    pub label: String,
    /// Name in the catalogue.
    pub name: String,
    /// Parameters as a user types them.
    pub settings: Vec<(String, String)>,
    /// Sound, or as printed.
    pub variant: Variant,
}

impl Compared {
    /// What a method is called that has no label.
    pub fn usual_label(name: &str, variant: Variant) -> String {
        match variant {
            Variant::Sound => name.to_owned(),
            Variant::AsPrinted => format!("{name} as printed"),
        }
    }
}

/// Which numbers are drawn; nothing given means the first scale of each measure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plots {
    /// Scales, one plot each.
    pub scales: Option<Vec<String>>,
    /// The scale that risk is set against.
    pub frontier: Option<String>,
}

const KEYS: [&str; 11] =
    ["schema", "title", "about", "data", "methods", "vary", "seeds", "measures", "attack", "limits", "plots"];

impl Comparing {
    /// Reads and checks a comparison.
    pub fn read(path: &Path) -> Result<Self, RecipeError> {
        Comparing::of_document(&Document::read(path)?)
    }

    /// One that is already in memory; `home` is where its paths start.
    pub fn parse(name: &str, text: &str, home: &Path) -> Result<Self, RecipeError> {
        Comparing::of_document(&Document::of(name, text.to_owned(), home))
    }

    fn of_document(document: &Document) -> Result<Self, RecipeError> {
        let root = document.root()?;
        schema(&root, SCHEMA)?;
        root.only(&KEYS)?;
        let data = datasets(&root)?;
        let vary = varying(&root)?;
        let methods = methods(&root, &vary)?;
        refuse_idle(&root, &vary, &methods, &data)?;
        let measures = match root.get("measures") {
            Some(entry) => measures(&entry, &methods, &vary)?,
            None => usual_measures(&methods),
        };
        let attack = match root.get("attack") {
            Some(entry) if entry.is_section() => Some(values(&entry.section()?, &ATTACKER)?),
            Some(entry) => match entry.text()?.as_str() {
                "true" => Some(Vec::new()),
                "false" => None,
                _ => {
                    return Err(entry
                        .error("expected true, false or a section")
                        .help("for example { known = 3 }"));
                }
            },
            None => Some(Vec::new()),
        };
        let seeds = match root.get("seeds") {
            Some(entry) => entry.list().iter().map(KeyValue::whole).collect::<Result<_, _>>()?,
            None => vec![0],
        };
        Ok(Comparing {
            title: root.text("title")?.unwrap_or_else(|| "A comparison".to_owned()),
            about: root.text("about")?,
            text: document.text().to_owned(),
            data,
            methods,
            vary,
            seeds,
            plots: plots(&root, &measures)?,
            measures,
            attack,
            limits: limits(&root)?,
        })
    }
}

fn datasets(root: &Section<'_>) -> Result<Vec<(String, Data)>, RecipeError> {
    let entry = root.need("data", "{ world = \"city\" }")?;
    let mut all: Vec<(String, Data)> = Vec::new();
    for entry in entry.list() {
        let section = entry.section()?;
        let mut data = Data::read(&section, &["label", "roles"])?;
        if let Some(given) = section.section("roles")? {
            data.files.roles = roles(&given)?;
        }
        let label = section.text("label")?.unwrap_or_else(|| match &data.world {
            Some(world) => world.name.to_owned(),
            None => data.files.data.name().rsplit('/').next().unwrap_or("data").to_owned(),
        });
        if all.iter().any(|(known, _)| *known == label) {
            let again = format!("two datasets are called `{label}`");
            return Err(section.error(again).help("give each a `label` of its own"));
        }
        all.push((label, data));
    }
    Ok(all)
}

fn varying(root: &Section<'_>) -> Result<Vec<(String, Vec<String>)>, RecipeError> {
    let Some(section) = root.section("vary")? else { return Ok(Vec::new()) };
    section.entries().into_iter().map(|entry| Ok((entry.name.clone(), range::values(entry)?))).collect()
}

fn methods(root: &Section<'_>, vary: &[(String, Vec<String>)]) -> Result<Vec<Compared>, RecipeError> {
    let entry = root.need("methods", "[{ name = \"seqanon\", m = 2 }]")?;
    let mut all: Vec<Compared> = Vec::new();
    for entry in entry.list() {
        let section = entry.section()?;
        let part = MethodPart::read(&section, &["label"])?;
        let label = section.text("label")?;
        let label = label.unwrap_or_else(|| Compared::usual_label(&part.name, part.variant));
        if all.iter().any(|known| known.label == label) {
            let again = format!("two methods are called `{label}`");
            return Err(section.error(again).help("give each a `label` of its own"));
        }
        check_values(root, &part, vary)?;
        all.push(Compared { label, name: part.name, settings: part.settings, variant: part.variant });
    }
    Ok(all)
}

/// The measures that are asked where none is named: those that say something of data that one of the methods takes.
fn usual_measures(methods: &[Compared]) -> Vec<Wanted> {
    let taken: Vec<DataKind> = methods
        .iter()
        .filter_map(|compared| catalogue::method(&compared.name).ok())
        .flat_map(|method| method.descriptor().takes)
        .copied()
        .collect();
    let shares = |wanted: &Wanted| {
        let of = |kind: &DataKind| taken.contains(kind);
        let timed = taken.contains(&DataKind::Timed);
        catalogue::measure(&wanted.measure).is_ok_and(|measure| {
            let takes = measure.descriptor().takes;
            takes.iter().any(of)
                || (timed && takes.contains(&DataKind::Sequences))
                || (taken.contains(&DataKind::Mixed) && takes.contains(&DataKind::Sets))
        })
    };
    measures_up_to(Cost::Pass).into_iter().filter(shares).collect()
}

/// Every value that a parameter will take is one that the method takes.
fn check_values(
    root: &Section<'_>,
    part: &MethodPart<'_>,
    vary: &[(String, Vec<String>)],
) -> Result<(), RecipeError> {
    let Ok(method) = catalogue::method(&part.name) else { return Ok(()) };
    let taken: Vec<&(String, Vec<String>)> =
        vary.iter().filter(|(name, _)| takes(method.descriptor(), &part.settings, name)).collect();
    let first: Vec<(String, String)> =
        taken.iter().filter_map(|(name, values)| Some((name.clone(), values.first()?.clone()))).collect();
    let Some(section) = root.section("vary")? else { return part.check(&first).map(drop) };
    for (name, values) in taken {
        for value in values {
            let mut given = part.settings.clone();
            given.extend(first.iter().filter(|(other, _)| other != name).cloned());
            given.push((name.clone(), value.clone()));
            let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            match Settings::parse(method.descriptor(), given) {
                Err(error @ throng_contract::SettingsError::Wrong { .. })
                    if error.to_string().starts_with(&format!("`{name}` ")) =>
                {
                    let place = section.get(name).map(|entry| entry.error(""));
                    return Err(place.unwrap_or_else(|| section.error("")).because(error));
                }
                _ => {}
            }
        }
    }
    part.check(&first).map(drop)
}

/// Whether a method follows a parameter that varies: it has one, and does not set it itself.
pub(super) fn takes(method: &Descriptor, settings: &[(String, String)], name: &str) -> bool {
    method.param(name).is_some() && !settings.iter().any(|(set, _)| set == name)
}

/// A parameter that changes nothing is a mistake.
fn refuse_idle(
    root: &Section<'_>,
    vary: &[(String, Vec<String>)],
    methods: &[Compared],
    data: &[(String, Data)],
) -> Result<(), RecipeError> {
    let worlds = data.iter().any(|(_, data)| data.world.is_some());
    for (name, _) in vary {
        let taken = methods.iter().any(|method| {
            catalogue::method(&method.name)
                .is_ok_and(|known| takes(known.descriptor(), &method.settings, name))
        });
        if taken || (World::is_size(name) && worlds) {
            continue;
        }
        let mut known: Vec<&str> = Vec::new();
        for method in methods.iter().filter_map(|method| catalogue::method(&method.name).ok()) {
            known.extend(method.descriptor().params.iter().map(|param| param.name));
        }
        let help = match did_you_mean(name, known) {
            Some(known) => format!("did you mean `{known}`?"),
            None => "vary a parameter that a method has and does not set itself".to_owned(),
        };
        let place = root.section("vary")?.and_then(|section| section.get(name));
        let error =
            place.map_or_else(|| root.error(""), |entry| entry.error("no method follows this parameter"));
        return Err(error.help(help));
    }
    Ok(())
}

fn measures(
    entry: &KeyValue<'_>,
    methods: &[Compared],
    vary: &[(String, Vec<String>)],
) -> Result<Vec<Wanted>, RecipeError> {
    // What a value that follows a parameter may be: checked here with one, used later with each.
    let example = |name: &str| {
        let varies = vary.iter().find(|(known, _)| known == name).and_then(|(_, values)| values.first());
        let stays = methods.iter().flat_map(|method| &method.settings).find(|(known, _)| known == name);
        varies.or(stays.map(|(_, value)| value)).cloned()
    };
    let one = |entry: &KeyValue<'_>| -> Result<Wanted, RecipeError> {
        if !entry.is_section() {
            let name = entry.text()?;
            catalogue::measure(&name).map_err(|error| entry.error("").because(error))?;
            return Ok(Wanted::of(&name));
        }
        let section = entry.clone().section()?;
        let named = section.need("name", "\"distance\"")?;
        let name = named.text()?;
        let measure = catalogue::measure(&name).map_err(|error| named.error("").because(error))?;
        let mut given = Vec::new();
        let mut checked = Vec::new();
        for entry in section.entries().iter().filter(|entry| entry.name != "name") {
            let text = entry.text()?;
            let value = match text.strip_prefix('=') {
                None => text.clone(),
                Some(followed) => example(followed).ok_or_else(|| {
                    let help = "`=NAME` follows a parameter that varies or that a method sets";
                    entry.error(format!("there is no parameter `{followed}` to follow")).help(help)
                })?,
            };
            given.push((entry.name.clone(), text));
            checked.push((entry.name.clone(), value));
        }
        settings(&section, measure.descriptor(), checked.iter())?;
        Ok(Wanted { settings: given, measure: name })
    };
    entry.list().iter().map(one).collect()
}

/// All keys of a section, checked against a descriptor.
fn values(section: &Section<'_>, descriptor: &Descriptor) -> Result<Vec<(String, String)>, RecipeError> {
    let mut given = Vec::new();
    for entry in section.entries() {
        given.push((entry.name.clone(), entry.text()?));
    }
    settings(section, descriptor, given.iter())?;
    Ok(given)
}

fn limits(root: &Section<'_>) -> Result<Limits, RecipeError> {
    let Some(section) = root.section("limits")? else { return Ok(Limits::default()) };
    section.only(&["time", "memory", "jobs"])?;
    let time = section.get("time").map(|entry| {
        parse_time(&entry.text()?).ok_or_else(|| entry.error("expected a time such as \"90s\" or \"5min\""))
    });
    let memory = section.get("memory").map(|entry| {
        parse_memory(&entry.text()?)
            .ok_or_else(|| entry.error("expected a size such as \"512MiB\" or \"2GiB\""))
    });
    let jobs = section.get("jobs").map(|entry| match entry.whole()? {
        jobs @ 1..=1024 => Ok(jobs as usize),
        _ => Err(entry.error("expected a whole number from 1 to 1024")),
    });
    Ok(Limits { time: time.transpose()?, memory: memory.transpose()?, jobs: jobs.transpose()? })
}

fn plots(root: &Section<'_>, measures: &[Wanted]) -> Result<Plots, RecipeError> {
    let Some(section) = root.section("plots")? else { return Ok(Plots::default()) };
    section.only(&["scales", "frontier"])?;
    let known: Vec<&str> = scales_of(measures).iter().map(|scale| scale.name).collect();
    let scale = |entry: &KeyValue<'_>| -> Result<String, RecipeError> {
        let name = entry.text()?;
        if known.contains(&name.as_str()) {
            return Ok(name);
        }
        let unknown = format!("no measure of this recipe has a scale `{name}`");
        Err(entry.error(unknown).help(recipe::suggestion(&name, &known)))
    };
    let scales = section.get("scales").map(|entry| entry.list().iter().map(scale).collect());
    Ok(Plots {
        scales: scales.transpose()?,
        frontier: section.get("frontier").map(|entry| scale(&entry)).transpose()?,
    })
}

/// The scales of some measures, in order.
pub(super) fn scales_of(measures: &[Wanted]) -> Vec<&'static throng_contract::Scale> {
    let gauges =
        measures.iter().filter_map(|wanted| catalogue::measure(&wanted.measure).ok()?.descriptor().gauge);
    gauges.flat_map(|gauge| gauge.scales).collect()
}
