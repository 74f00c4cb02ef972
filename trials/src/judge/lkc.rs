//! LKC: every set of up to L timed visits that a published record shows is listed, with the people who fit it.

use std::collections::BTreeSet;

use throng_lab::Loaded;

use super::Judged;
use crate::people::{Person, Shown};
use crate::world::World;

type Visit = (u32, i64);

/// Judges with the parameters of the world.
pub fn lkc(people: &[Person], loaded: &Loaded, world: &World) -> Judged {
    let (most_known, k) = (world.number("L"), world.number("K"));
    let (share, of) = fraction(world.value("C"));
    let secrets: Vec<BTreeSet<usize>> = loaded
        .inputs
        .sensitive_values
        .iter()
        .map(|(column, value)| {
            let column = loaded.data.attributes.as_ref().and_then(|table| table.column(column));
            // Whose value is missing may have any, unless the world says otherwise.
            let worst = world.value("missing") == "worst";
            let may_have = |text: String| text == *value || worst && text.is_empty();
            (0..people.len()).filter(|person| column.is_some_and(|c| may_have(c.text(*person)))).collect()
        })
        .collect();
    let mut shown: Vec<Vec<Vec<Visit>>> = Vec::new();
    for person in people {
        match person.after.iter().map(|record| record.iter().map(visit).collect()).collect() {
            Some(records) => shown.push(records),
            None => return Judged::Broken("an event is generalised, or has no time".to_owned()),
        }
    }
    // An attacker who knows nothing must not be sure of anything either.
    let mut known: BTreeSet<Vec<Visit>> = BTreeSet::from([Vec::new()]);
    for record in shown.iter().flatten() {
        for chosen in 1_u32..1 << record.len() {
            if chosen.count_ones() as usize <= most_known {
                let mut visits: Vec<Visit> =
                    (0..record.len()).filter(|at| chosen >> at & 1 == 1).map(|at| record[at]).collect();
                visits.sort_unstable();
                known.insert(visits);
            }
        }
    }
    for visits in &known {
        let fits = |person: &usize| shown[*person].iter().any(|record| holds(record, visits));
        let fitting: Vec<usize> = (0..people.len()).filter(fits).collect();
        if fitting.len() < k {
            return Judged::Broken(format!("{visits:?} fit {} people, not {k}", fitting.len()));
        }
        for holders in &secrets {
            let sure = fitting.iter().filter(|person| holders.contains(person)).count();
            if sure * of > share * fitting.len() {
                return Judged::Broken(format!(
                    "{visits:?}: {sure} of {} have a sensitive value",
                    fitting.len()
                ));
            }
        }
    }
    Judged::Holds
}

fn visit(shown: &Shown) -> Option<Visit> {
    let one = shown.may_be.count_ones() == 1;
    Some((shown.may_be.trailing_zeros(), shown.time?)).filter(|_| one)
}

/// Whether a record has all the visits, a repeated one as often.
fn holds(record: &[Visit], visits: &[Visit]) -> bool {
    let count = |list: &[Visit], visit: &Visit| list.iter().filter(|other| *other == visit).count();
    visits.iter().all(|visit| count(record, visit) >= count(visits, visit))
}

/// `2/3`, `0.4`, `75%` or `1`, exactly.
fn fraction(text: &str) -> (usize, usize) {
    let whole = |text: &str| text.parse::<usize>().unwrap_or(0);
    if let Some((above, below)) = text.split_once('/') {
        (whole(above), whole(below))
    } else if let Some(percent) = text.strip_suffix('%') {
        (whole(percent), 100)
    } else if let Some((whole_part, decimals)) = text.split_once('.') {
        let of = 10_usize.pow(decimals.len() as u32);
        (whole(whole_part) * of + whole(decimals), of)
    } else {
        (whole(text), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact() {
        let texts = ["2/3", "0.4", "75%", "1"].map(fraction);
        assert_eq!(texts, [(2, 3), (4, 10), (75, 100), (1, 1)]);
    }

    #[test]
    fn repeated_visits_count_as_often_as_they_are_known() {
        let (once, twice) = ([(0, 1), (1, 2)], [(0, 1), (0, 1)]);
        assert!(holds(&once, &[(0, 1)]));
        assert!(!holds(&once, &twice));
        assert!(holds(&twice, &twice));
    }
}
