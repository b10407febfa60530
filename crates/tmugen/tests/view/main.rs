//! `tmugen view`, from outside: the process, and the page in a browser.

mod browser;
mod general;
mod mesh;
mod page;
mod pixel;
mod process;
mod shown;
#[allow(dead_code, reason = "the other tests of the program use the rest of it")]
#[path = "../cli/support.rs"]
mod support;
