//! What samples: the golden model now, the hardware in simulation once it is in the build; and what either refuses.

use crate::problem::{Failure, Problem, Rule};
use tmu_spec::{Config, Sampler, Texture};

/// What samples quads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    /// The golden model
    #[default]
    Golden,
    /// The hardware in simulation (not in this build yet)
    Rtl,
}

impl Engine {
    /// The golden model, or the failure that there is nothing else.
    pub(crate) fn require_golden(self) -> Result<(), Failure> {
        match self {
            Engine::Golden => Ok(()),
            Engine::Rtl => Err(no_hardware("`--engine rtl` needs it")),
        }
    }
}

/// The failure of everything that needs the hardware.
pub(crate) fn no_hardware(what: &str) -> Failure {
    Failure::new(
        Rule::Hardware,
        format!("the hardware is not in this build yet: {what}"),
        "use the golden model (`--engine golden`), which defines what the hardware does",
    )
}

/// Everything about a texture and its sampler that is not built in a configuration, which the user calls `name`.
pub(crate) fn not_built(texture: Texture, sampler: Sampler, config: &Config, name: &str) -> Vec<Problem> {
    let features = config.features();
    let size_log2 = texture.width_log2().max(texture.height_log2());
    let (width, height, most) = (texture.width(0), texture.height(0), 1u32 << features.max_size_log2());
    let has_mode = |mode| features.has_address_mode(mode);
    let rules = [
        (features.has_format(texture.format()), "formats", format!("format {}", texture.format())),
        (
            size_log2 <= features.max_size_log2(),
            "max_size_log2",
            format!("{width} x {height}, over {most} texels"),
        ),
        (features.bilinear() || !sampler.bilinear, "bilinear", "bilinear filtering".to_owned()),
        (features.mipmaps() || !sampler.mipmapped, "mipmaps", "mipmapping".to_owned()),
        (has_mode(sampler.address_u), "address_modes", format!("address mode {} of u", sampler.address_u)),
        (has_mode(sampler.address_v), "address_modes", format!("address mode {} of v", sampler.address_v)),
    ];
    let broken = rules.into_iter().filter(|(is_built, ..)| !is_built);
    broken
        .map(|(_, key, what)| {
            let help = format!("change texture.{key} in the configuration, or ask for less");
            Problem::new(Rule::NotBuilt, format!("{name} does not build {what}"), help)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::{AddressMode, Format};

    #[test]
    fn everything_that_is_not_built_is_listed() {
        let small = "[texture]\nformats = [\"rgb8\"]\naddress_modes = [\"wrap\"]\nbilinear = false\nmipmaps = false\n\
                     max_size_log2 = 4\n";
        let config = Config::from_toml(small).unwrap();
        let least = Sampler { bilinear: false, mipmapped: false, ..Sampler::default() };
        let fitting = Texture::new(Format::Rgb8, 4, 4, 0).unwrap();
        assert_eq!(not_built(fitting, least, &config, "small"), []);
        let most = Sampler {
            bilinear: true,
            mipmapped: true,
            address_u: AddressMode::Clamp,
            address_v: AddressMode::Mirror,
        };
        let large = Texture::new(Format::Rgba8, 5, 0, 0).unwrap();
        let messages: Vec<_> =
            not_built(large, most, &config, "small").into_iter().map(|problem| problem.message).collect();
        assert_eq!(
            messages,
            [
                "small does not build format rgba8",
                "small does not build 32 x 1, over 16 texels",
                "small does not build bilinear filtering",
                "small does not build mipmapping",
                "small does not build address mode clamp of u",
                "small does not build address mode mirror of v",
            ]
        );
    }
}
