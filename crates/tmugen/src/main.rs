//! The command line of the texture-unit generator.

fn main() {}
