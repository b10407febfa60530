//! The command line of the texture-unit generator: `tmugen --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tmugen::main()
}
