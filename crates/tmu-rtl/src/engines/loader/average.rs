//! `average`: from pairs of texels of the level above to a texel of the level.
//!
//! Channels are taken out of both texels, and made light where they are sRGB-coded; weighed along the row, then by the weight of the row
//! and the slice; summed over the pieces of the texel; rounded once; coded again; and put together. Weights are found on the way, see
//! [`tmu_spec::loader`].
//!
//! Latency: the stages of [`Stage`], initiation interval 1. Twelve DSP slices for channels, four for weights; six tables of 256 words in block
//! RAM for light, and a search of eight steps in LUTs back.

use super::pieces::{TapWord, tap_word};
use super::weights::Weights;
use super::words::{
    AXES, CHANNEL_BITS, CHANNELS, LAYOUTS, LevelWord, TEXEL_BITS, TEXEL_BYTES, WEIGHT_BITS, chosen,
    level_word,
};
use crate::engine::memory::LINE_BITS;
use Stage::{Coded, Entry, Exit, Factors, Fields, Join, Mean, Rounded, Row, Search, Sum, Table, Values};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Contents, Multiplier, Operand, Rom};
use tmu_hdl::value::Value;
use tmu_spec::general::tables::srgb_to_linear;
use tmu_spec::loader::srgb_thresholds;

/// Colours of a texel, which may be sRGB-coded.
const COLORS: usize = 3;
/// Bits of a code that may be.
const CODE_BITS: usize = 8;
/// Bits of a pair by its weights of 256.
const ROW_BITS: usize = CHANNEL_BITS + WEIGHT_BITS - 1;
/// Bits of the weight of a row and a slice, of 65536.
const LINE_WEIGHT_BITS: usize = 17;
/// Bits of a sum, of 2^24.
const SUM_BITS: usize = CHANNEL_BITS + 24;

/// Where a pair is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in.
    Entry,
    /// Its texels are apart.
    Fields,
    /// Its channels are.
    Table,
    /// They are looked up.
    Looked,
    /// Their light is there.
    Values,
    /// They wait for their weights.
    Held,
    /// They go into the multipliers.
    Factors,
    /// They are in the multipliers.
    FactorsIn,
    /// They are multiplied.
    FactorsMade,
    /// The pair is added up.
    Join,
    /// It goes into the multiplier.
    Row,
    /// It is in the multiplier.
    RowIn,
    /// It is multiplied.
    RowMade,
    /// It is added to the texel's.
    Sum,
    /// The sum is there.
    Mean,
    /// A search of eight steps.
    Search,
    /// Its second one.
    Search1,
    /// Its third one.
    Search2,
    /// Its fourth one.
    Search3,
    /// Its fifth one.
    Search4,
    /// Its sixth one.
    Search5,
    /// Its seventh one.
    Search6,
    /// Its last one.
    Search7,
    /// Codes are known.
    Coded,
    /// They are put together.
    Rounded,
    /// It leaves.
    Exit,
}

/// The steps of the search.
const SEARCH: [Stage; CODE_BITS + 1] = [
    Search,
    Stage::Search1,
    Stage::Search2,
    Stage::Search3,
    Stage::Search4,
    Stage::Search5,
    Stage::Search6,
    Stage::Search7,
    Coded,
];

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Average {
    /// Clock and reset.
    pub clocks: Clocks,
    /// What holds for the level.
    pub level: LevelWord<Field<In>>,
    /// A pair comes.
    pub valid: Net<In>,
    /// Its bytes, and some behind them.
    pub data: Net<In>,
    /// What it is for.
    pub tap: TapWord<Field<In>>,
    /// A texel is made.
    pub texel_valid: Net<Out>,
    /// The texel.
    pub texel: Net<Out>,
    /// It is the last one of the level.
    pub is_end: Net<Out>,
    pipe: Pipe<Stage>,
    weights: Weights,
    light: [Rom; 2 * COLORS],
    across: [Multiplier; 2 * CHANNELS],
    rows: [Multiplier; CHANNELS],
    sums: [Reg; CHANNELS],
}

impl Average {
    /// The stage.
    #[must_use]
    pub fn new() -> Average {
        let clocks = Clocks::new();
        let light = || {
            let words = (0..=255u8).map(|code| Value::from_u128(CHANNEL_BITS, srgb_to_linear(code).into()));
            Rom::new(Contents::in_file("loader_light", words.collect()), true)
        };
        let unsigned = Operand::unsigned;
        let average = Average {
            level: level_word().nets(),
            valid: Net::bit(),
            data: Net::new(LINE_BITS),
            tap: tap_word().nets(),
            texel_valid: Net::bit(),
            texel: Net::new(TEXEL_BITS),
            is_end: Net::bit(),
            pipe: Pipe::new(),
            weights: Weights::new(),
            light: [(); 2 * COLORS].map(|()| light()),
            across: [(); 2 * CHANNELS]
                .map(|()| Multiplier::new(unsigned(CHANNEL_BITS), unsigned(WEIGHT_BITS))),
            rows: [(); CHANNELS].map(|()| Multiplier::new(unsigned(ROW_BITS), unsigned(LINE_WEIGHT_BITS))),
            sums: [(); CHANNELS].map(|()| Reg::new(&clocks, SUM_BITS)),
            clocks,
        };
        average.pipe.plan(&average.clocks, || average.logic());
        average
    }
}

