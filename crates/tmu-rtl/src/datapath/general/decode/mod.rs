//! `decode` of the general numerics: from words of the banks of texels to the colours of a probe's taps.
//!
//! Texels that are not compressed stand in the words as they are: each bank gives one of two. Of compressed tiles each column of banks
//! gives a line, see [`fill`](crate::cache::prefetch::fill): one header for each, and a decoder for each place. The decoders in the
//! middle take turns: with tiles side by side the first one has the even column's odd row and the second one the odd column's even
//! row, with tiles on top of one another it is the other way round; so each decoder has one header, and colours change places behind.
//! Colours that are not compressed go through the decoders too.
//!
//! Texels of 8 and 16 bytes stand in both columns of banks, see [`tile`](super::tile): there is one for each column of places. Its
//! lowest four bytes take the way of other texels, the rest goes beside it, see `wide`.
//!
//! Indices are looked up in the colour table on the way, see `table`.
//!
//! Where texels stand in the cache as they do in memory, three or four stages more make channels of them, see `channels`. Otherwise the words
//! are colours of 8 bits a channel.
//!
//! A decoded texel is four channels of C bits, R lowest; those of float formats, and of `d32f`, are IEEE singles, R lowest. Of an
//! integer depth that is compared its bits stand lowest, zeros above. The border takes the places of taps that show it, as decoded
//! texel or as depth.
//!
//! Contract: an item comes with its words, a texel for each place leaves; one with an entry of the colour table ends here. Places that the
//! item does not bring are 0; one that shows the border is brought by the item that marks it. A probe with a corner is turned round, weights and all, so that the corner is the last place. The words of an item that is not valid, and of
//! banks whose tap is not brought, may hold anything. Of a line the first bit in the even row tells whether it could not be read.
//!
//! Cost: latency 11 clocks; without compressed formats 2, or 4 with colour tables; 3 more where channels are made, another one with halves
//! or a border of floats; initiation interval 1. Six half block RAMs of 18 Kb with sRGB, four of 18 Kb with colour tables, no multiplier.
//! With BC1 to BC3 1317 LUTs and 3662 flip-flops, as Yosys 0.70 estimates them for UltraScale+: most of it are two headers and four
//! decoders, see
//! [`blocks`](crate::datapath::blocks).

mod channels;
mod scale;
mod singles;
mod sources;
mod table;
mod wide;

use crate::cache::prefetch::fill::{TEXEL_BITS, block_half};
use crate::cache::prefetch::words::word_bits;
use crate::datapath::blocks::{BlockColor, BlockFormats, BlockHeader, BlockTexel, CODE_BITS, Header, TEXELS};
use crate::datapath::format::COLOR_BITS;
use crate::datapath::general::words::{
    BLOCKS, ProbeTap, TAPS, TexelUse, channels_bits, general, has_blocks, has_gather, has_indirect,
    has_numbers, has_pairs, has_stored_texels,
};
use crate::datapath::words::by_parity;
use channels::{Linear, has_singles};
use sources::{CODE_BITS as FORMAT_CODE_BITS, code_of};
use table::{Entry, Table};
use tmu_hdl::prelude::*;
use tmu_spec::format::Texel;
use tmu_spec::{AddressMode, Config, Format};
use wide::Wide;

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// Its words come in, with lines of compressed tiles.
    Entry,
    /// Lines become headers.
    Parts,
    /// As before.
    Ends,
    /// Texels are chosen.
    Texel,
    /// Those of compressed tiles are on their way through the decoders.
    Pick,
    /// As before.
    Choose,
    /// As before.
    Rows,
    /// As before.
    Sum,
    /// As before.
    Add,
    /// As before.
    Limit,
    /// Colours find their places.
    Route,
    /// Words of texels are scaled.
    Scale,
    /// Halves and the border become singles.
    Shift,
    /// Channels are chosen.
    Select,
    /// They may be linear light, or the border.
    Border,
    /// They leave.
    Exit,
}

