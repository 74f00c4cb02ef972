//! Columns that identify people directly are not published unless the publisher accepts each by name.
//!
//! Promises speak of crowds: a person who is named in a release, be it as one of five, is not hidden by one. The one recogniser
//! ([`throng_data::recognize::direct_identifier`]) looks at every column that a run would publish, before the method runs.
//!
//! # Guarantees
//! Only columns that are to be published are looked at. What was accepted is part of the manifest and of the ledger. The message has names of
//! columns and no value.

use serde::{Deserialize, Serialize};
use throng_contract::{Class, DataKind, Descriptor, Failure, Help, did_you_mean, help};
use throng_data::recognize::{
    DirectIdentifier, IdentifierKind, direct_identifier_of, direct_identifier_of_items,
};
use throng_data::{Column, EventKind, Role};

use throng_data::load::Files;
use throng_data::load::Loaded;

/// A column that identifies people directly, and is published because its publisher said so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedIdentifier {
    /// Its name.
    pub column: String,
    /// What it holds: `names of people`, `e-mail addresses`, ...
    pub holds: String,
}

/// People from which on a text of its own for nearly each of them names them; fewer may differ by chance.
const TELLING: usize = 20;

/// Refuses a run that would publish direct identifiers, and tells which were accepted.
pub fn admit(
    loaded: &Loaded,
    files: &Files,
    method: &Descriptor,
) -> Result<Vec<AcceptedIdentifier>, Failure> {
    let columns = loaded.data.attributes.as_ref().map(|table| &table.columns[..]).unwrap_or_default();
    refuse_unknown(columns, &files.accept_identifiers)?;
    let (mut accepted, mut refused) = (Vec::new(), Vec::new());
    for column in columns {
        let Some(found) = identifies(column, loaded, files, method) else { continue };
        match files.accept_identifiers.contains(&column.name) {
            true => accepted.push(AcceptedIdentifier {
                column: column.name.clone(),
                holds: found.kind.words().to_owned(),
            }),
            false => refused.push((column.name.as_str(), found)),
        }
    }
    let Some((first, _)) = refused.first() else { return Ok(accepted) };
    let told = |(column, found): &(&str, DirectIdentifier)| format!("`{column}` ({})", found.reason);
    let list = refused.iter().map(told).collect::<Vec<_>>().join(", ");
    let (subject, them, one) = match refused.len() {
        1 => ("column", "it", "it"),
        _ => ("columns", "them", "one of them"),
    };
    let verb = if refused.len() == 1 { "identifies" } else { "identify" };
    let message = format!("{subject} {list} {verb} people directly, and would be published");
    let help = help!(
        "leave $ out, or say {role $=identifying}; {accept-identifier $} publishes $ and records that in the release and the \
         ledger",
        them,
        first,
        first,
        one
    );
    Err(Failure::new(Class::Refused, message).with_help(help))
}

/// Why a column that would be published identifies people directly.
fn identifies(
    column: &Column,
    loaded: &Loaded,
    files: &Files,
    method: &Descriptor,
) -> Option<DirectIdentifier> {
    let people = loaded.data.events.subjects();
    let recoded = loaded.data.events.kind() == EventKind::Absent || method.takes.contains(&DataKind::Mixed);
    let by_role = recoded && !matches!(column.role, None | Some(Role::Identifying));
    // An identifying column is never published; who asks for it is told so elsewhere.
    if column.role == Some(Role::Identifying) || (!by_role && !files.publish.contains(&column.name)) {
        return None;
    }
    let found = direct_identifier_of(column, people)?;
    // Columns that are published as they are have a verdict of their own; a hierarchy says what to publish instead of a value.
    let judged = !by_role || column.role == Some(Role::Insensitive);
    let hidden = judged || loaded.inputs.hierarchies.contains_key(&column.name) || people < TELLING;
    (found.kind != IdentifierKind::OwnValue || !hidden).then_some(found)
}

fn refuse_unknown(columns: &[Column], accepted: &[String]) -> Result<(), Failure> {
    let names = || columns.iter().map(|column| column.name.as_str());
    let Some(unknown) = accepted.iter().find(|name| !names().any(|known| known == name.as_str())) else {
        return Ok(());
    };
    let help = match did_you_mean(unknown, names()) {
        Some(known) => help!("did you mean `$`?", known),
        None if columns.is_empty() => {
            Help::from("leave out {accept-identifier}: no column would be published")
        }
        None => help!("there are $", names().collect::<Vec<_>>().join(", ")),
    };
    let what = format!("`accept-identifier`: the data have no column `{unknown}`");
    Err(Failure::new(Class::Usage, what).with_help(help))
}

/// A warning where items themselves identify people: no promise about events hides whom an item names.
pub fn warning_of_items(loaded: &Loaded) -> Option<String> {
    if loaded.data.events.kind() == EventKind::Absent {
        return None;
    }
    let found = direct_identifier_of_items(loaded.data.items.names())?;
    Some(format!(
        "the items look like {}: each may name a person, whom no promise about events hides; replace them with codes or groups",
        found.kind.words()
    ))
}
