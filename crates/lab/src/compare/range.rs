//! The values that a parameter takes: a list, or from, to and step.

use crate::recipe::{KeyValue, RecipeError};

/// Values of one parameter in one comparison.
const MAX_VALUES: usize = 1000;

/// Reads `[2, 5, 10]` or `{ from = 2, to = 20, step = 2 }`.
pub(super) fn values(entry: KeyValue<'_>) -> Result<Vec<String>, RecipeError> {
    let values = if entry.is_section() { steps(entry.clone())? } else { entry.texts()? };
    let mut seen: Vec<&String> = Vec::new();
    for value in &values {
        if seen.contains(&value) {
            return Err(entry.error(format!("the value `{value}` occurs twice")));
        }
        seen.push(value);
    }
    match values.len() {
        0 => Err(entry.error("no value is left").help("give a list, for example [2, 5, 10]")),
        1..=MAX_VALUES => Ok(values),
        many => Err(entry.error(format!("{many} values; at most {MAX_VALUES} are compared"))),
    }
}

fn steps(entry: KeyValue<'_>) -> Result<Vec<String>, RecipeError> {
    let section = entry.clone().section()?;
    section.only(&["from", "to", "step"])?;
    let number = |key: &str, example: &str| -> Result<(f64, usize), RecipeError> {
        let entry = section.need(key, example)?;
        let text = entry.text()?;
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok((number, decimals)),
            _ => Err(entry.error("expected a number")),
        }
    };
    let (from, from_decimals) = number("from", "2")?;
    let (to, _) = number("to", "20")?;
    let (step, step_decimals) = number("step", "2")?;
    if step <= 0.0 || to < from {
        return Err(entry.error("steps go upwards: `from` is at most `to`, and `step` above 0"));
    }
    // Half a millionth of a step forgives what decimals lose in binary.
    let count = ((to - from) / step + 5e-7).floor();
    if count >= MAX_VALUES as f64 {
        return Err(entry.error(format!("more than {MAX_VALUES} values")));
    }
    let decimals = from_decimals.max(step_decimals);
    Ok((0..=count as usize).map(|at| format!("{:.decimals$}", from + at as f64 * step)).collect())
}

/// Where a value lies on an axis, if it is a number.
pub(super) fn number(text: &str) -> Option<f64> {
    let value = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
        None => match text.split_once('/') {
            Some((part, whole)) => part.trim().parse::<f64>().ok()? / whole.trim().parse::<f64>().ok()?,
            None => text.parse().ok()?,
        },
    };
    Some(value).filter(|value| value.is_finite())
}
