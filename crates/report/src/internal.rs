//! What only the publisher may see.

use throng_data::{Dataset, Dictionary};
use throng_measure::Profile;
use throng_methods::Explanation;

use super::html::{self, Cell, Table, code, paragraph};
use super::{Evidence, crowd};
use crate::plot::{Axis, Chart, ChartKind, Series, escape, figure, figures, grouped};
use crate::samples::Samples;
use throng_data::load::ReadFile;
use throng_release::clock::Timing;
use throng_release::explain;

/// What the publisher knows beside the release.
#[derive(Default)]
pub struct Insight<'a> {
    /// The data as they were.
    pub data: Option<&'a Dataset>,
    /// Why each step was taken, and the names of the items it speaks of.
    pub reasons: Option<(&'a Explanation, &'a Dictionary)>,
    /// How long each step took.
    pub timings: &'a [Timing],
    /// Files the release was made from.
    pub inputs: &'a [ReadFile],
    /// The seed that was used.
    pub seed: Option<u64>,
    /// Some records before and after.
    pub samples: Samples,
}

/// Rare items that are named, and steps that are listed.
const ITEMS: usize = 50;
const STEPS: usize = 500;

pub(super) fn warning() -> String {
    "<div class=\"card warn\">\n<p><strong>Not for publication.</strong> This page names rare places and patterns with the number \
     of people behind them, which is what the promise hides.</p>\n</div>\n"
        .to_owned()
}

pub(super) fn sections(evidence: &Evidence<'_>, insight: &Insight<'_>) -> String {
    let mut text = String::new();
    if let Some(data) = insight.data {
        text.push_str(&html::section("before", "The data before", &before(data, crowd(evidence))));
    }
    if !insight.samples.rows.is_empty() {
        text.push_str(&html::section("rows", "Before and after, row by row", &rows(&insight.samples)));
    }
    text.push_str(&html::section("reasons", "Why it looks the way it does", &reasons(insight)));
    text.push_str(&html::section("run", "The run", &run(insight)));
    text
}

fn before(data: &Dataset, crowd: u64) -> String {
    let profile = Profile::of(data, 0);
    let mut rare: Vec<(u64, &str)> = data
        .events
        .people_by_item(data.items.len())
        .into_iter()
        .enumerate()
        .filter(|(_, people)| (1..crowd).contains(people))
        .map(|(item, people)| (people, data.items.name(item as u32)))
        .collect();
    rare.sort_unstable();
    let mut table = Table::new("Sizes of the data", &[]);
    let mut row = |what: &str, value: String| table.row(&Cell::Text(what), &[Cell::Number(&value)]);
    row("People", grouped(profile.subjects));
    row("Records", grouped(profile.records));
    row("Events", grouped(profile.events));
    row("Distinct items", grouped(profile.items));
    row("Events of a record, on average", figures(profile.lengths.mean));
    row("Events of the longest record", grouped(profile.lengths.max));
    row(&format!("Items that fewer than {crowd} people have"), grouped(rare.len() as u64));
    let mut text = table.render();
    text.push_str(&figure(&lengths(&profile)));
    if !rare.is_empty() {
        let mut table = Table::new("Rare items", &["Rare item", "People"]).tall();
        for (people, name) in rare.iter().take(ITEMS) {
            table.row(&Cell::Html(&code(name)), &[Cell::Number(&grouped(*people))]);
        }
        text.push_str("<h3>Rare items</h3>\n");
        text.push_str(&table.render());
        text.push_str(&more(rare.len(), ITEMS));
    }
    text
}

fn lengths(profile: &Profile) -> Chart {
    let bins = &profile.lengths.histogram;
    let name = |from: u64, to: u64| if from == to { from.to_string() } else { format!("{from}–{to}") };
    let points = bins.iter().enumerate().map(|(place, bin)| (place as f64, Some(bin.records as f64)));
    Chart {
        id: "lengths".to_owned(),
        title: "Records by their number of events".to_owned(),
        description: format!(
            "Records have {} to {} events, {} in the middle.",
            profile.lengths.min, profile.lengths.max, profile.lengths.median
        ),
        form: ChartKind::Bars,
        x: Axis::categories("Events of a record", bins.iter().map(|bin| name(bin.from, bin.to))),
        y: Axis::from_zero("Records"),
        series: vec![Series::of("Records", points)],
    }
}

/// Records drawn at random, each above what became of it.
fn rows(samples: &Samples) -> String {
    let mut text = paragraph("Some records, drawn at random, as they were and as they are released.");
    let mut head = vec![""];
    match samples.columns.is_empty() {
        true => head.push("Items"),
        false => head.extend(samples.columns.iter().map(String::as_str)),
    }
    let mut table = Table::new("Records before and after", &head).tall();
    for sample in &samples.rows {
        for (when, words, total) in
            [("before", &sample.before, sample.before_total), ("after", &sample.after, sample.after_total)]
        {
            let cells: Vec<String> = match samples.columns.is_empty() {
                true if words.is_empty() => vec!["nothing is left".to_owned()],
                true => {
                    let more = (total as usize).saturating_sub(words.len());
                    let rest = if more > 0 {
                        format!(" … and {} more", grouped(more as u64))
                    } else {
                        String::new()
                    };
                    let shown: Vec<String> =
                        words.iter().map(|word| code(&html::shortened(word, 0))).collect();
                    vec![shown.join(" ") + &rest]
                }
                false => words.iter().map(|word| escape(word)).collect(),
            };
            let cells: Vec<Cell<'_>> = cells.iter().map(|cell| Cell::Html(cell)).collect();
            table.row(&Cell::Text(when), &cells);
        }
    }
    text.push_str(&table.render());
    text
}

fn reasons(insight: &Insight<'_>) -> String {
    let Some((explanation, names)) = insight.reasons else {
        return format!(
            "<p>The reasons are known only while a release is made: {} writes them down.</p>\n",
            code("throng anonymize --internal-report FILE")
        );
    };
    let steps = &explanation.steps;
    let shown = Explanation { steps: steps.iter().take(STEPS).cloned().collect() };
    format!(
        "{}<div class=\"scroll tall\" role=\"region\" tabindex=\"0\" aria-label=\"Steps and what forced them\"><pre>{}</pre></div>\n{}",
        paragraph("Each step, the pattern that forced it, how many people had it, and how many were needed."),
        escape_lines(&explain::table(&shown, names)),
        more(steps.len(), STEPS)
    )
}

fn escape_lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}

fn more(all: usize, shown: usize) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        more => paragraph(&format!("… and {} more.", grouped(more as u64))),
    }
}

fn run(insight: &Insight<'_>) -> String {
    let mut text = String::new();
    if let Some(seed) = insight.seed {
        text.push_str(&paragraph(&format!("Seed of every random choice: {seed}.")));
    }
    let mut files = Table::new("Files that were read", &["Read as", "File", "SHA-256"]);
    for file in insight.inputs {
        let sha256 = file.digest.map_or_else(|| "not recorded".to_owned(), |digest| digest.to_string());
        files.row(&Cell::Text(&file.role), &[Cell::Html(&code(&file.name)), Cell::Html(&code(&sha256))]);
    }
    text.push_str(&files.render());
    if !insight.timings.is_empty() {
        let mut table = Table::new("How long it took", &["Step", "Seconds"]);
        for timing in insight.timings {
            let seconds = format!("{:.2}", timing.took.as_secs_f64());
            table.row(&Cell::Text(timing.step), &[Cell::Number(&seconds)]);
        }
        text.push_str(&table.render());
    }
    text
}
