//! From the points of a trip to the places it visits.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};

use super::options::Counting;
use super::point::Point;
use crate::grid::Grid;
use crate::regions::{DensityGrid, Regions};

/// Calls `visit(cell, time)` for the cells of a trip in order; with `interpolate`, also for those that the straight
/// line between two points crosses, at the time a steady traveller enters them. Points outside the grid are
/// passed over, and no line is drawn to or from them.
pub(super) fn walk(trip: &[Point], grid: &Grid, interpolate: bool, mut visit: impl FnMut(u32, i64)) {
    let mut last: Option<&Point> = None;
    for point in trip {
        if !grid.bounds().contains(point.x, point.y) {
            last = None;
            continue;
        }
        if let Some(last) = last.filter(|_| interpolate) {
            let seconds = point.time.saturating_sub(last.time) as f64;
            grid.cross([last.x, last.y], [point.x, point.y], |cell, share| {
                visit(cell, last.time.saturating_add((seconds * share) as i64));
            });
        }
        visit(grid.cell_of(point.x, point.y), point.time);
        last = Some(point);
    }
}

/// How many people, or trips, touch each cell.
pub(super) fn densities(
    people: &[&[Point]],
    grid: &Grid,
    interpolate: bool,
    counting: Counting,
    progress: &Progress,
) -> Result<DensityGrid, Cancelled> {
    let phase = progress.phase("count visitors of cells", Some(people.len() as u64));
    let counts: Vec<AtomicU32> = (0..grid.cells()).map(|_| AtomicU32::new(0)).collect();
    people.par_iter().with_min_len(16).try_for_each_init(Vec::new, |cells: &mut Vec<u32>, person| {
        let one_each = |cells: &mut Vec<u32>| {
            cells.sort_unstable();
            cells.dedup();
            for cell in cells.drain(..) {
                // Sums do not depend on the order of the threads.
                counts[cell as usize].fetch_add(1, Ordering::Relaxed);
            }
        };
        for trip in person.chunk_by(|a, b| a.record == b.record) {
            walk(trip, grid, interpolate, |cell, _| {
                if cells.last() != Some(&cell) {
                    cells.push(cell);
                }
            });
            if counting == Counting::Trips {
                one_each(cells);
            }
        }
        one_each(cells);
        phase.advance(1)
    })?;
    let counts = counts.into_iter().map(AtomicU32::into_inner).collect();
    Ok(DensityGrid::new(grid.columns() as usize, counts).expect("one count for each cell"))
}

/// How visits become events.
#[derive(Debug, Clone, Copy)]
pub(super) struct Translation<'a> {
    pub grid: &'a Grid,
    /// Places are regions; cells without.
    pub regions: Option<&'a Regions>,
    pub interpolate: bool,
    pub keep_repeats: bool,
    /// Width of time bins and the clock's distance from UTC, in seconds.
    pub bins: Option<(i64, i64)>,
}

/// What was left out of the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LeftOut {
    /// Visits outside every region.
    pub outside: u64,
    /// Consecutive visits of the same place.
    pub repeats: u64,
}

