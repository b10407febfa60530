//! `block_header`: once a tile, from the bits of its block to what its texels have in common.
//!
//! See [`blocks`](super) for what is done here and what is left to the texels. Blocks of 8 bytes stand in the low half. Free
//! flowing, initiation interval 1, latency [`BlockHeader::LATENCY_CLOCKS`].

use super::record::{Class, Header};
use super::select::{merged, nothing};
use super::values::{FIRST, SECOND};
use super::{BlockFormat, BlockFormats, CODE_BITS, bc};
use tmu_hdl::prelude::*;

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
    /// The [code](BlockFormat::code) of its format, where several are built.
    pub format: Optional<Net<In>>,
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
        let clocks = Clocks::new();
        let stage = BlockHeader {
            block: Net::new(formats.block_bits()),
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
        let (first, seconds) = FIRST.of_half(&pipe, &flags, formats, block.low(64), formats.second_bits());
        let (second, indices) = SECOND.of_half(&pipe, &flags, formats, block.high(64), formats.index_bits());
        let colors = self.colors(&pipe, &flags);
        /// # Header
        let own = flags.at(Stage::Ends);
        let end = |pair: usize, end: usize| {
            merged(colors.iter().map(|(own, colors)| (*own, colors.ends[pair][end])))
        };
        let of_colors = colors.iter().map(|(own, colors)| (*own, Some(colors.indices)));
        let header = Header {
            ends: [[end(0, 0), end(0, 1)], [end(1, 0), end(1, 1)]],
            indices: merged([(own.class.is_pair, indices)].into_iter().chain(of_colors)),
            seconds: merged([(lit(1, 1u32), seconds)]),
            has_holes: colors.iter().fold(lit(1, 0u32), |any, (_, colors)| any | colors.has_holes),
            values: [first, second],
            class: own.class,
            ..nothing(&Header::of(formats))
        };
        self.header.next = pipe.put(Stage::Ends, "header", header).at(Stage::Exit);
    }

    /// What the code says.
    fn flags(&self) -> Flags {
        let code = self.format.as_ref().map_or_else(|| lit(CODE_BITS, 0u32), |format| format.val());
        let flag = |is_so: fn(BlockFormat) -> bool| self._formats.flag(code, is_so);
        Flags {
            class: Class {
                is_bc7: flag(BlockFormat::is_bc7),
                is_etc2: flag(BlockFormat::is_etc2),
                is_value: flag(BlockFormat::is_value),
                is_pair: flag(BlockFormat::is_pair),
                is_eleven: flag(BlockFormat::is_eleven),
            },
            has_palette: flag(BlockFormat::has_palette),
            may_have_three: flag(BlockFormat::may_have_three),
            may_be_punched: flag(BlockFormat::may_be_punched),
            has_between: flag(BlockFormat::has_between),
            has_modifiers: flag(BlockFormat::has_modifiers),
            is_raw: flag(BlockFormat::is_raw),
        }
    }

    /// What the families of formats that are built say of colours, each with the bit that says whether it is the block's.
    fn colors(&self, pipe: &Run<'_, Stage>, flags: &Payload<'_, Stage, Flags>) -> Vec<(Bits, Colors)> {
        let formats = &self._formats;
        let index_bits = formats.index_bits();
        let mut families = vec![];
        let has_halves = |format: BlockFormat| format.has_palette() || format.is_etc2();
        if !formats.any(has_halves) {
            return families;
        }
        /// # The half with colours
        let block = self.block.val();
        let is_short = |format: BlockFormat| format.block_bits() == 64;
        let short = formats.any(|format| has_halves(format) && is_short(format)).then(|| block.low(64));
        let long = formats.any(|format| has_halves(format) && !is_short(format)).then(|| block.high(64));
        let code = self.format.as_ref().map_or_else(|| lit(CODE_BITS, 0u32), |format| format.val());
        let half = merged([(formats.flag(code, is_short), short), (lit(1, 1u32), long)]);
        let half = pipe.put(Stage::Entry, "half", half).at(Stage::Parts);
        if formats.any(BlockFormat::has_palette) {
            let may_have_three = flags.at(Stage::Parts).may_have_three;
            let palette = bc::palette(pipe, [half, may_have_three], index_bits);
            families.push((flags.at(Stage::Ends).has_palette, palette));
        }
        families
    }
}
