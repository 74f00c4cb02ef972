//! Differential privacy by experiment: how much epsilon an attacker can prove from releases alone.
//!
//! Two datasets differ by one person. The program publishes each of them thousands of times, with another secret each time. Everything in the
//! directories is looked at: numbers and words of all files, how often each line occurs, how long files are; only fingerprints, which are drawn from the
//! secret, are passed over. The first half of the runs chooses the event ("at least so many rows", "such a word is there") that tells the two datasets apart
//! best; the second half says how likely it is with and without the person. The logarithm of the smallest ratio that agrees with the second half at 97.5%
//! confidence a side is a lower bound of epsilon: if it is above the epsilon that was promised, the promise is broken.
//!
//! # Power
//! An experiment that finds nothing says something only if it would have found a fault. So each is done again with [`TURNED_DOWN`] times the epsilon, which is
//! the same as noise that is so many times too small, and has to find more than was promised.
//!
//! # Guarantees
//! The same seed gives the same table.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use throng_contract::Progress;
use throng_lab::{Job, Run, Salt, Target, anonymize};
use throng_methods::Variant;

use crate::world::World;

/// What is promised.
const EPSILON: f64 = 1.0;
/// How many times too small the noise is where the fault has to be found.
const TURNED_DOWN: f64 = 4.0;
/// Numbers are compared to so many parts of one.
const PARTS: f64 = 1000.0;

/// What an attacker counts in a directory, by what it is.
type Seen = HashMap<String, i64>;

/// A method, and the two datasets it is tried on: twenty people with the item `a`, and one person more.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    method: &'static str,
    /// What the one person has: what the method's answer shows most of.
    item: &'static str,
    /// Settings that spend as much of the budget as can be on what is looked at.
    settings: &'static [(&'static str, &'static str)],
}

/// The methods with noise. `ngrams` draws its sequences in two ways, which publish other things.
pub const EXPERIMENTS: [Experiment; 4] = [
    Experiment { method: "dp-counts", item: "a", settings: &[("tables", "visits"), ("cells", "1")] },
    Experiment { method: "diffpart", item: "a", settings: &[("fan-out", "2"), ("c1", "0"), ("c2", "0")] },
    Experiment {
        method: "ngrams",
        item: "b",
        settings: &[("l-max", "1"), ("n-max", "1"), ("sampler", "start"), ("drawn-records", "200")],
    },
    Experiment {
        method: "ngrams",
        item: "b",
        settings: &[("l-max", "1"), ("n-max", "1"), ("sampler", "grams")],
    },
];

/// Runs all experiments and prints the table. Whether no promise was broken and every fault was found.
pub fn noise(runs: u64, seed: u64) -> Result<bool, String> {
    let mut table = format!(
        "{:<52} {:>8}  {:>6}  {:>17}  told apart by\n",
        "method", "promised", "proved", "noise / 4: proved"
    );
    let mut good = true;
    for experiment in EXPERIMENTS {
        let honest = experiment.prove(EPSILON, runs, seed)?;
        let fault = experiment.prove(EPSILON * TURNED_DOWN, runs, seed)?;
        good &= honest.epsilon <= EPSILON && fault.epsilon > EPSILON;
        table.push_str(&format!(
            "{:<52} {EPSILON:>8.2}  {:>6.2}  {:>17.2}  {}\n",
            experiment.in_words(),
            honest.epsilon,
            fault.epsilon,
            fault.event
        ));
        let _ = writeln!(io::stderr(), "{}: {runs} runs a side, twice", experiment.in_words());
    }
    let _ = write!(io::stdout(), "{table}");
    Ok(good)
}

/// What an experiment proved.
#[derive(Debug)]
pub struct Proved {
    /// A lower bound of epsilon.
    pub epsilon: f64,
    /// What told the two datasets apart.
    pub event: String,
}

impl Experiment {
    fn in_words(&self) -> String {
        let settings = self.settings.iter().map(|(name, value)| format!(" {name}={value}"));
        format!("{}{}", self.method, settings.collect::<String>())
    }

