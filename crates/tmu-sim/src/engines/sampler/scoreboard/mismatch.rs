//! A result that is not the golden model's, in words.

use crate::engines::sampler::streams::result::ResultBeat;
use crate::kit::error::Wrong;
use std::fmt;
use tmu_spec::{Binding, Features, Quad, QuadResult, Record};

/// A result that is not the golden model's.
#[derive(Debug, Clone)]
pub struct Mismatch {
    /// The unit.
    pub unit: usize,
    /// Number of the quad among those of the unit since the start, from 0.
    pub number: u64,
    /// The quad.
    pub quad: Quad,
    /// What was bound, in words.
    pub binding: String,
    /// The golden model's result.
    pub expected: QuadResult,
    /// The hardware's.
    pub got: ResultBeat,
    /// Which stage would explain the difference, and what each stage should have made, in lines.
    pub stages: String,
}

impl Mismatch {
    /// Pixels are wrong although the error bit is right.
    pub const PIXELS: &'static str = "pixels";
    /// The error bit is wrong.
    pub const ERROR_BIT: &'static str = "error bit";
    /// The valid bits are those of another quad: one was lost or made up.
    pub const VALID_BITS: &'static str = "valid bits";
}

impl Wrong for Mismatch {
    fn kind(&self) -> &'static str {
        match self.got.tuser ^ self.expected.tuser() {
            0 => Self::PIXELS,
            differs if differs & 15 != 0 => Self::VALID_BITS,
            _ => Self::ERROR_BIT,
        }
    }
}

impl std::error::Error for Mismatch {}

/// A result came that nobody asked for.
#[derive(Debug, thiserror::Error)]
#[error("unit {unit}: a result came while no quad was in flight")]
pub struct Unasked {
    /// The unit.
    pub unit: usize,
}

impl Unasked {
    /// A result too many.
    pub const KIND: &'static str = "unasked";
}

impl Wrong for Unasked {
    fn kind(&self) -> &'static str {
        Self::KIND
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unit, number, quad, binding, expected, got, stages } = self;
        writeln!(f, "unit {unit}, quad {number}: the result is not that of the golden model")?;
        writeln!(f, "  {binding}")?;
        writeln!(f, "  quad: valid {:04b}, s16.16 coordinates {:?}", quad.valid(), quad.uv())?;
        for pixel in 0..4 {
            let of = |tdata: u128| ((tdata >> (32 * pixel)) as u32).swap_bytes();
            let (expected, got) = (of(expected.tdata()), of(got.tdata));
            let mark = if expected == got { "" } else { "  <--" };
            writeln!(f, "  pixel {pixel}: expected RGBA {expected:08x}, got {got:08x}{mark}")?;
        }
        let (expected, got) = (expected.tuser(), got.tuser);
        let mark = if expected == got { "" } else { "  <--" };
        writeln!(f, "  error and valid bits: expected {expected:05b}, got {got:05b}{mark}")?;
        write!(f, "  {}", stages.replace('\n', "\n  "))
    }
}

/// A binding in words.
pub(crate) fn binding_text(record: Option<Record>, features: &Features) -> String {
    let Some(record) = record else { return "no binding".to_owned() };
    match Binding::decode_for(record, features) {
        Ok(binding) => {
            let (texture, sampler) = (binding.texture(), binding.sampler());
            format!(
                "binding {record:#x}: {} {} x {} at {:#x}, max_lod {}, {}{}, {}/{}",
                texture.format(),
                texture.width(0),
                texture.height(0),
                binding.base(),
                texture.max_lod(),
                if sampler.bilinear { "bilinear" } else { "nearest" },
                if sampler.mipmapped { " mipmapped" } else { "" },
                sampler.address_u,
                sampler.address_v,
            )
        }
        Err(rules) => {
            let rules: Vec<_> = rules.iter().map(ToString::to_string).collect();
            format!("binding {record:#x}, refused: {}", rules.join("; "))
        }
    }
}
