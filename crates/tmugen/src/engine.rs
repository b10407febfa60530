//! What samples: the golden model, or the hardware in simulation; and what either refuses.

use crate::console::{Verbosity, note};
use crate::hardware::design_failure;
use crate::problem::{Failure, Rule};
use crate::progress;
use tmu_model::{MemoryImage, TextureUnit};
use tmu_problem::Problem;
use tmu_scene::{Batch, EngineError, EngineStatistics, MEMORY_BASE, MeshCounts, PixelFrame};
use tmu_sim::engines::loader::Loader;
use tmu_sim::engines::mesh::Mesher;
use tmu_sim::engines::pixel::Pixel;
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::general::look_ups::LookUps;
use tmu_sim::engines::sampler::general::sampling::General;
use tmu_sim::engines::sampler::sampling::{Classic, Numerics, Run, Sampler};
use tmu_sim::engines::sampler::throughput::LookupCounts;
use tmu_sim::kit::memory::Bytes;
use tmu_sim::kit::rtl::{Rtl, SetupError};
use tmu_sim::kit::system::SystemOptions;
use tmu_spec::{Binding, Config, Quad, QuadResult, Texture};
use tmu_verilate::{CACHE_VARIABLE, Model, ModelOptions, OptimizeFor};

/// Clocks of the memory port from an address to its data, where no command line asks for another number.
const LATENCY_CLOCKS: u32 = 20;

/// What samples quads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    /// The golden model
    #[default]
    Golden,
    /// The hardware in simulation; needs Verilator
    Rtl,
}

impl Engine {
    /// The one that it is compared with.
    pub(crate) const fn other(self) -> Self {
        match self {
            Engine::Golden => Engine::Rtl,
            Engine::Rtl => Engine::Golden,
        }
    }

    /// The name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Engine::Golden => "golden",
            Engine::Rtl => "rtl",
        }
    }
}

/// Emits the hardware of a configuration and compiles it for simulation, which takes some seconds the first time.
pub(crate) fn built(
    config: &Config,
    options: &ModelOptions,
    verbosity: Verbosity,
) -> Result<(Rtl, Model), Failure> {
    let spinner = progress::spinner(verbosity, "building the simulation");
    let built = tmu_sim::kit::rtl::build(config, options);
    spinner.finish_and_clear();
    if let Ok((_, model)) = &built
        && let Some(damage) = model.repaired()
    {
        let directory = model.directory().display();
        note(
            verbosity,
            &format!("the compiled model in {directory} was damaged ({damage}); it was built again"),
        );
    }
    built.map_err(|error| setup_failure(&error))
}

/// The failure of hardware that cannot be simulated.
pub(crate) fn setup_failure(error: &SetupError) -> Failure {
    match error {
        SetupError::Design(problems) => design_failure(problems),
        SetupError::Model(error) => model_failure(error),
    }
}

/// The failure of Yosys.
pub(crate) fn synthesis_failure(error: &tmu_verilate::Error) -> Failure {
    match error {
        tmu_verilate::Error::MissingTool(_) => model_failure(error),
        error => Failure::new(
            Rule::Synthesis,
            format!("the hardware cannot be synthesised: {error}"),
            "see the message; `tmugen generate` writes a folder anew",
        ),
    }
}

/// The failure of Verilator and what it needs.
pub(crate) fn model_failure(error: &tmu_verilate::Error) -> Failure {
    match error {
        tmu_verilate::Error::MissingTool(tool) => {
            let help = format!("install it with {}, or run scripts/setup", tool.remedy);
            Failure::new(
                Rule::Tool,
                format!("{} is not installed; it is needed to {}", tool.tool, tool.purpose),
                help,
            )
        }
        tmu_verilate::Error::Cache { path, reason } => {
            let help =
                format!("set {CACHE_VARIABLE} to a directory that is writable and has room, or make room");
            let message = format!("the cache of compiled models cannot be used: {reason}");
            Failure::in_file(Rule::Cache, path, message, help)
        }
        error => Failure::new(
            Rule::Engine,
            format!("the hardware cannot be simulated: {error}"),
            "see the message",
        ),
    }
}

/// The failure of a simulation that stopped.
pub(crate) fn simulation_failure(failure: tmu_sim::kit::error::Failure) -> Failure {
    simulation_failure_with(failure, "")
}

