//! Places on a plane, and areas around places that became one.
//!
//! An area is hatched, and every place it stands for is marked inside it: it says "one of these places", never
//! "anywhere in between".

use std::fmt::Write;

use super::drawing::{Anchor, Drawing};
use super::hull::hull;
use super::numbers::escape;
use super::style::{COLOURS, colour, marker};

/// A map, before it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// Unique on its page; letters, digits and dashes.
    pub id: String,
    /// What is shown, in a line.
    pub title: String,
    /// What there is to see, for those who cannot.
    pub description: String,
    /// The part of the plane that is shown: the lowest and the highest corner.
    pub extent: [[f64; 2]; 2],
    /// Areas, drawn first.
    pub areas: Vec<Area>,
    /// Places, drawn above.
    pub spots: Vec<Spot>,
}

/// A place.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// Where it is; the second number points up.
    pub at: [f64; 2],
    /// Places that belong together look alike.
    pub look: usize,
    /// From 0 (small) to 1 (large).
    pub weight: f64,
    /// What a pointer resting on it shows.
    pub label: String,
}

/// An area around places that became one.
#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    /// The places it stands for.
    pub places: Vec<[f64; 2]>,
    /// The look of its places.
    pub look: usize,
    /// A word or two in its middle; empty for none.
    pub name: String,
    /// What a pointer resting on it shows.
    pub label: String,
}

const WIDTH: f64 = 480.0;
const MARGIN: f64 = 18.0;
/// Low and wide, or high and narrow: the paper is never more than square, nor flatter than this.
const FLATTEST: f64 = 200.0;

/// The drawing for a page that carries [`super::STYLE`].
pub fn map(map: &Map) -> String {
    let plane = Plane::of(map.extent);
    let mut drawing = Drawing::begin(&map.id, &map.title, &map.description, [WIDTH, plane.height], false);
    drawing.raw(&hatchings(map));
    let edge = [[1.0, 1.0], [WIDTH - 1.0, 1.0], [WIDTH - 1.0, plane.height - 1.0], [1.0, plane.height - 1.0]];
    drawing.area("grid", None, &edge, "");
    for area in &map.areas {
        let corners: Vec<[f64; 2]> = hull(&area.places.iter().map(|at| plane.place(*at)).collect::<Vec<_>>());
        let class = format!("area {}", colour(area.look));
        drawing.area(&class, Some(&hatch_id(map, area.look)), &corners, &area.label);
    }
    for spot in &map.spots {
        let size = 2.6 + 5.4 * spot.weight.clamp(0.0, 1.0).sqrt();
        drawing.mark(spot.look, marker(spot.look), plane.place(spot.at), size, &spot.label);
    }
    for (at, name) in names(map, &plane) {
        drawing.word("name strong", at, Anchor::Middle, name);
    }
    drawing.end()
}

/// The names of areas that have room for one: beside no mark of their own, and over no other name.
fn names<'a>(map: &'a Map, plane: &Plane) -> Vec<([f64; 2], &'a str)> {
    let mut placed: Vec<([f64; 2], &str)> = Vec::new();
    for area in map.areas.iter().filter(|area| !area.name.is_empty() && !area.places.is_empty()) {
        let [x, y] = plane.place(middle(&area.places));
        let near = |a: [f64; 2], b: [f64; 2], apart: [f64; 2]| {
            (a[0] - b[0]).abs() < apart[0] && (a[1] - b[1]).abs() < apart[1]
        };
        let marks: Vec<[f64; 2]> = area.places.iter().map(|at| plane.place(*at)).collect();
        let free = |at: &[f64; 2]| {
            let centre = [at[0], at[1] - 4.5];
            !marks.iter().any(|mark| near(*mark, centre, [9.0, 9.0]))
        };
        let spots = [[x, y + 4.5], [x, y - 7.0], [x, y + 17.0], [x + 14.0, y + 4.5], [x - 14.0, y + 4.5]];
        let at = spots.into_iter().find(free).unwrap_or([x, y + 4.5]);
        if !placed.iter().any(|(other, _)| near(*other, at, [16.0, 12.0])) {
            placed.push((at, area.name.as_str()));
        }
    }
    placed
}

