//! The readers of what goes with the data, one for each input that is a file.

use throng_contract::{Input, Progress};

use crate::formats::{
    InputError, ReadShape, Source, align_taxonomy, read_alphabet, read_costs, read_item_sets, read_items,
    read_patterns, read_person_patterns, read_policy, read_queries, read_taxonomy,
};
use crate::{Dataset, Inputs};

/// What an input is read against: every name in it must fit the data.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// The data.
    pub data: &'a Dataset,
    /// What its columns were taken for.
    pub shape: &'a ReadShape,
    /// Reading large ones is told, and can be stopped.
    pub progress: &'a Progress,
}

type Reader = fn(&Source, Beside<'_>, &mut Inputs) -> Result<(), InputError>;

/// Places, records and hierarchies are not among them: they become part of the dataset.
static READERS: [(Input, Reader); 9] = [
    (Input::Taxonomy, |source, beside, inputs| {
        let taxonomy = read_taxonomy(source, beside.progress)?;
        align_taxonomy(source, &taxonomy, &beside.data.items)?;
        inputs.taxonomy = Some(taxonomy);
        Ok(())
    }),
    (Input::Constraints, |source, beside, inputs| {
        inputs.constraints = Some(read_item_sets(source, &beside.data.items)?);
        Ok(())
    }),
    (Input::Policy, |source, beside, inputs| {
        inputs.policy = Some(read_policy(source, &beside.data.items)?);
        Ok(())
    }),
    (Input::SensitiveItems, |source, beside, inputs| {
        inputs.sensitive_items = read_items(source, &beside.data.items)?;
        Ok(())
    }),
    (Input::Patterns, |source, beside, inputs| {
        inputs.patterns = read_patterns(source, &beside.data.items)?;
        Ok(())
    }),
    (Input::PersonPatterns, |source, beside, inputs| {
        let Dataset { subjects, items, .. } = beside.data;
        let own = beside.shape.roles.subject.as_deref();
        inputs.person_patterns = Some(read_person_patterns(source, own, subjects, items)?);
        Ok(())
    }),
    (Input::Queries, |source, _, inputs| {
        inputs.queries = Some(read_queries(source)?);
        Ok(())
    }),
    (Input::Alphabet, |source, _, inputs| {
        inputs.alphabet = Some(read_alphabet(source)?);
        Ok(())
    }),
    (Input::Costs, |source, _, inputs| {
        inputs.costs = Some(read_costs(source)?);
        Ok(())
    }),
];

/// Reads all inputs that have a reader, in the order of the table: of several that are wrong, the same one is told.
pub(super) fn read<'a>(
    wanted: impl Fn(Input) -> Option<&'a Source>,
    beside: Beside<'_>,
    inputs: &mut Inputs,
) -> Result<(), InputError> {
    for (input, reader) in &READERS {
        if let Some(source) = wanted(*input) {
            reader(source, beside, inputs)?;
        }
    }
    Ok(())
}

/// Reads one input alone, to see whether it fits; nothing where it has no reader of its own.
pub fn try_input(input: Input, source: &Source, beside: Beside<'_>) -> Result<(), InputError> {
    match READERS.iter().find(|(known, _)| *known == input) {
        Some((_, reader)) => reader(source, beside, &mut Inputs::default()),
        None => Ok(()),
    }
}
