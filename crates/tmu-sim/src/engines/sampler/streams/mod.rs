//! The streams of a unit: requests sent, results received.

pub mod request;
pub mod result;
