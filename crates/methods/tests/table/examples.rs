//! Single cases: what is refused and how, what ties do, what the paper's letter gives.
