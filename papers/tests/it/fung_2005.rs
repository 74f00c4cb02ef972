//! FWY05: Fung, Wang, Yu. Top-down specialization for information and privacy preservation. ICDE 2005, and its extended form of 2007.
//! The scores of a specialisation of four people, two of each class, into three and one.

use throng_methods::table::top_down::{ScoreForm, info_gain};

#[test]
fn both_forms_of_the_score() {
    let gain = info_gain(&[2, 2], [[2, 1].as_slice(), &[0, 1]]);
    assert!((gain - 0.311_278).abs() < 1e-6);
    assert!((ScoreForm::Ratio.of(gain, 4, 1) - 0.103_759).abs() < 1e-6);
    assert!((ScoreForm::RatioPlusOne.of(gain, 4, 1) - 0.077_82).abs() < 1e-6);
}

/// Where no anonymity is lost, the form of 2005 is the gain itself, and so is that of 2007.
#[test]
fn nothing_lost() {
    assert_eq!((ScoreForm::Ratio.of(0.5, 7, 7), ScoreForm::RatioPlusOne.of(0.5, 7, 7)), (0.5, 0.5));
}
