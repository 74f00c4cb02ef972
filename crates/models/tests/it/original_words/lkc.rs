//! LKC-privacy in original words: events have times, and two events of one time are told apart.

use super::*;

#[test]
fn lkc_counts_people_who_show_an_item_in_two_ways_once() {
    let mut release = overlapping(true);
    let values = ColumnValues::Categories {
        values: ["well", "ill"].into_iter().collect(),
        codes: vec![1, 1, 0, 0, 0, 0],
    };
    let column = Column { name: "health".to_owned(), role: None, values };
    release.body = release.body.with_attributes(Some(Table { columns: vec![column] }));
    let judge = |share: &str, ill: bool| {
        let given = [("L", "1"), ("K", "2"), ("C", share)].map(|(name, value)| (name, value.to_owned()));
        let sensitive_values = if ill { vec![("health".to_owned(), "ill".to_owned())] } else { Vec::new() };
        let inputs = Inputs { sensitive_values, ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        Lkc.check(&evidence, &settings(&Lkc, &given), 10, &Progress::silent()).unwrap()
    };
    let verdict = judge("1/2", true);
    assert!(!verdict.holds);
    assert_eq!(verdict.violations[0].details["confidence"], "2/3");
    assert_eq!(verdict.violations[0].pattern, ["b@7"]);
    let looser = judge("2/3", true);
    assert!(looser.holds && looser.not_judged.is_empty());
    // Without secrets how sure anyone is was not judged, unless everything is allowed.
    assert_eq!((judge("1/2", false).holds, judge("1/2", false).not_judged.len()), (true, 1));
    assert_eq!((judge("1", false).holds, judge("1", false).not_judged.len()), (true, 0));
    assert_eq!(judge("1", true).not_judged.len(), 0);
}

/// A person who was seen at `a` and at `b` at one time shows two events: `{a|b}` once is not both.
#[test]
fn lkc_tells_two_events_of_one_time_from_one() {
    let mut builder = EventsBuilder::new(EventKind::Sequence, true);
    builder.push(0, &[0, 0], &[7, 7]);
    builder.push(1, &[0], &[7]);
    builder.push(2, &[0], &[7]);
    let base: Dictionary = ["a", "b"].into_iter().collect();
    let mut release = Release::identity(Arc::new(base), builder.finish(3));
    release.alphabet = vec![GeneralisedItem::of(vec![0, 1])];
    let holds = |length: &str| {
        let given = [("L", length), ("K", "2"), ("C", "1")].map(|(name, value)| (name, value.to_owned()));
        Lkc.check(&Evidence::of(&release), &settings(&Lkc, &given), 10, &Progress::silent()).unwrap().holds
    };
    assert!(holds("1") && !holds("2"));
}

/// A number is sensitive for those who have it, and one that no person has is refused.
#[test]
fn lkc_finds_people_by_a_number() {
    let mut release = overlapping(true);
    let values = ColumnValues::Numbers(vec![1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    release.body = release.body.with_attributes(Some(Table {
        columns: vec![Column { name: "health".to_owned(), role: None, values }],
    }));
    let given = [("L", "1"), ("K", "2"), ("C", "1/2")].map(|(name, value)| (name, value.to_owned()));
    let judge = |value: &str| {
        let sensitive_values = vec![("health".to_owned(), value.to_owned())];
        let inputs = Inputs { sensitive_values, ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        Lkc.check(&evidence, &settings(&Lkc, &given), 10, &Progress::silent())
    };
    assert_eq!(judge("1").unwrap().violations[0].details["confidence"], "2/3");
    assert!(matches!(judge("7"), Err(CheckError::Unknown { .. })));
}

/// Whether every known doublet can be given an event of its own, of its time, that covers it.
fn may_hold(events: &[(i64, Event)], known: &[(i64, ItemId)]) -> bool {
    let Some(((time, item), rest)) = known.split_first() else { return true };
    (0..events.len()).any(|at| {
        let mut others = events.to_vec();
        let (when, event) = others.remove(at);
        when == *time && event.contains(item) && may_hold(&others, rest)
    })
}

/// All sets of 1 to `length` of the doublets.
fn subsets(doublets: &[(i64, ItemId)], length: usize) -> Vec<Vec<(i64, ItemId)>> {
    let mut all = vec![Vec::new()];
    for doublet in doublets {
        let longer: Vec<Vec<(i64, ItemId)>> = all
            .iter()
            .filter(|known: &&Vec<_>| known.len() < length)
            .map(|known| known.iter().copied().chain([*doublet]).collect())
            .collect();
        all.extend(longer);
    }
    all.split_off(1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Times are few, so that events of one time have to be told apart: `{a|b}` at 1 is not both `a` and `b` at 1.
    #[test]
    fn lkc_counts_people_who_may_have_what_is_known(
        people in people(), times in vec(0..2_i64, 60), length in 1..=3_usize, k in 1..4_u64, ill in vec(any::<bool>(), 6),
        thirds in 1..=3_u64,
    ) {
        let mut times = times.into_iter().cycle();
        let timed: Vec<Vec<Vec<(i64, Event)>>> = people
            .iter()
            .map(|records| {
                let record = |record: &Vec<Event>| {
                    let mut events: Vec<(i64, Event)> =
                        record.iter().map(|event| (times.next().unwrap(), event.clone())).collect();
                    events.sort_by_key(|(time, _)| *time);
                    events
                };
                records.iter().map(record).collect()
            })
            .collect();
        let plain = timed.iter().map(|records| {
            records.iter().map(|record| record.iter().map(|(_, event)| event.clone()).collect()).collect()
        });
        let mut release = release_of(EventKind::Sequence, &plain.collect());
        let times: Vec<i64> = timed.iter().flatten().flatten().map(|(time, _)| *time).collect();
        let events = release.events();
        let mut builder = EventsBuilder::new(EventKind::Sequence, true);
        for person in 0..events.subjects() {
            for record in events.records_of(person) {
                builder.push(person as u32, events.record(record), &times[events.span(record)]);
            }
        }
        let events = builder.finish(people.len());
        release.body = release.body.with_events(|_| events);
        let is_ill = |person: usize| ill[person];
        let some_ill = (0..people.len()).any(is_ill);
        let values = ColumnValues::Categories {
            values: ["well", "ill"].into_iter().collect(),
            codes: (0..people.len()).map(|person| u32::from(is_ill(person))).collect(),
        };
        let column = Column { name: "health".to_owned(), role: None, values };
        release.body = release.body.with_attributes(Some(Table { columns: vec![column] }));

        let doublets: Vec<(i64, ItemId)> =
            (0..2).flat_map(|time| (0..4).map(move |item| (time, item))).collect();
        let judge = |found: &[usize]| {
            let held = found.iter().filter(|person| is_ill(**person)).count() as u64;
            found.len() as u64 >= k && (!some_ill || held * 3 <= thirds * found.len() as u64)
        };
        let holds = subsets(&doublets, length).iter().chain([&Vec::new()]).all(|known| {
            let fits = |person: &usize| timed[*person].iter().any(|record| may_hold(record, known));
            let found: Vec<usize> = (0..people.len()).filter(fits).collect();
            found.is_empty() || judge(&found)
        });
        let given = [("L", length.to_string()), ("K", k.to_string()), ("C", format!("{thirds}/3"))];
        let settings = settings(&Lkc, &given);
        let values = [("health".to_owned(), "ill".to_owned())].into_iter().filter(|_| some_ill).collect();
        let inputs = Inputs { sensitive_values: values, ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        for list in [0, 100] {
            let verdict = Lkc.check(&evidence, &settings, list, &Progress::silent()).unwrap();
            prop_assert_eq!(verdict.holds, holds, "{:?}", verdict);
        }
    }
}
