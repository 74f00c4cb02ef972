//! What fits the data at hand, by the one rule of the descriptors.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use throng_contract::{DataKind, DataShape, Descriptor, Help, Input};
use throng_lab::catalogue;
use utoipa::ToSchema;

use crate::platform::extract::Path;
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::project::Projects;
use crate::workbench::run::ProjectInputs;

/// Whether something can be used on the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = FitView)]
pub struct Fit {
    /// The method, promise or measure.
    pub name: &'static str,
    /// Whether it can.
    pub ok: bool,
    /// Why not.
    pub why: String,
    /// One way out.
    pub help: Help,
    /// Required inputs that are missing or have a problem, by the name of their flag.
    pub missing: Vec<&'static str>,
    /// Whether one of them is there and has a problem.
    pub repair: bool,
}

/// What can be used on the data.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Fits {
    /// Every method.
    pub methods: Vec<Fit>,
    /// Every promise.
    pub promises: Vec<Fit>,
    /// Every measure.
    pub measures: Vec<Fit>,
    /// Inputs that something uses which takes data of this kind, by the name of their flag.
    pub inputs: Vec<&'static str>,
}

/// What does not fit about a descriptor, with a way out that the screens offer.
pub fn misfit(descriptor: &Descriptor, shape: &DataShape) -> Option<(String, Help)> {
    let misfit = descriptor.fits(shape).err()?;
    let takes = |kind| descriptor.takes.contains(&kind);
    let help = match shape.kind() {
        DataKind::Table if takes(DataKind::Table) => {
            "say on the Data screen which columns may identify together"
        }
        DataKind::Sequences if takes(DataKind::Timed) => "choose the column of times on the Data screen",
        DataKind::Sequences | DataKind::Timed if takes(DataKind::Sets) => {
            "read the events as sets, without order, on the Data screen"
        }
        DataKind::Sets if takes(DataKind::Mixed) => {
            "say on the Data screen which columns may identify together"
        }
        _ => "choose another one",
    };
    Some((misfit.reason, help.into()))
}

/// Whether a descriptor can be used in a project.
pub fn fit(setting: &ProjectInputs<'_>, descriptor: &'static Descriptor) -> Fit {
    let view = |why: String, help: Help| Fit {
        name: descriptor.name,
        ok: why.is_empty(),
        why,
        help,
        missing: Vec::new(),
        repair: false,
    };
    let Some(shape) = setting.shape() else {
        let problem = setting.snapshot.problem.clone();
        let help = problem.map(|problem| problem.help).unwrap_or_default();
        return view("the data cannot be read yet".to_owned(), help);
    };
    if let Some((why, help)) = misfit(descriptor, &shape) {
        return view(why, help);
    }
    let missing: Vec<Input> = descriptor.lacking(|input| setting.holds(input)).collect();
    if missing.is_empty() {
        return view(String::new(), Help::default());
    }
    let broken = missing.iter().find(|input| setting.broken.iter().any(|(key, _)| key.input == **input));
    let why = match broken {
        Some(input) => format!("{} has a problem", input.describe()),
        None => {
            let needs: Vec<&str> = missing.iter().map(|input| input.describe()).collect();
            format!("needs {}", needs.join(" and "))
        }
    };
    Fit {
        missing: missing.iter().map(|input| input.flag()).collect(),
        repair: broken.is_some(),
        ..view(why, "look at it on the Meaning screen".into())
    }
}

/// What can be used on the data.
#[utoipa::path(get, path = "/api/projects/{project}/fits", tag = "method",
    responses((status = 200, description = "Every method, promise and measure", body = Fits)))]
pub async fn get(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Json<Fits>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let setting = ProjectInputs::of(projects, &project, &workspace.label, &snapshot)?;
            let methods: Vec<_> = catalogue::methods().map(|method| method.descriptor()).collect();
            let measures: Vec<_> = catalogue::measures().map(|measure| measure.descriptor()).collect();
            let promises = catalogue::promises().map(|promise| promise.descriptor());
            let takes = |descriptor: &Descriptor| {
                // What lacks a role or an input today may be right tomorrow.
                setting.shape().is_none_or(|shape| {
                    descriptor.takes.contains(&shape.kind()) || descriptor.fits(&shape).is_ok()
                })
            };
            let table = snapshot.assignment.is_table();
            // A table has no items, and there are columns to generalise only where some may be known.
            let about = |input: &Input| match input {
                Input::Hierarchies => setting.shape().is_some_and(|shape| shape.quasi > 0),
                // A table with sets has its attributes already.
                Input::Records if snapshot.assignment.is_mixed() => false,
                Input::Queries => true,
                _ => !table,
            };
            let used = |input: &Input| {
                let uses = |one: &&&Descriptor| takes(one) && one.uses(*input);
                methods.iter().chain(&measures).any(|one| uses(&one)) || setting.holds(*input)
            };
            Ok(Fits {
                inputs: Input::ALL.into_iter().filter(about).filter(used).map(Input::flag).collect(),
                promises: promises.map(|one| fit(&setting, one)).collect(),
                methods: methods.iter().map(|one| fit(&setting, one)).collect(),
                measures: measures.iter().map(|one| fit(&setting, one)).collect(),
            })
        })
        .await
        .map(Json)
}
