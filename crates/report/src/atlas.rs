//! Where places are, and which released item stands for which of them.
//!
//! Positions for the public are moved to the nearest knot of a net with [`KNOTS`] meshes along the map's longer side, and
//! meshes of at least [`MESH`] metres where positions are degrees. Only places that the release names are on it. The net
//! is laid over those places alone, so that the same map can be drawn from the release directory.

use throng_data::{Coordinates, Dataset, Places, Release};

/// Meshes along the longer side of a public map.
const KNOTS: f64 = 36.0;
/// The smallest mesh of a public map, in metres.
const MESH: f64 = 250.0;
/// Metres in a degree of latitude.
const DEGREE: f64 = 111_195.0;
/// Above so many places a map for the publisher shows knots instead, in a finer net.
const MAX_PLACES: usize = 2_000;
const FINE: f64 = 72.0;

/// Places and released items, both by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Atlas {
    system: Coordinates,
    pub(super) places: Vec<Place>,
    pub(super) items: Vec<Released>,
}

/// A place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    pub name: String,
    at: [f64; 2],
    /// People who visited it before; for the publisher's eyes.
    pub people: Option<u64>,
    /// Whether the release names it.
    pub released: bool,
}

/// A released item.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Released {
    pub item: String,
    /// Places it may stand for, by their position in the atlas.
    pub members: Vec<usize>,
    /// Whether it stands for several places, or for one under another name.
    pub general: bool,
    pub visits: u64,
    /// People who have it; for the publisher's eyes.
    pub people: u64,
}

/// Places on a plane, in metres or in the unit of the places file.
pub(super) struct View {
    /// The position of each place of the atlas; none for those left out.
    pub at: Vec<Option<[f64; 2]>>,
    /// The lowest and highest corner.
    pub extent: [[f64; 2]; 2],
    /// Whether places were moved to knots.
    pub moved: bool,
}

impl Atlas {
    /// The places of a release; `places` speaks of its original items.
    pub fn of(release: &Release, places: &Places) -> Self {
        let visits = visits(release);
        let people = release.events().people_by_item(release.alphabet.len());
        let mut order: Vec<usize> = (0..release.base.len()).collect();
        order.sort_unstable_by_key(|item| release.base.name(*item as u32));
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, item)| position[*item] = at);
        let mut all: Vec<Place> = order
            .iter()
            .map(|item| Place {
                name: release.base.name(*item as u32).to_owned(),
                at: places.points[*item],
                people: None,
                released: false,
            })
            .collect();
        let mut items: Vec<Released> = Vec::new();
        for (number, general) in release.alphabet.iter().enumerate().filter(|(item, _)| visits[*item] > 0) {
            let mut members: Vec<usize> =
                general.members.iter().map(|member| position[*member as usize]).collect();
            members.sort_unstable();
            members.iter().for_each(|place| all[*place].released = true);
            items.push(Released {
                item: release.name(number as u32),
                members,
                general: !general.is_intact() || general.label.is_some(),
                visits: visits[number],
                people: people[number],
            });
        }
        items.sort_by(|a, b| a.item.cmp(&b.item));
        Atlas { system: places.system, places: all, items }
    }

    /// Adds how many people visited each place before, and the places that were suppressed.
    #[must_use]
    pub fn with_original(mut self, data: &Dataset, places: &Places) -> Self {
        let before = data.events.people_by_item(data.items.len());
        let known = self.places.len();
        for (item, people) in before.into_iter().enumerate().filter(|(_, people)| *people > 0) {
            let name = data.items.name(item as u32);
            match self.places[..known].binary_search_by(|place| place.name.as_str().cmp(name)) {
                Ok(at) => self.places[at].people = Some(people),
                Err(_) => self.places.push(Place {
                    name: name.to_owned(),
                    at: places.points[item],
                    people: Some(people),
                    released: false,
                }),
            }
        }
        self
    }

    /// What the public may see.
    pub(super) fn public(&self) -> View {
        let mesh = if self.system == Coordinates::Degrees { MESH } else { 0.0 };
        self.view(|place| place.released, Some((KNOTS, mesh)))
    }

    /// What the publisher sees.
    pub(super) fn exact(&self) -> View {
        let seen = |place: &Place| place.released || place.people.is_some();
        let many = self.places.iter().filter(|place| seen(place)).count() > MAX_PLACES;
        self.view(seen, many.then_some((FINE, 0.0)))
    }

    fn view(&self, shown: impl Fn(&Place) -> bool, net: Option<(f64, f64)>) -> View {
        let finite = |place: &&Place| place.at.iter().all(|value| value.is_finite());
        let raw: Vec<Option<[f64; 2]>> = self
            .places
            .iter()
            .map(|place| Some(place).filter(|p| shown(p)).filter(finite).map(|p| p.at))
            .collect();
        let middle = corners(raw.iter().flatten()).map_or(0.0, |[low, high]| (low[0] + high[0]) / 2.0);
        let planar = |at: [f64; 2]| match self.system {
            Coordinates::Plane => at,
            Coordinates::Degrees => [at[1] * middle.to_radians().cos() * DEGREE, at[0] * DEGREE],
        };
        let mut at: Vec<Option<[f64; 2]>> = raw.into_iter().map(|at| at.map(planar)).collect();
        let extent = corners(at.iter().flatten()).unwrap_or([[0.0; 2]; 2]);
        if let Some((knots, mesh)) = net {
            let longer = (extent[1][0] - extent[0][0]).max(extent[1][1] - extent[0][1]);
            let mesh = (longer / knots).max(mesh);
            let knot = |value: f64, low: f64| {
                if mesh > 0.0 { low + ((value - low) / mesh).round() * mesh } else { low }
            };
            for place in at.iter_mut().flatten() {
                *place = [knot(place[0], extent[0][0]), knot(place[1], extent[0][1])];
            }
        }
        let extent = corners(at.iter().flatten()).unwrap_or(extent);
        View { at, extent, moved: net.is_some() }
    }
}

