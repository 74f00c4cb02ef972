//! A uniform grid over a rectangle: which cell a point is in, and which cells a straight line crosses.
//!
//! Coordinates are `x` to the east and `y` to the north; on the globe these are degrees of longitude and latitude.
//! Rows are numbered from the top (north), columns from the left (west), cells row by row. A cell holds its
//! southern and western borders; the outermost northern and eastern borders belong to the last cells, so that every
//! point of the rectangle has exactly one cell.

/// A rectangle in `x` and `y`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Western border.
    pub west: f64,
    /// Southern border.
    pub south: f64,
    /// Eastern border.
    pub east: f64,
    /// Northern border.
    pub north: f64,
}

impl Bounds {
    /// The smallest rectangle around points; `None` without any.
    pub fn around(points: impl IntoIterator<Item = [f64; 2]>) -> Option<Self> {
        points.into_iter().fold(None, |bounds: Option<Bounds>, [x, y]| {
            Some(match bounds {
                None => Bounds { west: x, south: y, east: x, north: y },
                Some(b) => Bounds {
                    west: b.west.min(x),
                    south: b.south.min(y),
                    east: b.east.max(x),
                    north: b.north.max(y),
                },
            })
        })
    }

    /// Whether a point lies inside or on the border.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.west..=self.east).contains(&x) && (self.south..=self.north).contains(&y)
    }

    /// The point in the middle.
    pub fn centre(&self) -> [f64; 2] {
        [self.west / 2.0 + self.east / 2.0, self.south / 2.0 + self.north / 2.0]
    }
}

/// A uniform grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    bounds: Bounds,
    columns: u32,
    rows: u32,
    cell_width: f64,
    cell_height: f64,
}

impl Grid {
    /// The given number of cells over exactly these bounds; `None` unless there are between 1 and 2³² − 1 cells.
    pub fn with_cells(bounds: Bounds, columns: u32, rows: u32) -> Option<Self> {
        columns.checked_mul(rows).filter(|cells| *cells > 0)?;
        let cell_width = (bounds.east - bounds.west) / f64::from(columns);
        let cell_height = (bounds.north - bounds.south) / f64::from(rows);
        Some(Grid { bounds, columns, rows, cell_width, cell_height })
    }

    /// Cells of the given size, from the south-western corner on, as many as it takes to cover the bounds.
    pub fn with_size(bounds: Bounds, cell_width: f64, cell_height: f64) -> Option<Self> {
        let count = |length: f64, cell: f64| {
            let cells = (length / cell).ceil().max(1.0);
            (cells <= f64::from(u32::MAX)).then_some(cells as u32)
        };
        let columns = count(bounds.east - bounds.west, cell_width)?;
        let rows = count(bounds.north - bounds.south, cell_height)?;
        columns.checked_mul(rows)?;
        let east = bounds.west + cell_width * f64::from(columns);
        let north = bounds.south + cell_height * f64::from(rows);
        // Rounding must not leave a border point outside.
        let bounds = Bounds { east: east.max(bounds.east), north: north.max(bounds.north), ..bounds };
        Some(Grid { bounds, columns, rows, cell_width, cell_height })
    }

    /// Number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Number of cells.
    pub fn cells(&self) -> u32 {
        self.columns * self.rows
    }

    /// The rectangle covered.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Row (from the top) and column of a cell.
    pub fn position(&self, cell: u32) -> (u32, u32) {
        (cell / self.columns, cell % self.columns)
    }

    /// The cell of a point inside the bounds; a point outside is given the nearest cell.
    pub fn cell_of(&self, x: f64, y: f64) -> u32 {
        let (column, from_south) = self.steps(x, y);
        (self.rows - 1 - from_south) * self.columns + column
    }

    /// The rectangle of the cells between two corners, borders included.
    pub fn rectangle(&self, top: u32, left: u32, bottom: u32, right: u32) -> Bounds {
        let x = |column: u32| {
            if column == self.columns {
                self.bounds.east
            } else {
                self.bounds.west + self.cell_width * f64::from(column)
            }
        };
        let y = |from_south: u32| {
            if from_south == self.rows {
                self.bounds.north
            } else {
                self.bounds.south + self.cell_height * f64::from(from_south)
            }
        };
        Bounds {
            west: x(left),
            east: x(right + 1),
            south: y(self.rows - 1 - bottom),
            north: y(self.rows - top),
        }
    }

    /// Calls `visit(cell, share)` for the cells strictly between those of the two ends of a straight line, in
    /// order; `share` in `[0, 1]` is how much of the line lies before the cell.
    ///
    /// Walks from border to border (Amanatides and Woo, 1987). A line through a corner passes one of the two
    /// cells beside it, so that each step goes to a neighbour.
    pub fn cross(&self, from: [f64; 2], to: [f64; 2], mut visit: impl FnMut(u32, f64)) {
        let (mut column, mut row) = self.steps(from[0], from[1]);
        let (last_column, last_row) = self.steps(to[0], to[1]);
        let (mut columns_left, mut rows_left) = (column.abs_diff(last_column), row.abs_diff(last_row));
        while columns_left + rows_left > 1 {
            // A direction that has arrived crosses no further border.
            let share =
                |cells_left: u32, step: u32, rising: bool, start: f64, cell: f64, from: f64, to: f64| {
                    if cells_left == 0 {
                        return f64::INFINITY;
                    }
                    let border = start + cell * f64::from(if rising { step + 1 } else { step });
                    ((border - from) / (to - from)).clamp(0.0, 1.0)
                };
            let east = last_column > column;
            let north = last_row > row;
            let by_x = share(columns_left, column, east, self.bounds.west, self.cell_width, from[0], to[0]);
            let by_y = share(rows_left, row, north, self.bounds.south, self.cell_height, from[1], to[1]);
            if by_x <= by_y {
                column = if east { column + 1 } else { column - 1 };
                columns_left -= 1;
            } else {
                row = if north { row + 1 } else { row - 1 };
                rows_left -= 1;
            }
            visit((self.rows - 1 - row) * self.columns + column, by_x.min(by_y));
        }
    }

