//! What the nodes of a graph of items are labelled by.

use throng_contract::choices;
use throng_data::{Coordinates, Dataset};

use super::ItemGraphError;
use crate::grid::{Bounds, Grid};

choices! {
    /// How labels are chosen.
    pub enum LabelsBy {
        /// By what is known: categories before regions before nothing.
        Known = "known",
        /// By the category of the item.
        Category = "category",
        /// By the region it lies in.
        Region = "region",
        /// One label for all.
        Same = "same",
    }
}

impl LabelsBy {
    /// The labels of a dataset's items; regions are so many columns and rows.
    pub fn labels(self, data: &Dataset, regions: u32) -> Labels {
        match self {
            LabelsBy::Known => Labels::known(data, regions),
            LabelsBy::Category => Labels::Category,
            LabelsBy::Region => Labels::Region(regions),
            LabelsBy::Same => Labels::Same,
        }
    }
}

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
            let label = |point: &[f64; 2]| {
                let [x, y] = east_north(point);
                let (row, column) = grid.position(grid.cell_of(x, y));
                region(row, column, *cells)
            };
            Ok(places.points.iter().map(label).collect())
        }
    }
}

/// A region in words: by the compass where there are few, else by row and column, both counted from 1 and from the north-west.
fn region(row: u32, column: u32, cells: u32) -> String {
    let word = |at: u32, words: [&'static str; 2]| match (at, cells) {
        (0, _) => words[0],
        (at, cells) if at + 1 == cells => words[1],
        _ => "",
    };
    match (cells, word(row, ["north", "south"]), word(column, ["west", "east"])) {
        (1, ..) => "everywhere".to_owned(),
        (2 | 3, "", "") => "centre".to_owned(),
        (2 | 3, "", one) | (2 | 3, one, "") => one.to_owned(),
        (2 | 3, north_south, west_east) => format!("{north_south}-{west_east}"),
        _ => {
            let digits = cells.to_string().len();
            format!("row {:0digits$} column {:0digits$}", row + 1, column + 1)
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
        assert_eq!(labels_of(&data, &Labels::Region(2)).unwrap(), ["north-west", "north-east", "south-east"]);
        assert_eq!(labels_of(&data, &Labels::Region(1)).unwrap(), ["everywhere"; 3]);
        assert_eq!([region(0, 1, 3), region(1, 1, 3), region(2, 0, 3)], ["north", "centre", "south-west"]);
        assert_eq!(region(0, 11, 12), "row 01 column 12");
        assert_eq!(Labels::known(&data, 4), Labels::Region(4));
        assert!(matches!(labels_of(&data, &Labels::Category), Err(ItemGraphError::NoCategories)));
        data.own_categories = Some(vec!["inn".to_owned(), String::new(), "bar".to_owned()]);
        assert_eq!(labels_of(&data, &Labels::Category).unwrap(), ["inn", "unknown", "bar"]);
        assert_eq!(Labels::known(&data, 4), Labels::Category);
    }
}
