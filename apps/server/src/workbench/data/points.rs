//! Points (who, when, where) become events at places: a project of its own, with the cells of a grid as its places.
//!
//! The work is that of `throng prepare`. Before it is kept, the grid is seen with the points on a map, so that the side of a cell is chosen
//! by looking. The points stay as they are, in their own project.

use crate::workbench::inputs::key::Kept as _;
use std::{cmp, fs};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use throng_contract::{Input, Progress};
use throng_data::Coordinates;
use throng_data::formats::Source;
use throng_prepare::grid::Bounds;
use throng_prepare::points::{self, GridSize, Options, PointFormat, Prepared};
use throng_prepare::units::Distance;
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Body, Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::data::map::PlacesMap;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::project::Projects;
use crate::workbench::project::home::POINTS;
use crate::workbench::snapshots::{Snapshot, Workspace};
use crate::workbench::start::projects::{self, Project};

/// Where the events and places are written before they become a project's.
const PREPARED: &str = "prepared";
/// Points on the map of a grid; of more, every so many-th.
const MAX_POINTS: usize = 2_000;
/// Cells on it; of more, those with most people.
const MAX_CELLS: usize = 4_000;
/// People below which a place tells who was there.
const FEW_PEOPLE: u32 = 5;

/// How points become places.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PointsRequest {
    /// The side of a cell: `500m`, `1km`, or a number on a plane; chosen from the data when it is empty.
    cell: Option<String>,
    /// Whether to go on where nearly all points are dropped, or next to no places are left.
    accept_loss: bool,
}

/// Which grid to look at.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct GridQuery {
    /// The side of a cell; chosen from the data when it is empty.
    cell: Option<String>,
}

/// A grid over the points, before its cells are the places.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GridView)]
pub struct GridPreview {
    /// The side of a cell, as it can be asked for; empty where none fits the data, and the area is cut ten by ten.
    cell: String,
    /// Why this one, where it was chosen from the data.
    because: Option<String>,
    /// Points in the file.
    points: u64,
    /// Those that could only be reached too fast, and are left out.
    too_fast: u64,
    /// Events at cells that would be made of them.
    events: u64,
    /// Cells with people in them.
    places: u64,
    /// Cells with so few people that they tell who was there.
    rare_places: u64,
    /// What fewer people than this are.
    few_people: u32,
    /// The cells with their people, and some of the points.
    map: PlacesMap,
}

/// How the points are read: every column by its name, and nothing to be guessed.
fn options(snapshot: &Snapshot, cell: Option<&str>, accept_loss: bool) -> Result<Options, Problem> {
    let assignment = &snapshot.assignment;
    let name = |column: usize| Some(snapshot.working_table.columns[column].name.clone());
    let missing = |what: &str| {
        Problem::wrong(format!("no column says {what}")).with_help("choose it on the Data screen").at("roles")
    };
    let subject = assignment.subject().ok_or_else(|| missing("who it is"))?;
    let time = assignment.time().ok_or_else(|| missing("when it was"))?;
    let [first, second] = assignment.belonging.coordinates.ok_or_else(|| missing("where it was"))?;
    let cell = cell.map(str::trim).filter(|cell| !cell.is_empty());
    let side = |cell: &str| cell.parse::<Distance>().map_err(|error| problem::of(error).at("cell"));
    let mut options = Options {
        format: Some(PointFormat::Csv),
        subject: name(subject),
        record: assignment.record().and_then(name),
        time: name(time),
        delimiter: Some(b','),
        time_format: snapshot.reading.time_format.clone(),
        grid: cell.map(side).transpose()?.map(GridSize::Side),
        choose_cell: true,
        accept_loss,
        ..Options::default()
    };
    if assignment.belonging.plane {
        (options.x, options.y) = (name(first), name(second));
    } else {
        (options.lat, options.lon) = (name(first), name(second));
    }
    Ok(options)
}

fn prepare(workspace: &Workspace, snapshot: &Snapshot, options: &Options) -> Result<Prepared, Problem> {
    let source = Source::frame(&workspace.label, snapshot.working_table.whole_frame());
    points::prepare(&source, options, &Progress::silent()).map_err(|error| problem::of(error).at("cell"))
}

