//! `coordinate` of the general numerics: from a probe to the texels of its footprint, and where its level stands.
//!
//! What the probe needs of its binding is kept here and goes on with it; of a binding only an item that empties the cache goes on.
//! All axes run side by side. Meanwhile the sides of the level become tiles, tiles half lines, and the level's offset a line.
//!
//! | module | what |
//! | --- | --- |
//! | `words` | what leaves |
//! | `sides` | the sides of the level, and where it begins in a ripmap |
//! | `level` | where the level stands |
//! | `third` | slices: faces, layers, those of a volume |
//! | `whole` | texels that are asked for by their numbers |
//! | `placed` | where texels lie in tiles |
//! | `second` | what is kept of the secondary texture of indirect look-ups |
//!
//! An entry of a colour table is a texel of a texture of the table's colours, which stands where the texture begins.
//!
//! A row texture (`1d`) fills tiles row by row: texel x lies in column `x & 3` and row `(x >> 2) & 3` of tile `x >> 4`. It leaves as a
//! texture of tiles, each tap with a row of its own.
//!
//! # Cost
//!
//! Latency: the stages of [`Stage`], initiation interval 1. A LUT RAM of 16 x 27 bits, a multiplier for each axis, one of 11 x 4 and,
//! where there are slices, one of 14 x 11 bits. With all kinds, modes and operations 836 LUTs, as Yosys 0.70 estimates them for
//! UltraScale+.

mod level;
mod placed;
mod second;
mod sides;
mod third;
mod whole;
mod words;

pub use words::{BoundTexels, Footprint, LevelPlace, has_float_corners, row_half_bits, slice_line_bits};

use super::axis::{Axis, AxisInput, AxisTaps, COORDINATE_BITS, MODE_BITS, SIZE_BITS, TEXEL_BITS};
use super::request::VERDICT_REGISTER;
use super::tile::{SIDE_TILE_BITS, tile_half_bits};
use super::words::{
    FORMAT_BITS, LEVEL_BITS, Probe, QuadEnds, field_of, general, has_field, has_indirect, has_third_axis,
    is_secondary_register, slice_bits,
};
use crate::datapath::bundles::line_bits;
use Stage::{Entry, Exit, Side};
use level::level;
use placed::placed;
use second::Second;
use sides::{Sizes, sizes};
use third::{Third, slices, third};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, Multiplier, Operand};
use tmu_spec::binding::field::{BASE, FORMAT};
use tmu_spec::general::Kind;
use tmu_spec::general::field::{
    ADDRESS, BORDER, COMPARE, COMPARES, DEPTH, FIRST_OFFSET_REGISTER, HEIGHT, KIND, LEVEL_OFFSETS, SEAMLESS,
    SRGB, SWIZZLE, WIDTH,
};
use tmu_spec::{AddressMode, Config, Format, LINE_BYTES};
use whole::whole;

/// Bits of a byte's number in a line.
const LINE_SHIFT: usize = LINE_BYTES.ilog2() as usize;

/// Columns and rows of a colour table, as a texture in which its entries stand in order: a column of tiles.
pub const TABLE_SIDES: [u32; 2] = [4, 64];

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

