//! The grid of a preparation, and the names and areas of its places.

use throng_data::{Coordinates, Dictionary};

use super::error::PrepareError;
use super::options::{Extent, GridSize, Options};
use crate::grid::{Bounds, Grid};
use crate::regions::Regions;

/// Densities of all cells are kept in memory: about 30 bytes a cell.
const MAX_CELLS_WITH_DENSITY: u32 = 1 << 24;

/// The bounds that were asked for; past 180 degrees when they hold the antimeridian.
pub(super) fn extent(Extent(bounds): Extent, system: Coordinates) -> Result<Bounds, PrepareError> {
    let refuse = |problem| Err(PrepareError::Bounds { problem });
    match system {
        Coordinates::Plane if bounds.west > bounds.east => {
            refuse("have their west side east of their east side")
        }
        Coordinates::Plane => Ok(bounds),
        Coordinates::Degrees => {
            let latitudes = [bounds.south, bounds.north];
            let longitudes = [bounds.west, bounds.east];
            if latitudes.iter().any(|lat| lat.abs() > 90.0) || longitudes.iter().any(|lon| lon.abs() > 180.0)
            {
                return refuse("are not degrees: latitudes end at 90, longitudes at 180");
            }
            let around = if bounds.west > bounds.east { 360.0 } else { 0.0 };
            Ok(Bounds { east: bounds.east + around, ..bounds })
        }
    }
}

/// The grid that was asked for.
pub(super) fn grid(options: &Options, bounds: Bounds, system: Coordinates) -> Result<Grid, PrepareError> {
    let usual = if options.regions.is_some() { 100 } else { 10 };
    let grid = match options.grid.unwrap_or(GridSize::Cells { columns: usual, rows: usual }) {
        GridSize::Cells { columns, rows } => Grid::with_cells(bounds, columns, rows),
        GridSize::Side(side) => {
            let side = side.on(system)?;
            let (width, height) = match system {
                Coordinates::Plane => (side, side),
                Coordinates::Degrees => in_degrees(side, &bounds),
            };
            Grid::with_size(bounds, width, height)
        }
    };
    let regions = options.regions.is_some();
    let limit = if regions { MAX_CELLS_WITH_DENSITY } else { u32::MAX };
    grid.filter(|grid| grid.cells() <= limit).ok_or(PrepareError::GridTooLarge { limit, regions })
}

/// Width and height in degrees of a square of so many metres at the middle latitude.
pub(crate) fn in_degrees(side: f64, bounds: &Bounds) -> (f64, f64) {
    let [_, middle] = bounds.centre();
    let height = side / Coordinates::Degrees.distance([0.0, 0.0], [1.0, 0.0]);
    // At a pole every longitude is the same place: one cell goes all around.
    let width = (height / middle.to_radians().cos()).clamp(0.0, 360.0);
    (width, height)
}

/// Latitude and longitude, or `x` and `y`, of the middle of an area.
pub(super) fn centre(bounds: &Bounds, system: Coordinates) -> [f64; 2] {
    let [x, y] = bounds.centre();
    match system {
        Coordinates::Plane => [x, y],
        Coordinates::Degrees => [y, if x > 180.0 { x - 360.0 } else { x }],
    }
}

/// Places are the cells of a grid, or regions on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'a> {
    pub grid: &'a Grid,
    pub regions: Option<&'a Regions>,
}

impl Layout<'_> {
    /// The area of a place.
    pub fn bounds(&self, place: u32) -> Bounds {
        match self.regions {
            None => {
                let (row, column) = self.grid.position(place);
                self.grid.rectangle(row, column, row, column)
            }
            Some(regions) => {
                let region = &regions.rectangles[place as usize];
                let [top, left, bottom, right] =
                    [region.top, region.left, region.bottom, region.right].map(|edge| edge as u32);
                self.grid.rectangle(top, left, bottom, right)
            }
        }
    }

    /// `r3c07` is a cell by row and column from the north-west, `R2` the second region.
    pub fn names(&self, places: &[u32]) -> Dictionary {
        let digits = |count: u32| (count - 1).to_string().len();
        let (row_digits, column_digits) = (digits(self.grid.rows()), digits(self.grid.columns()));
        let mut names = Dictionary::new();
        for place in places {
            match self.regions {
                Some(_) => names.intern(&format!("R{}", place + 1)),
                None => {
                    let (row, column) = self.grid.position(*place);
                    names.intern(&format!("r{row:0row_digits$}c{column:0column_digits$}"))
                }
            };
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(bounds: Bounds, text: &str, system: Coordinates) -> Result<Grid, PrepareError> {
        grid(&Options { grid: Some(text.parse().unwrap()), ..Options::default() }, bounds, system)
    }

    #[test]
    fn square_cells_are_square_at_the_middle_latitude() {
        let berlin = Bounds { west: 13.0, south: 52.0, east: 14.0, north: 53.0 };
        let grid = side(berlin, "500m", Coordinates::Degrees).unwrap();
        let cell = grid.rectangle(grid.rows() / 2, 0, grid.rows() / 2, 0);
        let metres = |a: [f64; 2], b: [f64; 2]| Coordinates::Degrees.distance(a, b);
        let wide = metres([cell.south, cell.west], [cell.south, cell.east]);
        let high = metres([cell.south, cell.west], [cell.north, cell.west]);
        assert!((wide - 500.0).abs() < 1.0 && (high - 500.0).abs() < 0.01, "{wide} {high}");
    }

    #[test]
    fn at_a_pole_one_cell_goes_all_around() {
        let pole = Bounds { west: -180.0, south: 90.0, east: 180.0, north: 90.0 };
        let grid = side(pole, "500m", Coordinates::Degrees).unwrap();
        assert_eq!((grid.columns(), grid.rows()), (1, 1));
    }

    #[test]
    fn bounds_may_hold_the_antimeridian_on_the_globe_only() {
        let fiji = Extent(Bounds { west: 177.0, south: -19.0, east: -179.0, north: -16.0 });
        assert_eq!(extent(fiji, Coordinates::Degrees).unwrap().east, 181.0);
        assert_eq!(
            centre(&extent(fiji, Coordinates::Degrees).unwrap(), Coordinates::Degrees),
            [-17.5, 179.0]
        );
        assert!(extent(fiji, Coordinates::Plane).is_err());
        assert!(extent("0,0,10,91".parse().unwrap(), Coordinates::Degrees).is_err());
    }

    #[test]
    fn grids_too_large_for_densities_are_refused_for_regions() {
        let square = Bounds { west: 0.0, south: 0.0, east: 1.0, north: 1.0 };
        assert!(side(square, "5000x5000", Coordinates::Plane).is_ok());
        let regions = Some(super::super::RegionOptions {
            min_density: "5".parse().unwrap(),
            k: None,
            counting: super::super::Counting::People,
        });
        let options = Options { grid: "5000x5000".parse().ok(), regions, ..Options::default() };
        let error = grid(&options, square, Coordinates::Plane).unwrap_err();
        assert_eq!(error.to_string(), "the grid would have more than 16777216 cells, too many for regions");
    }

    #[test]
    fn cell_names_sort_as_they_lie() {
        let square = Bounds { west: 0.0, south: 0.0, east: 1.0, north: 1.0 };
        let grid = Grid::with_cells(square, 12, 5).unwrap();
        let layout = Layout { grid: &grid, regions: None };
        assert_eq!(
            layout.names(&[0, 11, 12, 59]).names().collect::<Vec<_>>(),
            ["r0c00", "r0c11", "r1c00", "r4c11"]
        );
    }
}
