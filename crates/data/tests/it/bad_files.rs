//! What users see when a file is bad: one snapshot a topic, one entry a defect.
//!
//! To accept changed wording: `INSTA_UPDATE=always cargo test -p throng-data --test bad_files`, then review the diff.

use throng_contract::{Failing, Failure, Progress};
use throng_data::Dictionary;
use throng_data::formats::{
    InputError, ReadOptions, Source, align_taxonomy, read_costs, read_dataset, read_item_sets, read_items,
    read_names, read_patterns, read_people, read_person_patterns, read_places, read_records, read_taxonomy,
};

/// Collects what each case prints.
#[derive(Default)]
struct Cases(String);

impl Cases {
    fn add<T>(&mut self, title: &str, result: Result<T, InputError>) {
        let error = result.err().expect(title);
        assert_eq!(error.class().code(), 3, "{title}");
        let failure = Failure::from(error);
        self.0 += &format!("# {title}\nerror: {failure}\n");
        if let Some(help) = failure.help {
            self.0 += &format!("help: {help}\n");
        }
    }

    fn events(&mut self, title: &str, name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) {
        let source = Source::memory(name, bytes.as_ref());
        self.add(title, read_dataset(&source, options, &Progress::silent()));
    }

    fn csv(&mut self, title: &str, text: &str) {
        self.events(title, "trips.csv", text, &ReadOptions::default());
    }
}

fn items() -> Dictionary {
    ["home", "market", "school", "Main Street"].into_iter().collect()
}

fn file(name: &str, text: &str) -> Source {
    Source::memory(name, text.as_bytes())
}

#[test]
fn columns_that_are_missing_doubled_or_unclear() {
    let mut cases = Cases::default();
    cases.csv("no subject column", "pesron,item\n1,a\n");
    cases.csv("no subject column, but a trip", "trip,item\n1,a\n");
    cases.csv("no item column", "subject,when\n1,2\n");
    cases.csv("duplicate column", "subject,item,time,item\n1,a,2,b\n");
    cases.csv("two columns for one role", "user,id,item\n1,2,a\n");
    let named = ReadOptions { item: Some("plaec".into()), ..ReadOptions::default() };
    cases.events("a named column that is not there", "trips.csv", "subject,place\n1,a\n", &named);
    let same = ReadOptions { item: Some("subject".into()), ..ReadOptions::default() };
    cases.events("one column for two roles", "trips.csv", "subject,place\n1,a\n", &same);
    let wide = ReadOptions { wide: Some("stops".into()), ..ReadOptions::default() };
    cases.events("no wide column", "trips.csv", "subject,visits\n1,a b\n", &wide);
    insta::assert_snapshot!(cases.0);
}

#[test]
fn rows_that_do_not_fit_the_header() {
    let mut cases = Cases::default();
    cases.csv("a field too many", "subject,item\n1,a\n2,b,c\n");
    cases.csv("a field too few, behind a quoted line end", "subject,item\n1,\"a\nb\"\n\n2\n");
    cases.csv("a stray quote", "subject,item\n1,5\" pipe\n");
    cases.csv("text after a quote", "subject,item\n1,\"a\"b\n");
    cases.csv("an open quote", "subject,item\n1,a\n2,\"b\n3,c\n");
    cases.csv("no subject", "subject,item\n1,a\n,b\n");
    cases.csv("no item", "subject,item\n1,\n");
    insta::assert_snapshot!(cases.0);
}

#[test]
fn files_that_are_empty_or_in_another_encoding() {
    let mut cases = Cases::default();
    let default = ReadOptions::default();
    cases.csv("nothing", "");
    cases.csv("blank lines only", "\n\r\n\n");
    cases.csv("a header only", "subject,item\n");
    cases.events("nothing in transactions", "baskets.dat", "", &default);
    cases.events("no sequence", "clicks.spmf", "@CONVERTED_FROM_TEXT\n", &default);
    cases.events("no text", "trips.csv", b"subject,item\n1,\xff\x01\n", &default);
    let late = [b"subject,item\n".to_vec(), b"1,a\n".repeat(300_000), b"1,caf\xe9\n".to_vec()].concat();
    cases.events("Latin-1 far below", "trips.csv", late, &default);
    cases.csv("carriage returns only", "subject,item\r1,a\r");
    cases.events("not gzip", "trips.csv.gz", "subject,item\n1,a\n", &default);
    cases.events("cut gzip", "trips.csv.gz", b"\x1f\x8b\x08\0\0\0", &default);
    cases.events("no workbook", "trips.xlsx", b"PK\x03\x04 and nothing else", &default);
    cases.events("a page", "trips.html", "<html></html>", &default);
    let delimiter = ReadOptions { delimiter: Some(b'"'), ..ReadOptions::default() };
    cases.events("impossible delimiter", "trips.csv", "subject,item\n1,a\n", &delimiter);
    cases.add("no such file", Source::parse("/nowhere/trips.csv").open());
    cases.events("standard input", "-", "subject,item\n", &default);
    insta::assert_snapshot!(cases.0);
}

