//! The engine `loader`: what a job leaves in memory. The definition of a smaller level stands in [`tmu_spec::loader`].
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`job`] | registers | a job that keeps the rules |
//! | [`level`] | | texels as they are stored |
//! | [`average`] | a level | the level below it |
//! | [`tiles`] | a level | its bytes in memory |

pub mod average;
pub mod job;
pub mod level;
pub mod tiles;

mod load;

pub use job::{Job, Settings};
pub use level::{Level, MOST_BYTES};
