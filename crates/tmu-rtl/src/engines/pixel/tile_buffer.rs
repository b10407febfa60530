//! `tile_buffer`: the colours of a tile while it is drawn: alpha test and blending, a quad a clock.
//!
//! There are two banks: one is drawn into, from the other [`write_back`](super::write_back) reads, and behind it that one is cleared, in clocks in which nothing is
//! drawn. A word holds the four pixels of a quad. It is
//! read, blended and written back; a quad waits at the entry while one of the same place is on its way.
//!
//! Each channel has one multiplier: `s·a + d·(255 − a)` is `255·d + a·(s − d)`. A sum t of at most 65152 over 255 is
//! `(t + 1 + (t >> 8)) >> 8`, as counting all of them has shown.
//!
//! Contract: the bank that is not drawn into is cleared from the clock of `clear` on as long as `is_clearing` is high; nobody reads it then. Which pixels
//! stayed leaves for each quad, in order, and nothing holds it up. `bank` changes while no quad is on its way and nothing is cleared, or with `clear`.
//!
//! Latency: the steps up to `EXIT`, initiation interval 1 for quads of different places. 16 multipliers of 9 × 8 bits.

mod blending;

use super::step::{Step, WHOLE};
use super::words::{PIXELS, TileShape};
use blending::{Blended, Manner, added, divided, factors, manner, stays, sums};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand, RamShape, RamSimpleDualPort, RamStyle, SkidBuffer};

/// Channels of a colour.
const CHANNELS: usize = 4;
/// Bits of a channel.
const CHANNEL_BITS: usize = 8;
/// Bits of a colour.
pub const COLOR_BITS: usize = CHANNELS * CHANNEL_BITS;
/// Clocks of a memory with its output register.
const READ: usize = 2;

/// What is there has been read.
const THERE: Step = Step::ENTRY.after(READ);
/// Factors.
const FACTORS: Step = THERE.after(1);
/// Products.
const PRODUCTS: Step = FACTORS.after(WHOLE);
/// Sums.
const DIVIDE: Step = PRODUCTS.after(1);
/// Quotients.
const ADD: Step = DIVIDE.after(1);
/// The colour is written.
const EXIT: Step = ADD.after(1);

/// A shaded quad.
#[derive(Clone, Debug, Record)]
pub struct ShadedWord<T = Bits> {
    /// Row and column of the quad in the tile, in quads, the column below.
    pub place: T,
    /// Pixels that are seen, in Z order.
    pub mask: T,
    /// It is not of the opaque part: pixels may go.
    pub is_tested: T,
    /// The number of a [`Blend`](tmu_spec::pixel::Blend); 0 of all parts but the translucent one.
    pub blend: T,
    /// The number of a [`CompareOp`](tmu_spec::general::CompareOp).
    pub alpha_compare: T,
    /// What alpha is compared with.
    pub alpha_reference: T,
    /// Pixels that the program lets go.
    pub killed: T,
    /// Colours of the pixels, red the lowest byte.
    pub colors: [T; PIXELS],
}

impl ShadedWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> ShadedWord<Width> {
        ShadedWord {
            place: Width::bits(quad_bits(shape)),
            mask: Width::bits(PIXELS),
            is_tested: Width::bits(1),
            blend: Width::bits(3),
            alpha_compare: Width::bits(3),
            alpha_reference: Width::bits(CHANNEL_BITS),
            killed: Width::bits(PIXELS),
            colors: [Width::bits(COLOR_BITS); PIXELS],
        }
    }
}

