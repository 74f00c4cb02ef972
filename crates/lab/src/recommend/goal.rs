//! From what an attacker may know to a promise: for publishers who know their data and no promises.

use std::time::Duration;

use throng_contract::{Class, DataKind, Failure, Input};
use throng_data::Role;

use super::{Keep, Request};
use throng_data::load::Files;
use throng_release::Limits;

/// What an attacker may know of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// So many events; of a table the quasi-identifying columns, whatever the number.
    Events(u64),
    /// All of them.
    Everything,
}

impl Known {
    /// As it is typed: a number, or `all`.
    pub fn parse(text: &str) -> Option<Known> {
        match text {
            "all" => Some(Known::Everything),
            text => text.parse().ok().filter(|events| *events > 0).map(Known::Events),
        }
    }
}

/// A promise that says what was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The promise's name.
    pub promise: &'static str,
    /// Its parameters, as a user types them.
    pub settings: Vec<(String, String)>,
    /// Parameters of methods that ask for a further promise: of a table with a sensitive column, l-diversity.
    pub also: Vec<(String, String)>,
    /// What it has to do with what was asked.
    pub because: String,
}

impl Request {
    /// A promise that was named, on such data: all else as the command line has it.
    pub fn of(files: Files, promise: &str, settings: Vec<(String, String)>) -> Self {
        Request {
            limits: Limits::default(),
            files,
            promise: promise.to_owned(),
            settings,
            also: Vec::new(),
            keep: Keep::Counts,
            sample: 2000,
            sample_only: false,
            limit: Duration::from_secs(60),
            effort: 40.0,
            seed: 0,
            truthful: false,
            search: false,
            goal: None,
        }
    }

    /// The same with the promise that is meant where attackers know so much. A parameter of the promise that was given takes the place of
    /// the one that is meant.
    pub fn against(mut self, known: Known) -> Result<Self, Failure> {
        let crowd =
            self.settings.iter().find(|(name, _)| name == "k").map_or("5", |(_, value)| value.as_str());
        let meant = promise_for(known, crowd, &self.files, &self.settings)?;
        for (name, value) in meant.settings {
            if self.settings.iter().all(|(given, _)| *given != name) {
                self.settings.push((name, value));
            }
        }
        self.settings.retain(|(given, _)| meant.also.iter().all(|(name, _)| name != given));
        (self.promise, self.also, self.goal) = (meant.promise.to_owned(), meant.also, Some(meant.because));
        Ok(self)
    }
}

/// At most one in so many of a crowd may have a sensitive item, where nothing else is said.
const ONE_IN: &str = "2";

/// A promise of crowds, and that a crowd does not have one sensitive value in common.
fn with_secrets(mut meant: Meant, secret: &[&str], given: &[(String, String)]) -> Meant {
    let said = |name: &str| given.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let columns = secret.join(", ");
    if let Some(far) = said("t") {
        meant.because.push_str(&format!(
            " The values of {columns} in a crowd should be spread as those of everybody, to {far}: `t-closeness`."
        ));
        meant.also.push(("t".to_owned(), far));
    }
    // A crowd that agrees on what must not be learned hides nothing.
    if meant.also.is_empty() || said("l").is_some() {
        let different = said("l").unwrap_or_else(|| ONE_IN.to_owned());
        meant.because.push_str(&format!(
            " Not all of them should have the same {columns}, but at least {different} different ones: `l-diversity`."
        ));
        meant.also.push(("l".to_owned(), different));
    }
    meant
}

