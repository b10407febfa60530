//! `block_texel`: once a tap, from what the texels of a tile have in common to the channels of one of them.
//!
//! See [`blocks`](super) for what is left to do here. Free flowing, initiation interval 1, latency
//! [`BlockTexel::LATENCY_CLOCKS`].
//!
//! Colours that are not compressed may come the same way. They take the place of a palette's first colour and of the end point of
//! alpha where there are such, which leaves nothing to choose behind; otherwise they wait beside.

use super::blend::{self, Color};
use super::record::{BlockColor, Class, Header, RGB_BITS};
use super::select::of_texel;
use super::values::{FIRST, SECOND};
use super::{BlockFormats, Compressed};
use crate::datapath::format::COLOR_BITS;
use tmu_hdl::prelude::*;
use tmu_spec::Format;

/// What channels are called.
const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];

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
    /// A colour of four channels of 8 bits, R lowest.
    pub plain: Optional<Net<In>>,
    /// It goes rather than the texel.
    pub is_plain: Optional<Net<In>>,
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
        BlockTexel::build(formats, false)
    }

    /// The stage for formats that are built, and colours that are not compressed, which never have 11 bits a channel.
    pub fn with_plain(formats: &BlockFormats) -> BlockTexel {
        BlockTexel::build(formats, true)
    }

    fn build(formats: &BlockFormats, has_plain: bool) -> BlockTexel {
        let clocks = Clocks::new();
        let stage = BlockTexel {
            header: Header::of(formats).nets(),
            texel: Net::new(4),
            plain: Optional::new(has_plain, || Net::new(COLOR_BITS)),
            is_plain: Optional::new(has_plain, Net::bit),
            color: if has_plain { BlockColor::with_plain(formats) } else { BlockColor::of(formats) }.nets(),
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
        let is_plain = self.is_plain.as_ref().map_or_else(|| lit(1, 0u32), |is_plain| is_plain.val());
        let [index, second] = [header.indices, header.seconds].map(|word| {
            let index = of_texel(word, texel);
            index & (!is_plain).repeat(index.width())
        });
        let index = pipe.put(Stage::Entry, "index", index).at(Stage::Pick);
        let second = pipe.put(Stage::Entry, "other_index", second).at(Stage::Pick);
        let header = pipe.put(Stage::Entry, "header", self.with_color(header, is_plain));
        let formats = &self._formats;
        let values = [(FIRST, second), (SECOND, index)].map(|(channel, index)| {
            channel.any(formats, |_| true).then(|| channel.of_texel(&pipe, formats, &header, index))
        });
        let color = (!formats.all(Format::is_value))
            .then(|| blend::color(&pipe, formats, &header, texel, [index, second]));
        let header = header.at(Stage::Limit);
        let color = self.placed(&header, color, values);
        let color = self.beside(&pipe, color, is_plain);
        self.color.next = pipe.put(Stage::Limit, "color", color).at(Stage::Exit);
    }

    /// Colours that are not compressed go as the first one of a palette.
    fn is_palette(&self) -> bool {
        self._formats.any(Format::has_palette)
    }

    /// Their alpha goes as an end point, and nothing is added.
    fn is_end_point(&self) -> bool {
        self.is_palette() && self._formats.any(Format::has_between)
    }

    /// A header with a colour that is not compressed in it.
    fn with_color(&self, header: Header, is_plain: Bits) -> Header {
        let Some(plain) = self.plain.as_ref() else { return header };
        let plain = plain.val();
        let mut own = header.clone();
        if self.is_palette() {
            own.class = Class {
                is_bc7: header.class.is_bc7 & !is_plain,
                is_etc2: header.class.is_etc2 & !is_plain,
                is_value: header.class.is_value & !is_plain,
                is_eleven: header.class.is_eleven & !is_plain,
                ..header.class
            };
            own.ends[0][0] = if is_plain { plain.low(RGB_BITS) } else { header.ends[0][0] };
            own.has_holes = header.has_holes & !is_plain;
        }
        if self.is_end_point() {
            own.values[0].base = if is_plain { plain.high(8) } else { header.values[0].base };
            own.values[0].is_falling = header.values[0].is_falling & !is_plain;
            own.values[0].is_raw = header.values[0].is_raw & !is_plain;
            own.values[0].is_modified = header.values[0].is_modified & !is_plain;
        }
        own
    }

    /// The channels of a colour that is not compressed, as far as they could not go with a header.
    fn beside(&self, pipe: &Run<'_, Stage>, color: BlockColor, is_plain: Bits) -> BlockColor {
        let Some(plain) = self.plain.as_ref() else { return color };
        let is_beside = |channel: usize| match channel {
            3 => !self.is_end_point(),
            _ => !self.is_palette(),
        };
        if !(0..4).any(is_beside) {
            return color;
        }
        /// # Colours that are not compressed
        let is_plain = pipe.put(Stage::Entry, "is_plain", is_plain).at(Stage::Limit);
        let channel = |channel: usize| {
            if !is_beside(channel) {
                return color.channels[channel];
            }
            let plain = plain.val().slice(8 * channel, 8);
            let plain =
                pipe.put(Stage::Entry, &format!("plain_{}", CHANNELS[channel]), plain).at(Stage::Limit);
            let own = color.channels[channel];
            is_plain.mux(plain.zero_extend(own.width()), own)
        };
        BlockColor {
            channels: [channel(0), channel(1), channel(2), channel(3)],
            is_eleven: color.is_eleven & !is_plain,
        }
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
