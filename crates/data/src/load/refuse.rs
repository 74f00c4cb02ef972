//! What is refused before anything is read, and after it the files that are not those a recipe names.

use throng_contract::{Class, Descriptor, DescriptorKind, Failure, Help, Input, MissingInput, help};

use super::Files;
use crate::formats::Source;
use crate::recognize::{FoundRole, propose};

/// A required input that is missing is an error, with what the data themselves may offer in its place.
pub(super) fn missing(files: &Files, needs: &Descriptor) -> Result<(), Failure> {
    if let Some(input) = needs.lacking(|input| files.is_given(input)).next() {
        let instead = needs.needs.iter().find(|need| need.input == input).and_then(|need| need.instead);
        let missing = Failure::from(MissingInput { owner: needs.name, input, instead });
        return Err(match places_in_data(files).filter(|_| input == Input::Places) {
            Some(help) => missing.with_help(help),
            None => missing,
        });
    }
    idle_coordinates(files, needs)
}

/// A method that goes by names where nothing is known of its items does so unasked only where the data know nothing of them either.
fn idle_coordinates(files: &Files, needs: &Descriptor) -> Result<(), Failure> {
    let optional = |input| needs.needs.iter().any(|need| need.input == input && !need.required);
    let either = [Input::Places, Input::Taxonomy];
    if needs.kind != DescriptorKind::Method
        || !either.into_iter().all(optional)
        || either.into_iter().any(|input| files.is_given(input))
    {
        return Ok(());
    }
    match places_in_data(files) {
        None => Ok(()),
        Some(help) => Err(Failure::new(
            Class::Usage,
            format!("`{}` would go by names, though the data have coordinates", needs.name),
        )
        .with_help(help.and("; {throng taxonomy} makes groups by names for {taxonomy}"))),
    }
}

/// How to take coordinates from the data themselves, where they have such columns.
fn places_in_data(files: &Files) -> Option<Help> {
    let proposal = propose(&files.data, &files.read).ok().filter(|_| files.data.is_lasting())?;
    let pair = |first, second| Some((proposal.column(first)?, proposal.column(second)?));
    proposal.column(FoundRole::Item)?;
    let (flags, (first, second)) = match pair(FoundRole::Lat, FoundRole::Lon) {
        Some(pair) => (("lat", "lon"), pair),
        None => (("x", "y"), pair(FoundRole::X, FoundRole::Y)?),
    };
    Some(help!("the data have them: say {$ $} {$ $}", flags.0, first, flags.1, second))
}

/// A file that nothing reads may still be misspelt, and then something else is missing: it is looked for.
pub fn refuse_absent(files: &Files) -> Result<(), Failure> {
    for source in [&files.data].into_iter().chain(files.inputs.values()) {
        if source.path().is_some_and(|path| path.metadata().is_err()) {
            source.open()?;
        }
    }
    Ok(())
}

/// Coordinates and attributes come from one place each.
pub(super) fn two_of_one(files: &Files) -> Result<(), Failure> {
    let places = files.source(Input::Places).is_some() && files.read.has_places();
    let records = files.source(Input::Records).is_some() && !files.read.attributes.is_empty();
    let (what, help) = match (places, records) {
        (true, _) => ("coordinates are given twice", "give {places FILE}, or columns of the data, not both"),
        (_, true) => ("attributes are given twice", "give {records FILE}, or {attributes}, not both"),
        _ => return Ok(()),
    };
    Err(Failure::new(Class::Usage, what).with_help(help))
}

/// Standard input can be read once, by one of the inputs.
pub(super) fn shared_stdin(sources: &[(String, &Source)]) -> Result<(), Failure> {
    let roles: Vec<&String> =
        sources.iter().filter(|(_, source)| source.is_stdin()).map(|(role, _)| role).collect();
    match roles[..] {
        [first, second, ..] => Err(Failure::new(
            Class::Usage,
            format!("`{first}` and `{second}` cannot both be read from standard input"),
        )
        .with_help("give `-` once, and files or `<(command)` for the others")),
        _ => Ok(()),
    }
}

/// Refuses files that are not those a recipe was written for, by the bytes that were read.
pub(super) fn other_files(files: &Files, sources: &[(String, &Source)]) -> Result<(), Failure> {
    for (role, source) in sources {
        let expected = files.expected.iter().find(|(known, _)| known == role).map(|(_, sha256)| sha256);
        let found = source.digest().map(|digest| digest.to_string());
        if expected.is_some_and(|expected| found.as_ref() != Some(expected)) {
            let what = format!("`{}` is not the file that the recipe was written for", source.name());
            return Err(Failure::new(Class::BadInput, what)
                .with_help("bring back the earlier file, or take `sha256` out of the recipe"));
        }
    }
    Ok(())
}