/// The same, with more to say of it behind.
pub(crate) fn simulation_failure_with(failure: tmu_sim::kit::error::Failure, more: &str) -> Failure {
    let help = failure.repeat.as_ref().map_or_else(
        || "report this together with the configuration".to_owned(),
        |command| format!("repeat with: {command} --waves run.fst"),
    );
    let failure = tmu_sim::kit::error::Failure { repeat: None, ..failure };
    Failure::new(Rule::Simulation, format!("{failure}{more}"), help)
}

/// An engine for quads of one binding after another.
pub(crate) enum QuadEngine<'m> {
    Golden(Box<TextureUnit<MemoryImage<&'m [u8]>>>),
    Rtl(Box<Sampler>),
}

impl<'m> QuadEngine<'m> {
    /// An engine over memory from texture address 0 on.
    pub(crate) fn new(
        engine: Engine,
        config: &Config,
        memory: &'m [u8],
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        Ok(match engine {
            Engine::Golden => QuadEngine::Golden(Box::new(TextureUnit::with_features(
                MemoryImage::new(0, memory),
                *config.features(),
            ))),
            Engine::Rtl => QuadEngine::Rtl(Box::new(sampler(config, memory, verbosity)?)),
        })
    }

    /// Samples quads of a binding that the configuration builds.
    pub(crate) fn sample(&mut self, binding: &Binding, quads: &[Quad]) -> Result<Vec<QuadResult>, Failure> {
        match self {
            QuadEngine::Golden(unit) => {
                if unit.binding() != Some(binding) {
                    unit.bind(binding).expect("only what is built is bound");
                }
                Ok(quads.iter().map(|quad| unit.sample(quad)).collect())
            }
            QuadEngine::Rtl(sampler) => {
                let mut results = Vec::with_capacity(quads.len());
                let run = Run { binding, quads };
                sampler.sample(&[run], &mut results, &mut |_| ()).map_err(simulation_failure)?;
                Ok(results)
            }
        }
    }
}

/// The hardware in simulation, over memory from texture address 0 on.
pub(crate) fn sampler<N: Numerics>(
    config: &Config,
    memory: &[u8],
    verbosity: Verbosity,
) -> Result<Sampler<N>, Failure> {
    over_memory(config, memory, &ModelOptions::default(), verbosity, Sampler::new)
}

/// The same with indirect look-ups.
pub(crate) fn look_ups(config: &Config, memory: &[u8], verbosity: Verbosity) -> Result<LookUps, Failure> {
    over_memory(config, memory, &ModelOptions::default(), verbosity, LookUps::new)
}

fn over_memory<H>(
    config: &Config,
    memory: &[u8],
    options: &ModelOptions,
    verbosity: Verbosity,
    make: impl FnOnce(&Model, &Rtl, TextureMemory, u32) -> Result<H, tmu_verilate::Error>,
) -> Result<H, Failure> {
    let (rtl, model) = built(config, options, verbosity)?;
    built_over_memory(&rtl, &model, memory, LATENCY_CLOCKS, make)
}

/// Compiled hardware over memory from texture address 0 on.
pub(crate) fn built_over_memory<H>(
    rtl: &Rtl,
    model: &Model,
    memory: &[u8],
    latency_clocks: u32,
    make: impl FnOnce(&Model, &Rtl, TextureMemory, u32) -> Result<H, tmu_verilate::Error>,
) -> Result<H, Failure> {
    let mut contents = TextureMemory::empty();
    contents.place(0, memory.to_vec());
    make(model, rtl, contents, latency_clocks).map_err(|error| model_failure(&error))
}

/// Pixels of a picture for which a model of the most clocks per second pays.
const MANY_PIXELS: u64 = 150_000;

/// How a model is compiled that draws a picture of this size.
pub(crate) fn drawing(size: tmu_scene::ImageSize) -> ModelOptions {
    let pixels = u64::from(size.width()) * u64::from(size.height());
    let optimize = if pixels < MANY_PIXELS { OptimizeFor::Both } else { OptimizeFor::Speed };
    ModelOptions { optimize, ..ModelOptions::default() }
}

/// The hardware in simulation as an engine of scenes.
pub(crate) struct RtlEngine<N: Numerics = Classic> {
    sampler: Sampler<N>,
    /// Is told how many quads have been answered.
    progress: Box<dyn FnMut(u64)>,
}

