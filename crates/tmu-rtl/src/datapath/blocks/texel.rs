//! `block_texel`: once a tap, from what the texels of a tile have in common to the channels of one of them.
//!
//! See [`blocks`](super) for what is left to do here. Free flowing, initiation interval 1, latency
//! [`BlockTexel::LATENCY_CLOCKS`].

use super::record::{BlockColor, Header};
use super::select::of_texel;
use super::values::Channel;
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
        let second = pipe.put(Stage::Entry, "second", of_texel(header.seconds, texel)).at(Stage::Pick);
        let values = [
            self.values(&pipe, Channel { name: "first", has: BlockFormat::has_values }, 0, second),
            self.values(&pipe, Channel { name: "second", has: BlockFormat::is_pair }, 1, index),
        ];
        let ends = pipe.put(Stage::Entry, "ends", header.ends).at(Stage::Pick);
        let has_holes = pipe.put(Stage::Entry, "has_holes", header.has_holes).at(Stage::Pick);
        let class = pipe.put(Stage::Entry, "class", header.class).at(Stage::Limit);
        /// # Palette
        let pairs = ends.map(|[first, second]| if index.bit(0) { second } else { first });
        let color = if index.bit(1) { pairs[1] } else { pairs[0] };
        let color = pipe.put(Stage::Pick, "palette_color", color).at(Stage::Limit);
        let is_hole = pipe.put(Stage::Pick, "is_hole", has_holes & index.all()).at(Stage::Limit);
        /// # Channels
        let full = lit(8, 255u32);
        let zero = lit(8, 0u32);
        let rgb = [0, 8, 16].map(|low| if is_hole { zero } else { color.slice(low, 8) });
        let alpha = values[0].unwrap_or(full);
        let channels = [
            if class.is_value { values[0].unwrap_or(zero) } else { rgb[0] },
            if class.is_value { values[1].unwrap_or(zero) & class.is_pair.repeat(8) } else { rgb[1] },
            if class.is_value { zero } else { rgb[2] },
            if class.is_value {
                full
            } else if is_hole {
                zero
            } else {
                alpha
            },
        ];
        let color = BlockColor { channels, is_eleven: class.is_eleven };
        self.color.next = pipe.put(Stage::Limit, "color", color).at(Stage::Exit);
    }

    /// The value of a channel, if any format has it.
    fn values(&self, pipe: &Run<'_, Stage>, channel: Channel, number: usize, index: Bits) -> Option<Bits> {
        let formats = &self._formats;
        if !channel.any(formats, |_| true) {
            return None;
        }
        let values = self.header.values[number].val();
        let values = pipe.put(Stage::Entry, &format!("{}_values", channel.name), values);
        Some(channel.of_texel(pipe, formats, &values, index))
    }
}
