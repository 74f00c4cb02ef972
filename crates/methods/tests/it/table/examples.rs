//! Single cases: what is refused and how, and what small tables become.

use throng_contract::{Class, Failing, Progress, Settings};
use throng_data::{Column, ColumnValues, Cover, Dataset, Dictionary, Hierarchy, Inputs, Role, Table};
use throng_methods::table::{BottomUp, ClusterRows, Incognito, Mondrian, TopDown};
use throng_methods::{Method, MethodError, Outcome, Task};

/// Five people: age and town are quasi-identifying, the illness is sensitive.
fn people() -> Dataset {
    let columns = vec![
        numbers("age", &[31.0, 33.0, 34.0, 70.0, 71.0]),
        words("town", Role::QuasiIdentifying, &["Ulm", "Ulm", "Bonn", "Ulm", "Bonn"]),
        words("illness", Role::Sensitive, &["flu", "flu", "gout", "flu", "flu"]),
    ];
    Dataset::from_table(["a", "b", "c", "d", "e"].into_iter().collect(), Table { columns })
}

fn numbers(name: &str, values: &[f64]) -> Column {
    let values = ColumnValues::Numbers(values.to_vec());
    Column { name: name.to_owned(), role: Some(Role::QuasiIdentifying), values }
}

fn words(name: &str, role: Role, cells: &[&str]) -> Column {
    let mut values = Dictionary::new();
    let codes = cells.iter().map(|cell| values.intern(cell)).collect();
    Column { name: name.to_owned(), role: Some(role), values: ColumnValues::Categories { values, codes } }
}

fn hierarchy(inputs: &mut Inputs, column: &str, paths: &[&str]) {
    let tree = Hierarchy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap();
    inputs.hierarchies.insert(column.to_owned(), tree);
}

fn ages() -> Inputs {
    let mut inputs = Inputs::default();
    hierarchy(&mut inputs, "age", &["[30,39];young;*", "[40,69];old;*", "[70,79];old;*"]);
    inputs
}

fn run(
    method: &dyn Method,
    data: &Dataset,
    inputs: &Inputs,
    given: &[(&str, &str)],
) -> Result<Outcome, MethodError> {
    // The smallest cells, unless a test asks for others.
    let tight =
        [("bounds", "tight")].into_iter().filter(|(name, _)| given.iter().all(|(given, _)| given != name));
    let settings = Settings::parse(method.descriptor(), given.iter().copied().chain(tight)).unwrap();
    let progress = Progress::silent();
    method.anonymize(&Task { inputs, ..Task::new(data, &settings, &progress) })
}

/// The rows of a release, as written.
fn rows(outcome: &Outcome) -> Vec<String> {
    let table = outcome.release.table().unwrap();
    let row = |row: usize| {
        table.columns.iter().map(|column| column.cover(row).render()).collect::<Vec<_>>().join(" ")
    };
    (0..table.columns[0].cells.len()).map(row).collect()
}

const ALL: [&dyn Method; 5] = [&Incognito, &Mondrian, &TopDown, &BottomUp, &ClusterRows];

#[test]
fn too_few_people_are_named_with_a_way_out() {
    for method in ALL {
        let error = run(method, &people(), &ages(), &[("k", "6")]).unwrap_err();
        assert_eq!(error.to_string(), "5 people cannot hide in groups of at least 6");
        assert_eq!(error.help().map(|help| help.to_string()).as_deref(), Some("lower `k` to at most 5"));
        assert_eq!(error.class(), Class::Infeasible);
    }
}

#[test]
fn a_sensitive_value_that_is_too_frequent_is_counted_but_not_named() {
    for method in ALL {
        let given = [("k", "2"), ("l", "2"), ("form", "entropy")];
        let error = run(method, &people(), &ages(), &given).unwrap_err();
        assert_eq!(error.class(), Class::Infeasible);
        let why = error.to_string();
        assert!(why.contains("4 of 5 people") && why.contains("`illness`") && !why.contains("flu"), "{why}");
    }
}

