//! The plots of a comparison: each number against the parameter that varies first, runtime, and risk against utility.

use throng_contract::{Better, Scale};

use super::cell::{Cell, Numbers};
use super::grid::Planned;
use super::range;
use super::recipe::Comparing;
use super::table::{Reading, most_known, readings};
use throng_report::plot::{Axis, Chart, ChartKind, Point, Series, Spacing};

/// From so many times the smallest value on, an axis goes by factors.
const WIDE: f64 = 25.0;

/// A number of a cell.
type Number<'a> = dyn Fn(&Numbers) -> Option<f64> + 'a;

/// Plots of results, which are the same in every run; and of runtime, which is not.
pub(super) struct Charts {
    pub results: Vec<Chart>,
    pub runtime: Vec<Chart>,
}

/// Draws everything that has at least one number.
pub(super) fn charts(comparing: &Comparing, planned: &[Planned], cells: &[Cell]) -> Charts {
    let drawn = Drawn { comparing, cells: planned.iter().zip(cells).collect() };
    let known = most_known(cells);
    let mut results = Vec::new();
    let mut runtime = Vec::new();
    for (label, _) in &comparing.data {
        for reading in shown(comparing, cells) {
            let axis = axis_of(reading.scale);
            let about = reading.scale.help;
            results.extend(drawn.chart(label, &reading.column, about, axis, &|n: &Numbers| reading.of(n)));
        }
        if known > 0 {
            let title = format!("people singled out by {known} known events");
            let singled = |n: &Numbers| Some(n.risk.iter().find(|row| row.known == known)?.singled_out[1]);
            let axis = Axis::share("people singled out");
            results.extend(drawn.chart(label, "risk", &title, axis, &singled));
            results.extend(drawn.frontier(label, known));
        }
        let seconds = |n: &Numbers| n.step("anonymise");
        let axis = Axis::from_zero("seconds");
        runtime.extend(drawn.chart(label, "seconds", "seconds that the method took", axis, &seconds));
    }
    Charts { results, runtime }
}

/// Scales that are drawn: those named, or the first of each measure that says something of the data.
fn shown(comparing: &Comparing, cells: &[Cell]) -> Vec<Reading> {
    let mut all = readings(&comparing.measures);
    all.retain(|reading| is_answered(reading, cells.iter()));
    match &comparing.plots.scales {
        Some(names) => all.retain(|reading| names.iter().any(|name| name == reading.scale.name)),
        None => {
            let mut last = None;
            all.retain(|reading| last.replace(reading.measure) != Some(reading.measure));
        }
    }
    all
}

/// Whether any release has such a number: measures have scales for tables and others for events.
fn is_answered<'c>(reading: &Reading, mut cells: impl Iterator<Item = &'c Cell>) -> bool {
    cells.any(|cell| cell.outcome.numbers().is_some_and(|numbers| reading.of(numbers).is_some()))
}

fn axis_of(scale: &Scale) -> Axis {
    let label = scale.name.replace('_', " ");
    if scale.max == 1.0 { Axis::share(label) } else { Axis::from_zero(label) }
}

struct Drawn<'a> {
    comparing: &'a Comparing,
    cells: Vec<(&'a Planned, &'a Cell)>,
}

