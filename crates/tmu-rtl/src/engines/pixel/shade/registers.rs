//! `shade_registers`: r0 to r5 of all quads, and what the sources of an instruction read of them.
//!
//! Each channel of each register has a memory of its own, so that all registers of a pixel are read together and multiplexers serve all
//! sources. A register that nobody has written reads as zero. In a clock either arithmetic writes, or, where it does not, a texture.
//!
//! Contract: a quad writes nothing between the clock in which it is looked at and the one in which its operands are there. What is written is
//! there three clocks later.
//!
//! Latency: operands 2 clocks behind their quad, places of sources 1 clock behind it; what leaves 1 clock behind its place. LUT RAM only.

use super::entry::{COLORS, COLORS_BITS};
use super::way::{REGISTER_BITS, ROW_BITS, TEMPORARIES, WriteWord, numbered, one_register, pixel_place};
use super::words::{CHANNEL_BITS, CHANNELS, SOURCES, ShadeShape};
use crate::engines::pixel::interpolation::REGISTER_BITS as COLOR_BITS;
use crate::engines::pixel::words::PIXELS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, RamShape, RamSimpleDualPort, RamStyle};

/// Sources of both halves.
pub(super) const READS: usize = 2 * SOURCES;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ShadeRegisters {
    /// The clock.
    pub clocks: Clocks,
    /// The quad whose registers are read.
    pub quad: Net<In>,
    /// Which of its registers hold a colour.
    pub holds_colors: Net<In>,
    /// Which hold an alpha.
    pub holds_alphas: Net<In>,
    /// The pixel that is read, where they come one after the other.
    pub turn: Optional<Net<In>>,
    /// A clock later: v0 and v1 of its pixels.
    pub colors: Vec<Net<In>>,
    /// A clock later: which register each source reads, v0 and v1 behind the others.
    pub places: Vec<Net<In>>,
    /// A clock later: which sources read a constant instead.
    pub are_constants: Net<In>,
    /// A clock later: these constants.
    pub constants: Vec<Net<In>>,
    /// Two clocks later, of each pixel what each source reads.
    pub operands: Vec<Net<Out>>,
    /// Arithmetic writes.
    pub writes: Net<In>,
    /// Where.
    pub write: WriteFields<In>,
    /// The pixel that is written, where they come one after the other.
    pub write_turn: Optional<Net<In>>,
    /// What it writes, pixel by pixel.
    pub results: Vec<Net<In>>,
    /// A texture writes. Arithmetic must not.
    pub texture_writes: Net<In>,
    /// Where.
    pub texture_write: WriteFields<In>,
    /// What it writes.
    pub texture_results: Vec<Net<In>>,
    /// The quad whose r0 leaves, and its pixel where they come one after the other.
    pub leave_place: Net<In>,
    /// It does.
    pub leaves: Net<In>,
    /// r0 of its pixels, a clock later.
    pub left: Vec<Net<Out>>,
    turn_behind: Optional<Reg>,
    rows: Vec<Reg>,
    chosen: Vec<Reg>,
    written: Written,
    words: Vec<DistributedRam>,
    leave_words: Vec<RamSimpleDualPort>,
    _shape: ShadeShape,
}

/// The nets of a [`WriteWord`].
type WriteFields<D> = WriteWord<Field<D>>;

/// What is written at the next edge.
#[derive(Bundle)]
struct Written {
    place: Reg,
    /// By registers and channels.
    enables: Reg,
    data: Vec<Reg>,
}

impl ShadeRegisters {
    /// The part for a shape.
    #[must_use]
    pub fn new(shape: &ShadeShape) -> ShadeRegisters {
        let clocks = Clocks::new();
        let has_turns = shape.turns() > 1;
        let turn = || Optional::new(has_turns, || Net::new(shape.turn_bits()));
        let place = shape.quads_log2 + shape.turn_bits();
        let leave = || {
            let width = shape.lanes * CHANNEL_BITS;
            RamSimpleDualPort::new(RamShape::new(1 << place, width).style(RamStyle::Distributed))
        };
        ShadeRegisters {
            quad: Net::new(shape.quads_log2),
            holds_colors: Net::new(TEMPORARIES),
            holds_alphas: Net::new(TEMPORARIES),
            turn: turn(),
            colors: Net::array(PIXELS, COLORS_BITS),
            places: Net::array(READS, REGISTER_BITS),
            are_constants: Net::new(READS),
            constants: Net::array(READS, ROW_BITS),
            operands: Net::array(shape.lanes * READS, ROW_BITS),
            writes: Net::bit(),
            write: WriteWord::of(shape).nets(),
            write_turn: turn(),
            results: Net::array(shape.lanes, ROW_BITS),
            texture_writes: Net::bit(),
            texture_write: WriteWord::of(shape).nets(),
            texture_results: Net::array(shape.lanes, ROW_BITS),
            leave_place: Net::new(place),
            leaves: Net::bit(),
            left: Net::array(shape.lanes, ROW_BITS),
            turn_behind: Optional::new(has_turns, || Reg::new(&clocks, shape.turn_bits())),
            rows: Reg::array(TEMPORARIES * shape.lanes, &clocks, ROW_BITS),
            chosen: Reg::array(shape.lanes * READS, &clocks, ROW_BITS),
            written: Written {
                place: Reg::new(&clocks, place),
                enables: Reg::with_reset(&clocks, TEMPORARIES * CHANNELS, 0),
                data: Reg::array(shape.lanes, &clocks, ROW_BITS),
            },
            words: (0..TEMPORARIES * CHANNELS)
                .map(|_| DistributedRam::new(1 << place, shape.lanes * CHANNEL_BITS))
                .collect(),
            leave_words: (0..CHANNELS).map(|_| leave()).collect(),
            clocks,
            _shape: *shape,
        }
    }

