//! The attacker knows the program, who was where, and how many people were ill; not who.
//!
//! The program merges places only where it must, so that they were merged says something: minimality (specification 13.13).

use crate::program::Desk;
use crate::published::Published;

const RUN: &str = "anonymize world.csv --places places.csv --sensitive sensitive.csv --method zga -k 2 -l 2 -m 1 --clusters 1";

/// Two people at `q1`, five at `q2`; of these so many are ill.
fn world(ill: [usize; 2]) -> String {
    let mut text = String::from("subject,item\n");
    for (place, people, ill) in [("q1", 2, ill[0]), ("q2", 5, ill[1])] {
        for person in 0..people {
            text += &format!("{place}-{person},{place}\n");
            if person < ill {
                text += &format!("{place}-{person},hiv\n");
            }
        }
    }
    text
}

fn released(ill: [usize; 2]) -> Vec<Vec<String>> {
    let desk = Desk::new();
    desk.write("world.csv", &world(ill)).write("sensitive.csv", "hiv\n");
    desk.write("places.csv", "item,x,y\nq1,0,0\nq2,1,0\nhiv,9,9\n");
    desk.ok(&format!("{RUN} -o out"));
    Published::of(&desk, "out").crowd()
}

/// Vector `attack-minimality`: one merged group of seven with two ill. Every split of the two is run through the
/// program; only one gives what was published, so that both people at `q1` are known to be ill.
#[test]
fn that_places_were_merged_tells_who_is_ill_succeeds_and_is_not_covered() {
    let published = released([2, 0]);
    let merged = |record: &&Vec<String>| record.contains(&"{q1|q2}".to_owned());
    assert_eq!(published.iter().filter(merged).count(), 7, "one merged group of seven");
    let ill = |record: &&Vec<String>| record.contains(&"hiv".to_owned());
    assert_eq!(published.iter().filter(ill).count(), 2, "two of them ill: the promise holds");

    let splits = [[2, 0], [1, 1], [0, 2]];
    let consistent: Vec<[usize; 2]> =
        splits.into_iter().filter(|split| released(*split) == published).collect();
    assert_eq!(consistent, [[2, 0]]);
    let posterior =
        consistent.iter().map(|split| split[0]).sum::<usize>() as f64 / (2 * consistent.len()) as f64;
    assert_eq!(posterior, 1.0, "certain of both people at q1");
}

/// What is held back: the steps of the method, which would say so without any simulation.
#[test]
fn the_steps_of_the_method_are_not_published() {
    let desk = Desk::new();
    desk.write("world.csv", &world([2, 0])).write("sensitive.csv", "hiv\n");
    desk.write("places.csv", "item,x,y\nq1,0,0\nq2,1,0\nhiv,9,9\n");
    desk.ok(&format!("{RUN} -o out"));
    let manifest = Published::of(&desk, "out").manifest();
    for secret in ["explanation", "steps", "reasons", "support"] {
        assert!(manifest.get(secret).is_none(), "{secret}");
    }
}
