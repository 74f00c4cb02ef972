//! The description of the API, generated from the handlers.
//!
//! Every operation can refuse in the same ways, so that refusals are added here, once, to all of them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr, Required, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::problem::Problem;
use crate::workbench::Workbench;
use crate::workbench::data::{columns, edits, flows, items, map, overview, points};
use crate::workbench::meaning::{entries, generate, input_rows, taxonomy};
use crate::workbench::method::{check, copy, fit};
use crate::workbench::publish::checklist;
use crate::workbench::result::{differences, members, release_rows};
use crate::workbench::risk::{curve, play};
use crate::workbench::start::{bundle, catalogue, projects};
use crate::workbench::{inputs, ledger, patterns, publish, result, run};

/// The description, without paths.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Throng workbench", description = "The API behind the workbench; loopback only."),
    components(schemas(Problem))
)]
struct Base;

const REFUSALS: [(&str, &str); 11] = [
    ("400", "The request cannot be understood"),
    ("401", "Not signed in"),
    ("403", "From another site, or for another host"),
    ("404", "There is no such thing"),
    ("405", "The address does not answer to this method"),
    ("409", "Not possible now"),
    ("413", "Too large"),
    ("415", "Not JSON"),
    ("422", "Invalid request"),
    ("429", "Too many at once"),
    ("507", "The disk is full"),
];

/// All handlers under `/api/`, and their description.
pub fn router() -> (axum::Router<Arc<Workbench>>, OpenApi) {
    let (router, mut description) = OpenApiRouter::with_openapi(<Base as utoipa::OpenApi>::openapi())
        .routes(routes!(catalogue::get))
        .routes(routes!(catalogue::session))
        .routes(routes!(projects::list, projects::create))
        .routes(routes!(projects::upload))
        .routes(routes!(bundle::post))
        .routes(routes!(bundle::get))
        .routes(routes!(bundle::files))
        .routes(routes!(bundle::run_files))
        .routes(routes!(points::get, points::post))
        .routes(routes!(projects::get, projects::rename, projects::delete))
        .routes(routes!(overview::get_data))
        .routes(routes!(columns::put))
        .routes(routes!(overview::get_histogram))
        .routes(routes!(edits::get_rows))
        .routes(routes!(edits::post_edit))
        .routes(routes!(edits::post_undo))
        .routes(routes!(edits::post_redo))
        .routes(routes!(edits::get_export))
        .routes(routes!(map::get))
        .routes(routes!(flows::get))
        .routes(routes!(patterns::get))
        .routes(routes!(items::get))
        .routes(routes!(items::values))
        .routes(routes!(inputs::list))
        .routes(routes!(inputs::get, inputs::put, inputs::delete))
        .routes(routes!(inputs::download))
        .routes(routes!(entries::get, entries::post))
        .routes(routes!(input_rows::get, input_rows::post))
        .routes(routes!(generate::post))
        .routes(routes!(taxonomy::get, taxonomy::patch))
        .routes(routes!(curve::get))
        .routes(routes!(play::post))
        .routes(routes!(fit::get))
        .routes(routes!(check::post))
        .routes(routes!(copy::post))
        .routes(routes!(run::list, run::create))
        .routes(routes!(run::get, run::annotate, run::delete))
        .routes(routes!(run::cancel))
        .routes(routes!(run::events))
        .routes(routes!(result::get))
        .routes(routes!(result::measured::post))
        .routes(routes!(members::get))
        .routes(routes!(release_rows::get))
        .routes(routes!(publish::files))
        .routes(routes!(publish::file))
        .routes(routes!(publish::for_spreadsheets))
        .routes(routes!(publish::download))
        .routes(routes!(differences::get))
        .routes(routes!(checklist::get))
        .routes(routes!(publish::post))
        .routes(routes!(ledger::get))
        .split_for_parts();
    for (path, item) in &mut description.paths.paths {
        for operation in operations(item).into_iter().flatten() {
            add_refusals(operation);
            add_identifiers(operation, path);
        }
    }
    (router, description)
}

fn operations(item: &mut PathItem) -> [Option<&mut Operation>; 5] {
    [item.get.as_mut(), item.put.as_mut(), item.post.as_mut(), item.patch.as_mut(), item.delete.as_mut()]
}

/// The variable parts of an address are named by the address itself.
fn add_identifiers(operation: &mut Operation, path: &str) {
    let names = path.split('{').skip(1).filter_map(|part| part.split('}').next());
    let parameter = |name: &str| {
        let what = match name {
            "input" => "An input, by the name of its flag",
            "name" => "A name from the list of files",
            _ => "An identifier",
        };
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(what))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .build()
    };
    operation.parameters.get_or_insert_default().extend(names.map(|name| RefOr::T(parameter(name))));
}

fn add_refusals(operation: &mut Operation) {
    for (status, description) in REFUSALS {
        let schema = RefOr::Ref(Ref::from_schema_name("Problem"));
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let response = ResponseBuilder::new()
            .description(description)
            .content("application/problem+json", content)
            .build();
        operation.responses.responses.entry(status.to_owned()).or_insert(RefOr::T(response));
    }
}

/// The description itself.
pub async fn serve(State(description): State<Arc<OpenApi>>) -> Json<OpenApi> {
    Json((*description).clone())
}
