//! `coordinate`: from normalised coordinates to the texels around each pixel.
//!
//! A binding leaves here what the pixels behind it need, and passes on what `address` needs. u and v go through an
//! axis each; the pair of level-offset ROMs is read beside them.
//!
//! Latency 6 slots, initiation interval 1. Two ROMs of 4096 x 9 bits, a multiplier for each axis.

use super::axis::{Axis, LATENCY_SLOTS};
use super::delay::Delay;
use super::words::{binding_slot, footprint_layout, slot_layout};
use crate::bundles::{Layout, line_bits};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Contents, Rom};
use tmu_hdl::value::Value;
use tmu_spec::{Config, fixed, level_offset};

/// What `address` needs of a binding.
#[derive(Debug, Bundle)]
pub struct Place<D: tmu_hdl::rust_hdl::core::prelude::Direction> {
    /// First line of the levels, or of the colour table.
    pub line: Net<D>,
    /// Colours have three bytes.
    pub is_rgb: Net<D>,
    /// Texels are indices into the colour table.
    pub is_indexed: Net<D>,
    /// The cache drops what it holds.
    pub drops: Net<D>,
}

impl<D: tmu_hdl::rust_hdl::core::prelude::Direction> Place<D> {
    /// For a configuration.
    pub fn new(config: &Config) -> Self {
        Place {
            line: Net::new(line_bits(config)),
            is_rgb: Net::bit(),
            is_indexed: Net::bit(),
            drops: Net::bit(),
        }
    }
}

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
    /// Of the binding that came last, one slot after it came.
    pub place: Place<Out>,
    is_good: Reg,
    width_log2: Reg,
    height_log2: Reg,
    mode_u: Reg,
    mode_v: Reg,
    is_bilinear: Reg,
    place_line: Reg,
    place_is_rgb: Reg,
    place_is_indexed: Reg,
    place_drops: Reg,
    u: Axis,
    v: Axis,
    offset_low: Rom,
    offset_high: Rom,
    offset: Delay,
    tiles_log2: Delay,
    waiting: Delay,
    marks: Delay,
    _config: Config,
    _slot: Layout,
    _marks: Layout,
    _footprint: Layout,
}

/// What only passes through.
fn marks_layout() -> Layout {
    Layout::new(&[
        ("is_binding", 1, true),
        ("is_table", 1, true),
        ("number", 2, true),
        ("is_valid", 1, true),
        ("is_failed", 1, true),
    ])
}

impl Coordinate {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Coordinate {
        let clocks = Clocks::new();
        let rom = |name: &str, half: &mut dyn Iterator<Item = u16>| {
            let words = half.map(|word| Value::from_u128(level_offset::HALF_BITS as usize, u128::from(word)));
            Rom::new(Contents::in_file(name, words.collect()), true)
        };
        let (slot, marks, footprint) = (slot_layout(), marks_layout(), footprint_layout(config));
        let bit = || Reg::new(&clocks, 1);
        Coordinate {
            advance: Net::bit(),
            active: Net::bit(),
            slot: Net::new(slot.width()),
            level: Net::new(fixed::LOD_BITS as usize),
            leaves: Net::bit(),
            footprint: Net::new(footprint.width()),
            place: Place::new(config),
            is_good: Reg::with_reset(&clocks, 1, 0),
            width_log2: Reg::new(&clocks, 4),
            height_log2: Reg::new(&clocks, 4),
            mode_u: Reg::new(&clocks, 2),
            mode_v: Reg::new(&clocks, 2),
            is_bilinear: bit(),
            place_line: Reg::new(&clocks, line_bits(config)),
            place_is_rgb: bit(),
            place_is_indexed: bit(),
            place_drops: bit(),
            u: Axis::new(config),
            v: Axis::new(config),
            offset_low: rom("level_offset_low", &mut level_offset::lower_half()),
            offset_high: rom("level_offset_high", &mut level_offset::upper_half()),
            offset: Delay::new(&clocks, LATENCY_SLOTS - 2, level_offset::ENTRY_BITS as usize),
            tiles_log2: Delay::new(&clocks, LATENCY_SLOTS - 1, 4),
            waiting: Delay::flag(&clocks, LATENCY_SLOTS),
            marks: Delay::new(&clocks, LATENCY_SLOTS, marks.width()),
            clocks,
            _config: config.clone(),
            _slot: slot,
            _marks: marks,
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
        self.level_offset();
        self.marks();
        self.leave();
    }

