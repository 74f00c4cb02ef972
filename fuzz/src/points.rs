//! Raw points, on a grid that does not grow with the extent of what was read.

use throng_contract::Progress;
use throng_data::formats::Source;
use throng_prepare::points::{Options, PointFormat, prepare};

/// One row a point.
pub fn csv(bytes: &[u8]) {
    read("points.csv", PointFormat::Csv, bytes);
}

/// Tracks.
pub fn gpx(bytes: &[u8]) {
    read("points.gpx", PointFormat::Gpx, bytes);
}

/// A feature a line.
pub fn geojson(bytes: &[u8]) {
    read("points.geojson", PointFormat::GeoJson, bytes);
}

fn read(name: &str, format: PointFormat, bytes: &[u8]) {
    let options = Options { format: Some(format), ..Options::default() };
    let Ok(prepared) = prepare(&Source::memory(name, bytes), &options, &Progress::silent()) else { return };
    let events = &prepared.dataset.events;
    assert_eq!(prepared.areas.len(), prepared.dataset.items.len(), "every place has an area");
    assert!(prepared.summary.points >= events.len() as u64, "no event without a point");
    for record in 0..events.records() {
        assert!(events.times_of(record).unwrap_or(&[]).is_sorted());
    }
    for area in &prepared.areas {
        assert!(area.people > 0, "a place has visitors");
    }
}
