//! `tmugen render --pipeline pixel`: a scene through the golden model of the pixel pipeline.

use super::render::Args;
use crate::choices::{check_picture_name, picture_name};
use crate::console::Summary;
use crate::engine::Engine;
use crate::files::standard::is_standard;
use crate::problem::{Failure, Rule};
use serde_json::json;
use tmu_assets::encode_rgb;
use tmu_scene::{PixelError, PixelScene, PixelStatistics, render_pixel};

/// The most pixels of a side of a frame.
const MOST_PIXELS: u32 = tmu_spec::pixel::MAX_FRAME_SIDE;

impl Args {
    /// Refuses what the pixel pipeline has not.
    fn check_pixel(&self) -> Result<(), Failure> {
        if self.engine == Engine::Rtl || self.compare.is_some() {
            let help = "leave --engine rtl and --compare out: the golden model draws";
            return Err(Failure::new(Rule::NotBuilt, "there is no hardware of the pixel pipeline yet", help));
        }
        let others = [
            ("--record-quads", self.record_quads.is_some()),
            ("--preset and --config", self.config.is_named()),
        ];
        if let Some((option, _)) = others.iter().find(|(_, is_there)| *is_there) {
            let message = format!(
                "{option} says something of texture units, which --pipeline pixel does not draw with"
            );
            return Err(Failure::new(Rule::Usage, message, "leave it out"));
        }
        if is_standard(&self.scene) {
            let message = "--pipeline pixel reads its scene from a file, beside which its programs stand";
            return Err(Failure::new(Rule::Usage, message, "save the scene and name it"));
        }
        Ok(())
    }

    pub(super) fn run_pixel(&self) -> Result<Summary, Failure> {
        check_picture_name(&self.output)?;
        self.check_pixel()?;
        let mut declared = self.files();
        let scene = PixelScene::load(&self.scene)?;
        declared.read_all(scene.files(), "a file of the scene");
        declared.check()?;
        let size = self.size.unwrap_or(scene.size());
        if size.width().max(size.height()) > MOST_PIXELS {
            let message =
                format!("{size} is over {MOST_PIXELS} pixels a side, the most of the pixel pipeline");
            return Err(Failure::new(Rule::Usage, message, "give a smaller --size"));
        }
        let (frame, statistics) = render_pixel(&scene, size).map_err(|error| {
            let help = match error {
                PixelError::Driver(_) => "use fewer meshes or a smaller --size",
                PixelError::Fault(_) => "report this together with the scene",
            };
            Failure::in_file(Rule::Engine, &self.scene, format!("the frame was not drawn: {error}"), help)
        })?;
        let picture = encode_rgb(size.width(), size.height(), frame.into_rgb(), picture_name(&self.output))?;
        let stats = serde_json::to_string_pretty(&statistics).expect("numbers") + "\n";
        let mut files = vec![(self.output.as_path(), picture.as_slice())];
        files.extend(self.stats.as_deref().map(|path| (path, stats.as_bytes())));
        declared.put(&files)?;
        Ok(self.summary_pixel(&statistics))
    }

    fn summary_pixel(&self, statistics: &PixelStatistics) -> Summary {
        let output = self.output.display().to_string();
        let text = format!(
            "{output}: {} x {}, {} triangles, {:.1} a tile and at most {}\n  overdraw {:.2} before and {:.2} after hidden-surface removal\n  \
             {} bytes read and {} written, {:.2} of an immediate renderer's\n",
            statistics.width,
            statistics.height,
            statistics.triangles,
            statistics.triangles_per_tile,
            statistics.most_triangles_per_tile,
            statistics.overdraw_before,
            statistics.overdraw_after,
            statistics.bytes_read,
            statistics.bytes_written,
            statistics.bytes_ratio,
        );
        let data = json!({ "file": output, "engine": self.engine.name(), "pipeline": "pixel", "statistics": statistics });
        Summary::note(text, data)
    }
}
