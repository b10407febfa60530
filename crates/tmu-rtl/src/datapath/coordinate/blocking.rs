//! `coordinate`: from normalised coordinates to the texels around each valid pixel.
//!
//! Pixels that are not valid are skipped; u and v of a pixel go through one pipeline, one after the other:
//! select, reduce by the address mode, scale to texels, find the neighbours, limit them. The pair of
//! level-offset ROMs is read beside it. After the last pixel the end of the quad follows as an item of its own.
//!
//! Latency 7 clocks from an accepted quad to its first pixel. Initiation interval 2 clocks a pixel, 2 more a
//! quad. Two ROMs of 4096 x 9 bits, no multiplier.

use crate::datapath::bundles::BindingField::{Good, HeightLog2, IsBilinear, ModeU, ModeV, WidthLog2};
use crate::datapath::bundles::{BindingState, Layout, footprint_layout, is_mode, texel_bits};
use crate::datapath::coordinate::level_offsets;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Rom;
use tmu_spec::texture::AddressMode;
use tmu_spec::{Config, fixed, level_offset};

/// Bits of a position in whole texels: 0 to 2048.
const POSITION_BITS: usize = 12;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Coordinate {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Quads with their level above.
    pub input: StreamIn,
    /// The binding in force.
    pub binding: BindingState<In>,
    /// Footprints and ends, see [`footprint_layout`].
    pub output: StreamOut,
    quad: Reg,
    busy: Reg,
    remaining: Reg,
    is_v: Reg,
    tiles_log2: Reg,
    size_log2_u: Reg,
    size_log2_v: Reg,
    offset_low: Rom,
    offset_high: Rom,
    offset_delay: Vec<Reg>,
    selected: Item,
    selected_coordinate: Reg,
    selected_size_log2: Reg,
    selected_mirrors: Reg,
    selected_clamps: Reg,
    reduced: Item,
    reduced_magnitude: Reg,
    reduced_size_log2: Reg,
    scaled: Item,
    scaled_position: Reg,
    scaled_last_texel: Reg,
    neighbour: Item,
    neighbour_position: Reg,
    neighbour_before: Reg,
    neighbour_after: Reg,
    neighbour_is_half: Reg,
    neighbour_is_first: Reg,
    neighbour_is_last: Reg,
    neighbour_is_past: Reg,
    neighbour_weight: Reg,
    neighbour_last_texel: Reg,
    limited: Item,
    /// The footprint is complete, or an end is here. A register, since the whole pipeline waits for it.
    offers: Reg,
    low: Vec<Reg>,
    high: Vec<Reg>,
    weight: Vec<Reg>,
    advance: Net<Local>,
    _config: Config,
    _layout: Layout,
}

/// What travels with an item through the pipeline.
#[derive(Debug, Bundle)]
struct Item {
    /// The stage holds an item.
    is_valid: Reg,
    /// It is the end of a quad.
    is_end: Reg,
    /// It belongs to v.
    is_v: Reg,
    /// Which pixel.
    pixel: Reg,
    /// The quad's valid bits.
    valid_pixels: Reg,
    /// log2 of the level's width in tiles.
    tiles_log2: Reg,
}

impl Item {
    /// The reset of what travels along keeps tools from making shift registers of LUTs: flip-flops cost less.
    fn new(clocks: &Clocks) -> Item {
        let reg = |width| Reg::with_reset(clocks, width, 0);
        Item {
            is_valid: reg(1),
            is_end: reg(1),
            is_v: reg(1),
            pixel: reg(2),
            valid_pixels: reg(4),
            tiles_log2: reg(4),
        }
    }

    fn follow(&self, before: &Item) {
        self.is_valid.drive(before.is_valid.val());
        for (reg, from) in [
            (&self.is_end, &before.is_end),
            (&self.is_v, &before.is_v),
            (&self.pixel, &before.pixel),
            (&self.valid_pixels, &before.valid_pixels),
            (&self.tiles_log2, &before.tiles_log2),
        ] {
            reg.drive(from.val());
        }
    }
}

