//! What goes with the data: a source for each key.
//!
//! The inputs of the whole dataset come first, in the order of [`Input`](throng_contract::Input); those of columns follow as they were
//! given. A manifest lists them in this order, so that the same command gives the same bytes.

use serde::{Deserialize, Serialize};
use throng_contract::InputKey;

use crate::formats::Source;

/// A map from inputs to sources that keeps the order in which columns were named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InputMap(Vec<(InputKey, Source)>);

impl InputMap {
    /// The source of a key.
    pub fn get(&self, key: &InputKey) -> Option<&Source> {
        self.iter().find_map(|(known, source)| (known == key).then_some(source))
    }

    /// Gives a source, in place of the one that was there.
    pub fn insert(&mut self, key: InputKey, source: Source) {
        self.0.retain(|(known, _)| *known != key);
        let at = match key.column {
            Some(_) => self.0.len(),
            None => self.0.partition_point(|(known, _)| known.column.is_none() && known.input < key.input),
        };
        self.0.insert(at, (key, source));
    }

    /// Keeps the inputs for which it holds.
    pub fn retain(&mut self, keep: impl Fn(&InputKey) -> bool) {
        self.0.retain(|(key, _)| keep(key));
    }

    /// All inputs, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&InputKey, &Source)> {
        self.0.iter().map(|(key, source)| (key, source))
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &InputKey> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The sources, in order.
    pub fn values(&self) -> impl Iterator<Item = &Source> {
        self.0.iter().map(|(_, source)| source)
    }

    /// The sources, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Source> {
        self.0.iter_mut().map(|(_, source)| source)
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Input;

    use super::*;

    #[test]
    fn inputs_of_the_dataset_come_first_and_columns_as_they_were_given() {
        let mut map = InputMap::default();
        let file = |name: &str| Source::file(name);
        for column in ["town", "age"] {
            map.insert(InputKey::hierarchy(column), file(column));
        }
        map.insert(Input::Costs.into(), file("costs"));
        map.insert(Input::Places.into(), file("places"));
        let names = |map: &InputMap| map.values().map(|source| source.name().to_owned()).collect::<Vec<_>>();
        assert_eq!(names(&map), ["places", "costs", "town", "age"]);
        map.insert(Input::Places.into(), file("others"));
        assert_eq!(names(&map), ["others", "costs", "town", "age"]);
        let text = serde_json::to_string(&map).unwrap();
        assert_eq!(serde_json::from_str::<InputMap>(&text).unwrap(), map);
    }
}
