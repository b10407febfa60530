//! Sampling by the general numerics.

use super::{Args, CHUNK_QUADS, unreadable};
use crate::args::check_hardware;
use crate::console::Verbosity;
use crate::engine::{Engine, sampler, simulation_failure};
use crate::files::Files;
use crate::files::kind::sample_header;
use crate::files::standard::open;
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::quads::{self, general::General as Columns};
use tmu_assets::GeneralImage;
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_problem::Problem;
use tmu_sim::engines::sampler::general::sampling::General as Numerics;
use tmu_sim::engines::sampler::sampling::{self, Run};
use tmu_spec::general::{Binding, General, Operation, Quad, QuadResult, Rule as Broken, Sampler, Texture};
use tmu_spec::{Config, Features};

/// The same as [`problems`] of a texture and a sampler that a scene has by these names.
pub(in crate::commands) fn problems_of_pair(
    [texture, sampler]: [&str; 2],
    binding: &Binding,
    features: &Features,
    general: &General,
    name: &str,
) -> Vec<Problem> {
    let of_pair = |problem: Problem| {
        let message = format!("texture \"{texture}\" with sampler \"{sampler}\": {}", problem.message);
        Problem { message, ..problem }
    };
    problems(&binding.texture, &binding.sampler, features, general, name).into_iter().map(of_pair).collect()
}

/// Everything about a texture and its sampler that a configuration, which the user calls `name`, does not do.
pub(in crate::commands) fn problems(
    texture: &Texture,
    sampler: &Sampler,
    features: &Features,
    general: &General,
    name: &str,
) -> Vec<Problem> {
    let broken = Broken::broken(texture, sampler, features, general).into_iter();
    broken
        .map(|rule| match &rule {
            Broken::NotBuilt { what, .. } => {
                Problem::new(Rule::NotBuilt, format!("{name} does not build {what}"), rule.help())
            }
            _ => Problem::new(Rule::Sampler, rule.to_string(), rule.help()),
        })
        .collect()
}

/// What samples quads of one binding.
enum GeneralEngine<'m> {
    Golden(Box<Unit<MemoryImage<&'m [u8]>>>),
    Rtl(Box<sampling::Sampler<Numerics>>, Box<Binding>),
}

impl<'m> GeneralEngine<'m> {
    /// The engine that was asked for; the unit has the texture bound.
    fn new(
        engine: Engine,
        config: &Config,
        unit: Unit<MemoryImage<&'m [u8]>>,
        image: &'m GeneralImage,
        texture_sampler: Sampler,
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        if engine == Engine::Golden {
            return Ok(GeneralEngine::Golden(Box::new(unit)));
        }
        let hardware = sampler(config, image.memory(), verbosity)?;
        let texture = *image.texture();
        let binding = Binding { base: 0, texture, sampler: texture_sampler, drop_cache: false };
        Ok(GeneralEngine::Rtl(Box::new(hardware), Box::new(binding)))
    }

    fn sample(&mut self, quads: &[Quad]) -> Result<Vec<QuadResult>, Failure> {
        match self {
            GeneralEngine::Golden(unit) => Ok(quads.iter().map(|quad| unit.sample(quad)).collect()),
            GeneralEngine::Rtl(hardware, binding) => {
                let mut results = Vec::with_capacity(quads.len());
                hardware
                    .sample(&[Run { binding, quads }], &mut results, &mut |_| ())
                    .map_err(simulation_failure)?;
                Ok(results)
            }
        }
    }
}

impl Args {
    /// Samples all quads; returns how many there were.
    pub(super) fn sample_general(
        &self,
        files: &Files,
        image: &GeneralImage,
        config: &Config,
        general: &General,
    ) -> Result<u64, Failure> {
        let features = config.features();
        if self.engine == Engine::Rtl {
            check_hardware(config)?;
        }
        let (texture, name) = (image.texture(), self.config.name());
        let sampler = self.sampler.sampler(features, texture);
        let mut found = problems(texture, &sampler, features, general, &name);
        let operation = self.sampler.operation;
        if !general.has_operation(operation) {
            let help = "change request.operations in the configuration, or ask for less";
            let message = format!("{name} does not build the operation that --op asks for");
            found.push(Problem::new(Rule::NotBuilt, message, help));
        }
        let mut unit = Unit::new(MemoryImage::new(0, image.memory()), *features);
        let is_bound = unit.bind(texture, 0, &sampler).is_ok();
        let does_it = unit.bound().is_none_or(|bound| bound.does(operation));
        if is_bound && found.is_empty() && !does_it && matches!(operation, Operation::Gather(_)) {
            let message = format!("a texture of kind {} has no four texels to gather", texture.kind());
            let help = "gather from 2d, cube or 2d_array";
            found.push(Problem::new(Rule::Sampler, message, help).in_file(&self.texture));
        }
        if !found.is_empty() {
            return Err(Failure::input(found));
        }
        let mut engine = GeneralEngine::new(self.engine, config, unit, image, sampler, self.verbosity)?;
        self.sample_all(files, &mut engine, general)
    }

    /// Samples all quads and writes the results.
    fn sample_all(
        &self,
        files: &Files,
        engine: &mut GeneralEngine<'_>,
        general: &General,
    ) -> Result<u64, Failure> {
        let (source, bytes) = open(&self.quads).map_err(|error| unreadable(&self.quads, &error))?;
        let bar = progress::bar(self.verbosity, bytes, "bytes");
        bar.set_message("sampling");
        let mut output = files.begin(&self.output)?;
        output.write_all(sample_header(general.result).as_bytes())?;
        let mut chunk = Vec::with_capacity(CHUNK_QUADS);
        let mut write = |chunk: &mut Vec<Quad>| {
            let mut rows = String::new();
            for result in engine.sample(chunk)? {
                quads::general::write_sample(&mut rows, &result, general.result);
            }
            chunk.clear();
            output.write_all(rows.as_bytes())
        };
        let columns = Columns::new(general.numbers, self.sampler.operation);
        let quads = quads::read(bar.wrap_read(source), &self.quads, columns, |quad| {
            chunk.push(quad);
            if chunk.len() == CHUNK_QUADS { write(&mut chunk) } else { Ok(()) }
        })?;
        write(&mut chunk)?;
        output.commit()?;
        bar.finish_and_clear();
        Ok(quads)
    }
}
