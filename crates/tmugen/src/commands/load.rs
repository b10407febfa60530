//! `tmugen load`: pictures to a texture as the engine `loader` makes it.

use super::pack::output_pair;
use super::pack::source::Source;
use crate::args::{LOADER_PRESET, check_hardware, load_with_engine, preset_parser};
use crate::choices::choice_parser;
use crate::console::{Summary, Verbosity};
use crate::engine::{Engine, LoaderRtlEngine};
use crate::files::kind::Kind as FileKind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_assets::{GeneralImage, GeneralOptions, LinearPicture, MipFilter, Raster, pack_general};
use tmu_model::engines::loader::Job;
use tmu_problem::Problem;
use tmu_scene::MEMORY_BASE;
use tmu_spec::config::EngineKind;
use tmu_spec::general::{Kind, Pyramid, Swizzle};
use tmu_spec::{Config, Format};

/// Make a texture of pictures as the engine `loader` does: NAME.bin and its descriptor NAME.toml
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The pictures are laid in memory row by row, and the engine reads them there and writes the texture: the same bytes as those of \
`tmugen pack --mip-filter exact`, which is checked.

Examples:
  tmugen load coffee.jpg -o coffee_loaded.bin --format rgba8 --srgb
  tmugen load chelsea.png -o chelsea_loaded.bin --format rgb565 --levels 4 --engine rtl
  tmugen load emblem.png emblem.png emblem.png -o volume.bin --format rg8 --kind 3d")]
