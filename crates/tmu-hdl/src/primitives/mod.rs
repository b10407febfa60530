//! Primitives: memories, clock crossings, stream buffers, arbitration and multipliers.
//!
//! Each comes with a Rust model, the Verilog that means the same, and for the interpreter its behaviour; what the device spends on it, which clock
//! each port belongs to and where data changes clocks are told to the manifest and to the design checks.
//! Constructors assert that their shape makes sense: shapes come from a validated configuration.
//!
//! | block | site | clocks from input to output |
//! | --- | --- | --- |
//! | [`RamSinglePort`], [`RamSimpleDualPort`], [`RamTrueDualPort`] | RAMB18/36, LUT RAM or URAM288 | 1, or 2 with the output register |
//! | the first two with [lanes](RamShape::lanes) | the same, with byte enables | the same |
//! | [`UltraRam`] | URAM288, 4096 × 72 each | 1 + output registers |
//! | [`Rom`] | RAMB18/36 or LUTs | 1, or 2 with the output register |
//! | [`DistributedRam`] | LUT RAM | write 1, read 0 |
//! | [`DualClockRam`] | LUT RAM or RAMB18/36 | read 1 or 2; crosses clocks |
//! | [`Synchroniser`], [`ResetSynchroniser`] | flip-flops | their stages; cross clocks |
//! | [`SyncFifo`] | a RAM and counters | 2, or 3 on block RAM |
//! | [`AsyncFifo`] | a RAM, counters, synchronisers | see there; crosses clocks |
//! | [`SkidBuffer`] | flip-flops | 1 |
//! | [`RoundRobinArbiter`] | LUTs | 0 or 1 |
//! | [`Multiplier`], [`DualMultiplier`], [`LerpPair`], [`LerpSingle`] | DSP48E2; of ECP5 one or two MULT18X18D | 3 or 4 |

mod model;

mod memory;
mod ram_simple_dual_port;
mod ram_single_port;
mod ram_true_dual_port;
mod rom;
mod ultra_ram;

mod distributed_ram;
mod dual_clock_ram;

mod reset_synchroniser;
mod synchroniser;

mod async_fifo;
mod fifo_flush;
mod gray_pointer;
mod read_ahead;
mod skid_buffer;
mod sync_fifo;

mod round_robin_arbiter;

mod dual_multiplier;
mod ecp5;
mod lerp_pair;
mod lerp_single;
mod multiplier;

pub use async_fifo::AsyncFifo;
pub use distributed_ram::DistributedRam;
pub use dual_clock_ram::DualClockRam;
pub use dual_multiplier::DualMultiplier;
pub use fifo_flush::FifoFlush;
pub use gray_pointer::GrayPointer;
pub use lerp_pair::LerpPair;
pub use lerp_single::LerpSingle;
pub use memory::{Contents, RamShape, RamStyle};
pub use model::{EdgeDetector, ModelState};
pub use multiplier::{Multiplier, Operand};
pub use ram_simple_dual_port::RamSimpleDualPort;
pub use ram_single_port::RamSinglePort;
pub use ram_true_dual_port::{RamPort, RamTrueDualPort};
pub use read_ahead::ReadAhead;
pub use reset_synchroniser::ResetSynchroniser;
pub use rom::Rom;
pub use round_robin_arbiter::{GrantTiming, RoundRobinArbiter};
pub use skid_buffer::SkidBuffer;
pub use sync_fifo::SyncFifo;
pub use synchroniser::Synchroniser;
pub use ultra_ram::UltraRam;
