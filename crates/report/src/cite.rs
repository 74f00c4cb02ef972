//! How the release was made, how to check it, and how to cite it.

use super::Evidence;
use super::html::{self, code};
use crate::plot::escape;
use throng_methods::Variant;
use throng_release::manifest::{Manifest, MethodEntry};

pub(super) fn section(evidence: &Evidence<'_>) -> String {
    let manifest = evidence.manifest;
    let content = format!("{}{}{}", made(evidence), check(evidence), cite(manifest));
    html::section("cite", "How it was made, how to check it, how to cite it", &content)
}

fn made(evidence: &Evidence<'_>) -> String {
    let method = &evidence.manifest.method;
    let variant = match method.variant {
        Variant::Sound => "sound: gaps of the published algorithm are closed",
        Variant::AsPrinted => "as printed: to the letter of the paper",
    };
    format!(
        "<p>Made with {} by the method {} ({}{variant}). Parameters, and the fingerprints of the released files, are \
         in {}.</p>\n",
        escape(&evidence.manifest.program),
        code(&written(method)),
        paper(method, "paper ", "; "),
        code("manifest.json")
    )
}

/// The key of the paper between some words; nothing where a method comes from none.
fn paper(method: &MethodEntry, before: &str, after: &str) -> String {
    match method.paper.as_str() {
        "" => String::new(),
        key => format!("{before}{}{after}", escape(key)),
    }
}

fn written(method: &MethodEntry) -> String {
    let mut text = method.name.clone();
    for (name, value) in &method.parameters {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.push_str(&format!(" {name}={value}"));
    }
    text
}

fn check(evidence: &Evidence<'_>) -> String {
    if evidence.secret() {
        return format!(
            "<p>To check that the files are the ones spoken of here, compare their SHA-256 with {}. The promise itself cannot be \
             checked from them.</p>\n",
            code("manifest.json")
        );
    }
    format!(
        "<p>Anyone can repeat the check: {} in the directory above the release compares the released files with their \
         fingerprints and judges the promise again, as far as it can be judged from what is published.</p>\n",
        code("throng verify DIRECTORY")
    )
}

/// There is no clock in a release, so that the same run gives the same bytes: the publisher fills in who and when.
fn cite(manifest: &Manifest) -> String {
    let file = match manifest.outputs.is_empty() {
        true => GAP.to_owned(),
        false => cited_file(manifest),
    };
    let method = &manifest.method;
    format!(
        "<p>To cite the release, fill in what stands in brackets:</p>\n\
         <blockquote class=\"cite\"><p>[Publisher] ([year]). <cite>[Title of the data]</cite>. Anonymised with {}, method {}{}, \
         promise {}. SHA-256 of {file}.</p></blockquote>\n",
        escape(&manifest.program),
        escape(&method.name),
        paper(method, " (", ")"),
        escape(&manifest.promise.name),
    )
}

/// Stands for the released file where none is written yet. Names of the data are escaped, so that none can be taken for it.
const GAP: &str = "<!-- the released file -->";

/// The released file and its fingerprint.
fn cited_file(manifest: &Manifest) -> String {
    let release = manifest.output("release");
    let sha256 = release.and_then(|file| file.sha256.as_deref()).unwrap_or("not recorded");
    let name = release.map_or("release.csv", |file| file.name.as_str());
    format!("{}: {}", escape(name), code(sha256))
}

/// A page that was made before the files were, with the released file as it was written.
pub fn with_written_files(page: &str, manifest: &Manifest) -> String {
    page.replace(GAP, &cited_file(manifest))
}

pub(super) fn footer(manifest: &Manifest) -> String {
    format!(
        "<p>{}. This page stands alone: it loads nothing and sends nothing.</p>\n",
        escape(&manifest.program)
    )
}
