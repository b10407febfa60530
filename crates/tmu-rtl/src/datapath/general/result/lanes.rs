//! `result` of several lanes: a quad of samples a clock to its result.
//!
//! Each number of a quad has what a sample's has in [`result`](super).
//!
//! Contract: quads as [`QuadSample`] says. What leaves is as with one lane, one quad behind the other.
//!
//! Cost: initiation interval 1, latency and slices of a channel those of `result`, for sixteen channels. 1827 LUTs for singles of 16
//! bits or floats with swizzles, as Yosys 0.70 estimates them for UltraScale+.

use super::number::{NAMES, Parts, number};
use super::{CHANNELS, PixelSample, QuadSample, Sample, Stage, result_bits};
use crate::datapath::general::unit_number;
use crate::datapath::general::words::{PIXELS, has_indirect};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Multiplier;
use tmu_spec::Config;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ResultLanes {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A quad of samples comes.
    pub in_valid: Net<In>,
    /// The samples, see [`QuadSample`].
    pub sample: Net<In>,
    /// A result, for one clock.
    pub done: Net<Out>,
    /// Numbers of pixels, valid bits, error.
    pub quad_result: Net<Out>,
    products: Vec<Multiplier>,
    pipe: Pipe<Stage>,
    _parts: Parts,
    _config: Config,
}

impl ResultLanes {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> ResultLanes {
        let clocks = Clocks::new();
        let parts = Parts::of(config);
        let products = if parts.has_fixed() { PIXELS * CHANNELS } else { 0 };
        let result = ResultLanes {
            in_valid: Net::bit(),
            sample: Net::new(QuadSample::of(config).width()),
            done: Net::bit(),
            quad_result: Net::new(result_bits(config)),
            products: (0..products).map(|_| unit_number::multiplier(parts.number_bits())).collect(),
            pipe: Pipe::with(&parts.stages()),
            clocks,
            _parts: parts,
            _config: config.clone(),
        };
        result.pipe.plan(&result.clocks, || result.logic());
        result
    }

    /// Clocks from the samples of a quad to its result.
    pub fn latency_clocks(&self) -> u32 {
        self.pipe.latency_clocks()
    }
}

/// Samples of quads to results.
#[kernel]
impl ResultLanes {
    fn module_name(&self) -> String {
        "result".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let quad = QuadSample::of(&self._config).unpack(self.sample.val());
        self.done.next = pipe.flag(Stage::Entry, "is_quad", self.in_valid.val()).at(Stage::Exit);
        let valid = pipe.put(Stage::Entry, "valid", quad.valid);
        let fails = pipe.put(Stage::Entry, "fails", quad.fails);
        let pixel = |place: usize| {
            let numbers = self.numbers(&pipe, &quad, place);
            /// Pixels that are not valid, and all of a quad that failed, are zero.
            let is_zero = fails.at(Stage::Place) || !valid.at(Stage::Place).bit(place);
            let numbers = if is_zero { lit(numbers.width(), 0u32) } else { numbers };
            pipe.put(Stage::Place, &format!("pixel_{place}"), numbers).at(Stage::Exit)
        };
        let pixels = [pixel(3), pixel(2), pixel(1), pixel(0)];
        /// # Results
        let result = cat(&[fails.at(Stage::Exit), valid.at(Stage::Exit), cat(&pixels)]);
        self.quad_result.next = if has_indirect(&self._config) {
            let is_last = pipe.put(Stage::Entry, "is_last", quad.is_last).at(Stage::Exit);
            cat(&[is_last, result])
        } else {
            result
        };
    }

    /// The numbers of a pixel, at [`Stage::Place`].
    fn numbers(&self, pipe: &Run<'_, Stage>, quad: &QuadSample, place: usize) -> Bits {
        let PixelSample { channels, shown } = quad.pixels[place].clone();
        let in_sample = Sample {
            pixel: lit(2, place),
            is_valid: quad.valid.bit(place),
            ends_quad: lit(1, 1u32),
            valid: quad.valid,
            fails: quad.fails,
            channels,
            are_floats: quad.are_floats,
            shown,
        };
        let sample = pipe.put(Stage::Entry, &format!("sample_{place}"), in_sample.clone());
        let channel = |of: usize| {
            let name = format!("{}_{place}", NAMES[of]);
            let product = self.products.get(CHANNELS * place + of);
            number(pipe, self._parts, product, &name, &sample, &in_sample, of)
        };
        stack([channel(0), channel(1), channel(2), channel(3)])
    }
}
