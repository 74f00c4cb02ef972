//! A job as arguments of the program, as a command that people can type, and as a recipe.
//!
//! What a job reads is linked into its folder first: edits made while it runs, or afterwards, do not change what it was
//! about.

use crate::workbench::inputs::key::Kept as _;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use throng_contract::{DataKind, DataShape, Descriptor, Given, Input};
use throng_data::Role;
use throng_data::formats::{ReadOptions, Source};
use throng_lab::{Files, Job, Limits, Recipe, ReleaseFormat};
use throng_methods::Variant;

use super::plan::{PLAN, Plan};
use super::{AnonymizeSpec, Scalar};
use crate::platform::problem::Problem;
use crate::workbench::data::map;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::project::Projects;
use crate::workbench::reading::ColumnRole;
use crate::workbench::snapshots::{LONG_PATIENCE, Snapshot, Workspace};

/// The release directory in a job's folder.
pub const RELEASE: &str = "release";
/// Which record is whose, beside the release directory, for playing the attacker.
pub const LINKAGE: &str = "linkage.csv";
/// What the release ledger is to be told when the release is published, in a job's folder.
pub const ENTRY: &str = "ledger-entry.json";
/// The arguments of the child, in a job's folder.
pub const ARGUMENTS: &str = "arguments.json";

/// The results of a comparison, in a job's folder.
pub const COMPARISON: &str = "comparison";
/// The map of the data as it was when the job was asked for, in a job's folder.
pub const MAP: &str = "map.json";

/// Stands above a recipe that is downloaded.
const PRIVATE: &str =
    "# For you, not for publication: it names your files and columns, and the seed if one was chosen.\n";

/// The recipe for people, in a job's folder.
pub const RECIPE: &str = "recipe.toml";
/// The names that people know of the files in a job's folder.
pub const NAMES: &str = "names.json";

/// A job in the three forms.
#[derive(Debug, Clone)]
pub struct Commands {
    /// For the child.
    pub arguments: Vec<String>,
    /// What it is to do.
    pub plan: Plan,
    /// For people.
    pub command: String,
    /// For `--recipe`, with the names that people know.
    pub recipe: String,
}

/// Values as a user types them.
pub fn parameter_texts(settings: &BTreeMap<String, Scalar>) -> Vec<(String, String)> {
    settings.iter().map(|(name, value)| (name.clone(), value.text())).collect()
}

/// What a run needs to know of a project.
#[derive(Debug)]
pub struct ProjectInputs<'a> {
    /// What the data's file was called.
    pub label: &'a str,
    /// The data.
    pub snapshot: &'a Snapshot,
    /// Inputs that are there and fit the data.
    pub inputs: Vec<InputKey>,
    /// Inputs that are there and do not fit the data, with the reason.
    pub broken: Vec<(InputKey, String)>,
    /// Attribute values that must not be inferred, as typed.
    pub sensitive_values: Vec<String>,
}

impl<'a> ProjectInputs<'a> {
    /// Looks at a project.
    pub fn of(
        projects: &Projects,
        project: &str,
        label: &'a str,
        snapshot: &'a Snapshot,
    ) -> Result<Self, Problem> {
        let mut usable = Vec::new();
        let mut broken = Vec::new();
        for view in projects.inputs().all(project, LONG_PATIENCE)? {
            let key = InputKey::of_text(&view.input)?;
            match view.problem {
                None => usable.push(key),
                Some(problem) => broken.push((key, problem)),
            }
        }
        usable.sort_by_key(|key| Input::ALL.iter().position(|known| *known == key.input));
        let values =
            fs::read_to_string(projects.home.input(project, Input::SensitiveValues)).unwrap_or_default();
        let values = values.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
        Ok(ProjectInputs { label, snapshot, inputs: usable, broken, sensitive_values: values.collect() })
    }

    /// Whether an input is there and fits the data.
    pub fn holds(&self, input: Input) -> bool {
        match input {
            Input::SensitiveValues => !self.sensitive_values.is_empty(),
            Input::Records if !self.snapshot.assignment.attributes().is_empty() => true,
            input => self.inputs.iter().any(|key| key.input == input),
        }
    }

    /// What the data are together with what is known of people, if they can be read.
    pub fn shape(&self) -> Option<DataShape> {
        let shape = self.snapshot.shape()?;
        if shape.columns > 0 || !self.holds(Input::Records) {
            return Some(shape);
        }
        let roles = &self.snapshot.reading.attributes;
        let with = |role: ColumnRole| roles.values().filter(|given| **given == role).count();
        let (quasi, sensitive) = (with(ColumnRole::QuasiIdentifying), with(ColumnRole::Sensitive));
        Some(DataShape { columns: roles.len(), quasi, sensitive, ..shape })
    }

    /// The shape of the columns that are ticked.
    pub fn ticked_shape(&self, shape: DataShape, publish: &[String]) -> DataShape {
        let roles = self.roles();
        let without =
            |role: Role| roles.iter().filter(|one| one.1 == role && !publish.contains(&one.0)).count();
        DataShape {
            quasi: shape.quasi.saturating_sub(without(Role::QuasiIdentifying)),
            sensitive: shape.sensitive.saturating_sub(without(Role::Sensitive)),
            ..shape
        }
    }

