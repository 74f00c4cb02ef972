//! Regions of interest: disjoint rectangles that cover every dense cell of a grid.
//!
//! # Reference
//! \[PMPG08\] Pensa, Monreale, Pinelli, Pedreschi. Pattern-preserving k-anonymization of sequences, 2008, section
//! 5.1, after Giannotti, Nanni, Pinelli, Pedreschi. Trajectory pattern mining, KDD 2007.
//! # Guarantees
//! Regions are disjoint; every dense cell lies in exactly one region; each region holds the dense cell it grew
//! from; the average density of a region's cells is at least the threshold. All comparisons are exact.
//! # Cost
//! Linear in the number of cells for the sums, `O(d log d)` for `d` dense cells, and for each growth step the
//! length of a side.
//! # Departs from the paper
//! The paper names no order among equal choices. Here equally dense cells start in row order, and equally good
//! sides are tried as up, right, down, left, where up is towards row 0.

use std::cmp::Reverse;

/// How many people (or trips) touched each cell; row 0 is the top row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DensityGrid {
    columns: usize,
    counts: Vec<u32>,
}

impl DensityGrid {
    /// A grid from its counts, row after row; `None` when the counts are not whole rows.
    pub fn new(columns: usize, counts: Vec<u32>) -> Option<Self> {
        (columns > 0 && counts.len().is_multiple_of(columns)).then_some(DensityGrid { columns, counts })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.counts.len() / self.columns
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The largest density.
    pub fn densest(&self) -> u32 {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    /// The density of a cell.
    pub fn density(&self, row: usize, column: usize) -> u32 {
        self.counts[row * self.columns + column]
    }
}

/// A rectangle of cells; all four borders are inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rectangle {
    /// First row.
    pub top: usize,
    /// First column.
    pub left: usize,
    /// Last row.
    pub bottom: usize,
    /// Last column.
    pub right: usize,
}

impl Rectangle {
    /// Number of cells.
    pub fn cells(&self) -> usize {
        (self.bottom - self.top + 1) * (self.right - self.left + 1)
    }

    /// Whether a cell lies inside.
    pub fn contains(&self, row: usize, column: usize) -> bool {
        (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column)
    }

    /// The strips of cells along the four sides, in the order in which ties are broken.
    fn strips(&self, rows: usize, columns: usize) -> [Option<Rectangle>; 4] {
        let up = (self.top > 0).then(|| Rectangle { top: self.top - 1, bottom: self.top - 1, ..*self });
        let right = (self.right + 1 < columns).then(|| Rectangle {
            left: self.right + 1,
            right: self.right + 1,
            ..*self
        });
        let down = (self.bottom + 1 < rows).then(|| Rectangle {
            top: self.bottom + 1,
            bottom: self.bottom + 1,
            ..*self
        });
        let left = (self.left > 0).then(|| Rectangle { left: self.left - 1, right: self.left - 1, ..*self });
        [up, right, down, left]
    }

    /// The smallest rectangle around both.
    fn joined(&self, other: &Rectangle) -> Rectangle {
        Rectangle {
            top: self.top.min(other.top),
            left: self.left.min(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.max(other.right),
        }
    }
}

/// The regions of a grid and which cell belongs to which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    /// The rectangles, in order of creation.
    pub rectangles: Vec<Rectangle>,
    columns: usize,
    /// Region number of each cell, or [`NONE`].
    owners: Vec<u32>,
}

/// No region owns the cell.
const NONE: u32 = u32::MAX;

impl Regions {
    /// The region that holds a cell, if any.
    pub fn of(&self, row: usize, column: usize) -> Option<u32> {
        let owner = self.owners[row * self.columns + column];
        (owner != NONE).then_some(owner)
    }
}

/// Grows regions around the cells whose density is at least `threshold`.
///
/// Dense cells are taken by decreasing density. Each that no region holds yet starts a rectangle, which grows by
/// the side strip that leaves the highest average density, as long as the strip holds a dense cell and no cell of
/// another region, and the average stays at or above the threshold.
pub fn extract(grid: &DensityGrid, threshold: u32) -> Regions {
    let densities = Sums::new(grid, u64::from);
    let dense = Sums::new(grid, |density| u64::from(density >= threshold));
    let mut seeds: Vec<u32> = (0..grid.counts.len())
        .filter(|cell| grid.counts[*cell] >= threshold)
        .map(|cell| u32::try_from(cell).expect("a grid has fewer than 2^32 cells"))
        .collect();
    seeds.sort_by_key(|cell| Reverse(grid.counts[*cell as usize]));

    let mut regions =
        Regions { rectangles: Vec::new(), columns: grid.columns, owners: vec![NONE; grid.counts.len()] };
    for seed in seeds {
        let (row, column) = (seed as usize / grid.columns, seed as usize % grid.columns);
        if regions.of(row, column).is_some() {
            continue;
        }
        let mut region = Rectangle { top: row, left: column, bottom: row, right: column };
        while let Some(larger) = best_growth(&region, grid, threshold, &densities, &dense, &regions) {
            region = larger;
        }
        let number = regions.rectangles.len() as u32;
        for row in region.top..=region.bottom {
            let first = row * grid.columns;
            regions.owners[first + region.left..=first + region.right].fill(number);
        }
        regions.rectangles.push(region);
    }
    regions
}

/// The region with its best allowed strip, or `None` when it is locally maximal.
fn best_growth(
    region: &Rectangle,
    grid: &DensityGrid,
    threshold: u32,
    densities: &Sums,
    dense: &Sums,
    regions: &Regions,
) -> Option<Rectangle> {
    let mut best: Option<(Rectangle, u128, u128)> = None;
    for strip in region.strips(grid.rows(), grid.columns).into_iter().flatten() {
        let larger = region.joined(&strip);
        let (sum, cells) = (u128::from(densities.over(&larger)), larger.cells() as u128);
        let better = best.is_none_or(|(_, best_sum, best_cells)| sum * best_cells > best_sum * cells);
        let allowed = dense.over(&strip) > 0 && sum >= u128::from(threshold) * cells;
        if better && allowed && is_free(&strip, regions) {
            best = Some((larger, sum, cells));
        }
    }
    best.map(|(larger, ..)| larger)
}

fn is_free(strip: &Rectangle, regions: &Regions) -> bool {
    (strip.top..=strip.bottom)
        .all(|row| (strip.left..=strip.right).all(|column| regions.of(row, column).is_none()))
}

/// Sums over any rectangle in constant time: entry `(r, c)` is the sum of all cells above and left of it.
struct Sums {
    stride: usize,
    sums: Vec<u64>,
}

impl Sums {
    fn new(grid: &DensityGrid, value: impl Fn(u32) -> u64) -> Self {
        let stride = grid.columns + 1;
        let mut sums = vec![0; stride * (grid.rows() + 1)];
        for row in 0..grid.rows() {
            let mut along = 0;
            for column in 0..grid.columns {
                along += value(grid.density(row, column));
                sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] + along;
            }
        }
        Sums { stride, sums }
    }

