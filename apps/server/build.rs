//! Makes sure that there is a web app to embed: a page that says how to build it, where it was not built.

use std::fs;
use std::path::Path;

const PAGE: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Throng</title>\n\
    <p>This build has no web app inside. Run <code>make web</code>, then build again.</p></html>\n";

fn main() {
    let dist = Path::new("../web/dist");
    println!("cargo:rerun-if-changed={}", dist.display());
    let index = dist.join("index.html");
    if !index.is_file() {
        let made = fs::create_dir_all(dist).and_then(|()| fs::write(&index, PAGE));
        if let Err(error) = made {
            println!("cargo:warning=the placeholder of the web app cannot be written: {error}");
        }
    }
}
