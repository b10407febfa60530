//! The hardware in simulation as the textures of a tracer.

use crate::console::Verbosity;
use crate::engine::{built, model_failure, simulation_failure};
use crate::problem::Failure;
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::general::look_ups::{LookUps, Step};
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Config;
use tmu_spec::general::Quad;
use tmu_trace::store::{Name, Store, setup};
use tmu_trace::{Answer, Ask, Textures};
use tmu_verilate::{Model, ModelOptions};

/// A configuration's hardware, compiled.
pub(super) struct Hardware {
    rtl: Rtl,
    model: Model,
    latency_clocks: u32,
}

impl Hardware {
    /// Compiles it.
    pub(super) fn new(config: &Config, latency_clocks: u32, verbosity: Verbosity) -> Result<Self, Failure> {
        let (rtl, model) = built(config, &ModelOptions::default(), verbosity)?;
        Ok(Self { rtl, model, latency_clocks })
    }

    /// The hardware over a store, told by `progress` how many looks have been answered.
    pub(super) fn textures<'p>(
        &self,
        store: &Store,
        progress: &'p dyn Fn(u64),
    ) -> Result<RtlTextures<'p>, Failure> {
        let mut memory = TextureMemory::empty();
        memory.place(0, store.bytes().to_vec());
        let look_ups = LookUps::new(&self.model, &self.rtl, memory, self.latency_clocks);
        let look_ups = look_ups.map_err(|error| model_failure(&error))?;
        Ok(RtlTextures { look_ups, store: store.clone(), progress })
    }
}

/// One unit with all textures in its memory. What is asked for at once goes texture by texture, so that each is bound once.
pub(super) struct RtlTextures<'p> {
    look_ups: LookUps,
    store: Store,
    progress: &'p dyn Fn(u64),
}

/// Where an ask goes: a texture, and whether through it.
const fn texture(ask: &Ask) -> (Name, bool) {
    match ask {
        Ask::Fetch(name, _) => (*name, false),
        Ask::LookUp(_) => (Name::Places, true),
    }
}

impl Textures for RtlTextures<'_> {
    type Error = Failure;

    fn answer(&mut self, asks: &[Ask]) -> Result<Vec<Answer>, Failure> {
        let mut order: Vec<usize> = (0..asks.len()).collect();
        order.sort_by_key(|number| texture(&asks[*number]).0 as usize);
        let fetched: Vec<Quad> = asks.iter().map(|ask| ask.quad().fetched()).collect();
        let setup = setup();
        let mut steps = vec![];
        let mut bound = None;
        for number in &order {
            let (name, is_indirect) = texture(&asks[*number]);
            if bound != Some(name) {
                if is_indirect {
                    steps.push(Step::BindSecondary(self.store.binding(Name::Corners)));
                }
                steps.push(Step::Bind(self.store.binding(name)));
                bound = Some(name);
            }
            steps.push(match &asks[*number] {
                Ask::Fetch(..) => Step::Sample(&fetched[*number]),
                Ask::LookUp(quad) => Step::LookUp(quad, &setup),
            });
        }
        let results = self.look_ups.run(&steps).map_err(simulation_failure)?;
        let mut answers = vec![Answer::new(); asks.len()];
        for (number, own) in order.into_iter().zip(results) {
            answers[number] = own.into_iter().collect();
        }
        (self.progress)(asks.len() as u64);
        Ok(answers)
    }

    fn clocks(&self) -> Option<u64> {
        Some(self.look_ups.tmu_clocks())
    }
}