impl Coordinate {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Coordinate {
        let clocks = Clocks::new();
        let [offset_low, offset_high] = level_offsets::roms();
        let texel_bits = texel_bits(config);
        let taps = if config.features().bilinear() { 2 } else { 1 };
        let layout = footprint_layout(config);
        let bit = || Reg::new(&clocks, 1);
        let position = || Reg::new(&clocks, POSITION_BITS);
        Coordinate {
            input: StreamIn::new(260 + fixed::LOD_BITS as usize),
            binding: BindingState::new(config, &[Good, WidthLog2, HeightLog2, IsBilinear, ModeU, ModeV]),
            output: StreamOut::new(layout.width()),
            quad: Reg::new(&clocks, 260 + fixed::LOD_BITS as usize),
            busy: Reg::with_reset(&clocks, 1, 0),
            remaining: Reg::new(&clocks, 4),
            is_v: Reg::new(&clocks, 1),
            tiles_log2: Reg::new(&clocks, 4),
            size_log2_u: Reg::new(&clocks, 4),
            size_log2_v: Reg::new(&clocks, 4),
            offset_low,
            offset_high,
            offset_delay: (0..3)
                .map(|_| Reg::with_reset(&clocks, level_offset::ENTRY_BITS as usize, 0))
                .collect(),
            selected: Item::new(&clocks),
            selected_coordinate: Reg::new(&clocks, 32),
            selected_size_log2: Reg::new(&clocks, 4),
            selected_mirrors: bit(),
            selected_clamps: bit(),
            reduced: Item::new(&clocks),
            reduced_magnitude: Reg::new(&clocks, fixed::ADDRESSED.bits() as usize),
            reduced_size_log2: Reg::new(&clocks, 4),
            scaled: Item::new(&clocks),
            scaled_position: Reg::new(&clocks, POSITION_BITS + 8),
            scaled_last_texel: Reg::new(&clocks, POSITION_BITS),
            neighbour: Item::new(&clocks),
            neighbour_position: position(),
            neighbour_before: position(),
            neighbour_after: position(),
            neighbour_is_half: bit(),
            neighbour_is_first: bit(),
            neighbour_is_last: bit(),
            neighbour_is_past: bit(),
            neighbour_weight: Reg::new(&clocks, fixed::WEIGHT.bits() as usize),
            neighbour_last_texel: Reg::new(&clocks, POSITION_BITS),
            limited: Item::new(&clocks),
            offers: Reg::with_reset(&clocks, 1, 0),
            low: Reg::array(2, &clocks, texel_bits),
            high: Reg::array(if taps == 2 { 2 } else { 0 }, &clocks, texel_bits),
            weight: Reg::array(if taps == 2 { 2 } else { 0 }, &clocks, fixed::WEIGHT.bits() as usize),
            advance: Net::bit(),
            clocks,
            _config: config.clone(),
            _layout: layout,
        }
    }
}

/// Texels around each valid pixel, one axis after the other.
#[kernel]
impl Coordinate {
    fn logic(&self) {
        timing(7, 2);
        self.quad();
        self.level_offset();
        self.select();
        self.reduce();
        self.scale();
        self.neighbours();
        self.limit();
        self.footprint();
        self.not_built();
    }

    fn quad(&self) {
        /// # The quad
        let accepts = self.input.moves();
        let data = self.input.data.val();
        self.input.ready.next = !self.busy.val();
        let lod = data.high(fixed::LOD_BITS as usize);
        let size_at = |size_log2: Bits, least: u64| {
            if size_log2 > lod { size_log2 - lod } else { lit(4, least as u32) }
        };
        let size_log2_u = size_at(self.binding.get(WidthLog2), 0);
        let is_wide = size_log2_u > 2;
        let ends = self.advance.val() && !self.remaining.val().any();
        if accepts {
            self.busy.next = 1;
        } else if ends {
            self.busy.next = 0;
        }
        /// What comes without a quad does no harm: the next one takes its place.
        if !self.busy.val() {
            self.quad.next = data;
            self.remaining.next = data.slice(256, 4) & self.binding.get(Good).repeat(4);
            self.is_v.next = 0;
            self.size_log2_u.next = size_log2_u;
            self.size_log2_v.next = size_at(self.binding.get(HeightLog2), 0);
            self.tiles_log2.next = if is_wide { size_log2_u - 2 } else { lit(4, 0u32) };
        } else if self.advance.val() {
            self.is_v.next = !self.is_v.val();
            if self.is_v.val() {
                /// The lowest bit set is the pixel that has just gone.
                self.remaining.next = self.remaining.val() & (self.remaining.val() - 1);
            }
        }
    }

    fn level_offset(&self) {
        /// # Level offset
        let lod = self.quad.val().high(fixed::LOD_BITS as usize);
        let entry = cat(&[self.binding.get(WidthLog2), self.binding.get(HeightLog2), lod]);
        let roms = [&self.offset_low, &self.offset_high];
        level_offsets::read(roms, &self.clocks, self.advance.val(), entry);
        /// The ROMs answer two stages down; three more keep the offset beside its pixel.
        if self.advance.val() {
            self.offset_delay[0].next =
                cat(&[self.offset_high.read_data.val(), self.offset_low.read_data.val()]);
            self.offset_delay[1].next = self.offset_delay[0].val();
            self.offset_delay[2].next = self.offset_delay[1].val();
        }
    }