/// What kind of texture is bound.
#[derive(Clone, Debug, Record)]
struct Kinds<T = Bits> {
    /// One row.
    is_row: T,
    /// A volume.
    is_volume: T,
    /// A cube.
    is_cube: T,
    /// Layers.
    is_array: T,
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
    is_row: Optional<Reg>,
    is_volume: Optional<Reg>,
    is_cube: Optional<Reg>,
    is_array: Optional<Reg>,
    is_seamless: Optional<Reg>,
    depth: Optional<Reg>,
    bound_texels: BoundTexels<FieldReg>,
    first_line: Reg,
    format: Reg,
    second: Optional<Second<FieldReg>>,
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
        let has = |kind| general(config).has_kind(kind);
        let has_cube = has(Kind::Cube);
        let axes = if has(Kind::D3) { 3 } else { 2 };
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
            modes: Reg::array(axes, &clocks, MODE_BITS),
            is_row: Optional::new(has(Kind::D1), flag),
            is_volume: Optional::new(has(Kind::D3), flag),
            is_cube: Optional::new(has_cube, flag),
            is_array: Optional::new(has(Kind::D2Array), flag),
            is_seamless: Optional::new(has_cube, flag),
            depth: Optional::new(has_third_axis(config), || Reg::new(&clocks, SIZE_BITS)),
            bound_texels: BoundTexels::of(config).registers(&clocks),
            first_line: Reg::new(&clocks, line_bits(config)),
            format: Reg::new(&clocks, FORMAT_BITS),
            second: Optional::new(has_indirect(config), || Second::of(config).registers(&clocks)),
            offsets: DistributedRam::new(1 << LEVEL_BITS, line_bits(config)),
            axes: (0..axes).map(|_| Axis::new(config)).collect(),
            row_halves: Multiplier::new(factor(SIDE_TILE_BITS), factor(tile_half_bits(config))),
            slice_halves: Optional::new(slice_bits(config) > 0, || {
                Multiplier::new(factor(row_half_bits(config)), factor(SIDE_TILE_BITS))
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
        let kinds = pipe.put(Entry, "kinds", self.kinds(&probe));
        let Sizes { sides, rows_of, origin } = sizes(self, &pipe, &probe);
        let slices = slices(self, &pipe, &probe);
        let sizes = [sides[0], sides[1], slices];
        let whole = whole(&self._config, &pipe, &probe, &sizes, &kinds);
        let ([x, y], is_linear) = self.texels(&pipe, &probe, &sizes);
        let [x, y] = placed(&pipe, [x, y], (whole.as_ref(), origin), &kinds, self.is_row.is_some());
        let level = level(self, &pipe, &probe, rows_of);
        let last = match self.is_cube.as_ref() {
            Some(_) => {
                let last = sizes[0] - 1;
                discard(last.high(1), "a texel's number is below 4096");
                pipe.put(Side, "last", last.low(TEXEL_BITS)).at(Exit)
            }
            None => lit(TEXEL_BITS, 0u32),
        };
        let Third { slice, second_slice, slice_weight, slice_is_outside } =
            third(self, &pipe, &probe, sizes[2], is_linear, whole.as_ref(), &kinds);
        let ends = pipe.put(Entry, "ends", QuadEnds::of_probe(&probe)).at(Exit);
        let texels = self.texels_of_binding(&probe);
        let are_floats = self.is_float() && !texels.compares;
        /// # Footprint
        let footprint = Footprint {
            invalidates: invalidates.at(Exit),
            ends,
            x,
            y,
            slice,
            second_slice,
            slice_weight,
            slice_is_outside,
            last,
            is_cube: kinds.at(Exit).is_cube,
            is_row: kinds.at(Exit).is_row,
            are_floats: pipe.put(Entry, "are_floats", are_floats).at(Exit),
            is_void: whole.map_or_else(|| lit(1, 0u32), |whole| whole.is_void.at(Exit)),
            texels: pipe.put(Entry, "texels", texels).at(Exit),
            level,
        };
        self.out_valid.next = in_valid.at(Exit) || invalidates.at(Exit);
        self.footprint.next = Footprint::of(&self._config).pack(&footprint);
    }

    fn bind(&self, probe: &Probe) {
        /// # Binding
        let register = probe.u.low(tmu_spec::general::field::REGISTER_BITS as usize);
        discard(register.high(1), "no field has it");
        // Again as long as it stands here: only what stands here reads what is kept, so `advance` need not be waited for.
        let comes = self.in_valid.val();
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
        let kinds = [
            (&self.is_row, Kind::D1),
            (&self.is_volume, Kind::D3),
            (&self.is_cube, Kind::Cube),
            (&self.is_array, Kind::D2Array),
        ];
        for (is_it, kind) in kinds {
            if let Some(is_it) = is_it.as_ref() {
                if takes(KIND) {
                    is_it.next = field_of(register, KIND) == u64::from(kind.code());
                }
            }
        }
        if let Some(is_seamless) = self.is_seamless.as_ref() {
            if takes(SEAMLESS) {
                is_seamless.next = field_of(register, SEAMLESS);
            }
        }
        if let Some(depth) = self.depth.as_ref() {
            if takes(DEPTH) {
                depth.next = field_of(register, DEPTH).zero_extend(SIZE_BITS) + 1;
            }
        }
        if takes(BASE) {
            self.first_line.next = field_of(register, BASE).slice(LINE_SHIFT, self.first_line.width());
        }
        if takes(FORMAT) {
            self.format.next = field_of(register, FORMAT);
        }
        let texels = &self.bound_texels;
        if takes(BORDER) {
            texels.border.next = field_of(register, BORDER);
        }
        // One register has all of them.
        if takes(SRGB) {
            texels.is_srgb.next = field_of(register, SRGB);
            texels.compares.next = field_of(register, COMPARES);
            texels.compare.next = field_of(register, COMPARE);
            texels.swizzle.next = stack(SWIZZLE.map(|of| field_of(register, of)));
        }
        let offsets = &self.offsets;
        offsets.clocks.follow(&self.clocks);
        let is_offset = probe.head.register >= u64::from(FIRST_OFFSET_REGISTER);
        let is_verdict = probe.head.register == u64::from(VERDICT_REGISTER);
        let is_own = match self.second.as_ref() {
            Some(second) => {
                second::keep(second, &probe.head, register, comes);
                !is_secondary_register(probe.head.register)
            }
            None => lit(1, 1u32),
        };
        offsets.write_enable.next = comes && probe.head.is_binding && is_offset && !is_verdict && is_own;
        let level = probe.head.register.low(LEVEL_BITS) - u64::from(FIRST_OFFSET_REGISTER);
        offsets.write_address.next = level;
        offsets.write_data.next = register.slice(LINE_SHIFT, offsets.write_data.val().width());
        offsets.read_address.next = probe.level;
    }

    /// What kind the texture is. A colour table is flat.
    fn kinds(&self, probe: &Probe) -> Kinds {
        let is_table = probe.is_table;
        let is =
            |kind: &Optional<Reg>| kind.as_ref().map_or_else(|| lit(1, 0u32), |kind| kind.val() && !is_table);
        let is_row = is(&self.is_row);
        Kinds {
            is_row: self.own_or_second(probe, is_row, |second| second.is_row && !is_table),
            is_volume: is(&self.is_volume),
            is_cube: is(&self.is_cube),
            is_array: is(&self.is_array),
        }
    }

    /// What the binding says of the probe's texels. Places are texels as they are stored.
    fn texels_of_binding(&self, probe: &Probe) -> BoundTexels {
        discard(probe.look_up.pass.is_first, "without sRGB texels are as they are stored");
        let texels = self.bound_texels.val();
        let texels = match self.second.as_ref() {
            Some(_) => BoundTexels {
                is_srgb: self.own_or_second(probe, texels.is_srgb, |second| second.is_srgb)
                    && !probe.look_up.pass.is_first,
                swizzle: self.own_or_second(probe, texels.swizzle, |second| second.swizzle),
                ..texels
            },
            None => texels,
        };
        BoundTexels { compares: texels.compares && !probe.look_up.is_fetch, ..texels }
    }

    /// What is kept of the primary texture, or of the secondary one where the probe looks into that.
    fn own_or_second(&self, probe: &Probe, own: Bits, of: impl Fn(Second) -> Bits) -> Bits {
        match self.second.as_ref() {
            Some(second) => {
                let other = of(second.val());
                if probe.look_up.pass.is_second { other } else { own }
            }
            None => own,
        }
    }

    /// One bit: the format's texels are floats.
    fn is_float(&self) -> Bits {
        let formats = self._config.features().formats().filter(|format| format.is_float());
        let formats: Vec<Format> = if has_float_corners(&self._config) { formats.collect() } else { vec![] };
        formats
            .into_iter()
            .fold(lit(1, 0u32), |any, format| any || self.format.val() == u64::from(format.code()))
    }

    /// Columns and rows of the footprint, and whether they are linear, which goes for slices too.
    fn texels<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        probe: &Probe,
        sizes: &[Bits; 3],
    ) -> ([Payload<'a, Stage, AxisTaps>; 2], Bits) {
        /// # Axes
        let none = || lit(1, 0u32);
        let is_cube = self.is_cube.as_ref().map_or_else(none, |reg| reg.val());
        let seamless = self.is_seamless.as_ref().map_or_else(none, |reg| reg.val());
        let is_seamless = pipe.put(Entry, "is_seamless", is_cube && seamless).at(Side);
        let is_linear = probe.is_linear || probe.look_up.is_gather;
        let is_linear = pipe.put(Entry, "is_linear", is_linear).at(Side);
        let coordinates = pipe.put(Entry, "coordinates", [probe.u, probe.v]).at(Side);
        let taps = [0, 1].map(|axis: usize| {
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
            pipe.through(Side, name, &self.axes[axis], input)
        });
        (taps, is_linear)
    }
}

const _: () = assert!(COORDINATE_BITS == 37 && LEVEL_OFFSETS.len() <= 1 << LEVEL_BITS);
