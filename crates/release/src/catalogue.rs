//! The catalogue: every method, promise and measure by name, and every parameter a front end may offer.
//!
//! Nothing is listed here. The rooms register their own entries ([`throng_methods::ALL`],
//! [`throng_models::ALL`], [`throng_measure::ALL`]); the catalogue finds them and says "did you mean" when it cannot.

use thiserror::Error;
use throng_contract::{
    Class, Descriptor, Failing, Failure, Help, Input, Setting, SettingKind, did_you_mean, help,
};
use throng_measure::Measure;
use throng_methods::Method;
use throng_models::Promise;

/// Every method, in the order of registration.
pub fn methods() -> impl ExactSizeIterator<Item = &'static dyn Method> {
    throng_methods::ALL.iter().copied()
}

/// Every promise, in the order of registration.
pub fn promises() -> impl ExactSizeIterator<Item = &'static dyn Promise> {
    throng_models::ALL.iter().copied()
}

/// Every measure, in the order of registration.
pub fn measures() -> impl ExactSizeIterator<Item = &'static dyn Measure> {
    throng_measure::ALL.iter().copied()
}

/// The method of that name.
pub fn method(name: &str) -> Result<&'static dyn Method, CatalogueError> {
    let known = methods().map(|method| method.descriptor().name);
    throng_methods::find(name).ok_or_else(|| CatalogueError::unknown("method", name, known))
}

/// The promise of that name.
pub fn promise(name: &str) -> Result<&'static dyn Promise, CatalogueError> {
    let known = promises().map(|promise| promise.descriptor().name);
    throng_models::find(name).ok_or_else(|| CatalogueError::unknown("promise", name, known))
}

/// The measure of that name.
pub fn measure(name: &str) -> Result<&'static dyn Measure, CatalogueError> {
    let known = measures().map(|measure| measure.descriptor().name);
    throng_measure::find(name).ok_or_else(|| CatalogueError::unknown("measure", name, known))
}

/// A parameter that one or several methods or promises have.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedParam {
    /// The parameter as its first owner describes it.
    pub param: &'static Setting,
    /// Names of all owners, in the order of registration.
    pub owners: Vec<&'static str>,
    /// Of a choice: the words of all owners, each with those who know it.
    pub words: Vec<(&'static str, Vec<&'static str>)>,
}

/// All parameters of all methods, one entry a name: what a command line offers as flags. Ranges and help are
/// those of the first owner; values are checked against the chosen method's own descriptor.
pub fn params_of_all_methods() -> Vec<SharedParam> {
    union(methods().map(|method| method.descriptor()))
}

/// All parameters of all promises, one entry a name.
pub fn params_of_all_promises() -> Vec<SharedParam> {
    union(promises().map(|promise| promise.descriptor()))
}

/// The parameters of one descriptor, for a command that has no other: they have no other owners.
pub fn params_of(descriptor: &'static Descriptor) -> Vec<SharedParam> {
    let alone = |param| SharedParam { param, owners: Vec::new(), words: Vec::new() };
    descriptor.params.iter().map(alone).collect()
}

/// All parameters of all measures, one entry a name.
pub fn params_of_all_measures() -> Vec<SharedParam> {
    union(measures().map(|measure| measure.descriptor()))
}

/// All inputs that some method uses, one entry each, in the order of first use.
pub fn inputs_of_all_methods() -> Vec<Input> {
    inputs(methods().map(|method| method.descriptor()))
}

/// All inputs that some measure uses, one entry each, in the order of first use.
pub fn inputs_of_all_measures() -> Vec<Input> {
    inputs(measures().map(|measure| measure.descriptor()))
}

fn inputs(descriptors: impl Iterator<Item = &'static Descriptor>) -> Vec<Input> {
    let mut inputs = Vec::new();
    for need in descriptors.flat_map(|descriptor| descriptor.needs) {
        if !inputs.contains(&need.input) {
            inputs.push(need.input);
        }
    }
    inputs
}

fn union(descriptors: impl Iterator<Item = &'static Descriptor>) -> Vec<SharedParam> {
    let mut shared: Vec<SharedParam> = Vec::new();
    for descriptor in descriptors {
        for param in descriptor.params {
            let place = shared.iter().position(|entry| entry.param.name == param.name);
            let place = place.unwrap_or_else(|| {
                shared.push(SharedParam { param, owners: Vec::new(), words: Vec::new() });
                shared.len() - 1
            });
            let entry = &mut shared[place];
            entry.owners.push(descriptor.name);
            let SettingKind::Choice { words } = param.kind else { continue };
            for word in words {
                match entry.words.iter_mut().find(|(known, _)| known == word) {
                    Some((_, owners)) => owners.push(descriptor.name),
                    None => entry.words.push((word, vec![descriptor.name])),
                }
            }
        }
    }
    shared
}

/// A name that the catalogue does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no {what} `{name}`")]
pub struct CatalogueError {
    what: &'static str,
    name: String,
    suggestion: Option<&'static str>,
    known: Vec<&'static str>,
}

