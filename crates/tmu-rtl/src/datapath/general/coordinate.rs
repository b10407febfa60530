//! `coordinate` of the general numerics: from a probe to the texels of its footprint, and where its level stands.
//!
//! What the probe needs of its binding is kept here and goes on with it; of a binding only an item that empties the cache goes on.
//! Both axes run side by side. Meanwhile the sides of the level become tiles, tiles half lines, and the level's offset a line.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. A LUT RAM of 16 x 27 bits, a multiplier for each axis, one of 11 x 4 and
//! one of 14 x 11 bits.

use super::axis::{Axis, AxisInput, AxisTaps, COORDINATE_BITS, MODE_BITS, SIZE_BITS, TEXEL_BITS};
use super::request::VERDICT_REGISTER;
use super::tile::{SIDE_TILE_BITS, TILE_HALF_BITS, half_lines, side_tiles};
use super::words::{
    FORMAT_BITS, LEVEL_BITS, Probe, QuadEnds, field_of, general, has_blocks, has_field, is_block_code,
};
use crate::datapath::bundles::line_bits;
use crate::datapath::format::kind_of_code;
use crate::datapath::words::{kind_bits, kind_word};
use Stage::{Entry, Exit, Halves, Large, Line, Rounded, Side, Slice, Tiles};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, Multiplier, Operand};
use tmu_spec::binding::field::{BASE, FORMAT};
use tmu_spec::general::Kind;
use tmu_spec::general::field::{
    ADDRESS, FIRST_OFFSET_REGISTER, HEIGHT, KIND, LEVEL_OFFSETS, SEAMLESS, WIDTH,
};
use tmu_spec::{AddressMode, Config, LINE_BYTES};

/// Bits of the half lines of a row of tiles.
pub const ROW_HALF_BITS: usize = SIDE_TILE_BITS + TILE_HALF_BITS - 1;
/// Bits of the lines of a slice.
pub const SLICE_LINE_BITS: usize = ROW_HALF_BITS + SIDE_TILE_BITS - 2;
/// Bits of a byte's number in a line.
const LINE_SHIFT: usize = LINE_BYTES.ilog2() as usize;

/// Where a probe is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in; sides are shifted by up to three levels; the level's offset is read.
    Entry,
    /// Sides are shifted by the rest; offset and base are added.
    Line,
    /// A side is one texel at least.
    Large,
    /// The sides of its level are there, and go into the axes.
    Side,
    /// The level in tiles is there.
    Tiles,
    /// Tiles and half lines are in the multiplier.
    TileFactors,
    /// They are multiplied.
    TileMultiply,
    /// The half lines of a row of tiles are there.
    Halves,
    /// They and the rows are in the multiplier.
    RowFactors,
    /// They are multiplied. The axes are done on the way.
    RowMultiply,
    /// The half lines of a slice are there.
    Slice,
    /// The lines of a slice are there.
    Rounded,
    /// It leaves.
    Exit,
}

/// The texels under a probe, and where its level stands.
#[derive(Clone, Debug, Record)]
pub struct Footprint<T = Bits> {
    /// The cache drops what it holds: there is no probe.
    pub invalidates: T,
    /// The probe among those of its quad.
    pub ends: QuadEnds<T>,
    /// Columns.
    pub x: AxisTaps<T>,
    /// Rows.
    pub y: AxisTaps<T>,
    /// Face of a cube.
    pub slice: T,
    /// Last texel of a side of a face.
    pub last: T,
    /// Where the level stands.
    pub level: LevelPlace<T>,
}

/// Where a level stands.
#[derive(Clone, Debug, Record)]
pub struct LevelPlace<T = Bits> {
    /// Its first line.
    pub line: T,
    /// Lines of a slice.
    pub slice_lines: T,
    /// Half lines of a row of tiles.
    pub row_halves: T,
    /// Half lines of a tile.
    pub tile_halves: T,
    /// Rows of tiles have an odd number of tiles.
    pub is_odd: T,
    /// Code of the format.
    pub format: T,
    /// Texels are compressed.
    pub is_block: T,
    /// See [`kind_word`].
    pub kind: T,
}

