use super::*;

fn holds(form: Variety, l: u64, c: f64, counts: &[u32]) -> bool {
    let tally: Vec<(u32, u32)> = (0..).zip(counts.iter().copied()).collect();
    Diversity { form, l, c }.holds(&tally)
}

#[test]
fn diversity_has_three_forms() {
    assert!(holds(Variety::Distinct, 3, 0.0, &[9, 1, 1]));
    assert!(!holds(Variety::Entropy, 3, 0.0, &[9, 1, 1]));
    assert!(holds(Variety::Entropy, 3, 0.0, &[7, 7, 7]), "the limit itself holds, whatever the rounding");
    assert!(holds(Variety::Recursive, 2, 5.0, &[9, 1, 1]));
    assert!(!holds(Variety::Recursive, 2, 4.5, &[9, 1, 1]), "9 is not below 4.5 times 2");
    assert!(!holds(Variety::Recursive, 4, 100.0, &[9, 1, 1]), "there is no fourth value");
}

/// The vector `t-closeness-emd`: two values of a uniform domain of four.
#[test]
fn closeness_is_exact() {
    let (group, overall) = ([(0, 1), (1, 1)], [1, 1, 1, 1]);
    let share = |text: &str| text.parse::<Fraction>().unwrap();
    assert!(is_close(share("1/2"), Distance::Equal, &group, &overall));
    assert!(!is_close(share("49/100"), Distance::Equal, &group, &overall));
    assert!(is_close(share("1/3"), Distance::Ordered, &group, &overall));
    assert!(!is_close(share("33/100"), Distance::Ordered, &group, &overall));
}

/// Why entropy is not in [`Demands::hereditary`]: 3 people with 3 values and 9 with one; only 9 have to go, but all 12
/// once the groups are merged.
#[test]
fn with_suppression_a_merge_may_spoil_a_good_group() {
    let (good, bad, both) = ([1, 1, 1], [9, 0, 0], [10, 1, 1]);
    assert!(holds(Variety::Entropy, 2, 0.0, &good));
    assert!(!holds(Variety::Entropy, 2, 0.0, &bad[..1]));
    assert!(!holds(Variety::Entropy, 2, 0.0, &both));
}

/// `{hiv, missing}` is one value that is known, and a group without any shows nothing.
#[test]
fn a_missing_value_is_left_out() {
    let values = ["hiv", "flu", ""].iter().copied().collect();
    let codes = vec![0, 2, 0, 1, 2, 2];
    let column = throng_data::Column {
        name: "illness".to_owned(),
        role: Some(Role::Sensitive),
        values: throng_data::ColumnValues::Categories { values, codes },
    };
    let demands = |missing: MissingValue| {
        let secret = Secret::new(Domain::of(&column, None).unwrap(), Emd::Equal, missing);
        let diversity = Some(Diversity { form: Variety::Distinct, l: 2, c: 1.0 });
        let closeness = Some("1/3".parse::<Fraction>().unwrap());
        Demands { k: 1, diversity, closeness, secrets: vec![secret], missing, emd: Emd::Equal }
    };
    // Values are in their order: flu, hiv, missing.
    let (left_out, value) = (demands(MissingValue::LeftOut), demands(MissingValue::Value));
    let hiv_or_missing = [(1, 1), (2, 1)];
    assert!(!left_out.known_diverse(&left_out.secrets[0], &hiv_or_missing));
    assert!(value.known_diverse(&value.secrets[0], &hiv_or_missing));
    let missing = [(2, 2)];
    assert!(left_out.met(2, |_| &missing));
    assert!(!value.met(2, |_| &missing));
    let close = |demands: &Demands, values: &Tally| {
        demands.close(&demands.secrets[0], values, &demands.secrets[0].overall)
    };
    assert!(close(&left_out, &[(0, 1), (1, 2), (2, 40)]), "flu and hiv are as frequent as everywhere");
    assert!(!close(&value, &[(0, 1), (1, 2), (2, 40)]));
    assert_eq!(left_out.with_notes(Vec::new()).len(), 1);
    assert!(value.with_notes(Vec::new()).is_empty());
    assert!(!left_out.is_hereditary() && value.hereditary().diversity.is_some());
}

#[test]
fn a_counter_forgets_the_group_before() {
    let mut counter = Counter::default();
    assert_eq!(counter.tally([3, 1, 3].into_iter()), [(1, 1), (3, 2)]);
    assert_eq!(counter.tally([0, 3].into_iter()), [(0, 1), (3, 1)]);
}
