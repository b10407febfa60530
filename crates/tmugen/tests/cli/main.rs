//! The program as users run it.

mod bench;
mod commands;
mod help;
mod support;
