//! Inputs made from the data: a taxonomy or hierarchy, a policy, utility constraints, a workload of queries; attributes and places that stand in
//! the events' own file.

use crate::workbench::inputs::key::Kept as _;
use std::borrow::Cow;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::{Input, Progress};
use throng_data::formats::{CUT_FROM_DATA, render_query};
use throng_data::{ColumnKind, Dataset, Role};
use throng_measure::workload::{self, Drawing};
use throng_methods::set::policy::{self, Privacy};
use throng_prepare::constraints::{self, Sizes};
use throng_prepare::hierarchies::{Plan, Rule, Values};
use utoipa::ToSchema;

use crate::platform::extract::{Body, Path};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::data::map;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::inputs::taken::{self, Taking};
use crate::workbench::inputs::{InputFile, Inputs, hierarchies, people};
use crate::workbench::meaning::entries::set_line;
use crate::workbench::snapshots::{Snapshot, Workspace};

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

/// A hierarchy over the items, or over the values of a column, by a rule of the library. Gives back its lines, and what of them
/// was taken from the data.
fn hierarchy(
    inputs: &Inputs,
    workspace: &Workspace,
    snapshot: &Snapshot,
    key: &InputKey,
    how: &Generation,
) -> Result<(String, Option<String>), Problem> {
    let data = snapshot.need_data()?;
    let places = map::places(&inputs.projects, workspace, snapshot).ok().flatten();
    let domain = match &key.column {
        Some(column) => {
            let records = inputs.projects.home.input(&workspace.project, Input::Records);
            let column = people::column(snapshot, &records, column)?;
            Some(hierarchies::domain(&column)?)
        }
        None => None,
    };
    let values = match &domain {
        Some(domain) => {
            let mut people = vec![0; domain.values.len()];
            domain.codes.iter().for_each(|code| people[*code as usize] += 1);
            Values {
                names: domain.values.iter().map(String::as_str).collect(),
                people,
                kind: domain.kind,
                places: None,
                categories: None,
                listed: false,
            }
        }
        None => Values {
            names: data.items.names().collect(),
            people: snapshot.tally.iter().map(|item| item.people).collect(),
            kind: ColumnKind::Category,
            places: places.as_deref(),
            categories: places.as_deref().and_then(|places| places.categories.as_deref()),
            listed: false,
        },
    };
    let usual = match values.kind {
        ColumnKind::Number => Rule::Width,
        ColumnKind::Date => Rule::Calendar,
        ColumnKind::Category if places.is_some() => Rule::ZOrder,
        ColumnKind::Category => Rule::Name,
    };
    let rule = match how.by.as_deref().filter(|word| !word.is_empty()) {
        None => usual,
        Some(word) => Rule::parse(word).ok_or_else(|| {
            let known: Vec<&str> = Rule::ALL.iter().map(|(_, word, _)| *word).collect();
            Problem::wrong("there is no such rule")
                .with_help(format!("choose one of {}", known.join(", ")))
                .at("by")
        })?,
    };
    let plan = Plan::new(rule);
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let plan = Plan {
        fan_out: how.fanout.map_or(plan.fan_out, |fanout| fanout as usize),
        bins: how.bins.map_or(plan.bins, |bins| bins as usize),
        from: given(&how.from),
        to: given(&how.to),
        ..plan
    };
    if plan.fan_out > 1000 || plan.bins > 100_000 {
        return Err(Problem::wrong("a node has 2 to 1,000 children, and there are 1 to 100,000 intervals")
            .at("fanout"));
    }
    let made = plan.generate(&values).map_err(problem::of)?;
    let note =
        made.from_data.map(|what| format!("It was cut from the data: publishing it gives away {what}."));
    Ok((made.render(), note))
}

/// A policy derived from the data: what an attacker may know, a set a line.
fn policy(data: &Dataset, how: &Generation) -> Result<String, Problem> {
    let (k, m) = (u64::from(how.k.unwrap_or(5)), how.m.unwrap_or(2) as usize);
    let strategy = match how.derive.as_deref().unwrap_or("km") {
        "km" => Privacy::Km { k, m },
        "records" => Privacy::Records { of: Vec::new() },
        "frequency" => Privacy::Rare { k },
        _ => {
            return Err(Problem::wrong("there is no such policy")
                .with_help("choose one of km, records, frequency")
                .at("derive"));
        }
    };
    let sets = policy::privacy(data, &strategy, &Progress::silent()).map_err(problem::of)?;
    Ok(lines(&sets))
}

/// A set a line.
fn lines(sets: &[Vec<String>]) -> String {
    sets.iter().map(|set| set_line(set) + "\n").collect()
}

