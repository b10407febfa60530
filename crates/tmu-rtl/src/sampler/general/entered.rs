//! `entered`: what `request` hands on. Wires, and with several lanes, where a quad comes in a clock, a skid buffer: what the stages behind
//! can take does not reach into `request`.

use super::GeneralSampler;
use super::off::Off;
use crate::datapath::general::request::indirect::Asked;
use crate::datapath::general::words::{RequestItem, has_indirect, lanes};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SkidBuffer;
use tmu_spec::Config;

/// What it hands on.
pub(super) struct Entered {
    pub(super) valid: Bits,
    /// A [`RequestItem`].
    pub(super) item: Bits,
    /// With indirect look-ups, an [`Asked`].
    pub(super) asked: Option<Bits>,
    /// With a parameter store, one bit: the quad is answered with zeros and without an error.
    pub(super) is_off: Option<Bits>,
}

/// The buffer.
pub(super) fn buffer(config: &Config) -> Optional<SkidBuffer> {
    let asked = if has_indirect(config) { Asked::shape().width() } else { 0 };
    let width = RequestItem::of(config).width() + asked + usize::from(Off::is_built(config));
    Optional::new(lanes(config) > 1, || SkidBuffer::new(width))
}

/// What stands there, and takes the ready of the stages behind.
#[kernel]
pub(super) fn leaves(sampler: &GeneralSampler, ready: Bits) -> Entered {
    /// # Items of `request`
    let request = &sampler.request;
    let asked = request.asked.as_ref().map(|asked| asked.val());
    let is_off = request.is_off.as_ref().map(|is_off| is_off.val());
    let (valid, item) = (request.item.valid.val(), request.item.data.val());
    let Some(buffer) = sampler.entered.as_ref() else {
        request.item.ready.next = ready;
        return Entered { valid, item, asked, is_off };
    };
    buffer.input.valid.next = valid;
    let parts: Vec<Bits> = is_off.into_iter().chain(asked).chain([item]).collect();
    buffer.input.data.next = cat(&parts);
    request.item.ready.next = buffer.input.ready.val();
    buffer.output.ready.next = ready;
    let (data, width) = (buffer.output.data.val(), item.width());
    Entered {
        valid: buffer.output.valid.val(),
        item: data.low(width),
        asked: asked.map(|asked| data.slice(width, asked.width())),
        is_off: is_off.map(|_| data.high(1)),
    }
}
