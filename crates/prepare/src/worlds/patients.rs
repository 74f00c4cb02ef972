//! Hospital stays: the wards a patient passes, a record with age, sex, home and diagnosis, and a set of codes.
//!
//! The diagnosis decides which wards come in which order, and who has it; chance decides which of them are
//! skipped, for how long patients stay, and whether they come back. So wards give diagnoses away, and age, sex
//! and home single people out: what methods for tables, for sequences and for both together have to prevent. The same people are
//! there as a table of its own, with hierarchies for what an attacker may know, and as sets of codes.

use jiff::civil::Date;
use throng_data::{ColumnKind, Role};

use super::codes::{self, POLICY};
use super::draw::{Draw, Weighted};
use super::stream::push_row;
use super::{Character, Population, World};
use crate::hierarchies::{Plan, Rule, Values};

pub(super) const PATIENTS: World = World {
    name: "patients",
    purpose: "hospital stays, a table with a sensitive diagnosis, and sets of codes, of the same people",
    files: &[
        ("events.csv", "subject,item,time: the wards of the stays, with the hour of the year"),
        ("records.csv", "subject,age,sex,home,diagnosis (sensitive)"),
        ("taxonomy.csv", "ward;block;hospital"),
        ("diagnoses.csv", "diagnosis;chapter;any: a taxonomy of diagnoses"),
        ("sensitive.csv", "wards that say too much, one a line"),
        ("patients.csv", "id,age,sex,postcode,admitted,diagnosis: a table, one row a person"),
        ("schema.toml", "roles, types and hierarchies of that table"),
        ("hierarchies/age.csv", "years in intervals of 5, 10, 20, 40, 80"),
        ("hierarchies/sex.csv", "sex;*"),
        ("hierarchies/postcode.csv", "postcodes with their last digits masked"),
        ("hierarchies/admitted.csv", "day;month;quarter;year;*"),
        ("codes.csv", "subject,item: the codes of a patient, a set"),
        ("codes-taxonomy.csv", "code;block;chapter;*"),
        ("codes-policy.csv", "codes that an attacker may know together, a set a line"),
        ("codes-sensitive.csv", "codes that say too much, one a line"),
    ],
    attributes: &[
        ("age", Role::QuasiIdentifying),
        ("sex", Role::QuasiIdentifying),
        ("home", Role::QuasiIdentifying),
        ("diagnosis", Role::Sensitive),
    ],
    subjects: 10_000,
    sizes: None,
    character: Character {
        subjects: 10_000,
        items: 15,
        noun: "wards",
        events: 45_273,
        longest: 31,
        singled_out_by_2: 98.9,
        singled_out_by_4: 99.4,
    },
    stage: |_| Box::new(Patients::new()),
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
    /// Codes, of which everybody with the diagnosis has one.
    codes: &'static [&'static str],
    /// Wards in order, with the chance that a stay passes each; the first is never skipped.
    course: &'static [(usize, f64)],
}

