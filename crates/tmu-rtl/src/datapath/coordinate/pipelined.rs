//! `coordinate`: from normalised coordinates to the texels around each pixel.
//!
//! A binding leaves here what the pixels behind it need, and takes along what `address` needs. u and v of each pixel of
//! the item go through an axis each; beside them the pair of level-offset ROMs is read, and tiles become lines.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. Two ROMs of 4096 x 9 bits, a multiplier for each axis, one of
//! 18 x 3 bits.

use super::axis::Axis;
use crate::datapath::binding::FIRST_LINE_SHIFT;
use crate::datapath::bundles::{Layout, line_bits};
use crate::datapath::coordinate::level_offsets;
use crate::datapath::format::{Kind, kind_of_code, tile_lines};
use crate::datapath::words::{
    BindingPlace, LEVEL_LINE_BITS, PIXEL_BITS, TILE_LINE_BITS, binding_pixel, footprint_layout,
    has_short_paths, item_layout, lanes, taps_layout,
};
use Stage::{Entry, Exit, Lines, Offset, Size};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand, Rom};
use tmu_spec::binding::field::{
    ADDRESS_U, ADDRESS_V, BILINEAR, DROP_CACHE, FORMAT, Field, HEIGHT_LOG2, WIDTH_LOG2,
};
use tmu_spec::{Config, fixed, level_offset};

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and goes into the axes and the ROMs.
    Entry,
    /// The axes have folded coordinates back, where paths are to be short.
    Fold,
    /// The axes tell the size of its level.
    Size,
    /// The ROMs tell how many tiles lie in front of its level, which are multiplied with their lines.
    Offset,
    /// Both are in the multiplier.
    Factors,
    /// They are multiplied.
    Multiply,
    /// The lines in front of its level are there.
    Lines,
    /// It leaves, with what the axes give.
    Exit,
}

/// The stages that a configuration has.
fn stages(config: &Config) -> Vec<Stage> {
    let is_used = |stage: &Stage| *stage != Stage::Fold || has_short_paths(config);
    Stage::ALL.iter().copied().filter(is_used).collect()
}

/// What only passes through.
#[derive(Clone, Debug, Record)]
struct Sideband<T = Bits> {
    is_binding: T,
    is_table: T,
    pixel: T,
    is_last: T,
    is_valid: T,
    is_failed: T,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Coordinate {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All items move on at the next edge.
    pub advance: Net<In>,
    /// There is something in the item.
    pub in_valid: Net<In>,
    /// The item, see [`item_layout`].
    pub in_item: Net<In>,
    /// The level of its quad.
    pub level: Net<In>,
    /// There is something in the item that leaves.
    pub out_valid: Net<Out>,
    /// What leaves, see [`footprint_layout`].
    pub footprint: Net<Out>,
    pipe: Pipe<Stage>,
    is_good: Reg,
    width_log2: Reg,
    height_log2: Reg,
    mode_u: Reg,
    mode_v: Reg,
    is_bilinear: Reg,
    kind: Kind<FieldReg>,
    u: Vec<Axis>,
    v: Vec<Axis>,
    offset: [Rom; 2],
    level_lines: Multiplier,
    _config: Config,
    _item: Layout,
}

impl Coordinate {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Coordinate {
        let clocks = Clocks::new();
        let in_item = item_layout(config);
        let axes = || (0..lanes(config)).map(|_| Axis::new(config)).collect();
        let entry_bits = level_offset::ENTRY_BITS as usize;
        let coordinate = Coordinate {
            advance: Net::bit(),
            in_valid: Net::bit(),
            in_item: Net::new(in_item.width()),
            level: Net::new(fixed::LOD_BITS as usize),
            out_valid: Net::bit(),
            footprint: Net::new(footprint_layout(config).width()),
            pipe: Pipe::with(&stages(config)),
            is_good: Reg::with_reset(&clocks, 1, 0),
            width_log2: Reg::new(&clocks, 4),
            height_log2: Reg::new(&clocks, 4),
            mode_u: Reg::new(&clocks, 2),
            mode_v: Reg::new(&clocks, 2),
            is_bilinear: Reg::new(&clocks, 1),
            kind: Kind::of(config).registers(&clocks),
            u: axes(),
            v: axes(),
            offset: level_offsets::roms(),
            level_lines: Multiplier::new(Operand::unsigned(entry_bits), Operand::unsigned(TILE_LINE_BITS)),
            clocks,
            _config: config.clone(),
            _item: in_item,
        };
        coordinate.pipe.plan(&coordinate.clocks, || coordinate.logic());
        coordinate
    }
}

type Carried<'a, W = Bits> = Payload<'a, Stage, W>;

/// Texels around each pixel.
#[kernel]
impl Coordinate {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let place = self.bind(&pipe);
        let (taps, tiles_log2) = self.axes(&pipe);
        let level_lines = self.level_lines(&pipe);
        /// # What passes through
        let in_valid = pipe.flag(Entry, "in_valid", self.in_valid.val());
        let sideband = pipe.put(
            Entry,
            "mark",
            Sideband {
                is_binding: self.field("is_binding"),
                is_table: self.field("is_table"),
                pixel: self.field("pixel"),
                is_last: self.field("is_last"),
                is_valid: self.field("is_valid"),
                is_failed: !self.is_good.val(),
            },
        );
        let sideband = sideband.at(Exit);
        /// # Footprint
        self.out_valid.next = in_valid.at(Exit);
        self.footprint.next = footprint_layout(&self._config).pack(&[
            ("is_binding", sideband.is_binding),
            ("is_table", sideband.is_table),
            ("pixel", sideband.pixel),
            ("is_last", sideband.is_last),
            ("is_valid", sideband.is_valid),
            ("is_failed", sideband.is_failed),
            ("taps", stack(taps)),
            ("level_lines", level_lines.at(Exit)),
            ("tiles_log2", tiles_log2.at(Exit)),
            ("place", place.at(Exit)),
        ]);
    }

