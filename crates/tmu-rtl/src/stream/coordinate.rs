//! `coordinate`: from normalised coordinates to the texels around each pixel.
//!
//! A binding leaves here what the pixels behind it need, and takes along what `address` needs. u and v of each pixel of
//! the slot go through an axis each; beside them the pair of level-offset ROMs is read, and tiles become lines.
//!
//! Latency 6 slots, initiation interval 1. Two ROMs of 4096 x 9 bits, a multiplier for each axis, one of 18 x 3 bits.

use super::axis::{Axis, LATENCY_SLOTS};
use super::delay::Delay;
use super::words::{
    BindingPlace, Kind, LEVEL_LINE_BITS, PIXEL_BITS, TILE_LINE_BITS, binding_pixel, footprint_layout, lanes,
    slot_layout, taps_layout, tile_lines,
};
use crate::bundles::{Layout, has_rgb, has_rgba, line_bits};
use crate::level_offsets;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand, Rom};
use tmu_spec::{Config, fixed, level_offset};

/// Slots that the ROMs take.
const ROM_SLOTS: usize = 2;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Coordinate {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All slots move on at the next edge.
    pub advance: Net<In>,
    /// There is something in the slot.
    pub active: Net<In>,
    /// The slot, see [`slot_layout`].
    pub slot: Net<In>,
    /// The level of its quad.
    pub level: Net<In>,
    /// There is something in the slot that leaves.
    pub leaves: Net<Out>,
    /// What leaves, see [`footprint_layout`].
    pub footprint: Net<Out>,
    is_good: Reg,
    width_log2: Reg,
    height_log2: Reg,
    mode_u: Reg,
    mode_v: Reg,
    is_bilinear: Reg,
    is_rgb: Optional<Reg>,
    is_indexed: Optional<Reg>,
    places: Delay,
    u: Vec<Axis>,
    v: Vec<Axis>,
    offset_low: Rom,
    offset_high: Rom,
    tile_lines: Delay,
    level_lines: Multiplier,
    level_lines_after: Delay,
    tiles_log2: Delay,
    waiting: Delay,
    marks: Delay,
    _config: Config,
    _slot: Layout,
    _marks: Layout,
    _taps: Layout,
    _place: BindingPlace<Width>,
    _footprint: Layout,
}

/// What only passes through.
fn marks_layout(config: &Config) -> Layout {
    let lanes = lanes(config);
    Layout::new(&[
        ("is_binding", 1, true),
        ("carries", 1, lanes == 1),
        ("is_table", 1, config.features().has_color_table()),
        ("number", 2, lanes == 1),
        ("is_valid", lanes, true),
        ("is_failed", 1, true),
    ])
}

impl Coordinate {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Coordinate {
        let clocks = Clocks::new();
        let [offset_low, offset_high] = level_offsets::roms();
        let (slot, marks, footprint) = (slot_layout(config), marks_layout(config), footprint_layout(config));
        let place = BindingPlace::of(config);
        let lanes = lanes(config);
        let bit = || Reg::new(&clocks, 1);
        Coordinate {
            advance: Net::bit(),
            active: Net::bit(),
            slot: Net::new(slot.width()),
            level: Net::new(fixed::LOD_BITS as usize),
            leaves: Net::bit(),
            footprint: Net::new(footprint.width()),
            is_good: Reg::with_reset(&clocks, 1, 0),
            width_log2: Reg::new(&clocks, 4),
            height_log2: Reg::new(&clocks, 4),
            mode_u: Reg::new(&clocks, 2),
            mode_v: Reg::new(&clocks, 2),
            is_bilinear: bit(),
            is_rgb: Optional::new(has_rgb(config) && has_rgba(config), bit),
            is_indexed: Optional::new(config.features().has_color_table(), bit),
            places: Delay::new(&clocks, LATENCY_SLOTS, place.width()),
            u: (0..lanes).map(|_| Axis::new(config)).collect(),
            v: (0..lanes).map(|_| Axis::new(config)).collect(),
            offset_low,
            offset_high,
            tile_lines: Delay::new(&clocks, ROM_SLOTS, TILE_LINE_BITS),
            level_lines: Multiplier::new(
                Operand::unsigned(level_offset::ENTRY_BITS as usize),
                Operand::unsigned(TILE_LINE_BITS),
            ),
            level_lines_after: Delay::new(&clocks, 1, LEVEL_LINE_BITS),
            tiles_log2: Delay::new(&clocks, LATENCY_SLOTS - 1, 4),
            waiting: Delay::flag(&clocks, LATENCY_SLOTS),
            marks: Delay::new(&clocks, LATENCY_SLOTS, marks.width()),
            clocks,
            _config: config.clone(),
            _slot: slot,
            _marks: marks,
            _taps: taps_layout(config),
            _place: place,
            _footprint: footprint,
        }
    }
}

/// Texels around each pixel.
#[kernel]
impl Coordinate {
    fn logic(&self) {
        timing(LATENCY_SLOTS as u32, 1);
        self.bind();
        self.axes();
        self.level_lines();
        self.marks();
        self.leave();
    }

    /// One bit: the slot has the bits of its binding, if it is one.
    fn is_carrier(&self) -> Bits {
        if self.u.len() > 1 {
            return lit(1, 1u32);
        }
        self._slot.get(self.slot.val(), "number") == binding_pixel(&self._config) as u64
    }

