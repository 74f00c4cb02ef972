//! Recipes: what is written down and read again means the same.

#![allow(missing_docs, reason = "test names read as claims")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use throng_contract::Input;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use throng_data::Role;
use throng_data::formats::{Format, ReadOptions, Source};
use throng_lab::recipe::{Data, World};
use throng_lab::{Files, Limits, Recipe, ReleaseFormat, Salt, Together};
use throng_methods::Variant;
use throng_prepare::worlds::WorldOptions;

/// Names with everything in them that TOML has to escape.
fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 _.\"'\\\\#=\\[\\]éß\n\t]{1,12}"
}

fn settings() -> impl Strategy<Value = Vec<(String, String)>> {
    let k = (2..50_u64).prop_map(|k| ("k".to_owned(), k.to_string()));
    let rest = prop_oneof![
        (1..4_u64).prop_map(|m| ("m".to_owned(), m.to_string())),
        (0..100_u64).prop_map(|share| ("max-suppressed".to_owned(), format!("{share}%"))),
        (1..100_u64).prop_map(|share| ("max-suppressed".to_owned(), format!("0.{share}"))),
        any::<bool>().prop_map(|switch| ("no-apriori".to_owned(), switch.to_string())),
        Just(("distance".to_owned(), "average".to_owned())),
    ];
    (k, rest).prop_map(|(k, rest)| vec![k, rest])
}

fn read_options() -> impl Strategy<Value = ReadOptions> {
    let form = prop_oneof![Just(Format::LongCsv), Just(Format::Parquet)];
    (option::of(form), option::of(name()), option::of(name()), option::of(any::<char>())).prop_map(
        |(format, subject, wide, separator)| ReadOptions {
            format,
            subject,
            wide,
            separator,
            ..ReadOptions::default()
        },
    )
}

fn data() -> impl Strategy<Value = Data> {
    let world = option::of((option::of(1..1000_u64), any::<u64>()));
    (world, read_options(), vec(name(), 0..3), vec(name(), 0..3)).prop_map(
        |(world, read, publish, values)| {
            let roles = publish.iter().cloned().zip([Role::Sensitive, Role::QuasiIdentifying]).collect();
            let source = match world {
                Some(_) => Source::memory("events.csv", []),
                None => Source::file("trips.csv"),
            };
            let mut files = Files { read, publish, roles, sensitive_values: values, ..Files::of(source) };
            files.give(Input::Places, Source::file("places.csv"));
            files.give(Input::PersonPatterns, Source::file("theirs.csv"));
            let world = world.map(|(subjects, seed)| World {
                name: "city",
                options: WorldOptions { subjects, seed, ..WorldOptions::default() },
            });
            Data { files, world, fingerprints: vec![("places".to_owned(), "ab".repeat(32))] }
        },
    )
}

/// Column names are keys: the same one twice is one role.
fn distinct(mut recipe: Recipe) -> Recipe {
    let mut seen = Vec::new();
    recipe.data.files.roles.retain(|(column, _)| {
        let first = !seen.contains(column);
        seen.push(column.clone());
        first
    });
    recipe
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let form = prop_oneof![Just(ReleaseFormat::Csv), Just(ReleaseFormat::Parquet)];
    let variant = prop_oneof![Just(Variant::Sound), Just(Variant::AsPrinted)];
    let salt = option::of("[0-9a-f]{64}")
        .prop_map(|hex| hex.map(|hex| Salt::parse(&hex).expect("hexadecimal digits")));
    (data(), settings(), variant, option::of(any::<u64>()), salt, form, any::<bool>()).prop_map(
        |(data, settings, variant, seed, salt, format, map)| {
            distinct(Recipe {
                data,
                limits: Limits::default(),
                method: "seqanon".to_owned(),
                settings,
                variant,
                seed,
                salt,
                format,
                map,
                allow_empty: map,
                spreadsheet_safe: !map,
                spell_out: !map,
                together: if map { Together::Warn } else { Together::Refuse },
                after: map.then(|| "january".into()),
                after_linkage: (!map).then(|| "who.csv".into()),
            })
        },
    )
}

proptest! {
    #[test]
    fn a_recipe_survives_being_written_and_read(recipe in recipe()) {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("trips.csv"), "").unwrap();
        fs::write(home.path().join("places.csv"), "").unwrap();
        fs::write(home.path().join("theirs.csv"), "").unwrap();
        let text = recipe.to_toml();
        let read = Recipe::parse("recipe.toml", &text, home.path()).unwrap();
        let name = |source: &Source| source.name().rsplit('/').next().unwrap().to_owned();
        let sources = |data: &Data| data.sources().iter().map(|(role, at)| (role.clone(), name(at))).collect::<Vec<_>>();
        prop_assert_eq!(sources(&recipe.data), sources(&read.data));
        let (given, found) = (&recipe.data.files, &read.data.files);
        prop_assert_eq!(&given.read, &found.read);
        prop_assert_eq!(&given.publish, &found.publish);
        prop_assert_eq!(&given.roles, &found.roles);
        prop_assert_eq!(recipe.together, read.together);
        let from_home = |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| home.path().join(path));
        prop_assert_eq!(&from_home(&recipe.after), &read.after);
        prop_assert_eq!(&from_home(&recipe.after_linkage), &read.after_linkage);
        prop_assert_eq!(&given.sensitive_values, &found.sensitive_values);
        prop_assert_eq!(&recipe.data.world, &read.data.world);
        prop_assert_eq!(&recipe.data.fingerprints, &read.data.fingerprints);
        prop_assert_eq!(&recipe.settings, &read.settings);
        prop_assert_eq!(
            (recipe.variant, recipe.seed, recipe.salt, recipe.format, recipe.map),
            (read.variant, read.seed, read.salt, read.format, read.map)
        );
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}", lines in vec("[a-z\\[\\]=\"0-9{}., ]{0,30}", 0..12)) {
        let _ = Recipe::parse("recipe.toml", &text, Path::new(""));
        let schema = "schema = \"throng-recipe/1\"\n";
        let _ = Recipe::parse("recipe.toml", &format!("{schema}{}", lines.join("\n")), Path::new(""));
    }
}
