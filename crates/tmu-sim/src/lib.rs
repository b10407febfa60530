//! Verilated texture units with bus models and scoreboards against the golden model.
//!
//! Here whole units meet the golden model; stages by themselves do in `tmu-stages`. In the order in which a simulation is put
//! together:
//!
//! | module | holds |
//! | --- | --- |
//! | [`rtl`] | the hardware to be simulated, as data |
//! | [`bus`] | streams, memory and control port around the hardware |
//! | [`kit`] | what knows no engine: clocks, pauses, the control port, memory that is written, benches without streams |
//! | [`contents`] | what memory holds, and which reads fail |
//! | [`bench`](mod@bench) | all of them around one instance of the hardware |
//! | [`scoreboard`], [`coverage`] | what must come out, and what was exercised |
//! | [`traffic`] | random requests |
//! | [`regression`] | random runs from a seed, faults one by one, and a short case of a run that failed |
//! | [`sweep`] | configurations to test |
//! | [`tape`] | ports over time, to be played to the Rust simulation |
//! | [`throughput`] | named patterns, timed |
//! | [`directed`] | quads made for what random ones hardly ever meet |
//! | [`sampler`] | the hardware as something that samples quads |

pub mod bench;
pub mod bus;
pub mod contents;
pub mod coverage;
mod diagnose;
pub mod directed;
pub mod error;
pub mod kit;
mod ports;
pub mod regression;
pub mod rtl;
pub mod sampler;
pub mod scoreboard;
pub mod sweep;
pub mod tape;
pub mod throughput;
pub mod traffic;

pub use kit::{clock, pauses};

pub use bench::{Bench, BenchOptions, Domain};
pub use contents::TextureMemory;
pub use error::{Cause, Failure};
pub use rtl::Rtl;
pub use sampler::{Run, Sampler, SetupError, build};
