//! Every worked example of every paper, as printed: see `tests/`, one file for each paper.
