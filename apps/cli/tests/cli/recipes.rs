//! Recipes on the command line, and runs that can be repeated.

use crate::program::{Desk, SALT};

const TRIPS: &str = "subject,item\n\
    1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n4,c\n4,d\n5,c\n5,d\n6,d\n6,a\n7,b\n8,b\n9,c\n";
const PLACES: &str = "item,x,y\na,0,0\nb,1,0\nc,5,0\nd,6,0\n";
const RECIPE: &str = "\
schema = \"throng-recipe/1\"
seed = 3

[data]
events = \"trips.csv\"
places = \"places.csv\"

[method]
name = \"seqanon\"
k = 2
m = 2
";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("places.csv", PLACES).write("recipe.toml", RECIPE);
    desk
}

fn release(desk: &Desk, directory: &str) -> [String; 3] {
    ["release.csv", "manifest.json", "report.html"].map(|file| desk.read(&format!("{directory}/{file}")))
}

#[test]
fn a_recipe_and_the_same_flags_give_the_same_bytes() {
    let desk = desk();
    let flags = "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 2 --seed 3";
    desk.ok(&format!("{flags} --salt {SALT} -o by-flags"));
    desk.ok(&format!("anonymize --recipe recipe.toml --salt {SALT} -o by-recipe"));
    assert_eq!(release(&desk, "by-flags"), release(&desk, "by-recipe"));

    let printed = desk.ok(&format!("{flags} --print-recipe")).stdout;
    assert_eq!(printed, RECIPE);
    assert_eq!(desk.files(), ["by-flags", "by-recipe", "places.csv", "recipe.toml", "trips.csv"]);
}

#[test]
fn flags_take_precedence_over_the_recipe() {
    let desk = desk();
    let printed = desk.ok("anonymize --recipe recipe.toml -k 3 --seed 4 --variant as-printed --print-recipe");
    insta::assert_snapshot!(printed.stdout);
}

#[test]
fn paths_start_from_the_recipe() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("inner")).unwrap();
    desk.write("inner/trips.csv", TRIPS).write("inner/places.csv", PLACES).write("inner/recipe.toml", RECIPE);
    desk.ok("anonymize --recipe inner/recipe.toml -o release");
}

#[test]
fn a_recipe_can_ask_for_made_up_data() {
    let desk = Desk::new();
    desk.write(
        "recipe.toml",
        "schema = \"throng-recipe/1\"\n[data]\nworld = \"city\"\nsubjects = 500\n\
         [method]\nname = \"seqanon\"\nk = 5\nm = 1\n",
    );
    desk.ok(&format!("anonymize --recipe recipe.toml --salt {SALT} -o release"));
    desk.ok("generate city --subjects 500 -o city");
    let line = "anonymize city/events.csv --places city/places.csv --taxonomy city/taxonomy.csv \
                --method seqanon -k 5 -m 1 -o by-flags";
    desk.ok(&format!("{line} --salt {SALT}"));
    assert_eq!(release(&desk, "release"), release(&desk, "by-flags"));
}

#[test]
fn a_kept_run_gives_the_same_bytes_again_from_anywhere() {
    let desk = desk();
    desk.ok("anonymize --recipe recipe.toml -o release --keep-run run");
    std::fs::create_dir(desk.path("elsewhere")).unwrap();
    std::fs::rename(desk.path("run"), desk.path("elsewhere/run")).unwrap();
    desk.ok("anonymize --recipe elsewhere/run/recipe.toml -o again");
    assert_eq!(release(&desk, "release"), release(&desk, "again"));
    let kept: serde_json::Value = serde_json::from_str(&desk.read("elsewhere/run/run.json")).unwrap();
    assert_eq!((&kept["schema"], &kept["seed"]), (&"throng-run/1".into(), &3.into()));

    desk.write("trips.csv", &format!("{TRIPS}9,a\n"));
    let changed = desk.run("anonymize --recipe elsewhere/run/recipe.toml -o later");
    insta::assert_snapshot!(changed.all());
    desk.ok("anonymize trips.csv --recipe elsewhere/run/recipe.toml -o later");
}

