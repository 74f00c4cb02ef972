//! A comparison and a recommendation as recipes and commands.

use throng_contract::{Descriptor, Settings, shell_line};
use throng_data::Role;
use throng_lab::compare::{Compared, Comparing};
use throng_lab::recipe::Data;
use throng_lab::recipe::Typed as _;
use throng_lab::recommend::{Keep, Known, Request};
use throng_lab::{Files, Wanted, catalogue, default_measures};
use throng_methods::Variant;

use crate::platform::problem::{self, Problem};
use crate::workbench::method::fit;
use crate::workbench::run::{
    COMPARISON, Commands, CompareSpec, MethodSpec, PLAN, Plan, ProjectInputs, RECIPE, RecommendSpec, Scalar,
    Vary, parameter_texts,
};

/// Values that a parameter takes in one comparison.
const MOST_VALUES: usize = 50;
/// Repetitions of one run.
const MOST_REPEATS: u32 = 20;
/// Methods in one comparison.
const MOST_METHODS: usize = 20;

/// Methods over a range of values.
pub fn compare(setting: &ProjectInputs<'_>, spec: &CompareSpec) -> Result<Commands, Problem> {
    if spec.methods.is_empty() || spec.methods.len() > MOST_METHODS {
        return Err(Problem::wrong(format!("choose 1 to {MOST_METHODS} methods")).at("methods"));
    }
    // Before anything else is looked at: each further value costs time.
    if spec.vary.as_ref().is_some_and(|vary| vary.values.len() > MOST_VALUES) {
        return Err(too_many_values());
    }
    let varied = spec.vary.as_ref().map(|vary| vary.param.as_str()).unwrap_or_default();
    let mut used: Vec<&Descriptor> = Vec::new();
    let mut methods: Vec<Compared> = Vec::new();
    for (place, chosen) in spec.methods.iter().enumerate() {
        let method =
            catalogue::method(&chosen.name).map_err(|error| problem::of(error).at("methods"))?.descriptor();
        used.push(method);
        let again = spec.methods[..place].iter().any(|other| other.name == chosen.name);
        methods.push(compared(method, chosen, varied, again.then_some(place + 1))?);
    }
    let mut vary = Vec::new();
    if let Some(spec) = &spec.vary {
        if !used.iter().any(|method| method.param(varied).is_some()) {
            return Err(Problem::wrong("none of these methods has the parameter that varies").at("vary"));
        }
        vary.push((varied.to_owned(), spec.values()?));
    }
    for name in &spec.measures {
        catalogue::measure(name).map_err(|error| problem::of(error).at("measures"))?;
    }
    let measures = match spec.measures.is_empty() {
        true => usual_measures(setting),
        false => spec.measures.clone(),
    };
    let repeats = spec.repeats.unwrap_or(1);
    if !(1..=MOST_REPEATS).contains(&repeats) {
        return Err(Problem::wrong(format!("a run is repeated 1 to {MOST_REPEATS} times")).at("repeats"));
    }
    let first = spec.seed.and_then(|seed| u32::try_from(seed).ok()).unwrap_or(0);
    // What measures compare with goes along with what methods use.
    used.extend(measuring());
    let files = |own: bool| Data::of(setting.used_files(&used, own));
    let comparing = Comparing {
        vary,
        seeds: (0..repeats).map(|more| u64::from(first) + u64::from(more)).collect(),
        measures: measures.iter().map(|name| Wanted::of(name)).collect(),
        ..Comparing::of(files(false), methods)
    };
    comparing.check().map_err(|failure| Problem::from(failure).at("methods"))?;
    let recipe = comparing.to_toml();
    let own = comparing.data.iter().map(|(label, _)| (label.clone(), files(true))).collect();
    let plan = Comparing { text: recipe.clone(), data: own, ..comparing };
    Ok(Commands {
        // A recipe has to be named, though the plan stands in its place.
        arguments: ["compare", RECIPE, "--plan", PLAN, "-o", COMPARISON].map(str::to_owned).to_vec(),
        plan: Plan::Compare(Box::new(plan)),
        command: format!("throng compare compare.toml -o {COMPARISON}"),
        recipe,
    })
}

