//! A page that stands alone: no network, no script, light or dark as the reader prefers, and fit for paper.

use super::numbers::escape;
use super::style::STYLE;

const PAGE_STYLE: &str = include_str!("page.css");

/// A page with a title and a body of `<header>`, `<main>` and `<footer>`, which are HTML already.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n{STYLE}{PAGE_STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}
