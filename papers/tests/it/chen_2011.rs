//! CMFDX11: Chen, Mohammed, Fung, Desai, Xiong. Publishing set-valued data via differential privacy. PVLDB 4(11), 2011. How the
//! budget is divided over four items, two at a time.

use throng_contract::{Progress, Settings};
use throng_data::{Dataset, EventKind, Inputs};
use throng_methods::sequence::ngrams::Noise;
use throng_methods::set::DiffPart;
use throng_methods::set::diffpart::{Hierarchy, anonymize, threshold};
use throng_methods::{Method, Task};
use throng_models::Budget;

/// Adds nothing, and writes down the budget of every answer.
#[derive(Default)]
struct Listener(Vec<Budget>);

impl Noise for Listener {
    fn draw(&mut self, _: u64, budget: Budget) -> i64 {
        self.0.push(budget);
        0
    }
}

#[test]
fn a_sixth_goes_to_the_first_division_and_the_rest_to_the_sets() {
    let hierarchy = Hierarchy::new(4, 2);
    assert_eq!(hierarchy.divisions(&[hierarchy.root()]), 3, "three groups can be divided");
    let records = [("p", ["i1", "i3"]), ("q", ["i1", "i3"]), ("r", ["i1", "i2"])];
    let data = Dataset::from_records(EventKind::Set, records);
    let alphabet = Some(["i1", "i2", "i3", "i4"].map(str::to_owned).to_vec());
    let inputs = Inputs { alphabet, ..Inputs::default() };
    let given = [("epsilon", "1"), ("fan-out", "2"), ("c1", "0.1"), ("c2", "0.1")];
    let settings = Settings::parse(DiffPart.descriptor(), given).expect("in range");
    let progress = Progress::silent();
    let mut noise = Listener::default();
    let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
    let outcome = anonymize(&task, &mut noise).expect("the budget can be divided");

    // The first division makes three parts: left half, right half, both.
    let sixth = Budget::within(1.0).share(2).share(3);
    assert!((sixth.epsilon() - 1.0 / 6.0).abs() < 1e-9);
    assert!(noise.0[..3].iter().all(|budget| *budget == sixth));
    assert_ne!(noise.0[3], sixth);
    assert_eq!(threshold(2.0, Budget::within(0.5)), 2.0_f64.sqrt() * 4.0);

    // r is in the left half alone, which is told by its two items for all that is left: 1/2 and the unused 1/3.
    assert!((noise.0[3].epsilon() - (0.5 + 1.0 / 3.0)).abs() < 1e-9, "{}", noise.0[3].epsilon());

    // p and q have something of both halves: two more divisions, each for half of the third that is left.
    let ledger = outcome.ledger.expect("every answer was paid for");
    let spent: Vec<f64> = ledger.spendings().iter().map(|spending| spending.amount.epsilon()).collect();
    assert!(spent.iter().any(|epsilon| (epsilon - 1.0 / 6.0).abs() < 1e-9));
    let full = ledger.spendings().iter().filter(|spending| spending.along == ledger.budget()).count();
    assert_eq!(full, 2, "both paths that end in sets spend exactly 1");
    let names: Vec<Vec<String>> = (0..3).map(|record| outcome.release.names_of(record)).collect();
    assert_eq!(names, [vec!["i1", "i2"], vec!["i1", "i3"], vec!["i1", "i3"]]);
}
