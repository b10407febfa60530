//! `texture`: the textures of a state, sampled for the program.
//!
//! All four pixels of a quad are sampled, seen or not: a program may read textures where others point.

use super::fault::Fault;
use super::records::Records;
use super::watch::{Watch, WatchedSource};
use crate::datapath::fetch::{LineSource, SliceSource};
use crate::general::request::Bound;
use crate::general::sample;
use crate::memory::Memory;
use crate::shader::{self, Registers};
use std::rc::Rc;
use tmu_spec::general::{Binding, General, Numbers, Operation, Pixel, Quad};
use tmu_spec::pixel::{FaultCode, Frame, LINE_BYTES, SETS, TEXTURE_BYTES, TileSize};
use tmu_spec::{Config, Features, Preset};

/// Numbers that textures of a store have.
const NUMBERS: usize = 1 << u8::BITS;

/// What a pipeline was built to do.
#[derive(Debug, Clone, Copy)]
pub struct Build {
    /// The tiles that frames may have; none where any will do.
    pub(super) tile: Option<TileSize>,
    /// What its textures may be.
    features: Features,
    sampler: General,
}

impl Build {
    /// That of a configuration; none if its texture unit is not one of the general numerics.
    #[must_use]
    pub fn of(config: &Config) -> Option<Self> {
        let features = *config.features();
        // Bindings in memory know nothing of the unit's own store.
        let sampler = features.general()?.with_store(0);
        let largest_log2 = features.max_size_log2();
        Some(Self {
            tile: Some(config.engine_configs().pixel().tile_size()),
            features: features.with_general(sampler, largest_log2),
            sampler,
        })
    }

    /// That of the preset `pixel`, with tiles of any size.
    ///
    /// # Panics
    /// Never: the preset ships.
    #[must_use]
    pub fn preset() -> Self {
        let preset = Preset::find("pixel").and_then(|preset| preset.config().ok());
        let build = preset.as_ref().and_then(Self::of).expect("the preset ships");
        Self { tile: None, ..build }
    }

    /// The same with tiles of one size.
    #[must_use]
    pub const fn with_tile(self, tile: TileSize) -> Self {
        Self { tile: Some(tile), ..self }
    }
}

/// The textures of a frame, each from the first time on that it is sampled.
#[derive(Debug)]
pub struct Textures {
    /// Where the store stands.
    store: u32,
    build: Build,
    /// By their numbers, those that were sampled.
    bound: Vec<Option<Rc<Bound>>>,
}

impl Textures {
    /// Those of a frame.
    #[must_use]
    pub fn new(frame: &Frame, build: &Build) -> Self {
        Self { store: frame.textures, build: *build, bound: vec![None; NUMBERS] }
    }

    fn get<M: Memory>(&mut self, memory: &M, number: u8) -> Result<Rc<Bound>, Fault> {
        if let Some(texture) = &self.bound[usize::from(number)] {
            return Ok(texture.clone());
        }
        let address = self.store.wrapping_add(u32::from(number) * TEXTURE_BYTES as u32);
        let refused = Fault::new(FaultCode::Texture, address);
        let bytes: [u8; TEXTURE_BYTES] = Records::new(memory).read(address)?;
        let word = |number: usize| {
            bytes[LINE_BYTES * number..].first_chunk().map_or(0, |word| u128::from_le_bytes(*word))
        };
        let binding =
            Binding::decode_for(&std::array::from_fn(word), &self.build.features).map_err(|_| refused)?;
        let Binding { texture, base, sampler, .. } = &binding;
        let bound = Bound::new(texture, *base, sampler, &self.build.features, &self.build.sampler, memory);
        let bound = Rc::new(bound.map_err(|_| refused)?);
        self.bound[usize::from(number)] = Some(bound.clone());
        Ok(bound)
    }
}

/// The textures of a state over memory; keeps the first fault.
#[derive(Debug)]
pub struct Sampling<'a, M, W> {
    /// Memory.
    pub memory: &'a M,
    /// The textures of the frame.
    pub textures: &'a mut Textures,
    /// By stage, which of them.
    pub numbers: &'a [u8; SETS],
    /// Quads that were sampled.
    pub quads: u64,
    /// What went wrong.
    pub fault: Option<Fault>,
    /// Who looks on.
    pub watch: &'a mut W,
}

impl<M: Memory, W: Watch> shader::Textures for Sampling<'_, M, W> {
    fn sample(&mut self, texture: u8, coordinates: [[f32; 3]; 4]) -> [[u16; 4]; 4] {
        let bound = match self.textures.get(self.memory, self.numbers[usize::from(texture)]) {
            Ok(bound) => bound,
            Err(fault) => {
                self.fault.get_or_insert(fault);
                return [[0; 4]; 4];
            }
        };
        let pixels = coordinates.map(|coordinates| {
            let [u, v, w] = coordinates.map(f32::to_bits);
            Pixel { u, v, w, q: Numbers::Fp32.one(), d: 0 }
        });
        let quad = Quad { pixels, valid: 15, lod: 0, operation: Operation::Sample };
        self.watch.look_up(self.numbers[usize::from(texture)], &coordinates);
        let (bound, watch) = (&*bound, &mut *self.watch);
        let result = match self.memory.contiguous(bound.base(), bound.bytes()) {
            Some(bytes) => {
                sample(bound, &quad, &mut WatchedSource { source: SliceSource(bytes), bound, watch })
            }
            None => {
                let source = LineSource { memory: self.memory, base: bound.base() };
                sample(bound, &quad, &mut WatchedSource { source, bound, watch })
            }
        };
        self.quads += 1;
        if result.error {
            self.fault.get_or_insert(Fault::new(FaultCode::Texels, bound.base()));
        }
        result.channels.map(|channels| channels.map(|channel| channel as u16))
    }

    #[inline]
    fn after(&mut self, registers: impl FnOnce() -> [Registers; 4]) {
        self.watch.after(registers);
    }
}
