//! A job's numbers, and the rules that they keep.

use tmu_spec::general::Kind;
use tmu_spec::general::texture::{FACES, MAX_LAYERS, MAX_SIZE, Shape};
use tmu_spec::loader::{Refusal, has_means, loads};
use tmu_spec::{Format, LINE_BYTES};

/// The registers of a job, as they were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Address of the first texel of the picture.
    pub picture: u32,
    /// Bytes from a row to the next.
    pub pitch: u32,
    /// Bytes from a slice, face or layer to the next.
    pub slice_pitch: u32,
    /// Address of the texture.
    pub texture: u32,
    /// Texels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Slices, faces or layers.
    pub depth: u32,
    /// Levels of the texture.
    pub levels: u32,
    /// Code of the kind.
    pub kind: u8,
    /// Code of the format.
    pub format: u8,
    /// Whether colours are averaged as light.
    pub is_srgb: bool,
}

/// A job that keeps the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Address of the first texel of the picture.
    pub picture: u32,
    /// Bytes from a row to the next.
    pub pitch: u32,
    /// Bytes from a slice to the next.
    pub slice_pitch: u32,
    /// Address of the texture.
    pub texture: u32,
    /// What the texture is.
    pub shape: Shape,
    /// Whether colours are averaged as light.
    pub is_srgb: bool,
}

impl Settings {
    /// The job.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn job(&self) -> Result<Job, Refusal> {
        let sides = [self.width, self.height, self.depth];
        let has_layers = self.kind == Kind::D2Array.code();
        if sides.iter().any(|side| !(1..=MAX_SIZE).contains(side)) || (has_layers && self.depth > MAX_LAYERS)
        {
            return Err(Refusal::Size);
        }
        let kind = self.kind()?;
        let format = Format::from_code(self.format).filter(|format| loads(*format)).ok_or(Refusal::Format)?;
        let depth = if kind == Kind::Cube { 1 } else { self.depth };
        let shape =
            Shape { kind, width: self.width, height: self.height, depth, levels: self.levels, format };
        if !(1..=shape.most_levels()).contains(&self.levels) {
            return Err(Refusal::Levels);
        }
        if self.levels > 1 && !has_means(format) {
            return Err(Refusal::LevelsOfFormat);
        }
        if self.is_srgb && !format.can_be_srgb() {
            return Err(Refusal::Srgb);
        }
        let places = [self.picture, self.pitch, self.slice_pitch, self.texture];
        if places.iter().any(|place| !place.is_multiple_of(LINE_BYTES)) {
            return Err(Refusal::Alignment);
        }
        if self.pitch < self.width * format.bytes_per_texel() {
            return Err(Refusal::Pitch);
        }
        let Settings { picture, pitch, slice_pitch, texture, is_srgb, .. } = *self;
        Ok(Job { picture, pitch, slice_pitch, texture, shape, is_srgb })
    }

    /// The kind, if the picture has its sides.
    fn kind(&self) -> Result<Kind, Refusal> {
        let known = [Kind::D2, Kind::D3, Kind::Cube, Kind::D2Array];
        let kind = known.into_iter().find(|kind| kind.code() == self.kind).ok_or(Refusal::Kind)?;
        let fits = match kind {
            Kind::D2 => self.depth == 1,
            Kind::Cube => self.depth == FACES && self.width == self.height,
            _ => true,
        };
        if fits { Ok(kind) } else { Err(Refusal::Kind) }
    }
}

impl Job {
    /// What is written to the registers for it.
    #[must_use]
    pub const fn settings(&self) -> Settings {
        let Shape { kind, width, height, levels, format, .. } = self.shape;
        Settings {
            picture: self.picture,
            pitch: self.pitch,
            slice_pitch: self.slice_pitch,
            texture: self.texture,
            width,
            height,
            depth: self.shape.level_size(0)[2],
            levels,
            kind: kind.code(),
            format: format.code(),
            is_srgb: self.is_srgb,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Settings = Settings {
        picture: 0x100,
        pitch: 0x40,
        slice_pitch: 0x400,
        texture: 0x8000,
        width: 16,
        height: 16,
        depth: 1,
        levels: 5,
        kind: 1,
        format: 0,
        is_srgb: true,
    };

    #[test]
    fn rules_are_kept_in_their_order() {
        let all_wrong = Settings { width: 0, kind: 0, format: 2, levels: 0, picture: 1, pitch: 0, ..GOOD };
        let floats = Settings { format: 43, is_srgb: false, ..GOOD };
        for (settings, expected) in [
            (all_wrong, Refusal::Size),
            (Settings { height: 4097, ..GOOD }, Refusal::Size),
            (Settings { depth: 2049, kind: 4, ..GOOD }, Refusal::Size),
            (Settings { width: 16, ..all_wrong }, Refusal::Kind),
            (Settings { depth: 2, ..GOOD }, Refusal::Kind),
            (Settings { depth: 6, kind: 3, height: 8, ..GOOD }, Refusal::Kind),
            (Settings { width: 16, kind: 1, ..all_wrong }, Refusal::Format),
            (Settings { format: 13, ..GOOD }, Refusal::Format),
            (Settings { format: 99, ..GOOD }, Refusal::Format),
            (Settings { levels: 6, ..GOOD }, Refusal::Levels),
            (Settings { levels: 0, ..GOOD }, Refusal::Levels),
            (floats, Refusal::LevelsOfFormat),
            (Settings { levels: 1, is_srgb: true, ..floats }, Refusal::Srgb),
            (Settings { format: 4, ..GOOD }, Refusal::Srgb),
            (Settings { texture: 8, ..GOOD }, Refusal::Alignment),
            (Settings { slice_pitch: 8, ..GOOD }, Refusal::Alignment),
            (Settings { pitch: 0x30, ..GOOD }, Refusal::Pitch),
        ] {
            assert_eq!(settings.job(), Err(expected), "{settings:?}");
        }
    }

    #[test]
    fn a_job_is_what_its_registers_say() {
        for settings in [
            GOOD,
            Settings { kind: 3, depth: 6, ..GOOD },
            Settings { kind: 2, depth: 33, levels: 6, ..GOOD },
            Settings { kind: 4, depth: 2048, ..GOOD },
        ] {
            assert_eq!(settings.job().unwrap().settings(), settings);
        }
    }
}
