//! The web app: embedded, compressed once, and the page for those who were not let in.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use super::problem::Problem;
use super::sessions::Door;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
struct Embedded;

/// The page for those who were not let in; its style is the only file that they get.
const STRANGER: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width\"><title>Throng: not signed in</title>\
    <link rel=\"stylesheet\" href=\"/stranger.css\">\n\
    <main><p class=\"name\">Throng</p><h1>Not signed in</h1><p>Look at the terminal in which the workbench runs: \
    it prints an address that lets you in. Each works once.</p>\
    <p class=\"small\">The workbench answers on this computer only. The browser that opened it first is known by a cookie; \
    another browser, one that lost the cookie, or another name of this computer needs a new address.</p></main></html>\n";

const STRANGER_STYLE: &str = ":root { color-scheme: light dark; --accent: light-dark(#0f5e66, #63c7cd); \
    background: light-dark(#f4f6f5, #0f1518); color: light-dark(#17212b, #e6ecee); \
    font: 16px/1.5 system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif; }\n\
    body { margin: 0; min-height: 100vh; display: grid; place-items: center; }\n\
    main { max-width: 32rem; margin: 1rem; padding: 1.5rem 1.8rem; border-radius: 8px; \
    border: 1px solid light-dark(#d6dddd, #2d393f); border-top: 4px solid var(--accent); \
    background: light-dark(#ffffff, #161e22); }\n\
    h1 { margin: 0 0 0.6rem; font-size: 1.5rem; }\np { margin: 0 0 0.6rem; }\n\
    .name { color: var(--accent); font-weight: 650; }\n.small { font-size: 0.87rem; \
    color: light-dark(#52606b, #a0afb6); }\n";

/// The page for a browser that another page led here. A redirect would still count as that page's, and a strict cookie is not sent
/// with it; this page goes on by itself, to the screen that the address names.
const ENTER: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Throng</title>\
    <script src=\"/enter.js\"></script>\
    <noscript><meta http-equiv=\"refresh\" content=\"0; url=/\"></noscript>\
    <p><a href=\"/\">Open the workbench</a></p></html>\n";

const ENTER_SCRIPT: &str = "location.replace(\"/\" + location.hash);\n";

/// Whether a page of another site, or of a file, led the browser here.
fn is_led_here(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    site.is_some_and(|site| !matches!(site, "none" | "same-origin"))
}

/// The files of the web app.
#[derive(Debug, Default)]
pub struct Assets {
    /// Served instead of the embedded files, for those who work on the web app.
    directory: Option<PathBuf>,
    compressed: Mutex<BTreeMap<String, Bytes>>,
}

impl Assets {
    /// The embedded files, or those of a directory.
    pub fn new(directory: Option<PathBuf>) -> Self {
        Assets { directory, compressed: Mutex::default() }
    }

    fn read(&self, path: &str) -> Option<Bytes> {
        match &self.directory {
            None => Embedded::get(path).map(|file| Bytes::from(file.data.into_owned())),
            Some(directory) => {
                let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
                std::fs::read(directory.join(path)).ok().filter(|_| plain).map(Bytes::from)
            }
        }
    }

    /// The file with gzip, packed once.
    fn packed(&self, path: &str, plain: &Bytes) -> Option<Bytes> {
        let mut compressed = self.compressed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(packed) = compressed.get(path).filter(|_| self.directory.is_none()) {
            return Some(packed.clone());
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).ok()?;
        let packed = Bytes::from(encoder.finish().ok()?);
        compressed.insert(path.to_owned(), packed.clone());
        Some(packed)
    }
}

/// Answers everything that is not under `/api/`.
pub async fn serve(
    State(door): State<Arc<Door>>,
    State(assets): State<Arc<Assets>>,
    request: Request,
) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return Problem::missing("address").into_response();
    }
    if !matches!(request.method().as_str(), "GET" | "HEAD") {
        return Problem::method().into_response();
    }
    let (known, own_host) =
        (door.principal(request.headers()).is_some(), door.is_own_host(request.headers()));
    let token = token(request.uri().query()).filter(|_| path == "/");
    // A cookie of this host would be sent to every other server on this machine: the browser is led to the host of our pages first.
    if let Some(own) = token.filter(|_| !own_host).and_then(|token| door.address_for(token)) {
        return Redirect::to(&own).into_response();
    }
    if let Some(token) = token.filter(|_| own_host) {
        match door.exchange(token) {
            Ok(Some(cookie)) if is_led_here(request.headers()) => {
                let headers = [(header::SET_COOKIE, cookie), (header::CONTENT_TYPE, HTML.to_owned())];
                return (headers, ENTER).into_response();
            }
            Ok(Some(cookie)) => return ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response(),
            // The address was opened again in the same browser.
            Ok(None) if known => return Redirect::to("/").into_response(),
            Ok(None) => {}
            Err(failure) => return Problem::from(failure).into_response(),
        }
    }
    if path == "/enter.js" {
        return ([(header::CONTENT_TYPE, media(path))], ENTER_SCRIPT).into_response();
    }
    if !known && path == "/stranger.css" {
        return ([(header::CONTENT_TYPE, media(path))], STRANGER_STYLE).into_response();
    }
    if !known {
        // What a page loads besides itself is no wish of a person.
        if path == "/" {
            door.ask();
        }
        return (StatusCode::UNAUTHORIZED, [(header::CONTENT_TYPE, HTML)], STRANGER).into_response();
    }
    let name = path.trim_start_matches('/');
    match assets.read(name).filter(|_| !name.is_empty()) {
        Some(file) => answer(&assets, name, file, request.headers()),
        // Screens have addresses of their own; files that are missing are missing.
        None if name.rsplit('/').next().is_some_and(|last| last.contains('.')) => {
            Problem::missing("file").into_response()
        }
        None => match assets.read("index.html") {
            Some(page) => answer(&assets, "index.html", page, request.headers()),
            None => Problem::missing("web app").into_response(),
        },
    }
}

fn token(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

const HTML: &str = "text/html; charset=utf-8";

fn answer(assets: &Assets, name: &str, file: Bytes, headers: &HeaderMap) -> Response {
    let kind = media(name);
    // Names below assets/ carry a fingerprint of the content.
    let keep = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let described =
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep), (header::VARY, "Accept-Encoding")];
    let gzip = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("gzip"));
    let text = !matches!(kind, "image/png" | "font/woff2" | "application/octet-stream");
    match assets.packed(name, &file).filter(|_| gzip && text) {
        Some(packed) => (described, [(header::CONTENT_ENCODING, "gzip")], packed).into_response(),
        None => (described, file).into_response(),
    }
}

/// The type of a file of ours by its extension.
pub fn media(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => HTML,
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("csv") => "text/csv; charset=utf-8",
        Some("toml" | "txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
