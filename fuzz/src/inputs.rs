//! What belongs to the items and the people, and the small syntaxes: items, patterns, times.

use throng_contract::Progress;
use throng_data::formats::{
    GraphOptions, ReadOptions, Source, TimeReader, align_taxonomy, parse_pattern, parse_query, read_costs,
    read_graph, read_item_sets, read_items, read_names, read_patterns, read_places, read_queries,
    read_records, read_taxonomy, render_pattern, render_query,
};
use throng_data::{Dictionary, parse_item, render_item};

fn known() -> Dictionary {
    ["a", "b", "c", "d", "{a|b}", "x y"].into_iter().collect()
}

/// Attributes of people.
pub fn records(bytes: &[u8]) {
    let source = Source::memory("records.csv", bytes);
    let people = known();
    let Ok(table) = read_records(&source, &ReadOptions::default(), &people, &Progress::silent()) else {
        return;
    };
    for column in &table.columns {
        assert!(column.role.is_none(), "a file gives no roles: {}", column.name);
        // Everybody has a value, if only a missing one.
        (0..people.len()).for_each(|person| drop(column.text(person)));
    }
}

/// Where items are.
pub fn places(bytes: &[u8]) {
    let items = known();
    if let Ok(places) = read_places(&Source::memory("places.csv", bytes), &items, &Progress::silent()) {
        assert_eq!(places.points.len(), items.len(), "every item has a place");
        assert!(places.points.iter().flatten().all(|coordinate| coordinate.is_finite()));
    }
}

/// A tree over items: written as paths, it is the same tree.
pub fn taxonomy(bytes: &[u8]) {
    let source = Source::memory("taxonomy.csv", bytes);
    let Ok(tree) = read_taxonomy(&source, &Progress::silent()) else { return };
    let _ = align_taxonomy(&source, &tree, &known());
    let nodes = 0..tree.nodes() as u32;
    let mut text = String::new();
    for leaf in nodes.clone().filter(|node| tree.is_leaf(*node)) {
        let mut path = vec![leaf];
        while let Some(parent) = path.last().and_then(|node| tree.parent(*node)) {
            path.push(parent);
        }
        assert_eq!(path.last(), Some(&tree.root()), "every path leads to the root");
        assert_eq!(path.len() - 1, tree.depth(leaf) as usize);
        // Every field in quotes: names may hold anything.
        let quoted = path.iter().map(|node| format!("\"{}\"", tree.name(*node).replace('"', "\"\"")));
        text += &(quoted.collect::<Vec<_>>().join(";") + "\n");
    }
    let Ok(again) = read_taxonomy(&Source::memory("again.csv", text.as_bytes()), &Progress::silent()) else {
        // A tree of one node has nothing between delimiters to guess them from.
        assert!(tree.nodes() == 1, "a tree that was written is not read again: {text}");
        return;
    };
    assert_eq!(again.nodes(), tree.nodes());
    for node in nodes {
        let twin = again.find(tree.name(node)).expect("every name is still there");
        let parent =
            |of: &throng_data::Taxonomy, node| of.parent(node).map(|parent| of.name(parent).to_owned());
        assert_eq!(parent(&again, twin), parent(&tree, node));
    }
}

/// A labelled graph, in each of its forms.
pub fn graph(bytes: &[u8]) {
    for name in ["graph.lg", "graph.graphml", "graph.csv"] {
        let source = Source::memory(name, bytes);
        let Ok(graph) = read_graph(&source, &GraphOptions::default(), &Progress::silent()) else { continue };
        assert!(!graph.nodes.is_empty(), "a graph has nodes");
    }
}

/// Lists of items, sets of items, alphabets, costs.
pub fn lists(bytes: &[u8]) {
    let source = Source::memory("list.csv", bytes);
    let items = known();
    if let Ok(found) = read_items(&source, &items) {
        assert!(found.iter().all(|item| items.find(item).is_some()));
    }
    if let Ok(sets) = read_item_sets(&source, &items) {
        assert!(sets.iter().flatten().all(|item| items.find(item).is_some()));
    }
    if let Ok(names) = read_names(&source) {
        assert!(names.iter().all(|name| !name.is_empty() && name.trim() == name));
    }
    if let Ok(costs) = read_costs(&source) {
        assert!(costs.weights.values().chain(costs.replacing.values()).all(|cost| cost.is_finite()));
    }
}

/// Sequences of items: what is rendered is parsed again.
pub fn patterns(bytes: &[u8]) {
    let source = Source::memory("patterns.txt", bytes);
    let _ = read_patterns(&source, &known());
    if let Ok(queries) = read_queries(&source) {
        for query in queries {
            let rendered = render_query(&query);
            assert_eq!(parse_query(&rendered), Some(query), "{rendered:?}");
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        round_trip(&parse_pattern(text));
    }
}

fn round_trip(names: &[String]) {
    let rendered = render_pattern(names.iter().map(String::as_str));
    assert_eq!(parse_pattern(&rendered), names, "{rendered:?}");
}

/// `{a|b}`: what is parsed is rendered, and what is rendered is parsed to the same names.
pub fn items(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Some(names) = parse_item(text) {
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let rendered = render_item(names.iter().map(String::as_str));
        assert_eq!(parse_item(&rendered).as_ref(), Some(&sorted), "{rendered:?}");
    }
    // Any name at all can be an item, alone and among others.
    let name = render_item([text]);
    assert_eq!(parse_item(&name).as_deref(), Some(&[text.to_owned()][..]), "{name:?}");
}

/// A first time, and others in its form; a line that begins with `%` is the format.
pub fn times(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut lines = text.lines().peekable();
    let format = lines.next_if(|line| line.starts_with('%'));
    let Some(first) = lines.next() else { return };
    let Ok(reader) = TimeReader::for_file(first, format) else { return };
    for line in [first].into_iter().chain(lines) {
        if let Ok(time) = reader.read(line) {
            assert_eq!(reader.read(line.trim()).ok(), Some(time), "blanks around a time do not count");
        }
    }
}
