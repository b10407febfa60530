//! `off`: quads of an entry of the parameter store without an enabled target, which are answered with zeros and without an error. A FIFO
//! and wires.
//!
//! They take the way of quads that fail: they read nothing, and their results are zeros. That they are none waits in a FIFO beside the
//! stages, in the order in which quads leave `request` and their results come.

use super::GeneralSampler;
use super::entered::{self, Entered};
use crate::datapath::general::words::{PIXELS, RequestItem, general, has_indirect};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;

/// Quads on their way from `request` to their results beside those in the queue of the `data_stage`. With more of them others wait.
const QUADS_OF_STAGES: u32 = 256;

/// The FIFO.
#[derive(Bundle)]
pub(super) struct Off {
    quads: SyncFifo,
}

impl Off {
    /// Whether a configuration has entries.
    pub(super) fn is_built(config: &Config) -> bool {
        general(config).has_store()
    }

    pub(super) fn new(config: &Config) -> Off {
        let quads = (config.cache().queue_depth() + QUADS_OF_STAGES).next_power_of_two() as usize;
        Off { quads: SyncFifo::with_style(quads, 1, RamStyle::Block) }
    }

    /// Its clock, and so its reset.
    pub(super) fn clocks(&self) -> &Clocks {
        &self.quads.clocks
    }
}

/// One bit: there is room for another quad.
#[kernel]
fn has_room(off: &Off) -> Bits {
    off.quads.input.ready.val()
}

/// What `request` hands on, and whether an item comes to the stage behind, when that is ready or not.
#[kernel]
pub(super) fn enter(sampler: &GeneralSampler, ready: Bits) -> (Bits, Entered) {
    let Some(off) = sampler.off.as_ref() else {
        let entered = entered::leaves(sampler, ready);
        return (entered.valid, entered);
    };
    /// # Quads without an enabled target
    let has_room = has_room(off);
    let entered = entered::leaves(sampler, ready && has_room);
    let is_binding = RequestItem::of(&sampler._config).unpack(entered.item).head.is_binding;
    off.quads.input.valid.next = entered.valid && ready && !is_binding;
    off.quads.input.data.next =
        entered.is_off.expect("with a parameter store `request` says it of each quad");
    discard(off.quads.level.val(), "its ready says enough");
    (entered.valid && has_room, entered)
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
