//! Settings as a typed struct.

use crate::key::Key;
use crate::setting::{Setting, SettingKind};

/// Declares what a method, promise, measure or attacker is asked for: a struct with one field for each [`Key`].
///
/// The struct has `ALL`, the settings for the [`Descriptor`](crate::Descriptor), and `of`, which reads [`Settings`](crate::Settings) that were
/// checked against it. So what users may set and what the code reads is one list. A field without a key is another such struct, whose
/// settings stand at its place in the list.
///
/// # Example
/// ```
/// use throng_contract::{Descriptor, DescriptorKind, Key, Settings, choices, settings};
///
/// choices! {
///     /// How far apart two groups are.
///     pub enum Linkage {
///         /// The mean of their members' distances.
///         Average = "average",
///         /// That of the nearest members.
///         Single = "single",
///     }
/// }
///
/// const K: Key<u64> = Key::integer("k", 2..=1000, "people who must look alike").or("5");
/// const M: Key<u64> = Key::integer("m", 1..=10, "events that an attacker may know").or("2");
/// const DISTANCE: Key<Linkage> = Key::choice("distance", "how far apart two groups are").or("average");
///
/// settings! {
///     /// The promise that is asked for.
///     struct Promised {
///         k: u64 = K,
///         m: u64 = M,
///     }
/// }
///
/// settings! {
///     /// What the method is asked for.
///     struct Asked {
///         promised: Promised,
///         distance: Linkage = DISTANCE,
///     }
/// }
///
/// static TOY: Descriptor =
///     Descriptor { name: "toy", params: Asked::ALL, ..Descriptor::blank(DescriptorKind::Method) };
///
/// let settings = Settings::parse(&TOY, [("k", "7"), ("distance", "single")])?;
/// let Asked { promised, distance } = Asked::of(&settings);
/// assert_eq!((promised.k, promised.m), (7, 2));
/// let merges_chains = match distance {
///     Linkage::Average => false,
///     Linkage::Single => true,
/// };
/// assert!(merges_chains);
/// # Ok::<(), throng_contract::SettingsError>(())
/// ```
#[macro_export]
macro_rules! settings {
    (@list $type:ty) => { <$type>::ALL };
    (@list $type:ty, $key:expr) => { &[$crate::setting_of::<$type>($key)] };
    (@read $settings:ident, $type:ty) => { <$type>::of($settings) };
    (@read $settings:ident, $type:ty, $key:expr) => {{
        let key: $crate::Key<$type> = $key;
        key.of($settings)
    }};
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$doc:meta])* $field:ident : $type:ty $(= $key:expr)?),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $name {
            $($(#[$doc])* $vis $field: $type),+
        }

        impl $name {
            const PARTS: &'static [&'static [$crate::Setting]] =
                &[$($crate::settings!(@list $type $(, $key)?)),+];

            /// All settings, in the order in which forms show them.
            $vis const ALL: &'static [$crate::Setting] = &$crate::joined::<{ $crate::joined_len(Self::PARTS) }>(Self::PARTS);

            /// The values of settings that were checked against [`Self::ALL`].
            $vis fn of(settings: &$crate::Settings) -> Self {
                $name { $($field: $crate::settings!(@read settings, $type $(, $key)?)),+ }
            }
        }
    };
}

/// The setting of a key.
#[doc(hidden)]
pub const fn setting_of<T>(key: Key<T>) -> Setting {
    key.setting
}

/// How many settings some lists have together.
#[doc(hidden)]
pub const fn joined_len(parts: &[&[Setting]]) -> usize {
    let (mut len, mut part) = (0, 0);
    while part < parts.len() {
        len += parts[part].len();
        part += 1;
    }
    len
}

/// Lists of settings as one; `N` is their [length](joined_len).
#[doc(hidden)]
pub const fn joined<const N: usize>(parts: &[&[Setting]]) -> [Setting; N] {
    let mut all = [Setting { name: "", kind: SettingKind::Switch, default: None, help: "" }; N];
    let (mut at, mut part) = (0, 0);
    while part < parts.len() {
        let mut within = 0;
        while within < parts[part].len() {
            all[at] = parts[part][within];
            (at, within) = (at + 1, within + 1);
        }
        part += 1;
    }
    all
}
