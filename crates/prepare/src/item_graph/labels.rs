//! What the nodes of a graph of items are labelled by.

use throng_data::{Coordinates, Dataset};

use super::ItemGraphError;
use crate::grid::{Bounds, Grid};

/// What nodes are labelled by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Labels {
    /// The category of the item.
    Category,
    /// The cell it lies in, of so many columns and rows over all items.
    Region(u32),
    /// One label for all: only the shape of patterns counts.
    Same,
}

impl Labels {
    /// Columns and rows of regions, unless said otherwise.
    pub const REGIONS: u32 = 2;

    /// Their words on the command line.
    pub const WORDS: [&'static str; 3] = ["category", "region", "same"];

    /// What is known of the items of a dataset: categories before regions before nothing.
    pub fn known(data: &Dataset, regions: u32) -> Labels {
        match (data.categories(), &data.places) {
            (Some(_), _) => Labels::Category,
            (None, Some(_)) => Labels::Region(regions),
            (None, None) => Labels::Same,
        }
    }

    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Labels::Category => Labels::WORDS[0],
            Labels::Region(_) => Labels::WORDS[1],
            Labels::Same => Labels::WORDS[2],
        }
    }
}

/// The label of items that have none.
const UNKNOWN: &str = "unknown";

/// The label of every item.
pub fn labels_of(data: &Dataset, labels: &Labels) -> Result<Vec<String>, ItemGraphError> {
    match labels {
        Labels::Same => Ok(vec!["place".to_owned(); data.items.len()]),
        Labels::Category => {
            let categories = data.categories().ok_or(ItemGraphError::NoCategories)?;
            let label = |name: &String| if name.is_empty() { UNKNOWN.to_owned() } else { name.clone() };
            Ok(categories.iter().map(label).collect())
        }
        Labels::Region(cells) => {
            let places = data.places.as_ref().ok_or(ItemGraphError::NoPlaces)?;
            let east_north = |point: &[f64; 2]| match places.system {
                Coordinates::Plane => *point,
                Coordinates::Degrees => [point[1], point[0]],
            };
            let bounds =
                Bounds::around(places.points.iter().map(east_north)).ok_or(ItemGraphError::NoPlaces)?;
            let grid = Grid::with_cells(bounds, *cells, *cells).ok_or(ItemGraphError::NoRegions)?;
            let digits = cells.saturating_sub(1).to_string().len();
            let label = |point: &[f64; 2]| {
                let [x, y] = east_north(point);
                let (row, column) = grid.position(grid.cell_of(x, y));
                format!("r{row:0digits$}c{column:0digits$}")
            };
            Ok(places.points.iter().map(label).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_data::Places;

    use super::*;

    #[test]
    fn regions_are_counted_from_the_north_west() {
        let mut data = Dataset::from_words(["abc"]);
        let points = vec![[0.0, 10.0], [10.0, 10.0], [10.0, 0.0]];
        data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
        assert_eq!(labels_of(&data, &Labels::Region(2)).unwrap(), ["r0c0", "r0c1", "r1c1"]);
        assert_eq!(Labels::known(&data, 4), Labels::Region(4));
        assert!(matches!(labels_of(&data, &Labels::Category), Err(ItemGraphError::NoCategories)));
        data.own_categories = Some(vec!["inn".to_owned(), String::new(), "bar".to_owned()]);
        assert_eq!(labels_of(&data, &Labels::Category).unwrap(), ["inn", "unknown", "bar"]);
        assert_eq!(Labels::known(&data, 4), Labels::Category);
    }
}
