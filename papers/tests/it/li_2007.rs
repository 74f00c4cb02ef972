//! LLV07: Li, Li, Venkatasubramanian. t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007. And the reasoning of
//! an attacker who knows that a method generalises only where it must (Wong, Fu, Wang, Pei. VLDB 2007).

use throng_contract::{Progress, Settings};
use throng_data::{Column, ColumnValues, RecodedTable, Release, Role, Table};
use throng_models::{Evidence, Promise, TCloseness};

/// Four values, as many of each; the first group has 1 and 2, the second 3 and 4.
fn release() -> Release {
    let column = |name: &str, role, values: &[f64]| Column {
        name: name.to_owned(),
        role: Some(role),
        values: ColumnValues::Numbers(values.to_vec()),
    };
    let columns = vec![
        column("group", Role::QuasiIdentifying, &[0.0, 0.0, 1.0, 1.0]),
        column("value", Role::Sensitive, &[1.0, 2.0, 3.0, 4.0]),
    ];
    Release::of_table(RecodedTable::identity(&Table { columns }), 4)
}

fn holds(t: &str, emd: &str) -> bool {
    let settings = Settings::parse(TCloseness.descriptor(), [("t", t), ("emd", emd)]).expect("in range");
    let release = release();
    let verdict = TCloseness.check(&Evidence::of(&release), &settings, 10, &Progress::silent());
    verdict.expect("a table to judge").holds
}

/// `t-closeness-emd`: 1/3 where values have an order, 1/2 where they do not; both exactly.
#[test]
fn the_distance_of_a_group_is_exact() {
    assert!(holds("1/3", "ordered") && !holds("333/1000", "ordered"));
    assert!(holds("1/2", "equal") && !holds("499/1000", "equal"));
}

/// `attack-minimality`: q1 has two people, q2 five, published together with two ill ones of seven. A method that merges only
/// where a group by itself has more than half ill merged these: of all splits of the two only (2, 0) forces it.
#[test]
fn that_something_was_merged_tells_who_is_ill() {
    let forces = |ill: &(usize, usize)| 2 * ill.0 > 2 || 2 * ill.1 > 5;
    let splits: Vec<(usize, usize)> = (0..=2).map(|first| (first, 2 - first)).filter(forces).collect();
    assert_eq!(splits, [(2, 0)]);
}
