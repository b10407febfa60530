//! `shown`: what the components of samples show takes their places, so that they are values by themselves. Results that are to be
//! written where values wait come in here too, since a LUT that chooses a constant has room for them.
//!
//! Contract: a quad of samples may come in every clock and leaves two clocks later as the value that it is. A result leaves a clock after
//! `put_ready` was high, which is where no value is ahead of it.
//!
//! Cost: latency 2 clocks, initiation interval 1. A LUT a bit for the choice, and one for constants and results.

use super::{ALL_CHANNELS, CHANNELS, Marks, NUMBER_BITS, PLACE_BITS};
use crate::datapath::general::result::{self, PixelSample, QuadSample, has_choice, has_constants, lane_bits};
use crate::datapath::general::words::{COMPONENT_BITS, PIXELS, general};
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Where samples are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Stage {
    /// They come in, and components are chosen.
    Entry,
    /// Some are constants.
    Chosen,
    /// They leave.
    Exit,
}

/// Where a result is written.
#[derive(Clone, Debug, Record)]
pub(super) struct PutHead<T = Bits> {
    /// The place of a value that waits.
    pub(super) place: T,
    /// All channels are written, not one.
    pub(super) is_whole: T,
    /// Otherwise the number of that one.
    pub(super) number: T,
}

/// A result.
#[derive(Clone, Debug, Record)]
pub(super) struct Put<T = Bits> {
    pub(super) head: PutHead<T>,
    /// The low bits of each channel: those of an unsigned number.
    pub(super) numbers: [T; ALL_CHANNELS],
    /// The bits above of all channels.
    pub(super) above: T,
}

impl Put<Width> {
    /// The shape of a configuration.
    pub(super) fn of(config: &Config) -> Put<Width> {
        let bits = general(config).channel_bits as usize;
        let above = lane_bits(config) - bits;
        Put {
            head: PutHead {
                place: Width::bits(PLACE_BITS),
                is_whole: Width::bits(1),
                number: Width::bits(NUMBER_BITS),
            },
            numbers: [Width::bits(bits); ALL_CHANNELS],
            above: Width::bits(above.max(1)).when(above > 0),
        }
    }
}

/// What a value has beside its channels.
#[derive(Clone, Debug, Record)]
pub(super) struct Value<T = Bits> {
    pub(super) marks: Marks<T>,
    /// It is the last one of its quad.
    pub(super) ends_quad: T,
    /// The valid bits of the quad.
    pub(super) valid: T,
    /// It failed.
    pub(super) fails: T,
    pub(super) are_floats: T,
}