impl Default for Average {
    fn default() -> Average {
        Average::new()
    }
}

/// The least light of the code that a step of the search tries, where the bits of the code in front of it are these.
fn least_light(step: usize, code: usize) -> u16 {
    srgb_thresholds()[((code << 1) | 1) << (CODE_BITS - 1 - step)]
}

/// What stands in a table of light, where it has a word for each value of the number.
#[kernel]
fn looked_up(number: Bits, light: impl Fn(usize) -> u16) -> Bits {
    let words = 1 << number.width();
    let column = |bit: usize| {
        let mut column = 0u128;
        for index in 0..words {
            column |= u128::from(light(index) >> bit & 1) << index;
        }
        lit(words, column).at(number)
    };
    stack((0..CHANNEL_BITS).map(column))
}

/// From pairs of texels to a texel.
#[kernel]
impl Average {
    fn module_name(&self) -> String {
        "loader_average".into()
    }

    fn logic(&self) {
        let level = self.level.val();
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        self.unused(&level);
        let tap = self.tap.val();
        let valid = pipe.flag(Entry, "valid", self.valid.val());
        let is_first = pipe.put(Entry, "is_first", tap.is_first);
        let is_last = pipe.put(Entry, "is_last", tap.is_last);
        let is_end = pipe.put(Entry, "is_end", tap.is_end);
        /// # Weights
        let weights = &self.weights;
        weights.clocks.follow(&self.clocks);
        for axis in 0..AXES {
            weights.place[axis].next = tap.place[axis];
            weights.number[axis].next = tap.number[axis];
            weights.reciprocal[axis].next = level.reciprocal[axis];
            weights.whole[axis].next = level.whole[axis];
            weights.is_odd[axis].next = level.is_odd[axis];
            weights.is_single[axis].next = level.is_single[axis];
        }
        let values = self.values(&pipe, &level);
        let means = self.means(&pipe, values, is_first.at(Sum), valid.at(Sum));
        let codes = self.codes(&pipe, &level, means);
        let texel = self.texel_of(&level, codes);
        let texel = pipe.put(Rounded, "texel", texel);
        self.texel_valid.next = valid.at(Exit) && is_last.at(Exit);
        self.texel.next = texel.at(Exit);
        self.is_end.next = is_end.at(Exit);
    }

    fn unused(&self, level: &LevelWord) {
        for unused in [
            level.is_copy,
            level.source,
            level.pitch,
            level.slice_pitch,
            level.row_lines,
            level.last_row,
            level.step,
            level.extra,
            level.group,
            level.rows,
            level.slices,
            level.region_rows,
            level.is_volume,
            level.last_column,
            level.last_tile_row,
            level.last_slice,
            level.last_x,
            level.last_y,
            level.bytes.high(1),
        ] {
            discard(unused, "pieces come as they are to be taken");
        }
    }

    /// What is averaged of both texels.
    fn values(&self, pipe: &Run<'_, Stage>, level: &LevelWord) -> [Bits; 2 * CHANNELS] {
        /// # Texels
        let data = self.data.val();
        let behind = |number: usize| data.slice(8 * TEXEL_BYTES[number] as usize, TEXEL_BITS);
        discard(data.high(0x40), "of shorter texels there is more than the pair");
        let second = chosen(level.bytes.low(TEXEL_BYTES.len() - 1), TEXEL_BITS, behind);
        let texels = pipe.put(Entry, "texels", [data.low(TEXEL_BITS), second]).at(Fields);
        /// # Channels
        let field = |texel: Bits, channel: usize| {
            chosen(level.layout, CHANNEL_BITS, |number| match LAYOUTS[number][channel] {
                (_, 0) => lit(CHANNEL_BITS, 0u32),
                (lo, bits) => texel.slice(lo as usize, bits as usize).zero_extend(CHANNEL_BITS),
            })
        };
        let codes: [Bits; 2 * CHANNELS] =
            std::array::from_fn(|number| field(texels[number / CHANNELS], number % CHANNELS));
        let codes = pipe.put(Fields, "codes", codes);
        let colors: [Bits; 2 * COLORS] = std::array::from_fn(|number| {
            codes.at(Table)[number / COLORS * CHANNELS + number % COLORS].low(CODE_BITS)
        });
        let light = pipe.through(Table, "light", &self.light, colors).at(Values);
        let codes = codes.at(Values);
        let values: [Bits; 2 * CHANNELS] = std::array::from_fn(|number| {
            let (texel, channel) = (number / CHANNELS, number % CHANNELS);
            match channel {
                COLORS => codes[number],
                color => {
                    if level.is_srgb {
                        light[texel * COLORS + color]
                    } else {
                        codes[number]
                    }
                }
            }
        });
        pipe.put(Values, "values", values).at(Factors)
    }