/// Bits of the number of a quad in a tile.
pub(super) const fn quad_bits(shape: &TileShape) -> usize {
    shape.width_log2 + shape.height_log2 - 2
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TileBuffer {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Which bank is drawn into.
    pub bank: Net<In>,
    /// All colours of the other one are to be that of a frame where nothing is drawn.
    pub clear: Net<In>,
    /// What that is.
    pub clear_color: Net<In>,
    /// They are not yet.
    pub is_clearing: Net<Out>,
    /// Shaded quads, see [`ShadedWord`].
    pub quads: StreamIn,
    /// A quad was drawn.
    pub drawn: Net<Out>,
    /// Where.
    pub drawn_place: Net<Out>,
    /// Which of its pixels stayed.
    pub drawn_mask: Net<Out>,
    /// What is read of the other bank moves on.
    pub read_enable: Net<In>,
    /// The quad that is read.
    pub read_place: Net<In>,
    /// Its colours, two moves later.
    pub read_colors: Net<Out>,
    waiting: SkidBuffer,
    pipe: Pipe<Step>,
    colors: RamSimpleDualPort,
    picture: RamSimpleDualPort,
    products: Vec<Multiplier>,
    clears: Reg,
    clear_place: Reg,
    _shape: TileShape,
}

impl TileBuffer {
    /// The stage for tiles of a shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> TileBuffer {
        let clocks = Clocks::new();
        let place = quad_bits(shape);
        let ram = || {
            let words = RamShape::new(2 << place, PIXELS * COLOR_BITS).style(RamStyle::Block);
            RamSimpleDualPort::new(words.output_register(true).lanes(CHANNEL_BITS))
        };
        let product = || Multiplier::new(Operand::signed(CHANNEL_BITS + 1), Operand::unsigned(CHANNEL_BITS));
        let buffer = TileBuffer {
            bank: Net::bit(),
            clear: Net::bit(),
            clear_color: Net::new(COLOR_BITS),
            is_clearing: Net::bit(),
            quads: StreamIn::new(ShadedWord::of(shape).width()),
            drawn: Net::bit(),
            drawn_place: Net::new(place),
            drawn_mask: Net::new(PIXELS),
            read_enable: Net::bit(),
            read_place: Net::new(place),
            read_colors: Net::new(PIXELS * COLOR_BITS),
            waiting: SkidBuffer::new(ShadedWord::of(shape).width()),
            pipe: Pipe::with(EXIT.all()).keep_in(Keep::ShiftRegisters),
            colors: ram(),
            picture: ram(),
            products: (0..PIXELS * CHANNELS).map(|_| product()).collect(),
            clears: Reg::with_reset(&clocks, 1, 0),
            clear_place: Reg::new(&clocks, place),
            clocks,
            _shape: *shape,
        };
        buffer.pipe.plan(&buffer.clocks, || buffer.logic());
        buffer
    }
}

/// The channels of a quad: pixel by pixel, red first.
fn channels(quad: Bits) -> Vec<Bits> {
    (0..PIXELS * CHANNELS).map(|number| quad.slice(number * CHANNEL_BITS, CHANNEL_BITS)).collect()
}

/// Shaded quads to colours of the tile.
#[kernel]
impl TileBuffer {
    fn module_name(&self) -> String {
        "tile_buffer".into()
    }

    fn logic(&self) {
        let moves = lit(1, 1u32);
        let pipe = self.pipe.run(&self.clocks, moves);
        /// # Entry
        let waiting = &self.waiting;
        waiting.clocks.follow(&self.clocks);
        waiting.input.forward(&self.quads);
        let quad = ShadedWord::of(&self._shape).unpack(waiting.output.data.val());
        let goes = waiting.output.valid.val() && waiting.output.ready.val();
        let valid = pipe.flag(Step::ENTRY, "valid", goes);
        let place = pipe.put(Step::ENTRY, "place", quad.place);
        let is_there = EXIT.all()[1..].iter().map(|step| valid.at(*step) && place.at(*step) == quad.place);
        waiting.output.ready.next = !stack(is_there.collect::<Vec<_>>()).any();
        /// # Test
        let alphas: Vec<Bits> = quad.colors.iter().map(|color| color.high(CHANNEL_BITS)).collect();
        let stay = alphas.iter().map(|alpha| stays(quad.alpha_compare, *alpha, quad.alpha_reference));
        let stay = stack(stay.collect::<Vec<_>>()) & !quad.killed;
        let stay = quad.mask & (stay | (!quad.is_tested).repeat(PIXELS));
        let stay = pipe.put(Step::ENTRY, "stay", stay);
        /// # Blending
        let colors = cat(&[quad.colors[3], quad.colors[2], quad.colors[1], quad.colors[0]]);
        let colors = pipe.put(Step::ENTRY, "color", colors);
        let manners = pipe.put(Step::ENTRY, "manner", manner(quad.blend));
        self.read(quad.place);
        let there = self.colors.read_data.val();
        let blended = self.blend(&pipe, &manners, colors.at(THERE), there);
        let blended = pipe.put(ADD, "blended", blended).at(EXIT);
        self.drawn.next = valid.at(EXIT);
        self.drawn_place.next = place.at(EXIT);
        self.drawn_mask.next = stay.at(EXIT);
        self.write(valid.at(EXIT), place.at(EXIT), stay.at(EXIT), stack(blended));
    }