    fn over(&self, area: &Rectangle) -> u64 {
        let at = |row: usize, column: usize| self.sums[row * self.stride + column];
        at(area.bottom + 1, area.right + 1) + at(area.top, area.left)
            - at(area.top, area.right + 1)
            - at(area.bottom + 1, area.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid(rows: &[&[u32]]) -> DensityGrid {
        DensityGrid::new(rows[0].len(), rows.concat()).unwrap()
    }

    fn corners(regions: &Regions) -> Vec<[usize; 4]> {
        regions.rectangles.iter().map(|r| [r.top, r.left, r.bottom, r.right]).collect()
    }

    #[test]
    fn equal_sides_grow_up_then_right_then_down_then_left() {
        // Every arm gives the same average; after the first, only the opposite arm keeps it at the threshold.
        let shape = |up, right, down, left| grid(&[&[0, up, 0], &[left, 9, right], &[0, down, 0]]);
        let first = |grid| corners(&extract(&grid, 5))[0];
        assert_eq!(first(shape(5, 5, 5, 5)), [0, 1, 2, 1]);
        assert_eq!(first(shape(0, 5, 5, 5)), [1, 0, 1, 2]);
        assert_eq!(first(shape(0, 0, 5, 5)), [1, 1, 2, 1]);
    }

    #[test]
    fn a_strip_without_a_dense_cell_is_not_added_even_if_the_average_allows_it() {
        let row = grid(&[&[100, 2, 100]]);
        assert_eq!(corners(&extract(&row, 3)), [[0, 0, 0, 0], [0, 2, 0, 2]]);
    }

    #[test]
    fn an_earlier_region_is_never_overlapped() {
        // The last cell's left neighbour is dense and would keep the average, but is taken.
        let rows = grid(&[&[9, 0], &[5, 5]]);
        assert_eq!(corners(&extract(&rows, 5)), [[0, 0, 1, 0], [1, 1, 1, 1]]);
    }

    #[test]
    fn grids_without_dense_cells_have_no_region() {
        assert!(extract(&grid(&[&[1, 2], &[0, 1]]), 3).rectangles.is_empty());
        assert_eq!(DensityGrid::new(2, vec![1, 2, 3]), None);
        assert_eq!(DensityGrid::new(0, Vec::new()), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn regions_are_disjoint_cover_every_dense_cell_and_average_the_threshold(
            columns in 1_usize..7,
            counts in proptest::collection::vec(0_u32..9, 42),
            threshold in 1_u32..8,
        ) {
            let rows = 42 / columns;
            let grid = DensityGrid::new(columns, counts[..rows * columns].to_vec()).unwrap();
            let regions = extract(&grid, threshold);
            for row in 0..rows {
                for column in 0..columns {
                    let holders = regions.rectangles.iter().filter(|r| r.contains(row, column)).count();
                    prop_assert!(holders <= 1);
                    prop_assert_eq!(regions.of(row, column).is_some(), holders == 1);
                    prop_assert!(holders == 1 || grid.density(row, column) < threshold);
                }
            }
            for region in &regions.rectangles {
                let cells = (region.top..=region.bottom)
                    .flat_map(|row| (region.left..=region.right).map(move |column| (row, column)));
                let densities: Vec<u32> = cells.map(|(row, column)| grid.density(row, column)).collect();
                prop_assert!(densities.iter().sum::<u32>() >= threshold * region.cells() as u32);
                prop_assert!(densities.iter().any(|density| *density >= threshold));
            }
        }
    }
}