impl Value<Width> {
    fn of(config: &Config) -> Value<Width> {
        let QuadSample { valid, fails, are_floats, .. } = QuadSample::of(config);
        Value { marks: Marks::shape(), ends_quad: Width::bits(1), valid, fails, are_floats }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Shown {
    pub(super) clocks: Clocks,
    pub(super) in_valid: Net<In>,
    /// See [`QuadSample`].
    pub(super) sample: Net<In>,
    pub(super) marks: Marks<Field<In>>,
    pub(super) ends_quad: Net<In>,
    /// There is a result.
    pub(super) put_valid: Net<In>,
    pub(super) put: Put<Field<In>>,
    /// It is taken.
    pub(super) put_ready: Net<Out>,
    pub(super) out_valid: Net<Out>,
    pub(super) out_value: Value<Field<Out>>,
    /// A result leaves, not a value.
    pub(super) out_put: Net<Out>,
    pub(super) out_head: PutHead<Field<Out>>,
    /// The channels of either.
    pub(super) out_channels: Net<Out>,
    pipe: Pipe<Stage>,
    _config: Config,
}

impl Shown {
    pub(super) fn new(config: &Config) -> Shown {
        let shown = Shown {
            clocks: Clocks::new(),
            in_valid: Net::bit(),
            sample: Net::new(QuadSample::of(config).width()),
            marks: Marks::shape().nets(),
            ends_quad: Net::bit(),
            put_valid: Net::bit(),
            put: Put::of(config).nets(),
            put_ready: Net::bit(),
            out_valid: Net::bit(),
            out_value: Value::of(config).nets(),
            out_put: Net::bit(),
            out_head: Put::of(config).head.nets(),
            out_channels: Net::new(ALL_CHANNELS * lane_bits(config)),
            pipe: Pipe::new(),
            _config: config.clone(),
        };
        shown.pipe.plan(&shown.clocks, || shown.logic());
        shown
    }
}

/// Samples whose components are where they are shown.
#[kernel]
impl Shown {
    fn module_name(&self) -> String {
        "shown".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let quad = QuadSample::of(&self._config).unpack(self.sample.val());
        let valid = pipe.flag(Stage::Entry, "valid", self.in_valid.val());
        let is_free = !valid.at(Stage::Chosen);
        self.put_ready.next = is_free;
        self.out_valid.next = valid.at(Stage::Exit);
        let is_put = self.put_valid.val() && is_free;
        self.out_put.next = pipe.flag(Stage::Chosen, "is_put", is_put).at(Stage::Exit);
        let put = self.put.val();
        self.out_head.next = pipe.put(Stage::Chosen, "put_head", put.head.clone()).at(Stage::Exit);
        let are_floats = pipe.put(Stage::Entry, "are_floats", quad.are_floats);
        let value = Value {
            marks: self.marks.val(),
            ends_quad: self.ends_quad.val(),
            valid: quad.valid,
            fails: quad.fails,
            are_floats: lit(1, 0u32),
        };
        discard(quad.is_last, "the last value ends its quad");
        let value = pipe.put(Stage::Entry, "value", value).at(Stage::Exit);
        let channel = |number: usize| {
            let (pixel, own) = (&quad.pixels[number / CHANNELS], number % CHANNELS);
            let shown = &pixel.shown[own];
            let chosen = if has_choice(&self._config) {
                by_parity(shown.channel.bit(0), shown.channel.bit(1), &pixel.channels)
            } else {
                pixel.channels[own]
            };
            let chosen = pipe.put(Stage::Entry, &format!("chosen_{number}"), chosen).at(Stage::Chosen);
            let value = if has_constants(&self._config) {
                let constant = cat(&[shown.is_one, shown.is_constant]);
                let constant = pipe.put(Stage::Entry, &format!("constant_{number}"), constant);
                let is_float = are_floats.at(Stage::Chosen);
                self.or_constant(chosen, constant.at(Stage::Chosen), is_float)
            } else {
                chosen
            };
            let result = put.numbers[number];
            let result = if value.width() > result.width() { cat(&[put.above, result]) } else { result };
            let value = if is_free { result } else { value };
            pipe.put(Stage::Chosen, &format!("value_{number}"), value).at(Stage::Exit)
        };
        let channels: Vec<Bits> = (0..ALL_CHANNELS).map(channel).collect();
        self.out_channels.next = stack(channels);
        self.out_value.next = Value { are_floats: are_floats.at(Stage::Exit), ..value };
    }

    /// The value, or 0 or 1 in its place. `constant`: it is one, and above, which.
    fn or_constant(&self, value: Bits, constant: Bits, are_floats: Bits) -> Bits {
        let ones = !lit(general(&self._config).channel_bits as usize, 0u32);
        let whole = ones.zero_extend(value.width());
        let one = if value.width() > ones.width() {
            let float = lit(value.width(), 1f32.to_bits());
            if are_floats { float } else { whole }
        } else {
            whole
        };
        let constant_value = one & constant.bit(1).repeat(value.width());
        if constant.bit(0) { constant_value } else { value }
    }
}

/// What a quad of samples has beside its pixels.
pub(super) struct SampleMarks {
    pub(super) valid: Bits,
    pub(super) fails: Bits,
    pub(super) are_floats: Bits,
    pub(super) is_last: Bits,
}

/// A quad of samples that show their own channels, those of pixel 0 first.
#[kernel]
pub(super) fn sample(channels: &[Bits], marks: &SampleMarks) -> QuadSample {
    let pixel = |place: usize| PixelSample {
        channels: [0, 1, 2, 3].map(|number: usize| channels[CHANNELS * place + number]),
        shown: [0, 1, 2, 3].map(|number: usize| result::Shown {
            channel: lit(COMPONENT_BITS, number),
            is_constant: lit(1, 0u32),
            is_one: lit(1, 0u32),
        }),
    };
    let SampleMarks { valid, fails, are_floats, is_last } = *marks;
    QuadSample { valid, fails, are_floats, is_last, pixels: [pixel(0), pixel(1), pixel(2), pixel(3)] }
}

const _: () = assert!(ALL_CHANNELS == PIXELS * CHANNELS);