    /// Columns of the data, or of the records beside them, that have a role.
    fn roles(&self) -> Vec<(String, Role)> {
        if self.snapshot.assignment.is_table() || self.snapshot.assignment.is_mixed() {
            return self.snapshot.column_roles();
        }
        let roles = self.snapshot.reading.attributes.iter();
        roles.filter_map(|(column, role)| Some((column.clone(), role.of_attribute()?))).collect()
    }

    /// The name of the data's file in a job's folder.
    pub fn data_file(&self) -> String {
        data_file(self.snapshot)
    }

    /// What the data's file is called for people: as it came, or another name where it was edited.
    pub fn data_label(&self) -> String {
        match self.snapshot.file() {
            Some(_) => self.label.to_owned(),
            None => {
                let stem = self.label.split_once('.').map_or(self.label, |(stem, _)| stem);
                format!("{stem}-edited.csv")
            }
        }
    }

    /// The data and the inputs that some method uses, with the names of a job's folder or with those that people know.
    pub fn used_files(&self, methods: &[&Descriptor], own: bool) -> Files {
        self.files(own, self.used(methods, &[]), &[])
    }

    /// A recipe whose method is still to be chosen, with the names that people know.
    pub fn recipe_without_method(&self, methods: &[&Descriptor]) -> Recipe {
        let job = Job {
            files: self.used_files(methods, false),
            method: String::new(),
            settings: Vec::new(),
            limits: Limits::default(),
            variant: Variant::Sound,
            seed: None,
            salt: None,
            after: None,
        };
        Recipe::of(&job, ReleaseFormat::Csv)
    }

    /// Whether a method publishes columns by their roles: those of a table, or beside sets that it recodes together with them.
    pub fn publishes_by_role(&self, method: &Descriptor) -> bool {
        self.snapshot.assignment.is_table() || method.takes.contains(&DataKind::Mixed)
    }

    /// The inputs that are there and that some method uses.
    pub fn used(&self, methods: &[&Descriptor], publish: &[String]) -> Vec<InputKey> {
        let some = |input: Input| methods.iter().any(|method| method.uses(input));
        let used = |key: &&InputKey| match key.input {
            Input::Records => some(Input::Records) || some(Input::SensitiveValues) || !publish.is_empty(),
            input => some(input),
        };
        // Attributes come from one place.
        let twice = |key: &&InputKey| key.input == Input::Records && self.snapshot.assignment.is_mixed();
        self.inputs.iter().filter(used).filter(|key| !twice(key)).cloned().collect()
    }

    /// The files of a run, by the names they have in its folder or by those that people know.
    pub fn files(&self, own: bool, used: Vec<InputKey>, publish: &[String]) -> Files {
        let (data, read) = match own {
            true => (self.data_file(), self.snapshot.options.clone()),
            false => (self.data_label(), needed(self.snapshot)),
        };
        let mut files = Files { read, publish: publish.to_vec(), ..Files::of(Source::file(data)) };
        for key in used {
            let source = Source::file(if own { key.file() } else { key.label() });
            match key.input.row().given {
                Given::Values => files.sensitive_values = self.sensitive_values.clone(),
                Given::File | Given::FileOfColumn => files.give(key, source),
            }
        }
        let columns = self.snapshot.assignment.is_table() || self.snapshot.assignment.is_mixed();
        if columns || files.source(Input::Records).is_some() {
            files.roles = self.roles();
        }
        files
    }
}

/// The file of the data in a job's folder: its form is told by its extension.
fn data_file(snapshot: &Snapshot) -> String {
    let name = snapshot.file_name();
    let forms = name.split_once('.').map_or("csv", |(_, forms)| forms);
    format!("data.{forms}")
}

/// The files of a release to be made, with the columns that are ticked and no other.
fn files_of(setting: &ProjectInputs<'_>, method: &Descriptor, spec: &AnonymizeSpec, own: bool) -> Files {
    let ticked = spec.publish.as_deref();
    let asked = ticked.unwrap_or_default();
    let mut files = setting.files(own, setting.used(&[method], asked), asked);
    files.accept_exposed_columns = spec.accept_exposed_columns;
    files.accept_identifiers.clone_from(&spec.accept_identifiers);
    if let Some(ticked) = ticked.filter(|_| setting.publishes_by_role(method)) {
        // A column without a role is withheld.
        files.roles.retain(|(column, role)| *role == Role::Identifying || ticked.contains(column));
        files.inputs.retain(|key| key.column.as_ref().is_none_or(|column| ticked.contains(column)));
        // One that has a role here is published by it: naming it twice says nothing more.
        let by_role = |name: &String| {
            files.roles.iter().any(|(column, role)| column == name && *role != Role::Insensitive)
        };
        files.publish.retain(|name| !by_role(name));
    }
    files
}

