//! The attacker links the chunks of a disassociated release (specification 13.4, the cover problem).
//!
//! There is no such release yet. When there is, this test fails, and the attack belongs here in its place.

use crate::program::Desk;

#[test]
fn no_method_publishes_chunks_that_could_be_linked() {
    let methods = Desk::new().ok("methods --json").json();
    let text = methods.to_string();
    assert!(text.contains("seqanon"), "this is the catalogue: {text}");
    assert!(!text.contains("disassociation"));
}
