//! Verilated systems with bus models, against the golden models of their engines.
//!
//! Here whole systems meet the golden model; stages by themselves do in `tmu-stages`. [`kit`] is what every simulation is made
//! of and knows no engine; [`engines`] has a folder for each engine, which brings what must come out.

pub mod engines;
pub mod kit;
