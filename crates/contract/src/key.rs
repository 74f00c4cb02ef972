//! A setting together with the Rust type of its value.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use crate::choice::Choice;
use crate::fraction::{Fraction, Threshold};
use crate::setting::{Setting, SettingKind};
use crate::settings::{Settings, Value};

/// A [`Setting`] whose value has the type `T`: what reads it is checked by the compiler.
///
/// A key without a default must be given by the user; [`Key::or`] gives it one.
///
/// # Example
/// ```
/// use throng_contract::{Descriptor, DescriptorKind, Key, Settings};
///
/// const K: Key<u64> = Key::integer("k", 2..=1000, "people who must look alike").or("5");
///
/// static TOY: Descriptor =
///     Descriptor { name: "toy", params: &[K.setting], ..Descriptor::blank(DescriptorKind::Method) };
///
/// let settings = Settings::parse(&TOY, [("k", "7")])?;
/// let k: u64 = K.of(&settings);
/// assert_eq!(k, 7);
/// # Ok::<(), throng_contract::SettingsError>(())
/// ```
pub struct Key<T> {
    /// What users see of it.
    pub setting: Setting,
    kind: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    const fn new(name: &'static str, kind: SettingKind, help: &'static str) -> Self {
        Key { setting: Setting { name, kind, default: None, help }, kind: PhantomData }
    }

    /// The same with a default, as a user would type it.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Key { setting: Setting { default: Some(default), ..self.setting }, kind: PhantomData }
    }

    /// The same with another line of help.
    #[must_use]
    pub const fn saying(self, help: &'static str) -> Self {
        Key { setting: Setting { help, ..self.setting }, kind: PhantomData }
    }
}

impl Key<u64> {
    /// A whole number.
    pub const fn integer(name: &'static str, range: RangeInclusive<u64>, help: &'static str) -> Self {
        Key::new(name, SettingKind::Integer { min: *range.start(), max: *range.end() }, help)
    }

    /// A whole number, or `max` for no limit, which is read as `u64::MAX`.
    pub const fn integer_or_max(name: &'static str, range: RangeInclusive<u64>, help: &'static str) -> Self {
        Key::new(name, SettingKind::IntegerOrMax { min: *range.start(), max: *range.end() }, help)
    }
}

impl Key<f64> {
    /// A real number.
    pub const fn number(name: &'static str, range: RangeInclusive<f64>, help: &'static str) -> Self {
        Key::new(name, SettingKind::Number { min: *range.start(), max: *range.end() }, help)
    }
}

impl Key<Fraction> {
    /// An exact share between 0 and 1.
    pub const fn share(name: &'static str, help: &'static str) -> Self {
        Key::new(name, SettingKind::Share, help)
    }
}

impl Key<Threshold> {
    /// A number or a share of people.
    pub const fn threshold(name: &'static str, help: &'static str) -> Self {
        Key::new(name, SettingKind::Threshold, help)
    }
}

impl Key<bool> {
    /// On or off; off unless [`Key::or`] says otherwise.
    pub const fn switch(name: &'static str, help: &'static str) -> Self {
        Key::new(name, SettingKind::Switch, help).or("false")
    }
}

impl Key<String> {
    /// The name of a column; empty where none is named.
    pub const fn column(name: &'static str, help: &'static str) -> Self {
        Key::new(name, SettingKind::Column, help)
    }
}

impl<C: Choice> Key<C> {
    /// One of the words of a [`Choice`].
    pub const fn choice(name: &'static str, help: &'static str) -> Self {
        Key::new(name, SettingKind::Choice { words: C::WORDS }, help)
    }

    /// The same with some of the words only.
    #[must_use]
    pub const fn only(self, words: &'static [&'static str]) -> Self {
        Key { setting: Setting { kind: SettingKind::Choice { words }, ..self.setting }, kind: PhantomData }
    }
}

impl<T: SettingType> Key<T> {
    /// The value that settings have for this key.
    ///
    /// Settings have a value for every setting of the descriptor they were checked against. Reading the settings of another descriptor is a
    /// mistake in the program: tests stop there, and a release build takes the strictest value, so that no weaker promise follows than was
    /// asked for.
    pub fn of(&self, settings: &Settings) -> T {
        let value = self.find(settings);
        debug_assert!(
            value.is_some(),
            "`{}` is not a setting of this type in the descriptor",
            self.setting.name
        );
        value.unwrap_or_else(|| T::strictest(self.setting.kind))
    }

    /// The value, where the settings are of a descriptor that has this key.
    pub fn find(&self, settings: &Settings) -> Option<T> {
        settings.get(self.setting.name).and_then(T::of_value)
    }
}

/// A type that a setting may have.
pub trait SettingType: Sized {
    /// The value, if it is of this type.
    fn of_value(value: &Value) -> Option<Self>;

    /// What asks for most: large numbers of people, small shares and amounts.
    fn strictest(kind: SettingKind) -> Self;
}

impl SettingType for u64 {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(value) => Some(*value),
            Value::Max => Some(u64::MAX),
            _ => None,
        }
    }

    fn strictest(kind: SettingKind) -> Self {
        match kind {
            SettingKind::Integer { max, .. } => max,
            _ => u64::MAX,
        }
    }
}

impl SettingType for f64 {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(value) => Some(*value),
            Value::Integer(value) => Some(*value as f64),
            _ => None,
        }
    }

    fn strictest(kind: SettingKind) -> Self {
        match kind {
            SettingKind::Number { min, .. } => min,
            _ => 0.0,
        }
    }
}

impl SettingType for Fraction {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Share(value) => Some(*value),
            _ => None,
        }
    }

    fn strictest(_: SettingKind) -> Self {
        Fraction::ZERO
    }
}

impl SettingType for Threshold {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Threshold(value) => Some(*value),
            _ => None,
        }
    }

    fn strictest(_: SettingKind) -> Self {
        Threshold::Absolute(u64::MAX)
    }
}

impl SettingType for bool {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Switch(value) => Some(*value),
            _ => None,
        }
    }

    fn strictest(_: SettingKind) -> Self {
        false
    }
}

impl SettingType for String {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Column(value) => Some(value.clone()),
            _ => None,
        }
    }

    fn strictest(_: SettingKind) -> Self {
        String::new()
    }
}

impl<C: Choice> SettingType for C {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Choice(word) => C::of_word(word),
            _ => None,
        }
    }

    fn strictest(_: SettingKind) -> Self {
        C::ALL[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::{Descriptor, DescriptorKind};

    const K: Key<u64> = Key::integer("k", 2..=1000, "").or("5");
    const EPSILON: Key<f64> = Key::number("epsilon", 0.1..=10.0, "").or("1");
    static TOY: Descriptor = Descriptor {
        name: "toy",
        params: &[K.setting, EPSILON.setting],
        ..Descriptor::blank(DescriptorKind::Method)
    };

    #[test]
    fn a_value_has_the_type_of_its_key() {
        let settings = Settings::parse(&TOY, [("epsilon", "0.5")]).unwrap();
        assert_eq!((K.of(&settings), EPSILON.of(&settings)), (5, 0.5));
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "`m` is not a setting"))]
    fn settings_of_another_descriptor_never_weaken_a_promise() {
        const M: Key<u64> = Key::integer("m", 1..=10, "");
        assert_eq!(M.of(&Settings::parse(&TOY, []).unwrap()), 10);
    }
}
