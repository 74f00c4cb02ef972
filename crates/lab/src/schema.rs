//! A schema file: what the columns of a table are, so that users need not type twenty of them.
//!
//! ```toml
//! id = "patient"            # the column that tells people apart; never published
//!
//! [columns.age]
//! role = "quasi-identifying" # identifying, quasi-identifying, sensitive or insensitive
//! type = "number"            # category, number or date; guessed where it is left out
//! range = "0..120"           # what the column may hold; ends of published ranges follow from it
//! hierarchy = "age.csv"      # a path from the folder of the schema
//! ```
//!
//! A column that is not listed, or has no role, is withheld.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use throng_contract::InputKey;

use throng_data::formats::Source;
use throng_data::recognize::direct_identifier_of;
use throng_data::{Column, ColumnKind, DeclaredRange, Role, Table};

use crate::recipe::{Document, RecipeError, declared_range};
use throng_data::load::Files;

/// What a schema says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schema {
    /// The column that tells people apart.
    pub id: Option<String>,
    /// The columns, in the order of the file.
    pub columns: Vec<SchemaColumn>,
}

/// What a schema says of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaColumn {
    /// Its name.
    pub name: String,
    /// Its role, if it has one.
    pub role: Option<Role>,
    /// Its type, if it is not guessed.
    pub kind: Option<ColumnKind>,
    /// What it may hold, if that was declared.
    pub range: Option<DeclaredRange>,
    /// Its hierarchy.
    pub hierarchy: Option<PathBuf>,
    /// Why a draft gives it that role; not read from a file.
    pub reason: Option<String>,
}

impl Schema {
    /// Reads a schema.
    pub fn read(path: &Path) -> Result<Self, RecipeError> {
        Schema::of_document(&Document::read(path)?)
    }

    fn of_document(document: &Document) -> Result<Self, RecipeError> {
        let root = document.root()?;
        root.only(&["id", "columns"])?;
        let mut schema = Schema { id: root.text("id")?, columns: Vec::new() };
        let Some(columns) = root.section("columns")? else { return Ok(schema) };
        for entry in columns.entries() {
            let name = entry.name.clone();
            let section = entry.section()?;
            section.only(&["role", "type", "range", "hierarchy"])?;
            let role = match section.get("role") {
                None => None,
                Some(entry) => Some(Role::parse(&entry.text()?).ok_or_else(|| {
                    let names = Role::ALL.map(Role::name).join(", ");
                    entry.error("there is no such role").help(format!("a role is one of {names}"))
                })?),
            };
            let kind = match section.get("type") {
                None => None,
                Some(entry) => Some(ColumnKind::parse(&entry.text()?).ok_or_else(|| {
                    let names = ColumnKind::ALL.map(ColumnKind::name).join(", ");
                    entry.error("there is no such type").help(format!("a type is one of {names}"))
                })?),
            };
            let range = match section.get("range") {
                None => None,
                Some(entry) => Some(declared_range(&entry)?),
            };
            let hierarchy = match section.get("hierarchy") {
                None => None,
                Some(entry) => Some(entry.existing_path()?),
            };
            schema.columns.push(SchemaColumn { name, role, kind, range, hierarchy, reason: None });
        }
        Ok(schema)
    }

    /// Puts what the schema says among the files of a run; what was said there before takes precedence.
    pub fn apply(&self, files: &mut Files) {
        if files.read.subject.is_none() {
            files.read.subject.clone_from(&self.id);
        }
        for column in &self.columns {
            let name = || column.name.clone();
            if let Some(role) =
                column.role.filter(|_| !files.roles.iter().any(|(known, _)| *known == column.name))
            {
                files.roles.push((name(), role));
            }
            if let Some(kind) = column.kind
                && !files.read.types.iter().any(|(known, _)| *known == column.name)
            {
                files.read.types.push((name(), kind));
            }
            if let Some(range) = &column.range
                && !files.ranges.iter().any(|(known, _)| *known == column.name)
            {
                files.ranges.push((name(), range.clone()));
            }
            if let Some(path) = &column.hierarchy
                && files.hierarchy(&column.name).is_none()
            {
                files.give(InputKey::hierarchy(&name()), Source::file(path));
            }
        }
    }

