//! A setting that is one of a list of words, as an enum.

/// An enum of which a user types a word. Made by [`choices!`](crate::choices).
pub trait Choice: Copy + 'static {
    /// The words, in the order in which help lists them.
    const WORDS: &'static [&'static str];
    /// What they stand for, in the same order; at least one.
    const ALL: &'static [Self];

    /// What a word stands for.
    fn of_word(word: &str) -> Option<Self> {
        let at = Self::WORDS.iter().position(|known| *known == word)?;
        Self::ALL.get(at).copied()
    }

    /// The word that stands for it.
    fn word(self) -> &'static str;
}

/// Declares an enum and the word of each variant: a `match` on it handles every word that a user may type.
///
/// # Example
/// ```
/// use throng_contract::{Choice, Key, choices};
///
/// choices! {
///     /// What is done with records that are too long.
///     pub enum TooLong {
///         /// They are refused.
///         Fail = "fail",
///         /// Their end is cut off.
///         Truncate = "truncate",
///     }
/// }
///
/// const TOO_LONG: Key<TooLong> = Key::choice("too-long", "what to do with long records").or("fail");
///
/// assert_eq!(TooLong::of_word("truncate"), Some(TooLong::Truncate));
/// assert_eq!(TooLong::Fail.word(), "fail");
/// # let _ = TOO_LONG;
/// ```
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$doc])* $variant),+
        }

        impl $crate::Choice for $name {
            const WORDS: &'static [&'static str] = &[$($word),+];
            const ALL: &'static [Self] = &[$($name::$variant),+];

            fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),+
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    choices! {
        enum Side {
            Left = "left",
            Right = "right",
        }
    }

    #[test]
    fn every_word_stands_for_one_value() {
        assert!(Side::ALL.iter().all(|side| Side::of_word(side.word()) == Some(*side)));
        assert_eq!(Side::of_word("middle"), None);
    }
}