    /// The rounded means of the channels, when the texel's last pair has come.
    fn means(
        &self,
        pipe: &Run<'_, Stage>,
        values: [Bits; 2 * CHANNELS],
        is_first: Bits,
        valid: Bits,
    ) -> [Bits; CHANNELS] {
        /// # Means
        let across = self.weights.across.each_ref().map(|weight| weight.val());
        let factors: [(Bits, Bits); 2 * CHANNELS] =
            std::array::from_fn(|number| (values[number], across[number / CHANNELS]));
        let products = pipe.through(Factors, "products", &self.across, factors).at(Join);
        let pairs: [Bits; CHANNELS] = std::array::from_fn(|channel| {
            let sum = products[channel] + products[channel + CHANNELS];
            discard(sum.high(1), "weights of a pair are 256 in all, or less");
            sum.low(ROW_BITS)
        });
        let pairs = pipe.put(Join, "pairs", pairs).at(Row);
        let row_weight = self.weights.line.val();
        let rows = pairs.map(|pair| (pair, row_weight));
        let rows = pipe.through(Row, "rows", &self.rows, rows).at(Sum);
        let half = lit(SUM_BITS, 1u32 << 23);
        std::array::from_fn(|channel| {
            let sum = &self.sums[channel];
            let before = if is_first { half } else { sum.val() };
            discard(rows[channel].high(1), "weights are 2^24 in all");
            if valid {
                sum.next = before + rows[channel].low(SUM_BITS);
            }
            discard(sum.val().low(SUM_BITS - CHANNEL_BITS), "rounded by the half in front");
            sum.val().high(CHANNEL_BITS)
        })
    }

    /// Their codes.
    fn codes(&self, pipe: &Run<'_, Stage>, level: &LevelWord, means: [Bits; CHANNELS]) -> [Bits; CHANNELS] {
        /// # Codes
        let means = pipe.put(Mean, "mean", means);
        let codes: [Bits; COLORS] = std::array::from_fn(|color| {
            let is_over = |step: usize, least: Bits| means.at(SEARCH[step])[color] >= least;
            let put = |step: usize, code: Bits| {
                pipe.put(SEARCH[step], &format!("code_{color}_{step}"), code).at(SEARCH[step + 1])
            };
            let last = CODE_BITS - 1;
            let mut code = put(0, is_over(0, lit(CHANNEL_BITS, least_light(0, 0))));
            let mut before = code;
            for step in 1..last {
                let least = looked_up(code, |code| least_light(step, code));
                before = code;
                code = put(step, cat(&[code, is_over(step, least)]));
            }
            /// The last table is the largest: what it has for either result of the step in front of it is found beside that.
            let of_last =
                [0, 1].map(|bit: usize| looked_up(before, |code| least_light(last, code << 1 | bit)));
            let least = pipe.put(SEARCH[last - 1], &format!("least_{color}"), of_last);
            let [under, over] = least.at(SEARCH[last]);
            put(last, cat(&[code, is_over(last, if code.bit(0) { over } else { under })]))
        });
        let means = means.at(Coded);
        let codes: [Bits; CHANNELS] = std::array::from_fn(|channel| match channel {
            COLORS => means[channel],
            color => {
                if level.is_srgb {
                    codes[color].zero_extend(CHANNEL_BITS)
                } else {
                    means[channel]
                }
            }
        });
        pipe.put(Coded, "coded", codes).at(Rounded)
    }

    /// The texel of these channels.
    fn texel_of(&self, level: &LevelWord, codes: [Bits; CHANNELS]) -> Bits {
        /// # Texel
        let bit = |number: usize| {
            let mut found = lit(1, 0u32);
            for (layout, channels) in LAYOUTS.iter().enumerate() {
                for (channel, (lo, bits)) in channels.iter().enumerate() {
                    if (*lo as usize..(lo + bits) as usize).contains(&number) {
                        found =
                            found || (codes[channel].bit(number - *lo as usize) && level.layout.bit(layout));
                    }
                }
            }
            found
        };
        stack((0..TEXEL_BITS).map(bit))
    }
}
