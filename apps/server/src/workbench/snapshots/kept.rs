//! Something that was made for the last question, and may do for the next.

use std::sync::{Arc, Mutex, PoisonError};

/// The last thing made, with what it was made for.
#[derive(Debug)]
pub struct Kept<K, T>(Mutex<Option<(K, Arc<T>)>>);

impl<K, T> Default for Kept<K, T> {
    fn default() -> Self {
        Kept(Mutex::new(None))
    }
}

impl<K: PartialEq, T> Kept<K, T> {
    /// The thing for that key; of two who ask at once, one makes it.
    pub fn get<E>(&self, key: K, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, thing)) = kept.as_ref().filter(|(known, _)| *known == key) {
            return Ok(Arc::clone(thing));
        }
        let thing = Arc::new(make()?);
        *kept = Some((key, Arc::clone(&thing)));
        Ok(thing)
    }
}
