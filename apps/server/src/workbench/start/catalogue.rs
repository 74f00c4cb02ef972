//! What there is to choose from, as the crates below describe it, and the server itself.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use throng_contract::{DataKind, Descriptor, Input};
use throng_lab::catalogue;
use throng_lab::mining::MINERS;
use throng_lab::presets::{self, Preset};
use throng_lab::recommend::Keep;
use throng_measure::attack::ATTACKER;
use throng_prepare::worlds;
use utoipa::ToSchema;

use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::workbench::described::{DescriptorShape, PresetShape};
use crate::workbench::project::Projects;
use crate::workbench::reading::DataForm;
use crate::workbench::start::samples;

/// Everything a form can offer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Catalogue {
    /// Methods.
    #[schema(value_type = Vec<DescriptorShape>)]
    methods: Vec<&'static Descriptor>,
    /// Promises.
    #[schema(value_type = Vec<DescriptorShape>)]
    promises: Vec<&'static Descriptor>,
    /// Names of the promises that rest on secret noise: a seed that could be guessed would void them.
    secret_noise: Vec<&'static str>,
    /// Measures.
    #[schema(value_type = Vec<DescriptorShape>)]
    measures: Vec<&'static Descriptor>,
    /// Kinds of attackers.
    #[schema(value_type = Vec<DescriptorShape>)]
    attackers: Vec<&'static Descriptor>,
    /// What finds patterns in the data.
    #[schema(value_type = Vec<DescriptorShape>)]
    miners: Vec<&'static Descriptor>,
    /// Files beside the data.
    inputs: Vec<InputEntry>,
    /// Sample worlds.
    worlds: Vec<WorldEntry>,
    /// Promises in plain language, with settings.
    #[schema(value_type = Vec<PresetShape>)]
    presets: Vec<&'static Preset>,
    /// What a recommended release may be wanted for.
    keeps: Vec<KeepEntry>,
}

/// Something that a release should keep.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct KeepEntry {
    /// The word that requests and the command line use.
    name: &'static str,
    /// What it means.
    describe: &'static str,
    /// The measures that judge it, by kind of data: it can be asked for where one of them fits.
    measures: Vec<&'static str>,
}

impl From<Keep> for KeepEntry {
    fn from(keep: Keep) -> Self {
        let kinds = [DataKind::Table, DataKind::Sequences, DataKind::Timed, DataKind::Sets, DataKind::Mixed];
        let mut measures: Vec<&str> = kinds.map(|kind| keep.measure(kind)).to_vec();
        measures.sort_unstable();
        measures.dedup();
        KeepEntry { name: keep.name(), describe: keep.describe(), measures }
    }
}

/// A file beside the data.
#[derive(Debug, Serialize, ToSchema)]
pub struct InputEntry {
    /// The name that `needs` of descriptors uses.
    #[schema(value_type = String)]
    name: Input,
    /// The name in addresses and, with two dashes, on the command line.
    flag: &'static str,
    /// What it is.
    describe: &'static str,
}

/// A sample world.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorldEntry {
    /// Its name.
    name: &'static str,
    /// The same for a heading.
    title: String,
    /// What it is for.
    purpose: &'static str,
    /// People, unless asked otherwise.
    subjects: u64,
    /// Events of that many people.
    events: u64,
    /// Different items.
    items: u64,
    /// What an item is, in the plural.
    noun: &'static str,
    /// Share of people singled out by two of their own events.
    singled_out_by_2: f64,
    /// What a row can be, the usual form first.
    forms: Vec<DataForm>,
}

/// Everything there is to choose from.
#[utoipa::path(get, path = "/api/catalogue", tag = "workbench",
    responses((status = 200, description = "The catalogue", body = Catalogue)))]
pub async fn get(_: Principal) -> Json<Catalogue> {
    let title = |name: &str| name[..1].to_uppercase() + &name[1..];
    Json(Catalogue {
        methods: catalogue::methods().map(|method| method.descriptor()).collect(),
        promises: catalogue::promises().map(|promise| promise.descriptor()).collect(),
        secret_noise: catalogue::promises()
            .filter(|promise| promise.rests_on_secret_noise())
            .map(|promise| promise.descriptor().name)
            .collect(),
        measures: catalogue::measures().map(|measure| measure.descriptor()).collect(),
        attackers: vec![&ATTACKER],
        miners: MINERS.iter().collect(),
        inputs: Input::ALL
            .into_iter()
            .map(|input| InputEntry { name: input, flag: input.flag(), describe: input.describe() })
            .collect(),
        worlds: worlds::ALL
            .iter()
            .map(|world| WorldEntry {
                name: world.name,
                title: title(world.name),
                purpose: world.purpose,
                subjects: world.subjects,
                events: world.character.events,
                items: world.character.items,
                noun: world.character.noun,
                singled_out_by_2: world.character.singled_out_by_2 / 100.0,
                forms: samples::forms(world),
            })
            .collect(),
        presets: presets::ALL.iter().collect(),
        keeps: Keep::ALL.map(KeepEntry::from).to_vec(),
    })
}

/// This server.
#[derive(Debug, Serialize, ToSchema)]
pub struct Session {
    /// The program.
    program: &'static str,
    /// Its version.
    version: &'static str,
    /// Where projects are kept.
    data_dir: String,
    /// Limits.
    limits: ServerLimits,
}

/// Limits of this server.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LimitsView)]
pub struct ServerLimits {
    /// Bytes of a file that is uploaded.
    upload_bytes: u64,
    /// People of a sample world.
    world_subjects: u64,
}

/// This server.
#[utoipa::path(get, path = "/api/session", tag = "workbench",
    responses((status = 200, description = "The server", body = Session)))]
pub async fn session(
    _principal: Principal,
    State(projects): State<Projects>,
) -> Result<Json<Session>, Problem> {
    Ok(Json(Session {
        program: "throng",
        version: env!("CARGO_PKG_VERSION"),
        data_dir: projects.home.root().display().to_string(),
        limits: ServerLimits {
            upload_bytes: projects.limits.upload,
            world_subjects: projects.limits.subjects,
        },
    }))
}
