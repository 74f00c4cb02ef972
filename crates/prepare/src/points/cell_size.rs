//! The side of a cell, chosen from the data where the user gives none.
//!
//! Small cells single people out, large ones say nothing. Taken is the finest of the usual sides (1, 2, 5, 10, 20, 50, ... metres, or units of the
//! plane) at which most visits are at places where enough people are. Cells are aligned to the area of the points, so the choice and the grid
//! depend on the data: bounds and a side of one's own do not.
//!
//! # Cost
//! One pass over the points for each side tried, from coarse to fine, until one is too fine.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use throng_data::Coordinates;

use super::point::Point;
use crate::grid::{Bounds, Grid};
use crate::units::Distance;

/// People who make a place one of many.
const ENOUGH_PEOPLE: u32 = 5;

/// The share of visits that have to be at such places: four in five.
const SHARED_VISITS: (u64, u64) = (4, 5);

/// The most cells along the longer side of the area that are tried.
const FINEST: f64 = 4096.0;

/// A side, and why it was taken.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    pub side: Distance,
    pub why: String,
}

/// The side of a cell for these points; `None` where no side has enough people anywhere. `people` has the points of each person, and `grid` lays
/// a grid with cells of a side.
pub(super) fn choose(
    people: &[&[Point]],
    bounds: &Bounds,
    system: Coordinates,
    grid: impl Fn(f64) -> Option<Grid>,
) -> Option<Chosen> {
    let extent = longer_side(bounds, system);
    if people.len() < ENOUGH_PEOPLE as usize || !extent.is_finite() || extent <= 0.0 {
        return None;
    }
    let mut taken = None;
    for side in usual_sides(extent) {
        let Some(grid) = grid(side) else { break };
        let (shared, all) = shared_visits(people, &grid);
        if shared * SHARED_VISITS.1 < all * SHARED_VISITS.0 {
            break;
        }
        taken = Some(side);
    }
    let side = match system {
        Coordinates::Degrees => Distance::Metres(taken?),
        Coordinates::Plane => Distance::Plane(taken?),
    };
    let why = format!(
        "the finest usual size at which {} in {} visits are at places of {ENOUGH_PEOPLE} people or more",
        SHARED_VISITS.0, SHARED_VISITS.1
    );
    Some(Chosen { side, why })
}

fn longer_side(bounds: &Bounds, system: Coordinates) -> f64 {
    match system {
        Coordinates::Plane => (bounds.east - bounds.west).max(bounds.north - bounds.south),
        Coordinates::Degrees => {
            let [_, middle] = bounds.centre();
            let wide = system.distance([middle, bounds.west], [middle, bounds.east]);
            wide.max(system.distance([bounds.south, bounds.west], [bounds.north, bounds.west]))
        }
    }
}

/// 1, 2 and 5 times powers of ten, from half the extent down.
fn usual_sides(extent: f64) -> impl Iterator<Item = f64> {
    let top = (extent / 2.0).log10().floor() as i32;
    let sides = (0..=12).flat_map(move |step| {
        let power = 10_f64.powi(top - step);
        [5.0 * power, 2.0 * power, power]
    });
    sides.filter(move |side| *side <= extent / 2.0).take_while(move |side| *side >= extent / FINEST)
}

/// Visits (a person at a cell, however often) at cells of enough people, and all of them.
fn shared_visits(people: &[&[Point]], grid: &Grid) -> (u64, u64) {
    let mut visitors: HashMap<u32, u32, FixedState> = HashMap::default();
    let mut cells: Vec<u32> = Vec::new();
    for points in people {
        cells.clear();
        let inside = points.iter().filter(|point| grid.bounds().contains(point.x, point.y));
        cells.extend(inside.map(|point| grid.cell_of(point.x, point.y)));
        cells.sort_unstable();
        cells.dedup();
        for cell in &cells {
            *visitors.entry(*cell).or_default() += 1;
        }
    }
    let all = visitors.values().map(|people| u64::from(*people)).sum();
    let shared =
        visitors.values().filter(|people| **people >= ENOUGH_PEOPLE).map(|people| u64::from(*people));
    (shared.sum(), all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(subject: u32, x: f64, y: f64) -> Point {
        Point { subject, record: 0, time: 0, x, y }
    }

    fn chosen(points: &[Point]) -> Option<Distance> {
        let people: Vec<&[Point]> = points.chunk_by(|a, b| a.subject == b.subject).collect();
        let bounds = Bounds::around(points.iter().map(|point| [point.x, point.y]))?;
        let grid = |side: f64| Grid::with_size(bounds, side, side);
        choose(&people, &bounds, Coordinates::Plane, grid).map(|chosen| chosen.side)
    }

    #[test]
    fn people_at_a_few_places_get_cells_that_tell_these_apart() {
        // Ten people at each of four corners, a tenth of a unit apart from each other.
        let corners = [(0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0), (1000.0, 1000.0)];
        let points: Vec<Point> = (0..40)
            .map(|person| {
                let (x, y) = corners[person as usize % 4];
                point(person, x + f64::from(person / 4) * 0.01, y)
            })
            .collect();
        let Some(Distance::Plane(side)) = chosen(&points) else { unreachable!("five people at each place") };
        assert!((0.1..=500.0).contains(&side), "{side}");
    }

    #[test]
    fn a_handful_of_people_gets_no_choice() {
        assert_eq!(chosen(&[point(0, 0.0, 0.0), point(1, 9.0, 9.0)]), None);
    }

    #[test]
    fn sides_are_usual_ones() {
        let sides: Vec<f64> = usual_sides(1000.0).take(4).collect();
        assert_eq!(sides, [500.0, 200.0, 100.0, 50.0]);
    }
}
