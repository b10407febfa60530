//! Sampling by the classic numerics.

use super::{Args, CHUNK_QUADS, unreadable};
use crate::engine::QuadEngine;
use crate::files::Files;
use crate::files::kind::SAMPLE_HEADER;
use crate::files::standard::open;
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::quads::{read_quads, write_sample};
use tmu_assets::{AnyImage, TextureImage};
use tmu_problem::Problem;
use tmu_spec::general::{self, Filter, General, MipFilter};
use tmu_spec::{Binding, Config, Quad, Sampler, Texture};

impl Args {
    /// Samples all quads; returns how many there were.
    pub(super) fn sample_classic(
        &self,
        files: &Files,
        image: AnyImage,
        config: &Config,
    ) -> Result<u64, Failure> {
        let of_any = match &image {
            AnyImage::Classic(image) => general::Texture::from(image.texture()),
            AnyImage::General(image) => *image.texture(),
        };
        let sampler = self.sampler.sampler(config.features(), &of_any);
        let mut problems = self.not_classic(&of_any, &sampler, config);
        let image = match image {
            AnyImage::Classic(image) => Some(image),
            AnyImage::General(_) => {
                let message = "the texture is one of the general numerics";
                let help = "use a preset of them, like multi, or pack the picture without --kind";
                problems.push(Problem::new(Rule::NotBuilt, message, help).in_file(&self.texture));
                None
            }
        };
        let bound = image.as_ref().and_then(|image| self.with_max_lod(image.texture(), &mut problems));
        let (Some(image), Some(texture), true) = (image, bound, problems.is_empty()) else {
            return Err(Failure::input(problems));
        };
        let [address_u, address_v, _] = sampler.address;
        let sampler = Sampler {
            bilinear: sampler.min == Filter::Linear,
            mipmapped: sampler.mip != MipFilter::None,
            address_u,
            address_v,
        };
        let binding =
            Binding::new(0, texture, sampler).expect("address 0 is aligned, and the modes are built");
        self.sample_quads(files, &image, &binding, config)
    }

    /// Everything that the configuration does not build, and that no classic unit does.
    fn not_classic(
        &self,
        texture: &general::Texture,
        sampler: &general::Sampler,
        config: &Config,
    ) -> Vec<Problem> {
        let name = self.config.name();
        let mut problems =
            super::general::problems(texture, sampler, config.features(), &General::LEAST, &name);
        let usual = general::Sampler::default();
        let asked = [
            (sampler.min != sampler.mag, "different filters for small and large texels"),
            (sampler.lod_bias != 0, "a bias of the level of detail"),
            (sampler.min_lod != usual.min_lod, "a least level of detail"),
            (self.sampler.operation != general::Operation::Sample, "operations other than sample"),
        ];
        for (_, what) in asked.into_iter().filter(|(is_asked, _)| *is_asked) {
            let help = "use a preset of the general numerics, like multi";
            problems.push(Problem::new(Rule::NotBuilt, format!("{name} does not build {what}"), help));
        }
        problems
    }

    /// The texture with the max-lod that was asked for.
    fn with_max_lod(&self, texture: Texture, problems: &mut Vec<Problem>) -> Option<Texture> {
        let Some(asked) = self.sampler.max_lod else { return Some(texture) };
        let level =
            Some(asked).filter(|asked| asked.fract() == 0.0 && *asked >= 0.0).map(|asked| asked as u32);
        let bound = level.and_then(|level| {
            Texture::new(texture.format(), texture.width_log2(), texture.height_log2(), level).ok()
        });
        if bound.is_none() {
            let last = texture.levels() - 1;
            let message = format!(
                "--max-lod is {asked}; it is a whole number, and the last level of the texture is {last}"
            );
            let help = format!("use 0 to {last}");
            problems.push(Problem::new(Rule::MaxLod, message, help).in_file(&self.texture));
        }
        bound
    }

    /// Samples all quads and writes the results.
    fn sample_quads(
        &self,
        files: &Files,
        image: &TextureImage,
        binding: &Binding,
        config: &Config,
    ) -> Result<u64, Failure> {
        let mut engine = QuadEngine::new(self.engine, config, image.memory(), self.verbosity)?;
        let (source, bytes) = open(&self.quads).map_err(|error| unreadable(&self.quads, &error))?;
        let bar = progress::bar(self.verbosity, bytes, "bytes");
        bar.set_message("sampling");
        let mut output = files.begin(&self.output)?;
        output.write_all(SAMPLE_HEADER.as_bytes())?;
        let mut chunk = Vec::with_capacity(CHUNK_QUADS);
        let mut write = |chunk: &mut Vec<Quad>| {
            let mut rows = String::new();
            for result in engine.sample(binding, chunk)? {
                write_sample(&mut rows, &result);
            }
            chunk.clear();
            output.write_all(rows.as_bytes())
        };
        let quads = read_quads(bar.wrap_read(source), &self.quads, |quad| {
            chunk.push(quad);
            if chunk.len() == CHUNK_QUADS { write(&mut chunk) } else { Ok(()) }
        })?;
        write(&mut chunk)?;
        output.commit()?;
        bar.finish_and_clear();
        Ok(quads)
    }
}
