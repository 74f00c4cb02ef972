//! How a refusal reaches the browser: RFC 9457, with one way out and, where there is one, the field to mend.

use std::io::ErrorKind;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use throng_contract::{Class, Failing, Failure, Help};
use utoipa::ToSchema;

use super::storage::{StorageError, StorageFault};

/// A refusal, as `application/problem+json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// A name for programs.
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "urn:throng:not-found")]
    pub kind: Box<str>,
    /// The same for people.
    #[schema(value_type = String)]
    pub title: Box<str>,
    /// The HTTP status.
    pub status: u16,
    /// What went wrong, where, and which limit.
    pub detail: String,
    /// One way out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Help>,
    /// The field of the request, or the parameter, that is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

impl Problem {
    fn new(status: StatusCode, slug: &str, title: &str, detail: impl Into<String>) -> Self {
        Problem {
            kind: format!("urn:throng:{slug}").into(),
            title: title.into(),
            status: status.as_u16(),
            detail: detail.into(),
            help: None,
            field: None,
        }
    }

    /// The request itself makes no sense.
    pub fn request(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, "request", "The request cannot be understood", detail)
    }

    /// The request has no session.
    pub fn stranger() -> Self {
        let detail = "this browser is not signed in";
        Problem::new(StatusCode::UNAUTHORIZED, "stranger", "Not signed in", detail)
            .with_help("open the address that `throng serve` printed in the terminal")
    }

    /// The request comes from another site or is meant for another host.
    pub fn foreign(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::FORBIDDEN, "foreign", "The request comes from elsewhere", detail)
    }

    /// The principal has not the right.
    pub fn refused() -> Self {
        Problem::new(StatusCode::FORBIDDEN, "refused", "Not allowed", "you have not the right to do this")
    }

    /// There is no such thing.
    pub fn missing(what: &str) -> Self {
        Problem::new(StatusCode::NOT_FOUND, "not-found", "Not there", format!("there is no such {what}"))
    }

    /// The method does not fit the address.
    pub fn method() -> Self {
        let detail = "this address does not answer to this method";
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", "Wrong method", detail)
    }

    /// It cannot be done now, though it could be at another time.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::CONFLICT, "conflict", "Not now", detail)
    }

    /// More bytes than allowed.
    pub fn too_large(limit: u64) -> Self {
        let detail = format!("more than {limit} bytes, which is the limit");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "Too large", detail)
            .with_help("use the command line for files of this size, or raise {max-upload}")
    }

    /// The body is of a type that is not understood.
    pub fn media(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media", "Not JSON", detail)
    }

    /// Understood, and wrong.
    pub fn wrong(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "wrong", "Invalid request", detail)
    }

    /// More of something than is done at the same time.
    pub fn crowded(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "crowded", "Too many at once", detail)
    }

    /// There is no room left on the disk.
    pub fn full() -> Self {
        let detail = "there is no space left on the disk of the data directory";
        Problem::new(StatusCode::INSUFFICIENT_STORAGE, "full", "The disk is full", detail)
            .with_help("delete projects or other files, or start the workbench with another {data-dir}")
    }

    /// A bug of ours or a broken machine.
    pub fn internal(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "A fault of the program", detail)
    }

    /// Adds the way out.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Help>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Names the field to mend.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let mut problem = match failure.class {
            Class::Internal => Problem::internal(failure.message),
            Class::Refused | Class::Interrupted => Problem::conflict(failure.message),
            _ => Problem::wrong(failure.message),
        };
        problem.help = failure.help;
        problem
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
            return Problem::full();
        }
        Problem::internal(format!("the data directory cannot be used: {error}"))
            .with_help("look at its permissions and at the space left on the disk")
    }
}

impl From<StorageError> for Problem {
    fn from(error: StorageError) -> Self {
        match error.fault {
            StorageFault::Full => Problem::full(),
            _ => Problem::internal(format!("the database of projects cannot be used: {error}")),
        }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Problem::internal(format!("a stored text is not what was stored: {error}"))
    }
}

/// Any error of a crate below.
pub fn of<E: Failing>(error: E) -> Problem {
    Problem::from(Failure::from(error))
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_as_that() {
        for kind in [ErrorKind::StorageFull, ErrorKind::QuotaExceeded] {
            let problem = Problem::from(std::io::Error::from(kind));
            assert_eq!((problem.status, problem.help.is_some()), (507, true));
        }
        let full = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL);
        let full = StorageError::from(rusqlite::Error::SqliteFailure(full, None));
        assert_eq!(Problem::from(full).status, 507);
        assert_eq!(Problem::from(std::io::Error::from(ErrorKind::PermissionDenied)).status, 500);
    }
}
