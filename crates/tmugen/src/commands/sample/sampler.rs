//! The arguments of `tmugen sample` that say how a texture is read.

use crate::choices::choice_parser;
use crate::problem::{Failure, Rule};
use tmu_spec::general::sampler::{ANISOTROPIES, lod_steps};
use tmu_spec::general::{CompareOp, Filter, MipFilter, Operation, Pyramid, Sampler, Texture};
use tmu_spec::{AddressMode, Features};

/// How a texture is read.
#[derive(Debug, clap::Args)]
pub(in crate::commands) struct SamplerArgs {
    /// Weigh the texels around or take the nearest, whether a texel is large or small; the same as --min and --mag
    #[arg(long, value_enum, conflicts_with_all = ["min", "mag"])]
    filter: Option<Both>,
    /// Choose the level by the footprint or always level 0; the same as --mip nearest and --mip none
    #[arg(long, value_enum, conflicts_with = "mip")]
    mipmaps: Option<Switch>,
    /// How many texels, where they are smaller than pixels [default: linear where it is built and texels are no floats]
    #[arg(long, value_name = "FILTER", value_parser = choice_parser::<Filter>())]
    min: Option<Filter>,
    /// How many texels, where they are larger than pixels [default: as --min]
    #[arg(long, value_name = "FILTER", value_parser = choice_parser::<Filter>())]
    mag: Option<Filter>,
    /// Which levels [default: nearest where it is built]
    #[arg(long, value_name = "LEVELS", value_parser = choice_parser::<MipFilter>())]
    mip: Option<MipFilter>,
    /// How levels stand in the texture: a mip chain, or a ripmap, which is one picture with the levels along u and v by themselves
    #[arg(long, value_name = "PYRAMID", default_value = "mipmap", value_parser = choice_parser::<Pyramid>())]
    pyramid: Pyramid,
    /// Added to the level of detail
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_hyphen_values = true)]
    lod_bias: f32,
    /// The least level of detail [default: -32]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    min_lod: Option<f32>,
    /// The most level of detail; of a preset of the classic numerics the smallest level to sample [default: all levels]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(super) max_lod: Option<f32>,
    /// Most probes along the longer side of a footprint: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = anisotropy)]
    anisotropy: u32,
    /// Footprints go on across the edges of a cube
    #[arg(long, value_enum, default_value = "on")]
    cube_seamless: Switch,
    /// What happens to u outside the texture
    #[arg(long, value_name = "MODE", default_value = "wrap", value_parser = choice_parser::<AddressMode>())]
    address_u: AddressMode,
    /// What happens to v outside the texture
    #[arg(long, value_name = "MODE", default_value = "wrap", value_parser = choice_parser::<AddressMode>())]
    address_v: AddressMode,
    /// What happens to w outside a 3d texture
    #[arg(long, value_name = "MODE", default_value = "wrap", value_parser = choice_parser::<AddressMode>())]
    address_w: AddressMode,
    /// The colour around the texture, for the address mode border
    #[arg(long, value_name = "RRGGBBAA", default_value = "00000000", value_parser = color)]
    border: [u8; 4],
    /// Compare depths with the pixels' references: each is 1 where `reference OP depth` holds
    #[arg(long, value_name = "OP", value_parser = choice_parser::<CompareOp>())]
    compare: Option<CompareOp>,
    /// What is asked for: sample, lod or bias (by the column lod), fetch (texels by number), or gather:r, g, b or a
    #[arg(long = "op", value_name = "OP", default_value = "sample", value_parser = operation)]
    pub(in crate::commands) operation: Operation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Both {
    Nearest,
    Bilinear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    On,
    Off,
}

fn anisotropy(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| ANISOTROPIES.contains(number));
    number.ok_or_else(|| "use 1, 2, 4, 8 or 16".to_owned())
}

fn color(text: &str) -> Result<[u8; 4], String> {
    let number = u32::from_str_radix(text, 16).ok().filter(|_| text.len() == 8 && !text.starts_with('+'));
    number.map(u32::to_be_bytes).ok_or_else(|| "use eight hexadecimal digits, RRGGBBAA".to_owned())
}

fn operation(text: &str) -> Result<Operation, String> {
    let component = |letter| "rgba".find(letter).map(|place| Operation::Gather(place as u8));
    match text {
        "sample" => Some(Operation::Sample),
        "lod" => Some(Operation::Lod),
        "bias" => Some(Operation::Bias),
        "fetch" => Some(Operation::Fetch),
        _ => text.strip_prefix("gather:").filter(|letter| letter.len() == 1).and_then(component),
    }
    .ok_or_else(|| "use sample, lod, bias, fetch, gather:r, gather:g, gather:b or gather:a".to_owned())
}

impl SamplerArgs {
    /// Which levels, if that is said.
    fn levels(&self) -> Option<MipFilter> {
        let of_switch = |switch| if switch == Switch::On { MipFilter::Nearest } else { MipFilter::None };
        self.mip.or(self.mipmaps.map(of_switch))
    }

    /// Refuses what does not go together.
    ///
    /// # Errors
    /// [`Rule::Usage`].
    pub(in crate::commands) fn check(&self) -> Result<(), Failure> {
        match (self.pyramid.mip(self.levels()), self.levels()) {
            (None, Some(levels)) => {
                let message =
                    format!("the levels are {levels}, which does not go with --pyramid {}", self.pyramid);
                Err(Failure::new(Rule::Usage, message, Pyramid::REMEDY))
            }
            _ => Ok(()),
        }
    }

    /// What was asked for, or what is built where nothing was.
    pub(in crate::commands) fn sampler(&self, features: &Features, texture: &Texture) -> Sampler {
        let usual = Sampler::default();
        let is_filtered = features.bilinear() && (!texture.format().is_float() || self.compare.is_some());
        let linear = |is_linear| if is_linear { Filter::Linear } else { Filter::Nearest };
        let both = self.filter.map(|both| linear(both == Both::Bilinear));
        let min = self.min.or(both).unwrap_or(linear(is_filtered));
        let usual_levels = if features.mipmaps() { MipFilter::Nearest } else { MipFilter::None };
        let mip = if self.pyramid == Pyramid::Ripmap {
            MipFilter::Ripmap
        } else {
            self.levels().unwrap_or(usual_levels)
        };
        Sampler {
            min,
            mag: self.mag.or(both).unwrap_or(min),
            mip,
            lod_bias: lod_steps(self.lod_bias),
            min_lod: self.min_lod.map_or(usual.min_lod, lod_steps),
            max_lod: self.max_lod.map_or(usual.max_lod, lod_steps),
            max_anisotropy: self.anisotropy,
            cube_seamless: self.cube_seamless == Switch::On,
            address: [self.address_u, self.address_v, self.address_w],
            border: self.border,
            compare: self.compare,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_values() {
        assert_eq!(color("01fF00a0"), Ok([1, 0xff, 0, 0xa0]));
        assert!(
            ["", "0", "+1234567", "123456789", "0x123456", "1234567g"]
                .iter()
                .all(|text| color(text).is_err())
        );
        assert_eq!(operation("gather:b"), Ok(Operation::Gather(2)));
        assert_eq!(operation("fetch"), Ok(Operation::Fetch));
        assert!(
            ["gather", "gather:", "gather:rg", "gather:x", ""].iter().all(|text| operation(text).is_err())
        );
        assert!(anisotropy("16").is_ok() && anisotropy("3").is_err() && anisotropy("32").is_err());
    }
}
