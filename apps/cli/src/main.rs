//! The command `throng`.

fn main() {}
