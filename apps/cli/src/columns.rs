//! Flags that say what the columns of a table are: roles, types, hierarchies, or a schema file with all of them.

use std::path::{Path, PathBuf};
use throng_contract::InputKey;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use throng_data::formats::Source;
use throng_data::{ColumnKind, DeclaredRange, Role};
use throng_lab::Files;
use throng_lab::schema::Schema;

use crate::failure::Stop;

/// The flags.
pub fn flags() -> Vec<Arg> {
    let columns = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("COLUMN[,COLUMN]")
            .value_delimiter(',')
            .action(ArgAction::Append)
            .help(help)
    };
    let args = [
        Arg::new("id").long("id").value_name("COLUMN").conflicts_with("subject").help(
            "Column that tells people apart, never published; `-` if every row is a person [default: id]",
        ),
        columns("quasi", "Columns that an attacker may know: they are made coarser and published"),
        columns(
            "sensitive-attribute",
            "Columns that an attacker must not learn: they are published as they are",
        ),
        Arg::new("type")
            .long("type")
            .value_name("COLUMN=TYPE")
            .action(ArgAction::Append)
            .value_parser(kind)
            .help("What a column holds: category, number or date [default: guessed]"),
        Arg::new("range")
            .long("range")
            .value_name("COLUMN=LOW..HIGH")
            .action(ArgAction::Append)
            .value_parser(range)
            .help("What a column of numbers or dates may hold: ends of published ranges follow from it; may be repeated"),
        Arg::new("hierarchy")
            .long("hierarchy")
            .value_name("COLUMN=FILE")
            .action(ArgAction::Append)
            .value_parser(hierarchy)
            .help("A generalisation hierarchy of a column, `value;parent;...;root` a line; may be repeated"),
        Arg::new("hierarchies")
            .long("hierarchies")
            .value_name("DIR")
            .value_parser(value_parser!(PathBuf))
            .help("A folder with hierarchies of quasi-identifiers, COLUMN.csv each"),
        Arg::new("schema")
            .long("schema")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Roles, types, ranges and hierarchies from a file; `throng inspect --write-schema` drafts one"),
    ];
    let essential = ["quasi", "sensitive-attribute"];
    let leave_out = |arg: &Arg| !essential.contains(&arg.get_id().as_str());
    args.map(|arg| {
        let more = leave_out(&arg);
        arg.help_heading("Columns of a table").hide_short_help(more)
    })
    .into()
}

/// What `--accept-identifier` names.
pub fn accepted_identifiers(matches: &ArgMatches) -> impl Iterator<Item = String> + '_ {
    let named = matches.get_many::<String>("accept-identifier").into_iter().flatten();
    named.map(|column| column.trim().to_owned())
}

/// `COLUMN=TYPE`.
fn kind(text: &str) -> Result<(String, ColumnKind), String> {
    let (column, word) = text.split_once('=').ok_or("expected COLUMN=TYPE")?;
    match ColumnKind::parse(word) {
        Some(kind) => Ok((column.to_owned(), kind)),
        None => Err("a type is category, number or date".to_owned()),
    }
}

/// `COLUMN=LOW..HIGH`.
fn range(text: &str) -> Result<(String, DeclaredRange), String> {
    let (column, range) = text.split_once('=').ok_or("expected COLUMN=LOW..HIGH")?;
    Ok((column.to_owned(), range.parse()?))
}

/// `COLUMN=FILE`.
fn hierarchy(text: &str) -> Result<(String, PathBuf), String> {
    let (column, path) = text.split_once('=').ok_or("expected COLUMN=FILE")?;
    Ok((column.to_owned(), PathBuf::from(path)))
}

/// Puts what the flags say of columns among the files of a run; flags take precedence over a schema.
pub fn apply(matches: &ArgMatches, files: &mut Files) -> Result<(), Stop> {
    if let Some(id) = matches.get_one::<String>("id") {
        files.read.subject = Some(id.clone());
    }
    for (flag, role) in [("quasi", Role::QuasiIdentifying), ("sensitive-attribute", Role::Sensitive)] {
        for name in matches.get_many::<String>(flag).into_iter().flatten() {
            let name = name.trim();
            if let Some((_, other)) =
                files.roles.iter().find(|(known, other)| known == name && *other != role)
            {
                return Err(Stop::usage(
                    format!("column `{name}` cannot be both {} and {}", other.name(), role.name()),
                    "name it once: what an attacker may know, or what must not be learned",
                ));
            }
            files.roles.push((name.to_owned(), role));
        }
    }
    files.read.types.extend(matches.get_many::<(String, ColumnKind)>("type").into_iter().flatten().cloned());
    files.ranges.extend(matches.get_many::<(String, DeclaredRange)>("range").into_iter().flatten().cloned());
    for (column, path) in matches.get_many::<(String, PathBuf)>("hierarchy").into_iter().flatten() {
        files.give(InputKey::hierarchy(column), Source::file(path));
    }
    if let Some(path) = matches.get_one::<PathBuf>("schema") {
        Schema::read(path)?.apply(files);
    }
    if let Some(folder) = matches.get_one::<PathBuf>("hierarchies") {
        from_folder(folder, files)?;
    }
    Ok(())
}

/// The hierarchy of every quasi-identifier that has none yet: `COLUMN.csv`, or a file whose name ends with the column's, as in
/// `adult_hierarchy_age.csv`.
fn from_folder(folder: &Path, files: &mut Files) -> Result<(), Stop> {
    let cannot = |error: std::io::Error| {
        Stop::usage(
            format!("`--hierarchies {}` cannot be read: {error}", folder.display()),
            "give a folder with one file a column",
        )
    };
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let named = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
        if let (Some(stem), Some("csv")) = (named, path.extension().and_then(|extension| extension.to_str()))
        {
            found.push((stem, path));
        }
    }
    found.sort();
    let quasi = files.roles.iter().filter(|(_, role)| *role == Role::QuasiIdentifying);
    let quasi: Vec<String> = quasi.map(|(name, _)| name.clone()).collect();
    for column in quasi {
        if files.hierarchy(&column).is_some() {
            continue;
        }
        let ends = |stem: &str| {
            let rest = stem.strip_suffix(column.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['_', '-', '.', ' ']))
        };
        let exact = found.iter().find(|(stem, _)| *stem == column);
        let alike: Vec<&(String, PathBuf)> = found.iter().filter(|(stem, _)| ends(stem)).collect();
        match (exact, &alike[..]) {
            (Some((_, path)), _) | (None, [(_, path)]) => {
                files.give(InputKey::hierarchy(&column), Source::file(path));
            }
            (None, []) => {}
            (None, [(first, _), (second, _), ..]) => {
                return Err(Stop::usage(
                    format!("`{first}.csv` and `{second}.csv` could each be the hierarchy of `{column}`"),
                    format!("say which with `--hierarchy {column}=FILE`"),
                ));
            }
        }
    }
    Ok(())
}