    fn bind(&self) {
        /// # Binding
        let word = self.slot.val();
        let field = |name: &str| self._slot.get(word, name);
        let is_carrier = self.is_carrier();
        let pixel = if self.u.len() > 1 { binding_pixel(&self._config) } else { 0 };
        let bits = |lo: usize, width: usize| field("pixels").slice(pixel * PIXEL_BITS + lo, width);
        let is_good = field("is_valid").bit(0);
        if self.active.val() && field("is_binding") && is_carrier && self.advance.val() {
            self.is_good.next = is_good;
            self.width_log2.next = bits(32, 4);
            self.height_log2.next = bits(36, 4);
            self.is_bilinear.next = bits(52, 1);
            self.mode_u.next = bits(56, 2);
            self.mode_v.next = bits(58, 2);
            for (reg, bit) in [(&self.is_rgb, 44), (&self.is_indexed, 45)] {
                if let Some(reg) = reg.as_ref() {
                    reg.next = bits(bit, 1);
                }
            }
        }
        let place = self._place.pack(&BindingPlace {
            line: bits(4, line_bits(&self._config)),
            kind: Kind { is_rgb: bits(44, 1), is_indexed: bits(45, 1) },
            drops: bits(62, 1) && is_good,
        });
        self.places.take(place, self.advance.val());
    }

    fn axes(&self) {
        /// # Axes
        let pixels = self._slot.get(self.slot.val(), "pixels");
        let level = self.level.val();
        let size_at = |size_log2: Bits| {
            if size_log2 > level { size_log2 - level } else { lit(4, 0u32) }
        };
        for (axes, lo, size_log2, mode) in [
            (&self.u, 0, self.width_log2.val(), self.mode_u.val()),
            (&self.v, 32, self.height_log2.val(), self.mode_v.val()),
        ] {
            let size_log2 = size_at(size_log2);
            for (lane, axis) in axes.iter().enumerate() {
                axis.clocks.follow(&self.clocks);
                axis.advance.next = self.advance.val();
                axis.coordinate.next = pixels.slice(lane * PIXEL_BITS + lo, 32);
                axis.size_log2.next = size_log2;
                axis.mode.next = mode;
                axis.is_bilinear.next = self.is_bilinear.val();
            }
        }
        for unread in self.u.iter().skip(1).chain(&self.v) {
            discard(
                unread.level_size_log2.val(),
                "tiles stand row by row, and the size is that of all pixels",
            );
        }
        let size_log2 = self.u[0].level_size_log2.val();
        let tiles_log2 = if size_log2 > 2 { size_log2 - 2 } else { lit(4, 0u32) };
        self.tiles_log2.take(tiles_log2, self.advance.val());
    }

    fn level_lines(&self) {
        /// # Lines in front of the level
        let is_rgb =
            self.is_rgb.as_ref().map_or_else(|| lit(1, u32::from(has_rgb(&self._config))), |reg| reg.val());
        let is_indexed = self.is_indexed.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val());
        self.tile_lines.take(tile_lines(is_rgb, is_indexed), self.advance.val());
        let entry = cat(&[self.width_log2.val(), self.height_log2.val(), self.level.val()]);
        let roms = [&self.offset_low, &self.offset_high];
        level_offsets::read(roms, &self.clocks, self.advance.val(), entry);
        let offset = cat(&[self.offset_high.read_data.val(), self.offset_low.read_data.val()]);
        let lines = &self.level_lines;
        lines.clocks.follow(&self.clocks);
        lines.enable.next = self.advance.val();
        lines.a.next = offset;
        lines.b.next = self.tile_lines.last();
        let product = lines.product.val();
        discard(product.high(product.width() - LEVEL_LINE_BITS), "a tile has at most four lines");
        self.level_lines_after.take(product.low(LEVEL_LINE_BITS), self.advance.val());
    }

    fn marks(&self) {
        /// # What passes through
        let word = self.slot.val();
        let field = |name: &str| self._slot.get(word, name);
        let marks = self._marks.pack(&[
            ("is_binding", field("is_binding")),
            ("carries", field("is_binding") && self.is_carrier()),
            ("is_table", field("is_table")),
            ("number", field("number")),
            ("is_valid", field("is_valid")),
            ("is_failed", !self.is_good.val()),
        ]);
        self.waiting.take(self.active.val(), self.advance.val());
        self.marks.take(marks, self.advance.val());
    }

    fn leave(&self) {
        /// # Footprint
        let marks = self.marks.last();
        let mark = |name: &str| self._marks.get(marks, name);
        let none = lit(1, 0u32);
        let or_none = |net: &Option<Net<Out>>| net.as_ref().map_or(none, |net| net.val());
        self.leaves.next = self.waiting.last();
        let taps: Vec<Bits> = self
            .u
            .iter()
            .zip(&self.v)
            .rev()
            .map(|(u, v)| {
                self._taps.pack(&[
                    ("x0", u.low.val()),
                    ("x1", or_none(&u.high)),
                    ("y0", v.low.val()),
                    ("y1", or_none(&v.high)),
                    ("weight_x", or_none(&u.weight)),
                    ("weight_y", or_none(&v.weight)),
                ])
            })
            .collect();
        self.footprint.next = self._footprint.pack(&[
            ("is_binding", mark("is_binding")),
            ("carries", if self.u.len() > 1 { mark("is_binding") } else { mark("carries") }),
            ("is_table", mark("is_table")),
            ("number", mark("number")),
            ("is_valid", mark("is_valid")),
            ("is_failed", mark("is_failed")),
            ("taps", cat(&taps)),
            ("level_lines", self.level_lines_after.last()),
            ("tiles_log2", self.tiles_log2.last()),
            ("place", self.places.last()),
        ]);
    }
}
