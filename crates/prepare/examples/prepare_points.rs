//! Prepares a file of points and says what became of them:
//! `cargo run --release --example prepare_points -- points.csv out grid=500m trip_gap=30min`.

use std::path::Path;
use std::time::Instant;

use throng_contract::{Failure, Progress};
use throng_data::formats::Source;
use throng_prepare::points::{Counting, Options, RegionOptions, prepare, write};

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to its user")]
fn main() {
    if let Err(failure) = run() {
        eprintln!("error: {failure}");
        if let Some(help) = &failure.help {
            eprintln!("help: {help}");
        }
        std::process::exit(i32::from(failure.class.code()));
    }
}

#[allow(clippy::print_stdout, reason = "an example talks to its user")]
fn run() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let (Some(input), Some(output)) = (words.next(), words.next()) else {
        return Err(Failure::new(
            throng_contract::Class::Usage,
            "give an input file and an output directory",
        ));
    };
    let mut options = Options::default();
    for word in words {
        let (name, value) = word.split_once('=').unwrap_or((&word, ""));
        let text = || Some(value.to_owned());
        match name {
            "subject" => options.subject = text(),
            "record" => options.record = text(),
            "time" => options.time = text(),
            "lat" => options.lat = text(),
            "lon" => options.lon = text(),
            "x" => options.x = text(),
            "y" => options.y = text(),
            "time_format" => options.time_format = text(),
            "max_speed" => options.max_speed = value.parse()?,
            "trip_gap" => options.trip_gap = Some(value.parse()?),
            "per_day" => options.per_day = true,
            "stops" => options.stops = Some(value.parse()?),
            "grid" => options.grid = Some(value.parse()?),
            "bounds" => options.bounds = Some(value.parse()?),
            "keep_repeats" => options.keep_repeats = true,
            "time_bin" => options.time_bin = Some(value.parse()?),
            "min_density" => {
                let min_density = value.parse().map_err(|()| {
                    Failure::new(throng_contract::Class::Usage, "min_density is not a threshold")
                })?;
                options.regions = Some(RegionOptions { min_density, k: None, counting: Counting::People });
            }
            _ => return Err(Failure::new(throng_contract::Class::Usage, format!("unknown option `{name}`"))),
        }
    }
    let start = Instant::now();
    let prepared = prepare(&Source::parse(&input), &options, &Progress::silent())?;
    let read = start.elapsed();
    write(&prepared, Path::new(&output), true, &Progress::silent())?;
    println!("{:#?}", prepared.summary);
    println!("prepared in {read:?}, written after {:?}", start.elapsed());
    Ok(())
}
