//! Columns with ordered events: an attacker who knows a row and up to `m` events in order finds `k` people.

use proptest::prelude::*;
use throng_contract::{Class, Failing, Progress, Settings};
use throng_data::{Body, Coordinates, Dataset, EventKind, Inputs, Mixed, Places, Release, Role};
use throng_methods::mixed::{LmRumBound, LmTumBound, RelationalFirst, RumBound, TransactionFirst, TumBound};
use throng_methods::{Method, Variant};
use throng_models::{CheckError, Evidence, KkmAnonymity, KlmDiversity, Promise};

use crate::mixed::judge::{MERGE, RELATIONAL, agrees};
use crate::mixed::world::{ITEMS, Person, data_of, inputs, run, silent_inputs, travellers};

const SEQUENTIAL: [&str; 3] = ["suppress", "seqanon", "sd-seqanon"];

/// What a person's records may have been, event by event.
type Records<'a> = Vec<Vec<Vec<&'a str>>>;

/// What the promise says of a release: how many people an attacker needs, what may be known, and what must stay uncertain.
#[derive(Clone, Copy)]
struct Asked<'a> {
    k: usize,
    m: usize,
    l: usize,
    secrets: &'a [&'a str],
}

/// By the definition, person by person, over every sequence of up to `m` items that anybody could know.
fn holds(release: &Release, asked: Asked<'_>) -> bool {
    let people: Vec<(Vec<String>, Records<'_>)> =
        (0..release.people()).map(|person| (row(release, person), records(release, person))).collect();
    let open: Vec<&str> = ITEMS.into_iter().filter(|item| !asked.secrets.contains(item)).collect();
    let known = sequences(&open, asked.m);
    people.iter().all(|(cells, own)| {
        let alike: Vec<&Records<'_>> =
            people.iter().filter(|(other, _)| other == cells).map(|(_, records)| records).collect();
        let fitting = known.iter().filter(|known| own.iter().any(|record| may_contain(record, known)));
        fitting.into_iter().all(|known| {
            let fits = |records: &&&Records<'_>| records.iter().any(|record| may_contain(record, known));
            let fit: Vec<_> = alike.iter().filter(fits).collect();
            let carriers = |secret: &str| {
                fit.iter()
                    .filter(|records| records.iter().any(|record| may_contain(record, &[secret])))
                    .count()
            };
            fit.len() >= asked.k && asked.secrets.iter().all(|secret| carriers(secret) * asked.l <= fit.len())
        })
    })
}

/// Whether a record, event by event what it may have been, may contain these in this order.
fn may_contain(record: &[Vec<&str>], known: &[&str]) -> bool {
    let mut left = record.iter();
    known.iter().all(|item| left.any(|event| event.contains(item)))
}

fn sequences<'a>(items: &[&'a str], m: usize) -> Vec<Vec<&'a str>> {
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..m {
        let to = all.len();
        for at in from..to {
            for item in items {
                all.push(all[at].iter().copied().chain([*item]).collect());
            }
        }
        from = to;
    }
    all
}

fn row(release: &Release, person: usize) -> Vec<String> {
    let table = release.table().unwrap();
    table.with_role(Role::QuasiIdentifying).map(|column| column.cover(person).render()).collect()
}

fn records(release: &Release, person: usize) -> Records<'_> {
    let event = |item: &u32| -> Vec<&str> {
        let members = &release.alphabet[*item as usize].members;
        members.iter().map(|member| release.base.name(*member)).collect()
    };
    let record = |record| release.events().record(record).iter().map(event).collect();
    release.events().records_of(person).map(record).collect()
}

/// Whether every released event covers one that was there, in the same order; without suppression all of them.
fn is_truthful(data: &Dataset, release: &Release, may_suppress: bool) -> bool {
    (0..data.events.records()).all(|record| {
        let (before, after) = (data.events.record(record), release.events().record(record));
        let mut left = before.iter();
        let covers = |released: &u32, item: &u32| release.alphabet[*released as usize].covers(*item);
        after.iter().all(|released| left.any(|item| covers(released, item)))
            && (may_suppress || before.len() == after.len())
    })
}

