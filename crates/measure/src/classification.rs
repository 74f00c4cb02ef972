//! How well a column can still be predicted from the others by a classifier that learns from the release.
//!
//! People are divided into parts at random. Each part is held out in turn: a classifier learns from the released rows of
//! all others, and guesses the class of those held out from their *original* values; next to it stand the accuracy after
//! learning from the original rows of the same people, and that of always guessing the commonest class.
//!
//! A released cell teaches every value that it may be, all equally likely, so that a value which local recoding published in
//! several ways is learned from all of them, and the people held out need not be recoded. Numbers and dates are learned by up to
//! [`BINS`] intervals with as many people each, the same for both classifiers. A row without a class (suppressed, or
//! with a class cell that may be several) teaches nothing, and is counted.
//!
//! # Reference
//! FWY05: Fung, Wang, Yu. Top-down specialization for information and privacy preservation. ICDE 2005 (accuracy of a
//! classifier as the measure of a table).
//! # Guarantees
//! The same data, release and seed give the same numbers with any number of threads.
//! # Cost
//! A pass for each column, and one to guess.
//! # Departs from the paper
//! One naive Bayes classifier instead of C4.5: it learns from what a cell may be.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use throng_contract::{
    Better, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Key, Need, Scale, Settings, settings,
};
use throng_data::{Domain, RecodedColumn, Role};

use crate::naive_bayes::{Classifier, Predictor, Roll};
use crate::table::{Cells, beside, quasi, released};
use crate::{Comparison, Measure, MeasureError, Readings};

/// Numbers and dates are learned by so many intervals at most.
pub const BINS: usize = 20;

/// More classes than this are no classes.
const CLASSES: usize = 1_000;

settings! {
    /// What the measure is asked for.
    struct Asked {
        class: String = Key::column(
            "class",
            "column to predict; without one, the first sensitive column",
        )
        .or(""),
        folds: u64 = Key::integer(
            "folds",
            2..=100,
            "parts that people are divided into; each is held out once",
        )
        .or("3"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "classification",
    kind: DescriptorKind::Measure,
    purpose: "how well a column is predicted from the quasi-identifying ones after learning from the release",
    takes: &[DataKind::Table],
    needs: &[Need::optional(Input::Hierarchies)],
    params: Asked::ALL,
    keeps: None,
    product: None,
    over_parts: None,
    gauge: Some(Gauge {
        cost: Cost::Queries,
        scales: &[
            Scale::kept(
                "accuracy",
                "held-out people whose class is guessed right, having learned from the release",
                1.0,
            ),
            Scale::loss(
                "accuracy_lost",
                "by how much learning from the data is better; 0 where it is not",
                1.0,
            ),
            Scale {
                better: Better::Neither,
                ..Scale::kept("accuracy_original", "the same, having learned from the data", 1.0)
            },
            Scale {
                better: Better::Neither,
                ..Scale::kept(
                    "accuracy_majority",
                    "people who are in the commonest class: right without learning",
                    1.0,
                )
            },
            Scale::loss(
                "untaught_rows_share",
                "rows whose class is not told: nothing is learned from them",
                1.0,
            ),
        ],
    }),
    variants: false,
    paper: "FWY05",
    example: "throng measure patients/patients.csv release --schema patients/schema.toml --linkage linkage.csv \
              --measure classification",
    notes: "People held out must not have been learned from, so it must be known whose each released row is: `linkage`. Accuracy \
            near that of the commonest class says that the release does not help to predict; accuracy of a sensitive column \
            far above it says that it does, for an attacker, too.",
};

/// Accuracy of a classifier.
#[derive(Debug, Clone, Copy)]
pub struct ClassificationMeasure;

impl Measure for ClassificationMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        let not = |reason| MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason };
        released(on, DESCRIPTOR.name)?;
        if !on.aligned {
            return Err(not("it has to know which row is whose: give the `linkage`"));
        }
        let class = class(on, &asked.class).ok_or(not(
            "there is no such column to predict in the data and in the release, or none is sensitive: name one as `class`",
        ))?;
        if class.domain.len() > CLASSES {
            return Err(not("the column to predict has more than 1000 values"));
        }
        let mut predictors = quasi(on, DESCRIPTOR.name)?;
        predictors.retain(|cells| cells.column.name != class.column.name);
        let people = class.domain.codes.len();
        let parts = (asked.folds as usize).min(people);
        if predictors.is_empty() || parts < 2 {
            return Err(not("it needs a quasi-identifying column beside the one to predict, and two rows"));
        }
        on.progress.check()?;
        let bins: Vec<Vec<u32>> = predictors.iter().map(|cells| bins(&cells.domain)).collect();
        let part_of = divided(people, parts, on.seed);
        let told = told(&class);
        let untaught = told.iter().filter(|class| class.is_none()).count();
        let of_release = Side { predictors: &predictors, bins: &bins, class_of: told, released: true };
        let original = class.domain.codes.iter().map(|code| Some(*code)).collect();
        let of_data = Side { class_of: original, released: false, ..of_release };
        let (classes, truth) = (class.domain.len(), &class.domain.codes);
        let accuracy = of_release.accuracy(truth, classes, &part_of, parts);
        on.progress.check()?;
        let accuracy_original = of_data.accuracy(truth, classes, &part_of, parts);
        let share = |number: usize| number as f64 / people as f64;
        Ok(vec![
            ("accuracy", accuracy),
            ("accuracy_lost", (accuracy_original - accuracy).max(0.0)),
            ("accuracy_original", accuracy_original),
            ("accuracy_majority", share(commonest(&class.domain))),
            ("untaught_rows_share", share(untaught)),
        ])
    }
}

