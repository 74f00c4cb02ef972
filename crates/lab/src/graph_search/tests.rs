use super::*;

fn read(text: &str) -> Result<GraphSearch, RecipeError> {
    let text = format!("schema = \"{SCHEMA}\"\n{text}");
    GraphSearch::of_document(&Document::of("mine.toml", text, Path::new("")))
}

#[test]
fn a_recipe_says_what_flags_say() {
    let text = "[graph]\ndirected = true\ndistance = \"hops\"\ndelta = 2\n[search]\nmin-support = 7\nkeep = \"maximal\"\n\
                [constraints]\nmax-edges = 3\nonly-labels = [\"A\", \"B,C\"]\nwith-labels = \"A\"\n";
    let asked = read(text).unwrap();
    let search = asked.search(&Progress::silent()).unwrap();
    assert_eq!((search.min_support, search.keep), (7, Keep::Maximal));
    assert_eq!(search.constraints.max_edges, Some(3));
    assert_eq!(search.constraints.only_labels, Some(vec!["A".to_owned(), "B,C".to_owned()]));
    assert_eq!(asked.looked_at_late(), ["with-labels"]);
    assert!(asked.reading().directed && asked.distance() == Some(Distance::Hops));
}

#[test]
fn every_option_can_stand_in_a_recipe() {
    for option in OPTIONS.iter().filter(|option| !matches!(option.takes, Takes::File | Takes::Files)) {
        let value = match option.takes {
            Takes::Count => "3".to_owned(),
            Takes::Positive | Takes::Share => "0.5".to_owned(),
            Takes::Word(words) => format!("\"{}\"", words[0]),
            Takes::Words(words) => format!("[\"{}\"]", words[0]),
            Takes::Switch => "true".to_owned(),
            _ => "[\"A\"]".to_owned(),
        };
        let asked = read(&format!("[{}]\n{} = {value}\n", option.part.name(), option.name)).unwrap();
        assert!(asked.given.contains_key(option.name));
        assert_eq!(option.late, option.help.contains("applied after the search"), "{}", option.name);
    }
}

#[test]
fn what_means_nothing_is_refused() {
    for text in [
        "[constraints]\nmax-edge = 3\n",
        "[constraints]\nmax-edges = 0\n",
        "[constraints]\nmin-support = 3\n",
        "[search]\nalpha = 2\n",
        "[search]\nkeep = \"all\"\n",
        "[search]\nexact = 1\n",
        "[graph]\nfile = \"nowhere.lg\"\n",
        "[limits]\n",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    let alone = read("[graph]\ndelta = 2\n[search]\nmin-support = 1\n").unwrap();
    assert!(alone.search(&Progress::silent()).is_err());
    assert!(read("").unwrap().search(&Progress::silent()).is_err());
}
