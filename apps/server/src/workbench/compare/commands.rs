//! A comparison and a recommendation as recipes and commands.

use throng_contract::{Descriptor, Settings, shell_line};
use throng_lab::recipe::Typed as _;
use throng_lab::recommend::{Keep, Known};
use throng_lab::{catalogue, default_measures};
use toml::{Table, Value};

use crate::platform::problem::{self, Problem};
use crate::workbench::method::fit;
use crate::workbench::run::{
    COMPARISON, Commands, CompareSpec, RUN, RecommendSpec, Scalar, Setting, Vary, parameter_texts,
};

/// Values that a parameter takes in one comparison.
const MOST_VALUES: usize = 50;
/// Repetitions of one run.
const MOST_REPEATS: u32 = 20;
/// Methods in one comparison.
const MOST_METHODS: usize = 20;

/// Methods over a range of values.
pub fn compare(setting: &Setting<'_>, spec: &CompareSpec) -> Result<Commands, Problem> {
    if spec.methods.is_empty() || spec.methods.len() > MOST_METHODS {
        return Err(Problem::wrong(format!("choose 1 to {MOST_METHODS} methods")).at("methods"));
    }
    // Before anything else is looked at: each further value costs time.
    if spec.vary.as_ref().is_some_and(|vary| vary.values.len() > MOST_VALUES) {
        return Err(too_many_values());
    }
    let varied = spec.vary.as_ref().map(|vary| vary.param.as_str()).unwrap_or_default();
    let mut methods: Vec<&Descriptor> = Vec::new();
    let mut entries: Vec<Value> = Vec::new();
    for (place, chosen) in spec.methods.iter().enumerate() {
        let method =
            catalogue::method(&chosen.name).map_err(|error| problem::of(error).at("methods"))?.descriptor();
        methods.push(method);
        let mut entry = Table::new();
        entry.insert("name".to_owned(), method.name.into());
        if spec.methods[..place].iter().any(|other| other.name == chosen.name) {
            entry.insert("label".to_owned(), format!("{} ({})", method.name, place + 1).into());
        }
        for (name, value) in parameter_texts(&chosen.settings) {
            // A method that sets the parameter itself would not follow it.
            if name != varied && method.param(&name).is_some() {
                entry.insert(name, typed(&value));
            }
        }
        if let Some(label) = &chosen.label {
            let label: String = label.chars().filter(|letter| !letter.is_control()).take(120).collect();
            entry.insert("label".to_owned(), label.into());
        }
        if let Some(variant) = &chosen.variant {
            entry.insert("variant".to_owned(), variant.as_str().into());
        }
        entries.push(entry.into());
    }
    let mut root = Table::new();
    root.insert("schema".to_owned(), "throng-compare/1".into());
    root.insert("methods".to_owned(), entries.into());
    if let Some(vary) = &spec.vary {
        if !methods.iter().any(|method| method.param(varied).is_some()) {
            return Err(Problem::wrong("none of these methods has the parameter that varies").at("vary"));
        }
        let values: Vec<Value> = vary.values()?.iter().map(|value| typed(value)).collect();
        root.insert("vary".to_owned(), Table::from_iter([(varied.to_owned(), Value::from(values))]).into());
    }
    for name in &spec.measures {
        catalogue::measure(name).map_err(|error| problem::of(error).at("measures"))?;
    }
    let measures = match spec.measures.is_empty() {
        true => usual_measures(setting),
        false => spec.measures.clone(),
    };
    if !measures.is_empty() {
        root.insert("measures".to_owned(), measures.into());
    }
    let repeats = spec.repeats.unwrap_or(1);
    if !(1..=MOST_REPEATS).contains(&repeats) {
        return Err(Problem::wrong(format!("a run is repeated 1 to {MOST_REPEATS} times")).at("repeats"));
    }
    if spec.seed.is_some() || repeats > 1 {
        let first = spec.seed.and_then(|seed| u32::try_from(seed).ok()).unwrap_or(0);
        let seeds = (0..repeats).map(|more| Value::Integer(i64::from(first) + i64::from(more)));
        root.insert("seeds".to_owned(), seeds.collect::<Vec<Value>>().into());
    }
    // What measures compare with goes along with what methods use.
    methods.extend(measuring());
    let with = |data: Table| {
        let mut root = root.clone();
        root.insert("data".to_owned(), data.into());
        root.to_string()
    };
    let run = with(setting.data_section(&methods, true)?);
    let recipe = with(setting.data_section(&methods, false)?);
    Ok(Commands {
        arguments: ["compare", RUN, "-o", COMPARISON].map(str::to_owned).to_vec(),
        command: format!("throng compare compare.toml -o {COMPARISON}"),
        recipe,
        run,
    })
}

/// Everything that says something of the data and mines no patterns: queries, too, so that their error is drawn.
fn usual_measures(setting: &Setting<'_>) -> Vec<String> {
    let fits = |name: &String| {
        catalogue::measure(name).is_ok_and(|measure| fit::fit(setting, measure.descriptor()).ok)
    };
    default_measures().into_iter().map(|wanted| wanted.measure).filter(fits).collect()
}

fn measuring() -> impl Iterator<Item = &'static Descriptor> {
    catalogue::measures().map(|measure| measure.descriptor())
}

