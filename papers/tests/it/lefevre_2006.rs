//! LDR06: LeFevre, DeWitt, Ramakrishnan. Mondrian multidimensional k-anonymity. ICDE 2006. Six points on a plane.

use throng_contract::{Progress, Settings};
use throng_data::{Column, ColumnValues, Dataset, Domain, Inputs, Query, Release, Role, Table, Wanted};
use throng_measure::Comparison;
use throng_measure::answers::{Answer, answers};
use throng_measure::counting::SetModel;
use throng_methods::table::Mondrian;
use throng_methods::table::quasi::Quasi;
use throng_methods::{Method, Task};

const AGES: [f64; 6] = [31.0, 33.0, 34.0, 47.0, 45.0, 49.0];
const ZIPS: [f64; 6] = [10_115.0, 10_117.0, 10_115.0, 10_243.0, 10_245.0, 10_243.0];

fn columns() -> Vec<Column> {
    [("age", AGES), ("zip", ZIPS)]
        .map(|(name, values)| Column {
            name: name.to_owned(),
            role: Some(Role::QuasiIdentifying),
            values: ColumnValues::Numbers(values.to_vec()),
        })
        .to_vec()
}

fn released() -> (Dataset, Release) {
    let people = ["1", "2", "3", "4", "5", "6"].into_iter().collect();
    let data = Dataset::from_table(people, Table { columns: columns() });
    let settings = Settings::parse(Mondrian.descriptor(), [("k", "2"), ("bounds", "tight")])
        .expect("parameters of mondrian");
    let progress = Progress::silent();
    let outcome = Mondrian.anonymize(&Task::new(&data, &settings, &progress)).expect("a release");
    (data, outcome.release)
}

#[test]
fn one_cut_between_the_young_and_the_old() {
    let table = released().1.body.into_table().expect("a table");
    for row in 0..6 {
        let cells: Vec<String> = table.columns.iter().map(|column| column.cover(row).render()).collect();
        let expected = if row < 3 { ["[31,34]", "[10115,10117]"] } else { ["[45,49]", "[10243,10245]"] };
        assert_eq!(cells, expected);
    }
}

/// NCP of that release: 491/4680.
#[test]
fn its_loss() {
    let quasi: Vec<Quasi> = columns()
        .iter()
        .map(|column| Quasi::new(Domain::of(column, None).expect("no hierarchy"), 0))
        .collect();
    let at = |column: usize, value: &str| {
        quasi[column].values.iter().position(|known| known == value).expect("a value") as u32
    };
    let loss = |column: usize, low: &str, high: &str| quasi[column].loss(at(column, low), at(column, high));
    let young = (loss(0, "31", "34") + loss(1, "10115", "10117")) / 2.0;
    let old = (loss(0, "45", "49") + loss(1, "10243", "10245")) / 2.0;
    assert!(((young + old) / 2.0 - 491.0 / 4680.0).abs() < 1e-12);
}

/// `mondrian-are-small`: who is 30 to 33 and lives in 10110 to 10116? One person; 3/4 of 2/3 of three people are 3/2.
#[test]
fn a_query_is_answered_by_half_a_person_too_much() {
    let (data, release) = released();
    let between = |low: &str, high: &str| Wanted::Between(low.to_owned(), high.to_owned());
    let cells = vec![("age".to_owned(), between("30", "33")), ("zip".to_owned(), between("10110", "10116"))];
    let query = Query { items: Vec::new(), cells };
    let progress = Progress::silent();
    let on = Comparison::of(&data, &release, &progress);
    let found = answers(&on, std::slice::from_ref(&query), SetModel::Subset).expect("both columns are there");
    assert_eq!(found, [Answer { actual: 1, estimate: 1.5 }]);
    let inputs = Inputs { queries: Some(vec![query]), ..Inputs::default() };
    let measure = throng_measure::find("queries").expect("a measure");
    let settings = Settings::parse(measure.descriptor(), []).expect("defaults");
    let readings = measure.measure(&Comparison { inputs: &inputs, ..on }, &settings).expect("readings");
    assert_eq!(readings[0], ("are", 0.5));
}
