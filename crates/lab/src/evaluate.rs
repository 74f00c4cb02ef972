//! Asks measures what a release is still good for.
//!
//! A measure that means nothing for a release, or lacks what it compares with, is an answer and not an error: tables of
//! many methods have such cells. An unknown name, or a wrong parameter, is an error.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng_contract::{BodyKind, Cost, Failure, Progress, Settings};
use throng_data::{Dataset, Nature};
use throng_measure::reconstruction::reconstruct;
use throng_measure::{Comparison, Measure, MeasureError, OnChunks};

use throng_release::Checked;
use throng_release::catalogue;
use throng_release::manifest::parameters;

/// A measure to ask, by name, with its parameters as a user types them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// Name in the catalogue.
    pub measure: String,
    /// Parameters: name, value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<(String, String)>,
}

impl Wanted {
    /// A measure with the defaults of its parameters.
    pub fn of(measure: &str) -> Self {
        Wanted { measure: measure.to_owned(), settings: Vec::new() }
    }

    /// The same with those of the settings that the measure has.
    #[must_use]
    pub fn with_known(mut self, settings: &[(String, String)]) -> Self {
        let known = catalogue::measure(&self.measure).map(|measure| measure.descriptor());
        let has = |name: &str| known.as_ref().is_ok_and(|descriptor| descriptor.param(name).is_some());
        self.settings.extend(settings.iter().filter(|(name, _)| has(name)).cloned());
        self
    }
}

impl Wanted {
    /// The same with those of the settings that the measure has and that it was not asked with.
    #[must_use]
    pub(crate) fn or_known(self, settings: &[(String, String)]) -> Self {
        let said: Vec<String> = self.settings.iter().map(|(name, _)| name.clone()).collect();
        let others: Vec<(String, String)> =
            settings.iter().filter(|(name, _)| !said.contains(name)).cloned().collect();
        self.with_known(&others)
    }
}

/// What one measure answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    /// Name in the catalogue.
    pub measure: String,
    /// The parameters it was asked with.
    pub parameters: BTreeMap<String, Value>,
    /// Its numbers, or why it has none.
    #[serde(flatten)]
    pub answer: Answer,
}

/// Numbers, or why there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Values by scale. A scale that means nothing for the release is left out.
    Readings(BTreeMap<String, f64>),
    /// Why the measure does not apply.
    NotApplicable(String),
}

impl Evaluated {
    /// The value of a scale, if there is one.
    pub fn reading(&self, scale: &str) -> Option<f64> {
        match &self.answer {
            Answer::Readings(values) => values.get(scale).copied(),
            Answer::NotApplicable(_) => None,
        }
    }
}

/// Every measure that costs no more than this, with its defaults.
pub fn measures_up_to(cost: Cost) -> Vec<Wanted> {
    let cheap =
        |measure: &&'static dyn Measure| measure.descriptor().gauge.is_some_and(|gauge| gauge.cost <= cost);
    catalogue::measures().filter(cheap).map(|measure| Wanted::of(measure.descriptor().name)).collect()
}

/// What is asked where nothing else is said: every measure that mines no patterns.
pub fn default_measures() -> Vec<Wanted> {
    measures_up_to(Cost::Queries)
}

/// Whether a measure is worth asking about a release of that form, where the user did not ask for it by name.
pub(crate) fn reads(wanted: &Wanted, body: BodyKind) -> bool {
    let counts = body == BodyKind::Counts;
    catalogue::measure(&wanted.measure).is_ok_and(|measure| measure.on_counts() == counts)
}

/// Those of the measures that say something of such data.
pub(crate) fn fitting(wanted: Vec<Wanted>, data: &Dataset) -> impl Iterator<Item = Wanted> {
    let shape = data.shape();
    let fits = move |wanted: &Wanted| {
        catalogue::measure(&wanted.measure).is_ok_and(|measure| measure.descriptor().fits(&shape).is_ok())
    };
    wanted.into_iter().filter(fits)
}

/// Asks measures about a release that was made, in the order they are given.
pub fn evaluate(made: &Checked, wanted: &[Wanted], progress: &Progress) -> Result<Vec<Evaluated>, Failure> {
    let (loaded, release) = (&made.loaded, &made.outcome.release);
    let on = Comparison {
        original: &loaded.data,
        release,
        aligned: release.nature != Nature::Synthetic,
        inputs: &loaded.inputs,
        seed: made.seed,
        progress,
    };
    wanted.iter().map(|wanted| ask(&on, wanted, false)).collect()
}

/// Asks one measure. A strict question has no answer "does not apply": that is an error.
pub(crate) fn ask(on: &Comparison<'_>, wanted: &Wanted, strict: bool) -> Result<Evaluated, Failure> {
    let measure = catalogue::measure(&wanted.measure)?;
    let given = wanted.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let settings = Settings::parse(measure.descriptor(), given)?;
    on.progress.check()?;
    let drawn;
    let mut on = *on;
    let none = |reason: &'static str| {
        if strict {
            let measure = measure.descriptor().name;
            return Err(Failure::from(MeasureError::NotApplicable { measure, reason }));
        }
        let answer = Answer::NotApplicable(reason.to_owned());
        Ok(Evaluated { measure: wanted.measure.clone(), parameters: parameters(&settings), answer })
    };
    if on.release.body.counts().is_some() && !measure.on_counts() {
        return none("it reads records, and the release has counts of people");
    }
    if let Some(chunks) = on.release.body.chunks() {
        match measure.on_chunks() {
            OnChunks::AsTheyAre => {}
            OnChunks::Reconstructed => {
                drawn = reconstruct(on.release, chunks, on.seed);
                on = Comparison { release: &drawn, aligned: false, ..on };
            }
            OnChunks::NotApplicable => return none("it reads records, and these were taken apart"),
        }
    }
    let answer = match measure.measure(&on, &settings) {
        Ok(readings) => {
            Answer::Readings(readings.into_iter().map(|(scale, value)| (scale.to_owned(), value)).collect())
        }
        Err(
            error @ (MeasureError::MissingInput { .. }
            | MeasureError::NotApplicable { .. }
            | MeasureError::TooMany(_)),
        ) if !strict => Answer::NotApplicable(error.reason()),
        Err(error) => Err(Failure::from(error))?,
    };
    Ok(Evaluated { measure: wanted.measure.clone(), parameters: parameters(&settings), answer })
}
