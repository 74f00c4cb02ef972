//! A comparison that was put together rather than read: as its recipe for people.

use throng_contract::{Class, Failure, Settings};
use toml::{Table, Value};

use super::limits::Limits;
use super::recipe::{Compared, Comparing, Plots, SCHEMA};
use crate::catalogue;
use crate::evaluate::Wanted;
use crate::recipe::{Data, data_section, method_section, roles_section, typed, whole};

impl Comparing {
    /// Methods on one dataset, with the attacker and the seed that a recipe has which does not speak of them.
    pub fn of(data: Data, methods: Vec<Compared>) -> Self {
        let label = data.files.data.name().rsplit('/').next().unwrap_or("data").to_owned();
        Comparing {
            title: "A comparison".to_owned(),
            about: None,
            text: String::new(),
            data: vec![(label, data)],
            methods,
            vary: Vec::new(),
            seeds: vec![0],
            measures: Vec::new(),
            attack: Some(Vec::new()),
            limits: Limits::default(),
            plots: Plots::default(),
        }
    }

    /// Refuses two methods of one name, and values that a method does not take: each with every value of what varies.
    pub fn check(&self) -> Result<(), Failure> {
        for (place, method) in self.methods.iter().enumerate() {
            if self.methods[..place].iter().any(|other| other.label == method.label) {
                let again = format!("two methods are called `{}`", method.label);
                return Err(Failure::new(Class::Usage, again).with_help("give each a name of its own"));
            }
            let descriptor = catalogue::method(&method.name)?.descriptor();
            let taken = self.vary.iter().filter(|(name, _)| {
                descriptor.param(name).is_some() && method.settings.iter().all(|(set, _)| set != name)
            });
            let taken: Vec<&(String, Vec<String>)> = taken.collect();
            let first: Vec<(&str, &str)> = taken
                .iter()
                .filter_map(|(name, values)| Some((name.as_str(), values.first()?.as_str())))
                .collect();
            let own = || method.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            Settings::parse(descriptor, own().chain(first.iter().copied()))?;
            for (name, values) in taken {
                let others = || first.iter().copied().filter(|(other, _)| other != name);
                for value in values {
                    Settings::parse(
                        descriptor,
                        own().chain(others()).chain([(name.as_str(), value.as_str())]),
                    )?;
                }
            }
        }
        Ok(())
    }

    /// What is compared, as a recipe; files by the names they have here, and methods only where there are some.
    pub fn to_toml(&self) -> String {
        let mut root = Table::new();
        root.insert("schema".to_owned(), SCHEMA.into());
        if !self.methods.is_empty() {
            let methods: Vec<Value> = self.methods.iter().map(|method| written(method).into()).collect();
            root.insert("methods".to_owned(), methods.into());
        }
        if !self.vary.is_empty() {
            let values =
                |values: &[String]| Value::from(values.iter().map(|value| typed(value)).collect::<Vec<_>>());
            let vary = self.vary.iter().map(|(name, all)| (name.clone(), values(all)));
            root.insert("vary".to_owned(), Value::Table(vary.collect()));
        }
        if !self.measures.is_empty() {
            root.insert(
                "measures".to_owned(),
                self.measures.iter().map(asked).collect::<Vec<Value>>().into(),
            );
        }
        if self.seeds != [0] {
            let seeds: Vec<Value> = self.seeds.iter().map(|seed| whole(*seed)).collect();
            root.insert("seeds".to_owned(), seeds.into());
        }
        let data: Vec<Value> = self.data.iter().map(|(_, data)| section(data).into()).collect();
        let data = match <[Value; 1]>::try_from(data) {
            Ok([only]) => only,
            Err(several) => several.into(),
        };
        root.insert("data".to_owned(), data);
        root.to_string()
    }
}

fn section(data: &Data) -> Table {
    let mut section = data_section(data, &|_, source| source.name().to_owned());
    section.extend(roles_section(&data.files.roles));
    section
}

fn written(method: &Compared) -> Table {
    let mut table = method_section(&method.name, &method.settings, method.variant);
    if method.label != Compared::usual_label(&method.name, method.variant) {
        table.insert("label".to_owned(), method.label.as_str().into());
    }
    table
}

fn asked(wanted: &Wanted) -> Value {
    if wanted.settings.is_empty() {
        return wanted.measure.as_str().into();
    }
    let settings = wanted.settings.iter().map(|(name, value)| (name.clone(), typed(value)));
    let name = [("name".to_owned(), Value::from(wanted.measure.as_str()))];
    Value::Table(name.into_iter().chain(settings).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const RECIPE: &str = "schema = \"throng-compare/1\"\n\
        methods = [{ name = \"suppress\", m = 1 }, { name = \"suppress\", m = 2, label = \"more\" }]\n\
        vary = { k = [2, 5] }\n\
        measures = [\"lengths\", { name = \"patterns\", max-length = 3 }]\n\
        seeds = [3, 4]\n\
        data = { world = \"city\", subjects = 40, item = \"place\", roles = { age = \"quasi-identifying\" } }\n";

    fn said(comparing: &Comparing) -> String {
        format!("{:?}", Comparing { text: String::new(), ..comparing.clone() })
    }

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let comparing = Comparing::parse("recipe", RECIPE, Path::new("")).unwrap();
        let again = Comparing::parse("recipe", &comparing.to_toml(), Path::new("")).unwrap();
        assert_eq!(said(&again), said(&comparing));
        assert_eq!(again.check(), Ok(()));
    }

    #[test]
    fn a_plan_comes_back_as_it_was_handed_over() {
        let mut comparing = Comparing::parse("recipe", RECIPE, Path::new("")).unwrap();
        let files = &mut comparing.data[0].1.files;
        files.data = throng_data::formats::Source::file("data.frame");
        files.ranges.push(("age".to_owned(), "0..120".parse().unwrap()));
        files.read.encoding = throng_data::formats::Encoding::parse("latin1");
        files.read.attributes = vec!["a, b".to_owned()];
        let json = serde_json::to_string(&comparing).unwrap();
        let again: Comparing = serde_json::from_str(&json).unwrap();
        assert_eq!(format!("{again:?}"), format!("{comparing:?}"));
        // What is no file cannot be handed over.
        comparing.data[0].1.files.data = throng_data::formats::Source::memory("m", *b"a");
        assert!(serde_json::to_string(&comparing).is_err());
    }

    #[test]
    fn values_that_a_method_does_not_take_are_refused() {
        let comparing = Comparing::parse("recipe", RECIPE, Path::new("")).unwrap();
        let refused = |change: &dyn Fn(&mut Comparing)| {
            let mut changed = comparing.clone();
            change(&mut changed);
            changed.check().unwrap_err().message
        };
        assert!(refused(&|comparing| comparing.vary[0].1.push("many".to_owned())).contains("`k`"));
        assert!(refused(&|comparing| comparing.methods[0].settings[0].1 = "-1".to_owned()).contains("`m`"));
        assert!(
            refused(&|comparing| comparing.methods[1].label = "suppress".to_owned()).contains("two methods")
        );
    }
}
