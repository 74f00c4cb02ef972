//! The attacker knows columns: age and home of a colleague, or the number on their card (specification 13.19 e).

use crate::program::Desk;
use crate::published::Published;

/// Twenty people, all at the same two places; everybody has an age of their own.
fn town() -> Desk {
    let desk = Desk::new();
    let events: String = (0..20).map(|person| format!("p{person},a\np{person},b\n")).collect();
    let rows: String = (0..20)
        .map(|person| format!("p{person},card-{person},{},{}\n", 30 + person, ["f", "m"][person % 2]))
        .collect();
    desk.write("trips.csv", &format!("subject,item\n{events}"));
    desk.write("records.csv", &format!("subject,card,age,sex\n{rows}"));
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\n");
    desk
}

const RUN: &str = "anonymize trips.csv --places places.csv --records records.csv --method seqanon -k 5 -m 1";

#[test]
fn columns_that_single_people_out_are_refused_with_numbers_and_ways_out() {
    let desk = town();
    for columns in ["age", "card", "age,sex"] {
        let ran = desk.run(&format!("{RUN} --publish {columns} -o out"));
        assert_eq!(ran.code, 7, "{columns}: {}", ran.stderr);
        assert!(ran.stderr.contains("20"), "how many people: {}", ran.stderr);
        assert!(ran.stderr.contains("--accept-exposed-columns"), "{}", ran.stderr);
        assert!(!desk.path("out").exists(), "nothing was written");
    }
    desk.ok(&format!("{RUN} --publish sex -o out"));
}

/// Whoever insists gets another verdict, everywhere; nothing says plainly that the promise is kept.
#[test]
fn whoever_insists_gets_the_verdict_that_the_columns_do_not_keep_it() {
    let desk = town();
    let ran = desk.ok(&format!("{RUN} --publish age --accept-exposed-columns -o out"));
    let published = Published::of(&desk, "out");
    let verdict = &published.manifest()["columns_verdict"];
    assert_eq!((&verdict["covered"], &verdict["accepted"]), (&false.into(), &true.into()), "{verdict}");
    assert_eq!(verdict["unique"], 20, "everybody is alone with their age");
    let words = "the published columns do not";
    assert!(ran.stderr.contains(words) || ran.stdout.contains(words), "{}{}", ran.stdout, ran.stderr);
    assert!(verdict["statement"].to_string().contains(words), "{verdict}");
    assert!(published.text("report.html").contains(words));
}
