//! PGLS13: Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos. Anonymizing data with relational and transaction attributes. ECML/PKDD
//! 2013. The relational half of Figure 1.

use std::collections::BTreeMap;

use throng_contract::{Progress, Settings};
use throng_data::{Column, ColumnValues, Dataset, Dictionary, Domain, Hierarchy, Inputs, Role, Table};
use throng_methods::table::ClusterRows;
use throng_methods::table::quasi::Quasi;
use throng_methods::{Method, Task, Variant};

const AGES: [f64; 6] = [19.0, 22.0, 28.0, 39.0, 70.0, 55.0];
const ORIGINS: [&str; 6] = ["France", "Greece", "Germany", "Spain", "Algeria", "Nigeria"];
const GENDERS: [&str; 6] = ["Male", "Male", "Female", "Female", "Female", "Male"];

fn words(name: &str, cells: [&str; 6]) -> Column {
    let mut values = Dictionary::new();
    let codes = cells.iter().map(|cell| values.intern(cell)).collect();
    let values = ColumnValues::Categories { values, codes };
    Column { name: name.to_owned(), role: Some(Role::QuasiIdentifying), values }
}

fn figure_1a() -> (Dataset, Inputs) {
    let ages = ColumnValues::Numbers(AGES.to_vec());
    let age = Column { name: "Age".to_owned(), role: Some(Role::QuasiIdentifying), values: ages };
    let columns = vec![age, words("Origin", ORIGINS), words("Gender", GENDERS)];
    let origins = [
        "France;Europe;All",
        "Greece;Europe;All",
        "Germany;Europe;All",
        "Spain;Europe;All",
        "Algeria;Africa;All",
        "Nigeria;Africa;All",
    ];
    let mut hierarchies = BTreeMap::new();
    for (name, paths) in [("Origin", origins.as_slice()), ("Gender", &["Male;All", "Female;All"])] {
        let tree = Hierarchy::from_paths(paths.iter().map(|path| path.split(';'))).expect("a tree");
        hierarchies.insert(name.to_owned(), tree);
    }
    let people = ["0", "1", "2", "3", "4", "5"].into_iter().collect();
    let data = Dataset::from_table(people, Table { columns });
    (data, Inputs { hierarchies, ..Inputs::default() })
}

fn columns() -> Vec<Quasi> {
    let (data, inputs) = figure_1a();
    let table = data.attributes.expect("a table");
    let quasi = |(at, column): (usize, &Column)| {
        let domain =
            Domain::of(column, inputs.hierarchies.get(&column.name)).expect("every value has a leaf");
        Quasi::new(domain, at)
    };
    table.columns.iter().enumerate().map(quasi).collect()
}

/// NCP of rows that are published as one.
fn ncp(rows: &[usize]) -> f64 {
    let quasi = columns();
    let loss = |quasi: &Quasi| {
        let codes = rows.iter().map(|row| quasi.codes[*row]);
        quasi.loss(codes.clone().min().unwrap_or(0), codes.max().unwrap_or(0))
    };
    quasi.iter().map(loss).sum::<f64>() / 3.0
}

/// The losses of Figure 1b, row by row, and of the whole.
#[test]
fn section_5_loss_of_figure_1b() {
    let pairs = [ncp(&[0, 1]), ncp(&[2, 3]), ncp(&[4, 5])];
    for (loss, expected) in pairs.iter().zip([37.0 / 153.0, 5.0 / 17.0, 83.0 / 153.0]) {
        assert!((loss - expected).abs() < 1e-12, "{loss} is not {expected}");
    }
    assert!((pairs.iter().sum::<f64>() / 3.0 - 55.0 / 153.0).abs() < 1e-12);
}

/// The printed formula gives a range of length 1 no loss at all; we lose 1/51 of 19 to 70.
#[test]
fn section_5_a_range_of_length_one_is_a_loss() {
    let ages = ColumnValues::Numbers(vec![19.0, 20.0, 70.0]);
    let column = Column { name: "Age".to_owned(), role: None, values: ages };
    let quasi = Quasi::new(Domain::of(&column, None).expect("no hierarchy"), 0);
    assert!((quasi.loss(0, 1) - 1.0 / 51.0).abs() < 1e-12);
}

/// CLUSTER draws seeds at random; some draw gives the relational values of Figure 1b, and all give groups of two or more.
#[test]
fn figure_1b_is_a_result_of_cluster() {
    let (data, inputs) = figure_1a();
    let settings = Settings::parse(ClusterRows.descriptor(), [("k", "2")]).expect("parameters of cluster");
    let progress = Progress::silent();
    let published = |seed: u64, variant: Variant| {
        let task = Task { inputs: &inputs, seed, variant, ..Task::new(&data, &settings, &progress) };
        let table = ClusterRows.anonymize(&task).expect("a release").release.table.expect("a table");
        let cells =
            |row: usize| table.columns.iter().map(|column| column.cover(row).render()).collect::<Vec<_>>();
        (0..6).map(cells).collect::<Vec<_>>()
    };
    let pairs =
        [["[19,22]", "Europe", "Male"], ["[28,39]", "Europe", "Female"], ["[55,70]", "Africa", "All"]];
    let figure: Vec<Vec<String>> =
        [0, 0, 1, 1, 2, 2].map(|pair: usize| pairs[pair].map(str::to_owned).to_vec()).to_vec();
    for variant in [Variant::Sound, Variant::AsPrinted] {
        assert!((0..20).any(|seed| published(seed, variant) == figure));
        for seed in 0..20 {
            let rows = published(seed, variant);
            assert!(rows.iter().all(|row| rows.iter().filter(|other| *other == row).count() >= 2));
        }
    }
}