    /// A register of a pixel that is read.
    fn row(&self, register: usize, lane: usize) -> &Reg {
        &self.rows[register * self._shape.lanes + lane]
    }
}

/// Quads to operands, results to registers.
#[kernel]
impl ShadeRegisters {
    fn module_name(&self) -> String {
        "shade_registers".into()
    }

    fn logic(&self) {
        self.read();
        self.choose();
        self.write_one();
        self.store();
    }

    fn read(&self) {
        /// # Rows
        let turn = self.turn.as_ref().map(Net::val);
        let place = pixel_place(self.quad.val(), turn);
        for register in 0..TEMPORARIES {
            let holds_color = self.holds_colors.val().bit(register);
            let holds_alpha = self.holds_alphas.val().bit(register);
            let mut channels = vec![];
            for channel in 0..CHANNELS {
                let words = &self.words[register * CHANNELS + channel];
                words.read_address.next = place;
                channels.push(words.read_data.val());
            }
            for lane in 0..self._shape.lanes {
                let own = channels.iter().enumerate().map(|(channel, word)| {
                    let holds = if channel + 1 == CHANNELS { holds_alpha } else { holds_color };
                    let held = word.slice(lane * CHANNEL_BITS, CHANNEL_BITS);
                    if holds { held } else { lit(CHANNEL_BITS, 0u32) }
                });
                self.row(register, lane).next = stack(own);
            }
        }
        if let (Some(behind), Some(turn)) = (&*self.turn_behind, turn) {
            behind.next = turn;
        }
    }

    fn choose(&self) {
        /// # Sources
        let turn = self.turn_behind.as_ref().map(Reg::val);
        for lane in 0..self._shape.lanes {
            let colors = match turn {
                Some(turn) => {
                    let pixels: Vec<Bits> = self.colors.iter().map(Net::val).collect();
                    numbered(&pixels, turn)
                }
                None => self.colors[lane].val(),
            };
            let color = |number: usize| {
                let channel = |channel: usize| {
                    colors
                        .slice((number * CHANNELS + channel) * COLOR_BITS, COLOR_BITS)
                        .zero_extend(CHANNEL_BITS)
                };
                stack((0..CHANNELS).map(channel))
            };
            let own = (0..TEMPORARIES).map(|register| self.row(register, lane).val());
            let rows: Vec<Bits> = own.chain((0..COLORS).map(color)).collect();
            for (source, place) in self.places.iter().enumerate() {
                let chosen = &self.chosen[lane * READS + source];
                let is_constant = self.are_constants.val().bit(source);
                let register = numbered(&rows, place.val());
                chosen.next = if is_constant { self.constants[source].val() } else { register };
                self.operands[lane * READS + source].next = chosen.val();
            }
        }
    }

    fn write_one(&self) {
        /// # What is written
        let is_texture = self.texture_writes.val();
        let (of_results, of_texture) = (self.write.val(), self.texture_write.val());
        let own = if is_texture { of_texture } else { of_results };
        let writes = is_texture || self.writes.val();
        let (color, alpha) = (one_register(own.color), one_register(own.alpha));
        let enable = |place: usize| {
            let (register, channel) = (place / CHANNELS, place % CHANNELS);
            let own_register = if channel + 1 == CHANNELS { alpha } else { color };
            writes && own.enables.bit(channel) && own_register.bit(register)
        };
        let written = &self.written;
        written.enables.next = stack((0..TEMPORARIES * CHANNELS).map(enable));
        written.place.next = pixel_place(own.quad, self.write_turn.as_ref().map(Net::val));
        let kept = cat(&[lit(1, 1u32), !own.clears]);
        for (lane, data) in written.data.iter().enumerate() {
            let (result, texture) = (self.results[lane].val(), self.texture_results[lane].val());
            let value = if is_texture { texture } else { result };
            let channel = |channel: usize| {
                value.slice(channel * CHANNEL_BITS, CHANNEL_BITS) & kept.bit(channel).repeat(CHANNEL_BITS)
            };
            data.next = stack((0..CHANNELS).map(channel));
        }
    }

    fn store(&self) {
        /// # Memories
        let written = &self.written;
        let data = |channel: usize| {
            stack(written.data.iter().map(|data| data.val().slice(channel * CHANNEL_BITS, CHANNEL_BITS)))
        };
        for (place, words) in self.words.iter().enumerate() {
            words.clocks.follow(&self.clocks);
            words.write_enable.next = written.enables.val().bit(place);
            words.write_address.next = written.place.val();
            words.write_data.next = data(place % CHANNELS);
        }
        /// # r0 that leaves
        let mut left = vec![];
        for (channel, words) in self.leave_words.iter().enumerate() {
            words.clocks.follow(&self.clocks);
            words.write_enable.next = written.enables.val().bit(channel);
            words.write_address.next = written.place.val();
            words.write_data.next = data(channel);
            words.read_enable.next = self.leaves.val();
            words.read_address.next = self.leave_place.val();
            left.push(words.read_data.val());
        }
        for (lane, net) in self.left.iter().enumerate() {
            net.next = stack(left.iter().map(|word| word.slice(lane * CHANNEL_BITS, CHANNEL_BITS)));
        }
    }
}
