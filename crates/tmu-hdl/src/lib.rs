//! RTL toolkit on rust-hdl: run-time widths, primitives, design checks and a typed Verilog back end.

extern crate self as tmu_hdl;

pub mod bits;
pub mod bundle;
pub mod check;
pub mod clock;
pub mod design;
pub mod diagnostic;
pub mod elaborate;
mod foreign;
pub mod kernel;
pub mod manifest;
#[cfg(test)]
mod misuse;
pub mod net;
pub mod op;
mod operators;
pub mod primitive;
pub mod primitives;
pub mod record;
pub mod signed;
mod simplify;
pub mod simulate;
#[cfg(test)]
mod testing;
pub mod value;
pub mod verilog;

pub use record::is_recording;
pub use rust_hdl;

/// What a file that describes hardware needs.
pub mod prelude {
    pub use crate::bits::{Bits, cat, lit};
    pub use crate::bundle::{Numbered, Optional, StreamIn, StreamOut};
    pub use crate::clock::Clocks;
    pub use crate::kernel::{discard, timing};
    pub use crate::net::{Net, Reg};
    pub use crate::signed::Signed;
    pub use rust_hdl::core::prelude::{
        Block, In, Local, Logic, LogicBlock, Out, Probe, Verilog, block, logic, probe,
    };
    pub use tmu_hdl_macros::{Bundle, kernel};
}
