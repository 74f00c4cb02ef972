//! The promises again, by brute force and in original words: an attacker knows real events, and a person fits them
//! if what was published of that person *may* contain them.
//!
//! Nothing here is shared with the program's checkers: no index, no walk, no pruning but "where no one fits, no one fits
//! more". A judge answers with the first case it finds broken.

mod counts;
mod disassociation;
mod dp;
mod klm;
mod lkc;
mod mi;
mod mixed;
mod p2k;
mod table;

use throng_lab::Loaded;
use throng_methods::{Outcome, Variant};

use crate::people::{Person, as_written, people};
use crate::world::World;

/// What a judge found.
#[derive(Debug, Clone, PartialEq)]
pub enum Judged {
    /// The promise holds.
    Holds,
    /// It does not, and why.
    Broken(String),
    /// A real number is so close to its limit that rounding decides.
    TooCloseToTell,
}

/// Judges by the promise that the method keeps: with what names stand for, and, of events, as they are written.
pub fn judge(world: &World, loaded: &Loaded, outcome: &Outcome, variant: Variant) -> Judged {
    let meant = reading(world, loaded, outcome, variant, || people(&loaded.data, &outcome.release));
    let is_compared = world.method.starts_with("mi-");
    match as_written(&loaded.data, &outcome.release).filter(|_| meant == Judged::Holds && !is_compared) {
        Some(people) => reading(world, loaded, outcome, variant, || people.clone()),
        None => meant,
    }
}

/// Judges one reading of the release.
fn reading(
    world: &World,
    loaded: &Loaded,
    outcome: &Outcome,
    variant: Variant,
    people: impl Fn() -> Vec<Person>,
) -> Judged {
    match world.method {
        "seqanon" | "sd-seqanon" | "u-seqanon" | "suppress" => {
            klm::km(&people(), world.number("k"), world.number("m"))
        }
        "zga" | "sga" | "lm-suppress" => {
            let bound = match world.value("form") {
                "count" => klm::Bound::AtMost(world.number("l")),
                _ => klm::Bound::OneIn(world.number("l")),
            };
            let sensitive = loaded.data.items.ids(&loaded.inputs.sensitive_items);
            klm::klm(&people(), &sensitive, world.number("k"), bound, world.number("m"))
        }
        "lkc" | "lkc-local" => lkc::lkc(&people(), loaded, world),
        "bf-p2ka" => p2k::p2k(&people(), world.number("k")),
        "mi-top-down" | "mi-bottom-up" => {
            let own = |name: &str| loaded.inputs.person_patterns.as_ref().and_then(|all| all.get(name));
            let patterns = loaded.data.subjects.names().map(|name| {
                let everybody = &loaded.inputs.patterns;
                let own = own(name).into_iter().flatten().filter(|pattern| !everybody.contains(pattern));
                everybody.iter().chain(own).map(|pattern| loaded.data.items.ids(pattern)).collect()
            });
            mi::mi(&people(), &patterns.collect::<Vec<_>>(), world)
        }
        "apriori" | "da" | "oa" | "lra" | "vpa" => {
            klm::klm_of_sets(&people(), &[], world.number("k"), 1, world.number("m"))
        }
        "lm-apriori" | "lm-da" | "lm-oa" | "lm-lra" | "lm-vpa" => {
            let sensitive = loaded.data.items.ids(&loaded.inputs.sensitive_items);
            klm::klm_of_sets(&people(), &sensitive, world.number("k"), world.number("l"), world.number("m"))
        }
        "coat" | "pcta" => match &loaded.inputs.policy {
            Some(sets) => {
                let sets: Vec<Vec<u32>> = sets.iter().map(|set| loaded.data.items.ids(set)).collect();
                klm::policy(&people(), &sets, world.number("k"))
            }
            None => klm::klm_of_sets(&people(), &[], world.number("k"), 1, world.number("m")),
        },
        "incognito" | "mondrian" | "top-down" | "bottom-up" | "cluster" => {
            table::table(loaded, outcome, world)
        }
        "rum-bound" | "tum-bound" | "lm-rum-bound" | "lm-tum-bound" | "rfirst" | "tfirst" => {
            mixed::mixed(people(), loaded, outcome, world)
        }
        "ngrams" | "diffpart" => dp::dp(loaded, outcome, world, variant),
        "disassociation" => disassociation::disassociated(loaded, outcome, world, variant),
        "counts" => counts::k_counts(loaded, outcome, world),
        "dp-counts" => counts::dp_counts(outcome, world),
        other => Judged::Broken(format!("there is no judge for `{other}`")),
    }
}
