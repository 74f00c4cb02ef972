//! The places of a release on a map.

use std::path::Path;

use throng_contract::{Failure, Input, Progress};
use throng_data::Release;
use throng_data::formats::{Source, read_places};

use crate::platform::problem::Problem;
use crate::workbench::data::map::{self, PlacesMap, Spot, east_north};
use crate::workbench::project::home::input_file;

/// The places of the release: a hull stands for a generalised place.
pub fn map_after(folder: &Path, release: &Release, people: &[u64]) -> Result<Option<PlacesMap>, Problem> {
    let path = folder.join(input_file(Input::Places));
    if !path.is_file() || !release.body.has_rows() {
        return Ok(None);
    }
    let places =
        read_places(&Source::file(path), &release.base, &Progress::silent()).map_err(Failure::from)?;
    let names = release.names();
    let spots =
        release.alphabet.iter().enumerate().filter(|(item, _)| people[*item] > 0).map(|(item, general)| {
            Spot {
                name: names[item].clone(),
                points: general.members.iter().map(|member| east_north(&places, *member as usize)).collect(),
                people: people[item],
            }
        });
    Ok(Some(map::draw(places.system, spots.collect())))
}
