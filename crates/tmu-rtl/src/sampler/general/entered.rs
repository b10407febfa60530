//! `entered`: what `request` hands on. Wires, and with several lanes, where a quad comes in a clock, a skid buffer: what the stages behind
//! can take does not reach into `request`.
//!
//! What waits beside the stages is put there as an item comes in here, not as it leaves: what the stages behind can take does not reach
//! there either. So [`Off`] stops items here before it is full.

use super::GeneralSampler;
use super::off::{self, Off};
use crate::datapath::general::request::indirect::Asked;
use crate::datapath::general::words::{RequestItem, has_indirect, lanes};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SkidBuffer;
use tmu_spec::Config;

/// Items between `request` and the stages behind, at most: what comes in may still do so when it is known that those stop.
pub(super) const ITEMS: usize = 2;

/// What it hands on.
pub(super) struct Entered {
    pub(super) valid: Bits,
    /// A [`RequestItem`].
    pub(super) item: Bits,
    /// With indirect look-ups, an [`Asked`].
    pub(super) asked: Option<Bits>,
}

/// The buffer.
pub(super) fn buffer(config: &Config) -> Optional<SkidBuffer> {
    let asked = if has_indirect(config) { Asked::shape().width() } else { 0 };
    let width = RequestItem::of(config).width() + asked;
    Optional::new(lanes(config) > 1, || SkidBuffer::new(width))
}

/// What stands there, and takes the ready of the stages behind.
#[kernel]
pub(super) fn leaves(sampler: &GeneralSampler, ready: Bits) -> Entered {
    /// # Items of `request`
    let request = &sampler.request;
    let asked = request.asked.as_ref().map(|asked| asked.val());
    let (valid, item) = (request.item.valid.val(), request.item.data.val());
    let has_room = sampler.off.as_ref().map_or_else(|| lit(1, 1u32), Off::has_room);
    let may_leave = ready && has_room;
    let Some(buffer) = sampler.entered.as_ref() else {
        request.item.ready.next = may_leave;
        off::keep(sampler, valid && may_leave, item);
        return Entered { valid: valid && has_room, item, asked };
    };
    buffer.input.valid.next = valid;
    let parts: Vec<Bits> = asked.into_iter().chain([item]).collect();
    buffer.input.data.next = cat(&parts);
    request.item.ready.next = buffer.input.ready.val();
    off::keep(sampler, valid && buffer.input.ready.val(), item);
    buffer.output.ready.next = may_leave;
    let (data, width) = (buffer.output.data.val(), item.width());
    Entered {
        valid: buffer.output.valid.val() && has_room,
        item: data.low(width),
        asked: asked.map(|asked| data.slice(width, asked.width())),
    }
}