#[test]
fn noise_that_hides_people_can_be_repeated_by_its_publisher_alone() {
    let desk = Desk::new();
    desk.ok("generate clicks --subjects 300 -o clicks");
    let line = "anonymize clicks/events.csv --method ngrams --epsilon 1 --alphabet clicks/alphabet.csv";
    desk.ok(&format!("{line} -o release --keep-run run"));
    desk.ok("anonymize --recipe run/recipe.toml -o again");
    assert_eq!(release(&desk, "release"), release(&desk, "again"));
}

#[test]
fn a_run_is_not_kept_where_it_would_be_published() {
    let desk = desk();
    let inside = desk.run("anonymize --recipe recipe.toml -o release --keep-run release/run");
    desk.ok("anonymize --recipe recipe.toml -o release --keep-run run");
    let twice = desk.run("anonymize --recipe recipe.toml -o other --keep-run run");
    insta::assert_snapshot!(format!("{}{}", inside.all(), twice.all()));
    desk.ok("anonymize --recipe recipe.toml -o release --keep-run run --force");
}

#[test]
fn what_is_wrong_with_a_recipe_is_pointed_at() {
    let head = "schema = \"throng-recipe/1\"\n";
    let data = "[data]\nevents = \"trips.csv\"\nplaces = \"places.csv\"\n";
    let method = "[method]\nname = \"seqanon\"\nk = 2\nm = 2\n";
    let cases: &[(&str, String, i32)] = &[
        ("not TOML", format!("{head}[data\n"), 2),
        ("no schema", format!("{data}{method}"), 2),
        ("another schema", format!("schema = \"throng-compare/1\"\n{data}{method}"), 2),
        ("unknown section", format!("{head}{data}{method}[mesures]\n"), 2),
        ("unknown key", format!("{head}{data}plces = \"x\"\n{method}"), 2),
        ("no events", format!("{head}[data]\nplaces = \"places.csv\"\n{method}"), 2),
        ("missing file", format!("{head}[data]\nevents = \"nowhere.csv\"\n{method}"), 3),
        ("events and world", format!("{head}{data}world = \"city\"\n{method}"), 2),
        ("unknown world", format!("{head}[data]\nworld = \"citty\"\n{method}"), 2),
        ("size without world", format!("{head}{data}subjects = 5\n{method}"), 2),
        ("no method", format!("{head}{data}"), 2),
        ("unknown method", format!("{head}{data}[method]\nname = \"seqanno\"\n"), 2),
        ("unknown parameter", format!("{head}{data}{method}distanse = \"average\"\n"), 2),
        ("wrong range", format!("{head}{data}[method]\nname = \"seqanon\"\nm = 2\nk = 0\n"), 2),
        ("wrong type", format!("{head}{data}[method]\nname = \"seqanon\"\nm = 2\nk = [2]\n"), 2),
        ("missing parameter", format!("{head}{data}[method]\nname = \"lkc\"\nK = 2\n"), 2),
        ("wrong variant", format!("{head}{data}{method}variant = \"exact\"\n"), 2),
        ("wrong seed", format!("seed = -1\n{head}{data}{method}"), 2),
        ("wrong salt", format!("salt = \"ab\"\n{head}{data}{method}"), 2),
        ("wrong role", format!("{head}{data}{method}[publish]\nroles = {{ age = \"public\" }}\n"), 2),
        ("wrong separator", format!("{head}{data}separator = \"ab\"\n{method}"), 2),
        ("unused wish", format!("{head}{data}constraints = \"places.csv\"\n{method}"), 2),
    ];
    let desk = desk();
    let mut text = String::new();
    for (what, recipe, code) in cases {
        desk.write("wrong.toml", recipe);
        let ran = desk.run("anonymize --recipe wrong.toml -o release");
        assert_eq!((ran.code, ran.stdout.as_str()), (*code, ""), "{what}\n{}", ran.stderr);
        text.push_str(&format!("# {what}\n{}\n", ran.stderr));
    }
    let missing = desk.run("anonymize --recipe nowhere.toml -o release");
    assert_eq!(missing.code, 3);
    insta::assert_snapshot!(format!("{text}# no recipe\n{}", missing.stderr));
    assert_eq!(desk.files(), ["places.csv", "recipe.toml", "trips.csv", "wrong.toml"]);
}
