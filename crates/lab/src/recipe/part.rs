//! A method with its parameters, checked against the catalogue.

use throng_contract::{Descriptor, Settings, SettingsError};
use throng_methods::Variant;

use super::document::Section;
use super::error::RecipeError;
use throng_release::catalogue;

/// A section that names a method and sets its parameters.
#[derive(Debug, Clone)]
pub(crate) struct MethodPart<'d> {
    section: Section<'d>,
    /// The method.
    pub name: String,
    /// Parameters as a user types them.
    pub settings: Vec<(String, String)>,
    /// Sound, or as printed.
    pub variant: Variant,
}

/// Keys of a method's section that are no parameters.
const KEYS: [&str; 2] = ["name", "variant"];

impl<'d> MethodPart<'d> {
    /// Reads the section; `further` keys are read elsewhere.
    pub fn read(section: &Section<'d>, further: &[&str]) -> Result<Self, RecipeError> {
        let named = section.need("name", "\"seqanon\"")?;
        let name = named.text()?;
        let method = catalogue::method(&name).map_err(|error| named.error("").because(error))?;
        let mut settings = Vec::new();
        let mut variant = Variant::Sound;
        for entry in section.entries() {
            match entry.name.as_str() {
                "variant" => {
                    variant = Variant::parse(&entry.text()?).ok_or_else(|| {
                        let words = Variant::ALL.map(Variant::name).join(" or ");
                        entry.error(format!("expected {words}"))
                    })?;
                }
                key if KEYS.contains(&key) || further.contains(&key) => {}
                _ => settings.push((entry.name.clone(), entry.text()?)),
            }
        }
        let part = MethodPart { section: section.clone(), name, settings, variant };
        if part.variant == Variant::AsPrinted && !method.descriptor().variants {
            let error = part.section.get("variant").map(|entry| {
                let same = format!("`{}` has no variants: it follows its paper as it is", part.name);
                entry.error(same).help("leave out `variant`")
            });
            return error.map_or(Ok(part), Err);
        }
        Ok(part)
    }

    /// Checks the values against the method's descriptor, with `further` ones as they will be set elsewhere.
    pub fn check(&self, further: &[(String, String)]) -> Result<Settings, RecipeError> {
        let method = catalogue::method(&self.name).map_err(|error| self.section.error("").because(error))?;
        settings(&self.section, method.descriptor(), self.settings.iter().chain(further))
    }
}

/// Values checked against a descriptor; what is wrong is pointed at.
pub(crate) fn settings<'a>(
    section: &Section<'_>,
    descriptor: &Descriptor,
    given: impl Iterator<Item = &'a (String, String)>,
) -> Result<Settings, RecipeError> {
    let given = given.map(|(name, value)| (name.as_str(), value.as_str()));
    Settings::parse(descriptor, given).map_err(|error| {
        let at = match &error {
            SettingsError::Unknown { name, .. } => section.get(name),
            SettingsError::Wrong { name, .. } => section.get(name),
            SettingsError::Missing { .. } => None,
        };
        let place = at.map_or_else(|| section.error(""), |entry| entry.error(""));
        match &error {
            SettingsError::Missing { name, .. } => {
                let help = format!("add `{name} = VALUE`");
                place.because(error).help(help)
            }
            _ => place.because(error),
        }
    })
}