pub(crate) struct Args {
    /// The picture: PNG, JPEG, TGA or BMP; several for a cube, a volume or an array; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// The memory image to write; its descriptor gets the same name with .toml
    #[arg(short, long, value_name = "T.bin")]
    output: PathBuf,
    /// How texels are stored: any format without colour table and blocks
    #[arg(long, value_parser = choice_parser::<Format>())]
    format: Format,
    /// What the pictures are to each other: 2d, cube, 3d or 2d_array
    #[arg(long, value_parser = choice_parser::<Kind>(), default_value = "2d")]
    kind: Kind,
    /// How many levels are made [default: all, down to one texel; of depths and floats one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    levels: Option<u32>,
    /// Average colours as light, and let samplers decode them from sRGB
    #[arg(long)]
    srgb: bool,
    /// What loads: the golden model or the hardware in simulation
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// A configuration with the engine that ships with tmugen
    #[arg(long, value_name = "P", default_value = LOADER_PRESET, value_parser = preset_parser())]
    preset: String,
    /// A configuration file with the engine
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    config: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let config = load_with_engine(EngineKind::Loader, &self.preset, self.config.as_deref())?;
        if self.engine == Engine::Rtl {
            check_hardware(&config)?;
        }
        let (memory, descriptor) = output_pair(&self.output)?;
        let mut files = Files::new(self.force);
        files.read_all(&self.inputs, "the picture");
        files.read_all(&self.config, "the configuration");
        files.write(&memory, "-o", FileKind::Memory);
        files.write(&descriptor, "the descriptor beside -o", FileKind::Descriptor);
        files.check()?;
        let pictures = self.pictures()?;
        let packed = self.packed(&pictures)?;
        let (image, clocks) = self.loaded(&pictures, &packed, &config)?;
        let text = image.descriptor();
        let parts: [(&Path, &[u8]); 2] = [(&memory, image.memory()), (&descriptor, text.as_bytes())];
        files.put(&parts)?;
        Ok(self.summary(&image, &memory, &descriptor, clocks))
    }

    fn pictures(&self) -> Result<Vec<Raster>, Failure> {
        let mut pictures = Vec::new();
        let mut found: Vec<Problem> = Vec::new();
        for path in &self.inputs {
            match Source::new(path)?.raster() {
                Ok((raster, _)) => pictures.push(raster),
                Err(problems) => found.extend(problems),
            }
        }
        if found.is_empty() { Ok(pictures) } else { Err(Failure::input(found)) }
    }

    /// What the packer makes of the pictures; finds all that is wrong with them.
    fn packed(&self, pictures: &[Raster]) -> Result<GeneralImage, Failure> {
        let not_loaded = |what: String, help: &str| Err(Failure::new(Rule::NotBuilt, what, help));
        if !tmu_spec::loader::loads(self.format) {
            let what = format!("the engine \"loader\" loads no texels of format {}", self.format);
            return not_loaded(what, "use a format without colour table and blocks, or `tmugen pack`");
        }
        if self.kind == Kind::D1 {
            let what = "the engine \"loader\" loads no textures of kind 1d".to_owned();
            return not_loaded(what, "use --kind 2d, or `tmugen pack`");
        }
        let only = (!tmu_spec::loader::has_means(self.format)).then_some(1);
        let options = GeneralOptions {
            kind: self.kind,
            format: self.format,
            levels: self.levels.or(only),
            swizzle: Swizzle::NONE,
            is_srgb: self.srgb,
            pyramid: Pyramid::Mipmap,
            mip_filter: MipFilter::Exact,
            dither: false,
        };
        Ok(pack_general(pictures, &options, &self.inputs)?)
    }

    /// What the engine makes of them, and its clocks.
    fn loaded(
        &self,
        pictures: &[Raster],
        packed: &GeneralImage,
        config: &Config,
    ) -> Result<(GeneralImage, Option<u64>), Failure> {
        let broke = |what: String| {
            let help = "report this together with the pictures";
            Failure::in_file(Rule::Engine, &self.inputs[0], format!("the engine broke: {what}"), help)
        };
        let texture = *packed.texture();
        let picture = LinearPicture::new(pictures, self.format)
            .ok_or_else(|| broke("the pictures cannot be laid out".to_owned()))?;
        let job = Job {
            picture: MEMORY_BASE,
            pitch: picture.pitch,
            slice_pitch: picture.slice_pitch,
            texture: MEMORY_BASE + picture.bytes.len() as u32,
            shape: *texture.shape(),
            is_srgb: self.srgb,
        };
        let start = picture.bytes.len();
        let mut memory = picture.bytes;
        memory.resize(start + packed.memory().len(), 0);
        let clocks = match self.engine {
            Engine::Golden => {
                job.run(MEMORY_BASE, &mut memory);
                None
            }
            Engine::Rtl => {
                let mut engine = LoaderRtlEngine::new(config, self.verbosity)?;
                Some(engine.run(&job, &mut memory).map_err(|error| broke(error.to_string()))?)
            }
        };
        let loaded = GeneralImage::from_memory(texture, memory.split_off(start));
        let loaded = loaded.map_err(|bytes| broke(format!("it has made {bytes} bytes")))?;
        if loaded == *packed {
            Ok((loaded, clocks))
        } else {
            Err(broke("its bytes are not those of the packer".to_owned()))
        }
    }

    fn summary(
        &self,
        image: &GeneralImage,
        memory: &Path,
        descriptor: &Path,
        clocks: Option<u64>,
    ) -> Summary {
        let shape = image.texture().shape();
        let (memory, descriptor) = (memory.display(), descriptor.display());
        let srgb = if self.srgb { ", sRGB" } else { "" };
        let mut text = format!(
            "{memory}: {} {} x {} x {} {}{srgb}, {} levels, {} bytes; {descriptor} describes it\n",
            shape.kind,
            shape.width,
            shape.height,
            shape.level_size(0)[2],
            shape.format,
            shape.levels,
            image.memory().len()
        );
        if let Some(clocks) = clocks {
            text += &format!("  {clocks} clocks of the engine\n");
        }
        let data = json!({
            "memory": memory.to_string(),
            "descriptor": descriptor.to_string(),
            "engine": self.engine.name(),
            "kind": shape.kind.to_string(),
            "format": shape.format.name(),
            "levels": shape.levels,
            "bytes": image.memory().len(),
            "clocks": clocks,
        });
        Summary::note(text, data)
    }
}