const DIAGNOSES: [Diagnosis; 10] = [
    Diagnosis {
        name: "fracture",
        chapter: "injury",
        share: 20.0,
        ages: [5, 95],
        women: 0.5,
        codes: &["S52", "S72", "S82", "W19"],
        course: &[(0, 1.0), (3, 0.95), (5, 0.5), (6, 0.5), (2, 0.6)],
    },
    Diagnosis {
        name: "concussion",
        chapter: "injury",
        share: 8.0,
        ages: [5, 80],
        women: 0.4,
        codes: &["S06", "W19"],
        course: &[(0, 1.0), (3, 0.7), (9, 0.6), (2, 0.3)],
    },
    Diagnosis {
        name: "heart-attack",
        chapter: "circulation",
        share: 10.0,
        ages: [45, 95],
        women: 0.4,
        codes: &["I21", "I25"],
        course: &[(0, 1.0), (4, 0.9), (5, 0.4), (7, 0.7), (8, 0.95), (2, 0.5)],
    },
    Diagnosis {
        name: "heart-failure",
        chapter: "circulation",
        share: 9.0,
        ages: [60, 99],
        women: 0.5,
        codes: &["I50", "I48"],
        course: &[(1, 1.0), (4, 0.8), (8, 0.95), (7, 0.2)],
    },
    Diagnosis {
        name: "stroke",
        chapter: "nervous-system",
        share: 7.0,
        ages: [50, 99],
        women: 0.5,
        codes: &["I63", "G81"],
        course: &[(0, 1.0), (3, 0.95), (7, 0.5), (9, 0.95)],
    },
    Diagnosis {
        name: "epilepsy",
        chapter: "nervous-system",
        share: 4.0,
        ages: [1, 70],
        women: 0.5,
        codes: &["G40"],
        course: &[(0, 1.0), (4, 0.5), (9, 0.9), (2, 0.5)],
    },
    Diagnosis {
        name: "tumour",
        chapter: "growths",
        share: 9.0,
        ages: [30, 90],
        women: 0.5,
        codes: &["C18", "C34", "C50", "C78"],
        course: &[(1, 1.0), (4, 0.9), (3, 0.8), (5, 0.5), (6, 0.4), (10, 0.95), (2, 0.6)],
    },
    Diagnosis {
        name: "hepatitis",
        chapter: "infection",
        share: 4.0,
        ages: [18, 75],
        women: 0.4,
        codes: &["B16", "B18"],
        course: &[(1, 1.0), (4, 0.95), (11, 0.9), (2, 0.7)],
    },
    Diagnosis {
        name: "depression",
        chapter: "mind",
        share: 8.0,
        ages: [14, 85],
        women: 0.6,
        codes: &["F32", "F33", "F41"],
        course: &[(1, 1.0), (12, 0.95), (2, 0.6)],
    },
    Diagnosis {
        name: "birth",
        chapter: "family",
        share: 15.0,
        ages: [17, 46],
        women: 1.0,
        codes: &["O80", "O82"],
        course: &[(1, 1.0), (4, 0.4), (5, 0.3), (13, 0.98), (14, 0.3)],
    },
];

/// Home districts, from the most populous to the least.
const HOMES: u32 = 40;

/// Postcodes of each district.
const STREETS: u32 = 12;

/// The year of all stays, which is no leap year.
const YEAR: i16 = 2023;

const HOURS: u32 = 365 * 24;

/// The columns of the table.
const SCHEMA: &str = "\
[columns.id]
role = \"identifying\"

[columns.age]
role = \"quasi-identifying\"
type = \"number\"
hierarchy = \"hierarchies/age.csv\"

[columns.sex]
role = \"quasi-identifying\"
type = \"category\"
hierarchy = \"hierarchies/sex.csv\"

[columns.postcode]
role = \"quasi-identifying\"
type = \"category\"
hierarchy = \"hierarchies/postcode.csv\"

[columns.admitted]
role = \"quasi-identifying\"
type = \"date\"
hierarchy = \"hierarchies/admitted.csv\"

[columns.diagnosis]
role = \"sensitive\"
type = \"category\"
";

/// How many of the patients come back after a stay.
const RETURN: f64 = 0.25;

struct Patients {
    diagnoses: Weighted,
    homes: Weighted,
    /// The days of the year, as they are written.
    days: Vec<String>,
}

impl Patients {
    fn new() -> Self {
        Patients {
            diagnoses: Weighted::new(DIAGNOSES.iter().map(|diagnosis| diagnosis.share)),
            homes: Weighted::new((0..HOMES).map(|home| 1.0 / f64::from(home + 4))),
            days: Date::constant(YEAR, 1, 1)
                .series(jiff::Span::new().days(1))
                .take(365)
                .map(|day| day.to_string())
                .collect(),
        }
    }
}

