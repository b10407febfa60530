//! What answers look-ups, and what they cost.

use crate::store::{Name, Store, setup};
use arrayvec::ArrayVec;
use rayon::prelude::*;
use serde::Serialize;
use std::ops::AddAssign;
use std::sync::Arc;
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_spec::Config;
use tmu_spec::general::indirect::IndirectQuad;
use tmu_spec::general::packet::{Extras, of_quad};
use tmu_spec::general::{General, OperationName, QuadResult, ResultNumbers};

/// A look at textures that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// The texels of a texture at places: one result.
    Fetch(Name, IndirectQuad),
    /// The corners whose places stand at places: one result each.
    LookUp(IndirectQuad),
}

impl Ask {
    /// The places.
    #[must_use]
    pub const fn quad(&self) -> &IndirectQuad {
        match self {
            Ask::Fetch(_, quad) | Ask::LookUp(quad) => quad,
        }
    }
}

/// The results of one look.
pub type Answer = ArrayVec<QuadResult, 4>;

/// A texture unit, golden or other, over a [`Store`].
pub trait Textures {
    /// Why there is no answer.
    type Error;

    /// Answers what is asked for at once, in that order.
    ///
    /// # Errors
    /// If the unit has stopped.
    fn answer(&mut self, asks: &[Ask]) -> Result<Vec<Answer>, Self::Error>;

    /// Clocks of the unit so far, if it has any.
    fn clocks(&self) -> Option<u64>;
}

/// Something that the tracer needs and a configuration does not build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What it is.
    pub what: String,
    /// What to do about it.
    pub help: String,
}

/// The golden model.
#[derive(Debug)]
pub struct GoldenTextures {
    units: [Unit<MemoryImage<Arc<[u8]>>>; Name::ALL.len()],
    indirect: Unit<MemoryImage<Arc<[u8]>>>,
}

impl GoldenTextures {
    /// Units over a store, with the features of a configuration; with indirect look-ups if they are wanted.
    ///
    /// # Errors
    /// Everything that the configuration does not build and the tracer needs.
    pub fn new(store: &Store, config: &Config, is_indirect: bool) -> Result<Self, Vec<Missing>> {
        let mut missing = Vec::new();
        let general = config.features().general().copied().unwrap_or(General::LEAST);
        let mut need = |is_built: bool, what: &str, help: &str| {
            if !is_built {
                missing.push(Missing { what: format!("{what} is not built"), help: help.into() });
            }
        };
        let result = "set result.numbers = \"fp32\"";
        need(general.result == ResultNumbers::Fp32, "a result in singles", result);
        let bits = "set filter.channel_bits = 16";
        need(general.channel_bits == 16, "a channel of 16 bits", bits);
        let fetch = "add \"fetch\" to request.operations";
        need(general.has_operation(OperationName::Fetch), "the operation fetch", fetch);
        let bytes: Arc<[u8]> = store.bytes().into();
        let new = || Unit::new(MemoryImage::new(0, Arc::clone(&bytes)), *config.features());
        let units = Name::ALL.map(|name| {
            let (mut unit, binding) = (new(), store.binding(name));
            // Each way has its own lists.
            let is_needed = if is_indirect { name != Name::Indices } else { name != Name::Places };
            if let Err(rules) = unit.bind(&binding.texture, binding.base, &binding.sampler)
                && is_needed
            {
                for rule in rules {
                    // Several textures may need the same.
                    let rule = Missing { what: rule.to_string(), help: rule.help() };
                    if !missing.contains(&rule) {
                        missing.push(rule);
                    }
                }
            }
            unit
        });
        let mut indirect = new();
        if is_indirect && missing.is_empty() {
            let (places, corners) = (store.binding(Name::Places), store.binding(Name::Corners));
            if let Err(broken) = indirect.bind_indirect(&setup(), places, corners) {
                let help = "set texture.indirect = true in the configuration".into();
                missing.push(Missing { what: broken.to_string(), help });
            }
        }
        if missing.is_empty() { Ok(Self { units, indirect }) } else { Err(missing) }
    }
}

impl Textures for GoldenTextures {
    type Error = Vec<Missing>;

    fn answer(&mut self, asks: &[Ask]) -> Result<Vec<Answer>, Self::Error> {
        let answer = |ask: &Ask| match ask {
            Ask::Fetch(name, quad) => Answer::from_iter([self.units[*name as usize].sample(&quad.fetched())]),
            Ask::LookUp(quad) => self.indirect.look_up(quad).as_slice().iter().copied().collect(),
        };
        Ok(asks.par_iter().map(answer).collect())
    }

    fn clocks(&self) -> Option<u64> {
        None
    }
}

/// What look-ups have cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Texture operations, each of one pixel.
    pub operations: u64,
    /// Requests, each of a quad.
    pub quads: u64,
    /// Times that a quad has waited for results before it could ask for the next ones.
    pub round_trips: u64,
    /// Bytes of requests.
    pub request_bytes: u64,
    /// Bytes of results.
    pub result_bytes: u64,
}

impl Counts {
    /// Bytes both ways.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.request_bytes + self.result_bytes
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.operations += other.operations;
        self.quads += other.quads;
        self.round_trips += other.round_trips;
        self.request_bytes += other.request_bytes;
        self.result_bytes += other.result_bytes;
    }
}

/// Bytes of the packets of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacketBytes {
    /// Of a request for four texels at places.
    pub request: u64,
    /// Of a result.
    pub result: u64,
}

impl PacketBytes {
    /// Those of a configuration that builds what the tracer needs.
    ///
    /// # Panics
    /// If it does not build the operation `fetch`.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let general = config.features().general().copied().unwrap_or(General::LEAST);
        let (extras, beats_per_quad) = (Extras::of(&general), config.request().beats_per_quad());
        let beats = of_quad(&IndirectQuad::default().fetched(), extras, beats_per_quad).len() as u64;
        Self {
            request: beats * u64::from(extras.tdata_bits(beats_per_quad) / 8),
            result: u64::from(general.result.tdata_bits() / 8),
        }
    }
}
