//! The program as users run it.

mod assemble;
mod bench;
mod book;
mod bringup;
mod commands;
mod device;
mod estimate;
mod explore;
mod general;
mod help;
mod inputs;
mod interrupted;
mod load;
mod lost;
mod mesh;
mod mistakes;
mod pairs;
mod pictures;
mod pixel;
mod recording;
mod report;
mod standard;
mod said;
mod support;
mod textures;
mod trace;
