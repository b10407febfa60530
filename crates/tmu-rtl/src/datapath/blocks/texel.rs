//! `block_texel`: once a tap, from what the texels of a tile have in common to the channels of one of them.
//!
//! See [`blocks`](super) for what is left to do here. Free flowing, initiation interval 1, latency
//! [`BlockTexel::LATENCY_CLOCKS`].

use super::blend::{self, Color};
use super::record::{BlockColor, Header};
use super::select::of_texel;
use super::values::{FIRST, SECOND};
use super::{BlockFormats, Compressed};
use tmu_hdl::prelude::*;
use tmu_spec::Format;

/// Where a texel is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in; its indices are picked.
    Entry,
    /// What the indices mean is looked up; end points are chosen.
    Pick,
    /// Differences of end points.
    Choose,
    /// Rows of products.
    Rows,
    /// Products are summed, and divided.
    Sum,
    /// Bases are added, and limited.
    Add,
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
        let header = pipe.put(Stage::Entry, "header", header);
        let formats = &self._formats;
        let values = [(FIRST, second), (SECOND, index)].map(|(channel, index)| {
            channel.any(formats, |_| true).then(|| channel.of_texel(&pipe, formats, &header, index))
        });
        let color = (!formats.all(Format::is_value))
            .then(|| blend::color(&pipe, formats, &header, texel, [index, second]));
        let header = header.at(Stage::Limit);
        let color = self.placed(&header, color, values);
        self.color.next = pipe.put(Stage::Limit, "color", color).at(Stage::Exit);
    }

    /// Colours and values as channels.
    fn placed(&self, header: &Header, color: Option<Color>, values: [Option<Bits>; 2]) -> BlockColor {
        /// # Channels
        let shape = BlockColor::of(&self._formats);
        let width = |channel: usize| shape.channels[channel].value_bits();
        let of_values = |channel: usize| match values[channel] {
            Some(value) => value.low(width(channel)),
            None => lit(width(channel), 0u32),
        };
        let (class, full, none) = (&header.class, lit(8, 255u32), lit(8, 0u32));
        let of_color = |channel: usize| match &color {
            Some(color) => color.channel(header, channel, values[0].map(|value| value.low(8))),
            None => {
                if channel == 3 {
                    full
                } else {
                    none
                }
            }
        };
        let rgb = [0, 1, 2].map(|channel| of_color(channel).zero_extend(width(channel)));
        BlockColor {
            channels: [
                if class.is_value { of_values(0) } else { rgb[0] },
                if class.is_value { of_values(1) & class.is_pair.repeat(width(1)) } else { rgb[1] },
                if class.is_value { none } else { rgb[2] },
                if class.is_value { full } else { of_color(3) },
            ],
            is_eleven: class.is_eleven,
        }
    }
}
