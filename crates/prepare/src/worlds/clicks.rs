//! Visits to the sections of a news site, with the character of the MSNBC set.
//!
//! Most visitors look at one or two pages, a few at thousands. They tend to stay in a section, and otherwise
//! move to a popular or a related one.

use super::draw::{Draw, Weighted};
use super::stream::push_row;
use super::{Character, Population, World};

pub(super) const CLICKS: World = World {
    name: "clicks",
    purpose: "page categories clicked through on a news site, like the MSNBC set",
    files: &[
        ("events.csv", "subject,item: the category of each page, in order"),
        ("taxonomy.csv", "category;group;site"),
        ("patterns.csv", "sensitive patterns, one a line"),
        ("alphabet.csv", "all categories, one a line: public knowledge"),
    ],
    attributes: &[],
    subjects: 100_000,
    sizes: None,
    character: Character {
        subjects: 100_000,
        items: 17,
        noun: "categories",
        events: 475_923,
        longest: 1_106,
        singled_out_by_2: 0.0,
        singled_out_by_4: 0.0,
    },
    stage: |_| Box::new(Clicks::new()),
};

/// Section, group, share of entries, chance to stay for another page.
const SECTIONS: [(&str, &str, f64, f64); 17] = [
    ("front-page", "headlines", 30.0, 0.45),
    ("news", "headlines", 9.0, 0.55),
    ("msn-news", "headlines", 3.0, 0.50),
    ("summary", "headlines", 2.5, 0.40),
    ("tech", "topics", 6.0, 0.60),
    ("business", "topics", 4.0, 0.60),
    ("health", "topics", 3.5, 0.60),
    ("opinion", "voices", 1.5, 0.35),
    ("on-air", "voices", 7.0, 0.60),
    ("bulletin-board", "voices", 4.5, 0.85),
    ("misc", "voices", 3.5, 0.55),
    ("sports", "leisure", 6.0, 0.70),
    ("msn-sports", "leisure", 2.0, 0.60),
    ("living", "leisure", 3.0, 0.50),
    ("travel", "leisure", 0.8, 0.50),
    ("local", "nearby", 8.0, 0.50),
    ("weather", "nearby", 5.7, 0.75),
];

/// Paths that say something about a visitor: looking for help, or for a job.
const PATTERNS: [&str; 3] = ["health > bulletin-board", "local > health", "business > opinion"];

/// Pages of a visit.
const MAX_PAGES: u32 = 4000;

/// Sets the mean number of pages.
const LENGTH_SHIFT: f64 = 3.73;

struct Clicks {
    lengths: Weighted,
    entries: Weighted,
    /// Where visitors go who leave each section.
    moves: Vec<Weighted>,
}

impl Clicks {
    fn new() -> Self {
        let moves = SECTIONS.iter().enumerate().map(|(from, (_, group, ..))| {
            Weighted::new(SECTIONS.iter().enumerate().map(|(to, (_, other, share, _))| match () {
                () if from == to => 0.0,
                () if group == other => 4.0 * share,
                () => *share,
            }))
        });
        Clicks {
            lengths: Weighted::heavy_tail(MAX_PAGES, LENGTH_SHIFT),
            entries: Weighted::new(SECTIONS.iter().map(|(_, _, share, _)| *share)),
            moves: moves.collect(),
        }
    }
}

impl Population for Clicks {
    fn tables(&self) -> Vec<(&'static str, String)> {
        vec![
            (
                "taxonomy.csv",
                SECTIONS.iter().map(|(name, group, ..)| format!("{name};{group};site\n")).collect(),
            ),
            ("patterns.csv", PATTERNS.iter().map(|pattern| format!("{pattern}\n")).collect()),
            ("alphabet.csv", SECTIONS.iter().map(|(name, ..)| format!("{name}\n")).collect()),
        ]
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let length = self.lengths.draw(draw) as u64 + 1;
        let mut section = self.entries.draw(draw);
        for event in 0..length {
            let (.., stays) = SECTIONS[section];
            if event > 0 && !draw.chance(stays) {
                section = self.moves[section].draw(draw);
            }
            push_row(&mut rows[0], &[subject, SECTIONS[section].0]);
        }
        length
    }
}