    /// A first draft for a table: types as they were guessed, and roles that the publisher has to confirm. A column that identifies people
    /// directly ([`throng_data::recognize::direct_identifier`]) is identifying; the others count as known until the publisher says otherwise.
    pub fn draft(id: Option<&str>, table: &Table, people: usize) -> Self {
        let column = |column: &Column| {
            let identifier = direct_identifier_of(column, people);
            SchemaColumn {
                name: column.name.clone(),
                role: Some(match identifier {
                    Some(_) => Role::Identifying,
                    None => Role::QuasiIdentifying,
                }),
                kind: Some(column.kind()),
                range: None,
                hierarchy: None,
                reason: identifier.map(|found| found.reason),
            }
        };
        Schema { id: id.map(str::to_owned), columns: table.columns.iter().map(column).collect() }
    }

    /// The schema as a file.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = String::from(
            "# Roles: identifying (never published), quasi-identifying (may be known), sensitive (must not be learned),\n\
             # insensitive (published as it is). A column without a role is withheld. Check every guess.\n",
        );
        if let Some(id) = &self.id {
            let _ = writeln!(text, "id = {}", quoted(id));
        }
        for column in &self.columns {
            let _ = writeln!(text, "\n[columns.{}]", quoted(&column.name));
            if let Some(role) = column.role {
                let reason =
                    column.reason.as_ref().map_or_else(String::new, |reason| format!("  # {reason}"));
                let _ = writeln!(text, "role = {}{reason}", quoted(role.name()));
            }
            if let Some(kind) = column.kind {
                let _ = writeln!(text, "type = {}", quoted(kind.name()));
            }
            if let Some(range) = &column.range {
                let _ = writeln!(text, "range = {}", quoted(&range.to_string()));
            }
            if let Some(path) = &column.hierarchy {
                let _ = writeln!(text, "hierarchy = {}", quoted(&path.to_string_lossy()));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Schema, RecipeError> {
        Schema::of_document(&Document::of("schema.toml", text.to_owned(), Path::new("")))
    }

    #[test]
    fn a_schema_is_read_as_it_is_written() {
        let text = "id = \"p\"\n[columns.age]\nrole = \"quasi-identifying\"\ntype = \"number\"\nrange = \"0..120\"\n[columns.\"a b\"]\n";
        let schema = parse(text).unwrap();
        assert_eq!(schema.columns[0].role, Some(Role::QuasiIdentifying));
        assert_eq!((schema.columns[1].name.as_str(), schema.columns[1].role), ("a b", None));
        assert_eq!(parse(&schema.to_toml()).unwrap(), schema);
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for text in [
            "[columns.age]\nrole = \"quasi\"\n",
            "[columns.age]\ntype = \"text\"\n",
            "[columns.age]\nrange = \"120..0\"\n",
            "[columns.age]\nrolle = \"sensitive\"\n",
            "[column.age]\n",
            "[columns.age]\nhierarchy = \"nowhere.csv\"\n",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_was_said_before_takes_precedence() {
        let schema =
            parse("id = \"p\"\n[columns.age]\nrole = \"quasi-identifying\"\ntype = \"number\"\n").unwrap();
        let mut files = Files::of(Source::parse("-"));
        files.roles.push(("age".to_owned(), Role::Sensitive));
        schema.apply(&mut files);
        assert_eq!(files.roles, [("age".to_owned(), Role::Sensitive)]);
        assert_eq!(files.read.types, [("age".to_owned(), ColumnKind::Number)]);
        assert!(files.is_table());
    }
}
