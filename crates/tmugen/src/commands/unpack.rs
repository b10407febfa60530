//! `tmugen unpack`: a level of a texture back to pictures, or all of it to a .ktx2 file.

use crate::choices::{check_picture_name_or, picture_name};
use crate::console::{Summary, Verbosity};
use crate::files::kind::Kind;
use crate::files::standard::is_standard;
use crate::files::{Files, ForceArgs};
use crate::problem::Failure;
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_assets::{AnyImage, AnyTexture, GeneralImage, load_any, parse_any_descriptor, read_text, write_ktx2};

/// Turn a level of a texture back into pictures, or the whole texture into a .ktx2 file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Slices, faces and layers become a picture each, OUT_0.png and so on. A picture shows what a sample would, the swizzle \
included; formats of more than 8 bits a channel become PNG files of 16 bits. A .ktx2 file gets all levels as they are stored.

Examples:
  tmugen unpack coffee.toml -o again.png
  tmugen unpack coffee.toml --level 3 -o small.tga
  tmugen unpack coffee.toml -o coffee.ktx2")]
pub(crate) struct Args {
    /// The descriptor; the memory image with the same name and .bin stands beside it
    #[arg(value_name = "T.toml")]
    texture: PathBuf,
    /// The level, from 0 (the full size) [default: 0]
    #[arg(long, value_name = "N")]
    level: Option<u32>,
    /// The picture to write; its ending says which kind: .png, .jpg, .tga or .bmp, or .ktx2 for the whole texture; -
    /// is standard output, PNG
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let ending = self.output.extension();
        if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("ktx2")) {
            return self.whole();
        }
        check_picture_name_or(&self.output, ", or in .ktx2 for the whole texture")?;
        let mut files = Files::new(self.force);
        files.read_texture(&self.texture);
        let outputs = self.outputs();
        if outputs.len() > 1 && is_standard(&self.output) {
            let message = format!(
                "the texture has {} slices, a picture each, and standard output takes one",
                outputs.len()
            );
            return Err(Failure::new(
                crate::problem::Rule::Usage,
                message,
                "name a file, as in -o slice.png",
            ));
        }
        files.write_all(&outputs, "-o", Kind::Picture);
        files.check()?;
        let level = self.level.unwrap_or(0);
        let rasters = match load_any(&self.texture)? {
            AnyImage::Classic(image) => (&image.level(level, &self.texture)?).into(),
            AnyImage::General(image) => shown(&image, level, &self.texture)?,
        };
        let pictures: Result<Vec<_>, _> = (0..rasters.size()[2])
            .zip(&outputs)
            .map(|(slice, output)| rasters.encode(slice, picture_name(output)))
            .collect();
        let pictures = pictures?;
        let parts: Vec<(&Path, &[u8])> =
            outputs.iter().zip(&pictures).map(|(path, bytes)| (path.as_path(), bytes.as_slice())).collect();
        files.put(&parts)?;
        let [width, height, _] = rasters.size();
        let shown = outputs[0].display().to_string();
        let of = match outputs.as_slice() {
            [_] => String::new(),
            [.., last] => format!(" to {}", last.display()),
            [] => unreachable!("a texture has a slice"),
        };
        let text = format!("{shown}{of}: level {level} of {}, {width} x {height}\n", self.texture.display());
        let mut data = json!({ "file": shown, "level": level, "width": width, "height": height });
        if outputs.len() > 1 {
            data["files"] = outputs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().into();
        }
        Ok(Summary::note(text, data))
    }

    /// The pictures to write, as the descriptor has slices. What is wrong with it is said when it is read for good.
    fn outputs(&self) -> Vec<PathBuf> {
        let text = read_text(&self.texture, 1 << 16).unwrap_or_default();
        let slices = match parse_any_descriptor(&text, &self.texture) {
            Ok(AnyTexture::General(texture)) => texture.shape().level_size(self.level.unwrap_or(0))[2],
            _ => 1,
        };
        if slices == 1 {
            return vec![self.output.clone()];
        }
        let name = self.output.file_stem().unwrap_or_default().to_string_lossy();
        let ending = self.output.extension().unwrap_or_default().to_string_lossy();
        (0..slices).map(|slice| self.output.with_file_name(format!("{name}_{slice}.{ending}"))).collect()
    }

    /// The whole texture.
    fn whole(&self) -> Result<Summary, Failure> {
        if self.level.is_some() {
            let help = "leave --level out, or write pictures";
            let message = "a .ktx2 file gets all levels";
            return Err(Failure::in_file(crate::problem::Rule::Usage, &self.output, message, help));
        }
        let mut files = Files::new(self.force);
        files.read_texture(&self.texture);
        files.write(&self.output, "-o", Kind::Container);
        files.check()?;
        let image = load_any(&self.texture)?.into_general();
        let bytes = write_ktx2(&image, &self.texture)?;
        files.put(&[(&self.output, &bytes)])?;
        let shape = image.texture().shape();
        let output = self.output.display().to_string();
        let size = super::pack::size_text(&image, 0);
        let (kind, format, levels) = (shape.kind, shape.format, shape.levels);
        let text = format!("{output}: {kind} {size} {format}, {levels} levels, {} bytes\n", bytes.len());
        let data = json!({ "file": output, "levels": levels, "bytes": bytes.len() });
        Ok(Summary::note(text, data))
    }
}

/// A level as samples show it.
fn shown(image: &GeneralImage, level: u32, path: &Path) -> Result<tmu_assets::Raster, Failure> {
    Ok(image.level(level, path)?.swizzled(image.texture().swizzle()))
}
