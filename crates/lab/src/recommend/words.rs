//! Why a method is recommended, in a few sentences with numbers.

use throng_contract::{DataKind, Scale};
use throng_data::Nature;

use super::counted::{self, is_counts};
use super::{Kept, Recommendation, Trial, Untried};
use throng_release::usefulness::Survived;

/// The sentences. Times are left out: they differ from run to run. `secret` is whether the promise rests on noise.
pub(super) fn reasons(of: &Recommendation, scale: &Scale, secret: bool) -> Vec<String> {
    let Some((chosen, kept)) = of.chosen.as_ref().and_then(|trial| Some((trial, trial.kept()?))) else {
        return nothing_useful(of).into_iter().chain(too_much(of)).collect();
    };
    if is_counts(&chosen.candidate) {
        return counted::reasons(of, chosen).into_iter().chain(too_much(of)).collect();
    }
    let name = &chosen.candidate.method;
    let rivals = match methods_kept(of) {
        1 => "the only one tried that keeps the promise".to_owned(),
        several => format!("the best of {several} methods that keep the promise"),
    };
    let mut reasons = vec![format!(
        "`{name}` is {rivals}: `{}` is {} ({}), and {}.",
        scale.name,
        kept.reading.map_or_else(|| "-".to_owned(), |reading| value(reading, scale)),
        scale.help,
        taken_away(kept, of.kind)
    )];
    reasons.push(format!("It is {}: {}.", kept.grade.name(), kept.because.join("; ")));
    if let Some(share) = kept.singled_out {
        let (one, many) = match of.kind {
            DataKind::Table => ("column", "columns"),
            kind => nouns(kind),
        };
        let events = counted(kept.known as usize, one, many);
        reasons.push(format!(
            "Beyond the promise: an attacker who knows {events} of a person singles out {} of the people.",
            percent(share)
        ));
    }
    if chosen.candidate.keeps != of.promise {
        reasons.push(format!(
            "`{name}` was made to keep `{}`, from which `{}` follows; the checker of `{}` looked at its release, too.",
            chosen.candidate.keeps, of.promise, of.promise
        ));
    }
    match kept.nature {
        Nature::Truthful => {}
        Nature::Perturbed => reasons
            .push("Its records may hold events that never happened to the person behind them.".to_owned()),
        Nature::Synthetic => {
            reasons.push("Its records are drawn from a model: no person stands behind them.".to_owned());
        }
    }
    if let Some((second, other)) = of.second.as_ref().and_then(|trial| Some((trial, trial.kept()?))) {
        reasons.push(runner_up(second, other, kept, scale, nouns(of.kind).1));
    }
    reasons.extend(on_whom(of, chosen));
    reasons.extend(too_much(of));
    if secret {
        reasons.push(
            "The choice itself was made by looking at the data without noise, which the promise does not cover."
                .to_owned(),
        );
    }
    reasons
}

/// Why nothing is recommended, and what would be.
fn nothing_useful(of: &Recommendation) -> Vec<String> {
    let tried = if of.on_all.is_empty() { &of.trials } else { &of.on_all };
    let poor = tried.iter().find_map(|trial| Some((trial, trial.kept()?)));
    let mut reasons = match poor {
        Some((trial, kept)) => vec![format!(
            "Nothing useful keeps this promise on these data. The best that keeps it, `{}`, is poor: {}.",
            trial.candidate.method,
            kept.because.join("; ")
        )],
        None => vec![format!("No method that could be tried keeps `{}` on these data.", of.promise)],
    };
    if let Some((point, best)) = of.nearest.as_ref().and_then(|point| Some((point, point.best.as_ref()?)))
        && let Some(kept) = best.kept()
    {
        let left: Vec<String> = kept.survived.iter().map(Survived::in_words).collect();
        reasons.push(format!(
            "The nearest that would be useful: {}, with `{}`, which is {}: {}.",
            point.in_words(),
            best.candidate.method,
            kept.grade.name(),
            left.join(", ")
        ));
    }
    reasons
}

fn methods_kept(of: &Recommendation) -> usize {
    let kept = of.trials.iter().chain(&of.on_all).filter(|trial| trial.kept().is_some());
    let mut names: Vec<&str> = kept.map(|trial| trial.candidate.method.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

fn taken_away(kept: &Kept, kind: DataKind) -> String {
    let (one, many) = nouns(kind);
    match kept.suppressed {
        0.0 => format!("no {one} was taken away"),
        share => format!("{} of the {many} were taken away", percent(share)),
    }
}

/// What may be taken away from such data.
fn nouns(kind: DataKind) -> (&'static str, &'static str) {
    match kind {
        DataKind::Table => ("row", "rows"),
        DataKind::Sets | DataKind::Mixed => ("item", "items"),
        DataKind::Sequences | DataKind::Timed => ("event", "events"),
    }
}

fn runner_up(second: &Trial, other: &Kept, kept: &Kept, scale: &Scale, many: &str) -> String {
    let reading = other.reading.map_or_else(|| "-".to_owned(), |reading| value(reading, scale));
    let mut text = format!("`{}` comes second with {reading}", second.candidate.method);
    let mut better = Vec::new();
    if other.suppressed < kept.suppressed {
        better.push(format!(
            "takes away fewer {many} ({} instead of {})",
            percent(other.suppressed),
            percent(kept.suppressed)
        ));
    }
    if let (Some(theirs), Some(ours)) = (other.singled_out, kept.singled_out)
        && theirs < ours
    {
        better.push(format!("singles out fewer people ({} instead of {})", percent(theirs), percent(ours)));
    }
    if kept.nature != Nature::Truthful && other.nature == Nature::Truthful {
        better.push("makes nothing up".to_owned());
    }
    match better.is_empty() {
        true => text.push('.'),
        false => text.push_str(&format!("; it {}.", better.join(" and "))),
    }
    text
}

/// On whom the numbers were taken, and what that means for them.
fn on_whom(of: &Recommendation, chosen: &Trial) -> Option<String> {
    let sample = of.sample?;
    let drawn = format!("Methods were tried on {sample} of {} people, drawn at random.", of.people);
    Some(match chosen.people == of.people {
        true => format!("{drawn} The best were then run on all people: the numbers above are from there."),
        false => format!(
            "{drawn} The numbers above are from these: in a sample fewer people share a pattern, so that more is lost \
             than with all people."
        ),
    })
}

/// Methods that were skipped as too slow, and how to try them.
fn too_much(of: &Recommendation) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for Untried { candidate, people, .. } in &of.untried {
        let on = if *people == of.people && of.sample.is_some() { " on all people" } else { "" };
        let name = format!("`{}`{on}", candidate.method);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return None;
    }
    Some(format!("Skipped as too slow: {}; a larger `effort` tries more.", names.join(", ")))
}

/// A share as a percentage, anything else with four digits.
fn value(value: f64, scale: &Scale) -> String {
    if scale.max <= 1.0 { percent(value) } else { format!("{value:.4}") }
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        value if value > 0.0 && value < 0.1 => "less than 0.1%".to_owned(),
        value => format!("{value:.1}%"),
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
