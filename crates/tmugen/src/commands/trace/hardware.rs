//! The hardware in simulation as the textures of a tracer.

use crate::console::Verbosity;
use crate::engine::{built, built_over_memory, simulation_failure};
use crate::problem::Failure;
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
        let Self { rtl, model, latency_clocks } = self;
        let mut look_ups = built_over_memory(rtl, model, store.bytes(), *latency_clocks, LookUps::new)?;
        // It stays the secondary texture, whatever is bound beside it.
        look_ups.run(&[Step::BindSecondary(store.binding(Name::Corners))]).map_err(simulation_failure)?;
        Ok(RtlTextures { look_ups, store: store.clone(), progress })
    }
}

/// One unit with all textures in its memory. What is asked for at once goes texture by texture, so that each is bound once.
pub(super) struct RtlTextures<'p> {
    look_ups: LookUps,
    store: Store,
    progress: &'p dyn Fn(u64),
}

/// The texture that is bound for an ask.
const fn texture(ask: &Ask) -> Name {
    match ask {
        Ask::Fetch(name, _) => *name,
        Ask::LookUp(_) => Name::Places,
    }
}

impl Textures for RtlTextures<'_> {
    type Error = Failure;

    fn answer(&mut self, asks: &[Ask]) -> Result<Vec<Answer>, Failure> {
        let mut order: Vec<usize> = (0..asks.len()).collect();
        order.sort_by_key(|number| texture(&asks[*number]) as usize);
        let fetched: Vec<Quad> = asks.iter().map(|ask| ask.quad().fetched()).collect();
        let setup = setup();
        let mut steps = vec![];
        let mut bound = None;
        for number in &order {
            let name = texture(&asks[*number]);
            if bound != Some(name) {
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
