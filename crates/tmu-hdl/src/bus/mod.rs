//! Buses: AXI4 masters, AXI4-Lite and Wishbone, and banks of registers behind them.
//!
//! A block beside memory gives commands and streams and never sees a bus: the masters make bursts of them. A block
//! with registers has a [`RegisterPort`], which is the same behind every bus, and a [`RegisterBank`] makes the
//! registers from a table.
//!
//! | block | on the bus | inside | latency |
//! | --- | --- | --- | --- |
//! | [`AxiReadMaster`] | AXI4 reads in bursts | a command, then the data as a stream | 2 clocks to ARVALID, 1 from RVALID |
//! | [`AxiWriteMaster`] | AXI4 writes in bursts | a command, the data as a stream, a response | 2 clocks to AWVALID, 1 from BVALID |
//! | [`AxiLiteSlave`] | AXI4-Lite | a register port | 2 clocks and those of the port |
//! | [`WishboneSlave`] | Wishbone B4, classic | a register port | 2 clocks and those of the port |
//! | [`WishboneMaster`] | Wishbone B4, classic | commands and answers | 2 clocks and those of the slave |
//! | [`RegisterBank`] | | the other side of a register port | 2 clocks |
//!
//! All outputs to a bus come from registers, but for READY of the AXI4 data channels, which is the AND of two. The
//! rules of the buses are proved of each master and slave (`crates/tmu-formal`), and a bench drives them with bus
//! models that pause, fail and answer late.

mod axi;
mod axi_lite_slave;
mod axi_read_master;
mod axi_write_master;
mod burst_splitter;
mod read_back;
mod register_bank;
mod register_port;
mod wishbone;

pub use axi::{AxiLite, AxiRead, AxiShape, AxiWidths, AxiWrite};
pub use axi_lite_slave::AxiLiteSlave;
pub use axi_read_master::AxiReadMaster;
pub use axi_write_master::AxiWriteMaster;
pub use burst_splitter::BurstSplitter;
pub use register_bank::{
    FieldAccess, FieldNets, FieldRecord, Fields, RegisterBank, RegisterRecord, register_table,
};
pub use register_port::{RegisterNets, RegisterPort, RegisterRequest};
pub use wishbone::{Wishbone, WishboneMaster, WishboneMasterPort, WishboneSlave};

/// The response of a transfer that went well.
pub const OKAY: u32 = 0;
/// The response of a transfer that failed where it went.
pub const SLVERR: u32 = 2;
/// The response of a transfer that went nowhere.
pub const DECERR: u32 = 3;