fn corners<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> Option<[[f64; 2]; 2]> {
    points.fold(None, |corners, at| {
        let [low, high] = corners.unwrap_or([*at, *at]);
        Some([[low[0].min(at[0]), low[1].min(at[1])], [high[0].max(at[0]), high[1].max(at[1])]])
    })
}

fn visits(release: &Release) -> Vec<u64> {
    let mut visits = vec![0; release.alphabet.len()];
    release.events().items().iter().for_each(|item| visits[*item as usize] += 1);
    visits
}

#[cfg(test)]
mod tests {
    use throng_data::GeneralisedItem;

    use super::*;

    /// Places a to e on a line; b and c became one, d was suppressed.
    fn atlas() -> (Atlas, Dataset, Places) {
        let data = Dataset::from_words(["abcde", "ab"]);
        let points = vec![[0.0, 0.0], [1.0, 0.4], [1.7, 0.0], [50.0, 0.0], [36.0, 0.0]];
        let places = Places { system: Coordinates::Plane, points, categories: None };
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        release.alphabet = vec![
            GeneralisedItem::of(vec![0]),
            GeneralisedItem::of(vec![1, 2]),
            GeneralisedItem::of(vec![3]),
            GeneralisedItem::of(vec![4]),
        ];
        let events =
            data.events.retain(|_, _, item| item != 3).recode(|item| [0, 1, 1, 2, 3][item as usize], false);
        release.body = throng_data::Body::of_events(events);
        (Atlas::of(&release, &places), data, places)
    }

    #[test]
    fn the_public_sees_released_places_on_knots_and_nothing_else() {
        let (atlas, data, places) = atlas();
        let view = atlas.clone().with_original(&data, &places).public();
        assert_eq!(view.at, [Some([0.0, 0.0]), Some([1.0, 0.0]), Some([2.0, 0.0]), None, Some([36.0, 0.0])]);
        assert_eq!(view.extent, [[0.0, 0.0], [36.0, 0.0]], "the suppressed place leaves no trace");
        assert_eq!(view.at, atlas.public().at);
    }

    #[test]
    fn the_publisher_sees_all_places_where_they_are() {
        let (atlas, data, places) = atlas();
        let atlas = atlas.with_original(&data, &places);
        let view = atlas.exact();
        assert_eq!((view.at[1], view.at[3]), (Some([1.0, 0.4]), Some([50.0, 0.0])));
        assert_eq!(
            atlas.places.iter().map(|place| place.people).collect::<Vec<_>>(),
            [2, 2, 1, 1, 1].map(Some)
        );
        let item = &atlas.items[2];
        assert_eq!(
            (item.item.as_str(), &item.members[..], item.visits, item.people),
            ("{b|c}", &[1, 2][..], 3, 2)
        );
    }

    #[test]
    fn degrees_are_flattened_around_their_middle_and_knots_are_wide() {
        let (mut atlas, ..) = atlas();
        atlas.system = Coordinates::Degrees;
        for (place, at) in atlas.places.iter_mut().zip([
            [60.0, 10.0],
            [60.0, 10.001],
            [60.001, 10.0],
            [0.0, 0.0],
            [60.0, 10.01],
        ]) {
            place.at = at;
        }
        let view = atlas.public();
        assert_eq!(
            (view.at[0], view.at[1]),
            (view.at[2], view.at[0]),
            "places a hundred metres apart share a knot"
        );
        let [low, high] = atlas.exact().extent;
        let metres = high[0] - low[0];
        assert!((metres - 556.0).abs() < 1.0, "a hundredth of a degree at 60° north: {metres}");
    }
}
