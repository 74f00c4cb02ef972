//! `[data]`: files beside the recipe, or a synthetic world that is made when it is needed.
//!
//! The keys are the flags of the command line without their dashes.

use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, de};
use throng_contract::{Class, Descriptor, Failure, Given, Input, InputKey, Progress, SettingKind};
use throng_data::formats::{Format, READING, ReadOptions, Source};
use throng_data::{ColumnKind, DeclaredRange};
use throng_prepare::worlds::{self, WorldOptions};

use super::document::{KeyValue, Section};
use super::error::RecipeError;
use throng_data::load::Files;

/// A synthetic world in place of files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct World {
    /// Its name.
    pub name: &'static str,
    /// How large it is, and the seed that draws its people.
    pub options: WorldOptions,
}

/// A world as it was written down.
#[derive(Deserialize)]
struct NamedWorld {
    name: String,
    options: WorldOptions,
}

impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let NamedWorld { name, options } = NamedWorld::deserialize(deserializer)?;
        Ok(World { name: worlds::find(&name).map_err(de::Error::custom)?.name, options })
    }
}

impl World {
    /// Sets one of the sizes, as a user types it; `false` when it is none of them.
    pub fn resize(&mut self, key: &str, text: &str) -> Result<bool, Failure> {
        let wrong = || {
            Failure::new(Class::Usage, format!("`{key}` must be a number, not `{text}`"))
                .with_help(format!("give numbers, for example `{key} = [1000, 2000]`"))
        };
        match key {
            SUBJECTS => self.options.subjects = Some(text.parse().map_err(|_| wrong())?),
            TERMS => self.options.terms = Some(text.parse().map_err(|_| wrong())?),
            MEAN_LENGTH => self.options.mean_length = Some(text.parse().map_err(|_| wrong())?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether it is one of the sizes of a world.
    pub fn is_size(key: &str) -> bool {
        [SUBJECTS, TERMS, MEAN_LENGTH].contains(&key)
    }

    /// The sizes that were asked for, as a user types them.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, String)> {
        let WorldOptions { subjects, terms, mean_length, seed: _ } = self.options;
        let sizes = [
            (SUBJECTS, subjects.map(|number| number.to_string())),
            (TERMS, terms.map(|number| number.to_string())),
            (MEAN_LENGTH, mean_length.map(|number| number.to_string())),
        ];
        sizes.into_iter().filter_map(|(key, text)| Some((key, text?)))
    }
}

const SUBJECTS: &str = "subjects";
const TERMS: &str = "terms";
const MEAN_LENGTH: &str = "mean-length";

/// The data of a recipe.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Data {
    /// The files; with a world, those that were given besides it.
    pub files: Files,
    /// The world, if the events are made rather than read.
    pub world: Option<World>,
    /// Fingerprints the files must have, by role; empty when anything goes.
    pub fingerprints: Vec<(String, String)>,
}

/// Name of the events inside a world, and of the source that stands for them until the world is made.
const EVENTS: &str = "events.csv";

pub(super) const WORLD: [&str; 5] = ["world", SUBJECTS, "seed", TERMS, MEAN_LENGTH];

impl Data {
    /// Files and nothing else.
    pub fn of(files: Files) -> Self {
        Data { files, world: None, fingerprints: Vec::new() }
    }

    /// Reads the section; `further` keys are read elsewhere.
    pub(crate) fn read(section: &Section<'_>, further: &[&str]) -> Result<Self, RecipeError> {
        let inputs = Input::ALL.map(Input::flag);
        let mut known = vec!["events", "table", "sha256", "types", "ranges"];
        known.extend(WORLD);
        known.extend(inputs);
        known.extend(READING.iter().map(|option| option.setting.name));
        known.extend(further);
        section.only(&known)?;
        let world = world(section)?;
        let table = section.get("table");
        let mut files = match (section.get("events").or_else(|| table.clone()), &world) {
            (Some(events), None) => Files::of(source(&events)?),
            (Some(events), Some(_)) => {
                return Err(events.error("the events come from a file or from a world, not from both"));
            }
            (None, Some(_)) => Files::of(Source::memory(EVENTS, [])),
            (None, None) => {
                let help =
                    "add `events = \"FILE\"`, `table = \"FILE\"`, or `world = \"city\"` for made-up data";
                return Err(section.error("the recipe does not say where the events are").help(help));
            }
        };
        files.read = read_options(section)?;
        if table.is_some() {
            files.read.format = Some(Format::Table);
        }
        for input in Input::ALL {
            let Some(entry) = section.get(input.flag()) else { continue };
            match input.row().given {
                Given::File => files.give(input, source(&entry)?),
                Given::FileOfColumn => {
                    for entry in entry.section()?.entries() {
                        files.give(InputKey { column: Some(entry.name.clone()), input }, source(&entry)?);
                    }
                }
                Given::Values => files.sensitive_values = entry.texts()?,
            }
        }
        if let Some(types) = section.section("types")? {
            for entry in types.entries() {
                let kind = ColumnKind::parse(&entry.text()?).ok_or_else(|| {
                    let names = ColumnKind::ALL.map(ColumnKind::name).join(", ");
                    entry.error("there is no such type").help(format!("a type is one of {names}"))
                })?;
                files.read.types.push((entry.name.clone(), kind));
            }
        }
        if let Some(ranges) = section.section("ranges")? {
            for entry in ranges.entries() {
                files.ranges.push((entry.name.clone(), declared_range(&entry)?));
            }
        }
        let mut fingerprints = Vec::new();
        if let Some(section) = section.section("sha256")? {
            let of_columns: Vec<String> =
                files.inputs.keys().filter(|key| key.column.is_some()).map(InputKey::role).collect();
            let mut roles = vec!["data"];
            roles.extend(inputs);
            roles.extend(of_columns.iter().map(String::as_str));
            section.only(&roles)?;
            for entry in section.entries() {
                fingerprints.push((entry.name.clone(), entry.text()?));
            }
        }
        Ok(Data { files, world, fingerprints })
    }