impl LevelPlace<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> LevelPlace<Width> {
        let blocks = has_blocks(config);
        let has_cube = general(config).has_kind(Kind::Cube);
        LevelPlace {
            line: Width::bits(line_bits(config)),
            slice_lines: Width::bits(SLICE_LINE_BITS).when(has_cube),
            row_halves: Width::bits(ROW_HALF_BITS),
            tile_halves: Width::bits(TILE_HALF_BITS),
            is_odd: Width::bits(1).when(blocks),
            format: Width::bits(FORMAT_BITS).when(blocks),
            is_block: Width::bits(1).when(blocks),
            kind: Width::bits(kind_bits(config)),
        }
    }
}

impl Footprint<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> Footprint<Width> {
        let has_cube = general(config).has_kind(Kind::Cube);
        Footprint {
            invalidates: Width::bits(1),
            ends: QuadEnds::of(config),
            x: AxisTaps::shape(),
            y: AxisTaps::shape(),
            slice: Probe::of(config).face,
            last: Width::bits(TEXEL_BITS).when(has_cube),
            level: LevelPlace::of(config),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Coordinate {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All probes move on at the next edge.
    pub advance: Net<In>,
    /// There is an item.
    pub in_valid: Net<In>,
    /// The item, see [`Probe`].
    pub probe: Net<In>,
    /// There is a footprint.
    pub out_valid: Net<Out>,
    /// The footprint, see [`Footprint`].
    pub footprint: Net<Out>,
    pipe: Pipe<Stage>,
    sides: Vec<Reg>,
    modes: Vec<Reg>,
    is_cube: Optional<Reg>,
    is_seamless: Optional<Reg>,
    first_line: Reg,
    format: Reg,
    offsets: DistributedRam,
    axes: Vec<Axis>,
    row_halves: Multiplier,
    slice_halves: Optional<Multiplier>,
    _config: Config,
}

impl Coordinate {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Coordinate {
        let clocks = Clocks::new();
        let has_cube = general(config).has_kind(Kind::Cube);
        let flag = || Reg::new(&clocks, 1);
        let factor = Operand::unsigned;
        let coordinate = Coordinate {
            advance: Net::bit(),
            in_valid: Net::bit(),
            probe: Net::new(Probe::of(config).width()),
            out_valid: Net::bit(),
            footprint: Net::new(Footprint::of(config).width()),
            pipe: Pipe::new(),
            sides: Reg::array(2, &clocks, SIZE_BITS),
            modes: Reg::array(2, &clocks, MODE_BITS),
            is_cube: Optional::new(has_cube, flag),
            is_seamless: Optional::new(has_cube, flag),
            first_line: Reg::new(&clocks, line_bits(config)),
            format: Reg::new(&clocks, FORMAT_BITS),
            offsets: DistributedRam::new(1 << LEVEL_BITS, line_bits(config)),
            axes: (0..2).map(|_| Axis::new(config)).collect(),
            row_halves: Multiplier::new(factor(SIDE_TILE_BITS), factor(TILE_HALF_BITS)),
            slice_halves: Optional::new(has_cube, || {
                Multiplier::new(factor(ROW_HALF_BITS), factor(SIDE_TILE_BITS))
            }),
            clocks,
            _config: config.clone(),
        };
        coordinate.pipe.plan(&coordinate.clocks, || coordinate.logic());
        coordinate
    }
}

/// Probes to footprints.
#[kernel]
impl Coordinate {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let probe = Probe::of(&self._config).unpack(self.probe.val());
        self.bind(&probe);
        /// # Items
        let is_verdict = probe.head.is_binding && probe.head.register == u64::from(VERDICT_REGISTER);
        let empties = self.in_valid.val() && is_verdict && probe.u.bit(1);
        let invalidates = pipe.flag(Entry, "invalidates", empties);
        let in_valid = pipe.flag(Entry, "in_valid", self.in_valid.val() && !probe.head.is_binding);
        let sizes = self.sizes(&pipe, &probe);
        let [x, y] = self.texels(&pipe, &probe, &sizes);
        let level = self.level(&pipe, &probe, &sizes);
        let last = sizes[0] - 1;
        discard(last.high(1), "a texel's number is below 4096");
        let last = pipe.put(Side, "last", last.low(TEXEL_BITS)).at(Exit);
        let slice = pipe.put(Entry, "slice", probe.face).at(Exit);
        let ends = pipe.put(Entry, "ends", QuadEnds::of_probe(&probe)).at(Exit);
        /// # Footprint
        let footprint = Footprint { invalidates: invalidates.at(Exit), ends, x, y, slice, last, level };
        self.out_valid.next = in_valid.at(Exit) || invalidates.at(Exit);
        self.footprint.next = Footprint::of(&self._config).pack(&footprint);
    }

    fn bind(&self, probe: &Probe) {
        /// # Binding
        let register = probe.u.low(tmu_spec::general::field::REGISTER_BITS as usize);
        discard(register.high(1), "no field has it");
        let comes = self.in_valid.val() && self.advance.val();
        let takes = |of| comes && has_field(&probe.head, of);
        for (side, of) in self.sides.iter().zip([WIDTH, HEIGHT]) {
            if takes(of) {
                side.next = field_of(register, of).zero_extend(SIZE_BITS) + 1;
            }
        }
        for (mode, of) in self.modes.iter().zip(ADDRESS) {
            if takes(of) {
                mode.next = field_of(register, of);
            }
        }
        if let (Some(is_cube), Some(is_seamless)) = (self.is_cube.as_ref(), self.is_seamless.as_ref()) {
            if takes(KIND) {
                is_cube.next = field_of(register, KIND) == u64::from(Kind::Cube.code());
            }
            if takes(SEAMLESS) {
                is_seamless.next = field_of(register, SEAMLESS);
            }
        }
        if takes(BASE) {
            self.first_line.next = field_of(register, BASE).slice(LINE_SHIFT, self.first_line.width());
        }
        if takes(FORMAT) {
            self.format.next = field_of(register, FORMAT);
        }
        let offsets = &self.offsets;
        offsets.clocks.follow(&self.clocks);
        let is_offset = probe.head.register >= u64::from(FIRST_OFFSET_REGISTER);
        let is_verdict = probe.head.register == u64::from(VERDICT_REGISTER);
        offsets.write_enable.next = comes && probe.head.is_binding && is_offset && !is_verdict;
        let level = probe.head.register.low(LEVEL_BITS) - u64::from(FIRST_OFFSET_REGISTER);
        offsets.write_address.next = level;
        offsets.write_data.next = register.slice(LINE_SHIFT, offsets.write_data.val().width());
        offsets.read_address.next = probe.level;
    }

    /// The sides of the level in texels, as they go into the axes.
    fn sizes(&self, pipe: &Run<'_, Stage>, probe: &Probe) -> [Bits; 2] {
        /// # Sides of the level
        let upper = pipe.put(Entry, "upper_level", probe.level.high(2)).at(Line);
        [0, 1].map(|axis: usize| {
            let side = self.sides[axis].val() >> probe.level.low(2);
            let side = pipe.put(Entry, &format!("near_side_{axis}"), side).at(Line);
            let side = side >> cat(&[upper, lit(2, 0u32)]);
            let side = pipe.put(Line, &format!("far_side_{axis}"), side).at(Large);
            let side = cat(&[side.high(SIZE_BITS - 1), side.low(1) | !side.any()]);
            pipe.put(Large, &format!("side_{axis}"), side).at(Side)
        })
    }

    /// Columns and rows of the footprint.
    fn texels(&self, pipe: &Run<'_, Stage>, probe: &Probe, sizes: &[Bits; 2]) -> [AxisTaps; 2] {
        /// # Axes
        let none = || lit(1, 0u32);
        let is_cube = self.is_cube.as_ref().map_or_else(none, |reg| reg.val());
        let seamless = self.is_seamless.as_ref().map_or_else(none, |reg| reg.val());
        let is_seamless = pipe.put(Entry, "is_seamless", is_cube && seamless).at(Side);
        let is_linear = pipe.put(Entry, "is_linear", probe.is_linear).at(Side);
        let coordinates = pipe.put(Entry, "coordinates", [probe.u, probe.v]).at(Side);
        [0, 1].map(|axis: usize| {
            let clamp = lit(MODE_BITS, u32::from(AddressMode::Clamp.code()));
            let mode = if is_cube { clamp } else { self.modes[axis].val() };
            let input = AxisInput {
                coordinate: coordinates[axis],
                size: sizes[axis],
                mode: pipe.put(Entry, &format!("mode_{axis}"), mode).at(Side),
                is_linear,
                is_seamless,
            };
            let name = ["x", "y"][axis];
            pipe.through(Side, name, &self.axes[axis], input).at(Exit)
        })
    }

    fn level(&self, pipe: &Run<'_, Stage>, probe: &Probe, sizes: &[Bits; 2]) -> LevelPlace {
        /// # Where the level stands
        discard(probe.level.low(1), "each stage takes its part");
        let code = self.format.val();
        let tile_halves = pipe.put(Entry, "tile_halves", half_lines(&self._config, code));
        let tiles = pipe.put(Side, "tiles", [side_tiles(sizes[0]), side_tiles(sizes[1])]);
        let offset = pipe.put(Entry, "offset", self.offsets.read_data.val()).at(Line);
        let first_line = pipe.put(Entry, "first_line", self.first_line.val()).at(Line);
        let line = pipe.put(Line, "line", first_line + offset).at(Exit);
        let factors = (tiles.at(Tiles)[0], tile_halves.at(Tiles));
        let row_halves = pipe.through(Tiles, "row_halves", &self.row_halves, factors);
        let low_halves = |halves: Bits| {
            discard(halves.high(1), "a tile has at most eight half lines");
            halves.low(ROW_HALF_BITS)
        };
        let row = pipe.put(Halves, "row_half_lines", low_halves(row_halves.at(Halves)));
        let slice_lines = match self.slice_halves.as_ref() {
            Some(multiplier) => {
                let factors = (row.at(Halves), tiles.at(Halves)[1]);
                let halves = pipe.through(Halves, "slice_halves", multiplier, factors).at(Slice);
                discard(halves.high(1), "a level has at most 1024 rows of tiles");
                let rounded = halves.low(SLICE_LINE_BITS + 1) + 1;
                discard(rounded.low(1), "a slice is whole lines");
                pipe.put(Slice, "slice_lines", rounded.high(SLICE_LINE_BITS)).at(Rounded)
            }
            None => lit(SLICE_LINE_BITS, 0u32),
        };
        let kind = kind_word(&self._config, &kind_of_code(&self._config, code));
        LevelPlace {
            line,
            slice_lines: pipe.put(Rounded, "lines_of_slice", slice_lines).at(Exit),
            row_halves: row.at(Exit),
            tile_halves: tile_halves.at(Exit),
            is_odd: pipe.put(Tiles, "is_odd", tiles.at(Tiles)[0].bit(0)).at(Exit),
            format: pipe.put(Entry, "format", code).at(Exit),
            is_block: pipe.put(Entry, "is_block", is_block_code(&self._config, code)).at(Exit),
            kind: pipe.put(Entry, "kind", kind).at(Exit),
        }
    }
}

const _: () = assert!(COORDINATE_BITS == 37 && LEVEL_OFFSETS.len() <= 1 << LEVEL_BITS);
