//! The attacker looks at what is *not* there (specification 13.17), or knows what a person did *not* do.

use crate::program::Desk;
use crate::published::Published;

/// Only one person was at a place, so it is suppressed. Knowing that it existed would narrow down whose data these are.
#[test]
fn what_was_suppressed_is_named_nowhere() {
    let desk = Desk::new();
    let common: String = (0..6).map(|person| format!("p{person},park,1\np{person},shop,2\n")).collect();
    desk.write("trips.csv", &format!("subject,item,time\n{common}p0,oncology,3\n"));
    desk.ok("anonymize trips.csv --method lkc --L 2 --K 3 -o timed");
    desk.ok("anonymize trips.csv --method bf-p2ka -k 3 -o moved");
    desk.write("places.csv", "item,x,y\npark,0,0\nshop,1,0\noncology,9,9\n");
    desk.write("constraints.csv", "park,shop\noncology\n");
    desk.ok(
        "anonymize trips.csv --places places.csv --constraints constraints.csv --method u-seqanon -k 3 -m 1 \
         --max-suppressed 50% -o merged",
    );
    for name in ["timed", "moved", "merged"] {
        let published = Published::of(&desk, name);
        assert!(!published.records().is_empty());
        assert!(!published.everything().contains("oncology"), "{name}");
    }
}

/// The cluster in which a person was anonymised tells who their neighbours are.
#[test]
fn no_cluster_is_published() {
    let desk = Desk::new();
    let rows: String =
        (0..8).map(|person| format!("p{person},{}\n", ["a", "b", "c", "d"][person / 2])).collect();
    desk.write("trips.csv", &format!("subject,item\n{rows}"));
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\nc,10,0\nd,11,0\n");
    desk.ok("anonymize trips.csv --places places.csv --method zga -k 2 -l 1 -m 1 --clusters 2 -o out");
    let published = Published::of(&desk, "out");
    assert_eq!(published.text("release.csv").lines().next(), Some("record,item"));
    let manifest = published.manifest();
    let names = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(!names(&manifest).iter().any(|name| name.contains("cluster")), "{:?}", names(&manifest));
}

/// ade, ade, ad (vector `km-weaker-than-k`): every itinerary is shared by two, but only one record is `ad` and nothing else.
#[test]
fn knowing_that_a_person_did_nothing_else_succeeds_and_is_not_covered() {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\n1,a\n1,d\n1,e\n2,a\n2,d\n2,e\n3,a\n3,d\n");
    desk.write("places.csv", "item,x,y\na,0,0\nd,1,0\ne,2,0\n");
    desk.ok("anonymize trips.csv --places places.csv --method seqanon -k 2 -m 3 -o out");
    let records = Published::of(&desk, "out").records();
    let exact = records.values().filter(|record| **record == ["a", "d"]).count();
    assert_eq!(exact, 1);
}
