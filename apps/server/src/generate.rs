//! Inputs made from the data: a taxonomy, utility constraints, a workload of queries.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::Input;
use throng_data::formats::render_query;
use throng_data::{Dataset, Dictionary, Places};
use throng_measure::workload::{self, Drawing};
use utoipa::ToSchema;

use crate::extract::{Body, Path};
use crate::inputs::{self, InputView};
use crate::map::{self, east_north};
use crate::problem::Problem;
use crate::taxonomy::{self, Tree};
use crate::workbench::Workbench;

/// In which order items are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// Neighbours in the alphabet; numbers by size.
    #[default]
    Name,
    /// Items that about as many people have.
    Frequency,
    /// Neighbours on the map.
    Space,
}

/// The items in an order in which neighbours belong together.
fn ordered(items: &Dictionary, frequent: &[u32], places: Option<&Places>, grouping: Grouping) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    match (grouping, places) {
        (Grouping::Frequency, _) => frequent.to_vec(),
        (Grouping::Space, Some(places)) => {
            split(&mut order, places);
            order
        }
        (Grouping::Name | Grouping::Space, _) => {
            order.sort_by(|a, b| natural(items.name(*a), items.name(*b)));
            order
        }
    }
}

/// Halves along the longer side, again and again: neighbours in the order are neighbours on the map.
fn split(items: &mut [u32], places: &Places) {
    if items.len() < 3 {
        return;
    }
    let at = |item: &u32| east_north(places, *item as usize);
    let spread = |side: usize| {
        let values = items.iter().map(|item| at(item)[side]);
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        high - low
    };
    let side = usize::from(spread(1) > spread(0));
    items.sort_by(|a, b| at(a)[side].total_cmp(&at(b)[side]).then(a.cmp(b)));
    let (first, second) = items.split_at_mut(items.len() / 2);
    split(first, places);
    split(second, places);
}

/// `place 9` before `place 10`.
fn natural(a: &str, b: &str) -> std::cmp::Ordering {
    let key = |name: &str| {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (word, number) = name.split_at(name.len() - digits);
        (word.to_owned(), number.parse::<u64>().ok())
    };
    key(a).cmp(&key(b)).then_with(|| a.cmp(b))
}

/// A balanced taxonomy with at most `fanout` children a node.
fn balanced(items: &Dictionary, order: &[u32], fanout: usize) -> Tree {
    let fanout = fanout.max(2);
    let taken = |name: &str| items.find(name).is_some();
    let fresh = |wanted: String| {
        let mut name = wanted;
        while taken(&name) {
            name.push('*');
        }
        name
    };
    let root = fresh("any".to_owned());
    let mut tree = Tree::single(&root);
    let mut levels: Vec<Vec<String>> = vec![order.iter().map(|item| items.name(*item).to_owned()).collect()];
    let mut links: Vec<(String, String)> = Vec::new();
    let mut level = levels.pop().unwrap_or_default();
    let mut height = 1;
    while level.len() > fanout {
        let mut above = Vec::with_capacity(level.len().div_ceil(fanout));
        for (number, group) in level.chunks(fanout).enumerate() {
            let name = fresh(format!("group {height}.{}", number + 1));
            links.extend(group.iter().map(|child| (child.clone(), name.clone())));
            above.push(name);
        }
        level = above;
        height += 1;
    }
    links.extend(level.into_iter().map(|child| (child, root.clone())));
    for (child, parent) in links {
        tree.hang(child, parent);
    }
    tree
}

/// So many sets of items, a partition, one a line.
fn constraints(items: &Dictionary, order: &[u32], groups: usize) -> String {
    let groups = groups.clamp(1, order.len().max(1));
    let mut text = String::new();
    for group in 0..groups {
        let (from, to) = (group * order.len() / groups, (group + 1) * order.len() / groups);
        let names: Vec<&str> = order[from..to].iter().map(|item| items.name(*item)).collect();
        text.push_str(&names.join(","));
        text.push('\n');
    }
    text
}

/// Queries drawn from the records, one a line.
fn queries(data: &Dataset, count: u32, (least, most): (u32, u32), seed: u64) -> String {
    let sizes = least as usize..=most as usize;
    let drawing = Drawing { queries: count as usize, sizes, columns: 0..=0, seed };
    let lines = workload::draw_queries(data, &drawing)
        .iter()
        .map(|query| render_query(query) + "\n")
        .collect::<Vec<_>>();
    lines.concat()
}

