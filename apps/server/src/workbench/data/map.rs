//! Places as GeoJSON: points with people, cells where there are too many points, hulls for generalised places.
//!
//! Coordinates of a plane are passed on as they are, with `system: "plane"`: only the drawing knows how to scale them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use throng_contract::{Input, Progress};
use throng_data::formats::{Source, read_places};
use throng_data::{Coordinates, Places};
use throng_lab::plot::hull;
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::data::overview;
use crate::workbench::project::Projects;
use crate::workbench::snapshots::{Snapshot, Workspace};

/// Features on one map.
pub const MAX_FEATURES: usize = 1500;
/// Cells along the longer side of a map with more places than that.
const CELLS: f64 = 40.0;
/// Characters of a name on a map.
const LONGEST_NAME: usize = 80;

/// A map.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = MapView)]
pub struct PlacesMap {
    /// `degrees` or `plane`.
    pub system: &'static str,
    /// West, south, east, north.
    pub bounds: [f64; 4],
    /// A GeoJSON FeatureCollection; `people` among the properties says how many.
    #[schema(value_type = Object)]
    pub features: Value,
}

impl PlacesMap {
    /// A map of features within bounds.
    pub fn new(system: Coordinates, bounds: [f64; 4], features: Vec<Value>) -> Self {
        PlacesMap {
            system: match system {
                Coordinates::Plane => "plane",
                Coordinates::Degrees => "degrees",
            },
            bounds,
            features: json!({ "type": "FeatureCollection", "features": features }),
        }
    }
}

/// A place, or several that stand for one another, and how many people were there.
#[derive(Debug, Clone)]
pub struct Spot {
    /// Its name.
    pub name: String,
    /// East and north of its members.
    pub points: Vec<[f64; 2]>,
    /// Number of people.
    pub people: u64,
}

/// East and north of a place.
pub fn east_north(places: &Places, item: usize) -> [f64; 2] {
    let [a, b] = places.points[item];
    match places.system {
        Coordinates::Plane => [a, b],
        Coordinates::Degrees => [b, a],
    }
}

/// Draws spots; those with most people where there are too many, cells where all are single places.
pub fn draw(system: Coordinates, mut spots: Vec<Spot>) -> PlacesMap {
    let bounds = bounds(&spots);
    let plain = spots.iter().all(|spot| spot.points.len() == 1);
    let mut features: Vec<Value> = if spots.len() > MAX_FEATURES && plain {
        cells(&spots, bounds)
    } else {
        spots.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.name.cmp(&b.name)));
        spots.iter().take(MAX_FEATURES).map(feature).collect()
    };
    tell_apart(&mut features);
    PlacesMap::new(system, bounds, features)
}

/// Names that were cut, and those of cells, may be the same: the screen goes by them, so that each gets a number.
fn tell_apart(features: &mut [Value]) {
    let mut times: HashMap<String, u32> = HashMap::new();
    for feature in features {
        let Some(Value::String(name)) = feature.pointer_mut("/properties/item") else { continue };
        let seen = times.entry(name.clone()).or_default();
        *seen += 1;
        if *seen > 1 {
            name.push_str(&format!(" ({seen})"));
        }
    }
}

fn bounds(spots: &[Spot]) -> [f64; 4] {
    let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    for [east, north] in spots.iter().flat_map(|spot| &spot.points) {
        bounds = [bounds[0].min(*east), bounds[1].min(*north), bounds[2].max(*east), bounds[3].max(*north)];
    }
    if bounds[0] > bounds[2] { [0.0; 4] } else { bounds }
}

fn feature(spot: &Spot) -> Value {
    let hull = hull(&spot.points);
    let geometry = match hull.as_slice() {
        [point] => json!({ "type": "Point", "coordinates": point }),
        [_, _] => json!({ "type": "LineString", "coordinates": hull }),
        corners => {
            let ring: Vec<&[f64; 2]> = corners.iter().chain(corners.first()).collect();
            json!({ "type": "Polygon", "coordinates": [ring] })
        }
    };
    let mut name: String = spot.name.chars().take(LONGEST_NAME).collect();
    if name.len() < spot.name.len() {
        name.push('…');
    }
    let mut properties = Map::new();
    properties.insert("item".to_owned(), name.into());
    properties.insert("members".to_owned(), spot.points.len().into());
    properties.insert("people".to_owned(), spot.people.into());
    let spelled_out = spot.name.starts_with('{') && spot.name.chars().count() <= LONGEST_NAME;
    if spot.points.len() > 1 && !spelled_out {
        // A short name, or one that was cut, does not tell all members; their places do.
        properties.insert("places".to_owned(), json!(spot.points));
    }
    json!({ "type": "Feature", "geometry": geometry, "properties": properties })
}