    /// Columns from the west and rows from the south.
    fn steps(&self, x: f64, y: f64) -> (u32, u32) {
        let step = |distance: f64, cell: f64, count: u32| {
            // A grid without extent has zero-sized cells and 0/0 below; the cast turns that into cell 0.
            ((distance / cell) as u32).min(count - 1)
        };
        (
            step(x - self.bounds.west, self.cell_width, self.columns),
            step(y - self.bounds.south, self.cell_height, self.rows),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SQUARE: Bounds = Bounds { west: 0.0, south: 0.0, east: 10.0, north: 10.0 };

    fn crossed(grid: &Grid, from: [f64; 2], to: [f64; 2]) -> Vec<u32> {
        let mut cells = Vec::new();
        grid.cross(from, to, |cell, _| cells.push(cell));
        cells
    }

    #[test]
    fn border_points_belong_to_the_cell_they_open_and_the_outermost_to_the_last() {
        let grid = Grid::with_cells(SQUARE, 2, 2).unwrap();
        assert_eq!(grid.cell_of(0.0, 0.0), 2);
        assert_eq!(grid.cell_of(5.0, 5.0), 1);
        assert_eq!(grid.cell_of(4.9, 5.0), 0);
        assert_eq!(grid.cell_of(10.0, 10.0), 1);
        assert_eq!(grid.cell_of(10.0, 0.0), 3);
        let sized = Grid::with_size(SQUARE, 2.5, 5.0).unwrap();
        assert_eq!((sized.columns(), sized.rows(), sized.cell_of(10.0, 10.0)), (4, 2, 3));
        let uneven = Grid::with_size(SQUARE, 4.0, 6.0).unwrap();
        assert_eq!(uneven.bounds(), Bounds { east: 12.0, north: 12.0, ..SQUARE });
    }

    #[test]
    fn one_point_or_identical_points_make_a_grid_of_usable_cells() {
        let dot = Bounds::around([[3.0, 4.0], [3.0, 4.0]]).unwrap();
        let sized = Grid::with_size(dot, 2.0, 2.0).unwrap();
        assert_eq!((sized.cells(), sized.cell_of(3.0, 4.0)), (1, 0));
        let fixed = Grid::with_cells(dot, 10, 10).unwrap();
        let (row, column) = fixed.position(fixed.cell_of(3.0, 4.0));
        assert!(fixed.rectangle(row, column, row, column).contains(3.0, 4.0));
        assert_eq!(Bounds::around([]), None);
    }

    #[test]
    fn grids_without_cells_or_with_too_many_are_refused() {
        assert_eq!(Grid::with_cells(SQUARE, 0, 5), None);
        assert_eq!(Grid::with_cells(SQUARE, 1 << 16, 1 << 16), None);
        assert_eq!(Grid::with_size(SQUARE, 1e-9, 1e-9), None);
        assert_eq!(Grid::with_size(SQUARE, 1e-300, 1.0), None);
    }

    #[test]
    fn a_line_crosses_the_cells_between_its_ends() {
        let grid = Grid::with_cells(SQUARE, 10, 10).unwrap();
        assert_eq!(crossed(&grid, [0.5, 9.5], [3.5, 9.5]), [1, 2]);
        assert_eq!(crossed(&grid, [3.5, 9.5], [0.5, 9.5]), [2, 1]);
        assert!(crossed(&grid, [0.5, 9.5], [1.5, 9.5]).is_empty());
        assert_eq!(crossed(&grid, [0.5, 9.5], [0.5, 7.5]), [10]);
        let mut shares = Vec::new();
        grid.cross([0.0, 0.5], [4.0, 0.5], |_, share| shares.push(share));
        assert_eq!(shares, [0.25, 0.5, 0.75]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn crossing_steps_to_neighbours_that_the_line_touches(
            from in [0.0..10.0_f64, 0.0..10.0_f64],
            to in [0.0..10.0_f64, 0.0..10.0_f64],
            columns in 1_u32..9,
            rows in 1_u32..9,
        ) {
            let grid = Grid::with_cells(SQUARE, columns, rows).unwrap();
            let mut path = vec![(grid.cell_of(from[0], from[1]), 0.0)];
            grid.cross(from, to, |cell, share| path.push((cell, share)));
            path.push((grid.cell_of(to[0], to[1]), 1.0));
            prop_assert!(path.is_sorted_by(|a, b| a.1 <= b.1));
            for pair in path.windows(2) {
                let (a, b) = (grid.position(pair[0].0), grid.position(pair[1].0));
                prop_assert!(a.0.abs_diff(b.0) + a.1.abs_diff(b.1) <= 1);
            }
            for (cell, share) in path {
                let (row, column) = grid.position(cell);
                let area = grid.rectangle(row, column, row, column);
                let (x, y) = (from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share);
                let near = 1e-9;
                prop_assert!(x >= area.west - near && x <= area.east + near);
                prop_assert!(y >= area.south - near && y <= area.north + near);
            }
        }
    }
}
