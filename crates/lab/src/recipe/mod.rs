//! Recipes: a TOML file that says everything that determines a release.
//!
//! Names, ranges and defaults come from the catalogue: a value in a recipe is checked as if it had been typed on the
//! command line, and a key that means nothing is an error with a suggestion. What the command line can say a recipe
//! can say, and [`Recipe::to_toml`] writes it down.

mod command_line;
mod data;
mod document;
mod error;
mod part;
pub mod publishing;
mod write;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use throng_contract::{Class, Failure, Progress, SettingKind, Settings};
use throng_data::Role;
use throng_methods::Variant;

pub use command_line::Typed;
pub(crate) use data::declared_range;
pub use data::{Data, World};
pub(crate) use document::{Document, KeyValue, Section, suggestion};
pub use error::RecipeError;
pub(crate) use part::{MethodPart, settings};
pub(crate) use write::{data_section, method_section, roles_section, typed, whole};

use self::publishing::{PUBLISHING, Said};
use crate::Job;
use throng_ledger::Together;
use throng_release::{Limits, ReleaseFormat, Salt, catalogue};

/// Name and version of the recipe's form.
pub const SCHEMA: &str = "throng-recipe/1";

/// Everything that determines a release, as written down.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recipe {
    /// Where the data come from, and what of the attributes is published.
    pub data: Data,
    /// Name of the method.
    pub method: String,
    /// Parameters as a user types them: name, value.
    pub settings: Vec<(String, String)>,
    /// Sound, or as printed.
    pub variant: Variant,
    /// Seed of every random choice, if the recipe fixes it.
    pub seed: Option<u64>,
    /// The secret of the run that is repeated, if the recipe is that of a kept run.
    pub salt: Option<Salt>,
    /// The form of the released events.
    pub format: ReleaseFormat,
    /// How usefulness is graded, where that is not as usual.
    pub limits: Limits,
    /// Whether the published report may show where released places are, roughly.
    pub map: bool,
    /// Whether a release without a single event may be published.
    pub allow_empty: bool,
    /// Whether copies are written that a spreadsheet can open without running a cell.
    pub spreadsheet_safe: bool,
    /// Whether items are written `{a|b|c}` however many members they have.
    pub spell_out: bool,
    /// What happens to a release that breaks its promise together with an earlier one.
    pub together: Together,
    /// The directory of a release of the same table that this one has to be safe together with.
    pub after: Option<PathBuf>,
    /// Whose the rows of that release are, where the ledger does not say.
    pub after_linkage: Option<PathBuf>,
}

/// The key in the section `publish` that says what columns are.
const ROLES: &str = "roles";

const KEYS: [&str; 6] = ["schema", "seed", "salt", "data", "method", "publish"];

impl Recipe {
    /// Reads and checks a recipe.
    pub fn read(path: &Path) -> Result<Self, RecipeError> {
        Recipe::of_document(&Document::read(path)?)
    }

    /// A recipe that is already in memory; `home` is where its paths start.
    pub fn parse(name: &str, text: &str, home: &Path) -> Result<Self, RecipeError> {
        Recipe::of_document(&Document::of(name, text.to_owned(), home))
    }

    fn of_document(document: &Document) -> Result<Self, RecipeError> {
        let root = document.root()?;
        schema(&root, SCHEMA)?;
        root.only(&KEYS)?;
        let section = root.need("data", "{ events = \"trips.csv\" }")?.section()?;
        let data = Data::read(&section, &[])?;
        let method = root.need("method", "{ name = \"seqanon\", k = 5, m = 2 }")?.section()?;
        let method = MethodPart::read(&method, &[])?;
        method.check(&[])?;
        let seed = root.get("seed").map(|entry| entry.whole()).transpose()?;
        let salt = match root.get("salt") {
            Some(entry) => Some(Salt::parse(&entry.text()?).map_err(|_| {
                entry.error("a salt is 64 hexadecimal digits").help("leave it out: a fresh one is drawn")
            })?),
            None => None,
        };
        let MethodPart { name, settings, variant, .. } = method;
        let mut recipe = Recipe::usual(data, name, ReleaseFormat::Csv);
        (recipe.settings, recipe.variant, recipe.seed, recipe.salt) = (settings, variant, seed, salt);
        if let Some(section) = root.section("publish")? {
            recipe.read_publish(&section)?;
        }
        Ok(recipe)
    }

