//! A damaged file may hold a name as long as itself: an error repeats at most 80 characters of it.

use crate::program::Desk;

/// What stands between backticks or double quotes.
fn longest_quoted(text: &str) -> usize {
    let lengths = |mark: char| text.split(mark).skip(1).step_by(2).map(|part| part.chars().count()).max();
    lengths('`').max(lengths('"')).unwrap_or(0)
}

#[test]
fn an_error_repeats_at_most_80_characters_of_a_name() {
    let desk = Desk::new();
    let long = "x".repeat(20_000);
    desk.write("trips.csv", "subject,item\nann,a\nbob,a\ncid,b\ndan,b\n");
    desk.write("places.csv", &format!("item,x,y\na,0,0\n{long},1,0\n"));
    desk.write("tree.csv", &format!("a;{long};*\nb;{long};+\n"));
    desk.write("header.csv", &format!("{long},b\n1,2\n1,3\n"));
    desk.write("release/release.csv", "record,item\n1,a\n");
    desk.write(
        "release/manifest.json",
        &format!("{{\"schema\": \"throng-manifest/1\", \"kind\": [\"{long}\"], \"{long}\": 1}}"),
    );
    desk.write("recipe.toml", &format!("[method]\nname = \"{long}\"\n{long} = 3\n"));
    for line in [
        "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 1 -o out",
        "anonymize trips.csv --taxonomy tree.csv --method seqanon -k 2 -m 1 -o out",
        "inspect header.csv --subject missing",
        "verify release",
        "anonymize --recipe recipe.toml -o out",
    ] {
        let ran = desk.run(line);
        assert_ne!(ran.code, 0, "{line}");
        assert!(ran.stderr.chars().count() < 4_200, "{line}: {} characters", ran.stderr.chars().count());
        assert!(longest_quoted(&ran.stderr) <= 80, "{line}: {}", ran.stderr);
        assert!(!desk.path("out").exists());
    }
}
