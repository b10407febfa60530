//! `shade`: leaves pixels out whose filtered colour is the key, and fades the others.
//!
//! `((brightness + 1) · c) >> 6` for each component. Pixels that are left out go on, marked, so that they stay in step with the
//! lines that `frame_reader` asks for.
//!
//! All items move together while the FIFO at the exit has room; its registers cut the way of `ready`, which passes straight
//! through `filter`. A FIFO in block RAM takes fewer LUTs than a skid buffer's multiplexer.
//!
//! Latency: the stages of [`Stage`] and three clocks, initiation interval 1. One block RAM, a pair of multipliers of 5 x 7 bits, one of 6 x 7 bits: two
//! DSP slices.

use super::colors::{Color, GREEN_BITS, NARROW_BITS, ShadedWord, color, filtered_word, shaded_word};
use super::words::{SHARE_BITS, ShadeSettings, shade_settings};
use Stage::{Entry, Exit};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DualMultiplier, Multiplier, Operand, RamStyle, SyncFifo};

/// Items that the FIFO at the exit holds: more than its latency, so that it never stops between items.
const EXIT_DEPTH: usize = 8;

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and is compared with the key.
    Entry,
    /// Its components are in the multipliers.
    Factors,
    /// They are multiplied.
    Multiply,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Shade {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Of the job.
    pub settings: ShadeSettings<Field<In>>,
    /// Colours of the texture, see [`FilteredWord`](super::colors::FilteredWord).
    pub input: StreamIn,
    /// Colours that are drawn, see [`ShadedWord`].
    pub output: StreamOut,
    pipe: Pipe<Stage>,
    fade_narrow: DualMultiplier,
    fade_green: Multiplier,
    exit: SyncFifo,
}

impl Shade {
    /// The stage.
    #[must_use]
    pub fn new() -> Shade {
        let (clocks, unsigned) = (Clocks::new(), Operand::unsigned);
        let shade = Shade {
            settings: shade_settings().nets(),
            input: StreamIn::new(filtered_word().width()),
            output: StreamOut::new(shaded_word().width()),
            pipe: Pipe::new(),
            fade_narrow: DualMultiplier::new(unsigned(NARROW_BITS), SHARE_BITS + 1),
            fade_green: Multiplier::new(unsigned(GREEN_BITS), unsigned(SHARE_BITS + 1)),
            exit: SyncFifo::with_style(EXIT_DEPTH, shaded_word().width(), RamStyle::Block),
            clocks,
        };
        shade.pipe.plan(&shade.clocks, || shade.logic());
        shade
    }
}

impl Default for Shade {
    fn default() -> Shade {
        Shade::new()
    }
}

/// What is drawn of the texture's colours, and how bright.
#[kernel]
impl Shade {
    fn logic(&self) {
        let advance = self.exit.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        timing(self.pipe.latency_clocks() + self.exit.latency_clocks(), 1);
        self.input.ready.next = advance;
        /// # Items
        let item = filtered_word().unpack(self.input.data.val());
        let valid = pipe.flag(Entry, "valid", self.input.valid.val());
        let place = pipe.put(Entry, "place", item.place);
        let opens_line = pipe.put(Entry, "opens_line", item.opens_line);
        let is_end = pipe.put(Entry, "is_end", item.is_end);
        /// # Key
        let settings = self.settings.val();
        let is_key = settings.has_key && item.color == settings.key;
        let is_drawn = pipe.put(Entry, "is_drawn", !is_key && !item.is_end);
        /// # Fade
        let share = settings.brightness.zero_extend(SHARE_BITS + 1) + 1;
        let Color { blue, green, red } = color().unpack(item.color);
        let narrow = pipe.through(Entry, "narrow", &self.fade_narrow, ([blue, red], share)).at(Exit);
        let green = pipe.through(Entry, "green", &self.fade_green, (green, share)).at(Exit);
        let [blue, red] = narrow.map(|product| faded(product, NARROW_BITS));
        let faded = Color { blue, green: faded(green, GREEN_BITS), red };
        /// # Exit
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = valid.at(Exit);
        self.exit.input.data.next = shaded_word().pack(&ShadedWord {
            color: color().pack(&faded),
            place: place.at(Exit),
            opens_line: opens_line.at(Exit),
            is_drawn: is_drawn.at(Exit),
            is_end: is_end.at(Exit),
        });
        discard(self.exit.level.val(), "ready says enough");
        self.output.forward(&self.exit.output);
    }
}

/// The component in its product with a share of at most 64.
#[kernel]
fn faded(product: Bits, bits: usize) -> Bits {
    discard(cat(&[product.high(1), product.low(SHARE_BITS)]), "of 64, and never above the component");
    product.slice(SHARE_BITS, bits)
}