/// A grid whose cells say how many places they hold and how many visitors these have together.
fn cells(spots: &[Spot], [west, south, east, north]: [f64; 4]) -> Vec<Value> {
    let side = ((east - west).max(north - south) / CELLS).max(f64::MIN_POSITIVE);
    let mut grid: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
    for spot in spots {
        let [x, y] = spot.points[0];
        let cell = (((x - west) / side) as u32, ((y - south) / side) as u32);
        let entry = grid.entry(cell).or_default();
        *entry = (entry.0 + 1, entry.1 + spot.people);
    }
    let square = |((column, row), (places, people)): ((u32, u32), (u64, u64))| {
        let (x, y) = (west + f64::from(column) * side, south + f64::from(row) * side);
        let ring = [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]];
        json!({
            "type": "Feature",
            "geometry": { "type": "Polygon", "coordinates": [ring] },
            "properties": { "item": format!("{places} places"), "members": places, "people": people },
        })
    };
    grid.into_iter().map(square).collect()
}

/// The places of a project, if there are any.
pub fn places(
    projects: &Projects,
    workspace: &Workspace,
    snapshot: &Snapshot,
) -> Result<Option<Arc<Places>>, Problem> {
    let items = &snapshot.need_data()?.items;
    let path = projects.home.input(&workspace.project, Input::Places);
    if !path.is_file() {
        return Ok(None);
    }
    let read = || read_places(&Source::file(path), items, &Progress::silent()).map_err(problem::of);
    workspace.places.get((workspace.inputs_version(), snapshot.names.items), read).map(Some)
}

/// Where people were, in a state of the data.
pub fn draw_data(
    projects: &Projects,
    workspace: &Workspace,
    snapshot: &Snapshot,
) -> Result<PlacesMap, Problem> {
    let items = &snapshot.need_data()?.items;
    let places = places(projects, workspace, snapshot)?.ok_or_else(|| {
        Problem::missing("map").with_help("add the coordinates of the items on the Meaning screen")
    })?;
    let spots = (0..items.len()).map(|item| Spot {
        name: items.name(item as u32).to_owned(),
        points: vec![east_north(&places, item)],
        people: snapshot.tally[item].people,
    });
    Ok(draw(places.system, spots.collect()))
}

/// The same for a span of time: people with an event in it, the end excluded.
fn draw_span(
    projects: &Projects,
    workspace: &Workspace,
    snapshot: &Snapshot,
    span: Range<i64>,
) -> Result<PlacesMap, Problem> {
    let data = snapshot.need_data()?;
    let places = places(projects, workspace, snapshot)?.ok_or_else(|| Problem::missing("map"))?;
    let times = data.events.times().ok_or_else(|| {
        Problem::wrong("the data has no times").with_help("ask for the map without a span of time").at("from")
    })?;
    let first = |record: usize| data.events.span(record).start;
    let within = data.events.retain(|record, place, _| span.contains(&times[first(record) + place]));
    let people = within.people_by_item(data.items.len());
    let spots = people.iter().enumerate().filter(|(_, people)| **people > 0).map(|(item, people)| Spot {
        name: data.items.name(item as u32).to_owned(),
        points: vec![east_north(&places, item)],
        people: *people,
    });
    Ok(draw(places.system, spots.collect()))
}

/// Which span of time.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct SpanQuery {
    /// Its begin, as a number of the time axis; all times when not given.
    from: Option<i64>,
    /// Its end, which is not part of it.
    to: Option<i64>,
}

/// Where people were.
#[utoipa::path(get, path = "/api/projects/{project}/map", tag = "data", params(SpanQuery),
    responses((status = 200, description = "The places with people", body = PlacesMap)))]
pub async fn get(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(query): Query<SpanQuery>,
) -> Result<Response, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            match (query.from, query.to) {
                (None, None) => {
                    workspace.answer("map", snapshot.revision, || draw_data(projects, &workspace, &snapshot))
                }
                (from, to) => {
                    let span = from.unwrap_or(i64::MIN)..to.unwrap_or(i64::MAX);
                    let map = draw_span(projects, &workspace, &snapshot, span)?;
                    Ok(serde_json::to_vec(&map)?.into())
                }
            }
        })
        .await
        .map(overview::json)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn many_places_become_cells_that_lose_no_person() {
        let spot =
            |n: usize| Spot { name: n.to_string(), points: vec![[n as f64, (n % 7) as f64]], people: 1 };
        let map = draw(Coordinates::Plane, (0..MAX_FEATURES + 1).map(spot).collect());
        let features = map.features["features"].as_array().unwrap();
        assert!(features.len() < 100);
        let people: u64 = features.iter().map(|cell| cell["properties"]["people"].as_u64().unwrap()).sum();
        assert_eq!(people, MAX_FEATURES as u64 + 1);
        let names: BTreeSet<&str> =
            features.iter().filter_map(|cell| cell["properties"]["item"].as_str()).collect();
        assert_eq!(names.len(), features.len());
    }

    #[test]
    fn names_that_are_cut_stay_apart() {
        let spot = |last: &str| Spot { name: "long ".repeat(20) + last, points: vec![[0.0, 0.0]], people: 1 };
        let map = draw(Coordinates::Plane, vec![spot("a"), spot("b")]);
        let name =
            |at: usize| map.features["features"][at]["properties"]["item"].as_str().unwrap().to_owned();
        assert_ne!(name(0), name(1));
        assert!(name(0).ends_with('…'));
    }
}