/// The promise that keeps people in crowds from an attacker who knows so much; what was `given` besides takes the place of what is usual.
pub fn promise_for(
    known: Known,
    crowd: &str,
    files: &Files,
    given: &[(String, String)],
) -> Result<Meant, Failure> {
    let said = |promise, settings: &[(&str, &str)], because: String| {
        let settings =
            settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Ok(Meant { promise, settings, also: Vec::new(), because })
    };
    let shape = files.probable_shape();
    if shape.kind() == DataKind::Table {
        let columns: Vec<&str> = files
            .roles
            .iter()
            .filter(|(_, role)| *role == Role::QuasiIdentifying)
            .map(|(name, _)| name.as_str())
            .collect();
        let columns =
            if columns.is_empty() { "quasi-identifying columns".to_owned() } else { columns.join(", ") };
        let because = format!(
            "Who knows {columns} of a person should find at least {crowd} who look alike: that is the promise `k`."
        );
        let secret: Vec<&str> = files
            .roles
            .iter()
            .filter(|(_, role)| *role == Role::Sensitive)
            .map(|(name, _)| name.as_str())
            .collect();
        let meant = said("k", &[("k", crowd)], because)?;
        return Ok(match secret.is_empty() {
            true => meant,
            false => with_secrets(meant, &secret, given),
        });
    }
    let people = if crowd == "1" { "1 person".to_owned() } else { format!("{crowd} people") };
    let fit = if crowd == "1" { "fits" } else { "fit" };
    match known {
        Known::Everything if shape.kind() == DataKind::Sets => {
            let what = "of sets, attackers who know everything are not promised against";
            let help = "say how many items they may know, as in {attacker-knows 3}; {promise dp} protects from anybody";
            Err(Failure::new(Class::Usage, what).with_help(help))
        }
        Known::Everything => said(
            "p2k",
            &[("k", crowd)],
            format!(
                "An attacker who knows all events of a person should find at least {people} who did the same: that is the promise `p2k`."
            ),
        ),
        Known::Events(events) => {
            let number = events.to_string();
            let noun = if shape.kind() == DataKind::Sets { "item" } else { "event" };
            let events = if events == 1 { format!("one {noun}") } else { format!("up to {events} {noun}s") };
            if files.is_given(Input::SensitiveItems) {
                let because = format!(
                    "An attacker who knows {events} of a person should find at least {people} who {fit}, of whom at most half have the same sensitive \
                     item: that is the promise `klm`."
                );
                return said("klm", &[("k", crowd), ("l", ONE_IN), ("m", &number)], because);
            }
            let because = format!(
                "An attacker who knows {events} of a person should find at least {people} who {fit}: that is the promise `km`."
            );
            said("km", &[("k", crowd), ("m", &number)], because)
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Settings;
    use throng_data::formats::Source;

    use super::*;
    use throng_release::catalogue;

    #[test]
    fn what_is_meant_is_a_promise_with_its_parameters() {
        let events = Files::of(Source::parse("trips.csv"));
        let mut secret = events.clone();
        secret.give(Input::SensitiveItems, Source::parse("secret.csv"));
        let table = Files { roles: vec![("age".to_owned(), Role::QuasiIdentifying)], ..events.clone() };
        let cases = [
            (&events, Known::Events(2), "km"),
            (&events, Known::Everything, "p2k"),
            (&secret, Known::Events(1), "klm"),
            (&table, Known::Events(2), "k"),
            (&table, Known::Everything, "k"),
        ];
        for (files, known, name) in cases {
            let meant = promise_for(known, "5", files, &[]).unwrap();
            assert_eq!(meant.promise, name);
            let given = meant.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            assert!(Settings::parse(catalogue::promise(name).unwrap().descriptor(), given).is_ok(), "{name}");
        }
        let ill = Files {
            roles: vec![
                ("age".to_owned(), Role::QuasiIdentifying),
                ("diagnosis".to_owned(), Role::Sensitive),
            ],
            ..events.clone()
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let also = |given: &[(String, String)]| promise_for(Known::Events(2), "5", &ill, given).unwrap().also;
        assert_eq!(also(&[]), [pair("l", "2")]);
        assert_eq!(also(&[pair("l", "3")]), [pair("l", "3")]);
        assert_eq!(also(&[pair("t", "0.3")]), [pair("t", "0.3")]);
        assert_eq!(also(&[pair("t", "0.3"), pair("l", "3")]).len(), 2);
        let sets = Files::of(Source::parse("baskets.dat"));
        assert_eq!(promise_for(Known::Events(2), "5", &sets, &[]).unwrap().promise, "km");
        let mut secret = sets.clone();
        secret.give(Input::SensitiveItems, Source::parse("secret.csv"));
        assert_eq!(promise_for(Known::Events(2), "5", &secret, &[]).unwrap().promise, "klm");
        assert_eq!(promise_for(Known::Everything, "5", &sets, &[]).unwrap_err().class, Class::Usage);
        assert_eq!([Known::parse("all"), Known::parse("0")], [Some(Known::Everything), None]);
    }
}
