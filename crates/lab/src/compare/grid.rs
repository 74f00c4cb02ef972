//! The cells of a comparison: data x methods x values x seeds, in the order of the tables.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use throng_contract::{Class, Descriptor, Failure, Progress};
use throng_measure::attack::ATTACKER;

use super::cell::CellJob;
use super::recipe::{Compared, Comparing, takes};
use crate::Recipe;
use crate::evaluate::Wanted;
use crate::recipe::{Data, World};
use throng_ledger::Together;
use throng_release::directory::{hash_file, hexadecimal};
use throng_release::{Limits, ReleaseFormat, catalogue};

/// Cells in one comparison.
const MAX_CELLS: usize = 100_000;

/// A cell that is to be decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Which data.
    pub data: String,
    /// Which method.
    pub method: String,
    /// Values of the parameters that vary, in their order; `None` where the method does not follow one.
    pub values: Vec<Option<String>>,
    /// Seed.
    pub seed: u64,
    /// What to do; a plan that was kept leaves it out, since the cell says it.
    #[serde(skip)]
    pub job: CellJob,
    /// The same for the same numbers: a fingerprint of everything that determines them.
    pub key: String,
}

impl Planned {
    /// The cell in a few words: `seqanon, k = 5, m = 2`.
    pub fn words(&self, comparing: &Comparing) -> String {
        let mut words = self.method.clone();
        if comparing.data.len() > 1 {
            words.push_str(&format!(" on {}", self.data));
        }
        for ((name, _), value) in comparing.vary.iter().zip(&self.values) {
            if let Some(value) = value {
                words.push_str(&format!(", {name} = {value}"));
            }
        }
        if comparing.seeds.len() > 1 {
            words.push_str(&format!(", seed {}", self.seed));
        }
        words
    }
}

/// Plans all cells. Made-up worlds are made below `worlds`, where earlier ones are used again.
pub(super) fn plan(
    comparing: &Comparing,
    worlds: &Path,
    progress: &Progress,
) -> Result<Vec<Planned>, Failure> {
    let mut planned: Vec<Planned> = Vec::new();
    let mut prints = Fingerprints::default();
    for (label, data) in &comparing.data {
        for method in &comparing.methods {
            for values in combinations(comparing, method, data)? {
                for seed in &comparing.seeds {
                    progress.check()?;
                    let chosen = Chosen { data, method, values: &values, seed: *seed };
                    let recipe = recipe(comparing, &chosen, worlds, progress)?;
                    let cell = |text: String| CellJob {
                        recipe: text,
                        measures: followed(&comparing.measures, &recipe),
                        attack: comparing.attack.clone(),
                    };
                    let job = cell(recipe.to_toml_anywhere());
                    let key = key(&cell(prints.in_place_of_paths(&recipe)?));
                    planned.push(Planned {
                        data: label.clone(),
                        method: method.label.clone(),
                        values: values.clone(),
                        seed: *seed,
                        job,
                        key,
                    });
                    if planned.len() > MAX_CELLS {
                        return Err(Failure::new(Class::Usage, format!("more than {MAX_CELLS} cells"))
                            .with_help("vary fewer parameters, or take larger steps"));
                    }
                }
            }
        }
    }
    Ok(planned)
}

/// All choices of values that make a difference to a method.
fn combinations(
    comparing: &Comparing,
    method: &Compared,
    data: &Data,
) -> Result<Vec<Vec<Option<String>>>, Failure> {
    let descriptor = catalogue::method(&method.name)?.descriptor();
    let mut all: Vec<Vec<Option<String>>> = vec![Vec::new()];
    for (name, values) in &comparing.vary {
        let followed =
            takes(descriptor, &method.settings, name) || (World::is_size(name) && data.world.is_some());
        let choices: Vec<Option<String>> =
            if followed { values.iter().cloned().map(Some).collect() } else { vec![None] };
        all = all
            .iter()
            .flat_map(|chosen| {
                choices.iter().map(|choice| [&chosen[..], std::slice::from_ref(choice)].concat())
            })
            .collect();
        if all.len() > MAX_CELLS {
            break;
        }
    }
    Ok(all)
}