impl<N: Numerics> RtlEngine<N> {
    /// Hardware over the memory of a scene, compiled with these options.
    pub(crate) fn new(
        config: &Config,
        memory: &[u8],
        options: &ModelOptions,
        verbosity: Verbosity,
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Self, Failure> {
        Ok(Self { sampler: over_memory(config, memory, options, verbosity, Sampler::new)?, progress })
    }

    /// What its counters have counted; none if they are not built.
    pub(crate) fn lookup_counts(&mut self) -> Result<Option<LookupCounts>, Failure> {
        self.sampler.lookup_counts().map_err(simulation_failure)
    }

    fn sample_runs(
        &mut self,
        bindings: &[N::Binding],
        runs: &[tmu_scene::Run],
        quads: &[N::Quad],
        results: &mut Vec<N::QuadResult>,
    ) -> Result<(), EngineError> {
        let run =
            |run: &tmu_scene::Run| Run { binding: &bindings[run.binding], quads: &quads[run.quads.clone()] };
        let runs: Vec<_> = runs.iter().map(run).collect();
        let Self { sampler, progress } = self;
        sampler.sample(&runs, results, progress)?;
        Ok(())
    }

    fn clocks(&self) -> EngineStatistics {
        EngineStatistics { cache: Vec::new(), clocks: Some(self.sampler.tmu_clocks()) }
    }
}

impl tmu_scene::Engine for RtlEngine {
    fn sample(&mut self, batch: &Batch<'_>, results: &mut Vec<QuadResult>) -> Result<(), EngineError> {
        self.sample_runs(batch.bindings, batch.runs, batch.quads, results)
    }

    fn statistics(&self) -> EngineStatistics {
        self.clocks()
    }
}

impl tmu_scene::Engine<tmu_scene::General> for RtlEngine<General> {
    fn sample(
        &mut self,
        batch: &Batch<'_, tmu_scene::General>,
        results: &mut Vec<tmu_spec::general::QuadResult>,
    ) -> Result<(), EngineError> {
        self.sample_runs(batch.bindings, batch.runs, batch.quads, results)
    }

    fn statistics(&self) -> EngineStatistics {
        self.clocks()
    }
}

/// The engine `mesh` in simulation.
pub(crate) struct MeshRtlEngine(Mesher);

impl MeshRtlEngine {
    /// The engine of a configuration that has it.
    pub(crate) fn new(config: &Config, verbosity: Verbosity) -> Result<Self, Failure> {
        let (_, model) = built(config, &ModelOptions::default(), verbosity)?;
        let options = SystemOptions::new(config, LATENCY_CLOCKS);
        let memory = Bytes::new(MEMORY_BASE.into(), Vec::new());
        Mesher::new(&model, config, &options, memory).map(Self).map_err(simulation_failure)
    }
}

impl tmu_scene::MeshEngine for MeshRtlEngine {
    fn run(
        &mut self,
        job: &tmu_model::engines::mesh::Job,
        memory: &mut Vec<u8>,
    ) -> Result<MeshCounts, EngineError> {
        let refused = |refusal| format!("the job is refused: {refusal:?}");
        let lines = job.lines(MEMORY_BASE, memory).map_err(refused)?;
        self.0.set_memory(Bytes::new(MEMORY_BASE.into(), std::mem::take(memory)));
        let done = self.0.run(job)?;
        *memory = self.0.bytes().to_vec();
        if done.code != 0 {
            return Err(format!("the hardware ends the job with code {}", done.code).into());
        }
        Ok(MeshCounts {
            pixels_drawn: done.drawn,
            pixels_left_out: done.left_out,
            texture_lines: lines.texture,
            frame_lines: lines.frame,
            clocks: Some(done.clocks),
            texture_lines_read: Some(done.texture_lines),
            texture_hits: Some(done.texture_hits),
            clocks_stalled: Some(done.clocks_stalled),
        })
    }
}

/// The engine `loader` in simulation.
pub(crate) struct LoaderRtlEngine(Loader);

impl LoaderRtlEngine {
    /// The engine of a configuration that has it.
    pub(crate) fn new(config: &Config, verbosity: Verbosity) -> Result<Self, Failure> {
        let (_, model) = built(config, &ModelOptions::default(), verbosity)?;
        let options = SystemOptions::new(config, LATENCY_CLOCKS);
        let memory = Bytes::new(MEMORY_BASE.into(), Vec::new());
        Loader::new(&model, config, &options, memory).map(Self).map_err(simulation_failure)
    }