    fn select(&self) {
        /// # Select
        let remaining = self.remaining.val();
        let is_odd = !remaining.bit(0) && (remaining.bit(1) || !remaining.bit(2));
        let is_lower = !remaining.bit(0) && !remaining.bit(1);
        let pixel = cat(&[is_lower, is_odd]);
        let quad = self.quad.val();
        let axis = |number: usize| {
            let (u, v) = (quad.slice(64 * number, 32), quad.slice(64 * number + 32, 32));
            if self.is_v.val() { v } else { u }
        };
        let upper = if is_odd { axis(1) } else { axis(0) };
        let lower = if is_odd { axis(3) } else { axis(2) };
        let item = &self.selected;
        if self.advance.val() {
            item.is_valid.next = self.busy.val();
            item.is_end.next = !remaining.any();
            item.is_v.next = self.is_v.val();
            item.pixel.next = pixel;
            item.valid_pixels.next = quad.slice(256, 4);
            self.selected_size_log2.next =
                if self.is_v.val() { self.size_log2_v.val() } else { self.size_log2_u.val() };
            item.tiles_log2.next = self.tiles_log2.val();
            let mode = self.mode(self.is_v.val());
            self.selected_mirrors.next = is_mode(&self._config, mode, AddressMode::Mirror);
            self.selected_clamps.next = is_mode(&self._config, mode, AddressMode::Clamp);
            self.selected_coordinate.next = if is_lower { lower } else { upper };
        }
    }

    fn reduce(&self) {
        /// # Reduce by the address mode
        let coordinate = self.selected_coordinate.val();
        let fraction = coordinate.low(16);
        let mirrored = self.selected_mirrors.val() && coordinate.bit(16);
        let clamped = self.selected_clamps.val();
        if self.advance.val() {
            self.reduced.follow(&self.selected);
            self.reduced_size_log2.next = self.selected_size_log2.val();
            /// A mirrored coordinate is 65536 less its fraction; a clamped one is 0 below and 65536 above.
            let outside = cat(&[!coordinate.bit(31), lit(16, 0u32)]);
            let inside = (fraction ^ mirrored.repeat(16)).zero_extend(17) + mirrored.zero_extend(17);
            let is_outside = clamped && coordinate.high(16).any();
            self.reduced_magnitude.next = if is_outside { outside } else { inside };
        }
    }

    fn scale(&self) {
        /// # Scale to texels
        let addressed = self.reduced_magnitude.val();
        let size_log2 = self.reduced_size_log2.val();
        let position = addressed.zero_extend(fixed::POSITION.bits() as usize) << size_log2;
        let fine_bits = fixed::POSITION.bits() as usize - POSITION_BITS - 8;
        discard(position.low(fine_bits), "weights have 8 bits");
        let last_texel: Vec<Bits> = (0..POSITION_BITS as u64).rev().map(|bit| size_log2 > bit).collect();
        if self.advance.val() {
            self.scaled.follow(&self.reduced);
            self.scaled_position.next = position.high(POSITION_BITS + 8);
            self.scaled_last_texel.next = cat(&last_texel);
        }
    }

    fn neighbours(&self) {
        /// # Neighbours
        let scaled = self.scaled_position.val();
        let position = scaled.high(POSITION_BITS);
        let last_texel = self.scaled_last_texel.val();
        if self.advance.val() {
            self.neighbour.follow(&self.scaled);
            self.neighbour_position.next = position;
            self.neighbour_before.next = position - 1;
            self.neighbour_after.next = position + 1;
            self.neighbour_is_half.next = scaled.bit(7);
            self.neighbour_is_first.next = position == 0;
            self.neighbour_is_last.next = position == last_texel;
            self.neighbour_is_past.next = (position & !last_texel).any();
            /// The footprint is half a texel to the left, so the weight's top bit turns round.
            self.neighbour_weight.next = cat(&[!scaled.bit(7), scaled.low(7)]);
            self.neighbour_last_texel.next = last_texel;
        }
    }