#[test]
fn numbers_without_a_hierarchy_are_refused_by_those_that_need_one() {
    for method in [&Incognito as &dyn Method, &BottomUp] {
        let error = run(method, &people(), Inputs::NONE, &[("k", "2")]).unwrap_err();
        assert!(error.to_string().contains("needs a hierarchy for column `age`"));
        assert_eq!(
            error.help().map(|help| help.to_string()).as_deref(),
            Some("add `--hierarchy age=FILE`; `throng hierarchy` makes one")
        );
    }
    for method in [&Mondrian as &dyn Method, &TopDown, &ClusterRows] {
        assert!(run(method, &people(), Inputs::NONE, &[("k", "2")]).is_ok());
    }
}

#[test]
fn without_quasi_identifiers_or_secrets_there_is_nothing_to_do() {
    let mut data = people();
    let columns = &mut data.attributes.as_mut().unwrap().columns;
    columns[2].role = Some(Role::Insensitive);
    for method in ALL {
        let error = run(method, &data, &ages(), &[("k", "2"), ("t", "0.1")]).unwrap_err();
        assert!(error.to_string().contains("need a sensitive column"), "{error}");
    }
    let columns = &mut data.attributes.as_mut().unwrap().columns;
    columns.iter_mut().for_each(|column| column.role = Some(Role::Insensitive));
    for method in ALL {
        let error = run(method, &data, &ages(), &[("k", "2")]).unwrap_err();
        assert_eq!((error.class(), error.to_string().contains("quasi-identifying")), (Class::Usage, true));
    }
}

#[test]
fn a_value_that_its_hierarchy_misses_is_named() {
    let mut inputs = Inputs::default();
    hierarchy(&mut inputs, "age", &["[30,39];*", "[40,69];*"]);
    for method in ALL {
        let error = run(method, &people(), &inputs, &[("k", "2")]).unwrap_err();
        assert_eq!(error.class(), Class::BadInput);
        assert!(error.to_string().contains("column `age`: value `70`"), "{error}");
    }
}

#[test]
fn levels_that_part_what_a_lower_level_joined_are_refused() {
    let mut inputs = ages();
    hierarchy(&mut inputs, "town", &["Ulm;south;south;all;all", "Bonn;south;all;all;all"]);
    let error = run(&Incognito, &people(), &inputs, &[("k", "2")]).unwrap_err();
    assert!(error.to_string().contains("one name on level 1 and two names on level 2"), "{error}");
}

#[test]
fn a_suppressed_row_loses_all_its_cells() {
    // One person far from the others: to hide them, everybody's age would have to go.
    let columns = vec![
        numbers("age", &[31.0, 33.0, 34.0, 35.0, 70.0]),
        words("illness", Role::Sensitive, &["flu", "flu", "gout", "flu", "flu"]),
    ];
    let data = Dataset::from_table(["a", "b", "c", "d", "e"].into_iter().collect(), Table { columns });
    let given = [("k", "2"), ("max-suppressed", "20%")];
    let outcome = run(&Incognito, &data, &ages(), &given).unwrap();
    assert_eq!(rows(&outcome)[3..], ["[30,39] flu", "* *"]);
    assert_eq!(outcome.release.suppression.rows, 1);
    assert!(outcome.notes.contains(&"1 of 5 rows were suppressed".to_owned()));
}

#[test]
fn mondrian_cuts_at_medians_and_publishes_bounds() {
    let outcome = run(&Mondrian, &people(), Inputs::NONE, &[("k", "2")]).unwrap();
    assert_eq!(
        rows(&outcome),
        [
            "[31,34] {Bonn|Ulm} flu",
            "[31,34] {Bonn|Ulm} flu",
            "[31,34] {Bonn|Ulm} gout",
            "[70,71] {Bonn|Ulm} flu",
            "[70,71] {Bonn|Ulm} flu"
        ]
    );
}

/// Six people of one age and two of another: strictly there is no cut, relaxed there is one through the six.
#[test]
fn relaxed_cuts_go_through_a_value() {
    let data = Dataset::from_table(
        ["a", "b", "c", "d", "e", "f", "g"].into_iter().collect(),
        Table { columns: vec![numbers("age", &[40.0, 40.0, 40.0, 40.0, 40.0, 40.0, 41.0])] },
    );
    let strict = run(&Mondrian, &data, Inputs::NONE, &[("k", "3")]).unwrap();
    assert!(rows(&strict).iter().all(|row| row == "[40,41]"));
    let relaxed = run(&Mondrian, &data, Inputs::NONE, &[("k", "3"), ("relaxed", "true")]).unwrap();
    assert_eq!(rows(&relaxed).iter().filter(|row| *row == "40").count(), 4);
}

