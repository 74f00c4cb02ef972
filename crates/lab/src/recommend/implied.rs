//! Which promises make others true.
//!
//! A release that keeps a stronger promise keeps the weaker one too, so its methods may be asked for it. The relation is
//! only where candidates come from: each of their releases is judged by the checker of the promise that was asked for.

use throng_contract::Settings;

/// A promise that follows from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Implied {
    /// The promise asked for.
    pub asked: &'static str,
    /// A promise from which it follows.
    pub by: &'static str,
    /// Parameters of the stronger promise, each with the parameter of the other whose value it takes.
    pub carry: &'static [(&'static str, &'static str)],
}

/// Every such pair.
pub(super) const ALL: &[Implied] = &[
    // Without sensitive items the two say the same.
    Implied { asked: "km", by: "klm", carry: &[("k", "k"), ("m", "m")] },
    // A pattern of L timed events is a pattern of L events; dropping the times only adds people.
    Implied { asked: "km", by: "lkc", carry: &[("K", "k"), ("L", "m")] },
    // Whatever the length of the pattern.
    Implied { asked: "km", by: "p2k", carry: &[("k", "k")] },
];

impl Implied {
    /// Parameters of the stronger promise, as a user would type them.
    pub fn settings(&self, asked: &Settings) -> Vec<(String, String)> {
        let value = |name: &str| asked.get(name).map(super::typed);
        self.carry.iter().filter_map(|(to, from)| Some(((*to).to_owned(), value(from)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_release::catalogue;

    #[test]
    fn the_relation_speaks_of_promises_and_parameters_that_exist() {
        for implied in ALL {
            let [asked, by] =
                [implied.asked, implied.by].map(|name| catalogue::promise(name).unwrap().descriptor());
            for (to, from) in implied.carry {
                assert!(by.param(to).is_some() && asked.param(from).is_some(), "{implied:?}");
            }
        }
    }
}
