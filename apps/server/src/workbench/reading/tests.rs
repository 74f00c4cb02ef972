use std::collections::BTreeMap;

use throng_contract::Progress;
use throng_data::formats::Source;

use super::*;
use crate::workbench::working_table::{WorkingTable, read};

/// What columns are is seen by their values, too.
const ROWS: &str = "ann,t1,home,x\nann,t1,work,y\nann,t2,home,z\nbob,t1,work,x\nbob,t1,home,y\n";

fn working_table(header: &str) -> WorkingTable {
    let text = format!("{header}\n{ROWS}");
    read(&Source::memory("a.csv", text.into_bytes()), None, &Progress::silent()).0
}

#[test]
fn names_are_guessed_and_the_user_has_the_last_word() {
    let working_table = working_table("user,trip,place,when");
    let guess = Assignment::of(&working_table, &Reading::default());
    assert_eq!(
        (guess.subject(), guess.record(), guess.item(), guess.time()),
        (Some(0), Some(1), Some(2), None)
    );
    assert!(guess.plain);
    let said = Reading {
        roles: BTreeMap::from([(1, ColumnRole::None), (3, ColumnRole::Time)]),
        ..Reading::default()
    };
    let told = Assignment::of(&working_table, &said);
    assert_eq!((told.record(), told.time()), (None, Some(3)));
    // The command line would take `trip` for the record: the file has to be written anew without it.
    assert!(!told.plain);
    assert_eq!(told.used(), [0, 2, 3]);
}

#[test]
fn a_row_is_a_person_where_nothing_speaks_of_events() {
    let form = |text: &str| {
        let source = Source::memory("a.csv", text.as_bytes().to_vec());
        Assignment::of(&read(&source, None, &Progress::silent()).0, &Reading::default()).form
    };
    assert_eq!(form("id,age,sex\n1,30,f\n2,31,m\n"), DataForm::Table);
    assert_eq!(form("age,sex,zip,job\n30,f,1,a\n30,f,1,b\n"), DataForm::Table);
    assert_eq!(form("user,ward\n1,a\n1,b\n"), DataForm::Sequences);
    assert_eq!(form("who,ward,day\np,a,2024-03-01\np,b,2024-03-02\n"), DataForm::Sequences);
    assert_eq!(form("subject,item\n1,a\n"), DataForm::Sequences);
}

#[test]
fn a_table_with_sets_is_recognised_by_the_cells_of_a_column() {
    let (codes, phrases) = (["a b c", "b", "a c d", "d b", "c a", "a"], ["New York", "Rome"]);
    let more = ["e f", "g", "", "f g", "h e"];
    let rows: String = (0..30)
        .map(|row| {
            let cell = format!("{} {}", codes[row % 6], more[(row / 6) % 5]);
            format!("p{row},{},{},{cell}\n", 20 + row % 7, phrases[row % 2])
        })
        .collect();
    let source = Source::memory("a.csv", format!("id,age,town,codes\n{rows}").into_bytes());
    let (table, _) = read(&source, None, &Progress::silent());
    let found = Assignment::of(&table, &Reading::default());
    assert_eq!((found.form, found.item(), found.subject()), (DataForm::Mixed, Some(3), Some(0)));
    assert_eq!(found.attributes(), [1, 2]);
    let options = found.options(&table, &Reading::default());
    assert_eq!((options.wide.as_deref(), options.sets, options.separator), (Some("codes"), true, Some(' ')));
    assert_eq!(options.attributes, ["age", "town"]);
}

#[test]
fn a_guess_does_not_answer_the_doubt_about_it() {
    let rows: String = (0..40).map(|row| format!("r{row},m{},{}\n", row % 5, row % 3)).collect();
    let source = Source::memory("a.csv", format!("user_id,code,place\n{rows}").into_bytes());
    let (table, _) = read(&source, None, &Progress::silent());
    let about = |reading: &Reading| Assignment::of(&table, reading).question.map(|question| question.about);
    assert_eq!(about(&Reading::default()), Some("subject"));
    let roles = BTreeMap::from([(0, ColumnRole::Subject)]);
    assert_eq!(about(&Reading { roles, ..Reading::default() }), None);
}

#[test]
fn a_column_that_could_be_two_things_is_not_guessed() {
    let guess = Assignment::of(&working_table("user,person,place"), &Reading::default());
    assert_eq!(guess.subject(), None);
    assert!(!guess.plain);
}
