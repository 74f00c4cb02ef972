//! `throng verify` for someone who believes nothing: what verdicts mean, and what a manifest cannot do.

use crate::program::Desk;

/// Specification 13.18, both examples: an item that is published whole for some people and merged for others.
fn clusters() -> Desk {
    let desk = Desk::new();
    desk.write("six.csv", "subject,item\nu1,a\nu1,s\nu2,a\nu3,a\nu3,s\nu4,b\n")
        .write("trips.csv", "subject,record,item\nq,1,a\nq,1,s\np,2,a\np,3,a\nr,4,b\nr,4,s\n")
        .write("places.csv", "item,x,y\na,0,0\nb,1,0\ns,2,0\n")
        .write("secret.csv", "s\n");
    desk
}

/// Each cluster keeps the count by itself; whoever knows `a` finds it whole in one and merged in the other, and counts two
/// people with `s`. Before, such a release was written as verified.
#[test]
fn numbers_of_people_are_kept_over_all_clusters_or_not_at_all() {
    let desk = clusters();
    let given = "--places places.csv --sensitive secret.csv -k 2 -l 1 -m 1 --form count --clusters 2";
    for method in ["zga", "sga"] {
        let run = desk.fails(&format!("anonymize six.csv --method {method} {given} -o release"), 4);
        assert!(run.stderr.contains("who cannot be told apart"), "{}", run.stderr);
        assert!(!desk.path("release").exists());
        let printed = format!("anonymize six.csv --method {method} {given} --variant as-printed -o release");
        assert!(
            [4, 5].contains(&desk.run(&printed).code),
            "the printed algorithm must not be believed either"
        );
    }
}

#[test]
fn the_printed_algorithm_is_refused_where_it_breaks_the_ratio() {
    let desk = clusters();
    let line = "anonymize trips.csv --places places.csv --sensitive secret.csv --method zga -k 1 -l 2 -m 1 --clusters 2 \
                --variant as-printed -o release";
    desk.fails(line, 5);
    assert!(!desk.path("release").exists());
}

/// The same attack on a directory from somebody else.
#[test]
fn whoever_knows_a_real_item_counts_in_every_wording_of_it() {
    let desk = clusters();
    desk.write("release/release.csv", "record,item\n1,a\n1,s\n2,a\n3,{a|b}\n3,s\n4,{a|b}\n");
    let line = "verify release --promise klm -k 2 -l 1 -m 1 --form count --sensitive secret.csv";
    insta::assert_snapshot!(desk.fails(line, 5).stdout);
    desk.ok("verify release --promise klm -k 2 -l 2 -m 1 --sensitive secret.csv");
}