#[test]
fn times_that_do_not_parse() {
    let mut cases = Cases::default();
    cases.csv("neither number nor date", "subject,item,time\n1,a,Monday\n");
    cases.csv("a date among numbers", "subject,item,time\n1,a,10\n2,b,2024-01-01\n");
    cases.csv("a number among dates", "subject,item,time\n1,a,2024-01-01\n1,b,20240102\n");
    cases.csv("a zone among local times", "subject,item,time\n1,a,2024-01-01T10:00\n1,b,2024-01-01T10:00Z\n");
    cases.csv("no time", "subject,item,time\n1,a,3\n1,b,\n");
    cases.csv("a day that does not exist", "subject,item,time\n1,a,2023-02-29\n");
    let format = ReadOptions { time_format: Some("%d/%m/%Y".into()), ..ReadOptions::default() };
    cases.events("not in the format given", "trips.csv", "subject,item,time\n1,a,2024-01-01\n", &format);
    insta::assert_snapshot!(cases.0);
}

#[test]
fn sequences_that_are_not_spmf() {
    let mut cases = Cases::default();
    let default = ReadOptions::default();
    let mut spmf = |title, text: &str| cases.events(title, "clicks.spmf", text, &default);
    spmf("two items in an element", "# comment\n1 -1 2 -1 -2\n1 2 -1 -2\n");
    spmf("no end", "1 -1 2 -1\n");
    spmf("an element is not closed", "1 -1 2 -2\n");
    spmf("text after the end", "1 -1 -2 3\n");
    spmf("an empty element", "1 -1 -1 -2\n");
    spmf("not a number", "a -1 -2\n");
    insta::assert_snapshot!(cases.0);
}

#[test]
fn places_that_do_not_fit_the_data() {
    let mut cases = Cases::default();
    let mut places = |title, text: &str| {
        cases.add(title, read_places(&file("places.csv", text), &items(), &Progress::silent()));
    };
    places("a misspelt item", "item,x,y\nhome,0,0\nmarkt,1,1\nschool,2,2\nMain Street,1,2\n");
    places("items of the data without a place", "item,x,y\nhome,0,0\nmarket,1,1\n");
    places("one item without a place", "item,x,y\nhome,0,0\nmarket,1,1\nMain Street,1,2\n");
    places("an item twice", "item,x,y\nhome,0,0\nmarket,1,1\nhome,2,2\n");
    places("not a number", "item,x,y\nhome,0,north\n");
    places("infinite", "item,x,y\nhome,0,inf\n");
    places("latitude and longitude swapped", "item,lat,lon\nhome,151.2,-33.9\n");
    places("no longitude", "item,lat,y\nhome,1,2\n");
    places("no coordinates", "item,name\nhome,2\n");
    places("no name", "item,x,y\n,1,2\n");
    insta::assert_snapshot!(cases.0);
}

#[test]
fn taxonomies_that_are_not_trees_over_the_data() {
    let mut cases = Cases::default();
    let mut tree = |title, text: &str| {
        cases.add(title, read_taxonomy(&file("places.tree", text), &Progress::silent()));
    };
    tree("a cycle on one line", "home;a;all\n\nmarket;b;market;all\n");
    tree("a cycle over two lines", "home;a;b;all\nmarket;b;a;all\n");
    tree("two roots", "home;all\nmarket;everything\n");
    tree("a duplicate leaf", "home;all\nmarket;all\nhome;all\n");
    tree("two parents", "home;a;all\nmarket;b;all\nschool;a;b;all\n");
    tree("a leaf that is also a parent", "home;market;all\nmarket;all\n");
    tree("an empty level", "home;;all\n");
    tree("nothing", "");
    tree("blank lines only", "\n\n");
    let source = file("places.tree", "home;all\nmarket;all\nschol;all\n");
    let taxonomy = read_taxonomy(&source, &Progress::silent()).unwrap();
    cases.add("items of the data that are no leaves", align_taxonomy(&source, &taxonomy, &items()));
    insta::assert_snapshot!(cases.0);
}

