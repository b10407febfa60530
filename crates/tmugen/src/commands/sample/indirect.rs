//! Indirect look-ups: quads of places in the texture, whose texels are places in a second one.

use super::general::problems;
use super::{Args, CHUNK_QUADS, unreadable};
use crate::args::check_hardware;
use crate::choices::choice_parser;
use crate::engine::{Engine, look_ups, simulation_failure};
use crate::files::Files;
use crate::files::kind::{INDIRECT_COLUMNS, sample_header};
use crate::files::standard::open;
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::quads::{self, general::General as Columns};
use std::path::PathBuf;
use tmu_assets::{GeneralImage, load_any};
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_problem::Problem;
use tmu_sim::engines::sampler::general::look_ups::Step;
use tmu_spec::general::indirect::{
    Aggregate, IndirectQuad, MAX_VALUES, Part, Role, Rule as Broken, Setup, parse_fields,
};
use tmu_spec::general::{Binding, General, Operation, Quad, QuadResult, Texture};
use tmu_spec::{Config, LINE_BYTES};

/// What an indirect look-up does.
#[derive(Debug, clap::Args)]
pub(in crate::commands) struct IndirectArgs {
    /// Look up indirectly: texels of --texture, at the integers u and v, are the places of texels in this one; the sampler's settings
    /// hold for both
    #[arg(long = "indirect", value_name = "T2.toml")]
    pub(super) secondary: Option<PathBuf>,
    /// What becomes of the values of a pixel: none (each is a row of the samples), sum, product, average, min or max
    #[arg(long = "operation", value_name = "OP", requires = "secondary", default_value = "none", value_parser = choice_parser::<Aggregate>())]
    aggregate: Aggregate,
    /// How many values a pixel has: 1 to 4
    #[arg(long, value_name = "N", requires = "secondary", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_VALUES)))]
    values: u32,
    /// Texels from the place of a value to that of the next one, along u
    #[arg(
        long,
        value_name = "N",
        requires = "secondary",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    offset_u: i16,
    /// The same along v
    #[arg(
        long,
        value_name = "N",
        requires = "secondary",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    offset_v: i16,
    /// Which components of a texel are the coordinates of the next: two of r, g, b and a
    #[arg(long, value_name = "FIELDS", requires = "secondary", default_value = "rg", value_parser = fields)]
    fields: Fields,
}

/// The components that are coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fields([Part; 2]);

fn fields(word: &str) -> Result<Fields, String> {
    parse_fields(word).map(Fields)
}

impl IndirectArgs {
    fn setup(&self) -> Setup {
        let Fields([u_field, v_field]) = self.fields;
        let Self { aggregate: operation, values, offset_u, offset_v, .. } = *self;
        Setup { operation, values, offset_u, offset_v, u_field, v_field }
    }
}

/// The places of a quad whose coordinates are integers.
fn places(quad: &Quad) -> IndirectQuad {
    IndirectQuad { places: quad.pixels.map(|pixel| [pixel.u as i32, pixel.v as i32]), valid: quad.valid }
}

impl Args {
    /// Looks all quads up; returns how many there were.
    pub(super) fn sample_indirect(
        &self,
        files: &Files,
        primary: &GeneralImage,
        config: &Config,
        general: &General,
    ) -> Result<u64, Failure> {
        let secondary = self.indirect.secondary.as_deref().expect("an indirect look-up was asked for");
        let secondary = load_any(secondary)?.into_general();
        self.check_indirect(primary.texture(), secondary.texture(), config, general)?;
        if self.engine == Engine::Rtl {
            check_hardware(config)?;
        }
        let base = (primary.memory().len() as u32).next_multiple_of(LINE_BYTES);
        let mut memory = primary.memory().to_vec();
        memory.resize(base as usize, 0);
        memory.extend(secondary.memory());
        let binding = |texture: &Texture, base| Binding {
            base,
            texture: *texture,
            sampler: self.sampler.sampler(config.features(), texture),
            drop_cache: false,
        };
        let (setup, bindings) =
            (self.indirect.setup(), [binding(primary.texture(), 0), binding(secondary.texture(), base)]);
        if self.engine == Engine::Rtl {
            let mut hardware = look_ups(config, &memory, self.verbosity)?;
            let textures = [Step::Bind(&bindings[0]), Step::BindSecondary(&bindings[1])];
            hardware.run(&textures).map_err(simulation_failure)?;
            return self.look_up_all(files, general, |quads| {
                let steps: Vec<_> = quads.iter().map(|quad| Step::LookUp(quad, &setup)).collect();
                hardware.run(&steps).map_err(simulation_failure)
            });
        }
        let mut unit = Unit::new(MemoryImage::new(0, memory), *config.features());
        unit.bind_indirect(&setup, &bindings[0], &bindings[1]).expect("what breaks a rule is refused before");
        self.look_up_all(files, general, |quads| {
            Ok(quads.iter().map(|quad| unit.look_up(quad).as_slice().to_vec()).collect())
        })
    }

