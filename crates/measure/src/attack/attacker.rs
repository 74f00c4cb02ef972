//! Who attacks: what they know of a person, and what they make of it.

use serde::Serialize;
use throng_contract::{
    DataKind, Descriptor, DescriptorKind, Fraction, Input, Key, Need, Settings, choices, settings,
};
use throng_data::{EventKind, Events};

use super::catalogue::{self, NamedAttack, RANDOM};

/// The most events an attacker may know: what is usable of them is found by trying all choices.
pub const MAX_KNOWN: usize = 8;

/// An attacker: knows some events of a person and looks for everyone they fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Attacker {
    /// Which events. What is known with one event less is always known too.
    pub knows: NamedAttack,
    /// Whether the attacker knows in which order they happened.
    pub ordered: bool,
    /// Whether the attacker knows when they happened, and how far off that may be: 0 is exactly.
    pub times: Option<u64>,
}

impl Attacker {
    /// Knows random events in their order, and no times.
    pub const PLAIN: Attacker = Attacker { knows: RANDOM, ordered: true, times: None };

    /// The attacker that settings describe.
    pub fn of(settings: &Settings) -> Self {
        let Knowledge { knows, unordered, times, within } = Knowledge::of(settings);
        let times = (times == Times::Exact || within > 0).then_some(within);
        Attacker { knows, ordered: !unordered, times }
    }

    /// A few attackers who between them show what there is to fear from such data.
    pub fn panel(events: &Events) -> Vec<Attacker> {
        let plain = Attacker { ordered: events.kind() == EventKind::Sequence, ..Attacker::PLAIN };
        let suitable = catalogue::ALL.iter().filter(|knows| knows.attack().suits(events.kind()));
        let mut panel: Vec<Attacker> = suitable.map(|knows| Attacker { knows: *knows, ..plain }).collect();
        if plain.ordered {
            panel.push(Attacker { ordered: false, ..plain });
        }
        if events.times().is_some() {
            panel.push(Attacker { times: Some(0), ..plain });
        }
        panel
    }

    /// What the attacker knows of such data, in plain words.
    pub fn in_words(&self, kind: EventKind) -> String {
        let what = self.knows.attack().in_words(kind);
        if kind == EventKind::Absent {
            return what.to_owned();
        }
        let order = match (kind, self.ordered) {
            (EventKind::Set, _) => "",
            (_, true) => ", in order",
            (_, false) => ", in any order",
        };
        match self.times {
            None => format!("{what}{order}"),
            Some(0) => format!("{what}, with times"),
            Some(within) => format!("{what}{order}, with times off by up to {within}"),
        }
    }
}

/// How an attack is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Attackers know one event, two, up to so many.
    pub known: usize,
    /// People who are found among fewer people than this are counted.
    pub below: u32,
    /// At most so many people are looked for; `None` is all of them.
    pub targets: Option<usize>,
    /// People whose secret is guessed with more confidence than this are counted.
    pub confidence: Fraction,
}

impl Plan {
    /// The plan that settings describe.
    pub fn of(settings: &Settings) -> Self {
        let Run { known, below, targets, confidence } = Run::of(settings);
        let targets = (targets != u64::MAX).then_some(targets as usize);
        Plan { known: known as usize, below: below as u32, targets, confidence }
    }
}

choices! {
    /// Whether an attacker knows when events happened.
    pub enum Times {
        /// No.
        None = "none",
        /// Exactly, or nearly so.
        Exact = "exact",
    }
}

settings! {
    /// What an attacker knows.
    pub struct Knowledge {
        /// Which events, items or columns.
        knows: NamedAttack = Key::choice(
            "knows",
            "which events, items or columns of a person the attacker knows",
        )
        .or("random"),
        /// Whether the order of the events is unknown.
        unordered: bool = Key::switch("unordered", "the attacker does not know the order of the events"),
        /// Whether it is known when they happened.
        times: Times = Key::choice("times", "whether the attacker knows when the events happened").or("none"),
        /// By how much known times may be off.
        within: u64 = Key::integer(
            "within",
            0..=i64::MAX as u64,
            "known times may be off by so much: seconds where times are dates",
        )
        .or("0"),
    }
}

settings! {
    /// How an attack is run, and what is counted.
    pub struct Run {
        /// One event, two, up to so many.
        known: u64 = Key::integer(
            "known",
            1..=MAX_KNOWN as u64,
            "the attacker knows one event, two, up to so many; of a table, and beside events, all columns besides",
        )
        .or("4"),
        /// The crowd below which people are counted.
        below: u64 = Key::integer(
            "below",
            2..=u32::MAX as u64,
            "count people who are found among fewer than so many",
        )
        .or("5"),
        /// How many people are looked for; `u64::MAX` is all of them.
        targets: u64 = Key::integer_or_max(
            "targets",
            1..=u32::MAX as u64,
            "how many people to look for; `max` for everybody",
        )
        .or("1000"),
        /// The confidence above which guesses are counted.
        confidence: Fraction = Key::share(
            "confidence",
            "count people whose secret is guessed with more confidence than this",
        )
        .or("1/2"),
    }
}

settings! {
    /// What an attack is asked for.
    pub struct Asked {
        /// What the attacker knows.
        knowledge: Knowledge,
        /// How the attack is run.
        run: Run,
        /// How many possible datasets are looked at.
        worlds: u64 = Key::integer(
            "worlds",
            1..=1000,
            "records taken apart: how many possible datasets the attacker looks at",
        )
        .or("10"),
    }
}

/// The one description of an attacker and of how an attack is run.
pub static ATTACKER: Descriptor = Descriptor {
    name: "attacker",
    purpose: "Knows some events or columns of a person, and looks for everyone they fit",
    takes: &[DataKind::Sequences, DataKind::Timed, DataKind::Sets, DataKind::Table, DataKind::Mixed],
    needs: &[
        Need::optional(Input::Hierarchies),
        Need::optional(Input::Records),
        Need::optional(Input::SensitiveValues),
        Need::optional(Input::SensitiveItems),
    ],
    params: Asked::ALL,
    paper: "",
    example: "throng generate city -o city\nthrong attack city/events.csv --knows frequent --known 3",
    notes: "Where there are more people than are looked for, numbers are estimates with a 95% interval. What is known \
            of each person is drawn with the seed.",
    ..Descriptor::blank(DescriptorKind::Attacker)
};

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::*;

    #[test]
    fn settings_make_an_attacker_and_a_plan() {
        let settings = Settings::parse(&ATTACKER, []).unwrap();
        assert_eq!(Attacker::of(&settings), Attacker::PLAIN);
        let plan = Plan { known: 4, below: 5, targets: Some(1000), confidence: Fraction::new(1, 2).unwrap() };
        assert_eq!(Plan::of(&settings), plan);
        let given = [("knows", "rare"), ("unordered", "true"), ("within", "600"), ("targets", "max")];
        let settings = Settings::parse(&ATTACKER, given).unwrap();
        let rare = Attacker { knows: catalogue::RARE, ordered: false, times: Some(600) };
        assert_eq!((Attacker::of(&settings), Plan::of(&settings).targets), (rare, None));
    }

    #[test]
    fn every_attacker_of_the_panel_knows_something_else() {
        let panel = Attacker::panel(&Dataset::from_words(["ab"]).events);
        let mut words: Vec<String> = panel.iter().map(|one| one.in_words(EventKind::Sequence)).collect();
        words.dedup();
        assert_eq!(words.len(), 5);
    }
}
