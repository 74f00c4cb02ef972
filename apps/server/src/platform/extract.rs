//! The parts of a request, refused as a [`Problem`] when they are not what they should be.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::platform::problem::Problem;

/// Bytes in the body of a request that is not an upload.
pub const LARGEST_BODY: u64 = 2 << 20;

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Body(value)),
            Err(JsonRejection::JsonDataError(error)) => Err(Problem::wrong(plain(&error.body_text()))),
            Err(JsonRejection::MissingJsonContentType(_)) => {
                Err(Problem::media("expected a body of the type application/json"))
            }
            Err(JsonRejection::BytesRejection(error)) => Err(of_bytes(&error)),
            Err(error) => Err(Problem::request(plain(&error.body_text()))),
        }
    }
}

/// The parameters behind the question mark.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Query(value)),
            Err(error) => Err(Problem::request(plain(&error.body_text()))),
        }
    }
}

/// The variable parts of the address.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Path(value)),
            Err(_) => Err(Problem::missing("address")),
        }
    }
}

fn of_bytes(error: &BytesRejection) -> Problem {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(LARGEST_BODY),
        _ => Problem::request("the body broke off"),
    }
}

/// The text without the framework's preamble.
fn plain(text: &str) -> String {
    let preambles = [
        "Failed to deserialize the JSON body into the target type: ",
        "Failed to deserialize query string: ",
        "Failed to parse the request body as JSON: ",
    ];
    preambles.iter().find_map(|preamble| text.strip_prefix(preamble)).unwrap_or(text).to_owned()
}
