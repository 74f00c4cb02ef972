//! Roles, hierarchies and ranges of columns, each fitted to its column.

use std::collections::BTreeMap;

use throng_contract::{Class, Failure, Progress, did_you_mean, help};

use super::Files;
use crate::formats::{Shape, Source, read_hierarchy};
use crate::{Column, DeclaredRange, Domain, Hierarchy, HierarchyError, Role, Table, position};

/// `COLUMN=VALUE[,VALUE]`, each as typed.
pub fn sensitive_values(typed: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs = Vec::new();
    for text in typed {
        let Some((column, values)) = text.split_once('=').filter(|(column, _)| !column.trim().is_empty())
        else {
            return Err(Failure::new(Class::Usage, format!("`sensitive-values`: `{text}` names no column"))
                .with_help("write it as COLUMN=VALUE or COLUMN=VALUE,VALUE"));
        };
        let values = values.split(',').map(str::trim).filter(|value| !value.is_empty());
        pairs.extend(values.map(|value| (column.trim().to_owned(), value.to_owned())));
    }
    Ok(pairs)
}

/// Why a column that names people is not published.
pub fn identifying(column: &str) -> Failure {
    Failure::new(Class::Refused, format!("column `{column}` identifies people and is never published"))
        .with_help("take it out of {publish}; give the column another role only if it identifies no one")
}

/// Roles as given; a column with sensitive values is sensitive unless said otherwise.
pub(super) fn give_roles(
    table: &mut Table,
    roles: &[(String, Role)],
    sensitive_values: &[(String, String)],
) -> Result<(), Failure> {
    for (name, _) in sensitive_values {
        column(table, name)?.role = Some(Role::Sensitive);
    }
    for (name, role) in roles {
        column(table, name)?.role = Some(*role);
    }
    Ok(())
}

/// Columns of a table that are published as they are; those that an attacker knows or must not learn are published anyway.
pub(super) fn publish(table: &mut Table, columns: &[String]) -> Result<(), Failure> {
    for name in columns {
        let column = column(table, name)?;
        match column.role {
            Some(Role::Identifying) => return Err(identifying(name)),
            Some(_) => {}
            None => column.role = Some(Role::Insensitive),
        }
    }
    Ok(())
}

/// Reads the hierarchies of columns, each against the values of its column.
pub(super) fn read_hierarchies(
    files: &Files,
    table: &mut Table,
    progress: &Progress,
) -> Result<BTreeMap<String, Hierarchy>, Failure> {
    let mut found = BTreeMap::new();
    for (name, source) in files.hierarchies() {
        let column = column(table, name)?;
        let hierarchy = read_hierarchy(source, progress)?;
        if let Err(error) = Domain::of(column, Some(&hierarchy)) {
            return Err(misfit(column, source, &error));
        }
        found.insert(name.to_owned(), hierarchy);
    }
    Ok(found)
}

/// The declared ranges of columns, each against the values of its column.
pub(super) fn checked_ranges(
    ranges: &[(String, DeclaredRange)],
    table: &mut Table,
) -> Result<BTreeMap<String, DeclaredRange>, Failure> {
    let mut found = BTreeMap::new();
    for (name, range) in ranges {
        let column = column(table, name)?;
        let kind = column.kind();
        let Some((low, high)) = range.ends(kind) else {
            let what =
                format!("the range {range} does not fit the column `{name}`, whose type is {}", kind.name());
            let help =
                help!("give two values of that type, or say what the column holds: {type $=number}", name);
            return Err(Failure::new(Class::Usage, what).with_help(help));
        };
        let outside =
            |row: &usize| position(&column.text(*row), kind).is_some_and(|value| value < low || value > high);
        if let Some(row) = (0..column.len()).find(outside) {
            let what = format!("row {} of column `{name}` lies outside the declared range {range}", row + 1);
            return Err(Failure::new(Class::BadInput, what)
                .with_help(help!("mend the row, or declare a wider range: {range $=LOW..HIGH}", name)));
        }
        if found.insert(name.clone(), range.clone()).is_some() {
            return Err(Failure::new(Class::Usage, format!("column `{name}` has two ranges"))
                .with_help("give one with {range COLUMN=LOW..HIGH}"));
        }
    }
    Ok(found)
}

/// Why a hierarchy does not fit its column. A value of the data is not repeated in an error: the row it stands in is named.
fn misfit(column: &Column, source: &Source, error: &HierarchyError) -> Failure {
    let (what, help) = match error {
        HierarchyError::MissingValue { value, others } => {
            let row = (0..column.len()).find(|row| column.text(*row) == *value).unwrap_or_default() + 1;
            let others = match others {
                0 => String::new(),
                1 => ", nor has it another one".to_owned(),
                others => format!(", nor has it {others} others"),
            };
            let what = format!(
                "has no leaf for {} in row {row} of column `{}`{others}",
                Shape::of(value),
                column.name
            );
            (
                what,
                "add a line `value;parent;...;root` for every value of the column, or intervals that hold all of them",
            )
        }
        other => (
            format!("does not fit column `{}`: {other}", column.name),
            "write intervals as `[low,high]`, both ends included, none of them overlapping another",
        ),
    };
    Failure::new(Class::BadInput, format!("hierarchy `{}` {what}", source.name())).with_help(help)
}

fn column<'a>(table: &'a mut Table, name: &str) -> Result<&'a mut Column, Failure> {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let Some(at) = names.iter().position(|known| *known == name) else {
        let help = match did_you_mean(name, names.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            // Without a header columns go by their numbers.
            None if names.iter().any(|name| name.parse::<f64>().is_ok()) => format!(
                "the file has no line with names, so that columns go by their numbers, up to {}; put a line with names above \
                 the rows, or give numbers",
                names.len()
            ),
            None => format!("there are {}", names.join(", ")),
        };
        return Err(Failure::new(Class::Usage, format!("the data have no column `{name}`")).with_help(help));
    };
    Ok(&mut table.columns[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensitive_values_are_column_and_value_pairs() {
        let pairs = sensitive_values(&["status=welfare, none".to_owned()]).unwrap();
        let pair = |column: &str, value: &str| (column.to_owned(), value.to_owned());
        assert_eq!(pairs, [pair("status", "welfare"), pair("status", "none")]);
        assert_eq!(sensitive_values(&["welfare".to_owned()]).unwrap_err().class, Class::Usage);
    }
}
