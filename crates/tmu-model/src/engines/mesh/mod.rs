//! The engine `mesh`: what a job leaves in memory.
//!
//! A mesh of equal rectangles is drawn from a texture into a frame buffer, both RGB565 and linear in memory. Stages stand in the
//! order in which a pixel passes them and have the names of the hardware's.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`job`] | registers | a job that can run, or the rule that it breaks |
//! | [`vertices`] | memory | the points of the mesh |
//! | [`interpolate`] | corners of a rectangle | a position in the texture |
//! | [`coordinate`] | a position, a pixel | a place inside the texture, a place in the frame buffer |
//! | [`address`] | a place inside the texture | where its four taps lie in memory |
//! | [`filter`] | four texels and two weights | a colour |
//! | [`shade`] | a colour | the colour faded, or none |
//! | [`blend`] | that, and what is in the frame buffer | the pixel |

pub mod address;
pub mod blend;
pub mod coordinate;
pub mod filter;
pub mod interpolate;
pub mod job;
mod round;
pub mod shade;
pub mod vertices;

mod draw;

pub use draw::Counts;
pub use job::{Job, Refusal};
