//! `off`: quads of an entry of the parameter store without an enabled target, which are answered with zeros and without an error. A FIFO
//! and wires.
//!
//! They take the way of quads that fail: they read nothing, and their results are zeros. That they are none waits in a FIFO beside the
//! stages, in the order in which quads leave `request` and their results come.

use super::GeneralSampler;
use super::entered::ITEMS;
use crate::datapath::general::words::{PIXELS, RequestItem, general, has_indirect};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;

/// Quads on their way from `request` to their results beside those in the queue of the `data_stage`. With more of them others wait.
const QUADS_OF_STAGES: u32 = 256;
/// Quads that come when there was room for one more: those of [`entered`](super::entered), and two until it is known.
const MARGIN: usize = ITEMS + 2;

/// The FIFO.
#[derive(Bundle)]
pub(super) struct Off {
    quads: SyncFifo,
    /// There is room. A clock late, which the margin makes up for.
    has_room: Reg,
}

impl Off {
    /// Whether a configuration has entries.
    pub(super) fn is_built(config: &Config) -> bool {
        general(config).has_store()
    }

    pub(super) fn new(config: &Config, clocks: &Clocks) -> Off {
        let quads = (config.cache().queue_depth() + QUADS_OF_STAGES).next_power_of_two() as usize;
        Off {
            quads: SyncFifo::with_style(quads, 1, RamStyle::Block),
            has_room: Reg::with_reset(clocks, 1, 0),
        }
    }

    /// Its clock, and so its reset.
    pub(super) fn clocks(&self) -> &Clocks {
        &self.quads.clocks
    }

    /// One bit: quads may go to the stages.
    pub(super) fn has_room(&self) -> Bits {
        self.has_room.val()
    }
}

/// An item of `request` comes, and with it whether its quad is answered with zeros.
#[kernel]
pub(super) fn keep(sampler: &GeneralSampler, comes: Bits, item: Bits) {
    let Some(off) = sampler.off.as_ref() else { return };
    /// # Quads without an enabled target
    let is_off =
        sampler.request.is_off.as_ref().expect("with a parameter store `request` says it of each quad");
    let is_binding = RequestItem::of(&sampler._config).unpack(item).head.is_binding;
    off.quads.input.valid.next = comes && !is_binding;
    off.quads.input.data.next = is_off.val();
    discard(off.quads.input.ready.val(), "items stop before it is full");
    off.has_room.next = off.quads.level.val() < (off.quads.depth() - MARGIN) as u64;
}

/// A result with the error bit that it shall have.
#[kernel]
pub(super) fn result(sampler: &GeneralSampler, done: Bits, result: Bits) -> Bits {
    let Some(off) = sampler.off.as_ref() else { return result };
    /// # Errors
    let config = &sampler._config;
    let (of_error, is_several) = (config.result_tdata_bits() as usize + PIXELS, has_indirect(config));
    let is_last = if is_several { result.high(1) } else { lit(1, 1u32) };
    off.quads.output.ready.next = done && is_last;
    discard(off.quads.output.valid.val(), "it does not come later than the result");
    let error = result.bit(of_error) && !off.quads.output.data.val();
    let rest = result.low(of_error);
    if is_several { cat(&[is_last, error, rest]) } else { cat(&[error, rest]) }
}
