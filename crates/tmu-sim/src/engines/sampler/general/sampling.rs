//! The hardware of a general configuration as something that samples quads: bindings, quads and results of the general numerics.

use crate::engines::sampler::sampling::Numerics;
use crate::engines::sampler::streams::request::{Packet, Request};
use crate::engines::sampler::streams::result::ResultBeat;
use tmu_spec::general::binding::Words;
use tmu_spec::general::packet::{Extras, of_binding, of_quad};
use tmu_spec::general::{Binding, Quad, QuadResult, ResultNumbers};
use tmu_spec::{BeatsPerQuad, Config, Record};

/// The general numerics of a configuration.
#[derive(Debug, Clone, Copy)]
pub struct General {
    extras: Extras,
    beats_per_quad: BeatsPerQuad,
    results: ResultNumbers,
}

impl Numerics for General {
    type Binding = Binding;
    type Bits = Words;
    type Quad = Quad;
    type QuadResult = QuadResult;

    fn of(config: &Config) -> Self {
        let general = config.features().general().expect("the configuration is one of the general numerics");
        let beats_per_quad = config.request().beats_per_quad();
        Self { extras: Extras::of(general), beats_per_quad, results: general.result }
    }

    fn bits(binding: &Binding) -> Words {
        binding.words()
    }

    fn bind(&self, bits: Words) -> Packet {
        Packet { beats: of_binding(&bits), request: Request::Bind(Record::default()) }
    }

    fn sample(&self, quad: &Quad) -> Packet {
        let mut quad = *quad;
        if !self.extras.third {
            // No texture of the unit looks at it.
            quad.pixels.iter_mut().for_each(|pixel| pixel.w = 0);
        }
        let beats = of_quad(&quad, self.extras, self.beats_per_quad);
        Packet { beats, request: Request::Sample(tmu_spec::Quad::default()) }
    }

    fn result(&self, beat: ResultBeat) -> QuadResult {
        let [second, third, fourth] = beat.above;
        QuadResult::from_beat(self.results, [beat.tdata, second, third, fourth], beat.tuser)
    }
}
