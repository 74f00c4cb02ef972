//! One trial: a world is drawn, the program makes its release, and the judge of this room looks at it.
//!
//! The sound variant must give a release that keeps its promise, or say that there is none. The letter of the paper must
//! either keep it, or be refused by the program's own checker; and the judge must agree in both cases: a false pass and
//! a false refusal are findings alike.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use throng_contract::{Class, Failure, Progress, Settings};
use throng_data::Nature;
use throng_lab::{Loaded, load};
use throng_methods::{Outcome, Task, Variant};

use crate::awkward;
use crate::draw;
use crate::judge::{Judged, judge};
use crate::people::truthful;
use crate::published::shows_nothing_exact;
use crate::world::World;

/// How a variant ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A release that keeps its promise.
    Released,
    /// The program says that there is none.
    Infeasible,
    /// The program's checker refused the letter of the paper, and the judge agrees.
    Refused,
}

/// What came of a trial.
#[derive(Debug, Clone)]
pub struct Trial {
    pub number: u64,
    pub world: World,
    /// How the sound variant and the letter of the paper ended, or what is wrong.
    pub sound: Result<End, String>,
    pub printed: Result<End, String>,
}

impl Trial {
    /// What is wrong, if anything.
    pub fn findings(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let both = [("sound", &self.sound), ("as-printed", &self.printed)];
        both.into_iter().filter_map(|(variant, end)| Some((variant, end.as_ref().err()?.as_str())))
    }
}

/// Draws and runs the trial of that number. The same seed, method and number give the same trial.
pub fn run(method: &'static str, seed: u64, number: u64) -> Trial {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let stream = method.bytes().fold(0_u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    random.set_stream(stream.wrapping_mul(1 << 32).wrapping_add(number));
    let mut world = draw::world(method, &mut random);
    awkward::make(&mut world, &mut random);
    let attempt = |variant| {
        let checked = || check(&world, variant, seed.wrapping_add(number));
        catch_unwind(AssertUnwindSafe(checked)).unwrap_or_else(|_| Err("the program panicked".to_owned()))
    };
    let (sound, printed) = match &world.note {
        Some(note) => (Err(note.clone()), Err(note.clone())),
        None => (attempt(Variant::Sound), attempt(Variant::AsPrinted)),
    };
    Trial { number, world, sound, printed }
}

fn check(world: &World, variant: Variant, seed: u64) -> Result<End, String> {
    let job = world.job(variant, seed);
    match job.plan().and_then(|plan| plan.make_checked(&Progress::silent())) {
        Ok(made) => {
            let release = &made.outcome.release;
            if release.nature != Nature::Synthetic && release.body.has_rows() {
                truthful(&made.loaded.data, &made.outcome.release)?;
            }
            match judge(world, &made.loaded, &made.outcome, variant) {
                Judged::Broken(why) => Err(format!("the program's checker passes what is broken: {why}")),
                Judged::Holds | Judged::TooCloseToTell => {
                    if made.outcome.ledger.is_some() && variant == Variant::Sound {
                        shows_nothing_exact(world)?;
                    }
                    Ok(End::Released)
                }
            }
        }
        Err(failure) => match failure.class {
            Class::Infeasible => Ok(End::Infeasible),
            Class::NotVerified if variant == Variant::AsPrinted => {
                let (loaded, outcome) = again(world, variant, seed).map_err(|failure| failure.message)?;
                match judge(world, &loaded, &outcome, variant) {
                    Judged::Holds => Err(format!("a false refusal: {}", failure.message)),
                    Judged::Broken(_) | Judged::TooCloseToTell => Ok(End::Refused),
                }
            }
            class => Err(format!("{class:?}: {}", failure.message)),
        },
    }
}

/// The release that was refused.
fn again(world: &World, variant: Variant, seed: u64) -> Result<(Loaded, Outcome), Failure> {
    let job = world.job(variant, seed);
    let method = throng_lab::catalogue::method(world.method)?;
    let progress = Progress::silent();
    let loaded = load(&job.files, method.descriptor(), &progress)?;
    let given = job.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let settings = Settings::parse(method.descriptor(), given)?;
    let outcome = method.anonymize(&Task::on(&loaded, &settings, variant, seed, &progress))?;
    Ok((loaded, outcome))
}