    fn bind(&self) {
        /// # Binding
        let word = self.slot.val();
        let field = |name: &str| self._slot.get(word, name);
        let (low, high) = (field("u"), field("v"));
        let is_carrier = field("number") == binding_slot(&self._config);
        let binds = self.active.val() && field("is_binding") && is_carrier && self.advance.val();
        if binds {
            self.is_good.next = field("is_valid");
            self.width_log2.next = high.low(4);
            self.height_log2.next = high.slice(4, 4);
            self.place_is_rgb.next = high.bit(12);
            self.place_is_indexed.next = high.bit(13);
            self.is_bilinear.next = high.bit(20);
            self.mode_u.next = high.slice(24, 2);
            self.mode_v.next = high.slice(26, 2);
            self.place_drops.next = high.bit(30) && field("is_valid");
            self.place_line.next = low.slice(4, self.place_line.width());
        }
        self.place.line.next = self.place_line.val();
        self.place.is_rgb.next = self.place_is_rgb.val();
        self.place.is_indexed.next = self.place_is_indexed.val();
        self.place.drops.next = self.place_drops.val();
    }

    fn axes(&self) {
        /// # Axes
        let word = self.slot.val();
        let level = self.level.val();
        let size_at = |size_log2: Bits| {
            if size_log2 > level { size_log2 - level } else { lit(4, 0u32) }
        };
        for (axis, name, size_log2, mode) in [
            (&self.u, "u", self.width_log2.val(), self.mode_u.val()),
            (&self.v, "v", self.height_log2.val(), self.mode_v.val()),
        ] {
            axis.clocks.follow(&self.clocks);
            axis.advance.next = self.advance.val();
            axis.coordinate.next = self._slot.get(word, name);
            axis.size_log2.next = size_at(size_log2);
            axis.mode.next = mode;
            axis.is_bilinear.next = self.is_bilinear.val();
        }
        discard(self.v.level_size_log2.val(), "tiles stand row by row");
        let size_log2 = self.u.level_size_log2.val();
        let tiles_log2 = if size_log2 > 2 { size_log2 - 2 } else { lit(4, 0u32) };
        self.tiles_log2.take(tiles_log2, self.advance.val());
    }

    fn level_offset(&self) {
        /// # Level offset
        let entry = cat(&[self.width_log2.val(), self.height_log2.val(), self.level.val()]);
        for rom in [&self.offset_low, &self.offset_high] {
            rom.clocks.follow(&self.clocks);
            rom.read_enable.next = self.advance.val();
            rom.read_address.next = entry;
            if let Some(enable) = rom.output_enable.as_ref() {
                enable.next = self.advance.val();
            }
        }
        let offset = cat(&[self.offset_high.read_data.val(), self.offset_low.read_data.val()]);
        self.offset.take(offset, self.advance.val());
    }

    fn marks(&self) {
        /// # What passes through
        let word = self.slot.val();
        let field = |name: &str| self._slot.get(word, name);
        let marks = self._marks.pack(&[
            ("is_binding", field("is_binding")),
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
        if !self._config.features().has_color_table() {
            discard(mark("is_table"), "no format has a colour table");
        }
        self.footprint.next = self._footprint.pack(&[
            ("is_binding", mark("is_binding")),
            ("is_table", mark("is_table")),
            ("number", mark("number")),
            ("is_valid", mark("is_valid")),
            ("is_failed", mark("is_failed")),
            ("x0", self.u.low.val()),
            ("x1", or_none(&self.u.high)),
            ("y0", self.v.low.val()),
            ("y1", or_none(&self.v.high)),
            ("weight_x", or_none(&self.u.weight)),
            ("weight_y", or_none(&self.v.weight)),
            ("level_offset", self.offset.last()),
            ("tiles_log2", self.tiles_log2.last()),
        ]);
    }
}