    fn limit(&self) {
        /// # Limit to the level
        let wraps = is_mode(&self._config, self.mode(self.neighbour.is_v.val()), AddressMode::Wrap);
        let bilinear = self.binding.get(IsBilinear);
        let (position, after) = (self.neighbour_position.val(), self.neighbour_after.val());
        let half = self.neighbour_is_half.val();
        /// The texel before the first is the last one, and no other lies above the last: one mask does for all.
        let before = self.neighbour_before.val() & self.neighbour_last_texel.val();
        let none = lit(POSITION_BITS, 0u32);
        let is_past = self.neighbour_is_past.val();
        let low_stays = if bilinear { half } else { !is_past };
        let has_before = !bilinear || wraps || !self.neighbour_is_first.val();
        let other_low = if has_before { before } else { none };
        let low = if low_stays { position } else { other_low };
        let is_last = self.neighbour_is_last.val();
        let right_stays = if half { is_last && !wraps } else { !is_past };
        let right_steps = half && !is_last;
        let other_right = if half { none } else { before };
        let right_limited = if right_steps { after } else { other_right };
        let right = if right_stays { position } else { right_limited };
        if self.high.is_empty() {
            let of_neighbours = [
                self.neighbour_after.val(),
                self.neighbour_is_half.val(),
                self.neighbour_is_first.val(),
                self.neighbour_is_last.val(),
                self.neighbour_weight.val(),
            ];
            discard(cat(&of_neighbours), "a single texel has no neighbours");
        }
        let texel_bits = self.low[0].width();
        if texel_bits < POSITION_BITS {
            discard(low.high(POSITION_BITS - texel_bits), "a column or row is below the size");
            if !self.high.is_empty() {
                discard(right.high(POSITION_BITS - texel_bits), "as above");
            }
        }
        if self.advance.val() {
            self.limited.follow(&self.neighbour);
            self.offers.next =
                self.neighbour.is_valid.val() && (self.neighbour.is_end.val() || self.neighbour.is_v.val());
            for axis in 0..2usize {
                let is_axis = if axis == 1 { self.neighbour.is_v.val() } else { !self.neighbour.is_v.val() };
                if is_axis {
                    self.low[axis].next = fit(low, texel_bits);
                    if !self.high.is_empty() {
                        self.high[axis].next = fit(right, texel_bits);
                        let none = lit(self.weight[axis].width(), 0u32);
                        self.weight[axis].next = if bilinear { self.neighbour_weight.val() } else { none };
                    }
                }
            }
        }
    }

    fn footprint(&self) {
        /// # Footprint
        let item = &self.limited;
        self.output.valid.next = self.offers.val();
        self.advance.next = !self.offers.val() || self.output.ready.val();
        discard(
            cat(&[item.is_valid.val(), item.is_v.val()]),
            "`offers` stands for both, known a clock earlier",
        );
        let none = lit(1, 0u32);
        let or_none = |regs: &[Reg], axis: usize| regs.get(axis).map_or(none, |reg| reg.val());
        self.output.data.next = self._layout.pack(&[
            ("is_end", item.is_end.val()),
            ("valid_pixels", item.valid_pixels.val()),
            ("pixel", item.pixel.val()),
            ("x0", self.low[0].val()),
            ("x1", or_none(&self.high, 0)),
            ("y0", self.low[1].val()),
            ("y1", or_none(&self.high, 1)),
            ("weight_x", or_none(&self.weight, 0)),
            ("weight_y", or_none(&self.weight, 1)),
            ("level_offset", self.offset_delay[2].val()),
            ("tiles_log2", item.tiles_log2.val()),
        ]);
    }

    /// What a configuration with less leaves unread; synthesis drops it.
    fn not_built(&self) {
        let has_mode = |mode: AddressMode| self._config.features().has_address_mode(mode);
        if !self._config.features().bilinear() {
            for reg in [&self.neighbour_after, &self.neighbour_weight] {
                discard(reg.val(), "nearest texels have no neighbours");
            }
            for flag in [&self.neighbour_is_half, &self.neighbour_is_first, &self.neighbour_is_last] {
                discard(flag.val(), "as above");
            }
        } else if !has_mode(AddressMode::Clamp) && !has_mode(AddressMode::Mirror) {
            discard(self.neighbour_is_first.val(), "the texel before the first is the last");
        }
        if !self._config.features().bilinear() || !has_mode(AddressMode::Wrap) {
            discard(self.neighbour_last_texel.val(), "only what wraps goes on at the other end");
        }
        if !has_mode(AddressMode::Clamp) {
            let used = if has_mode(AddressMode::Mirror) { 17 } else { 16 };
            discard(
                self.selected_coordinate.val().high(32 - used),
                "only clamping looks at whole repetitions",
            );
        }
    }

    /// The address mode of an axis.
    fn mode(&self, is_v: Bits) -> Bits {
        let (u, v) = (self.binding.get(ModeU), self.binding.get(ModeV));
        if is_v { v } else { u }
    }
}

/// A texel number in the width of the largest level, which may be less or, for the colour table, more.
#[kernel]
pub(crate) fn fit(texel: Bits, width: usize) -> Bits {
    if width <= texel.width() { texel.low(width) } else { texel.zero_extend(width) }
}
