//! Who asks, and what they may.
//!
//! The [guard](super::guard) finds the principal of a request by its session and adds it to the request. Handlers take it as an
//! argument and hand it to the [service](super::service) that they ask; a request without one is refused.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::problem::Problem;

/// Something that a principal may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// Look at projects, make, change and delete them.
    Projects,
    /// Start jobs, stop them, look at their results.
    Jobs,
    /// Publish releases and record them in the ledger.
    Publish,
}

impl Right {
    /// Every right.
    pub const ALL: [Right; 3] = [Right::Projects, Right::Jobs, Right::Publish];
}

/// Who asks: a name for the server, and rights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    name: Arc<str>,
    rights: Arc<[Right]>,
}

impl Principal {
    /// A principal with some rights.
    pub fn new(name: &str, rights: &[Right]) -> Self {
        Principal { name: name.into(), rights: rights.into() }
    }

    /// The user of the loopback workbench: the only one there is, with every right.
    pub fn local() -> Self {
        Principal::new("local", &Right::ALL)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Refuses what the principal may not do.
    pub fn need(&self, right: Right) -> Result<(), Problem> {
        if self.rights.contains(&right) { Ok(()) } else { Err(Problem::refused()) }
    }
}

impl<S: Sync> FromRequestParts<S> for Principal {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Principal>().cloned().ok_or_else(Problem::stranger)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[test]
    fn rights_are_those_that_were_given() {
        let reader = Principal::new("reader", &[Right::Projects]);
        assert!(reader.need(Right::Projects).is_ok());
        assert_eq!(reader.need(Right::Publish).unwrap_err().status, 403);
        assert!(Right::ALL.iter().all(|right| Principal::local().need(*right).is_ok()));
    }

    #[tokio::test]
    async fn a_request_that_no_guard_let_pass_has_no_principal() {
        let (mut parts, ()) = Request::new(()).into_parts();
        assert_eq!(Principal::from_request_parts(&mut parts, &()).await.unwrap_err().status, 401);
        parts.extensions.insert(Principal::local());
        assert_eq!(Principal::from_request_parts(&mut parts, &()).await.unwrap(), Principal::local());
    }
}
