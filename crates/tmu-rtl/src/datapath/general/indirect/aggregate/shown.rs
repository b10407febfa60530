//! `shown`: what the components of samples show takes their places, so that they are values by themselves.
//!
//! Contract: a quad of samples may come in every clock and leaves two clocks later as the value that it is.
//!
//! Cost: latency 2 clocks, initiation interval 1. A LUT a bit for the choice, and one for constants.

use super::{ALL_CHANNELS, CHANNELS, Marks, Value, manner};
use crate::datapath::general::result::{self, PixelSample, QuadSample, has_choice, has_constants};
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

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Shown {
    pub(super) clocks: Clocks,
    pub(super) in_valid: Net<In>,
    /// See [`QuadSample`].
    pub(super) sample: Net<In>,
    pub(super) marks: Marks<Field<In>>,
    pub(super) ends_quad: Net<In>,
    pub(super) out_valid: Net<Out>,
    pub(super) out_value: Value<Field<Out>>,
    /// It failed.
    pub(super) out_fails: Net<Out>,
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
            out_valid: Net::bit(),
            out_value: Value::of(config).nets(),
            out_fails: Net::bit(),
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
        self.out_valid.next = pipe.flag(Stage::Entry, "valid", self.in_valid.val()).at(Stage::Exit);
        let marks = pipe.put(Stage::Entry, "marks", self.marks.val()).at(Stage::Exit);
        let manner = manner(&self.marks.val(), quad.are_floats);
        let manner = pipe.put(Stage::Entry, "manner", manner).at(Stage::Exit);
        let ends_quad = pipe.put(Stage::Entry, "ends_quad", self.ends_quad.val()).at(Stage::Exit);
        let valid = pipe.put(Stage::Entry, "valid_pixels", quad.valid).at(Stage::Exit);
        self.out_fails.next = pipe.put(Stage::Entry, "fails", quad.fails).at(Stage::Exit);
        discard(quad.is_last, "the last value ends its quad");
        let are_floats = pipe.put(Stage::Entry, "are_floats", quad.are_floats);
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
            pipe.put(Stage::Chosen, &format!("value_{number}"), value).at(Stage::Exit)
        };
        let channels = std::array::from_fn(channel);
        let are_floats = are_floats.at(Stage::Exit);
        self.out_value.next = Value { marks, manner, ends_quad, valid, are_floats, channels };
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