/// The column to predict: the one that is named, or the first sensitive one.
fn class<'a>(on: &Comparison<'a>, name: &str) -> Option<Cells<'a>> {
    let table = on.release.table()?;
    let column = match name {
        "" => table.with_role(Role::Sensitive).next()?,
        name => table.column(name)?,
    };
    beside(on, column)
}

/// The class of each released row, where its cell leaves one.
fn told(class: &Cells<'_>) -> Vec<Option<u32>> {
    let one = |cover: u32| match class.codes(cover)[..] {
        [code] => Some(code),
        _ => None,
    };
    let RecodedColumn { covers, cells, .. } = class.column;
    let of_cover: Vec<Option<u32>> = (0..covers.len() as u32).map(one).collect();
    // A suppressed row has no class, even where the data have only one.
    cells
        .iter()
        .map(|cover| of_cover[*cover as usize].filter(|_| !covers[*cover as usize].is_suppressed()))
        .collect()
}

/// The bin of each code: itself, and for many numbers or dates an interval with as many people as the others.
fn bins(domain: &Domain) -> Vec<u32> {
    let values = domain.len();
    if domain.positions.is_none() || values <= BINS {
        return (0..values as u32).collect();
    }
    let mut people = vec![0_usize; values];
    domain.codes.iter().for_each(|code| people[*code as usize] += 1);
    let all = domain.codes.len().max(1);
    let mut before = 0;
    // By the middle of each value's people, so that a common value is not split off its neighbours without need.
    let bin = |count: &usize| {
        let middle = before + count / 2;
        before += count;
        ((middle * BINS / all).min(BINS - 1)) as u32
    };
    people.iter().map(bin).collect()
}

/// The part of each person: all parts are as large as can be, and who is in which is random.
fn divided(people: usize, parts: usize, seed: u64) -> Vec<u32> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..people).collect();
    for place in (1..people).rev() {
        order.swap(place, generator.random_range(0..=place as u64) as usize);
    }
    let mut part_of = vec![0; people];
    order.iter().enumerate().for_each(|(place, person)| part_of[*person] = (place % parts) as u32);
    part_of
}

fn commonest(class: &Domain) -> usize {
    let mut people = vec![0; class.len()];
    class.codes.iter().for_each(|code| people[*code as usize] += 1);
    people.into_iter().max().unwrap_or(0)
}

/// The data, or the release.
struct Side<'a, 'c> {
    predictors: &'a [Cells<'c>],
    bins: &'a [Vec<u32>],
    class_of: Vec<Option<u32>>,
    released: bool,
}

impl Side<'_, '_> {
    /// The share of people whose class is guessed right by a classifier that has not seen their part.
    fn accuracy(&self, truth: &[u32], classes: usize, part_of: &[u32], parts: usize) -> f64 {
        let predictors: Vec<Predictor> =
            self.predictors.iter().zip(self.bins).map(|(cells, bins)| self.predictor(cells, bins)).collect();
        let roll = Roll { class_of: self.class_of.clone(), classes, part_of: part_of.to_vec(), parts };
        let taught = Classifier::teach(&roll, &predictors);
        let right = |person: &usize| {
            let codes = self.predictors.iter().map(|cells| cells.domain.codes[*person] as usize);
            let bins = self.bins.iter().zip(codes).map(|(bins, code)| bins[code]);
            taught[part_of[*person] as usize].guess(bins) == truth[*person]
        };
        (0..truth.len()).into_par_iter().filter(right).count() as f64 / truth.len() as f64
    }

