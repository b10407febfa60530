//! Parts that streams are put together from.
//!
//! All hold to the rules of [`StreamIn`](crate::bundle::StreamIn): an offer stays as it is until it is taken, and does not
//! wait for `ready`. Those without registers of data pass `valid` and `ready` through; a
//! [`SkidBuffer`](crate::primitives::SkidBuffer) in front or behind cuts these paths.
//!
//! | block | does | clocks |
//! | --- | --- | --- |
//! | [`Fork`] | one stream to several, each of which takes each item once | 0 |
//! | [`Join`] | an item of each of several streams becomes one item | 0 |
//! | [`Merge`] | several streams take turns on one | 1 |
//! | [`Widen`] | several items become one | 0 from the last one |
//! | [`Narrow`] | one item becomes several | 0 to the first one |

mod split;
mod width;

pub use split::{Fork, Join, Merge};
pub use width::{Narrow, Widen};
