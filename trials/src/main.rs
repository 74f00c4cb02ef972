//! Random trials of every method, for hours if need be: `make trials`.
//!
//! Each trial draws a small world, lets the program make a release of it, sound and as printed, and judges the result by
//! brute force with checkers of this room, which share no code with the program's (this package does not depend on
//! `throng-models`). A finding is printed with the seed, the number of the trial and the whole world, and the exit code
//! is 1.
//!
//! * [`draw`]: random worlds. [`awkward`]: what real files look like. [`world`]: one of them, as files and flags. [`people`]: what an attacker sees of it.
//! * [`judge`]: the promises by brute force, in original words. [`published`]: what a manifest may say.
//! * [`trial`]: one trial. [`summary`]: the table.
//! * [`noise`]: lower bounds of epsilon by experiment.
//! * [`adult`]: incognito on a real table, against every combination of levels.

mod adult;
mod awkward;
mod draw;
mod judge;
mod noise;
mod people;
mod published;
mod summary;
mod trial;
mod world;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use rayon::prelude::*;

use self::summary::Summary;
use self::trial::run;

/// Random trials of every method, judged by checkers that share no code with the program's.
#[derive(Debug, Parser)]
#[command(name = "throng-trials")]
struct Arguments {
    /// Trials of each method.
    #[arg(long, default_value_t = 10_000)]
    trials: u64,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this method; may be repeated.
    #[arg(long)]
    method: Vec<String>,
    /// Only the trial of this number, with its whole world.
    #[arg(long)]
    trial: Option<u64>,
    #[command(subcommand)]
    instead: Option<Instead>,
}

/// What to do instead of random trials.
#[derive(Debug, Subcommand)]
enum Instead {
    /// Compare incognito with all combinations of levels on the census table in a directory.
    Adult {
        /// Holds `adult_subset.csv`, perhaps `adult.csv.gz`, and `adult_hierarchy_COLUMN.csv`.
        directory: PathBuf,
    },
    /// Find out by experiment how much epsilon releases with noise give away, and whether too little noise would be found.
    Noise {
        /// Releases of each of two datasets.
        #[arg(long, default_value_t = 10_000)]
        runs: u64,
    },
}

/// How many findings of a method are printed in full.
const PRINTED: usize = 3;

/// Trials between two words about progress.
const STRIDE: u64 = 1_000;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.instead {
        Some(Instead::Adult { directory }) => adult::adult(directory),
        Some(Instead::Noise { runs }) => noise::noise(*runs, arguments.seed),
        None => trials(&arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing was found.
fn trials(arguments: &Arguments) -> Result<bool, String> {
    let names: Vec<&'static str> =
        throng_lab::catalogue::methods().map(|method| method.descriptor().name).collect();
    if let Some(unknown) = arguments.method.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(format!("there is no method `{unknown}`; choose one of {}", names.join(", ")));
    }
    let wanted = names
        .into_iter()
        .filter(|name| arguments.method.is_empty() || arguments.method.iter().any(|typed| typed == name));
    let mut table = Vec::new();
    for method in wanted {
        table.push(of_method(method, arguments).map_err(|error| error.to_string())?);
    }
    let _ = write!(io::stdout(), "{}", summary::table(&table));
    Ok(table.iter().all(|summary| summary.findings == 0))
}

fn of_method(method: &'static str, arguments: &Arguments) -> io::Result<Summary> {
    let (mut err, began) = (io::stderr(), Instant::now());
    let mut summary = Summary::new(method);
    let numbers = match arguments.trial {
        Some(number) => number..number + 1,
        None => 0..arguments.trials,
    };
    let mut first = numbers.start;
    while first < numbers.end {
        let last = numbers.end.min(first + STRIDE);
        let done: Vec<_> =
            (first..last).into_par_iter().map(|number| run(method, arguments.seed, number)).collect();
        for trial in &done {
            summary.add(trial);
            if arguments.trial.is_some() {
                writeln!(err, "{}\nsound: {:?}\nas-printed: {:?}", trial.world, trial.sound, trial.printed)?;
            }
            for (variant, why) in trial.findings() {
                if summary.findings <= PRINTED as u64 {
                    writeln!(err, "\nFINDING: {method}, {variant}: {why}")?;
                    writeln!(
                        err,
                        "again: --method {method} --seed {} --trial {}",
                        arguments.seed, trial.number
                    )?;
                    writeln!(err, "{}\n", trial.world)?;
                }
            }
        }
        writeln!(err, "{method}: {last} of {} trials, {} findings", numbers.end, summary.findings)?;
        first = last;
    }
    summary.took = began.elapsed();
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few trials of every method stand in CI; `make trials` runs thousands.
    #[test]
    fn a_few_trials_of_every_method_find_nothing() {
        for method in throng_lab::catalogue::methods() {
            let name = method.descriptor().name;
            let mut summary = Summary::new(name);
            for number in 0..60 {
                let trial = run(name, 7, number);
                let findings: Vec<_> = trial.findings().collect();
                assert!(findings.is_empty(), "{name}, trial {number}: {findings:?}\n{}", trial.world);
                summary.add(&trial);
            }
            assert!(summary.released >= 10, "{name}: only {} releases were judged", summary.released);
        }
    }
}
