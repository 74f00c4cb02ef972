//! The methods and settings that may keep a promise.
//!
//! A method is tried with its defaults, and with each other word of each of its choices, one at a time: all combinations
//! would take long, and choices seldom depend on each other. Numbers beside the promise keep their defaults: there is no
//! end to them.

use serde::Serialize;
use throng_contract::{SettingKind, Settings};
use throng_methods::Method;
use throng_models::Promise;

use super::implied;
use throng_data::load::Files;
use throng_release::catalogue;

/// A method with settings that may keep the promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// The method.
    pub method: String,
    /// The promise it was made to keep.
    pub keeps: String,
    /// Parameters to give it, as a user types them; all others keep their defaults.
    pub settings: Vec<(String, String)>,
}

/// A method that may keep the promise and cannot be tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The method.
    pub method: String,
    /// What it would need, in words.
    pub needs: Vec<String>,
}

/// Candidates in the order of the catalogue, and the methods that lack something.
pub(super) fn candidates(
    promise: &dyn Promise,
    asked: &Settings,
    also: &[(String, String)],
    files: &Files,
) -> (Vec<Candidate>, Vec<Missing>) {
    let (mut candidates, mut missing) = (Vec::new(), Vec::new());
    let shape = files.probable_shape();
    for method in catalogue::methods().filter(|method| method.descriptor().fits(&shape).is_ok()) {
        let Some(mut settings) = settings_for(method, promise, asked) else { continue };
        // A method that cannot be asked for the further promise is none of those.
        if also.iter().any(|(name, _)| method.descriptor().param(name).is_none()) {
            continue;
        }
        settings.extend(also.iter().cloned());
        let needs = lacking(method, files);
        if needs.is_empty() {
            candidates.extend(varied(method, &settings));
        } else {
            missing.push(Missing { method: method.descriptor().name.to_owned(), needs });
        }
    }
    (candidates, missing)
}

/// The parameters under which a method keeps the promise; `None` when it keeps another one.
pub(crate) fn settings_for(
    method: &dyn Method,
    promise: &dyn Promise,
    asked: &Settings,
) -> Option<Vec<(String, String)>> {
    let (keeps, wanted) = (method.descriptor().keeps?, promise.descriptor().name);
    let settings = if keeps == wanted {
        asked.iter().map(|(name, value)| (name.to_owned(), super::typed(value))).collect()
    } else {
        implied::ALL.iter().find(|implied| implied.asked == wanted && implied.by == keeps)?.settings(asked)
    };
    // A promise may have parameters with defaults that the method has no say in.
    let known = |(name, _): &(String, String)| method.descriptor().param(name).is_some();
    Some(settings.into_iter().filter(known).collect())
}

fn lacking(method: &dyn Method, files: &Files) -> Vec<String> {
    let absent = method.descriptor().lacking(|input| files.is_given(input));
    absent.map(|input| format!("{} (`--{} FILE`)", input.describe(), input.flag())).collect()
}

/// The defaults, then one choice changed at a time.
fn varied(method: &dyn Method, fixed: &[(String, String)]) -> Vec<Candidate> {
    let descriptor = method.descriptor();
    let of = |settings: Vec<(String, String)>| Candidate {
        method: descriptor.name.to_owned(),
        keeps: descriptor.keeps.unwrap_or_default().to_owned(),
        settings,
    };
    let mut candidates = vec![of(fixed.to_vec())];
    for param in descriptor.params {
        let SettingKind::Choice { words } = param.kind else { continue };
        // What the promise says is no choice.
        if fixed.iter().any(|(name, _)| name == param.name) || is_promised(descriptor.keeps, param.name) {
            continue;
        }
        for word in words.iter().filter(|word| Some(**word) != param.default) {
            let mut settings = fixed.to_vec();
            settings.push((param.name.to_owned(), (*word).to_owned()));
            candidates.push(of(settings));
        }
    }
    candidates
}

fn is_promised(keeps: Option<&str>, param: &str) -> bool {
    let promise = keeps.and_then(|name| catalogue::promise(name).ok());
    promise.is_some_and(|promise| promise.descriptor().param(param).is_some())
}
