//! A job, as registers describe it.

/// Most pixels of a row or column of a texture, a frame buffer or a rectangle.
pub const MOST_PIXELS: u32 = 2047;
/// Most rectangles of a row or column of a mesh.
pub const MOST_RECTANGLES: u32 = 127;

/// What registers hold. The default is what they hold behind a reset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Pixels whose filtered colour is `chroma_key` are left out.
    pub chroma_key_enable: bool,
    /// Colours are added to those in the frame buffer.
    pub additive: bool,
    /// Rectangles across.
    pub hmeshlast: u32,
    /// Rectangles down.
    pub vmeshlast: u32,
    /// Fade, 0 to 63: colours are multiplied by this plus 1, of 64.
    pub brightness: u32,
    /// RGB565.
    pub chroma_key: u16,
    /// Address of point (0, 0).
    pub vertices: u32,
    /// Address of the first texel.
    pub texture: u32,
    /// Texels of a row.
    pub texture_width: u32,
    /// Rows of the texture.
    pub texture_height: u32,
    /// ANDed to columns; 18 bits.
    pub mask_x: u32,
    /// ANDed to rows; 18 bits.
    pub mask_y: u32,
    /// Address of the frame buffer's first pixel.
    pub frame: u32,
    /// Pixels of a row of the frame buffer.
    pub frame_width: u32,
    /// Rows of the frame buffer.
    pub frame_height: u32,
    /// Where the mesh begins in the frame buffer.
    pub x_offset: i32,
    /// Its row.
    pub y_offset: i32,
    /// Pixels of a row of a rectangle.
    pub rectangle_width: u32,
    /// Rows of a rectangle.
    pub rectangle_height: u32,
    /// Share of the new colour less 1, of 64.
    pub alpha: u32,
}

impl Default for Job {
    fn default() -> Self {
        Self {
            chroma_key_enable: false,
            additive: false,
            hmeshlast: 32,
            vmeshlast: 24,
            brightness: 63,
            chroma_key: 0,
            vertices: 0,
            texture: 0,
            texture_width: 512,
            texture_height: 512,
            mask_x: 0x3_ffff,
            mask_y: 0x3_ffff,
            frame: 0,
            frame_width: 640,
            frame_height: 480,
            x_offset: 0,
            y_offset: 0,
            rectangle_width: 16,
            rectangle_height: 16,
            alpha: 63,
        }
    }
}

/// Why a job is refused, with the code that the hardware shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// No rectangles, or more than 127 across or down.
    MeshSize = 1,
    /// No texels, or more than 2047 across or down.
    TextureSize = 2,
    /// No pixels in the frame buffer, or more than 2047 across or down.
    FrameSize = 3,
    /// No pixels in a rectangle, or more than 2047 across or down.
    RectangleSize = 4,
    /// An address that is no multiple: vertices of 8, the others of 2.
    Alignment = 5,
}

impl Job {
    /// The first rule that the job breaks.
    ///
    /// # Errors
    /// That rule.
    pub fn check(&self) -> Result<(), Refusal> {
        let outside = |sizes: [u32; 2], most: u32| sizes.iter().any(|size| !(1..=most).contains(size));
        if outside([self.hmeshlast, self.vmeshlast], MOST_RECTANGLES) {
            Err(Refusal::MeshSize)
        } else if outside([self.texture_width, self.texture_height], MOST_PIXELS) {
            Err(Refusal::TextureSize)
        } else if outside([self.frame_width, self.frame_height], MOST_PIXELS) {
            Err(Refusal::FrameSize)
        } else if outside([self.rectangle_width, self.rectangle_height], MOST_PIXELS) {
            Err(Refusal::RectangleSize)
        } else if !self.vertices.is_multiple_of(8)
            || !self.texture.is_multiple_of(2)
            || !self.frame.is_multiple_of(2)
        {
            Err(Refusal::Alignment)
        } else {
            Ok(())
        }
    }

    /// Whether pixels depend on what is in the frame buffer.
    #[must_use]
    pub const fn reads_frame(&self) -> bool {
        self.alpha != 63 || self.additive
    }

    /// The key, where it counts.
    #[must_use]
    pub fn key(&self) -> Option<u16> {
        self.chroma_key_enable.then_some(self.chroma_key)
    }

    /// Pixels of all rectangles, drawn or left out.
    #[must_use]
    pub fn pixels(&self) -> u64 {
        [self.hmeshlast, self.vmeshlast, self.rectangle_width, self.rectangle_height]
            .map(u64::from)
            .iter()
            .product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_kept_in_their_order() {
        let good = Job::default;
        for (job, expected) in [
            (good(), Ok(())),
            (Job { hmeshlast: 127, vmeshlast: 1, frame_width: 2047, texture_height: 2047, ..good() }, Ok(())),
            (Job { hmeshlast: 0, texture_width: 0, ..good() }, Err(Refusal::MeshSize)),
            (Job { vmeshlast: 128, ..good() }, Err(Refusal::MeshSize)),
            (Job { texture_height: 2048, frame_width: 0, ..good() }, Err(Refusal::TextureSize)),
            (Job { frame_height: 0, rectangle_width: 0, ..good() }, Err(Refusal::FrameSize)),
            (Job { rectangle_height: 0, texture: 1, ..good() }, Err(Refusal::RectangleSize)),
            (Job { rectangle_width: 2048, ..good() }, Err(Refusal::RectangleSize)),
            (Job { vertices: 4, ..good() }, Err(Refusal::Alignment)),
            (Job { texture: 1, ..good() }, Err(Refusal::Alignment)),
            (Job { frame: 3, ..good() }, Err(Refusal::Alignment)),
            (Job { vertices: 8, texture: 2, frame: 6, ..good() }, Ok(())),
        ] {
            assert_eq!(job.check(), expected, "{job:?}");
        }
    }
}
