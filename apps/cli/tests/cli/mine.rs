//! `throng mine`.

use crate::program::Desk;

/// Five people, one of them with two trips.
const TRIPS: &str = "subject,trip,place\n\
    1,a,home\n1,a,bus\n1,a,work\n1,b,home\n1,b,work\n2,a,home\n2,a,bus\n2,a,work\n\
    3,a,home\n3,a,work\n4,a,bus\n4,a,work\n5,a,zoo\n";

#[test]
fn patterns_are_printed_with_the_people_who_have_them() {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS);
    let mut text = String::new();
    for line in [
        "mine patterns trips.csv --min-support 2",
        "mine maximal trips.csv --min-support 2",
        "mine closed trips.csv --min-support 40%",
        "mine patterns trips.csv --min-support 2 --top 2 --min-length 2",
        "mine patterns trips.csv --min-support 60% --format spmf",
        "mine maximal trips.csv --min-support 2 --json",
        "mine itemsets trips.csv --min-support 2",
        "mine itemsets trips.csv --min-support 2 --keep closed --format spmf",
        "mine itemsets trips.csv --min-support 2 --keep maximal --json",
    ] {
        text.push_str(&format!("$ throng {line}\n{}\n", desk.ok(line).all()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_time_limit_gives_what_was_found_and_says_so() {
    let desk = Desk::new();
    // All subsequences of a record of forty distinct items: 2^40 patterns would take too long.
    let long: String = (0..40).map(|item| format!("{item} -1 ")).collect();
    desk.write("long.spmf", &format!("{long}-2\n{long}-2\n"));
    let ran = desk.ok("mine patterns long.spmf --min-support 2 --time-limit 0.02 --json");
    let found = ran.json();
    assert_eq!((&found["complete"], &found["schema"]), (&false.into(), &"throng-patterns/1".into()));
    assert!(!found["patterns"].as_array().unwrap().is_empty());
    assert!(ran.stderr.contains("stopped at the time limit"), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_mined_is_explained() {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("baskets.dat", "1 2 3\n2 3\n");
    let mut text = String::new();
    for line in [
        "mine",
        "mine paterns trips.csv",
        "mine patterns trips.csv --min-support 0",
        "mine patterns trips.csv --min-support lots",
        "mine patterns trips.csv --min-length 3 --max-length 2",
        "mine patterns trips.csv --time-limit 0",
        "mine patterns baskets.dat",
        "mine itemsets baskets.dat --keep rare",
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}

/// The collaboration graph of GraMi's Figure 1.
const AUTHORS: &str = "# t 1\nv 0 IR\nv 1 DB\nv 2 DM\nv 3 IR\nv 4 IR\nv 5 DB\nv 6 DB\nv 7 DM\nv 8 IR\nv 9 IR\n\
    e 0 1 4\ne 1 3 4\ne 1 2 5\ne 2 3 20\ne 3 4 10\ne 4 5 4\ne 5 6 2\ne 6 8 4\ne 7 8 20\ne 8 9 10\n";

#[test]
fn subgraphs_are_printed_with_their_support() {
    let desk = Desk::new();
    desk.write("authors.lg", AUTHORS);
    desk.write("edges.csv", "from,to\na,b\nb,c\nc,a\nb,b\na,b\n")
        .write("labels.csv", "node,label\na,X\nb,Y\nc,X\nc,Y\n");
    desk.write(
        "small.graphml",
        "<graphml><key id=\"d0\" for=\"node\" attr.name=\"label\"/><graph edgedefault=\"directed\">\n\
         <node id=\"n1\"><data key=\"d0\">A &amp; B</data></node><node id=\"n2\"><data key=\"d0\">C</data></node>\n\
         <edge source=\"n2\" target=\"n1\"/></graph></graphml>",
    );
    desk.write(
        "mine.toml",
        "schema = \"throng-mine/1\"\n[graph]\nfile = \"authors.lg\"\nignore-edge-labels = true\n[search]\nmin-support = 2\n\
         [constraints]\nmax-same-label = 1\nwithout-labels = [\"DM\"]\n",
    );
    let leaves: String = (1..200).map(|leaf| format!("v {leaf} B\ne 0 {leaf}\n")).collect();
    desk.write("star.lg", &format!("v 0 A\n{leaves}"));
    let mut text = String::new();
    for line in [
        "mine subgraphs authors.lg --min-support 2 --exact",
        "mine subgraphs authors.lg --min-support 2 --support mis --keep maximal",
        "mine subgraphs authors.lg --min-support 2 --distance weights --delta 0.3 --min-edges 3 --json",
        "mine subgraphs authors.lg --min-support 2 --top 2 --format lg",
        "mine subgraphs authors.lg --min-support 2 --ignore-edge-labels --without-labels DM --max-edges 1 --format dot",
        "mine subgraphs edges.csv --labels labels.csv --min-support 1 --max-edges 2",
        "mine subgraphs small.graphml --min-support 1",
        "mine subgraphs authors.lg --min-support 1 --alpha 0.5 --max-edges 1",
        "mine subgraphs --recipe mine.toml",
        "mine subgraphs --recipe mine.toml --max-edges 1 --with-labels DB",
        "mine subgraphs star.lg --min-support 1 --support mis",
    ] {
        text.push_str(&format!("$ throng {line}\n{}\n", desk.ok(line).all()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn graphs_that_make_no_sense_are_refused_by_line() {
    let desk = Desk::new();
    let mut text = String::new();
    for (name, content) in [
        ("edge to no node", "v 0 A\ne 0 1 x\n"),
        ("no label", "v 0\n"),
        ("negative id", "v -1 A\n"),
        ("two of one id", "v 0 A\nv 0 B\n"),
        ("labels on some edges", "v 0 A\nv 1 A\nv 2 A\ne 0 1 x\ne 1 2\n"),
        ("another form", "a,b\n1,2\n"),
        ("empty", "\n"),
    ] {
        desk.write("bad.lg", content);
        text.push_str(&format!(
            "# {name}\n{}\n",
            desk.fails("mine subgraphs bad.lg --min-support 1", 3).all()
        ));
    }
    desk.write("bad.lg", "v 0 A\nv 1 A\ne 0 1 heavy\n");
    let weights = "mine subgraphs bad.lg --min-support 1 --distance weights --delta 1";
    text.push_str(&format!("# a weight that is no number\n{}\n", desk.fails(weights, 3).all()));
    desk.write("edges.csv", "from,to\na,b\n");
    desk.write("paper.lg", "%PDF-1.7\n");
    let binary = "mine subgraphs paper.lg --min-support 1";
    text.push_str(&format!("# no text\n{}\n", desk.fails(binary, 3).all()));
    let bare = "mine subgraphs edges.csv --min-support 1";
    text.push_str(&format!("# an edge list alone\n{}\n", desk.fails(bare, 3).all()));
    insta::assert_snapshot!(text);
}