/// The cells as squares with their people, and some of the points above them.
fn draw(snapshot: &Snapshot, prepared: &Prepared) -> PlacesMap {
    let system = prepared.dataset.places.as_ref().map_or(Coordinates::Plane, |places| places.system);
    let bounds = Bounds::around(
        prepared
            .areas
            .iter()
            .flat_map(|area| [[area.bounds.west, area.bounds.south], [area.bounds.east, area.bounds.north]]),
    );
    let Bounds { west, south, east, north } =
        bounds.unwrap_or(Bounds { west: 0.0, south: 0.0, east: 0.0, north: 0.0 });
    let mut cells: Vec<usize> = (0..prepared.areas.len()).collect();
    cells.sort_by_key(|cell| cmp::Reverse(prepared.areas[*cell].people));
    let square = |cell: usize| {
        let area = &prepared.areas[cell];
        let Bounds { west, south, east, north } = area.bounds;
        let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
        json!({
            "type": "Feature",
            "geometry": { "type": "Polygon", "coordinates": [ring] },
            "properties": { "item": prepared.dataset.items.name(cell as u32), "members": 1, "people": area.people },
        })
    };
    let mut features: Vec<Value> = cells.into_iter().take(MAX_CELLS).map(square).collect();
    features.extend(positions(snapshot).map(|[x, y]| {
        // Longitudes may be counted on past 180 degrees.
        let x = if system == Coordinates::Degrees && x < west { x + 360.0 } else { x };
        json!({
            "type": "Feature",
            "geometry": { "type": "Point", "coordinates": [x, y] },
            "properties": { "item": "", "members": 1, "member": true },
        })
    }));
    PlacesMap::new(system, [west, south, east, north], features)
}

/// East and north of some of the rows, evenly spread over the file.
fn positions(snapshot: &Snapshot) -> impl Iterator<Item = [f64; 2]> {
    let table = &snapshot.working_table;
    let plane = snapshot.assignment.belonging.plane;
    let every = table.len().div_ceil(MAX_POINTS).max(1);
    snapshot.assignment.belonging.coordinates.into_iter().flat_map(move |[first, second]| {
        let at = move |row: usize, column: usize| table.columns[column].text(row).trim().parse::<f64>().ok();
        table.rows().step_by(every).filter_map(move |row| {
            let [a, b] = [at(row, first)?, at(row, second)?];
            Some(if plane { [a, b] } else { [b, a] })
        })
    })
}

/// A grid over the points of this project, to be looked at.
#[utoipa::path(get, path = "/api/projects/{project}/points", tag = "data", params(GridQuery),
    responses((status = 200, description = "The grid", body = GridPreview)))]
pub async fn get(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(query): Query<GridQuery>,
) -> Result<Json<GridPreview>, Problem> {
    let view = projects.ask(&principal, move |projects| {
        let workspace = projects.workspace(&project)?;
        let snapshot = workspace.snapshot()?;
        // The user is to see what is lost.
        let options = options(&snapshot, query.cell.as_deref(), true)?;
        let prepared = prepare(&workspace, &snapshot, &options)?;
        let summary = &prepared.summary;
        let asked = match options.grid {
            Some(GridSize::Side(side)) => Some(side.to_string()),
            _ => None,
        };
        Ok(GridPreview {
            cell: asked.or_else(|| summary.cell.clone()).unwrap_or_default(),
            because: summary.cell_because.clone(),
            points: summary.points,
            too_fast: summary.points_too_fast,
            events: summary.events,
            places: summary.places,
            rare_places: prepared.areas.iter().filter(|area| area.people < FEW_PEOPLE).count() as u64,
            few_people: FEW_PEOPLE,
            map: draw(&snapshot, &prepared),
        })
    });
    view.await.map(Json)
}

/// Makes a project of events at places from the points of this one.
#[utoipa::path(post, path = "/api/projects/{project}/points", tag = "projects", request_body = PointsRequest,
    responses((status = 201, description = "The project", body = Project)))]
pub async fn post(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Body(request): Body<PointsRequest>,
) -> Result<(StatusCode, Json<Project>), Problem> {
    let made = projects.ask(&principal, move |projects| {
        let workspace = projects.workspace(&project)?;
        let snapshot = workspace.snapshot()?;
        let options = options(&snapshot, request.cell.as_deref(), request.accept_loss)?;
        let prepared = prepare(&workspace, &snapshot, &options)?;
        let folder =
            tempfile::Builder::new().prefix(POINTS).tempdir_in(projects.home.root().join("projects"))?;
        let written = folder.path().join(PREPARED);
        points::write(&prepared, &written, false, &Progress::silent()).map_err(problem::of)?;
        let stem = workspace.label.split_once('.').map_or(workspace.label.as_str(), |(stem, _)| stem);
        let events = written.join("events.csv");
        let size = fs::metadata(&events)?.len();
        let made = projects::adopt(projects, &format!("{stem}-places.csv"), size, |target| {
            fs::copy(&events, target).map(drop)
        })?;
        let places = InputKey::from(Input::Places);
        projects.writing(&made.id, || {
            fs::copy(written.join("places.csv"), projects.home.input(&made.id, places.clone()))?;
            projects.inputs().register(&made.id, &places, &places.label())
        })?;
        Ok(made)
    });
    made.await.map(|made| (StatusCode::CREATED, Json(made)))
}