    fn read(&self, place: Bits) {
        let bank = self.bank.val();
        self.colors.clocks.follow(&self.clocks);
        self.colors.read_enable.next = 1;
        self.colors.read_address.next = cat(&[bank, place]);
        self.picture.clocks.follow(&self.clocks);
        self.picture.read_enable.next = self.read_enable.val();
        self.picture.read_address.next = cat(&[!bank, self.read_place.val()]);
        if let Some(enable) = self.colors.output_enable.as_ref() {
            enable.next = 1;
        }
        if let Some(enable) = self.picture.output_enable.as_ref() {
            enable.next = self.read_enable.val();
        }
        self.read_colors.next = self.picture.read_data.val();
    }

    /// The blended channels, at [`ADD`].
    fn blend(
        &self,
        pipe: &Run<'_, Step>,
        manners: &Payload<'_, Step, Manner>,
        colors: Bits,
        there: Bits,
    ) -> Vec<Bits> {
        let (source, there) = (channels(colors), channels(there));
        let manner = manners.at(THERE);
        let alpha = |number: usize| source[number / CHANNELS * CHANNELS + CHANNELS - 1];
        let blended: Vec<Blended> = (0..PIXELS * CHANNELS)
            .map(|number| factors(&manner, source[number], there[number], alpha(number)))
            .collect();
        let blended = pipe.put(THERE, "factor", blended);
        let products: Vec<Bits> = (0..PIXELS * CHANNELS)
            .map(|number| {
                let multiplier = &self.products[number];
                let own = &blended.at(FACTORS)[number];
                multiplier.clocks.follow(&self.clocks);
                multiplier.enable.next = 1;
                multiplier.a.next = own.first;
                multiplier.b.next = own.second;
                multiplier.product.val()
            })
            .collect();
        let sums: Vec<Bits> = (0..PIXELS * CHANNELS)
            .map(|number| sums(products[number], blended.at(PRODUCTS)[number].base))
            .collect();
        let sums = pipe.put(PRODUCTS, "sum", sums).at(DIVIDE);
        let quotients: Vec<Bits> = sums.iter().map(|sum| divided(*sum)).collect();
        let quotients = pipe.put(DIVIDE, "quotient", quotients).at(ADD);
        let more = blended.at(ADD);
        (0..PIXELS * CHANNELS).map(|number| added(quotients[number], more[number].more)).collect()
    }

    fn write(&self, draws: Bits, place: Bits, mask: Bits, colors: Bits) {
        /// # What is written
        let clears = self.clears.val() && !draws;
        let clear_place = self.clear_place.val();
        if self.clear.val() {
            self.clears.next = 1;
            self.clear_place.next = 0;
        } else if clears {
            self.clears.next = !clear_place.all();
            self.clear_place.next = clear_place + 1;
        }
        self.is_clearing.next = self.clears.val();
        let place = if draws { place } else { clear_place };
        let bank = self.bank.val() ^ !draws;
        let drawn = mask & draws.repeat(PIXELS);
        let lanes = stack((0..PIXELS).map(|pixel| (drawn.bit(pixel) || clears).repeat(CHANNELS)));
        let data = if draws { colors } else { self.clear_color.val().repeat(PIXELS) };
        for ram in [&self.colors, &self.picture] {
            ram.write_enable.next = lanes;
            ram.write_address.next = cat(&[bank, place]);
            ram.write_data.next = data;
        }
    }
}
