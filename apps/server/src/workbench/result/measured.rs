//! Further measures of a release, asked on the result screen: those that cost more than one pass, and the user's own queries.

use std::path::Path as FilePath;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::{Input, Progress};
use throng_data::formats::Source;
use throng_lab::{Answer, Evaluated, Files, Measurement, Wanted, catalogue, measure};
use utoipa::ToSchema;

use crate::platform::extract::{Body, Path};
use crate::platform::jobs::JobState;
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::described::ReadScale;
use crate::workbench::project::home::input_file;
use crate::workbench::run::{Jobs, LINKAGE, RELEASE, plan};

/// Measures in one request.
const MAX_MEASURES: usize = 50;

/// Measures to ask.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureRequest {
    /// Their names in the catalogue.
    measures: Vec<String>,
}

/// What one measure answered.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Measured)]
pub struct MeasureAnswer {
    /// Its name in the catalogue.
    measure: String,
    /// Its numbers, the most telling first.
    readings: Vec<ScaleReading>,
    /// Why it has none.
    problem: Option<String>,
}

/// A number, and how to read it.
#[derive(Debug, Serialize, ToSchema)]
struct ScaleReading {
    /// How to read it.
    scale: ReadScale,
    /// The number.
    value: f64,
}

/// Asks measures about a release. Queries are those that the project has now, or drawn ones.
#[utoipa::path(post, path = "/api/jobs/{job}/measure", tag = "results", request_body = MeasureRequest,
    responses((status = 200, description = "One answer for each measure", body = Vec<MeasureAnswer>)))]
pub async fn post(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
    Body(request): Body<MeasureRequest>,
) -> Result<Json<Vec<MeasureAnswer>>, Problem> {
    if request.measures.len() > MAX_MEASURES {
        return Err(
            Problem::wrong(format!("at most {MAX_MEASURES} measures are asked at once")).at("measures")
        );
    }
    jobs.ask(&principal, move |jobs| {
        let stored = jobs.need(&job)?;
        if stored.kind != "anonymize" || stored.state != JobState::Done {
            return Err(Problem::conflict("this job has no release"));
        }
        for name in &request.measures {
            catalogue::measure(name).map_err(|error| problem::of(error).at("measures"))?;
        }
        let folder = jobs.folder(&stored);
        let mut files = plan::recipe(&folder)?.data.files;
        beside(&mut files, &folder, &jobs.projects.home.input(&stored.project, Input::Queries));
        let linkage = folder.join(LINKAGE);
        // One that does not apply is an answer, not a reason to leave out the others.
        let one = |name: &String| {
            let measurement = Measurement {
                files: files.clone(),
                release: Source::file(folder.join(RELEASE)),
                linkage: linkage.is_file().then(|| Source::file(&linkage)),
                wanted: vec![Wanted::of(name)],
                settings: Vec::new(),
                seed: 0,
            };
            match measure(&measurement, &Progress::silent()) {
                Ok(measured) => measured.measures.into_iter().next().map(MeasureAnswer::from),
                Err(failure) => Some(MeasureAnswer {
                    measure: name.clone(),
                    readings: Vec::new(),
                    problem: Some(failure.message),
                }),
            }
        };
        Ok(request.measures.iter().filter_map(one).collect())
    })
    .await
    .map(Json)
}

/// Adds what measures compare with and the method did not need: it was linked into the run's folder. The workload is the
/// present one, so that a query added today is asked of yesterday's release.
fn beside(files: &mut Files, folder: &FilePath, queries: &FilePath) {
    for input in [Input::Places, Input::Taxonomy, Input::Records] {
        let path = folder.join(input_file(input));
        if files.source(input).is_none() && path.is_file() {
            files.give(input, Source::file(path));
        }
    }
    if queries.is_file() {
        files.give(Input::Queries, Source::file(queries));
    }
}

impl From<Evaluated> for MeasureAnswer {
    fn from(evaluated: Evaluated) -> Self {
        let scales = catalogue::measure(&evaluated.measure)
            .ok()
            .and_then(|measure| measure.descriptor().gauge)
            .map_or(&[][..], |gauge| gauge.scales);
        let (readings, problem) = match &evaluated.answer {
            Answer::NotApplicable(why) => (Vec::new(), Some(why.clone())),
            Answer::Readings(values) => {
                let reading = |scale: &throng_contract::Scale| {
                    let value = values.get(scale.name).copied().filter(|value| value.is_finite())?;
                    Some(ScaleReading { scale: scale.into(), value })
                };
                (scales.iter().filter_map(reading).collect(), None)
            }
        };
        MeasureAnswer { measure: evaluated.measure, readings, problem }
    }
}