#[test]
fn a_missing_value_is_cut_off_where_that_can_be_or_hides_the_number() {
    let data = |ages: &[f64]| {
        let people: Vec<String> = (0..ages.len()).map(|person| person.to_string()).collect();
        let people = people.iter().map(String::as_str).collect();
        Dataset::from_table(people, Table { columns: vec![numbers("age", ages)] })
    };
    for method in [&Mondrian as &dyn Method, &TopDown] {
        let apart = data(&[40.0, f64::NAN, 42.0, f64::NAN]);
        assert_eq!(
            rows(&run(method, &apart, Inputs::NONE, &[("k", "2")]).unwrap()),
            ["[40,42]", "", "[40,42]", ""]
        );
        let mixed = data(&[40.0, f64::NAN, 42.0]);
        assert_eq!(rows(&run(method, &mixed, Inputs::NONE, &[("k", "2")]).unwrap()), ["*", "*", "*"]);
    }
}

#[test]
fn the_class_must_be_a_column_that_is_not_known_to_attackers() {
    let class = |name: &str| run(&TopDown, &people(), Inputs::NONE, &[("k", "2"), ("class", name)]);
    assert_eq!(class("job").unwrap_err().to_string(), "there is no column `job` to be the class");
    assert_eq!(class("town").unwrap_err().to_string(), "the class column `town` is itself quasi-identifying");
    assert!(class("illness").is_ok());
}

/// Ages tell the class, towns do not: with the class, ages are told as far as they help and towns stay together.
#[test]
fn top_down_tells_what_predicts_the_class() {
    let columns = vec![
        numbers("age", &[30.0, 31.0, 32.0, 33.0, 60.0, 61.0, 62.0, 63.0]),
        words("town", Role::QuasiIdentifying, &["Ulm", "Ulm", "Bonn", "Bonn", "Ulm", "Ulm", "Bonn", "Bonn"]),
        words("loan", Role::Insensitive, &["no", "no", "no", "no", "yes", "yes", "yes", "yes"]),
    ];
    let people = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().collect();
    let data = Dataset::from_table(people, Table { columns });
    let with = run(&TopDown, &data, Inputs::NONE, &[("k", "2"), ("class", "loan")]).unwrap();
    assert_eq!((&rows(&with)[0][..], &rows(&with)[7][..]), ("[30,33] * no", "[60,63] * yes"));
    let without = run(&TopDown, &data, Inputs::NONE, &[("k", "2")]).unwrap();
    assert!(!rows(&without).iter().any(|row| row.contains('*')), "{:?}", rows(&without));
}

#[test]
fn bottom_up_stops_as_soon_as_groups_are_large_enough() {
    let mut inputs = ages();
    hierarchy(&mut inputs, "town", &["Ulm;all", "Bonn;all"]);
    let outcome = run(&BottomUp, &people(), &inputs, &[("k", "2")]).unwrap();
    assert_eq!(
        rows(&outcome),
        ["[30,39] all flu", "[30,39] all flu", "[30,39] all gout", "[70,79] all flu", "[70,79] all flu"]
    );
}

#[test]
fn a_root_by_the_name_of_a_star_says_nothing() {
    let outcome = run(&Incognito, &people(), &ages(), &[("k", "5")]).unwrap();
    let table = outcome.release.table().unwrap();
    assert_eq!(table.columns[0].covers, [Cover::Suppressed]);
    assert_eq!(outcome.release.suppression.rows, 0, "the sensitive column is still there");
}

#[test]
fn everybody_stops_when_asked_to() {
    let (data, inputs) = (people(), ages());
    for method in ALL {
        let settings = Settings::parse(method.descriptor(), [("k", "2")]).unwrap();
        let progress = Progress::silent();
        progress.cancel();
        let result = method.anonymize(&Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) });
        assert!(matches!(result, Err(MethodError::Cancelled(_))), "{}", method.descriptor().name);
    }
}