/// Queries drawn from the records, one a line.
fn queries(data: &Dataset, count: u32, (least, most): (u32, u32), columns: u32, seed: u64) -> String {
    let sizes = least as usize..=most as usize;
    let columns = columns.min(1) as usize..=columns as usize;
    let drawing = Drawing { queries: count as usize, sizes, columns, seed };
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
    /// Taxonomy and hierarchies: by what values are put together: `width`, `depth`, `frequency`, `name`, `z-order`, `date` or
    /// `prefix`.
    by: Option<String>,
    /// Taxonomy and hierarchies: children a node, 2 to 1,000.
    #[schema(minimum = 2, maximum = 1000)]
    fanout: Option<u32>,
    /// Hierarchies: intervals at the lowest level.
    #[schema(minimum = 1, maximum = 100_000)]
    bins: Option<u32>,
    /// Hierarchies: the lowest number or date there can be; that of the data when it is empty.
    from: Option<String>,
    /// Hierarchies: the highest number or date there can be.
    to: Option<String>,
    /// Policy: `km`, `records` or `frequency`.
    derive: Option<String>,
    /// Policy: people needed.
    #[schema(minimum = 1)]
    k: Option<u32>,
    /// Policy: items that an attacker may know.
    #[schema(minimum = 1, maximum = 8)]
    m: Option<u32>,
    /// Constraints: which items belong together.
    order: Option<Grouping>,
    /// Constraints: number of sets.
    #[schema(minimum = 1)]
    groups: Option<u32>,
    /// Queries: how many.
    #[schema(minimum = 1, maximum = 100_000)]
    count: Option<u32>,
    /// Queries: items in a query, the fewest and the most.
    sizes: Option<Vec<u32>>,
    /// Queries: the most columns of people that are asked for beside items.
    #[schema(maximum = 100)]
    columns: Option<u32>,
    /// Queries: draws them.
    seed: Option<u64>,
    /// Records: the columns of the events that belong to the person. Places: those of the two coordinates, and perhaps of the category.
    take: Option<Vec<String>>,
    /// Places: whether coordinates are x and y of a plane, rather than latitude and longitude.
    plane: bool,
    /// Records and places: whether the first value counts where a person or an item has several.
    first_value: bool,
}

/// Makes an input from the data: `taxonomy`, `hierarchy:COLUMN`, `policy`, `constraints` or `queries`, and `records` or `places` of columns of
/// the events.
#[utoipa::path(post, path = "/api/projects/{project}/inputs/{input}/generate", tag = "meaning",
    request_body = Generation,
    responses((status = 200, description = "The input", body = InputFile)))]
pub async fn post(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
    Body(how): Body<Generation>,
) -> Result<Json<InputFile>, Problem> {
    let key = InputKey::of_text(&input)?;
    inputs
        .ask(&principal, move |inputs| {
            let workspace = inputs.projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let data = snapshot.need_data()?;
            let items = &data.items;
            let places = map::places(&inputs.projects, &workspace, &snapshot).ok().flatten();
            let usual = if places.is_some() { Grouping::Space } else { Grouping::Name };
            let mut note = None;
            match key.input {
                Input::Taxonomy | Input::Hierarchies => {
                    let (text, from_data) = hierarchy(inputs, &workspace, &snapshot, &key, &how)?;
                    inputs.write(&project, &key, &text)?;
                    note = from_data;
                }
                Input::Policy => {
                    let text = policy(data, &how)?;
                    if text.is_empty() {
                        return Err(Problem::wrong("nothing in the data needs such a policy")
                            .with_help("ask for more people, or for more items that are known")
                            .at("k"));
                    }
                    let said = format!("{CUT_FROM_DATA}: publishing it gives away what is rare in them\n");
                    inputs.write(&project, &key, &(said + &text))?;
                    note = Some(
                        "It was cut from the data: it names what is rare, and is not published.".to_owned(),
                    );
                }
                Input::Constraints => {
                    if items.names().any(|name| name.contains('\n')) {
                        return Err(Problem::wrong("an item's name holds a line end")
                            .with_help("rename it on the Data screen"));
                    }
                    let grouping = match how.order.unwrap_or(usual) {
                        Grouping::Name => constraints::Grouping::Name,
                        Grouping::Frequency => constraints::Grouping::Frequency,
                        Grouping::Space => constraints::Grouping::Space,
                    };
                    let people: Vec<u64> = snapshot.tally.iter().map(|item| item.people).collect();
                    let order = constraints::ordered(items, &people, places.as_deref(), grouping);
                    let sizes = Sizes::Equal(how.groups.unwrap_or(5) as usize);
                    let text = constraints::render(items, &constraints::partition(&order, sizes));
                    inputs.write(&project, &key, &text)?;
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
                    let columns = how.columns.unwrap_or(0).min(100);
                    let all = match columns {
                        0 => Cow::Borrowed(data),
                        _ => people::described(
                            &snapshot,
                            &inputs.projects.home.input(&project, Input::Records),
                        )?,
                    };
                    let quasi = |data: &Dataset| {
                        let columns = data.attributes.iter().flat_map(|table| &table.columns);
                        columns.filter(|column| column.role == Some(Role::QuasiIdentifying)).count()
                    };
                    if columns > 0 && quasi(&all) == 0 {
                        return Err(Problem::wrong("no column of people is quasi-identifying")
                            .with_help("give columns this role on the Data screen, or ask for items alone")
                            .at("columns"));
                    }
                    let text = queries(&all, count, (*least, *most), columns, how.seed.unwrap_or(0));
                    if text.is_empty() {
                        return Err(Problem::wrong("no record has that many events")
                            .with_help("ask for shorter queries")
                            .at("sizes"));
                    }
                    inputs.write(&project, &key, &text)?;
                }
                Input::Records | Input::Places => {
                    let columns = how.take.unwrap_or_default();
                    let taking = Taking { columns: &columns, plane: how.plane, first_value: how.first_value };
                    let text = taken::render(&snapshot, key.input, &taking)?;
                    inputs.write_judged(&project, &key, &snapshot, &text)?;
                    taken::remember(&inputs.projects.home.input(&project, key.clone()), &taking, text)?;
                }
                _ => return Err(Problem::wrong("this input cannot be made from the data").at("input")),
            }
            Ok(InputFile { note, ..inputs.one(&project, &key)? })
        })
        .await
        .map(Json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_written_so_that_they_can_be_read() {
        assert_eq!(lines(&[vec!["a".to_owned(), "b,c".to_owned()], vec!["d".to_owned()]]), "a,\"b,c\"\nd\n");
    }
}
