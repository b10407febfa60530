//! `fields` of indirect look-ups: from the samples of a first pass to the places that are stored there.
//!
//! A texel is fetched as any other, and its channels are of 16 bits: a number of 16 bits stands there as it is, one of 8 bits twice, one
//! above the other, of which the lower one is taken. The swizzle is not applied here, and colours must not have been made linear.
//!
//! Contract: samples as `filter` hands them on, of formats of whole numbers, of which the components that are chosen are stored. A
//! texel outside has 0 in all components, which is what is stored there.
//!
//! Cost: latency 1 clock, initiation interval 1. 128 LUTs, as Yosys 0.70 estimates them for UltraScale+.

use super::FIELD_BITS;
use super::look_ahead::{Back, Row};
use crate::datapath::general::result::QuadSample;
use crate::datapath::general::words::{COMPONENT_BITS, general};
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of the narrower ones of the numbers.
const BYTE_BITS: usize = 8;

/// Which components of a texel are places, and how they are stored.
#[derive(Clone, Debug, Record)]
pub struct Choice<T = Bits> {
    /// The component that is the first coordinate, and the one that is the second.
    pub components: [T; 2],
    /// Numbers have 8 bits, not 16.
    pub are_bytes: T,
}

impl Choice<Width> {
    /// Its shape.
    pub fn shape() -> Choice<Width> {
        Choice { components: [Width::bits(COMPONENT_BITS); 2], are_bytes: Width::bits(1) }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Fields {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A first pass comes.
    pub in_valid: Net<In>,
    /// Its samples, see [`QuadSample`].
    pub sample: Net<In>,
    /// What of them are places.
    pub choice: Choice<Field<In>>,
    /// Which row of the pass it is.
    pub row: Row<Field<In>>,
    /// Values of its quad less one.
    pub more: Net<In>,
    /// It is the last one of its quad.
    pub ends_pass: Net<In>,
    /// Places leave.
    pub out_valid: Net<Out>,
    /// They.
    pub back: Back<Field<Out>>,
    leaves: Reg,
    out: Back<FieldReg>,
    _config: Config,
}

impl Fields {
    /// The stage for a configuration of several lanes.
    ///
    /// # Panics
    /// If channels have fewer bits than numbers that may be places.
    pub fn new(config: &Config) -> Fields {
        assert_eq!(general(config).channel_bits as usize, FIELD_BITS, "channels hold what is stored");
        let clocks = Clocks::new();
        Fields {
            in_valid: Net::bit(),
            sample: Net::new(QuadSample::of(config).width()),
            choice: Choice::shape().nets(),
            row: Row::shape().nets(),
            more: Net::new(Back::shape().more.value_bits()),
            ends_pass: Net::bit(),
            out_valid: Net::bit(),
            back: Back::shape().nets(),
            leaves: Reg::with_reset(&clocks, 1, 0),
            out: Back::shape().registers(&clocks),
            clocks,
            _config: config.clone(),
        }
    }
}

/// Samples to places.
#[kernel]
impl Fields {
    fn module_name(&self) -> String {
        "fields".into()
    }

    fn logic(&self) {
        timing(1, 1);
        let quad = QuadSample::of(&self._config).unpack(self.sample.val());
        let Choice { components, are_bytes } = self.choice.val();
        let field = |pixel: usize, axis: usize| {
            let component = components[axis];
            let channels = quad.pixels[pixel].channels.map(|channel| channel.low(FIELD_BITS));
            let chosen = by_parity(component.bit(0), component.bit(1), &channels);
            let byte = chosen.low(BYTE_BITS).zero_extend(FIELD_BITS);
            if are_bytes { byte } else { chosen }
        };
        discard(quad.valid, "places of pixels that do not count are not looked at");
        discard(quad.are_floats, "places are whole numbers");
        discard(quad.is_last, "the end of the pass counts");
        for pixel in &quad.pixels {
            for channel in &pixel.channels {
                discard(*channel, "what floats have above a place");
            }
            for shown in &pixel.shown {
                discard(shown.channel, "places are what is stored");
                discard(shown.is_constant, "as above");
                discard(shown.is_one, "as above");
            }
        }
        self.leaves.next = self.in_valid.val();
        self.out.next = Back {
            fields: std::array::from_fn(|pixel| std::array::from_fn(|axis| field(pixel, axis))),
            row: self.row.val(),
            more: self.more.val(),
            fails: quad.fails,
            ends_pass: self.ends_pass.val(),
        };
        self.out_valid.next = self.leaves.val();
        self.back.next = self.out.val();
    }
}
