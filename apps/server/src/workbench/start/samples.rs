//! Projects made of sample worlds.
//!
//! A world may have its people in several forms: `patients` as events, as a table with a schema and hierarchies, and as sets of
//! codes. What belongs to the form that is asked for becomes the project; the user need not confirm what the columns of a world are.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use throng_contract::{Input, Progress};
use throng_lab::schema::Schema;
use throng_prepare::worlds::{self, World, WorldOptions, Written};

use crate::platform::problem::{self, Problem};
use crate::workbench::inputs::key::InputKey;
use crate::workbench::project::Projects;
use crate::workbench::reading::{ColumnRole, DataForm, Reading};

/// The file that says what the columns of a world's table are.
const SCHEMA: &str = "schema.toml";
/// The sets of a world whose events are something else.
const CODES: &str = "codes.csv";
/// The form that only sets have, a record a line.
const LINES: &str = "baskets.dat";

/// The forms in which a world can be opened, the usual one first.
pub fn forms(world: &World) -> Vec<DataForm> {
    let has = |name: &str| world.files.iter().any(|(file, _)| *file == name);
    let mut forms = vec![if has(LINES) { DataForm::Sets } else { DataForm::Sequences }];
    forms.extend(has(SCHEMA).then_some(DataForm::Table));
    forms.extend(has(CODES).then_some(DataForm::Sets));
    forms
}

/// A world that was laid out as a project.
#[derive(Debug)]
pub struct Sample {
    /// How many people and events it has.
    pub written: Written,
    /// How its data are read, as stored.
    pub reading: String,
    /// Files beside the data, in the folder of inputs already, with what they were called.
    inputs: Vec<(InputKey, String)>,
}

impl Sample {
    /// Makes a world in the folder of a project that is still to be added.
    pub fn make(
        projects: &Projects,
        project: &str,
        world: &World,
        options: &WorldOptions,
        form: DataForm,
    ) -> Result<Self, Problem> {
        let folder = projects.home.project(project);
        let written = worlds::generate(world.name, options, &folder, false, &Progress::silent())
            .map_err(problem::of)?;
        projects.home.begin(project)?;
        // What lies there under which name, and which input it becomes.
        let mut found: Vec<(String, InputKey)> = Vec::new();
        let own = || Input::ALL.map(|input| (format!("{}.csv", input.flag()), InputKey::from(input)));
        let (data, reading) = match (form, form == forms(world)[0]) {
            (DataForm::Table, _) => {
                let schema = Schema::read(&folder.join(SCHEMA)).map_err(problem::of)?;
                let file = format!("{}.csv", world.name);
                found.extend(schema.columns.iter().filter(|column| column.hierarchy.is_some()).map(
                    |column| (format!("hierarchies/{}.csv", column.name), InputKey::hierarchy(&column.name)),
                ));
                let reading = of_schema(&schema, &header(&folder.join(&file))?);
                (file, reading)
            }
            (DataForm::Sets, false) => {
                let named = |name: &str, input: Input| (format!("codes-{name}.csv"), InputKey::from(input));
                found.extend([named("taxonomy", Input::Taxonomy), named("policy", Input::Policy)]);
                (CODES.to_owned(), of_events(&header(&folder.join(CODES))?, None, form))
            }
            _ => {
                found.extend(own());
                let file = "events.csv".to_owned();
                let reading = of_events(&header(&folder.join(&file))?, Some(world), form);
                (file, reading)
            }
        };
        fs::rename(folder.join(data), folder.join("data.csv"))?;
        let mut inputs = Vec::new();
        for (name, key) in found {
            let made = folder.join(&name);
            if made.is_file() && keep_occurring(&folder.join("data.csv"), &made, key.input)? {
                fs::rename(made, projects.home.input(project, key.clone()))?;
                inputs.push((key, name.rsplit('/').next().unwrap_or(&name).to_owned()));
            }
        }
        // What is left are further forms of the same people.
        for (name, _) in world.files {
            let _ = fs::remove_file(folder.join(name));
        }
        let _ = fs::remove_dir(folder.join("hierarchies"));
        Ok(Sample { written, reading: serde_json::to_string(&reading)?, inputs })
    }

    /// Enters the files beside the data into the database, once the project is there.
    pub fn register(&self, projects: &Projects, project: &str) -> Result<(), Problem> {
        self.inputs.iter().try_for_each(|(key, name)| projects.inputs().register(project, key, name))
    }
}

/// The names in the first line of a file.
fn header(file: &Path) -> Result<Vec<String>, Problem> {
    let mut line = String::new();
    BufReader::new(File::open(file)?).read_line(&mut line)?;
    Ok(line.trim_end().split(',').map(str::to_owned).collect())
}

fn of_events(header: &[String], world: Option<&World>, form: DataForm) -> Reading {
    let role = |name: &String| match name.as_str() {
        "subject" => ColumnRole::Subject,
        "record" => ColumnRole::Record,
        "item" => ColumnRole::Item,
        "time" => ColumnRole::Time,
        _ => ColumnRole::None,
    };
    let attributes = world.map_or(&[][..], |world| world.attributes);
    Reading {
        form: Some(form),
        roles: header.iter().map(role).enumerate().collect(),
        attributes: attributes.iter().map(|(name, role)| ((*name).to_owned(), (*role).into())).collect(),
        ..Reading::default()
    }
}

fn of_schema(schema: &Schema, header: &[String]) -> Reading {
    let mut reading = Reading { form: Some(DataForm::Table), ..Reading::default() };
    for (at, name) in header.iter().enumerate() {
        let said = schema.columns.iter().find(|column| column.name == *name);
        let role = match said.and_then(|column| column.role) {
            _ if schema.id.as_ref() == Some(name) => ColumnRole::Subject,
            Some(role) => role.into(),
            None => ColumnRole::None,
        };
        reading.roles.insert(at, role);
        reading.kinds.extend(said.and_then(|column| column.kind).map(|kind| (at, kind)));
    }
    reading
}

/// Cuts lists of a world's items to those that the people of a small sample have: others would be refused as misspelt.
/// `false` when nothing is left.
fn keep_occurring(data: &Path, list: &Path, input: Input) -> Result<bool, Problem> {
    if !matches!(input, Input::SensitiveItems | Input::Policy | Input::Constraints) {
        return Ok(true);
    }
    let text = fs::read_to_string(list)?;
    let mut missing: HashSet<&str> = text.lines().flat_map(|line| line.split(',')).collect();
    for line in BufReader::new(File::open(data)?).lines() {
        // The items of a world are in the second column.
        if let Some(item) = line?.split(',').nth(1) {
            missing.remove(item);
        }
        if missing.is_empty() {
            return Ok(true);
        }
    }
    let left =
        |line: &str| line.split(',').filter(|name| !missing.contains(name)).collect::<Vec<_>>().join(",");
    let left: Vec<String> = text.lines().map(left).filter(|line| !line.is_empty()).collect();
    fs::write(list, left.iter().map(|line| format!("{line}\n")).collect::<String>())?;
    Ok(!left.is_empty())
}