/// The method that keeps most of what matters.
pub fn recommend(setting: &Setting<'_>, spec: &RecommendSpec) -> Result<Commands, Problem> {
    let mut words = asked(spec)?;
    // Which methods keep the promise is not known here: some keep it by keeping a stronger one.
    let tried = catalogue::methods().map(|method| method.descriptor());
    let tried: Vec<&Descriptor> = tried.chain(measuring()).collect();
    let keep = spec.keep.as_deref().unwrap_or(Keep::Counts.name());
    let keep = Keep::parse(keep).ok_or_else(|| {
        let words = Keep::ALL.map(Keep::name).join(", ");
        Problem::wrong("there is no such thing to keep")
            .with_help(format!("choose one of {words}"))
            .at("keep")
    })?;
    words.extend(["--keep", keep.name()].map(str::to_owned));
    let line = |own: bool| {
        let files = setting.used_files(&tried, own);
        let mut line = vec!["recommend".to_owned(), files.data.name().to_owned()];
        line.extend(files.reading_words());
        line.extend(words.iter().cloned());
        line.extend(files.input_words(|_| true));
        let known = files.role_words().into_iter().filter(|(flag, _)| *flag != "--role");
        line.extend(known.flat_map(|(flag, value)| [flag.to_owned(), value]));
        line
    };
    let typed = line(false);
    Ok(Commands {
        arguments: line(true),
        command: format!("throng {}", shell_line(typed.iter().map(String::as_str))),
        recipe: String::new(),
        run: String::new(),
    })
}

/// The flags that say what has to be kept from whom: a promise with its parameters, or what an attacker may know.
fn asked(spec: &RecommendSpec) -> Result<Vec<String>, Problem> {
    let given = parameter_texts(&spec.settings);
    let truthful = spec.truthful.then(|| "--truthful".to_owned());
    if let Some(known) = &spec.attacker_knows {
        if Known::parse(known).is_none() {
            let wrong = Problem::wrong("an attacker knows a number of events, or all of them");
            return Err(wrong.with_help("write a number, or `all`").at("attacker_knows"));
        }
        let mut words = vec!["--attacker-knows".to_owned(), known.clone()];
        for (_, crowd) in given.iter().filter(|(name, _)| *name == "k") {
            words.extend(["-k".to_owned(), crowd.clone()]);
        }
        words.extend(truthful);
        return Ok(words);
    }
    let promise =
        catalogue::promise(&spec.promise).map_err(|error| problem::of(error).at("promise"))?.descriptor();
    let pairs = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Settings::parse(promise, pairs).map_err(|error| problem::of(error).at("settings"))?;
    let mut words: Vec<String> = ["--promise", promise.name].map(str::to_owned).to_vec();
    for (name, value) in &given {
        words.extend(promise.param(name).map(|param| param.typed(value)).unwrap_or_default());
    }
    words.extend(truthful);
    Ok(words)
}

fn too_many_values() -> Problem {
    Problem::wrong(format!("at most {MOST_VALUES} values are compared"))
        .with_help("give fewer values, or larger steps")
        .at("vary")
}

impl Vary {
    /// The values, those of a range written out.
    fn values(&self) -> Result<Vec<String>, Problem> {
        let wrong = |detail: &str| Err(Problem::wrong(detail).at("vary"));
        let values: Vec<String> = match (self.from, self.to, self.step) {
            _ if !self.values.is_empty() => self.values.iter().map(Scalar::text).collect(),
            (Some(from), Some(to), step) => {
                let step = step.unwrap_or(1.0);
                if !(from.is_finite() && to.is_finite() && step.is_finite() && step > 0.0 && from <= to) {
                    return wrong("a range goes up from its start to its end in steps larger than zero");
                }
                // Counted, not added up: sums of steps drift.
                let steps = ((to - from) / step + 1e-9).floor();
                if steps >= MOST_VALUES as f64 {
                    return Err(too_many_values());
                }
                (0..=steps as u32).map(|n| number(from + f64::from(n) * step)).collect()
            }
            _ => return wrong("give values, or the start and the end of a range"),
        };
        if values.len() > MOST_VALUES {
            return Err(too_many_values());
        }
        Ok(values)
    }
}

/// A number without the noise of binary fractions.
fn number(value: f64) -> String {
    let text = format!("{value:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Numbers and switches as what they are, anything else as text.
fn typed(text: &str) -> Value {
    match (text, text.parse::<i64>()) {
        ("true", _) => Value::Boolean(true),
        ("false", _) => Value::Boolean(false),
        (_, Ok(number)) if number.to_string() == text => Value::Integer(number),
        _ => Value::String(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::workbench::run::Vary;

    #[test]
    fn a_range_includes_its_end_and_does_not_drift() {
        let range =
            |from, to, step| Vary { from: Some(from), to: Some(to), step: Some(step), ..Vary::default() };
        assert_eq!(range(0.1, 0.5, 0.1).values().unwrap(), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(range(2.0, 10.0, 4.0).values().unwrap(), ["2", "6", "10"]);
        assert!(range(1.0, 1000.0, 1.0).values().is_err());
        assert!(range(1.0, 5.0, 0.0).values().is_err());
        assert!(range(5.0, 1.0, 1.0).values().is_err());
        assert!(Vary::default().values().is_err());
    }
}
