//! Blanks around a name do not count, whichever input names it: `b ` is `b`, in quotes or not.

use throng_contract::Progress;

use super::*;
use crate::Dictionary;

fn known() -> Dictionary {
    ["a", "b"].into_iter().collect()
}

fn source(name: &str, text: &str) -> Source {
    Source::memory(name, text.as_bytes())
}

#[test]
fn events_in_every_form() {
    let wide = ReadOptions { wide: Some("items".to_owned()), separator: Some('|'), ..ReadOptions::default() };
    let xes = "<log><trace><string key=\"concept:name\" value=\" ann\"/><event><string key=\"concept:name\" value=\"a \"/></event>\
               <event><string key=\"concept:name\" value=\" b\"/></event></trace></log>";
    let default = ReadOptions::default();
    let log = ReadOptions {
        subject: Some("case:concept:name".to_owned()),
        item: Some("concept:name".to_owned()),
        ..ReadOptions::default()
    };
    for (name, text, options) in [
        ("e.csv", "subject,item\nann,a \n\"ann \",\" b\"\n ann,b\n", &default),
        ("e.csv", "subject\titem\nann\ta \n ann\tb\n", &default),
        ("e.csv", "subject,items\nann,\" a | b \"\nann ,a|b\n", &wide),
        (
            "e.jsonl",
            "{\"subject\":\"ann\",\"item\":\"a \"}\n{\"subject\":\"ann \",\"item\":\" b\"}\n",
            &default,
        ),
        ("e.xes", xes, &log),
    ] {
        let read = read_dataset(&source(name, text), options, &Progress::silent()).unwrap();
        assert_eq!(read.dataset.items.names().collect::<Vec<_>>(), ["a", "b"], "{text}");
        assert_eq!(read.dataset.subjects.names().collect::<Vec<_>>(), ["ann"], "{text}");
    }
    let refused = read_dataset(&source("e.csv", "subject,item\nann, \n"), &default, &Progress::silent());
    assert!(matches!(*refused.unwrap_err().defect, Defect::EmptyField { role: "item" }));
}

#[test]
fn lists_trees_and_places() {
    let (items, silent) = (known(), Progress::silent());
    assert_eq!(read_items(&source("l", " b \n\ta\n"), &items).unwrap(), ["b", "a"]);
    assert_eq!(read_item_sets(&source("l", " a ,\" b \"\n"), &items).unwrap(), [["a", "b"]]);
    assert_eq!(read_policy(&source("l", "\"b \" , a\n"), &items).unwrap(), [["a", "b"]]);
    assert_eq!(read_patterns(&source("l", "\" b \" >  a \n"), &items).unwrap(), [["b", "a"]]);
    assert_eq!(read_alphabet(&source("l", "item \n a \nb\n")).unwrap(), ["a", "b"]);
    let costs = read_costs(&source("c.csv", "symbol,cost\n\" a\",2\nb , 3\n")).unwrap();
    assert_eq!(costs.weights.into_iter().collect::<Vec<_>>(), [("a".to_owned(), 2.0), ("b".to_owned(), 3.0)]);
    let queries = read_queries(&source("q", "\" a \" > b ; \" age \" = \" x \"\n")).unwrap();
    assert_eq!(render_query(&queries[0]), "a > b; age = x");
    let tree = read_taxonomy(&source("t", " a ;\" all \"\n\"b \";all\n"), &silent).unwrap();
    assert_eq!(align_taxonomy(&source("t", ""), &tree, &items).unwrap().len(), 2);
    let places = read_places(&source("p.csv", "item,x,y\n a,1,2\n\"b \",3,4\n"), &items, &silent).unwrap();
    assert_eq!(places.points, [[1.0, 2.0], [3.0, 4.0]]);
    let people: Dictionary = ["ann"].into_iter().collect();
    let theirs =
        read_person_patterns(&source("p.csv", "subject,pattern\n ann ,\" a > b \"\n"), None, &people, &items);
    assert_eq!(theirs.unwrap()["ann"], [["a", "b"]]);
}
