//! The program as users run it.

mod commands;
mod help;
mod support;
