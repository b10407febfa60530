//! The commands, one file each, in the order of the help.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod estimate;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod pack;
pub(crate) mod presets;
mod recording;
pub(crate) mod render;
pub(crate) mod report;
pub(crate) mod sample;
pub(crate) mod sim;
pub(crate) mod unpack;
pub(crate) mod view;
