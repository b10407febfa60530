//! `block_header`: once a tile, from the bits of its block to what its texels have in common.
//!
//! See [`blocks`](super) for what is done here and what is left to the texels. Blocks of 8 bytes stand in the low half, in lines of
//! memory in either half. Free flowing, initiation interval 1, latency [`BlockHeader::LATENCY_CLOCKS`].

use super::bc7::{self, Bc7};
use super::record::{Class, Header};
use super::select::{merged, nothing};
use super::values::{FIRST, SECOND};
use super::{BlockFormats, CODE_BITS, Compressed, bc, etc2};
use tmu_hdl::prelude::*;
use tmu_spec::Format;

/// Bits of a line of memory.
const LINE_BITS: usize = 128;

/// Where a block is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in; its format becomes flags.
    Entry,
    /// End points are compared, mixed and looked up.
    Parts,
    /// The format's own are chosen.
    Ends,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct BlockHeader {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The block, its first byte lowest; as wide as the largest that is built.
    pub block: Net<In>,
    /// The [code](Format::code) of its format, where several are built.
    pub format: Optional<Net<In>>,
    /// The block is one of 8 bytes and stands in the high half.
    pub is_upper: Optional<Net<In>>,
    /// What its texels have in common.
    pub header: Header<Field<Out>>,
    pipe: Pipe<Stage>,
    _formats: BlockFormats,
}

/// What a block says of colours.
pub(super) struct Colors {
    pub(super) ends: [[Option<Bits>; 2]; 2],
    pub(super) indices: Bits,
    pub(super) has_holes: Bits,
}

/// What eight bytes say of values.
pub(super) struct ValueEnds {
    pub(super) base: Bits,
    pub(super) step: Bits,
    pub(super) is_falling: Bits,
}

impl BlockHeader {
    /// Clocks from a block to its header.
    pub const LATENCY_CLOCKS: u32 = Stage::ALL.len() as u32 - 1;

    /// The stage for formats that are built.
    pub fn new(formats: &BlockFormats) -> BlockHeader {
        BlockHeader::of_width(formats, formats.block_bits(), false)
    }

    /// The stage for blocks in lines of 16 bytes.
    pub fn of_lines(formats: &BlockFormats) -> BlockHeader {
        BlockHeader::of_width(formats, LINE_BITS, formats.any(is_short))
    }

    fn of_width(formats: &BlockFormats, block_bits: usize, has_upper: bool) -> BlockHeader {
        let clocks = Clocks::new();
        let stage = BlockHeader {
            block: Net::new(block_bits),
            is_upper: Optional::new(has_upper, Net::bit),
            format: Optional::new(formats.has_code(), || Net::new(CODE_BITS)),
            header: Header::of(formats).nets(),
            pipe: Pipe::new(),
            clocks,
            _formats: formats.clone(),
        };
        stage.pipe.plan(&stage.clocks, || stage.logic());
        stage
    }
}

/// What its format makes of a block.
#[derive(Clone, Debug, Record)]
pub(super) struct Flags<T = Bits> {
    pub(super) class: Class<T>,
    pub(super) has_palette: T,
    pub(super) may_have_three: T,
    pub(super) may_be_punched: T,
    pub(super) has_between: T,
    pub(super) has_modifiers: T,
    pub(super) is_raw: T,
}