    fn read_publish(&mut self, section: &Section<'_>) -> Result<(), RecipeError> {
        let mut keys: Vec<&str> = PUBLISHING.iter().map(|publish| publish.key).collect();
        keys.insert(1, ROLES);
        section.only(&keys)?;
        if let Some(roles) = section.section(ROLES)? {
            self.data.files.roles = self::roles(&roles)?;
        }
        for publish in &PUBLISHING {
            let Some(entry) = section.get(publish.key) else { continue };
            let given = match publish.setting.kind {
                SettingKind::Switch => Said::Switch(entry.switch()?),
                SettingKind::Path { .. } => Said::Path(entry.path()?),
                SettingKind::Choice { words } => {
                    let word = entry.text()?;
                    if !words.contains(&word.as_str()) {
                        return Err(entry.error(format!("expected {}", words.join(" or "))));
                    }
                    Said::Text(word)
                }
                _ => Said::Texts(entry.texts()?),
            };
            publish.say(self, given).map_err(|failure| entry.error("").because(failure))?;
        }
        Ok(())
    }

    /// A recipe with nothing said of publishing.
    fn usual(data: Data, method: String, format: ReleaseFormat) -> Self {
        Recipe {
            data,
            method,
            settings: Vec::new(),
            variant: Variant::Sound,
            seed: None,
            salt: None,
            format,
            limits: Limits::default(),
            map: true,
            allow_empty: false,
            spreadsheet_safe: false,
            spell_out: false,
            together: Together::default(),
            after: None,
            after_linkage: None,
        }
    }

    /// The recipe of a job.
    pub fn of(job: &Job, format: ReleaseFormat) -> Self {
        Recipe {
            settings: job.settings.clone(),
            variant: job.variant,
            seed: job.seed,
            salt: job.salt,
            limits: job.limits.clone(),
            ..Recipe::usual(Data::of(job.files.clone()), job.method.clone(), format)
        }
    }

    /// Refuses values that the method does not take.
    pub fn check(&self) -> Result<(), Failure> {
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Settings::parse(catalogue::method(&self.method)?.descriptor(), given)?;
        Ok(())
    }

    /// The job. A world that is asked for is made in a place that lasts as long as what is given back.
    pub fn prepare(&self, progress: &Progress) -> Result<Prepared, Failure> {
        let method = catalogue::method(&self.method)?.descriptor();
        let mut data = self.data.clone();
        data.files.expected.clone_from(&data.fingerprints);
        let scratch = match &data.world {
            Some(_) => Some(tempfile::tempdir().map_err(|error| {
                Failure::new(Class::BadInput, format!("no place for the made-up data: {error}"))
            })?),
            None => None,
        };
        if let Some(scratch) = &scratch {
            data.settle(&scratch.path().join("world"), &[method], progress)?;
        }
        let job = Job {
            files: data.files,
            method: self.method.clone(),
            settings: self.settings.clone(),
            limits: self.limits.clone(),
            variant: self.variant,
            seed: self.seed,
            salt: self.salt,
            after: None,
        };
        Ok(Prepared { job, scratch })
    }
}

/// A job, and the place where its made-up data lie.
#[derive(Debug)]
pub struct Prepared {
    /// The job.
    pub job: Job,
    #[expect(dead_code, reason = "kept for as long as the job may read from it")]
    scratch: Option<TempDir>,
}

/// Insists on the form that is asked for.
pub(crate) fn schema(root: &Section<'_>, wanted: &str) -> Result<(), RecipeError> {
    let entry = root.need("schema", &format!("\"{wanted}\""))?;
    let found = entry.text()?;
    if found == wanted {
        return Ok(());
    }
    let help = match found.as_str() {
        SCHEMA => "use it with {throng anonymize --recipe}",
        "throng-compare/1" => "use it with {throng compare}",
        crate::graph_search::SCHEMA => "use it with {throng mine subgraphs --recipe}",
        _ => "use the version of the program that it was written for",
    };
    let shown: String = found.chars().take(40).collect();
    Err(entry.error(format!("this is a `{shown}`, not a `{wanted}`")).help(help))
}

/// What columns are to an attacker: `COLUMN = "ROLE"`.
pub(crate) fn roles(section: &Section<'_>) -> Result<Vec<(String, Role)>, RecipeError> {
    let entries = section.entries().into_iter();
    let role = |entry: KeyValue<'_>| match Role::parse(&entry.text()?) {
        Some(role) => Ok((entry.name, role)),
        None => {
            let names = Role::ALL.map(Role::name);
            Err(entry.error("there is no such role").help(format!("a role is one of {}", names.join(", "))))
        }
    };
    entries.map(role).collect()
}