#[test]
fn records_that_do_not_fit_the_subjects() {
    let mut cases = Cases::default();
    let subjects: Dictionary = ["ann", "bob", "eve"].into_iter().collect();
    let mut records = |title, text: &str| {
        let source = file("people.csv", text);
        cases.add(title, read_records(&source, &ReadOptions::default(), &subjects, &Progress::silent()));
    };
    records("a subject twice", "subject,age\nann,3\nbob,4\nann,5\n");
    records("an unknown subject", "subject,age\nann,3\nmallory,4\n");
    records("subjects without a row", "subject,age\nann,3\n");
    records("no subject column", "name,age\nann,3\n");
    records("no subject", "subject,age\n,3\n");
    records("a field too few", "subject,age\nann\n");
    insta::assert_snapshot!(cases.0);
    assert!(!cases.0.contains("mallory"), "a person's value was printed");
}

#[test]
fn rows_of_people_without_events_are_left_out_unless_a_person_has_no_row() {
    let subjects: Dictionary = ["ann", "bob"].into_iter().collect();
    let people = |text: &str| {
        read_people(&file("people.csv", text), &ReadOptions::default(), None, &subjects, &Progress::silent())
    };
    let read = people("subject,age\nann,3\nmallory,4\nbob,5\n").unwrap();
    assert_eq!((read.others, read.table.columns.len()), (1, 1));
    let error = people("subject,age\nann,3\nbobb,5\n").unwrap_err().to_string();
    assert!(error.contains("line 3") && error.contains("does not occur in the data"), "{error}");
    assert!(!error.contains("bobb"), "a person's value was printed");
}

#[test]
fn lists_with_entries_that_make_no_sense() {
    let mut cases = Cases::default();
    let known = items();
    cases.add("unknown item", read_items(&file("sensitive.txt", "home\nmarkte\n"), &known));
    cases.add("unknown item, nothing like it", read_items(&file("sensitive.txt", "clinic\n"), &known));
    cases.add("an item twice", read_items(&file("sensitive.txt", "home\n\nhome\n"), &known));
    cases.add("no item", read_items(&file("sensitive.txt", "\n"), &known));
    cases.add("an empty item in a set", read_item_sets(&file("sets.txt", "home,,market\n"), &known));
    cases.add("an empty step", read_patterns(&file("patterns.txt", "home > > market\n"), &known));
    cases.add("unknown item in a pattern", read_patterns(&file("patterns.txt", "home > scool\n"), &known));
    cases.add("a name twice", read_names(&file("alphabet.txt", "a\nb\na\n")));
    cases.add("not a cost", read_costs(&file("costs.csv", "symbol,cost\na,1\nb,much\n")));
    cases.add("a symbol twice", read_costs(&file("costs.csv", "symbol,cost\na,1\na,2\n")));
    insta::assert_snapshot!(cases.0);
}

#[test]
fn patterns_of_people_who_are_not_there_or_of_nothing() {
    let mut cases = Cases::default();
    let (known, people) = (items(), ["ann", "bob"].into_iter().collect());
    let mut add = |what: &str, text: &str| {
        cases.add(what, read_person_patterns(&file("theirs.csv", text), None, &people, &known));
    };
    add("unknown person", "subject,pattern\nann,home > market\nbobb,home\n");
    add("no person", "subject,pattern\n,home\n");
    add("no pattern", "subject,pattern\nann,\n");
    add("an empty step", "subject,pattern\nann,home > > market\n");
    add("unknown item", "subject,pattern\nann,home\nann,home > markte\n");
    add("a pattern twice", "subject,pattern\nann,home > market\nbob,home > market\nann,home>market\n");
    add("no column of patterns", "subject,place\nann,home\n");
    add("a list for everybody", "home > market\n");
    assert!(!cases.0.contains("bobb"), "a person was named");
    insta::assert_snapshot!(cases.0);
}
