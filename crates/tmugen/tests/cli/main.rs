//! The program as users run it.

mod bench;
mod book;
mod commands;
mod estimate;
mod explore;
mod help;
mod mistakes;
mod recording;
mod report;
mod said;
mod support;
