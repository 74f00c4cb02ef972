//! What items become: the first characters of their codes, their category, groups from a file, or cells of a grid.

use std::collections::BTreeMap;

use throng_data::{Coordinates, Dataset, Dictionary, ItemId, Places};

use super::ReshapeError;
use crate::grid::{Bounds, Grid};
use crate::points::cell_in_degrees;
use crate::units::Distance;

/// What items become.
#[derive(Debug, Clone, PartialEq)]
pub enum Mapping {
    /// So many of the first characters.
    Prefix(usize),
    /// The category of the item.
    Category,
    /// The group of the item; an item without one is an error.
    Groups(BTreeMap<String, String>),
    /// The square cell it lies in, of such a side.
    Cells(Distance),
}

/// The names that items become, and which each becomes.
pub(super) struct Mapped {
    pub names: Vec<String>,
    pub image: Vec<Option<ItemId>>,
    pub places: Option<Places>,
    /// Categories that no place has, of items that stay what they are.
    pub categories: Option<Vec<String>>,
}

impl Mapped {
    /// Items stay what they are.
    pub fn same(data: &Dataset) -> Self {
        Mapped {
            names: data.items.names().map(str::to_owned).collect(),
            image: (0..data.items.len() as ItemId).map(Some).collect(),
            places: data.places.clone(),
            categories: data.own_categories.clone(),
        }
    }

    fn named(names: impl Iterator<Item = String>) -> Self {
        let mut known = Dictionary::new();
        let image = names.map(|name| Some(known.intern(&name))).collect();
        Mapped { names: known.names().map(str::to_owned).collect(), image, places: None, categories: None }
    }
}

impl Mapping {
    pub(super) fn on(&self, data: &Dataset) -> Result<Mapped, ReshapeError> {
        match self {
            Mapping::Prefix(length) => {
                let cut = |name: &str| name.chars().take((*length).max(1)).collect::<String>();
                let mapped = Mapped::named(data.items.names().map(cut));
                Ok(Mapped { places: middles(data, &mapped), ..mapped })
            }
            Mapping::Category => {
                let categories = data.categories().ok_or(ReshapeError::NoCategories)?;
                if let Some(item) = categories.iter().position(String::is_empty) {
                    let name = data.items.name(item as ItemId).to_owned();
                    return Err(ReshapeError::NoGroup { name });
                }
                Ok(Mapped::named(categories.iter().cloned()))
            }
            Mapping::Groups(groups) => {
                let group = |name: &str| {
                    groups.get(name).cloned().ok_or_else(|| ReshapeError::NoGroup { name: name.to_owned() })
                };
                let names: Vec<String> = data.items.names().map(group).collect::<Result<_, _>>()?;
                let mapped = Mapped::named(names.into_iter());
                Ok(Mapped { places: middles(data, &mapped), ..mapped })
            }
            Mapping::Cells(side) => cells(data, *side),
        }
    }
}

/// The middle of the places of the items behind each name.
fn middles(data: &Dataset, mapped: &Mapped) -> Option<Places> {
    let places = data.places.as_ref()?;
    let mut sums = vec![([0.0, 0.0], 0.0_f64); mapped.names.len()];
    for (point, image) in places.points.iter().zip(&mapped.image) {
        let ([first, second], count) = &mut sums[image.as_ref().map_or(0, |image| *image as usize)];
        *first += point[0];
        *second += point[1];
        *count += 1.0;
    }
    let points =
        sums.iter().map(|([first, second], count)| [first / count.max(1.0), second / count.max(1.0)]);
    Some(Places { system: places.system, points: points.collect(), categories: None })
}

/// Cells over the area of all places, named by row and column from the north-west.
fn cells(data: &Dataset, side: Distance) -> Result<Mapped, ReshapeError> {
    let places = data.places.as_ref().ok_or(ReshapeError::NoPlaces)?;
    let side = side.on(places.system)?;
    let east_north = |point: &[f64; 2]| match places.system {
        Coordinates::Plane => *point,
        Coordinates::Degrees => [point[1], point[0]],
    };
    let bounds = Bounds::around(places.points.iter().map(east_north)).ok_or(ReshapeError::NoPlaces)?;
    let (width, height) = match places.system {
        Coordinates::Plane => (side, side),
        Coordinates::Degrees => cell_in_degrees(side, &bounds),
    };
    let grid = Grid::with_size(bounds, width, height).ok_or(ReshapeError::TooManyCells)?;
    let digits = |count: u32| count.saturating_sub(1).to_string().len();
    let (row_digits, column_digits) = (digits(grid.rows()), digits(grid.columns()));
    let mut known = Dictionary::new();
    let mut points = Vec::new();
    let mut image = Vec::with_capacity(places.points.len());
    for point in &places.points {
        let [x, y] = east_north(point);
        let (row, column) = grid.position(grid.cell_of(x, y));
        let number = known.intern(&format!("r{row:0row_digits$}c{column:0column_digits$}"));
        if number as usize == points.len() {
            let [x, y] = grid.rectangle(row, column, row, column).centre();
            points.push(if places.system == Coordinates::Degrees { [y, x] } else { [x, y] });
        }
        image.push(Some(number));
    }
    let places = Places { system: places.system, points, categories: None };
    Ok(Mapped {
        names: known.names().map(str::to_owned).collect(),
        image,
        places: Some(places),
        categories: None,
    })
}
