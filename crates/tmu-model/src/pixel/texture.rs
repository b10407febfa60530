//! `texture`: the textures of a state, sampled for the program.
//!
//! All four pixels of a quad are sampled, seen or not: a program may read textures where others point.

use super::fault::Fault;
use crate::datapath::fetch::{LineSource, SliceSource};
use crate::general::request::Bound;
use crate::general::sample;
use crate::memory::Memory;
use crate::shader::Textures;
use std::rc::Rc;
use tmu_spec::general::{General, Numbers, Operation, OperationName, Pixel, Quad, ResultNumbers};
use tmu_spec::pixel::{FaultCode, SETS};
use tmu_spec::{Features, Preset};

/// Formats, sizes and address modes of the sampler: those of the preset `multi`.
///
/// # Panics
/// Never: the preset ships.
#[must_use]
pub fn features() -> Features {
    let preset = Preset::find("multi").and_then(|preset| preset.config().ok());
    *preset.expect("the preset ships").features()
}

/// What the sampler of the pipeline was built to do: everything but what only requests of a stream ask for.
#[must_use]
pub fn sampler() -> General {
    let mut sampler = General::ALL.with_operations(&[OperationName::Sample]);
    (sampler.projective, sampler.indirect) = (false, false);
    sampler.result = ResultNumbers::Unorm16;
    sampler
}

/// The textures of a state over memory; keeps the first fault.
#[derive(Debug)]
pub struct Sampling<'a, M> {
    /// Memory.
    pub memory: &'a M,
    /// By stage; none where the program samples nothing.
    pub bound: &'a [Option<Rc<Bound>>; SETS],
    /// Quads that were sampled.
    pub quads: u64,
    /// What went wrong.
    pub fault: Option<Fault>,
}

impl<M: Memory> Textures for Sampling<'_, M> {
    fn sample(&mut self, texture: u8, coordinates: [[f32; 3]; 4]) -> [[u16; 4]; 4] {
        let Some(bound) = &self.bound[usize::from(texture)] else { return [[0; 4]; 4] };
        let pixels = coordinates.map(|coordinates| {
            let [u, v, w] = coordinates.map(f32::to_bits);
            Pixel { u, v, w, q: Numbers::Fp32.one(), d: 0 }
        });
        let quad = Quad { pixels, valid: 15, lod: 0, operation: Operation::Sample };
        let result = match self.memory.contiguous(bound.base(), bound.bytes()) {
            Some(bytes) => sample(bound, &quad, &mut SliceSource(bytes)),
            None => sample(bound, &quad, &mut LineSource { memory: self.memory, base: bound.base() }),
        };
        self.quads += 1;
        if result.error {
            self.fault.get_or_insert(Fault::new(FaultCode::Texels, bound.base()));
        }
        result.channels.map(|channels| channels.map(|channel| channel as u16))
    }
}
