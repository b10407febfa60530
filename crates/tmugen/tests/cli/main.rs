//! The program as users run it.

mod bench;
mod book;
mod commands;
mod estimate;
mod explore;
mod general;
mod help;
mod inputs;
mod interrupted;
mod lost;
mod mesh;
mod mistakes;
mod pairs;
mod pictures;
mod recording;
mod report;
mod said;
mod support;
mod textures;
