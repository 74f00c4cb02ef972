//! Every method against an oracle of its own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bf_p2ka;
mod choices;
mod counts;
mod lkc;
mod mixed;
mod mutual_information;
mod ngrams;
mod organize;
mod seqanon;
mod set;
mod suppress;
mod suppression;
mod table;
