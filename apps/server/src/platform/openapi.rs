//! The description of the API, generated from the handlers.
//!
//! Every operation can refuse in the same ways, so that refusals are added here, once, to all of them.

use std::sync::Arc;

use axum::extract::State;
use axum::{Json, Router};
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr, Required, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;

use super::principal::Principal;
use super::problem::Problem;

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

/// Handlers under `/api/` as a router, and their description.
pub fn describe<S: Clone + Send + Sync + 'static>(routes: OpenApiRouter<S>) -> (Router<S>, OpenApi) {
    let base = OpenApiRouter::with_openapi(<Base as utoipa::OpenApi>::openapi());
    let (router, mut description) = base.merge(routes).split_for_parts();
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
pub async fn serve(_: Principal, State(description): State<Arc<OpenApi>>) -> Json<OpenApi> {
    Json((*description).clone())
}
