//! The seed of a run, and which seeds are too easily guessed to hide people.

use throng_contract::{Class, Failure};

use crate::Job;

/// The seed of a run. Noise that is meant to hide people is not drawn from a number that an attacker would guess.
pub(crate) fn seed_of(job: &Job, secret: bool) -> Result<u64, Failure> {
    match job.seed {
        Some(seed) => Ok(seed),
        None if secret => drawn_seed(),
        None => Ok(0),
    }
}

/// Seeds below this could be found by trying them all.
pub const GUESSABLE: u64 = 1 << 32;

fn drawn_seed() -> Result<u64, Failure> {
    loop {
        let seed = getrandom::u64().map_err(|error| {
            Failure::new(Class::Internal, format!("the system gives no random numbers: {error}"))
                .with_help("give a secret number with {seed}")
        })?;
        if seed >= GUESSABLE {
            return Ok(seed);
        }
    }
}

/// A seed that a user chose is small: an attacker who has the release would try them all, and take the noise away.
pub(crate) fn refuse_guessable(seed: Option<u64>) -> Result<(), Failure> {
    match seed {
        Some(seed) if seed < GUESSABLE => Err(Failure::new(
            Class::Refused,
            format!("the promise rests on secret noise, and the seed {seed} could be guessed: seeds below {GUESSABLE} are refused"),
        )
        .with_help("leave {seed} out; to repeat a run, keep it with {keep-run} and use its recipe")),
        _ => Ok(()),
    }
}