    fn predictor(&self, cells: &Cells<'_>, bins: &[u32]) -> Predictor {
        let count = bins.iter().max().map_or(0, |most| *most as usize + 1);
        match self.released {
            true => Predictor {
                cells: cells.column.cells.clone(),
                shares: (0..cells.column.covers.len() as u32)
                    .map(|cover| cells.spread(cover, bins))
                    .collect(),
                bins: count,
            },
            false => Predictor {
                cells: cells.domain.codes.clone(),
                shares: bins.iter().map(|bin| vec![(*bin, 1.0)]).collect(),
                bins: count,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Column, ColumnValues, Cover, Dataset, RecodedTable, Release, Table};

    use super::*;

    /// Sixty people whose age tells their class: below 50 `a`, from 50 on `b`.
    fn people() -> Dataset {
        let ages: Vec<f64> = (20..80).map(f64::from).collect();
        let codes = ages.iter().map(|age| u32::from(*age >= 50.0)).collect();
        let values = ["a", "b"].into_iter().collect();
        let columns = vec![
            Column {
                name: "age".to_owned(),
                role: Some(Role::QuasiIdentifying),
                values: ColumnValues::Numbers(ages),
            },
            Column {
                name: "class".to_owned(),
                role: Some(Role::Sensitive),
                values: ColumnValues::Categories { values, codes },
            },
        ];
        let names: Vec<String> = (0..60).map(|person| person.to_string()).collect();
        Dataset::from_table(names.iter().map(String::as_str).collect(), Table { columns })
    }

    /// Ages in ranges of so many years.
    fn coarse(data: &Dataset, years: u32) -> RecodedTable {
        let mut table = RecodedTable::identity(data.attributes.as_ref().unwrap());
        for cover in &mut table.columns[0].covers {
            if let Cover::Value(age) = cover {
                let low = (age.parse::<u32>().unwrap() - 20) / years * years + 20;
                *cover = Cover::Range { low: low.to_string(), high: (low + years - 1).to_string() };
            }
        }
        table
    }

    fn measured(data: &Dataset, table: RecodedTable) -> Readings {
        let release = Release::of_table(table, 60);
        let progress = Progress::silent();
        let settings = Settings::parse(&DESCRIPTOR, []).unwrap();
        ClassificationMeasure.measure(&Comparison::of(data, &release, &progress), &settings).unwrap()
    }

    #[test]
    fn ranges_that_keep_the_classes_apart_teach_as_well_as_the_data() {
        let data = people();
        let fine = measured(&data, coarse(&data, 10));
        assert_eq!(fine[0], ("accuracy", 1.0));
        assert_eq!(
            fine[1..],
            [
                ("accuracy_lost", 0.0),
                ("accuracy_original", fine[2].1),
                ("accuracy_majority", 0.5),
                ("untaught_rows_share", 0.0)
            ]
        );
        assert!(fine[2].1 > 0.9);
    }

    #[test]
    fn a_release_that_says_nothing_teaches_nothing() {
        let data = people();
        let mut table = coarse(&data, 10);
        // One range for all, and a third of the rows suppressed.
        for cover in &mut table.columns[0].covers {
            *cover = Cover::Range { low: "20".to_owned(), high: "79".to_owned() };
        }
        table.suppress(&(0..20).collect::<Vec<_>>());
        let readings = measured(&data, table);
        assert!(readings[0].1 <= 0.5, "{readings:?}");
        assert_eq!(readings[4], ("untaught_rows_share", 1.0 / 3.0));
    }

    #[test]
    fn what_is_held_out_has_to_be_known() {
        let data = people();
        let release = Release::of_table(coarse(&data, 10), 60);
        let progress = Progress::silent();
        let on = Comparison { aligned: false, ..Comparison::of(&data, &release, &progress) };
        let settings = Settings::parse(&DESCRIPTOR, []).unwrap();
        assert!(matches!(
            ClassificationMeasure.measure(&on, &settings),
            Err(MeasureError::NotApplicable { .. })
        ));
    }
}
