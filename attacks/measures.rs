//! The attacker has the release, its manifest and a public map, and works out what the readings were computed from
//! (specification 13.19 c).

use std::collections::BTreeSet;

use serde_json::Value;

use crate::program::Desk;
use crate::published::Published;

/// Four events at `{a|b}`, which are not equally far from their middle's other places; who was at which is the secret.
fn released(at_a: u32) -> (Vec<Vec<String>>, String) {
    let desk = Desk::new();
    let place = |person: u32| if at_a >> person & 1 == 1 { "a" } else { "b" };
    let merged: String = (0..4).map(|person| format!("p{person},{}\n", place(person))).collect();
    let others: String = (4..8).map(|person| format!("p{person},c\n")).collect();
    desk.write("trips.csv", &format!("subject,item\n{merged}{others}"));
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\nc,7,3\n");
    desk.ok("anonymize trips.csv --places places.csv --method seqanon -k 4 -m 1 -o out");
    let published = Published::of(&desk, "out");
    let mut manifest = published.manifest();
    // Fingerprints are under fresh keys, and the order is drawn afresh.
    for name in ["inputs", "outputs"] {
        manifest.as_object_mut().unwrap().remove(name);
    }
    (published.crowd(), Value::to_string(&manifest))
}

/// Every assignment of the four people to `a` and `b` is run through the program. What is published, readings included, has to
/// be the same for several numbers of people at `a`; in 0.1.0 the exact `distance` left one.
#[test]
fn readings_fit_several_counts_of_every_merged_place() {
    let truth = released(0b0001);
    let merged = truth.0.iter().flatten().filter(|item| *item == "{a|b}").count();
    assert_eq!(merged, 4);
    let fitting: BTreeSet<u32> =
        (0..16_u32).filter(|guess| released(*guess) == truth).map(u32::count_ones).collect();
    assert!(fitting.contains(&1));
    assert!(fitting.len() >= 2, "only {fitting:?} people at a fit what is published");
}
