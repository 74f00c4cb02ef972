//! The taxonomy on the screen: a tree shown level by level and edited node by node.

mod tree;

use crate::workbench::inputs::key::Kept as _;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::{Input, Progress};
use throng_data::Dictionary;
use throng_data::formats::{Source, read_taxonomy};
use utoipa::{IntoParams, ToSchema};

pub use self::tree::{Refusal, Tree};
use crate::platform::extract::{Body, Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::inputs::{Inputs, hierarchies};

/// Nodes in one answer.
const MAX_NODES: u64 = 500;

/// A node of the taxonomy.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = NodeView)]
pub struct TreeNode {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its parent; absent for the root.
    pub parent: Option<String>,
    /// Leaves below it.
    pub leaves: u64,
    /// Children.
    pub children: u64,
}

/// Some nodes of the taxonomy.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NodesPage {
    /// The nodes.
    pub nodes: Vec<TreeNode>,
    /// How many there are in all.
    pub total: u64,
}

/// Which nodes.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct NodesQuery {
    /// The tree: `taxonomy`, that of the items, or `hierarchy:COLUMN`.
    target: Option<String>,
    /// The children of this node; the root when not given.
    under: Option<String>,
    /// Nodes to pass over.
    #[param(minimum = 0)]
    offset: Option<u64>,
    /// Nodes to show; 500 at most.
    #[param(minimum = 0)]
    limit: Option<u64>,
}

/// A change of the taxonomy.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
pub enum TaxonomyEdit {
    /// Gives a group another name.
    Rename {
        /// The node.
        id: String,
        /// Its new name.
        name: String,
    },
    /// Moves a node with everything below it.
    Move {
        /// The node.
        id: String,
        /// Its new parent.
        to: String,
    },
    /// Adds a group.
    Add {
        /// Its parent.
        under: String,
        /// Its name.
        name: String,
    },
    /// Removes a group; its children go to its parent.
    Remove {
        /// The node.
        id: String,
    },
}

/// Which tree is edited.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct TargetQuery {
    /// The tree: `taxonomy`, that of the items, or `hierarchy:COLUMN`.
    target: Option<String>,
}

/// What an edit left.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Leaves {
    /// Leaves of the whole tree.
    pub leaves: u64,
}

fn load(inputs: &Inputs, project: &str, target: &InputKey) -> Result<Tree, Problem> {
    inputs.projects.store.project(project)?.ok_or_else(|| Problem::missing("project"))?;
    let path = inputs.projects.home.input(project, target.clone());
    if !path.is_file() {
        return Err(Problem::missing("taxonomy").with_help("import one or let one be made"));
    }
    let source = Source::file(path);
    let taxonomy = read_taxonomy(&source, &Progress::silent()).map_err(problem::of)?;
    let mut tree = Tree::of(&taxonomy);
    tree.cut_from_data = source.is_cut_from_data();
    Ok(tree)
}

/// The tree over items, or over the values of a column.
fn target(text: Option<&str>) -> Result<InputKey, Problem> {
    let key = InputKey::of_text(text.unwrap_or(Input::Taxonomy.flag()))?;
    match key.input {
        Input::Taxonomy | Input::Hierarchies => Ok(key),
        _ => Err(Problem::wrong("this input is no tree").at("target")),
    }
}

fn node(tree: &Tree, name: &str) -> TreeNode {
    TreeNode {
        id: name.to_owned(),
        name: name.to_owned(),
        parent: tree.parent(name).map(str::to_owned),
        leaves: tree.leaves(name),
        children: tree.children(name).len() as u64,
    }
}

/// The root, or the children of a node.
#[utoipa::path(get, path = "/api/projects/{project}/taxonomy", tag = "meaning", params(NodesQuery),
    responses((status = 200, description = "Nodes", body = NodesPage)))]
pub async fn get(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path(project): Path<String>,
    Query(query): Query<NodesQuery>,
) -> Result<Json<NodesPage>, Problem> {
    inputs
        .ask(&principal, move |inputs| {
            let tree = load(inputs, &project, &target(query.target.as_deref())?)?;
            let names: Vec<&str> = match query.under.as_deref() {
                None => vec![tree.root()],
                Some(under) if tree.holds(under) => tree.children(under).iter().map(String::as_str).collect(),
                Some(_) => return Err(Problem::missing("node")),
            };
            let offset = query.offset.unwrap_or(0).min(names.len() as u64) as usize;
            let limit = query.limit.unwrap_or(200).min(MAX_NODES) as usize;
            let page = names.iter().skip(offset).take(limit);
            Ok(NodesPage { nodes: page.map(|name| node(&tree, name)).collect(), total: names.len() as u64 })
        })
        .await
        .map(Json)
}

/// Changes the taxonomy.
#[utoipa::path(patch, path = "/api/projects/{project}/taxonomy", tag = "meaning", params(TargetQuery), request_body = TaxonomyEdit,
    responses((status = 200, description = "Done", body = Leaves)))]
pub async fn patch(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path(project): Path<String>,
    Query(query): Query<TargetQuery>,
    Body(edit): Body<TaxonomyEdit>,
) -> Result<Json<Leaves>, Problem> {
    inputs
        .ask(&principal, move |inputs| {
            let target = target(query.target.as_deref())?;
            let mut tree = load(inputs, &project, &target)?;
            let workspace = inputs.projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let records = inputs.projects.home.input(&project, Input::Records);
            match &target.column {
                Some(column) => apply(&mut tree, &hierarchies::values(&snapshot, &records, column)?, &edit)?,
                None => apply(&mut tree, &snapshot.need_data()?.items, &edit)?,
            }
            inputs.write(&project, &target, &tree.to_text())?;
            Ok(Leaves { leaves: tree.leaves(tree.root()) })
        })
        .await
        .map(Json)
}

fn apply(tree: &mut Tree, items: &Dictionary, edit: &TaxonomyEdit) -> Result<(), Problem> {
    let is_item = |name: &str| items.find(name).is_some();
    let about_item = |what: &str| {
        Problem::wrong(format!("an item of the data cannot be {what} in the taxonomy"))
            .with_help("change its name or its rows on the Data screen")
            .at("id")
    };
    let done = match edit {
        TaxonomyEdit::Rename { id, .. } if is_item(id) => return Err(about_item("renamed")),
        TaxonomyEdit::Remove { id } if is_item(id) => return Err(about_item("removed")),
        TaxonomyEdit::Rename { id, name } => tree.rename(id, name.trim()),
        TaxonomyEdit::Move { id, to } => tree.shift(id, to, is_item),
        TaxonomyEdit::Add { under, name } => tree.add(under, name.trim(), is_item),
        TaxonomyEdit::Remove { id } => tree.remove(id),
    };
    done.map_err(|refusal| match refusal {
        Refusal::Missing => Problem::missing("node"),
        Refusal::Name => Problem::wrong("this name is taken, empty, or holds a semicolon, quote or line end")
            .with_help("choose another name")
            .at("name"),
        Refusal::Loop => Problem::wrong("a node cannot be moved below itself").at("to"),
        Refusal::Root => Problem::wrong("the root stays where it is").at("id"),
        Refusal::BelowItem => {
            Problem::wrong("nothing can be put below an item").with_help("choose a group").at("to")
        }
    })
}