/// A method with the values that stay; `number` tells it from others of its name.
fn compared(
    method: &Descriptor,
    chosen: &MethodSpec,
    varied: &str,
    number: Option<usize>,
) -> Result<Compared, Problem> {
    let wrong = |detail: String| Problem::wrong(detail).at("methods");
    let variant = match chosen.variant.as_deref().map(Variant::parse) {
        None => Variant::Sound,
        Some(Some(Variant::AsPrinted)) if !method.variants => {
            return Err(wrong(format!("`{}` has no variants: it follows its paper as it is", method.name)));
        }
        Some(Some(variant)) => variant,
        Some(None) => return Err(wrong("there is no such variant".to_owned())),
    };
    let given = chosen
        .label
        .as_deref()
        .map(|label| label.chars().filter(|letter| !letter.is_control()).take(120).collect());
    let numbered = number.map(|number| format!("{} ({number})", method.name));
    // A method that sets the parameter itself would not follow it.
    let stays = |(name, _): &(String, String)| name != varied && method.param(name).is_some();
    Ok(Compared {
        label: given.or(numbered).unwrap_or_else(|| Compared::usual_label(method.name, variant)),
        name: method.name.to_owned(),
        settings: parameter_texts(&chosen.settings).into_iter().filter(stays).collect(),
        variant,
    })
}

/// Everything that says something of the data and mines no patterns: queries, too, so that their error is drawn.
fn usual_measures(setting: &ProjectInputs<'_>) -> Vec<String> {
    let fits = |name: &String| {
        catalogue::measure(name).is_ok_and(|measure| fit::fit(setting, measure.descriptor()).ok)
    };
    default_measures().into_iter().map(|wanted| wanted.measure).filter(fits).collect()
}

fn measuring() -> impl Iterator<Item = &'static Descriptor> {
    catalogue::measures().map(|measure| measure.descriptor())
}

/// The method that keeps most of what matters.
pub fn recommend(setting: &ProjectInputs<'_>, spec: &RecommendSpec) -> Result<Commands, Problem> {
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
    let (request, mut words) = asked(setting.used_files(&tried, true), spec)?;
    words.extend(["--keep", keep.name()].map(str::to_owned));
    let files = setting.used_files(&tried, false);
    let mut typed = vec!["recommend".to_owned(), files.data.name().to_owned()];
    typed.extend(files.reading_words());
    typed.extend(words);
    typed.extend(files.input_words(|_| true));
    let known = files.role_words().into_iter().filter(|(flag, _)| *flag != "--role");
    typed.extend(known.flat_map(|(flag, value)| [flag.to_owned(), value]));
    Ok(Commands {
        // The data have to be named, though the plan names them, too.
        arguments: vec!["recommend".to_owned(), setting.data_file(), "--plan".to_owned(), PLAN.to_owned()],
        plan: Plan::Recommend(Box::new(Request { keep, truthful: spec.truthful, ..request })),
        command: format!("throng {}", shell_line(typed.iter().map(String::as_str))),
        recipe: String::new(),
    })
}

/// What has to be kept from whom: a promise with its parameters, or what an attacker may know; and the flags that say so.
fn asked(mut files: Files, spec: &RecommendSpec) -> Result<(Request, Vec<String>), Problem> {
    // What else columns are does not matter where nothing is published.
    let table = files.is_table();
    files.roles.retain(|(_, role)| table && matches!(role, Role::QuasiIdentifying | Role::Sensitive));
    let given = parameter_texts(&spec.settings);
    let truthful = spec.truthful.then(|| "--truthful".to_owned());
    if let Some(typed) = &spec.attacker_knows {
        let Some(known) = Known::parse(typed) else {
            let wrong = Problem::wrong("an attacker knows a number of events, or all of them");
            return Err(wrong.with_help("write a number, or `all`").at("attacker_knows"));
        };
        let crowd: Vec<(String, String)> = given.into_iter().filter(|(name, _)| *name == "k").collect();
        let mut words = vec!["--attacker-knows".to_owned(), typed.clone()];
        words.extend(crowd.iter().flat_map(|(_, crowd)| ["-k".to_owned(), crowd.clone()]));
        words.extend(truthful);
        let request = Request::of(files, "", crowd).against(known).map_err(Problem::from)?;
        return Ok((request, words));
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
    Ok((Request::of(files, promise.name, given), words))
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