    /// The twenty people, and the one more if they are there.
    fn world(&self, epsilon: f64, one_more: bool) -> World {
        let mut world = World::new(self.method);
        let last = if one_more { format!("p20,{}\n", self.item) } else { String::new() };
        let twenty: String = (0..20).map(|person| format!("p{person},a\n")).collect();
        world.events = format!("subject,item\n{twenty}{last}");
        world.alphabet = Some("a\nb\n".to_owned());
        world.sets = self.method == "diffpart";
        world.set("epsilon", epsilon);
        self.settings.iter().for_each(|(name, value)| world.set(name, value));
        world
    }

    /// Publishes both datasets `runs` times, and proves what can be proved.
    pub fn prove(&self, epsilon: f64, runs: u64, seed: u64) -> Result<Proved, String> {
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let [without, with] = [false, true].map(|one_more| {
            let world = self.world(epsilon, one_more);
            let one = |number: u64| release(&world, scratch.path(), seed, u64::from(one_more), number);
            (0..runs).into_par_iter().map(one).collect::<Result<Vec<Seen>, String>>()
        });
        Ok(prove(&without?, &with?))
    }
}

/// One release, and what is in its directory.
fn release(world: &World, scratch: &Path, seed: u64, side: u64, number: u64) -> Result<Seen, String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(side << 40 | number);
    let secret: String = (0..32).map(|_| format!("{:02x}", random.random::<u8>())).collect();
    let salt = Salt::parse(&secret).map_err(|failure| failure.message)?;
    // The program draws a seed that cannot be guessed; so does the experiment.
    let job = Job { salt: Some(salt), ..world.job(Variant::Sound, random.random::<u64>() | 1 << 40) };
    let directory = scratch.join(format!("{side}-{number}"));
    let out = Target { allow_empty: true, ..Target::new(&directory) };
    anonymize(&Run { job, out, linkage: None }, &Progress::silent()).map_err(|failure| failure.message)?;
    let seen = look(&directory).map_err(|error| error.to_string())?;
    fs::remove_dir_all(&directory).map_err(|error| error.to_string())?;
    Ok(seen)
}

/// Everything that can be counted in a directory.
fn look(directory: &Path) -> io::Result<Seen> {
    let mut seen = Seen::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        *seen.entry(format!("{name}: lines")).or_default() += text.lines().count() as i64;
        for line in text.lines() {
            let (form, numbers) = taken_apart(line);
            *seen.entry(format!("{name}: `{form}`")).or_default() += 1;
            for (place, number) in numbers.into_iter().enumerate() {
                seen.insert(format!("{name}: number {place} of `{form}`"), (number * PARTS) as i64);
            }
        }
    }
    Ok(seen)
}

/// A line with `#` for numbers and `@` for fingerprints, and the numbers.
fn taken_apart(line: &str) -> (String, Vec<f64>) {
    let (mut form, mut numbers, mut word) = (String::new(), Vec::new(), String::new());
    for sign in line.chars().chain(['\n']) {
        if sign.is_ascii_alphanumeric() || sign == '.' {
            word.push(sign);
            continue;
        }
        match word.trim_end_matches('.').parse::<f64>() {
            _ if word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => form.push('@'),
            Ok(number) if number.is_finite() => {
                numbers.push(number);
                form.push('#');
            }
            _ => form.push_str(&word),
        }
        word.clear();
        form.push(sign);
    }
    form.pop();
    // A page has long lines; what differs between two of them is at their ends.
    (form.chars().take(200).collect(), numbers)
}

/// Something that a directory has or has not: a count of at least, or below, so many.
#[derive(Debug, Clone)]
struct Event {
    of: String,
    from: i64,
    below: bool,
}

impl Event {
    fn in_runs(&self, runs: &[Seen]) -> u64 {
        let has = |seen: &&Seen| (seen.get(&self.of).copied().unwrap_or(i64::MIN) >= self.from) != self.below;
        runs.iter().filter(has).count() as u64
    }
}

