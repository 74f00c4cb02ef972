//! Names in an order, grouped with their neighbours.
//!
//! A group is called after its first and its last name: `apples..leeks`.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use throng_data::limits::Limit;

use super::{GenerateError, Generated, NAME, Plan, ROOT, Rule, Values, values_listed};

pub(super) fn generate(plan: &Plan, values: &Values<'_>) -> Result<Generated, GenerateError> {
    let mut order: Vec<usize> = (0..values.names.len()).filter(|at| !values.names[*at].is_empty()).collect();
    match (plan.rule, values.places) {
        (Rule::ZOrder, None) => return Err(GenerateError::NoPlaces),
        (Rule::ZOrder, Some(places)) => {
            let along = places.z_values();
            order.sort_unstable_by_key(|at| (along[*at], values.names[*at]));
        }
        (Rule::Frequency, _) => {
            order.sort_unstable_by_key(|at| (Reverse(values.people[*at]), values.names[*at]));
        }
        _ => order.sort_unstable_by_key(|at| values.names[*at]),
    }
    let names: Vec<&str> = order.iter().map(|at| values.names[*at]).collect();
    let from_data = match plan.rule {
        Rule::Frequency => Some("which values more people have than others"),
        _ => values_listed(values),
    };
    Ok(Generated { paths: paths(&names, plan.fan_out)?, from_data })
}

fn paths(names: &[&str], fan_out: usize) -> Result<Vec<Vec<String>>, GenerateError> {
    let mut held = names.iter().map(|name| name.len() as u64 + NAME).sum::<u64>();
    let mut taken: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut paths: Vec<Vec<String>> = names.iter().map(|name| vec![(*name).to_owned()]).collect();
    let (mut width, mut below) = (fan_out, 1);
    while width < names.len() {
        for start in (0..names.len()).step_by(width) {
            let end = names.len().min(start + width);
            // A group of one node is that node again.
            let node = if end - start <= below {
                paths[start][paths[start].len() - 1].clone()
            } else {
                free_name(format!("{}..{}", names[start], names[end - 1]), &mut taken)
            };
            // A long name is on every line below it.
            held = held.saturating_add((end - start) as u64 * (node.len() as u64 + NAME));
            if !Limit::Hierarchy.allows(held) {
                return Err(GenerateError::Limit(Limit::Hierarchy));
            }
            paths[start..end].iter_mut().for_each(|path| path.push(node.clone()));
        }
        (width, below) = (width.saturating_mul(fan_out), width);
    }
    paths.iter_mut().for_each(|path| path.push(ROOT.to_owned()));
    Ok(paths)
}

/// The name, or one like it if something else is called so.
fn free_name(mut name: String, taken: &mut BTreeSet<String>) -> String {
    while !taken.insert(name.clone()) {
        name.push('+');
    }
    name
}

#[cfg(test)]
mod tests {
    use throng_data::{ColumnKind, Coordinates, Hierarchy, Places};

    use super::*;

    fn lines(plan: &Plan, names: &[&str], people: &[u64], places: Option<&Places>) -> String {
        let (names, people) = (names.to_vec(), people.to_vec());
        let values =
            Values { names, people, kind: ColumnKind::Category, places, categories: None, listed: true };
        let generated = plan.generate(&values).unwrap();
        let paths = generated.paths.iter().map(|path| path.iter().map(String::as_str));
        Hierarchy::from_paths(paths).unwrap();
        generated.render()
    }

    #[test]
    fn neighbours_are_grouped_until_one_level_is_left() {
        let plan = Plan { fan_out: 2, ..Plan::new(Rule::Name) };
        assert_eq!(
            lines(&plan, &["c", "a", "", "e", "b", "d"], &[1; 6], None),
            "a;a..b;a..d;*\nb;a..b;a..d;*\nc;c..d;a..d;*\nd;c..d;a..d;*\ne;e;e;*\n"
        );
    }

    #[test]
    fn the_most_frequent_come_first() {
        let plan = Plan { fan_out: 2, ..Plan::new(Rule::Frequency) };
        assert_eq!(
            lines(&plan, &["a", "b", "c"], &[1, 5, 5], None),
            "# cut from the data: publishing it gives away which values more people have than others\nb;b..c;*\nc;b..c;*\na;a;*\n"
        );
    }

    #[test]
    fn places_follow_the_curve() {
        let points = vec![[3.0, 3.0], [0.0, 0.0], [2.0, 3.0], [0.0, 1.0]];
        let places = Places { system: Coordinates::Plane, points, categories: None };
        let plan = Plan { fan_out: 2, ..Plan::new(Rule::ZOrder) };
        assert_eq!(
            lines(&plan, &["far", "near", "further", "by"], &[1; 4], Some(&places)),
            "near;near..by;*\nby;near..by;*\nfurther;further..far;*\nfar;further..far;*\n"
        );
    }

    #[test]
    fn a_group_is_never_called_like_a_value() {
        let plan = Plan { fan_out: 2, ..Plan::new(Rule::Name) };
        let text = lines(&plan, &["a", "a..b", "b", "c;d"], &[1; 4], None);
        assert!(text.starts_with("a;a..a..b;*\na..b;a..a..b;*\nb;\"b..c;d\";*\n\"c;d\";"), "{text}");
        let text = lines(&plan, &["a", "b", "b..c", "a..b"], &[1; 4], None);
        assert!(text.starts_with("a;a..a..b;*\n"), "{text}");
    }
}
