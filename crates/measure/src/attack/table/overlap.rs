//! Whether two released cells may stand for the same value.

use throng_data::{ColumnKind, Cover, position};

/// Whether two covers may stand for the same value.
pub(super) fn overlap(a: &Cover, b: &Cover, kind: ColumnKind) -> bool {
    let ends = |cover: &Cover| match cover {
        Cover::Range { low, high } => position(low, kind).zip(position(high, kind)),
        Cover::Value(value) => position(value, kind).map(|place| (place, place)),
        _ => None,
    };
    let values = |cover: &Cover| match cover {
        Cover::Value(value) => vec![value.clone()],
        Cover::Set(values) => values.clone(),
        Cover::Node { members, .. } => members.to_vec(),
        Cover::Range { .. } | Cover::Suppressed => Vec::new(),
    };
    let within = |values: &[String], (low, high): (f64, f64)| {
        values.iter().filter_map(|value| position(value, kind)).any(|place| (low..=high).contains(&place))
    };
    match (a, b) {
        _ if a == b => true,
        (Cover::Suppressed, _) | (_, Cover::Suppressed) => true,
        _ => match (ends(a), ends(b)) {
            (Some(a), Some(b)) => a.0 <= b.1 && b.0 <= a.1,
            (Some(range), None) => within(&values(b), range),
            (None, Some(range)) => within(&values(a), range),
            (None, None) => {
                let others = values(b);
                values(a).iter().any(|value| others.contains(value))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_overlap_where_one_value_may_be_both() {
        let value = |text: &str| Cover::Value(text.to_owned());
        let range = |low: u32, high: u32| Cover::Range { low: low.to_string(), high: high.to_string() };
        let set = |texts: &[&str]| Cover::Set(texts.iter().map(|text| (*text).to_owned()).collect());
        let both = |a: &Cover, b: &Cover, kind| {
            let answer = overlap(a, b, kind);
            assert_eq!(answer, overlap(b, a, kind), "{a:?} {b:?}");
            answer
        };
        let numbers = |a: &Cover, b: &Cover| both(a, b, ColumnKind::Number);
        assert!(numbers(&range(1, 3), &range(3, 5)) && !numbers(&range(1, 2), &range(3, 5)));
        assert!(numbers(&range(1, 9), &range(3, 5)));
        assert!(numbers(&range(1, 3), &value("3")) && !numbers(&range(1, 3), &value("4")));
        assert!(numbers(&range(1, 3), &set(&["9", "2"])) && !numbers(&range(1, 3), &set(&["9", "4"])));
        assert!(numbers(&value("2"), &value("2")) && !numbers(&value("2"), &value("3")));
        let words = |a: &Cover, b: &Cover| both(a, b, ColumnKind::Category);
        assert!(words(&set(&["x", "y"]), &set(&["y", "z"])) && !words(&set(&["x"]), &set(&["y", "z"])));
        assert!(words(&value("x"), &set(&["x", "y"])) && !words(&value("z"), &set(&["x", "y"])));
        assert!(words(&Cover::Suppressed, &value("x")) && words(&Cover::Suppressed, &Cover::Suppressed));
    }
}
