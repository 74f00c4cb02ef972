//! How good a specialisation is.

choices! {
    /// Which form of the score, by the years of the two papers.
    pub enum ScoreForm {
        /// Gain by loss of anonymity plus one.
        RatioPlusOne = "2007",
        /// Gain by loss of anonymity; the gain alone where nothing is lost.
        Ratio = "2005",
    }
}

impl ScoreForm {
    /// The score of a specialisation that takes the smallest group from `before` to `after` people.
    pub fn of(self, gain: f64, before: u32, after: u32) -> f64 {
        let loss = f64::from(before.saturating_sub(after));
        match self {
            ScoreForm::Ratio if loss > 0.0 => gain / loss,
            ScoreForm::Ratio => gain,
            ScoreForm::RatioPlusOne => gain / (loss + 1.0),
        }
    }
}

use throng_contract::choices;
/// Bits of uncertainty about the class that are gone when the people of `parent` are told apart into `children`; all by class.
pub fn info_gain<'a>(parent: &[u64], children: impl IntoIterator<Item = &'a [u64]>) -> f64 {
    let people: u64 = parent.iter().sum();
    let left: f64 = children
        .into_iter()
        .map(|child| child.iter().sum::<u64>() as f64 / people.max(1) as f64 * entropy(child))
        .sum();
    // What is left of a difference that should be zero must not look like a gain.
    let gain = entropy(parent) - left;
    if gain < 1e-12 { 0.0 } else { gain }
}

fn entropy(classes: &[u64]) -> f64 {
    let people: u64 = classes.iter().sum();
    let share = |count: &u64| *count as f64 / people as f64;
    classes.iter().filter(|count| **count > 0).map(share).map(|share| -share * share.log2()).sum()
}