impl CatalogueError {
    fn unknown(what: &'static str, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let known: Vec<&'static str> = known.collect();
        let suggestion = did_you_mean(name, known.iter().copied());
        CatalogueError { what, name: name.chars().take(40).collect(), suggestion, known }
    }
}

impl Failing for CatalogueError {
    fn class(&self) -> Class {
        Class::Usage
    }

    fn help(&self) -> Option<Help> {
        Some(match self.suggestion {
            Some(name) => help!("did you mean `$`?", name),
            None => help!("choose one of $; see {throng methods}", self.known.join(", ")),
        })
    }
}

/// The promise a method keeps.
pub fn promise_of(method: &dyn Method) -> Result<&'static dyn Promise, Failure> {
    let descriptor = method.descriptor();
    let keeps = descriptor.keeps.ok_or_else(|| {
        Failure::new(Class::Internal, format!("`{}` does not say which promise it keeps", descriptor.name))
    })?;
    Ok(promise(keeps)?)
}

#[cfg(test)]
mod tests {
    use std::mem::discriminant;

    use throng_contract::SettingKind;

    use super::*;

    #[test]
    fn names_are_unique_and_every_method_keeps_a_registered_promise() {
        let mut seen = Vec::new();
        for method in methods() {
            let descriptor = method.descriptor();
            assert!(!seen.contains(&descriptor.name), "{} is registered twice", descriptor.name);
            seen.push(descriptor.name);
            let kept = descriptor.keeps.map(promise);
            assert!(
                kept.is_some_and(|promise| promise.is_ok()),
                "{} keeps no known promise",
                descriptor.name
            );
        }
    }

    /// A release with k = 2,000,000 was written, and its own promise refused to judge it.
    #[test]
    fn every_value_that_a_method_takes_its_promise_takes() {
        for method in methods() {
            let descriptor = method.descriptor();
            let Some(promise) = descriptor.keeps.and_then(|name| promise(name).ok()) else { continue };
            for param in descriptor.params {
                let Some(promised) = promise.descriptor().param(param.name) else { continue };
                let (owner, name) = (descriptor.name, param.name);
                let covered = match (param.kind, promised.kind) {
                    (SettingKind::Integer { min, max }, SettingKind::Integer { min: least, max: most })
                    | (
                        SettingKind::IntegerOrMax { min, max },
                        SettingKind::IntegerOrMax { min: least, max: most },
                    ) => least <= min && max <= most,
                    (SettingKind::Number { min, max }, SettingKind::Number { min: least, max: most }) => {
                        least <= min && max <= most
                    }
                    (SettingKind::Choice { words }, SettingKind::Choice { words: all }) => {
                        words.iter().all(|word| all.contains(word))
                    }
                    (kind, promised) => kind == promised,
                };
                assert!(
                    covered,
                    "{owner}: {name} goes beyond what `{}` can judge",
                    promise.descriptor().name
                );
            }
        }
    }

    #[test]
    fn a_method_has_every_parameter_of_its_promise_that_has_no_default() {
        for method in methods() {
            let descriptor = method.descriptor();
            let Some(promise) = descriptor.keeps.and_then(|name| promise(name).ok()) else { continue };
            for param in promise.descriptor().params.iter().filter(|param| param.default.is_none()) {
                assert!(descriptor.param(param.name).is_some(), "{} lacks {}", descriptor.name, param.name);
            }
        }
    }

    #[test]
    fn a_parameter_has_one_kind_wherever_it_occurs() {
        let methods = methods().map(|method| method.descriptor());
        let measures = measures().map(|measure| measure.descriptor());
        let promises = promises().map(|promise| promise.descriptor());
        let descriptors: Vec<_> = methods.chain(promises).chain(measures).collect();
        for shared in union(descriptors.iter().copied()) {
            for owner in descriptors.iter().filter(|owner| shared.owners.contains(&owner.name)) {
                let Some(param) = owner.param(shared.param.name) else { continue };
                // A whole number may have no limit with one method and have one with another.
                let kind = |param: &Setting| match param.kind {
                    SettingKind::IntegerOrMax { min, max } => SettingKind::Integer { min, max },
                    kind => kind,
                };
                let same = discriminant(&kind(param)) == discriminant(&kind(shared.param));
                assert!(same, "`{}` of {} is of another kind than elsewhere", param.name, owner.name);
            }
        }
    }

    #[test]
    fn an_unknown_name_is_a_usage_error_with_a_suggestion() {
        let error = CatalogueError::unknown("method", "seqanno", ["seqanon", "lkc"].into_iter());
        assert_eq!(error.to_string(), "there is no method `seqanno`");
        assert_eq!(error.help().map(|help| help.to_string()).as_deref(), Some("did you mean `seqanon`?"));
        assert_eq!(error.class().code(), 2);
        let far = CatalogueError::unknown("promise", "differential", ["km", "lkc"].into_iter());
        assert_eq!(
            far.help().map(|help| help.to_string()).as_deref(),
            Some("choose one of km, lkc; see `throng methods`")
        );
    }
}
