//! `block_texel`: once a tap, from what the texels of a tile have in common to the channels of one of them.
//!
//! See [`blocks`](super) for what is left to do here. Free flowing, initiation interval 1, latency
//! [`BlockTexel::LATENCY_CLOCKS`].

use super::record::{BlockColor, Class, Header};
use super::select::of_texel;
use super::values::{Channel, FIRST, SECOND};
use super::{BlockFormat, BlockFormats};
use tmu_hdl::prelude::*;

/// Where a texel is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in; its indices are picked.
    Entry,
    /// What the indices mean is looked up; end points are chosen.
    Pick,
    /// Differences and rows of products.
    Choose,
    /// Products are summed, and divided.
    Rows,
    /// Bases are added, and limited.
    Sum,
    /// Channels find their places.
    Limit,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct BlockTexel {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The header of the tile.
    pub header: Header<Field<In>>,
    /// The texel: column in the low two bits, row in the others.
    pub texel: Net<In>,
    /// Its channels.
    pub color: BlockColor<Field<Out>>,
    pipe: Pipe<Stage>,
    _formats: BlockFormats,
}

impl BlockTexel {
    /// Clocks from a texel to its channels.
    pub const LATENCY_CLOCKS: u32 = Stage::ALL.len() as u32 - 1;

    /// The stage for formats that are built.
    pub fn new(formats: &BlockFormats) -> BlockTexel {
        let clocks = Clocks::new();
        let stage = BlockTexel {
            header: Header::of(formats).nets(),
            texel: Net::new(4),
            color: BlockColor::of(formats).nets(),
            pipe: Pipe::new(),
            clocks,
            _formats: formats.clone(),
        };
        stage.pipe.plan(&stage.clocks, || stage.logic());
        stage
    }
}

/// Headers to texels.
#[kernel]
impl BlockTexel {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        /// # Indices
        let header = self.header.val();
        let texel = self.texel.val();
        let index = pipe.put(Stage::Entry, "index", of_texel(header.indices, texel)).at(Stage::Pick);
        let second = pipe.put(Stage::Entry, "other_index", of_texel(header.seconds, texel)).at(Stage::Pick);
        let class = pipe.put(Stage::Entry, "class", header.class.clone());
        let values =
            [self.values(&pipe, &class, (FIRST, 0), second), self.values(&pipe, &class, (SECOND, 1), index)];
        let color = (!self._formats.all(BlockFormat::is_value)).then(|| self.color(&pipe, &header, index));
        /// # Channels
        let class = class.at(Stage::Limit);
        let shape = BlockColor::of(&self._formats);
        let width = |channel: usize| shape.channels[channel].value_bits();
        let value = |channel: usize| match values[channel] {
            Some(value) => value.low(width(channel)),
            None => lit(width(channel), 0u32),
        };
        let of_color = |channel: usize| match &color {
            Some((color, is_hole)) => {
                let shown = if *is_hole { lit(8, 0u32) } else { color.slice(8 * channel, 8) };
                shown.zero_extend(width(channel))
            }
            None => lit(width(channel), 0u32),
        };
        let full = lit(8, 255u32);
        let alpha = values[0].map_or(full, |value| value.low(8));
        let alpha = match &color {
            Some((_, is_hole)) => {
                if *is_hole {
                    lit(8, 0u32)
                } else {
                    alpha
                }
            }
            None => full,
        };
        let rgb = [of_color(0), of_color(1), of_color(2)];
        let channels = [
            if class.is_value { value(0) } else { rgb[0] },
            if class.is_value { value(1) & class.is_pair.repeat(width(1)) } else { rgb[1] },
            if class.is_value { lit(8, 0u32) } else { rgb[2] },
            if class.is_value { full } else { alpha },
        ];
        let color = BlockColor { channels, is_eleven: class.is_eleven };
        self.color.next = pipe.put(Stage::Limit, "color", color).at(Stage::Exit);
    }

    /// R, G and B, and whether the texel is transparent black.
    fn color(&self, pipe: &Run<'_, Stage>, header: &Header, index: Bits) -> (Bits, Bits) {
        /// # Color
        let ends = pipe.put(Stage::Entry, "ends", header.ends).at(Stage::Pick);
        let has_holes = pipe.put(Stage::Entry, "has_holes", header.has_holes).at(Stage::Pick);
        let pairs = ends.map(|[first, second]| if index.bit(0) { second } else { first });
        let color = if index.bit(1) { pairs[1] } else { pairs[0] };
        let color = pipe.put(Stage::Pick, "palette_color", color).at(Stage::Limit);
        let is_hole = pipe.put(Stage::Pick, "is_hole", has_holes & index.all()).at(Stage::Limit);
        (color, is_hole)
    }

    /// The value of a channel, if any format has it.
    fn values(
        &self,
        pipe: &Run<'_, Stage>,
        class: &Payload<'_, Stage, Class>,
        (channel, number): (Channel, usize),
        index: Bits,
    ) -> Option<Bits> {
        let formats = &self._formats;
        if !channel.any(formats, |_| true) {
            return None;
        }
        let values = self.header.values[number].val();
        let values = pipe.put(Stage::Entry, &format!("{}_values", channel.name), values);
        Some(channel.of_texel(pipe, formats, (class, &values), index))
    }
}