/// How to make an input.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Generation {
    /// Taxonomy: children a node, 2 to 1,000.
    #[schema(minimum = 2, maximum = 1000)]
    fanout: Option<u32>,
    /// Taxonomy and constraints: which items belong together.
    order: Option<Grouping>,
    /// Constraints: number of sets.
    #[schema(minimum = 1)]
    groups: Option<u32>,
    /// Queries: how many.
    #[schema(minimum = 1, maximum = 100_000)]
    count: Option<u32>,
    /// Queries: items in a query, the fewest and the most.
    sizes: Option<Vec<u32>>,
    /// Queries: draws them.
    seed: Option<u64>,
}

/// Makes an input from the data: `taxonomy`, `constraints` or `queries`.
#[utoipa::path(post, path = "/api/projects/{project}/inputs/{input}/generate", tag = "meaning",
    request_body = Generation,
    responses((status = 200, description = "The input", body = InputView)))]
pub async fn post(
    State(bench): State<Arc<Workbench>>,
    Path((project, input)): Path<(String, String)>,
    Body(how): Body<Generation>,
) -> Result<Json<InputView>, Problem> {
    let input = inputs::find(&input)?;
    bench
        .blocking(move |bench| {
            let workspace = bench.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let data = snapshot.need_data()?;
            let items = &data.items;
            let places = map::places(bench, &workspace, &snapshot).ok().flatten();
            let usual = if places.is_some() { Grouping::Space } else { Grouping::Name };
            let order = ordered(items, &snapshot.frequent, places.as_deref(), how.order.unwrap_or(usual));
            match input {
                Input::Taxonomy => {
                    let fanout = how.fanout.unwrap_or(5);
                    if !(2..=1000).contains(&fanout) {
                        return Err(Problem::wrong("a node has 2 to 1,000 children").at("fanout"));
                    }
                    if items.names().any(|name| name.contains([';', '"', '\n'])) {
                        return Err(Problem::wrong(
                            "an item's name holds a semicolon, a quote or a line end",
                        )
                        .with_help("rename it on the Data screen"));
                    }
                    let tree = balanced(items, &order, fanout as usize);
                    taxonomy::save(bench, &project, &tree)?;
                }
                Input::Constraints => {
                    if items.names().any(|name| name.contains([',', ';', '"', '\n'])) {
                        return Err(Problem::wrong("an item's name holds a comma, a semicolon or a quote")
                            .with_help("rename it on the Data screen"));
                    }
                    let text = constraints(items, &order, how.groups.unwrap_or(5) as usize);
                    inputs::write(bench, &project, input, &text)?;
                }
                Input::Queries => {
                    let sizes = how.sizes.unwrap_or_else(|| vec![1, 2]);
                    let (Some(least), Some(most)) = (sizes.iter().min(), sizes.iter().max()) else {
                        return Err(Problem::wrong("say how many items a query has").at("sizes"));
                    };
                    let count = how.count.unwrap_or(1000);
                    if *least == 0 || *most > 100 || count == 0 || count > 100_000 {
                        let detail = "1 to 100,000 queries of 1 to 100 items can be drawn";
                        return Err(Problem::wrong(detail).at(if count == 0 { "count" } else { "sizes" }));
                    }
                    let text = queries(data, count, (*least, *most), how.seed.unwrap_or(0));
                    if text.is_empty() {
                        return Err(Problem::wrong("no record has that many events")
                            .with_help("ask for shorter queries")
                            .at("sizes"));
                    }
                    inputs::write(bench, &project, input, &text)?;
                }
                _ => return Err(Problem::wrong("this input cannot be made from the data").at("input")),
            }
            inputs::one(bench, &project, input)
        })
        .await
        .map(Json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_taxonomy_holds_every_item_once_and_is_no_wider_than_asked() {
        let items: Dictionary = ["p1", "p2", "p10", "p3", "any"].into_iter().collect();
        let order = ordered(&items, &[], None, Grouping::Name);
        let tree = balanced(&items, &order, 2);
        assert_eq!(
            tree.to_text(),
            "any;group 1.1;group 2.1;any*\np1;group 1.1;group 2.1;any*\np2;group 1.2;group 2.1;any*\n\
             p3;group 1.2;group 2.1;any*\np10;group 1.3;group 2.2;any*\n"
        );
    }

    #[test]
    fn generated_constraints_are_a_partition() {
        let items: Dictionary = ["a", "b", "c", "d", "e"].into_iter().collect();
        assert_eq!(constraints(&items, &[0, 1, 2, 3, 4], 2), "a,b\nc,d,e\n");
        assert_eq!(constraints(&items, &[0, 1, 2, 3, 4], 99).lines().count(), 5);
    }
}