    fn field(&self, name: &str) -> Bits {
        self._item.get(self.in_item.val(), name)
    }

    /// What `address` needs of the item's binding, see [`BindingPlace`].
    fn bind<'a>(&self, pipe: &Run<'a, Stage>) -> Carried<'a> {
        /// # Binding
        let pixel = if self.u.len() > 1 { binding_pixel(&self._config) } else { 0 };
        // Slices of the item, not of a net between, whose unread bits would be in the Verilog.
        let slice = |lo: usize, width: usize| self.field("pixels").slice(pixel * PIXEL_BITS + lo, width);
        let part = |field: Field| slice(field.shift as usize, field.bits as usize);
        let is_legal = self.field("is_valid").bit(0);
        let texture = kind_of_code(&self._config, part(FORMAT));
        if self.in_valid.val() && self.field("is_binding") && self.advance.val() {
            self.is_good.next = is_legal;
            self.width_log2.next = part(WIDTH_LOG2);
            self.height_log2.next = part(HEIGHT_LOG2);
            self.is_bilinear.next = part(BILINEAR);
            self.mode_u.next = part(ADDRESS_U);
            self.mode_v.next = part(ADDRESS_V);
            self.kind.next = &texture;
        }
        let invalidates = part(DROP_CACHE) && is_legal;
        let place = BindingPlace {
            line: slice(FIRST_LINE_SHIFT, line_bits(&self._config)),
            kind: texture,
            invalidates,
        };
        pipe.put(Entry, "place", BindingPlace::of(&self._config).pack(&place))
    }

    /// The taps of each pixel as they leave, see [`taps_layout`], and log2 of the tiles in a row.
    fn axes<'a>(&self, pipe: &Run<'a, Stage>) -> (Vec<Bits>, Carried<'a>) {
        /// # Axes
        let level = self.level.val();
        let size_at = |size_log2: Bits| {
            if size_log2 > level { size_log2 - level } else { lit(4, 0u32) }
        };
        let through = |name: &str, lo: usize, axes: &[Axis], size_log2: Bits, mode: Bits| -> Vec<[Bits; 3]> {
            let size_log2 = size_at(size_log2);
            let input = |lane: usize| {
                let coordinate = self.field("pixels").slice(lane * PIXEL_BITS + lo, 32);
                [coordinate, size_log2, mode, self.is_bilinear.val()]
            };
            let lanes = axes.iter().enumerate();
            lanes
                .map(|(lane, axis)| {
                    pipe.through(Entry, &format!("{name}_{lane}"), axis, input(lane)).at(Exit)
                })
                .collect()
        };
        let u = through("u", 0, &self.u, self.width_log2.val(), self.mode_u.val());
        let v = through("v", 32, &self.v, self.height_log2.val(), self.mode_v.val());
        let layout = taps_layout(&self._config);
        let names = |number: usize| [["x0", "x1", "weight_x"], ["y0", "y1", "weight_y"]][number];
        let taps = u.into_iter().zip(v).map(|(u, v)| {
            let x = names(0).into_iter().zip(u);
            layout.pack(&x.chain(names(1).into_iter().zip(v)).collect::<Vec<_>>())
        });
        for unread in self.u.iter().skip(1).chain(&self.v) {
            discard(
                unread.level_size_log2.val(),
                "tiles stand row by row, and the size is that of all pixels",
            );
        }
        let size_log2 = self.u[0].level_size_log2.val();
        let tiles_log2 = if size_log2 > 2 { size_log2 - 2 } else { lit(4, 0u32) };
        (taps.collect(), pipe.put(Size, "tiles_log2", tiles_log2))
    }

    fn level_lines<'a>(&self, pipe: &Run<'a, Stage>) -> Carried<'a> {
        /// # Lines in front of the level
        let tile_lines = tile_lines(&self._config, &self.kind.val());
        let tile_lines = pipe.put(Entry, "tile_lines", tile_lines);
        let entry = cat(&[self.width_log2.val(), self.height_log2.val(), self.level.val()]);
        let offset = pipe.through(Entry, "offset", &self.offset, [entry; 2]).at(Offset);
        let factors = (stack(offset), tile_lines.at(Offset));
        let product = pipe.through(Offset, "level_product", &self.level_lines, factors).at(Lines);
        discard(product.high(product.width() - LEVEL_LINE_BITS), "a tile has at most four lines");
        pipe.put(Lines, "level_lines", product.low(LEVEL_LINE_BITS))
    }
}
