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
mod write;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use throng_contract::{Class, Failure, Progress, Settings};
use throng_data::Role;
use throng_methods::Variant;

pub use command_line::Typed;
pub(crate) use data::declared_range;
pub use data::{Data, World};
pub(crate) use document::{Document, KeyValue, Section, suggestion};
pub use error::RecipeError;
pub(crate) use part::{MethodPart, settings};
pub(crate) use write::{data_section, method_section, roles_section, typed, whole};

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

const PUBLISH: [&str; 13] = [
    "columns",
    "roles",
    "format",
    "map",
    "accept-exposed-columns",
    "accept-identifiers",
    "allow-empty",
    "spreadsheet-safe",
    "usefulness",
    "spell-out",
    "together",
    "after",
    "after-linkage",
];
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
        let mut data = Data::read(&section, &[])?;
        let method = root.need("method", "{ name = \"seqanon\", k = 5, m = 2 }")?.section()?;
        let method = MethodPart::read(&method, &[])?;
        method.check(&[])?;
        let (mut format, mut map) = (ReleaseFormat::Csv, true);
        let (mut allow_empty, mut spreadsheet_safe, mut spell_out) = (false, false, false);
        let mut together = Together::default();
        let (mut after, mut after_linkage) = (None, None);
        let mut limits = Limits::default();
        if let Some(publish) = root.section("publish")? {
            publish.only(&PUBLISH)?;
            if let Some(columns) = publish.get("columns") {
                data.files.publish = columns.texts()?;
            }
            if let Some(columns) = publish.get("accept-identifiers") {
                data.files.accept_identifiers = columns.texts()?;
            }
            if let Some(roles) = publish.section("roles")? {
                data.files.roles = self::roles(&roles)?;
            }
            if let Some(entry) = publish.get("format") {
                format = match entry.text()?.as_str() {
                    "csv" => ReleaseFormat::Csv,
                    "parquet" => ReleaseFormat::Parquet,
                    _ => return Err(entry.error("expected csv or parquet")),
                };
            }
            if let Some(entry) = publish.get("usefulness") {
                let given = entry.texts()?;
                limits = Limits::parse(given.iter().map(String::as_str))
                    .map_err(|failure| entry.error("").because(failure))?;
            }
            let switch =
                |name: &str, usual: bool| publish.get(name).map_or(Ok(usual), |entry| entry.switch());
            map = switch("map", true)?;
            data.files.accept_exposed_columns = switch("accept-exposed-columns", false)?;
            allow_empty = switch("allow-empty", false)?;
            spreadsheet_safe = switch("spreadsheet-safe", false)?;
            spell_out = switch("spell-out", false)?;
            after = publish.get("after").map(|entry| entry.path()).transpose()?;
            after_linkage = publish.get("after-linkage").map(|entry| entry.path()).transpose()?;
            if let Some(entry) = publish.get("together") {
                together =
                    Together::parse(&entry.text()?).ok_or_else(|| entry.error("expected warn or refuse"))?;
            }
        }
        let seed = root.get("seed").map(|entry| entry.whole()).transpose()?;
        let salt = match root.get("salt") {
            Some(entry) => Some(Salt::parse(&entry.text()?).map_err(|_| {
                entry.error("a salt is 64 hexadecimal digits").help("leave it out: a fresh one is drawn")
            })?),
            None => None,
        };
        let MethodPart { name, settings, variant, .. } = method;
        Ok(Recipe {
            data,
            method: name,
            settings,
            variant,
            seed,
            salt,
            format,
            limits,
            map,
            allow_empty,
            spreadsheet_safe,
            spell_out,
            together,
            after,
            after_linkage,
        })
    }

    /// The recipe of a job.
    pub fn of(job: &Job, format: ReleaseFormat) -> Self {
        Recipe {
            data: Data::of(job.files.clone()),
            method: job.method.clone(),
            settings: job.settings.clone(),
            variant: job.variant,
            seed: job.seed,
            salt: job.salt,
            format,
            limits: job.limits.clone(),
            map: true,
            allow_empty: false,
            spreadsheet_safe: false,
            spell_out: false,
            together: Together::default(),
            after: None,
            after_linkage: None,
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