impl Stage {
    /// The stages of a configuration.
    fn all(config: &Config) -> Vec<Stage> {
        use Stage::{Border, Ends, Entry, Exit, Parts, Route, Scale, Select, Shift, Texel};
        let (has_blocks, has_channels) = (has_blocks(config), has_stored_texels(config));
        let has_table = config.features().has_color_table();
        let is_there = |stage: &Stage| match stage {
            Texel | Route | Exit => true,
            Stage::Pick | Stage::Choose => has_blocks || has_table,
            Scale | Select | Border => has_channels,
            Shift => has_channels && has_singles(config),
            Entry | Parts | Ends | Stage::Rows | Stage::Sum | Stage::Add | Stage::Limit => has_blocks,
        };
        Stage::ALL.iter().copied().filter(is_there).collect()
    }
}

/// What an item takes along from `decode` to `filter`: see [`ProbeTap`]. A tap at the corner of a cube is always the one in the odd
/// row and column.
#[derive(Clone, Debug, Record)]
pub struct FilterTap<T = Bits> {
    /// The probe's pixel.
    pub pixel: T,
    /// It counts.
    pub is_valid: T,
    /// Its quad is answered with an error.
    pub is_failed: T,
    /// The item is the first one of its probe.
    pub starts_probe: T,
    /// The item is the last one of its probe.
    pub ends_probe: T,
    /// It is the last item of its pixel.
    pub ends_pixel: T,
    /// It is the last item of its quad.
    pub ends_quad: T,
    /// log2 of the lanes that its pixel has in the row.
    pub spread: T,
    /// The valid bits of the quad.
    pub valid: T,
    /// The taps that the item brings, a bit for each place.
    pub brings: T,
    /// Weight of the taps in odd columns.
    pub odd_weight_x: T,
    /// Weight of the taps in odd rows.
    pub odd_weight_y: T,
    /// The last tap is the mean of the others.
    pub has_corner: T,
    /// The probe's part of the sample, of 65536.
    pub weight: T,
    /// What becomes of texels.
    pub texels: TexelUse<T>,
    /// Code of the format, where texels may be numbers.
    pub format: T,
}

