//! Texture units: random traffic, scoreboards against the golden model, rates.
//!
//! | module | holds |
//! | --- | --- |
//! | [`streams`] | requests sent, results received |
//! | [`contents`] | what memory holds, and which reads fail |
//! | [`scoreboard`], [`coverage`] | what must come out, and what was exercised |
//! | [`bench`](mod@bench) | all of them around a system |
//! | [`traffic`] | random requests |
//! | [`regression`] | random runs from a seed, faults one by one, and a short case of a run that failed |
//! | [`replay`] | captured requests once more |
//! | [`sweep`] | configurations to test |
//! | [`throughput`] | named patterns, timed |
//! | [`directed`] | quads made for what random ones hardly ever meet |
//! | [`general`] | units of the general numerics against their golden model |
//! | [`sampling`] | the hardware as something that samples quads |

pub mod bench;
pub mod contents;
pub mod coverage;
pub mod directed;
pub mod general;
mod lengths;
pub mod regression;
pub mod replay;
pub mod sampling;
pub mod scoreboard;
pub mod streams;
pub mod sweep;
pub mod throughput;
pub mod traffic;