/// Where every item is, on a line.
fn places(data: &Dataset) -> Places {
    let points = (0..data.items.len()).map(|item| [data.items.name(item as u32).as_bytes()[0].into(), 0.0]);
    Places { system: Coordinates::Plane, points: points.collect(), categories: None }
}

/// Whether anything can be released at all: merging items cannot hide how long records are.
fn is_possible(people: &[Person], k: usize, m: usize, suppresses: bool) -> bool {
    let longest = |person: &Person| person.records.iter().map(Vec::len).max().unwrap_or(0);
    let reach = |length: usize| people.iter().filter(|person| longest(person) >= length).count();
    people.len() >= k && (suppresses || (1..=m).all(|length| !(1..k).contains(&reach(length))))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_pair_keeps_kkm_in_order(
        people in travellers(),
        (k, m) in (1..4_usize, 1..4_usize),
        (relational, sequential, merge, which) in (0..5_usize, 0..3_usize, 0..MERGE.len(), 0..4_usize),
        (taxonomy, located, small) in any::<(bool, bool, bool)>(),
    ) {
        let methods: [&dyn Method; 4] = [&RumBound, &TumBound, &RelationalFirst, &TransactionFirst];
        let method = methods[which];
        let mut data = data_of(EventKind::Sequence, &people);
        if located && (taxonomy || sequential != 2) {
            data.places = Some(places(&data));
        }
        let inputs = inputs(taxonomy, true);
        let (k_text, m_text) = (k.to_string(), m.to_string());
        let given = [
            ("k", k_text.as_str()),
            ("m", m_text.as_str()),
            ("relational", RELATIONAL[relational]),
            ("sequential", SEQUENTIAL[sequential]),
            ("merge", MERGE[merge]),
            ("delta", if small { "0.4" } else { "1" }),
            ("group-size", "4"),
        ];
        let own: Vec<(&str, &str)> =
            given.into_iter().filter(|(name, _)| method.descriptor().param(name).is_some()).collect();
        let outcome = match run(method, &data, &inputs, &own, Variant::Sound) {
            Ok(outcome) => outcome,
            Err(error) => {
                prop_assert_eq!(error.class(), Class::Infeasible, "{}", error);
                prop_assert!(small || !is_possible(&people, k, m, sequential == 0), "{}", error);
                return Ok(());
            }
        };
        let asked = Asked { k, m, l: 1, secrets: &[] };
        prop_assert!(holds(&outcome.release, asked), "{:?}", outcome.release);
        prop_assert!(agrees(&KkmAnonymity, &outcome, &inputs, &own));
        prop_assert!(is_truthful(&data, &outcome.release, sequential == 0));
        let lost = data.events.len() - outcome.release.events().len();
        prop_assert_eq!(outcome.release.suppression.events, lost as u64);
    }

    #[test]
    fn sensitive_events_stay_uncertain(
        people in travellers(),
        (k, l, m) in (1..3_usize, 1..4_usize, 1..3_usize),
        (merge, items, silent) in (0..MERGE.len(), any::<bool>(), any::<bool>()),
    ) {
        let method: &dyn Method = if items { &LmTumBound } else { &LmRumBound };
        let mut data = data_of(EventKind::Sequence, &people);
        prop_assume!(data.items.find("f").is_some());
        let mut inputs = inputs(false, false);
        if silent {
            inputs = silent_inputs();
            data.attributes.as_mut().unwrap().columns.truncate(3);
        }
        inputs.sensitive_items = vec!["f".to_owned()];
        let numbers = [k, l, m].map(|number| number.to_string());
        let own = [
            ("k", numbers[0].as_str()),
            ("l", numbers[1].as_str()),
            ("m", numbers[2].as_str()),
            ("merge", MERGE[merge]),
            ("delta", "1"),
        ];
        match run(method, &data, &inputs, &own, Variant::Sound) {
            Ok(outcome) => {
                let asked = Asked { k, m, l, secrets: &["f"] };
                prop_assert!(holds(&outcome.release, asked), "{:?}", outcome.release);
                prop_assert!(agrees(&KlmDiversity, &outcome, &inputs, &own));
                prop_assert!(is_truthful(&data, &outcome.release, true));
            }
            Err(error) => prop_assert_eq!(error.class(), Class::Infeasible, "{}", error),
        }
    }

    /// The checker answers as the definition does, on data as they are: most of them are not safe. So a checker that always says yes,
    /// or never, fails here.
    #[test]
    fn the_checker_agrees_with_the_definition(
        people in travellers(),
        (k, m, columns) in (1..4_usize, 1..4_usize, 1..4_usize),
    ) {
        let data = data_of(EventKind::Sequence, &people);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let mut table = data.attributes.clone().unwrap();
        table.columns.truncate(columns);
        let table = throng_data::RecodedTable::identity(&table);
        release.body = Body::Mixed(Mixed { events: release.events().clone(), table });
        let (k_text, m_text) = (k.to_string(), m.to_string());
        let given = [("k", k_text.as_str()), ("m", m_text.as_str())];
        let settings = Settings::parse(KkmAnonymity.descriptor(), given).unwrap();
        let verdict = KkmAnonymity.check(&Evidence::of(&release), &settings, 3, &Progress::silent());
        let holds = holds(&release, Asked { k, m, l: 1, secrets: &[] });
        match verdict {
            Ok(verdict) => prop_assert_eq!(verdict.holds, holds, "{:?}", verdict),
            Err(CheckError::Missing { .. }) => prop_assert_eq!(columns, 0),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    /// The bound that an error names works, and a smaller one does not.
    #[test]
    fn the_error_names_the_smallest_bound_for_sequences(
        people in travellers(),
        (merge, items) in (0..MERGE.len(), any::<bool>()),
    ) {
        let method: &dyn Method = if items { &TumBound } else { &RumBound };
        let (data, inputs) = (data_of(EventKind::Sequence, &people), inputs(false, false));
        let with = |delta: &str| {
            let given = [("k", "2"), ("m", "2"), ("merge", MERGE[merge]), ("delta", delta)];
            run(method, &data, &inputs, &given, Variant::Sound)
        };
        if let Err(error) = with("0")
            && let Some(help) = error.help()
            && let Some(named) = help.changes().find_map(|change| change.value.as_deref().filter(|_| change.setting == "delta"))
        {
            prop_assert!(with(named).is_ok(), "{}", named);
            let below = format!("{:.4}", named.parse::<f64>().unwrap() - 0.0002);
            prop_assert!(below.starts_with('-') || with(&below).is_err(), "{}", below);
        }
    }
}

/// Two people whose cells become `*`; the event of one has to go. They are still two whom a reader cannot tell apart by their rows.
#[test]
fn who_lost_all_events_still_hides_the_others() {
    let person = |age, town, colour, record| Person { age, town, colour, records: vec![record] };
    let mut data = data_of(EventKind::Sequence, &[person(0, 0, 0, vec![5, 5]), person(5, 2, 1, vec![2])]);
    data.attributes.as_mut().unwrap().columns.truncate(3);
    let inputs = Inputs { sensitive_items: vec!["f".to_owned()], ..silent_inputs() };
    let given = [("k", "2"), ("l", "2"), ("m", "1"), ("delta", "1")];
    for method in [&LmTumBound as &dyn Method, &LmRumBound] {
        let outcome = run(method, &data, &inputs, &given, Variant::Sound).unwrap();
        assert_eq!((outcome.release.events().len(), outcome.release.suppression.events), (2, 1));
        assert!(holds(&outcome.release, Asked { k: 2, m: 1, l: 2, secrets: &["f"] }));
        assert!(agrees(&KlmDiversity, &outcome, &inputs, &given));
    }
}

#[test]
fn a_loss_of_subsets_is_no_loss_of_sequences() {
    let people = [Person { age: 1, town: 0, colour: 0, records: vec![vec![0, 1]] }];
    let data = data_of(EventKind::Sequence, &people);
    let error =
        run(&TumBound, &data, Inputs::NONE, &[("k", "1"), ("loss", "ul")], Variant::Sound).unwrap_err();
    assert_eq!(error.class(), Class::Usage);
}