impl FilterTap<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> FilterTap<Width> {
        let tap = ProbeTap::of(config);
        FilterTap {
            pixel: tap.pixel,
            is_valid: tap.is_valid,
            is_failed: tap.is_failed,
            starts_probe: tap.starts_probe,
            ends_probe: tap.ends_probe,
            ends_pixel: tap.ends_pixel,
            ends_quad: tap.ends_quad,
            spread: tap.spread,
            valid: tap.valid,
            brings: tap.brings,
            odd_weight_x: tap.odd_weight_x,
            odd_weight_y: tap.odd_weight_y,
            has_corner: tap.has_corner,
            weight: tap.weight,
            texels: tap.texels,
            format: tap.format.when(has_numbers(config)),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Decode {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item comes with its words.
    pub in_valid: Net<In>,
    /// What belongs to it, see [`ProbeTap`].
    pub tap: Net<In>,
    /// The word of each bank of texels.
    pub words: Vec<Net<In>>,
    /// An item leaves.
    pub out_valid: Net<Out>,
    /// What belongs to it, see [`FilterTap`].
    pub out_tap: Net<Out>,
    /// Its texels, R lowest.
    pub colors: Vec<Net<Out>>,
    /// A texel that it needs could not be read.
    pub error: Net<Out>,
    blocks: Optional<Blocks>,
    table: Optional<Table>,
    linear: Optional<Linear>,
    pipe: Pipe<Stage>,
    _config: Config,
}

/// What compressed formats take.
#[derive(Bundle)]
struct Blocks {
    headers: Vec<BlockHeader>,
    texels: Vec<BlockTexel>,
}

impl Blocks {
    fn new(config: &Config) -> Blocks {
        let formats: Vec<Format> = config.features().formats().filter(|format| format.is_block()).collect();
        let formats = BlockFormats::new(&formats);
        Blocks {
            headers: (0..BLOCKS).map(|_| BlockHeader::of_lines(&formats)).collect(),
            texels: (0..TAPS).map(|_| BlockTexel::with_plain(&formats)).collect(),
        }
    }
}

impl Decode {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Decode {
        let has_blocks = has_blocks(config);
        let clocks = Clocks::new();
        let decode = Decode {
            in_valid: Net::bit(),
            tap: Net::new(ProbeTap::of(config).width()),
            words: Net::array(TAPS, word_bits(config)),
            out_valid: Net::bit(),
            out_tap: Net::new(FilterTap::of(config).width()),
            colors: Net::array(TAPS, channels_bits(config)),
            error: Net::bit(),
            blocks: Optional::new(has_blocks, || Blocks::new(config)),
            table: Optional::new(config.features().has_color_table(), || Table::new(config, &clocks)),
            linear: Optional::new(general(config).srgb, Linear::new),
            pipe: Pipe::with(&Stage::all(config)),
            clocks,
            _config: config.clone(),
        };
        decode.pipe.plan(&decode.clocks, || decode.logic());
        decode
    }
}

/// Stages from lines to headers, and from those to colours, are the decoders'.
const _: () = assert!(Stage::Texel as u32 == BlockHeader::LATENCY_CLOCKS);
const _: () = assert!(Stage::Route as u32 - Stage::Texel as u32 == BlockTexel::LATENCY_CLOCKS);

/// Words to the colours of taps.
#[kernel]
impl Decode {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let entry = self.entry();
        let in_tap = ProbeTap::of(&self._config).unpack(self.tap.val());
        let is_entry = self.in_valid.val() && in_tap.is_table;
        self.out_valid.next =
            pipe.flag(entry, "is_item", self.in_valid.val() && !in_tap.is_table).at(Stage::Exit);
        let spoilt = pipe.put(entry, "spoilt", self.spoilt(&in_tap));
        let needed = pipe.put(entry, "needed", self.needed(&in_tap));
        let tap = pipe.put(entry, "tap", in_tap);
        let slots = self.slots(&pipe);
        let wide = self.wide(&pipe, &tap, &slots);
        let plain = self.plain_colors(&tap.at(Stage::Texel), &slots, wide.as_ref());
        let colors = match self.blocks.as_ref() {
            Some(blocks) => self.decoded(&tap, blocks, plain),
            None => {
                discard(stack(tap.at(Stage::Texel).row_bit1), "rows of compressed tiles");
                pipe.put(Stage::Texel, "color", plain).at(Stage::Route)
            }
        };
        let next = if self.blocks.is_some() { Stage::Parts } else { Stage::Route };
        let fails = pipe.put(next, "fails", (spoilt.at(next) & needed.at(next)).any()).at(Stage::Exit);
        let Some(table) = self.table.as_ref() else {
            self.error.next = fails;
            self.route(&pipe, &tap, colors, wide.as_ref());
            return;
        };
        let of_entry = Entry {
            is_there: pipe.flag(entry, "is_entry", is_entry).at(Stage::Texel),
            brings: tap.at(Stage::Texel).brings,
            spoilt: spoilt.at(Stage::Texel),
        };
        let is_secondary = has_indirect(&self._config).then(|| tap.at(Stage::Texel).is_secondary);
        let found = table.look_up(&self.clocks, &pipe, &of_entry, &plain, is_secondary);
        let is_index = self.is_format(tap.at(Stage::Route).format, Format::has_color_table);
        let entries_fail = is_index && (found.spoilt & needed.at(Stage::Route)).any();
        let entries_fail = pipe.put(Stage::Route, "entries_fail", entries_fail).at(Stage::Exit);
        self.error.next = fails || entries_fail;
        let colors = [0, 1, 2, 3].map(|bank: usize| is_index.mux(found.colors[bank], colors[bank]));
        self.route(&pipe, &tap, colors, wide.as_ref());
    }

    /// Where items come in.
    fn entry(&self) -> Stage {
        if self.blocks.is_some() { Stage::Entry } else { Stage::Texel }
    }

    /// One bit: the format is so.
    fn is_format(&self, format: Bits, is_so: impl Fn(Format) -> bool) -> Bits {
        let ones = self._config.features().formats().filter(|format| is_so(*format));
        let ones = ones.fold(0u64, |ones, format| ones | 1 << format.code());
        lit(1 << FORMAT_CODE_BITS, ones).at(code_of(format))
    }

    /// The bank of the tap in an outer place, and of that in an inner one, where taps are told by their places.
    fn sources(&self, sources: &[Bits; 2]) -> [Bits; 2] {
        let [outer, inner] = *sources;
        [outer, if has_pairs(&self._config) { inner } else { outer }]
    }

    /// The banks whose texels an item needs.
    fn needed(&self, tap: &ProbeTap) -> Bits {
        let [outer, inner] = self.sources(&tap.sources);
        let needs = |bank: usize| {
            let is_source = outer == bank as u64 || inner == bank as u64;
            tap.is_valid && (if tap.is_by_place { is_source } else { tap.brings.bit(bank) })
        };
        stack((0..TAPS).map(needs))
    }

    /// The texels of places that could not be read, as they stand in the banks.
    fn spoilt(&self, tap: &ProbeTap) -> Bits {
        /// # Errors
        let failed = |bank: usize, slot: usize| self.words[bank].val().bit(TEXEL_BITS * slot + COLOR_BITS);
        let spoilt = |place: usize| {
            let (column, row) = (place & 1, place >> 1);
            let in_word = if tap.column_bit1[column] { failed(place, 1) } else { failed(place, 0) };
            let of_block = if tap.blocks_by_row { failed(row, 0) } else { failed(column, 0) };
            let own = if tap.is_block { of_block } else { in_word };
            self.wide_or(tap, column, own, |bank| failed(bank, 0))
        };
        stack((0..TAPS).map(spoilt))
    }

    /// The two texels of each bank.
    fn slots(&self, pipe: &Run<'_, Stage>) -> [[Bits; 2]; TAPS] {
        /// # Texels
        let of = |bank: usize| {
            let word = self.words[bank].val();
            let slot = |slot: usize| word.slice(TEXEL_BITS * slot, COLOR_BITS);
            let slots = pipe.put(self.entry(), &format!("texels_{}", NAMES[bank]), [slot(0), slot(1)]);
            slots.at(Stage::Texel)
        };
        [of(0), of(1), of(2), of(3)]
    }

    /// The colour that each bank has, of a texture that is not compressed.
    fn plain_colors(&self, tap: &ProbeTap, slots: &[[Bits; 2]; TAPS], wide: Option<&Wide>) -> [Bits; TAPS] {
        let texel = |bank: usize| {
            let [first, second] = slots[bank];
            let texel = if tap.column_bit1[bank & 1] { second } else { first };
            let texel = self.without_padding(tap, texel);
            wide.map_or(texel, |wide| wide.is_wide.mux(wide.low[bank & 1], texel))
        };
        [texel(0), texel(1), texel(2), texel(3)]
    }

    /// A texel without what memory has above its bits.
    fn without_padding(&self, tap: &ProbeTap, texel: Bits) -> Bits {
        let padded = self._config.features().formats().find_map(|format| match format.texel() {
            Texel::Depth { bytes, bits } if bits < 8 * bytes => Some((format, bits as usize)),
            _ => None,
        });
        let Some((format, bits)) = padded else { return texel };
        let is_padded = code_of(tap.format) == u64::from(format.code());
        let padding = COLOR_BITS - bits;
        cat(&[texel.high(padding) & (!is_padded).repeat(padding), texel.low(bits)])
    }

    /// What leaves the decoders at [`Stage::Route`].
    fn decoded(
        &self,
        tap: &Payload<'_, Stage, ProbeTap>,
        blocks: &Blocks,
        plain: [Bits; TAPS],
    ) -> [Bits; TAPS] {
        self.headers(&tap.at(Stage::Entry), blocks);
        /// # Texels of compressed tiles
        let ProbeTap { is_block, blocks_by_row, column_bit1, row_bit1, .. } = tap.at(Stage::Texel);
        let (by_row, by_column) = (blocks_by_row, !blocks_by_row);
        /// The outer decoders have a place each; the inner ones one of two, each with the header of its own.
        let texel = |decoder: usize| {
            let is_odd_row = [lit(1, 0u32), by_column, by_row, lit(1, 1u32)][decoder];
            let is_odd_column = [lit(1, 0u32), by_row, by_column, lit(1, 1u32)][decoder];
            let row_bit1 = if is_odd_row { row_bit1[1] } else { row_bit1[0] };
            let column_bit1 = if is_odd_column { column_bit1[1] } else { column_bit1[0] };
            cat(&[row_bit1, is_odd_row, column_bit1, is_odd_column])
        };
        for (number, decoder) in blocks.texels.iter().enumerate() {
            let header = blocks.headers[number >> 1].header.val();
            decoder.clocks.follow(&self.clocks);
            decoder.header.next = if is_inner(number) { of_two_places(&header) } else { header.clone() };
            decoder.texel.next = texel(number);
            if let (Some(color), Some(is_plain)) = (decoder.plain.as_ref(), decoder.is_plain.as_ref()) {
                color.next = plain[number];
                is_plain.next = !is_block;
            }
        }
        let color = |decoder: usize| {
            let BlockColor { channels, is_eleven } = blocks.texels[decoder].color.val();
            if channels[0].width() == 8 {
                return stack(channels);
            }
            let eleven = cat(&[channels[1], channels[0]]).zero_extend(COLOR_BITS);
            is_eleven.mux(eleven, stack(channels.map(|channel| channel.low(8))))
        };
        [color(0), color(1), color(2), color(3)]
    }

    fn headers(&self, tap: &ProbeTap, blocks: &Blocks) {
        /// # Lines of compressed tiles
        discard(tap.format, "the high bits are those of other formats");
        for (column, header) in blocks.headers.iter().enumerate() {
            let half = |row: usize| block_half(self.words[2 * row + column].val(), row, column);
            header.clocks.follow(&self.clocks);
            header.block.next = cat(&[half(1), half(0)]);
            if let Some(format) = header.format.as_ref() {
                format.next = tap.format.low(CODE_BITS);
            }
            if let Some(is_upper) = header.is_upper.as_ref() {
                is_upper.next = tap.upper_half[column];
            }
        }
    }

    /// Each place takes the colour of a bank.
    fn route(
        &self,
        pipe: &Run<'_, Stage>,
        tap: &Payload<'_, Stage, ProbeTap>,
        colors: [Bits; TAPS],
        wide: Option<&Wide>,
    ) {
        /// # Places
        let ProbeTap { is_by_place, sources, brings, has_corner, corner, is_block, blocks_by_row, .. } =
            tap.at(self.before_route());
        let sources = self.sources(&sources);
        /// A corner goes to the last place.
        let turn = !corner & has_corner.repeat(2);
        /// The colours of the inner banks come from each other's decoders where tiles lie side by side.
        let is_exchanged = is_block && !blocks_by_row;
        let from = |place: usize| {
            let source = sources[usize::from(is_inner(place))];
            let bank = if is_by_place { source } else { turn ^ lit(2, place as u32) };
            bank ^ (is_exchanged && (bank.bit(0) ^ bank.bit(1))).repeat(2)
        };
        let from =
            pipe.put(self.before_route(), "from", [from(0), from(1), from(2), from(3)]).at(Stage::Route);
        let bits = [0, 1, 2, 3].map(|place| brings.bit(place));
        let brings = stack((0..TAPS).map(|place| {
            let place = lit(2, place as u32) ^ turn;
            by_parity(place.bit(0), place.bit(1), &bits)
        }));
        let brings = pipe.put(self.before_route(), "turned_brings", brings).at(Stage::Route);
        if has_stored_texels(&self._config) {
            let words = from.map(|from| {
                let word = by_parity(from.bit(0), from.bit(1), &colors);
                wide.map_or(word, |wide| cat(&[wide.rest_of(from.bit(0)), word]))
            });
            let texels = self.channels(pipe, tap, words, brings);
            for (color, texel) in self.colors.iter().zip(texels) {
                color.next = texel;
            }
            let tap = tap.at(Stage::Route);
            let has_border = self._config.features().has_address_mode(AddressMode::Border);
            let brings = if has_border { brings | tap.texels.border_taps } else { brings };
            self.hand_on(pipe, &tap, brings);
            return;
        }
        for (place, (from, color)) in from.into_iter().zip(&self.colors).enumerate() {
            let own = by_parity(from.bit(0), from.bit(1), &colors);
            let own = if brings.bit(place) { own } else { lit(COLOR_BITS, 0u32) };
            color.next = pipe.put(Stage::Route, &format!("color_{}", NAMES[place]), own).at(Stage::Exit);
        }
        self.hand_on(pipe, &tap.at(Stage::Route), brings);
    }

    /// The stage in front of that where colours find their places.
    fn before_route(&self) -> Stage {
        match (self.blocks.as_ref(), self.table.as_ref()) {
            (Some(_), _) => Stage::Limit,
            (None, Some(_)) => Stage::Choose,
            (None, None) => Stage::Texel,
        }
    }

    fn hand_on(&self, pipe: &Run<'_, Stage>, tap: &ProbeTap, brings: Bits) {
        /// # What the filter needs
        let turned = |weight: Bits, is_even: Bits| {
            let is_turned = tap.has_corner && is_even;
            let width = weight.width();
            let sum = (weight ^ is_turned.repeat(width)) + is_turned.zero_extend(width);
            cat(&[sum.high(1) ^ is_turned, sum.low(width - 1)])
        };
        let out_tap = FilterTap {
            pixel: tap.pixel,
            is_valid: tap.is_valid,
            is_failed: tap.is_failed,
            starts_probe: tap.starts_probe,
            ends_probe: tap.ends_probe,
            ends_pixel: tap.ends_pixel,
            ends_quad: tap.ends_quad,
            spread: tap.spread,
            valid: tap.valid,
            brings,
            odd_weight_x: turned(tap.odd_weight_x, !tap.corner.bit(0)),
            odd_weight_y: turned(tap.odd_weight_y, !tap.corner.bit(1)),
            has_corner: tap.has_corner,
            weight: tap.weight,
            texels: turned_use(&self._config, tap),
            format: tap.format,
        };
        let out_tap = pipe.put(Stage::Route, "out_tap", out_tap).at(Stage::Exit);
        self.out_tap.next = FilterTap::of(&self._config).pack(&out_tap);
    }
}

/// What becomes of texels that a corner turns round.
#[kernel]
fn turned_use(config: &Config, tap: &ProbeTap) -> TexelUse {
    let texels = tap.texels.clone();
    if !has_gather(config) {
        return texels;
    }
    let [x, y] = texels.first_is_odd;
    let is_turned = |axis: usize| tap.has_corner && !tap.corner.bit(axis);
    TexelUse { first_is_odd: [x ^ is_turned(0), y ^ is_turned(1)], ..texels }
}

/// Names of channels.
const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];
/// Names of the places, row before column.
const NAMES: [&str; TAPS] = ["even_even", "even_odd", "odd_even", "odd_odd"];

/// One of the two places, and their decoders, in the middle.
fn is_inner(place: usize) -> bool {
    place == 1 || place == 2
}

/// A header of which only texels with one even and one odd number are asked for: the others have what those beside them have, so that
/// nothing is left to choose.
#[kernel]
fn of_two_places(header: &Header) -> Header {
    let only = |word: Bits| {
        let width = word.width() / TEXELS;
        let texel = |number: usize| {
            let is_asked = number & 1 != number >> 2 & 1;
            let number = if is_asked { number } else { number ^ 4 };
            word.slice(width * number, width)
        };
        stack((0..TEXELS).map(texel))
    };
    Header { indices: only(header.indices), seconds: only(header.seconds), ..header.clone() }
}
