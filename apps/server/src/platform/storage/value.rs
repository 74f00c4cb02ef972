//! What a field of a row can hold.

use super::StorageError;

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A whole number; also a switch, as 0 or 1.
    Integer(i64),
    /// A number with a fraction: a duration.
    Real(f64),
    /// A text; also a time, written so that texts sort as times do.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

macro_rules! value_from {
    ($($type:ty, $value:ident => $made:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $made
            }
        })*
    };
}

value_from! {
    i64, number => Value::Integer(number);
    i32, number => Value::Integer(number.into());
    // Counts of rows and events: far below the limit of a signed number.
    u64, number => Value::Integer(number as i64);
    bool, switch => Value::Integer(switch.into());
    f64, number => Value::Real(number);
    &str, text => Value::Text(text.to_owned());
    &String, text => Value::Text(text.clone());
    String, text => Value::Text(text);
    Vec<u8>, bytes => Value::Bytes(bytes);
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// A type that a field can be read as.
pub trait FromValue: Sized {
    /// The value as that type, if it is one.
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! from_value {
    ($($type:ty: $pattern:pat => $made:expr;)*) => {
        $(impl FromValue for $type {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    $pattern => $made,
                    _ => None,
                }
            }
        })*
    };
}

from_value! {
    i64: Value::Integer(number) => Some(*number);
    i32: Value::Integer(number) => i32::try_from(*number).ok();
    u64: Value::Integer(number) => Some(*number as u64);
    bool: Value::Integer(number) => Some(*number != 0);
    f64: Value::Real(number) => Some(*number);
    String: Value::Text(text) => Some(text.clone());
    Vec<u8>: Value::Bytes(bytes) => Some(bytes.clone());
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// A row of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    values: Vec<Value>,
}

impl Row {
    /// A row of these fields.
    pub fn of(values: Vec<Value>) -> Self {
        Row { values }
    }

    /// A field by its place.
    pub fn get<T: FromValue>(&self, place: usize) -> Result<T, StorageError> {
        let value = self.values.get(place).and_then(T::from_value);
        value.ok_or_else(|| StorageError::other(format!("field {place} of a row is not what it should be")))
    }
}