    /// Refuses textures and a set-up that break a rule.
    fn check_indirect(
        &self,
        primary: &Texture,
        secondary: &Texture,
        config: &Config,
        general: &General,
    ) -> Result<(), Failure> {
        let (features, name) = (config.features(), self.config.name());
        let mut found = Vec::new();
        for (role, texture) in [(Role::Primary, primary), (Role::Secondary, secondary)] {
            let sampler = self.sampler.sampler(features, texture);
            let own = problems(texture, &sampler, features, general, &name).into_iter();
            found.extend(own.map(|problem| {
                let message = format!("the {role} texture: {}", problem.message);
                Problem { message, ..problem }
            }));
        }
        let broken = Broken::broken(&self.indirect.setup(), primary, secondary, features).into_iter();
        found.extend(broken.map(|rule| match rule {
            Broken::NotBuilt => not_built(&name),
            _ => Problem::new(Rule::Sampler, rule.to_string(), rule.help()),
        }));
        if self.sampler.operation != Operation::Sample {
            let help = "leave one of them out";
            found.push(Problem::new(Rule::Sampler, "--indirect has an operation of its own, not --op", help));
        }
        if found.is_empty() { Ok(()) } else { Err(Failure::input(found)) }
    }

    /// Looks all quads up and writes the results.
    fn look_up_all(
        &self,
        files: &Files,
        general: &General,
        mut look_up: impl FnMut(&[IndirectQuad]) -> Result<Vec<Vec<QuadResult>>, Failure>,
    ) -> Result<u64, Failure> {
        let (source, bytes) = open(&self.quads).map_err(|error| unreadable(&self.quads, &error))?;
        let bar = progress::bar(self.verbosity, bytes, "bytes");
        bar.set_message("looking up");
        let is_one_by_one = self.indirect.aggregate == Aggregate::None;
        let mut output = files.begin(&self.output)?;
        if is_one_by_one {
            output.write_all(INDIRECT_COLUMNS.as_bytes())?;
        }
        output.write_all(sample_header(general.result).as_bytes())?;
        let (mut rows, mut index) = (String::new(), 0u64);
        let mut chunk = Vec::with_capacity(CHUNK_QUADS);
        let mut write = |chunk: &mut Vec<IndirectQuad>| {
            for results in look_up(chunk)? {
                for (value, result) in results.iter().enumerate() {
                    if is_one_by_one {
                        rows += &format!("{index},{value},");
                    }
                    quads::general::write_sample(&mut rows, result, general.result);
                }
                index += 1;
            }
            let written = output.write_all(rows.as_bytes());
            rows.clear();
            chunk.clear();
            written
        };
        let columns = Columns::new(general.numbers, Operation::Fetch);
        let quads = quads::read(bar.wrap_read(source), &self.quads, columns, |quad| {
            chunk.push(places(&quad));
            if chunk.len() == CHUNK_QUADS { write(&mut chunk) } else { Ok(()) }
        })?;
        write(&mut chunk)?;
        output.commit()?;
        bar.finish_and_clear();
        Ok(quads)
    }
}

/// What a configuration without indirect look-ups is told.
pub(super) fn not_built(name: &str) -> Problem {
    let message = format!("{name} does not build indirect look-ups");
    Problem::new(
        Rule::NotBuilt,
        message,
        "use a preset with them, like indirect, or set texture.indirect = true",
    )
}