/// A release to be made, with the names of a job's folder.
pub fn own_recipe(setting: &ProjectInputs<'_>, method: &Descriptor, spec: &AnonymizeSpec) -> Recipe {
    recipe_of(files_of(setting, method, spec, true), method, spec)
}

fn recipe_of(files: Files, method: &Descriptor, spec: &AnonymizeSpec) -> Recipe {
    let job = Job {
        files,
        method: method.name.to_owned(),
        settings: parameter_texts(&spec.settings),
        limits: Limits::default(),
        variant: spec.variant.as_deref().and_then(Variant::parse).unwrap_or(Variant::Sound),
        seed: spec.seed,
        salt: None,
        after: None,
    };
    Recipe { allow_empty: spec.allow_empty, ..Recipe::of(&job, ReleaseFormat::Csv) }
}

/// A release to be made.
pub fn anonymize(setting: &ProjectInputs<'_>, method: &Descriptor, spec: &AnonymizeSpec) -> Commands {
    let typed = recipe_of(files_of(setting, method, spec, false), method, spec);
    // Most runs are trials: none of them is a release before it is published.
    let mut arguments =
        vec!["anonymize", "--plan", PLAN, "-o", RELEASE, "--explain", "--record-later", ENTRY];
    if method.product.is_some_and(|product| product.body.has_rows() && !product.synthetic) {
        arguments.extend(["--linkage", LINKAGE]);
    }
    Commands {
        arguments: arguments.into_iter().map(str::to_owned).collect(),
        command: typed.command_line(RELEASE),
        recipe: typed.to_toml(),
        plan: Plan::Anonymize(Box::new(own_recipe(setting, method, spec))),
    }
}

/// Whether records are drawn from a model: then nothing can say whose they are.
pub fn is_synthetic(method: &Descriptor) -> bool {
    method.product.is_some_and(|product| product.synthetic)
}

/// Links everything a job reads into its folder, which is there, and writes down its arguments.
pub fn lay_out(
    projects: &Projects,
    workspace: &Workspace,
    setting: &ProjectInputs<'_>,
    folder: &Path,
    commands: &Commands,
) -> Result<(), Problem> {
    setting.snapshot.lay_out(&folder.join(data_file(setting.snapshot)))?;
    let mut names = vec![(data_file(setting.snapshot), setting.data_label())];
    for key in &setting.inputs {
        names.push((key.file(), key.label()));
        link(&projects.home.input(&workspace.project, key.clone()), &folder.join(key.file()))?;
    }
    if setting.holds(Input::Places) {
        // A map that cannot be drawn is no reason not to run.
        if let Ok(map) = map::draw_data(projects, workspace, setting.snapshot) {
            fs::write(folder.join(MAP), serde_json::to_vec(&map)?)?;
        }
    }
    // The whole path in the arguments tells whose process it is, should the server crash.
    let mut arguments = commands.arguments.clone();
    for argument in arguments.iter_mut().filter(|argument| *argument == PLAN) {
        *argument = folder.join(PLAN).display().to_string();
    }
    arguments.extend(["--json", "--progress", "json"].map(str::to_owned));
    fs::write(folder.join(ARGUMENTS), serde_json::to_vec_pretty(&arguments)?)?;
    fs::write(folder.join(NAMES), serde_json::to_vec(&names)?)?;
    commands.plan.write(folder)?;
    fs::write(folder.join(RECIPE), format!("{PRIVATE}{}", commands.recipe))?;
    Ok(())
}

/// Files are replaced, never written over, so that a link keeps what was there.
fn link(from: &Path, to: &Path) -> Result<(), Problem> {
    let linked = fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop));
    linked.map_err(|error| match error.kind() {
        // Taken away or undone since the project was looked at.
        ErrorKind::NotFound => Problem::conflict("a file beside the data changed while the run was prepared")
            .with_help("start it again"),
        _ => error.into(),
    })
}

/// What has to be said of reading: nothing that would be guessed.
fn needed(snapshot: &Snapshot) -> ReadOptions {
    let roles = [
        (ColumnRole::Subject, snapshot.assignment.subject()),
        (ColumnRole::Record, snapshot.assignment.record()),
        (ColumnRole::Item, snapshot.assignment.item()),
        (ColumnRole::Time, snapshot.assignment.time()),
    ];
    let guessed = |role: ColumnRole| {
        roles.iter().any(|(own, column)| {
            *own == role && column.is_some_and(|column| snapshot.assignment.guessed[column] == role)
        })
    };
    let unless = |role, name: &Option<String>| name.clone().filter(|_| !guessed(role));
    let options = &snapshot.options;
    ReadOptions {
        subject: unless(ColumnRole::Subject, &options.subject),
        record: unless(ColumnRole::Record, &options.record),
        item: unless(ColumnRole::Item, &options.item),
        time: unless(ColumnRole::Time, &options.time),
        // What was edited is written with commas.
        delimiter: snapshot.file().and(snapshot.reading.written().delimiter),
        ..options.clone()
    }
}
