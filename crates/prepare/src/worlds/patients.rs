//! Hospital stays: the wards a patient passes, and a record with age, sex, home and diagnosis.
//!
//! The diagnosis decides which wards come in which order, and who has it; chance decides which of them are
//! skipped, for how long patients stay, and whether they come back. So wards give diagnoses away, and age, sex
//! and home single people out: what methods for tables, for sequences and for both together have to prevent.

use throng_data::Role;

use super::draw::{Draw, Weighted};
use super::stream::push_row;
use super::{Character, Population, World};

pub(super) const PATIENTS: World = World {
    name: "patients",
    purpose: "hospital stays with age, sex, home and a sensitive diagnosis",
    files: &[
        ("events.csv", "subject,item,time: the wards of the stays, with the hour of the year"),
        ("records.csv", "subject,age,sex,home,diagnosis (sensitive)"),
        ("taxonomy.csv", "ward;block;hospital"),
        ("diagnoses.csv", "diagnosis;chapter;any: a taxonomy of diagnoses"),
        ("sensitive.csv", "wards that say too much, one a line"),
    ],
    attributes: &[
        ("age", Role::QuasiIdentifying),
        ("sex", Role::QuasiIdentifying),
        ("home", Role::QuasiIdentifying),
        ("diagnosis", Role::Sensitive),
    ],
    subjects: 10_000,
    character: Character {
        subjects: 10_000,
        items: 15,
        noun: "wards",
        events: 45_273,
        longest: 31,
        singled_out_by_2: 98.9,
        singled_out_by_4: 99.4,
    },
    stage: || Box::new(Patients::new()),
};

/// Ward and block.
const WARDS: [(&str, &str); 15] = [
    ("emergency", "front"),
    ("admissions", "front"),
    ("outpatients", "front"),
    ("radiology", "diagnostics"),
    ("laboratory", "diagnostics"),
    ("surgery", "theatre"),
    ("recovery", "theatre"),
    ("intensive-care", "theatre"),
    ("cardiology", "medicine"),
    ("neurology", "medicine"),
    ("oncology", "medicine"),
    ("infections", "medicine"),
    ("psychiatry", "medicine"),
    ("maternity", "family"),
    ("paediatrics", "family"),
];

const SENSITIVE: [&str; 3] = ["oncology", "infections", "psychiatry"];

struct Diagnosis {
    name: &'static str,
    chapter: &'static str,
    /// Patients who have it, relative to others.
    share: f64,
    ages: [u32; 2],
    /// Share of women.
    women: f64,
    /// Wards in order, with the chance that a stay passes each; the first is never skipped.
    course: &'static [(usize, f64)],
}

const DIAGNOSES: [Diagnosis; 10] = [
    diagnosis("fracture", "injury", 20.0, [5, 95], 0.5, &[(0, 1.0), (3, 0.95), (5, 0.5), (6, 0.5), (2, 0.6)]),
    diagnosis("concussion", "injury", 8.0, [5, 80], 0.4, &[(0, 1.0), (3, 0.7), (9, 0.6), (2, 0.3)]),
    diagnosis(
        "heart-attack",
        "circulation",
        10.0,
        [45, 95],
        0.4,
        &[(0, 1.0), (4, 0.9), (5, 0.4), (7, 0.7), (8, 0.95), (2, 0.5)],
    ),
    diagnosis("heart-failure", "circulation", 9.0, [60, 99], 0.5, &[(1, 1.0), (4, 0.8), (8, 0.95), (7, 0.2)]),
    diagnosis("stroke", "nervous-system", 7.0, [50, 99], 0.5, &[(0, 1.0), (3, 0.95), (7, 0.5), (9, 0.95)]),
    diagnosis("epilepsy", "nervous-system", 4.0, [1, 70], 0.5, &[(0, 1.0), (4, 0.5), (9, 0.9), (2, 0.5)]),
    diagnosis(
        "tumour",
        "growths",
        9.0,
        [30, 90],
        0.5,
        &[(1, 1.0), (4, 0.9), (3, 0.8), (5, 0.5), (6, 0.4), (10, 0.95), (2, 0.6)],
    ),
    diagnosis("hepatitis", "infection", 4.0, [18, 75], 0.4, &[(1, 1.0), (4, 0.95), (11, 0.9), (2, 0.7)]),
    diagnosis("depression", "mind", 8.0, [14, 85], 0.6, &[(1, 1.0), (12, 0.95), (2, 0.6)]),
    diagnosis("birth", "family", 15.0, [17, 46], 1.0, &[(1, 1.0), (4, 0.4), (5, 0.3), (13, 0.98), (14, 0.3)]),
];

const fn diagnosis(
    name: &'static str,
    chapter: &'static str,
    share: f64,
    ages: [u32; 2],
    women: f64,
    course: &'static [(usize, f64)],
) -> Diagnosis {
    Diagnosis { name, chapter, share, ages, women, course }
}

/// Home districts, from the most populous to the least.
const HOMES: u32 = 40;

const HOURS: u32 = 365 * 24;

/// How many of the patients come back after a stay.
const RETURN: f64 = 0.25;

struct Patients {
    diagnoses: Weighted,
    homes: Weighted,
}

impl Patients {
    fn new() -> Self {
        Patients {
            diagnoses: Weighted::new(DIAGNOSES.iter().map(|diagnosis| diagnosis.share)),
            homes: Weighted::new((0..HOMES).map(|home| 1.0 / f64::from(home + 4))),
        }
    }
}

impl Population for Patients {
    fn tables(&self) -> Vec<(&'static str, String)> {
        vec![
            (
                "taxonomy.csv",
                WARDS.iter().map(|(ward, block)| format!("{ward};{block};hospital\n")).collect(),
            ),
            (
                "diagnoses.csv",
                DIAGNOSES.iter().map(|it| format!("{};{};any\n", it.name, it.chapter)).collect(),
            ),
            ("sensitive.csv", SENSITIVE.iter().map(|ward| format!("{ward}\n")).collect()),
        ]
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item,time"), ("records.csv", "subject,age,sex,home,diagnosis")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let diagnosis = &DIAGNOSES[self.diagnoses.draw(draw)];
        let [youngest, oldest] = diagnosis.ages;
        // The sum of two: the middle of the range is more frequent than its ends.
        let age = youngest + (draw.below(oldest - youngest + 1) + draw.below(oldest - youngest + 1)) / 2;
        let sex = if draw.chance(diagnosis.women) { "f" } else { "m" };
        let mut digits = [itoa::Buffer::new(), itoa::Buffer::new()];
        let [age_digits, home_digits] = &mut digits;
        let home = home_digits.format(1001 + self.homes.draw(draw));
        push_row(&mut rows[1], &[subject, age_digits.format(age), sex, home, diagnosis.name]);

        let mut hour = draw.below(HOURS - 90 * 24);
        let mut events = 0;
        let mut digits = itoa::Buffer::new();
        loop {
            for (nth, (ward, chance)) in diagnosis.course.iter().enumerate() {
                if nth > 0 && !draw.chance(*chance) {
                    continue;
                }
                hour += 1 + draw.below(36);
                push_row(&mut rows[0], &[subject, WARDS[*ward].0, digits.format(hour)]);
                events += 1;
            }
            // Back after a week to a month, if the year is long enough.
            hour += 7 * 24 + draw.below(23 * 24);
            if hour > HOURS - 14 * 24 || !draw.chance(RETURN) {
                return events;
            }
        }
    }
}
