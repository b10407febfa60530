//! What `pack` says of a texture, and what the format could not keep of its pictures.

use super::Args;
use crate::problem::Failure;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tmu_assets::{GeneralImage, Ignored, Picture, Raster, TextureImage, psnr_db, stored_psnr_db};
use tmu_spec::Format;

/// Where the texture goes.
pub(super) struct Target {
    pub(super) memory: PathBuf,
    pub(super) descriptor: PathBuf,
}

/// What is written and said.
pub(super) struct Packed {
    pub(super) memory: Vec<u8>,
    pub(super) descriptor: String,
    pub(super) text: String,
    pub(super) data: Value,
}

impl Args {
    pub(super) fn classic_summary(
        &self,
        picture: &Picture,
        read_size: (usize, usize),
        image: &TextureImage,
        target: &Target,
    ) -> Packed {
        let texture = image.texture();
        let (memory, descriptor) = (target.memory.display(), target.descriptor.display());
        let mut text = format!(
            "{memory}: {} x {} {}, {} levels, {} bytes; {descriptor} describes it\n",
            texture.width(0),
            texture.height(0),
            texture.format(),
            texture.levels(),
            texture.bytes()
        );
        if read_size != (picture.width(), picture.height()) {
            let _ = writeln!(text, "  resized from {} x {}", read_size.0, read_size.1);
        }
        let loss = Loss::of(picture, image, &target.descriptor);
        text += &loss.to_lines(texture.format());
        text += &self.dither_line(texture.format());
        let data = json!({
            "memory": memory.to_string(),
            "descriptor": descriptor.to_string(),
            "format": texture.format().name(),
            "width_log2": texture.width_log2(),
            "height_log2": texture.height_log2(),
            "max_lod": texture.max_lod(),
            "levels": texture.levels(),
            "bytes": texture.bytes(),
            "read_width": read_size.0,
            "read_height": read_size.1,
            "alpha_dropped": loss.alpha_dropped,
            "colors": loss.table_colors,
            "psnr_db": loss.psnr_db,
        });
        Packed { memory: Vec::new(), descriptor: String::new(), text, data }
    }

    pub(super) fn dither_line(&self, format: Format) -> String {
        match self.dither && !format.has_color_table() {
            true => format!("  --dither has no effect: {format} has no colour table\n"),
            false => String::new(),
        }
    }

    pub(super) fn general_summary(&self, image: &GeneralImage, target: &Target) -> Packed {
        let texture = image.texture();
        let shape = texture.shape();
        let (memory, descriptor) = (target.memory.display(), target.descriptor.display());
        let srgb = if texture.is_srgb() { ", sRGB" } else { "" };
        let text = format!(
            "{memory}: {} {} {}{srgb}, {} levels, {} bytes; {descriptor} describes it\n",
            shape.kind,
            size_text(image, 0),
            shape.format,
            shape.levels,
            image.memory().len()
        );
        let data = json!({
            "memory": memory.to_string(),
            "descriptor": descriptor.to_string(),
            "kind": shape.kind.to_string(),
            "format": shape.format.name(),
            "width": shape.width,
            "height": shape.height,
            "depth": shape.depth,
            "levels": shape.levels,
            "swizzle": texture.swizzle().to_string(),
            "srgb": texture.is_srgb(),
            "bytes": image.memory().len(),
        });
        Packed { memory: image.memory().to_vec(), descriptor: image.descriptor(), text, data }
    }
}

/// Columns, rows and, if there are several, slices of a level.
pub(in crate::commands) fn size_text(image: &GeneralImage, level: u32) -> String {
    let [width, height, slices] = image.texture().shape().level_size(level);
    if slices == 1 { format!("{width} x {height}") } else { format!("{width} x {height} x {slices}") }
}

impl Packed {
    /// Adds what is said of the colours of pictures and passed over.
    pub(super) fn ignore(&mut self, ignored: &[Ignored]) {
        let said: BTreeSet<_> =
            ignored.iter().filter(|said| !said.is_empty()).map(ToString::to_string).collect();
        if !said.is_empty() {
            let said = said.into_iter().collect::<Vec<_>>().join("; ");
            let _ = writeln!(self.text, "  of the picture: {said}");
            self.data["ignored"] = said.into();
        }
    }

    /// Adds what the format could not keep of pictures.
    pub(super) fn loss(
        &mut self,
        image: &GeneralImage,
        base: &Raster,
        descriptor: &Path,
    ) -> Result<(), Failure> {
        let format = image.texture().format();
        let opaque = ((1u32 << base.bits()) - 1) as u16;
        let alpha_dropped = match format.has_alpha() {
            true => 0,
            false => base.texels().iter().filter(|texel| texel[3] != opaque).count(),
        };
        // A ripmap has other levels beside its first one.
        let level = image.level(0, descriptor)?.corner(base.size());
        let psnr_db = stored_psnr_db(format, base, &level);
        let colors = image.used_colors();
        let loss = Loss { alpha_dropped, table_colors: colors, psnr_db };
        self.text += &loss.to_lines(format);
        if colors.is_none()
            && let Some(db) = psnr_db
        {
            let _ = writeln!(self.text, "  level 0 differs by {db:.1} dB PSNR");
        }
        self.data["alpha_dropped"] = alpha_dropped.into();
        self.data["colors"] = colors.into();
        self.data["psnr_db"] = psnr_db.into();
        Ok(())
    }
}

/// What the format could not keep of a picture.
struct Loss {
    /// Texels whose alpha was not 255 and is not stored.
    alpha_dropped: usize,
    /// Entries of the colour table that are used; none without a table.
    table_colors: Option<usize>,
    /// Error of level 0 against the picture's stored channels; none if there is none.
    psnr_db: Option<f64>,
}

impl Loss {
    fn of(picture: &Picture, image: &TextureImage, descriptor_path: &Path) -> Self {
        let stores_alpha = image.texture().format().colors().has_alpha();
        let not_opaque = || picture.texels().iter().filter(|texel| texel[3] != 255).count();
        let table_colors = used_colors(image);
        // Formats without a table keep every texel.
        let psnr_db = table_colors.and_then(|_| {
            let stored = image.level(0, descriptor_path).ok()?;
            if stores_alpha { psnr_db(picture, &stored) } else { psnr_db(&picture.opaque(), &stored) }
        });
        Loss { alpha_dropped: if stores_alpha { 0 } else { not_opaque() }, table_colors, psnr_db }
    }

    fn to_lines(&self, format: Format) -> String {
        let mut lines = String::new();
        if self.alpha_dropped > 0 {
            let _ = writeln!(
                lines,
                "  alpha of {} texels is lost: {format} does not store it",
                self.alpha_dropped
            );
        }
        if let Some(colors) = self.table_colors {
            let level_0 =
                self.psnr_db.map_or("is exact".to_owned(), |db| format!("differs by {db:.1} dB PSNR"));
            let _ = writeln!(lines, "  {colors} colours in the table; level 0 {level_0}");
        }
        lines
    }
}

/// How many entries of the colour table texels of any level refer to; none without a table.
fn used_colors(image: &TextureImage) -> Option<usize> {
    let table_bytes = image.texture().format().color_table_bytes() as usize;
    (table_bytes > 0).then(|| image.memory()[table_bytes..].iter().collect::<BTreeSet<_>>().len())
}
