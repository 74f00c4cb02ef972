//! The attacks there are. An attack is a way of getting to know a person: which events or columns become known, and in what order.
//!
//! Who then fits what is known is counted in the same way for every attack; see [`attack`](super::attack()).

mod consecutive;
mod frequent;
mod random;
mod rare;

use std::fmt;

use serde::{Serialize, Serializer};
use throng_contract::Choice;
use throng_data::EventKind;

pub use self::consecutive::CONSECUTIVE;
pub use self::frequent::FREQUENT;
pub use self::random::RANDOM;
pub use self::rare::RARE;
use super::person::{ColumnsOf, Draw, EventsOf};

/// Every attack, in the order shown to people. A new attack is one module and one line here.
pub const ALL: &[NamedAttack] = &[RANDOM, FREQUENT, RARE, CONSECUTIVE];

/// A way of getting to know a person.
///
/// `throng attack --knows NAME`, the workbench and `throng methods attacker` offer what [`ALL`] lists.
///
/// # Example
/// The whole of an attacker who sees where trips begin. In this crate, the code is a file beside `random.rs`, and `FIRST` is added to
/// [`ALL`].
/// ```
/// use throng_contract::{Fraction, Progress};
/// use throng_data::{Dataset, EventKind};
/// use throng_measure::attack::{
///     Attack, Attacker, Draw, EventsOf, NamedAttack, Plan, Scene, attack,
/// };
///
/// const FIRST: NamedAttack = NamedAttack::new("first", &First);
///
/// struct First;
///
/// impl Attack for First {
///     fn in_words(&self, kind: EventKind) -> &'static str {
///         match kind {
///             EventKind::Sequence => "the first events of a record",
///             EventKind::Set => "random items",
///             EventKind::Absent => "random columns",
///         }
///     }
///
///     fn suits(&self, kind: EventKind) -> bool {
///         kind == EventKind::Sequence
///     }
///
///     fn events(&self, person: &EventsOf<'_>, _draw: &mut Draw) -> Vec<usize> {
///         person.places().to_vec()
///     }
/// }
///
/// let data = Dataset::from_words(["abc", "abd", "xbc"]);
/// let attacker = Attacker { knows: FIRST, ..Attacker::PLAIN };
/// let plan = Plan { known: 2, below: 2, targets: None, confidence: Fraction::ONE };
/// let scene = Scene::original(&data.events);
/// let result = attack(&scene, &attacker, &plan, 0, &Progress::silent())?;
/// // `x` is the first place of one person, `a` of two.
/// assert_eq!(result.points[0].singled_out.count, 1);
/// # Ok::<(), throng_contract::Cancelled>(())
/// ```
pub trait Attack: Sync {
    /// What becomes known of people in such data, in plain words: "random events".
    fn in_words(&self, kind: EventKind) -> &'static str;

    /// Whether the attack is run on such data when the user names none.
    fn suits(&self, _kind: EventKind) -> bool {
        true
    }

    /// The places of the record's events in the order in which they become known. They are some of [`EventsOf::places`]; as many as
    /// [`EventsOf::most`] are used.
    fn events(&self, person: &EventsOf<'_>, draw: &mut Draw) -> Vec<usize>;

    /// All columns of the person's row in the order in which they become known: at random, unless the attack says otherwise.
    fn columns(&self, person: &ColumnsOf<'_>, draw: &mut Draw) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..person.columns()).collect();
        draw.shuffle(&mut columns, person.columns());
        columns
    }
}

/// An attack with the name that users type.
#[derive(Clone, Copy)]
pub struct NamedAttack {
    name: &'static str,
    attack: &'static dyn Attack,
}

impl NamedAttack {
    /// The attack, with its name.
    pub const fn new(name: &'static str, attack: &'static dyn Attack) -> Self {
        NamedAttack { name, attack }
    }

    /// The name that users type.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// What it does.
    pub fn attack(self) -> &'static dyn Attack {
        self.attack
    }
}

impl PartialEq for NamedAttack {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for NamedAttack {}

impl fmt::Debug for NamedAttack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for NamedAttack {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// The attack of that name.
pub fn find(name: &str) -> Option<NamedAttack> {
    ALL.iter().copied().find(|attack| attack.name == name)
}

impl Choice for NamedAttack {
    const WORDS: &'static [&'static str] = &NAMES;
    const ALL: &'static [Self] = ALL;

    fn word(self) -> &'static str {
        self.name
    }
}

/// The names of all attacks.
const NAMES: [&str; ALL.len()] = {
    let mut names = [""; ALL.len()];
    let mut place = 0;
    while place < ALL.len() {
        names[place] = ALL[place].name;
        place += 1;
    }
    names
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attack_has_a_name_and_words_of_its_own() {
        let mut names = NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for (place, attack) in ALL.iter().enumerate() {
            assert_eq!(find(attack.name()), Some(*attack));
            let words = attack.attack().in_words(EventKind::Sequence);
            assert!(ALL[..place].iter().all(|other| other.attack().in_words(EventKind::Sequence) != words));
        }
    }
}