/// Blocks to headers.
#[kernel]
impl BlockHeader {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let flags = pipe.put(Stage::Entry, "block", self.flags());
        let block = self.block.val();
        let formats = &self._formats;
        let low = if formats.any(|format| is_short(format) && format.has_values()) {
            self.low()
        } else {
            block.low(64)
        };
        let (first, seconds) = FIRST.of_half(&pipe, &flags, formats, low, formats.second_bits());
        let (second, indices) = SECOND.of_half(&pipe, &flags, formats, block.high(64), formats.index_bits());
        let (colors, rest) = self.colors(&pipe, &flags);
        let own = flags.at(Stage::Ends);
        let of_bc7 = formats.any(Format::is_bc7).then_some(rest.seconds);
        /// # Header
        let end = |pair: usize, end: usize| {
            merged(colors.iter().map(|(own, colors)| (*own, colors.ends[pair][end])))
        };
        let of_colors = colors.iter().map(|(own, colors)| (*own, Some(colors.indices)));
        let header = Header {
            ends: [[end(0, 0), end(0, 1)], [end(1, 0), end(1, 1)]],
            indices: merged([(own.class.is_pair, indices)].into_iter().chain(of_colors)),
            seconds: merged([(own.class.is_bc7, of_bc7), (lit(1, 1u32), seconds)]),
            has_holes: colors.iter().fold(lit(1, 0u32), |any, (_, colors)| any | colors.has_holes),
            values: [first, second],
            class: own.class,
            ..rest
        };
        self.header.next = pipe.put(Stage::Ends, "header", header).at(Stage::Exit);
    }

    /// What the code says.
    fn flags(&self) -> Flags {
        let code = self.code();
        if self.format.is_some() {
            discard(code, "few formats are told apart by few bits");
        }
        let flag = |is_so: fn(Format) -> bool| self._formats.flag(code, is_so);
        Flags {
            class: Class {
                is_bc7: flag(Format::is_bc7),
                is_etc2: flag(Format::is_etc2),
                is_value: flag(Format::is_value),
                is_pair: flag(Format::is_pair),
                is_eleven: flag(Format::is_eleven),
            },
            has_palette: flag(Format::has_palette),
            may_have_three: flag(Format::may_have_three),
            may_be_punched: flag(Format::may_be_punched),
            has_between: flag(Format::has_between),
            has_modifiers: flag(Format::has_modifiers),
            is_raw: flag(Format::is_raw),
        }
    }

    /// What the families of formats that are built say of colours, each with the bit that says whether it is the block's, and what
    /// only one of them has.
    fn colors(
        &self,
        pipe: &Run<'_, Stage>,
        flags: &Payload<'_, Stage, Flags>,
    ) -> (Vec<(Bits, Colors)>, Header) {
        let formats = &self._formats;
        let (own, index_bits) = (flags.at(Stage::Ends), formats.index_bits());
        let mut families = vec![];
        let mut rest = nothing(&Header::of(formats));
        if formats.any(has_half) {
            /// # The half with colours
            let half = pipe.put(Stage::Entry, "half", self.half()).at(Stage::Parts);
            let before = flags.at(Stage::Parts);
            if formats.any(Format::has_palette) {
                let three = formats.any(Format::may_have_three).then_some(before.may_have_three);
                let palette = bc::palette(pipe, half, three, index_bits);
                families.push((own.has_palette, palette));
            }
            if formats.any(Format::is_etc2) {
                let (colors, paint) = etc2::header(pipe, [half, before.may_be_punched], index_bits);
                families.push((own.class.is_etc2, colors));
                rest.paint = paint;
            }
        }
        if formats.any(Format::is_bc7) {
            let (is_bc7, bits) = (own.class.is_bc7, [index_bits, formats.second_bits()]);
            let bc7 = bc7::header(pipe, self.block.val(), is_bc7, bits);
            families.push((is_bc7, bc7.colors));
            let Bc7 { third, alphas, second_alphas, seconds, blend, .. } = bc7;
            rest = Header { third, alphas, second_alphas, seconds, blend, ..rest };
        }
        (families, rest)
    }

    /// The eight bytes with colours of a format that has them in a half of its block.
    fn half(&self) -> Bits {
        let formats = &self._formats;
        let has = |short: bool| formats.any(|format| has_half(format) && is_short(format) == short);
        let (low, high) = (has(true).then(|| self.low()), has(false).then(|| self.block.val().high(64)));
        merged([(formats.flag(self.code(), is_short), low), (lit(1, 1u32), high)])
    }

    /// The low half of a block, in whichever half of a line it stands.
    fn low(&self) -> Bits {
        let block = self.block.val();
        let Some(is_upper) = self.is_upper.as_ref() else { return block.low(64) };
        let is_upper = is_upper.val() & self._formats.flag(self.code(), is_short);
        if is_upper { block.high(64) } else { block.low(64) }
    }

    fn code(&self) -> Bits {
        self.format.as_ref().map_or_else(|| lit(CODE_BITS, 0u32), |format| format.val())
    }
}

/// Blocks have 8 bytes.
fn is_short(format: Format) -> bool {
    format.block_bits() == 64
}

/// A half of a block has all of its colours.
fn has_half(format: Format) -> bool {
    format.has_palette() || format.is_etc2()
}