impl Translation<'_> {
    /// Appends the events of a trip: cell or region, and time.
    pub fn translate(&self, trip: &[Point], events: &mut Vec<(u32, i64)>) -> LeftOut {
        let first = events.len();
        let mut left_out = LeftOut::default();
        walk(trip, self.grid, self.interpolate, |cell, time| {
            let place = match self.regions {
                None => cell,
                Some(regions) => {
                    let (row, column) = self.grid.position(cell);
                    let Some(region) = regions.of(row as usize, column as usize) else {
                        left_out.outside += 1;
                        return;
                    };
                    region
                }
            };
            if !self.keep_repeats && events[first..].last().is_some_and(|(last, _)| *last == place) {
                left_out.repeats += 1;
            } else {
                events.push((place, self.bin(time)));
            }
        });
        left_out
    }

    /// The beginning of the bin of a time.
    fn bin(&self, time: i64) -> i64 {
        let Some((width, offset)) = self.bins else { return time };
        let local = time.saturating_add(offset);
        local.saturating_sub(local.rem_euclid(width)).saturating_sub(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Bounds;
    use crate::regions::extract;
    use proptest::prelude::*;

    fn grid() -> Grid {
        Grid::with_cells(Bounds { west: 0.0, south: 0.0, east: 5.0, north: 1.0 }, 5, 1).unwrap()
    }

    fn trip(places: &[(i64, f64)]) -> Vec<Point> {
        places.iter().map(|&(time, x)| Point { subject: 0, record: 0, time, x, y: 0.5 }).collect()
    }

    fn cells<'a>(grid: &'a Grid) -> Translation<'a> {
        Translation { grid, regions: None, interpolate: false, keep_repeats: false, bins: None }
    }

    fn events(translation: &Translation<'_>, places: &[(i64, f64)]) -> Vec<(u32, i64)> {
        let mut events = Vec::new();
        translation.translate(&trip(places), &mut events);
        events
    }

    #[test]
    fn crossed_cells_are_visited_at_the_time_of_entering() {
        let grid = grid();
        let translation = Translation { interpolate: true, ..cells(&grid) };
        assert_eq!(events(&translation, &[(0, 0.5), (40, 4.5)]), [(0, 0), (1, 5), (2, 15), (3, 25), (4, 40)]);
    }

    #[test]
    fn points_outside_are_passed_over_without_a_line() {
        let grid = grid();
        let translation = Translation { interpolate: true, ..cells(&grid) };
        assert_eq!(events(&translation, &[(0, 0.5), (1, -9.0), (2, 4.5)]), [(0, 0), (4, 2)]);
    }

    #[test]
    fn bins_begin_by_the_local_clock_and_before_1970_too() {
        let grid = grid();
        let hours = |offset| Translation { bins: Some((3600, offset)), ..cells(&grid) };
        assert_eq!(events(&hours(0), &[(3599, 0.0), (3600, 1.0)]), [(0, 0), (1, 3600)]);
        assert_eq!(events(&hours(1800), &[(3599, 0.0)]), [(0, 1800)]);
        assert_eq!(events(&hours(0), &[(-1, 0.0)]), [(0, -3600)]);
    }

    #[test]
    fn a_person_or_a_trip_counts_once_in_each_cell() {
        let mut points = trip(&[(0, 0.5), (1, 1.5), (2, 0.5), (3, 0.5)]);
        points[3].record = 1;
        let count = |counting| {
            let density = densities(&[&points], &grid(), true, counting, &Progress::silent()).unwrap();
            (0..5).map(|column| density.density(0, column)).collect::<Vec<_>>()
        };
        assert_eq!(count(Counting::People), [1, 1, 0, 0, 0]);
        assert_eq!(count(Counting::Trips), [2, 1, 0, 0, 0]);
    }

    #[test]
    fn visits_between_regions_are_left_out_and_counted() {
        let grid = grid();
        let regions = extract(&DensityGrid::new(5, vec![9, 9, 0, 0, 9]).unwrap(), 5);
        let translation = Translation { regions: Some(&regions), ..cells(&grid) };
        let mut events = Vec::new();
        let track = trip(&[(0, 0.5), (1, 1.5), (2, 2.5), (3, 0.5), (4, 4.5)]);
        let left_out = translation.translate(&track, &mut events);
        // The visit in between lies in no region, so that the region before and after it is the same place.
        assert_eq!(events, [(0, 0), (1, 4)]);
        assert_eq!(left_out, LeftOut { outside: 1, repeats: 2 });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn collapsing_removes_adjacent_repeats_and_nothing_else(
            places in proptest::collection::vec((0_i64..100, 0.0..5.0_f64), 0..12),
            interpolate: bool,
        ) {
            let mut places = places;
            places.sort_by_key(|(time, _)| *time);
            let grid = grid();
            let all = Translation { keep_repeats: true, interpolate, ..cells(&grid) };
            let mut expected = events(&all, &places);
            prop_assert!(expected.is_sorted_by_key(|(_, time)| *time));
            expected.dedup_by_key(|(cell, _)| *cell);
            prop_assert_eq!(events(&Translation { interpolate, ..cells(&grid) }, &places), expected);
        }

        #[test]
        fn every_event_lies_in_the_cell_of_its_point(
            places in proptest::collection::vec((0_i64..100, 0.0..=5.0_f64), 0..12),
        ) {
            let mut places = places;
            places.sort_by_key(|(time, _)| *time);
            let grid = grid();
            let events = events(&Translation { keep_repeats: true, ..cells(&grid) }, &places);
            prop_assert_eq!(events.len(), places.len());
            for ((cell, time), (seen, x)) in events.into_iter().zip(places) {
                let area = grid.rectangle(0, cell, 0, cell);
                prop_assert!(time == seen && area.contains(x, 0.5));
            }
        }
    }
}