/// The postcode of a street of a district: three digits for the district, two for the street.
fn postcode(home: u32, street: u32) -> u32 {
    10_000 + 100 * home + street
}

/// A hierarchy of the stage: made for what there can be, not for who is there.
fn hierarchy(plan: Plan, kind: ColumnKind, names: &[String]) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let people = vec![0; names.len()];
    let made = plan.generate(&Values { names, people, kind, places: None, categories: None, listed: true });
    made.expect("the stage has values of the kind that the rule wants").render()
}

impl Population for Patients {
    fn tables(&self) -> Vec<(&'static str, String)> {
        let ages: Vec<String> = (0..100).map(|age: u32| age.to_string()).collect();
        let streets = (0..HOMES).flat_map(|home| (0..STREETS).map(move |street| postcode(home, street)));
        let postcodes: Vec<String> = streets.map(|postcode| postcode.to_string()).collect();
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
            ("schema.toml", SCHEMA.to_owned()),
            ("hierarchies/age.csv", hierarchy(Plan::new(Rule::Width), ColumnKind::Number, &ages)),
            ("hierarchies/sex.csv", "f;*\nm;*\n".to_owned()),
            (
                "hierarchies/postcode.csv",
                hierarchy(Plan::new(Rule::Prefix), ColumnKind::Category, &postcodes),
            ),
            ("hierarchies/admitted.csv", hierarchy(Plan::new(Rule::Calendar), ColumnKind::Date, &self.days)),
            ("codes-taxonomy.csv", codes::taxonomy()),
            ("codes-policy.csv", POLICY.iter().map(|set| format!("{set}\n")).collect()),
            ("codes-sensitive.csv", codes::SENSITIVE.iter().map(|code| format!("{code}\n")).collect()),
        ]
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("events.csv", "subject,item,time"),
            ("records.csv", "subject,age,sex,home,diagnosis"),
            ("patients.csv", "id,age,sex,postcode,admitted,diagnosis"),
            ("codes.csv", "subject,item"),
        ]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let diagnosis = &DIAGNOSES[self.diagnoses.draw(draw)];
        let [youngest, oldest] = diagnosis.ages;
        // The sum of two: the middle of the range is more frequent than its ends.
        let age = youngest + (draw.below(oldest - youngest + 1) + draw.below(oldest - youngest + 1)) / 2;
        let sex = if draw.chance(diagnosis.women) { "f" } else { "m" };
        let mut digits = [itoa::Buffer::new(), itoa::Buffer::new(), itoa::Buffer::new(), itoa::Buffer::new()];
        let [age_digits, home_digits, postcode_digits, hour_digits] = &mut digits;
        let age_text = age_digits.format(age);
        let home = self.homes.draw(draw) as u32;
        push_row(&mut rows[1], &[subject, age_text, sex, home_digits.format(1001 + home), diagnosis.name]);

        let mut hour = draw.below(HOURS - 90 * 24);
        let mut events = 0;
        let mut admitted = None;
        loop {
            for (nth, (ward, chance)) in diagnosis.course.iter().enumerate() {
                if nth > 0 && !draw.chance(*chance) {
                    continue;
                }
                hour += 1 + draw.below(36);
                admitted.get_or_insert(hour / 24);
                push_row(&mut rows[0], &[subject, WARDS[*ward].0, hour_digits.format(hour)]);
                events += 1;
            }
            // Back after a week to a month, if the year is long enough.
            hour += 7 * 24 + draw.below(23 * 24);
            if hour > HOURS - 14 * 24 || !draw.chance(RETURN) {
                break;
            }
        }

        let postcode = postcode_digits.format(postcode(home, draw.below(STREETS)));
        let day = self.days[admitted.unwrap_or(0) as usize].as_str();
        push_row(&mut rows[2], &[subject, age_text, sex, postcode, day, diagnosis.name]);
        for code in codes::draw(diagnosis.codes, age, draw) {
            push_row(&mut rows[3], &[subject, code]);
        }
        events
    }
}
