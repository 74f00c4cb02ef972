//! What every request has to pass, and what every answer carries.
//!
//! * `Host` is the secret name of our pages, this machine, or the address we listen on, with our port: a page that has its own name
//!   point at 127.0.0.1 gets nothing.
//! * A request that changes something carries our `Origin`, and no browser says that it comes from another site.
//! * Everything under `/api/` needs a session: the cookie under the secret name, or the same secret as a bearer. The session's
//!   [`Principal`] goes on with the request.
//! * Answers forbid scripts, styles, frames and connections from anywhere but here.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::connections::Peer;
use super::principal::Principal;
use super::problem::Problem;
use super::sessions::Door;

/// What a page of ours may load, and from where.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; worker-src 'self' blob:; font-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Lets a request pass or answers with the reason why not.
pub async fn guard(State(door): State<Arc<Door>>, mut request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let principal = door.principal(request.headers());
    if let Some(peer) = request.extensions().get::<Arc<Peer>>().filter(|_| principal.is_some()) {
        peer.is_known();
    }
    let admitted = admit(&door, principal.as_ref(), &request);
    if let Some(principal) = principal {
        request.extensions_mut().insert(principal);
    }
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        // A page with a stricter policy of its own keeps it.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

fn admit(door: &Door, principal: Option<&Principal>, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let host = host(headers, door)?;
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        refuse_other_sites(headers, host)?;
    }
    if request.uri().path().starts_with("/api/") && principal.is_none() {
        return Err(Problem::stranger());
    }
    Ok(())
}

/// The host the request is meant for, if it is this one.
fn host<'a>(headers: &'a HeaderMap, door: &Door) -> Result<&'a str, Problem> {
    let address = door.address();
    let foreign = || Problem::foreign("the request is meant for another host");
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).ok_or_else(foreign)?;
    let (name, given) = host.rsplit_once(':').ok_or_else(foreign)?;
    let own = match address.ip() {
        IpAddr::V4(own) => own.to_string(),
        IpAddr::V6(own) => format!("[{own}]"),
    };
    let machine = matches!(name, "127.0.0.1" | "localhost" | "[::1]") || name == own;
    let ours = machine && given.parse() == Ok(address.port()) || door.is_own_host(headers);
    if ours && hosts.next().is_none() { Ok(host) } else { Err(foreign()) }
}

fn refuse_other_sites(headers: &HeaderMap, host: &str) -> Result<(), Problem> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let own = text("origin").and_then(|origin| origin.strip_prefix("http://")) == Some(host);
    let elsewhere = text("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if own && !elsewhere { Ok(()) } else { Err(Problem::foreign("the request comes from another site")) }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    fn door(address: [u8; 4]) -> Door {
        Door::new(SocketAddr::from((address, 4000)), "throng-secret").unwrap()
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_this_machine_and_port_are_a_host_of_ours() {
        for (name, ours) in [
            ("127.0.0.1:4000", true),
            ("localhost:4000", true),
            ("[::1]:4000", true),
            ("throng-secret.localhost:4000", true),
            ("throng-secret.localhost:4001", false),
            ("throng-another.localhost:4000", false),
            ("127.0.0.1:4001", false),
            ("127.0.0.1", false),
            ("evil.example:4000", false),
            ("127.0.0.1.evil.example:4000", false),
            ("localhost:4000@evil.example", false),
        ] {
            let bound = door([127, 0, 0, 1]);
            assert_eq!(host(&headers(&[("host", name)]), &bound).is_ok(), ours, "{name}");
        }
        let another = door([127, 0, 0, 2]);
        assert!(host(&headers(&[("host", "127.0.0.2:4000")]), &another).is_ok());
        assert!(host(&headers(&[("host", "127.0.0.3:4000")]), &another).is_err());
        assert!(host(&HeaderMap::new(), &another).is_err());
    }

    #[test]
    fn changes_need_our_origin() {
        let allowed =
            |pairs: &[(&'static str, &str)]| refuse_other_sites(&headers(pairs), "localhost:4000").is_ok();
        assert!(allowed(&[("origin", "http://localhost:4000")]));
        assert!(!allowed(&[]));
        assert!(!allowed(&[("origin", "null")]));
        assert!(!allowed(&[("origin", "http://127.0.0.1:4000")]));
        assert!(!allowed(&[("origin", "https://localhost:4000")]));
        assert!(!allowed(&[("origin", "http://localhost:4000"), ("sec-fetch-site", "cross-site")]));
    }
}
