//! The program as users run it.

mod bench;
mod book;
mod commands;
mod estimate;
mod explore;
mod help;
mod recording;
mod report;
mod support;