fn middle(places: &[[f64; 2]]) -> [f64; 2] {
    let sum = places.iter().fold([0.0, 0.0], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
    sum.map(|sum| sum / places.len() as f64)
}

/// Stripes for each look that an area has.
fn hatchings(map: &Map) -> String {
    let mut looks: Vec<usize> = map.areas.iter().map(|area| hatch(area.look)).collect();
    looks.sort_unstable();
    looks.dedup();
    let mut text = String::new();
    for look in looks {
        let angle = [45, 135, 20, 110, 70, 160, 0, 90][look / COLOURS % 8];
        let _ = writeln!(
            text,
            "<pattern id=\"{}\" class=\"{}\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\" \
             patternTransform=\"rotate({angle})\"><line class=\"hair\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\"/></pattern>",
            hatch_id(map, look),
            colour(look)
        );
    }
    if text.is_empty() { text } else { format!("<defs>\n{text}</defs>\n") }
}

/// Looks beyond 64 share the stripes of earlier ones.
fn hatch(look: usize) -> usize {
    look % (COLOURS * 8)
}

fn hatch_id(map: &Map, look: usize) -> String {
    format!("{}-hatch-{}", escape(&map.id), hatch(look))
}

/// The plane on paper.
struct Plane {
    low: [f64; 2],
    scale: f64,
    shift: [f64; 2],
    height: f64,
}

impl Plane {
    fn of([low, high]: [[f64; 2]; 2]) -> Self {
        let span = [0, 1].map(|axis| (high[axis] - low[axis]).max(0.0));
        let room = WIDTH - 2.0 * MARGIN;
        let longest = span[0].max(span[1]);
        let scale = if longest > 0.0 && longest.is_finite() { room / longest } else { 1.0 };
        let drawn = span.map(|span| span * scale);
        let height = (drawn[1] + 2.0 * MARGIN).clamp(FLATTEST, WIDTH);
        let shift = [(WIDTH - drawn[0]) / 2.0, (height - drawn[1]) / 2.0];
        Plane { low, scale, shift, height }
    }

    fn place(&self, at: [f64; 2]) -> [f64; 2] {
        let across = self.shift[0] + (at[0] - self.low[0]) * self.scale;
        let up = self.shift[1] + (at[1] - self.low[1]) * self.scale;
        [across, self.height - up]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Map {
        let spot = |x: f64, y: f64, look| Spot { at: [x, y], look, weight: 0.0, label: "<a>".to_owned() };
        Map {
            id: "after".to_owned(),
            title: "Released places".to_owned(),
            description: "Three places.".to_owned(),
            extent: [[0.0, 0.0], [10.0, 5.0]],
            areas: vec![Area {
                places: vec![[0.0, 0.0], [10.0, 0.0], [10.0, 5.0]],
                look: 1,
                name: "1".to_owned(),
                label: "{a|b|c}".to_owned(),
            }],
            spots: vec![spot(0.0, 0.0, 1), spot(10.0, 5.0, 1), spot(10.0, 0.0, 1)],
        }
    }

    #[test]
    fn up_is_up_and_everything_is_on_the_paper() {
        let plane = Plane::of(sample().extent);
        let (low, high) = (plane.place([0.0, 0.0]), plane.place([10.0, 5.0]));
        assert!(low[0] < high[0] && low[1] > high[1]);
        for [x, y] in [low, high] {
            assert!((0.0..=WIDTH).contains(&x) && (0.0..=plane.height).contains(&y));
        }
        let point = Plane::of([[3.0, 3.0], [3.0, 3.0]]);
        assert_eq!(point.place([3.0, 3.0]), [WIDTH / 2.0, point.height / 2.0]);
    }

    #[test]
    fn an_area_marks_every_place_it_stands_for() {
        let drawing = map(&sample());
        assert_eq!(drawing.matches("&lt;a&gt;").count(), 3);
        assert!(drawing.contains("id=\"after-hatch-1\"") && drawing.contains("url(#after-hatch-1)"));
    }
}