fn prove(without: &[Seen], with: &[Seen]) -> Proved {
    let (chosen_by, judged_by) = (without.len() / 2, with.len() / 2);
    let (train, test) =
        ([&without[..chosen_by], &with[..judged_by]], [&without[chosen_by..], &with[judged_by..]]);
    let mut values: BTreeMap<&String, Vec<i64>> = BTreeMap::new();
    for (of, value) in train.iter().flat_map(|runs| runs.iter()).flatten() {
        values.entry(of).or_default().push(*value);
    }
    let mut best = (f64::NEG_INFINITY, Event { of: String::new(), from: 0, below: false }, 0);
    for (of, mut found) in values {
        found.sort_unstable();
        let everywhere = found.len() == train[0].len() + train[1].len();
        found.dedup();
        if found.len() == 1 && everywhere {
            continue;
        }
        let stride = found.len().div_ceil(64);
        for (from, below) in found.iter().step_by(stride).flat_map(|from| [(*from, false), (*from, true)]) {
            let event = Event { of: of.clone(), from, below };
            let hits = train.map(|runs| event.in_runs(runs) as f64);
            for side in 0..2 {
                let (many, few) = (hits[side], hits[1 - side]);
                // Chance is taken off both, so that rare events are not preferred.
                let score = ((many - 2.0 * many.sqrt()).max(0.1) / (few + 2.0 * few.sqrt() + 1.0)).ln();
                if score > best.0 {
                    best = (score, event.clone(), side);
                }
            }
        }
    }
    let (_, event, side) = best;
    let (many, few) = (event.in_runs(test[side]), event.in_runs(test[1 - side]));
    let low = bound(many, test[side].len() as u64, false);
    let high = bound(few, test[1 - side].len() as u64, true);
    let told = if event.below { "below" } else { "at least" };
    Proved { epsilon: (low / high).ln().max(0.0), event: format!("{} {told} {}", event.of, event.from) }
}

/// The end of the interval of Clopper and Pearson at 97.5% a side.
fn bound(hits: u64, runs: u64, upper: bool) -> f64 {
    if (upper && hits == runs) || (!upper && hits == 0) {
        return if upper { 1.0 } else { 0.0 };
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let chance = f64::midpoint(low, high);
        // Upper: so few hits are unlikely; lower: so many are.
        let tail = if upper { at_most(hits, runs, chance) } else { 1.0 - at_most(hits - 1, runs, chance) };
        let beyond = if upper { tail < 0.025 } else { tail > 0.025 };
        if beyond { high = chance } else { low = chance }
    }
    f64::midpoint(low, high)
}

/// How likely at most so many hits are.
fn at_most(hits: u64, runs: u64, chance: f64) -> f64 {
    let mut log = runs as f64 * (-chance).ln_1p();
    let mut total = log.exp();
    for hit in 1..=hits {
        log += ((runs - hit + 1) as f64 / hit as f64).ln() + (chance / (1.0 - chance)).ln();
        total += log.exp();
    }
    total.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_tables() {
        // Clopper and Pearson, 95%: 10 of 100.
        assert!(
            (bound(10, 100, false) - 0.0490).abs() < 0.0005 && (bound(10, 100, true) - 0.1762).abs() < 0.0005
        );
        assert_eq!((bound(0, 10, false), bound(10, 10, true)), (0.0, 1.0));
    }

    /// A few hundred runs find noise that is four times too small, in every method, and no fault where there is none. `make trials` does 10,000.
    #[test]
    fn noise_that_is_too_small_is_found_and_no_other() {
        for experiment in EXPERIMENTS {
            let honest = experiment.prove(EPSILON, 400, 3).unwrap();
            assert!(honest.epsilon <= EPSILON, "{experiment:?}: {honest:?}");
            let fault = experiment.prove(EPSILON * TURNED_DOWN, 400, 3).unwrap();
            assert!(fault.epsilon > EPSILON, "{experiment:?}: no power: {fault:?}");
        }
    }
}