/// What is chosen for one cell.
struct Chosen<'a> {
    data: &'a Data,
    method: &'a Compared,
    values: &'a [Option<String>],
    seed: u64,
}

fn recipe(
    comparing: &Comparing,
    chosen: &Chosen<'_>,
    worlds: &Path,
    progress: &Progress,
) -> Result<Recipe, Failure> {
    let Chosen { data, method, values, seed } = *chosen;
    let mut data = data.clone();
    let mut settings = method.settings.clone();
    for ((name, _), value) in comparing.vary.iter().zip(values) {
        let Some(value) = value else { continue };
        let resized = match &mut data.world {
            Some(world) => world.resize(name, value)?,
            None => false,
        };
        if !resized {
            settings.push((name.clone(), value.clone()));
        }
    }
    if let Some(world) = data.world.clone() {
        let mut uses: Vec<&Descriptor> = vec![catalogue::method(&method.name)?.descriptor(), &ATTACKER];
        for wanted in &comparing.measures {
            uses.push(catalogue::measure(&wanted.measure)?.descriptor());
        }
        data.settle(&worlds.join(folder(&world)), &uses, progress)?;
        data.world = None;
    }
    // What a world or a list offers to one method another may not use.
    let own = catalogue::method(&method.name)?.descriptor();
    data.leave_out_wishes(own);
    Ok(Recipe {
        data,
        method: method.name.clone(),
        settings,
        variant: method.variant,
        seed: Some(seed),
        salt: None,
        format: ReleaseFormat::Csv,
        limits: Limits::default(),
        map: true,
        allow_empty: false,
        spreadsheet_safe: false,
        spell_out: false,
        together: Together::default(),
        after: None,
        after_linkage: None,
    })
}

/// Measures with the cell's own values where they follow a parameter. A method without it leaves the measure its default.
fn followed(measures: &[Wanted], recipe: &Recipe) -> Vec<Wanted> {
    let value = |text: &str| match text.strip_prefix('=') {
        None => Some(text.to_owned()),
        Some(name) => recipe.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
    };
    let one = |wanted: &Wanted| Wanted {
        measure: wanted.measure.clone(),
        settings: wanted
            .settings
            .iter()
            .filter_map(|(name, text)| Some((name.clone(), value(text)?)))
            .collect(),
    };
    measures.iter().map(one).collect()
}

fn folder(world: &World) -> String {
    let sizes: String = world.sizes().map(|(_, size)| format!("-{size}")).collect();
    format!("{}{sizes}-{}", world.name, world.options.seed)
}

/// Fingerprints of files, each read once.
#[derive(Default)]
struct Fingerprints {
    known: BTreeMap<String, String>,
}

impl Fingerprints {
    /// The recipe with fingerprints where its files are named: the same for the same content.
    fn in_place_of_paths(&mut self, recipe: &Recipe) -> Result<String, Failure> {
        for (_, source) in recipe.data.sources() {
            let Some(path) = source.path().filter(|_| source.is_lasting()) else {
                return Err(Failure::new(Class::Usage, "a comparison cannot read standard input or a pipe")
                    .with_help("write the data to a file: every cell reads it again"));
            };
            if !self.known.contains_key(source.name()) {
                let sha256 = hash_file(path).map_err(|error| {
                    Failure::new(Class::BadInput, format!("`{}` cannot be read: {error}", path.display()))
                })?;
                self.known.insert(source.name().to_owned(), sha256);
            }
        }
        Ok(recipe.to_toml_with(&|_, source| self.known.get(source.name()).cloned().unwrap_or_default()))
    }
}

fn key(job: &CellJob) -> String {
    let text = serde_json::to_string(job).expect("a job has string keys only");
    let mut hash = Sha256::new();
    hash.update(concat!("throng ", env!("CARGO_PKG_VERSION"), "\n"));
    hash.update(text);
    hexadecimal(&hash.finalize())[..32].to_owned()
}
