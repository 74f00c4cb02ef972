//! Who goes on from one item to another: the flows between places.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use throng_data::{EventKind, Events, ItemId};
use utoipa::ToSchema;

use crate::platform::extract::Path;
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::data::overview;
use crate::workbench::project::Projects;

/// Flows in one answer: more lines hide the map.
const MAX_FLOWS: usize = 300;

/// People who went on from one item to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = FlowView)]
pub struct Flow {
    /// The item they came from.
    pub from: String,
    /// The item they went on to.
    pub to: String,
    /// How many people did so at least once.
    pub people: u64,
}

/// People by pair of items that follow each other, most people first; equal ones in the order of the items.
fn flows(events: &Events) -> Vec<((ItemId, ItemId), u64)> {
    // The person who was counted last: events of one person lie next to each other.
    let mut pairs: HashMap<(ItemId, ItemId), (u64, usize)> = HashMap::new();
    for record in 0..events.records() {
        let person = events.subject_of(record);
        for pair in events.record(record).windows(2).filter(|pair| pair[0] != pair[1]) {
            let (people, last) = pairs.entry((pair[0], pair[1])).or_insert((0, usize::MAX));
            if *last != person {
                (*people, *last) = (*people + 1, person);
            }
        }
    }
    let mut found: Vec<_> = pairs.into_iter().map(|(pair, (people, _))| (pair, people)).collect();
    found.sort_unstable_by_key(|(pair, people)| (u64::MAX - people, *pair));
    found.truncate(MAX_FLOWS);
    found
}

/// The flows of most people; none where order means nothing.
#[utoipa::path(get, path = "/api/projects/{project}/flows", tag = "data",
    responses((status = 200, description = "Flows, most people first", body = Vec<Flow>)))]
pub async fn get(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Response, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            workspace.answer("flows", snapshot.revision, || {
                let data = snapshot.need_data()?;
                if data.events.kind() != EventKind::Sequence {
                    return Ok(Vec::new());
                }
                let name = |item: ItemId| data.items.name(item).to_owned();
                let view = |((from, to), people)| Flow { from: name(from), to: name(to), people };
                Ok(flows(&data.events).into_iter().map(view).collect())
            })
        })
        .await
        .map(overview::json)
}

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::*;

    #[test]
    fn a_person_counts_once_and_staying_is_no_flow() {
        let data = Dataset::from_words(["abab", "aab", "ba"]);
        let [a, b] = ["a", "b"].map(|name| data.items.find(name).unwrap());
        assert_eq!(flows(&data.events), [((a, b), 2), ((b, a), 2)]);
    }
}
