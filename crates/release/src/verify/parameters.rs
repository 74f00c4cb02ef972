//! With which parameters a promise is judged: what was typed, and for the rest what the manifest claims.

use throng_contract::{Descriptor, Failure, Settings};

use crate::manifest::{Manifest, PromiseEntry};

/// What was given, and the manifest's values for the rest when it speaks of the same promise.
pub fn settings_of(
    promise: &Descriptor,
    manifest: Option<&Manifest>,
    given: &[(String, String)],
) -> Result<Settings, Failure> {
    let mut values: Vec<(String, String)> = given.to_vec();
    let entry = manifest.map(|manifest| &manifest.promise).filter(|entry| entry.name == promise.name);
    for (name, value) in entry.iter().flat_map(|entry| &entry.parameters) {
        let known = promise.params.iter().any(|param| param.name == name);
        if known && given.iter().all(|(other, _)| other != name) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            values.push((name.clone(), text));
        }
    }
    Ok(Settings::parse(promise, values.iter().map(|(name, value)| (name.as_str(), value.as_str())))?)
}

/// The parameters that a manifest claims of a further promise.
pub(super) fn settings_as_claimed(promise: &Descriptor, claim: &PromiseEntry) -> Result<Settings, Failure> {
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let known =
        claim.parameters.iter().filter(|(name, _)| promise.params.iter().any(|param| param.name == *name));
    let values: Vec<(String, String)> = known.map(|(name, value)| (name.clone(), text(value))).collect();
    Ok(Settings::parse(promise, values.iter().map(|(name, value)| (name.as_str(), value.as_str())))?)
}

/// Which parameters are the manifest's.
pub(super) fn believed_parameters(
    promise: &Descriptor,
    manifest: Option<&Manifest>,
    given: &[(String, String)],
) -> Option<String> {
    let entry = manifest.map(|manifest| &manifest.promise).filter(|entry| entry.name == promise.name)?;
    let taken = promise.params.iter().filter(|param| given.iter().all(|(name, _)| name != param.name));
    let names: Vec<&str> =
        taken.map(|param| param.name).filter(|name| entry.parameters.contains_key(*name)).collect();
    (!names.is_empty()).then(|| format!("taken from the manifest: {}", names.join(", ")))
}
