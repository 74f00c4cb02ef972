use throng_data::{Dataset, GeneralisedItem};

use super::*;

fn graded(release: &Release, data: &Dataset) -> Usefulness {
    let lost = Suppressed::of(data, release, true);
    Usefulness::of(release, Some(&lost), &[], &Limits::default(), "items")
}

#[test]
fn data_as_they_are_are_good_and_an_empty_release_is_poor() {
    let data = Dataset::from_words(["abc", "abd", "ab"]);
    let mut release = Release::identity(data.items.clone(), data.events.clone());
    assert_eq!(graded(&release, &data).grade, Grade::Good);
    let events = data.events.retain(|_, _, _| false);
    release.body = release.body.with_events(|_| events);
    let poor = graded(&release, &data);
    assert_eq!((poor.grade, poor.reasons[0].as_str()), (Grade::Poor, "no event is left"));
}

/// A release whose items stand for 349 places each was "verified", and looked like success.
#[test]
fn events_that_may_be_anywhere_are_poor() {
    let data = Dataset::from_words(["abcdefghij", "jihgfedcba"]);
    let mut release = Release::identity(data.items.clone(), data.events.recode(|_| 0, false));
    release.alphabet = vec![GeneralisedItem::of((0..10).collect())];
    let poor = graded(&release, &data);
    assert_eq!(poor.grade, Grade::Poor);
    assert_eq!(poor.reasons, ["an event stands for 10 items on average"]);
}

#[test]
fn limits_can_be_told_and_are_written_down() {
    let data = Dataset::from_words(["abcdefghij", "jihgfedcba"]);
    let mut release = Release::identity(data.items.clone(), data.events.recode(|item| item / 5, false));
    release.alphabet = vec![GeneralisedItem::of((0..5).collect()), GeneralisedItem::of((5..10).collect())];
    let graded = |limits: &[&str]| {
        Usefulness::of(&release, None, &[], &Limits::parse(limits.iter().copied()).unwrap(), "places")
    };
    let usual = graded(&[]);
    assert_eq!(
        (usual.grade, usual.reasons[0].as_str()),
        (Grade::Poor, "an event stands for 5.0 places on average")
    );
    let told = graded(&["members=50,100", "spread=60%,70%"]);
    assert_eq!(
        (told.grade, told.limits),
        (Grade::Good, vec!["members=50,100".into(), "spread=60%,70%".into()])
    );
}

#[test]
fn lost_patterns_and_queries_are_graded_in_steps() {
    let data = Dataset::from_words(["ab", "ab"]);
    let release = Release::identity(data.items.clone(), data.events.clone());
    let graded = |share: f64| {
        let survived = [Survived::new("patterns", share, "of pairs"), Survived::new("events", 0.0, "")];
        Usefulness::of(&release, None, &survived, &Limits::default(), "items")
    };
    assert_eq!(
        [0.9, 0.55, 0.45, 0.15, 0.05].map(|share| graded(share).grade),
        [Grade::Good, Grade::Good, Grade::Limited, Grade::Limited, Grade::Poor]
    );
    assert_eq!(graded(0.45).reasons, ["50% to 70% of the frequent pairs are lost"]);
}

/// "About 20% are suppressed" stood beside "90% of the events are there".
#[test]
fn shares_in_steps_never_contradict_the_exact_ones() {
    let ends = |words: &str| -> (f64, f64) {
        let number = |text: &str| text.trim_end_matches('%').parse::<f64>().unwrap();
        match words.split_once(" to ") {
            Some((low, high)) => (number(low), number(high)),
            None => match words.strip_prefix("less than ") {
                Some(high) => (0.0, number(high)),
                None => (number(words.strip_prefix("more than ").unwrap()), 100.0),
            },
        }
    };
    for lost in 0..=1000 {
        let lost = f64::from(lost) / 1000.0;
        let (low, high) = ends(&in_words((lost / COARSE).round() * COARSE));
        assert!((low..=high).contains(&(lost * 100.0)), "{lost}: {low} to {high}");
    }
}

#[test]
fn suppression_grades_in_steps() {
    let grade = |kept: usize| {
        let data = Dataset::from_words(["aaaaaaaaaaaaaaaaaaaa", "b"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let events = data.events.retain(|record, place, _| record == 1 || place < kept);
        release.body = release.body.with_events(|_| events);
        graded(&release, &data).grade
    };
    assert_eq!(
        [20, 19, 17, 12, 9, 1].map(grade),
        [Grade::Good, Grade::Good, Grade::Limited, Grade::Limited, Grade::Poor, Grade::Poor]
    );
}