    /// Does a job in memory that begins where that of scenes does. Gives its clocks.
    pub(crate) fn run(
        &mut self,
        job: &tmu_model::engines::loader::Job,
        memory: &mut Vec<u8>,
    ) -> Result<u64, EngineError> {
        self.0.set_memory(Bytes::new(MEMORY_BASE.into(), std::mem::take(memory)));
        let done = self.0.run(&job.settings())?;
        *memory = self.0.bytes().to_vec();
        match done.code {
            0 => Ok(done.clocks),
            code => Err(format!("the hardware ends the job with code {code}").into()),
        }
    }
}

/// The engine `pixel` in simulation.
pub(crate) struct PixelRtlEngine(Pixel);

impl PixelRtlEngine {
    /// The engine of a configuration that has it, compiled with these options.
    pub(crate) fn new(
        config: &Config,
        options: &ModelOptions,
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        let (_, model) = built(config, options, verbosity)?;
        let options = SystemOptions::new(config, LATENCY_CLOCKS);
        let memory = Bytes::new(0, Vec::new());
        Pixel::new(&model, config, &options, memory).map(Self).map_err(simulation_failure)
    }

    /// Draws a frame. Gives the bytes of the picture and the clocks that it took.
    pub(crate) fn draw(&mut self, frame: &PixelFrame) -> Result<(Vec<u8>, u64), EngineError> {
        let start = frame.picture as usize;
        let mut memory = frame.memory.clone();
        memory.resize(start + frame.picture_bytes(), 0);
        self.0.set_memory(Bytes::new(0, memory));
        let done = self.0.draw(frame.address)?;
        match done.code {
            0 => Ok((self.0.bytes()[start..].to_vec(), done.clocks)),
            code => {
                Err(format!("the hardware ends the frame with code {code} at {:#x}", done.address).into())
            }
        }
    }
}

/// Everything about a texture and its sampler that is not built in a configuration, which the user calls `name`.
pub(crate) fn not_built(
    texture: Texture,
    sampler: tmu_spec::Sampler,
    config: &Config,
    name: &str,
) -> Vec<Problem> {
    let features = config.features();
    let size_log2 = texture.width_log2().max(texture.height_log2());
    let (width, height, most) = (texture.width(0), texture.height(0), 1u32 << features.max_size_log2());
    let has_mode = |mode| features.has_address_mode(mode);
    let rules = [
        (features.has_format(texture.format()), "formats", format!("format {}", texture.format())),
        (
            size_log2 <= features.max_size_log2(),
            "max_size_log2",
            format!("{width} x {height}, over {most} texels"),
        ),
        (features.bilinear() || !sampler.bilinear, "bilinear", "bilinear filtering".to_owned()),
        (features.mipmaps() || !sampler.mipmapped, "mipmaps", "mipmapping".to_owned()),
        (has_mode(sampler.address_u), "address_modes", format!("address mode {} of u", sampler.address_u)),
        (has_mode(sampler.address_v), "address_modes", format!("address mode {} of v", sampler.address_v)),
    ];
    let broken = rules.into_iter().filter(|(is_built, ..)| !is_built);
    broken
        .map(|(_, key, what)| {
            let help = format!("change texture.{key} in the configuration, or ask for less");
            Problem::new(Rule::NotBuilt, format!("{name} does not build {what}"), help)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::{AddressMode, Format, Sampler};

    #[test]
    fn everything_that_is_not_built_is_listed() {
        let small = "[texture]\nformats = [\"rgb8\"]\naddress_modes = [\"wrap\"]\nbilinear = false\nmipmaps = false\n\
                     max_size_log2 = 4\n";
        let config = Config::from_toml(small).unwrap();
        let least = Sampler { bilinear: false, mipmapped: false, ..Sampler::default() };
        let fitting = Texture::new(Format::Rgb8, 4, 4, 0).unwrap();
        assert_eq!(not_built(fitting, least, &config, "small"), []);
        let most = Sampler {
            bilinear: true,
            mipmapped: true,
            address_u: AddressMode::Clamp,
            address_v: AddressMode::Mirror,
        };
        let large = Texture::new(Format::Rgba8, 5, 0, 0).unwrap();
        let messages: Vec<_> =
            not_built(large, most, &config, "small").into_iter().map(|problem| problem.message).collect();
        assert_eq!(
            messages,
            [
                "small does not build format rgba8",
                "small does not build 32 x 1, over 16 texels",
                "small does not build bilinear filtering",
                "small does not build mipmapping",
                "small does not build address mode clamp of u",
                "small does not build address mode mirror of v",
            ]
        );
    }
}