    /// Makes the world, if there is one, in a directory that is already there for it, and gives those of its files
    /// that one of the descriptors uses; files that were named in the recipe stay.
    pub fn settle(
        &mut self,
        directory: &Path,
        uses: &[&Descriptor],
        progress: &Progress,
    ) -> Result<(), Failure> {
        let Some(world) = &self.world else { return Ok(()) };
        if !directory.join(EVENTS).exists() {
            worlds::generate(world.name, &world.options, directory, false, progress)?;
        }
        self.files.data = Source::file(directory.join(EVENTS));
        for input in Input::ALL {
            let path = directory.join(format!("{}.csv", input.flag()));
            let wanted = uses.iter().any(|descriptor| descriptor.uses(input)) && path.exists();
            if wanted && self.files.source(input).is_none() {
                self.files.give(input, Source::file(path));
            }
        }
        Ok(())
    }

    /// Leaves out lists that a method does not use. In a comparison they are there for the others; places, taxonomies and
    /// records may serve measures, whatever the method.
    pub(crate) fn leave_out_wishes(&mut self, method: &Descriptor) {
        for input in Input::wishes().filter(|input| !method.uses(*input)) {
            self.files.take_away(input);
        }
    }

    /// The file of a role.
    pub fn source(&self, role: &str) -> Option<&Source> {
        self.sources().into_iter().find_map(|(name, source)| (name == role).then_some(source))
    }

    /// The events and every input that is a file, by role.
    pub fn sources(&self) -> Vec<(String, &Source)> {
        let mut sources = vec![("data".to_owned(), &self.files.data)];
        sources.extend(self.files.beside());
        sources
    }
}

fn world(section: &Section<'_>) -> Result<Option<World>, RecipeError> {
    let Some(entry) = section.get("world") else {
        return match WORLD.iter().find_map(|key| section.get(key)) {
            Some(entry) => {
                Err(entry.error("only a made-up world has this key").help("add `world = \"city\"`"))
            }
            None => Ok(None),
        };
    };
    let world = worlds::find(&entry.text()?).map_err(|error| entry.error("").because(error))?;
    let whole = |key: &str| section.get(key).map(|entry| entry.whole()).transpose();
    let options = WorldOptions {
        subjects: whole(SUBJECTS)?,
        seed: whole("seed")?.unwrap_or(0),
        ..WorldOptions::default()
    };
    let mut world = World { name: world.name, options };
    for key in [TERMS, MEAN_LENGTH] {
        if let Some(entry) = section.get(key) {
            world.resize(key, &entry.text()?).map_err(|_| entry.error("expected a number"))?;
        }
    }
    Ok(Some(world))
}

/// A file that is there, or standard input.
fn source(entry: &KeyValue<'_>) -> Result<Source, RecipeError> {
    if entry.path()? == Path::new("-") {
        return Ok(Source::parse("-"));
    }
    Ok(Source::file(entry.existing_path()?))
}

fn read_options(section: &Section<'_>) -> Result<ReadOptions, RecipeError> {
    let mut options = ReadOptions::default();
    for option in &READING {
        let Some(entry) = section.get(option.setting.name) else { continue };
        let text = if option.setting.kind == SettingKind::Columns {
            entry.texts()?.join(",")
        } else {
            entry.text()?
        };
        let set = option.set(&mut options, &text);
        set.map_err(|wanted| entry.error(format!("expected {wanted}")))?;
    }
    Ok(options)
}
/// The range of a column, as a schema and a recipe say it.
pub(crate) fn declared_range(entry: &KeyValue<'_>) -> Result<DeclaredRange, RecipeError> {
    let text = entry.text()?;
    text.parse().map_err(|help: &str| entry.error("this is no range").help(help))
}