impl Drawn<'_> {
    /// A number against the parameter that varies first; without one, a bar for each method.
    fn chart(&self, data: &str, name: &str, about: &str, y: Axis, number: &Number<'_>) -> Option<Chart> {
        let (x, form) = self.across();
        let mut series: Vec<Series> = Vec::new();
        for (planned, cell) in self.on(data) {
            let name = self.series_name(planned, cell);
            if series.iter().all(|known| known.name != name) {
                let points = self.points(data, &name, number);
                series.push(Series { name, points });
            }
        }
        if !series.iter().flat_map(|series| &series.points).any(|point| point.y.is_some()) {
            return None;
        }
        let place = if self.comparing.data.len() > 1 { format!(", {data}") } else { String::new() };
        let title = match self.comparing.vary.first() {
            Some((parameter, _)) => format!("{} against {parameter}{place}", name.replace('_', " ")),
            None => format!("{}{place}", name.replace('_', " ")),
        };
        let many = series.len();
        let description =
            format!("{}. {many} lines or bars, one for each method and setting.", sentence(about));
        Some(Chart { id: self.id(name, data), title, description, form, x, y, series })
    }

    /// What is left of risk against what is left of utility, one point a cell.
    fn frontier(&self, data: &str, known: u64) -> Option<Chart> {
        let all = readings(&self.comparing.measures);
        let wanted = self.comparing.plots.frontier.as_deref();
        let judged = |reading: &&Reading| match wanted {
            Some(name) => reading.scale.name == name,
            None => reading.scale.better != Better::Neither,
        };
        let answered = |reading: &&Reading| is_answered(reading, self.cells.iter().map(|(_, cell)| *cell));
        let reading = all.iter().filter(judged).find(answered)?;
        let mut series: Vec<Series> = Vec::new();
        for (planned, cell) in self.on(data) {
            // A release that may not be published beats nothing.
            let Some(numbers) = cell.outcome.numbers().filter(|_| !cell.outcome.is_broken()) else {
                continue;
            };
            let Some(x) = reading.of(numbers) else { continue };
            let risk = numbers.risk.iter().find(|row| row.known == known);
            let point = Point {
                x,
                y: risk.map(|row| row.singled_out[1]),
                interval: None,
                label: Some(self.values(planned, 0)),
            };
            match series.iter_mut().find(|series| series.name == planned.method) {
                Some(series) => series.points.push(point),
                None => series.push(Series { name: planned.method.clone(), points: vec![point] }),
            }
        }
        if series.is_empty() {
            return None;
        }
        let place = if self.comparing.data.len() > 1 { format!(", {data}") } else { String::new() };
        Some(Chart {
            id: self.id("frontier", data),
            title: format!("Risk against {}{place}", reading.column.replace('_', " ")),
            description: format!(
                "People singled out by {known} known events, against {}. The stair joins what no other setting beats.",
                reading.scale.help
            ),
            form: ChartKind::Frontier { x: reading.scale.better, y: Better::Low },
            x: axis_of(reading.scale),
            y: Axis::share("people singled out"),
            series,
        })
    }

    fn on<'a>(&'a self, data: &'a str) -> impl Iterator<Item = (&'a Planned, &'a Cell)> {
        self.cells.iter().filter(move |(planned, _)| planned.data == data).copied()
    }

    fn across(&self) -> (Axis, ChartKind) {
        let Some((name, values)) = self.comparing.vary.first() else {
            let labels = self.comparing.methods.iter().map(|method| method.label.clone());
            return (Axis::categories("method", labels), ChartKind::Bars);
        };
        let Some(numbers) = self.numbers() else {
            return (Axis::categories(name, values.iter().cloned()), ChartKind::Lines);
        };
        let (low, high) = numbers.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        let spacing = if low > 0.0 && high / low >= WIDE { Spacing::Log } else { Spacing::Around };
        (Axis { spacing, ..Axis::from_zero(name) }, ChartKind::Lines)
    }

    /// The values along the axis, if all of them are numbers.
    fn numbers(&self) -> Option<Vec<f64>> {
        let (_, values) = self.comparing.vary.first()?;
        values.iter().map(|value| range::number(value)).collect()
    }

    /// Methods, told apart by what varies besides the first parameter; a bar chart has one place a method. Releases that
    /// break their promise are a series of their own, and say so.
    fn series_name(&self, planned: &Planned, cell: &Cell) -> String {
        let mut name = match self.values(planned, 1) {
            _ if self.comparing.vary.is_empty() => planned.data.clone(),
            rest if rest.is_empty() => planned.method.clone(),
            rest => format!("{}, {rest}", planned.method),
        };
        if cell.outcome.is_broken() {
            name.push_str(" (promise broken)");
        }
        name
    }

    fn values(&self, planned: &Planned, skip: usize) -> String {
        let named = self.comparing.vary.iter().zip(&planned.values).skip(skip);
        let words = named.filter_map(|((name, _), value)| Some(format!("{name} = {}", value.as_ref()?)));
        words.collect::<Vec<_>>().join(", ")
    }

    /// The points of a series: averages over seeds, with the extremes where there are several. A method that does not
    /// follow the first parameter is the same everywhere along it.
    fn points(&self, data: &str, series: &str, number: &Number<'_>) -> Vec<Point> {
        let places: Vec<(f64, Option<&String>)> = match self.comparing.vary.first() {
            None => (0..self.comparing.methods.len()).map(|at| (at as f64, None)).collect(),
            Some((_, values)) => {
                let numbers = self.numbers();
                let at = |place: usize| numbers.as_ref().map_or(place as f64, |numbers| numbers[place]);
                values.iter().enumerate().map(|(place, value)| (at(place), Some(value))).collect()
            }
        };
        let here = |planned: &Planned, place: usize, value: Option<&String>| match planned.values.first() {
            None => self.comparing.methods[place].label == planned.method,
            Some(None) => true,
            Some(own) => own.as_ref() == value,
        };
        let point = |(place, (x, value)): (usize, &(f64, Option<&String>))| {
            let cells = self.on(data).filter(|(planned, cell)| {
                self.series_name(planned, cell) == series && here(planned, place, *value)
            });
            let numbers: Vec<f64> = cells
                .filter_map(|(_, cell)| number(cell.outcome.numbers()?))
                .filter(|y| y.is_finite())
                .collect();
            let ends = numbers.iter().fold([f64::MAX, f64::MIN], |[l, h], v| [l.min(*v), h.max(*v)]);
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            Point {
                x: *x,
                y: (!numbers.is_empty()).then_some(mean),
                interval: (numbers.len() > 1).then_some(ends),
                label: None,
            }
        };
        places.iter().enumerate().map(point).collect()
    }

    fn id(&self, name: &str, data: &str) -> String {
        let name = if self.comparing.data.len() > 1 { format!("{name}-{data}") } else { name.to_owned() };
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
    }
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
