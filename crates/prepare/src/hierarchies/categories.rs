//! Items below their categories: `item;category;*`.

use std::collections::BTreeSet;

use super::{GenerateError, Generated, ROOT, Values, values_listed};

pub(super) fn generate(values: &Values<'_>) -> Result<Generated, GenerateError> {
    let categories = values.categories.ok_or(GenerateError::NoCategories)?;
    let names: BTreeSet<&str> = values.names.iter().copied().collect();
    let mut paths: Vec<Vec<String>> = Vec::new();
    for (name, category) in values.names.iter().zip(categories).filter(|(name, _)| !name.is_empty()) {
        // A group may be called like an item, or not at all; the tree needs a name of its own for it.
        let mut group = if category.is_empty() { "other".to_owned() } else { category.clone() };
        while names.contains(group.as_str()) || group == ROOT {
            group.push('+');
        }
        paths.push(vec![(*name).to_owned(), group, ROOT.to_owned()]);
    }
    paths.sort_by(|a, b| a[1].cmp(&b[1]).then_with(|| a[0].cmp(&b[0])));
    Ok(Generated { paths, from_data: values_listed(values) })
}

#[cfg(test)]
mod tests {
    use throng_data::ColumnKind;

    use super::super::{Plan, Rule};
    use super::*;

    #[test]
    fn items_lie_below_their_categories() {
        let categories = ["bar", "b", "bar", ""].map(str::to_owned);
        let values = Values {
            names: vec!["a", "b", "c", "d"],
            people: vec![1; 4],
            kind: ColumnKind::Category,
            places: None,
            categories: Some(&categories),
            listed: true,
        };
        let made = Plan::new(Rule::Category).generate(&values).unwrap();
        assert_eq!(made.render(), "b;b+;*\na;bar;*\nc;bar;*\nd;other;*\n");
        let nowhere = Values { categories: None, ..values };
        assert_eq!(Plan::new(Rule::Category).generate(&nowhere), Err(GenerateError::NoCategories));
    }
}
