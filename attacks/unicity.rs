//! The attacker knows more events of a person than the promise speaks of: unicity (specification 13.15).

use crate::program::Desk;
use crate::published::{Published, fits};

/// All ways to choose `known` of a word's letters, in order.
fn parts(word: &str, known: usize) -> Vec<Vec<String>> {
    let letters: Vec<String> = word.chars().map(String::from).collect();
    let chosen = (0_u32..1 << letters.len()).filter(|bits| bits.count_ones() as usize == known);
    chosen
        .map(|bits| {
            (0..letters.len()).filter(|at| bits >> at & 1 == 1).map(|at| letters[at].clone()).collect()
        })
        .collect()
}

/// Vector `attack-unicity`: abc, abd, acd, bcd with k = m = 2. No one is unique by two events, and everyone by three.
#[test]
fn one_event_more_than_promised_singles_everybody_out_succeeds_and_is_not_covered() {
    let words = ["abc", "abd", "acd", "bcd"];
    let rows = words.iter().flat_map(|word| word.chars().map(move |letter| format!("{word},{letter}\n")));
    let desk = Desk::new();
    desk.write("trips.csv", &("subject,item\n".to_owned() + &rows.collect::<String>()));
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\nc,2,0\nd,3,0\n");
    desk.ok("anonymize trips.csv --places places.csv --method seqanon -k 2 -m 2 -o out");
    assert_eq!(desk.run("verify out --promise km -k 2 -m 2").code, 0);

    let published = Published::of(&desk, "out").records();
    let singled_out = |known: usize| {
        let unique = |part: &Vec<String>| {
            let known: Vec<&str> = part.iter().map(String::as_str).collect();
            published.values().filter(|record| fits(record, &known)).count() == 1
        };
        words.iter().filter(|word| parts(word, known).iter().any(unique)).count()
    };
    assert_eq!([singled_out(1), singled_out(2), singled_out(3)], [0, 0, 4]);

    // The publisher is shown what lies beyond the promise.
    let attacked = desk.ok("attack out --known 3 --json").json();
    let singled_out =
        |known: usize| attacked["attackers"][0]["after"]["points"][known - 1]["singled_out"]["count"].clone();
    assert_eq!([singled_out(1), singled_out(2), singled_out(3)], [0, 0, 4]);
    assert_eq!(desk.run("verify out --promise km -k 2 -m 3").code, 5);
}
