//! The commands, one file each.

#[cfg(feature = "full")]
pub(crate) mod assemble;
#[cfg(feature = "full")]
pub(crate) mod bench;
#[cfg(feature = "full")]
pub(crate) mod bringup;
pub(crate) mod check;
#[cfg(feature = "full")]
pub(crate) mod completions;
#[cfg(feature = "full")]
pub(crate) mod doctor;
#[cfg(feature = "full")]
pub(crate) mod estimate;
pub(crate) mod explain;
#[cfg(feature = "full")]
pub(crate) mod explore;
pub(crate) mod generate;
#[cfg(feature = "full")]
pub(crate) mod info;
#[cfg(any(test, not(feature = "full")))]
pub(crate) mod left_out;
#[cfg(feature = "full")]
pub(crate) mod man;
#[cfg(feature = "full")]
pub(crate) mod load;
#[cfg(feature = "full")]
pub(crate) mod mesh;
pub(crate) mod new;
#[cfg(feature = "full")]
pub(crate) mod pack;
pub(crate) mod presets;
#[cfg(feature = "full")]
mod recording;
#[cfg(feature = "full")]
pub(crate) mod render;
#[cfg(feature = "full")]
mod render_pixel;
#[cfg(feature = "full")]
pub(crate) mod report;
#[cfg(feature = "full")]
pub(crate) mod sample;
#[cfg(feature = "full")]
pub(crate) mod sim;
#[cfg(feature = "full")]
pub(crate) mod trace;
#[cfg(feature = "full")]
pub(crate) mod unpack;
#[cfg(feature = "full")]
pub(crate) mod view;
#[cfg(feature = "full")]
mod view_general;
#[cfg(feature = "full")]
mod view_pixel;
#[cfg(feature = "full")]
pub(crate) mod window;
