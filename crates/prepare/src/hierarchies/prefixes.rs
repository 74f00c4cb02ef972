//! Codes that lose their last characters, one a level: `12345;1234*;123**;12***;1****;*`.
//!
//! All codes are masked to the length of the longest; a shorter one joins where its own characters begin to go.

use super::{GenerateError, Generated, ROOT, Values, values_listed, within};

pub(super) fn generate(values: &Values<'_>) -> Result<Generated, GenerateError> {
    let mut names: Vec<&str> = values.names.iter().copied().filter(|name| !name.is_empty()).collect();
    if names.iter().any(|name| name.ends_with('*')) {
        return Err(GenerateError::Masked);
    }
    names.sort_unstable();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    // A level for each character, and a name on it for each value.
    within(names.len(), longest + 1, longest)?;
    let path = |name: &str| {
        let mut path = vec![name.to_owned()];
        for kept in (1..longest).rev() {
            let prefix: String = name.chars().take(kept).collect();
            let masked = longest - prefix.chars().count();
            path.push(prefix + &"*".repeat(masked));
        }
        path.push(ROOT.to_owned());
        path
    };
    Ok(Generated { paths: names.into_iter().map(path).collect(), from_data: values_listed(values) })
}

#[cfg(test)]
mod tests {
    use throng_data::limits::Limit;
    use throng_data::{ColumnKind, Hierarchy};

    use super::super::{Plan, Rule};
    use super::*;

    fn generated(names: &[&str]) -> Result<Generated, GenerateError> {
        let names = names.to_vec();
        let people = vec![1; names.len()];
        let values = Values {
            names,
            people,
            kind: ColumnKind::Category,
            places: None,
            categories: None,
            listed: false,
        };
        Plan::new(Rule::Prefix).generate(&values)
    }

    #[test]
    fn the_last_characters_are_masked_first() {
        assert_eq!(
            generated(&["1217", "1230", "12"]).unwrap().render(),
            "# cut from the data: publishing it gives away which values occur in the data\n12;12**;12**;1***;*\n1217;121*;12**;1***;*\n1230;123*;12**;1***;*\n"
        );
    }

    #[test]
    fn any_codes_make_a_tree() {
        let made = generated(&["é1", "é", "a", "ab", "abc", "x*y"]).unwrap();
        assert!(Hierarchy::from_paths(made.paths.iter().map(|path| path.iter().map(String::as_str))).is_ok());
    }

    #[test]
    fn a_long_code_is_refused_before_it_is_made() {
        let long = "x".repeat(60_000);
        assert_eq!(generated(&[&long]), Err(GenerateError::Limit(Limit::Depth)));
        // Not one of them is too long: all together are.
        let many: Vec<String> = (0..40_000).map(|number| format!("{number:0>900}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(generated(&many), Err(GenerateError::Limit(Limit::Hierarchy)));
    }

    #[test]
    fn a_code_that_looks_masked_is_refused() {
        assert_eq!(generated(&["12*", "123"]), Err(GenerateError::Masked));
    }
}
