//! What the tests of several stages share: configurations, bindings, noise.

use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::datapath::bundles::{BindingField, BindingState};
use tmu_rtl::datapath::words::{lanes, least_items};
use tmu_spec::quad::PIXELS;
use tmu_spec::{AddressMode, Binding, Config, Format, LINE_BYTES, Quad, Sampler, Texture};
use tmu_stages::Check;

/// A unit of each kind.
pub(crate) mod configs {
    use tmu_spec::Config;
    use tmu_spec::presets::Preset;

    fn preset(name: &str, changes: &[(&str, &str)]) -> Config {
        let mut text =
            Preset::find(name).unwrap_or_else(|| panic!("there is a preset {name}")).toml().to_owned();
        for (from, to) in changes {
            assert_eq!(text.matches(from).count(), 1, "{from} in the preset {name}");
            text = text.replace(from, to);
        }
        Config::from_toml(&text).unwrap_or_else(|refused| panic!("{refused}"))
    }

    /// A tap at a time.
    pub(crate) fn blocking() -> Config {
        preset("fury-single", &[])
    }

    /// Four such units.
    pub(crate) fn four_units() -> Config {
        preset("fury", &[])
    }

    /// A tap at a time, and whose cache is small and leaves nothing to chance.
    pub(crate) fn small_blocking(ways: u32, policy: &str) -> Config {
        let changes = [
            ("ways = 4", &format!("ways = {ways}")[..]),
            ("sets = 1024", "sets = 64"),
            ("\"plru_random\"", &format!("{policy:?}")),
            ("data_ram = \"ultra\"", "data_ram = \"block\""),
        ];
        preset("fury-single", &changes)
    }

    /// A pixel a clock.
    pub(crate) fn pixel() -> Config {
        preset("stream", &[])
    }

    /// A pixel a clock, with a quad as a beat.
    pub(crate) fn pixel_of_beats() -> Config {
        preset("stream", &[("beats_per_quad = 2", "beats_per_quad = 1")])
    }

    /// As [`pixel_of_beats`], with one level of each texture.
    pub(crate) fn pixel_of_one_level() -> Config {
        let changes = [("beats_per_quad = 2", "beats_per_quad = 1"), ("mipmaps = true", "mipmaps = false")];
        preset("stream", &changes)
    }

    /// The sampler of the pixel pipeline.
    pub(crate) fn sampler_of_pixels() -> Config {
        preset("pixel", &[])
    }

    /// A quad a clock.
    pub(crate) fn quad() -> Config {
        preset("quad", &[])
    }

    /// A pixel a clock, of the general numerics.
    pub(crate) fn multi_lite() -> Config {
        preset("multi-lite", &[])
    }

    /// The same with these formats.
    pub(crate) fn multi_lite_of(formats: &str) -> Config {
        let all = "\"rgba8\", \"rgb8\", \"rgb565\", \"rgba5551\", \"rgba4444\", \"bc1\", \"bc2\", \"bc3\"";
        preset("multi-lite", &[(all, formats)])
    }

    /// The same with other lines.
    pub(crate) fn multi_lite_with(changes: &[(&str, &str)]) -> Config {
        preset("multi-lite", changes)
    }

    /// Everything of the general numerics, a pixel a clock.
    pub(crate) fn multi_pixel(changes: &[(&str, &str)]) -> Config {
        let all: Vec<_> =
            changes.iter().copied().chain([("pixels_per_clock = 4", "pixels_per_clock = 1")]).collect();
        preset("multi", &all)
    }

    /// Everything of the general numerics, a quad a clock.
    pub(crate) fn multi_quad() -> Config {
        preset("multi", &[])
    }

    /// The same without indirect look-ups.
    pub(crate) fn multi_quad_direct() -> Config {
        preset("multi", &[("indirect = true", "indirect = false")])
    }

    /// Texels by their places, a quad a clock.
    pub(crate) fn indirect() -> Config {
        preset("indirect", &[])
    }

    /// The same as `multi_lite_with`, a quad a clock.
    pub(crate) fn multi_lite_quad(changes: &[(&str, &str)]) -> Config {
        let lanes = [
            ("pixels_per_clock = 1", "pixels_per_clock = 4"),
            ("fifo_depth = 32", "fifo_depth = 32\nbeats_per_quad = 1"),
        ];
        let all: Vec<_> = changes.iter().copied().chain(lanes).collect();
        preset("multi-lite", &all)
    }

    /// The same as `multi_lite`, whose cache has texels of one to four bytes as memory has them, beside blocks.
    pub(crate) fn multi_lite_stored() -> Config {
        multi_lite_of("\"rgba8\", \"rgb8\", \"r8\", \"rg8\", \"rgb565\", \"rgb10a2\", \"bc1\", \"d16\"")
    }

    /// A pixel a clock, with other ways.
    pub(crate) fn pixel_ways(ways: u32, policy: &str) -> Config {
        preset(
            "stream",
            &[("ways = 2", &format!("ways = {ways}")), ("\"round_robin\"", &format!("{policy:?}"))],
        )
    }
}

/// Texture and sampler state.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) texture: Texture,
    pub(crate) sampler: Sampler,
    pub(crate) base: u32,
}

impl Bound {
    /// The low half of its record's first word; the rest is 0.
    pub(crate) fn bits(&self) -> u64 {
        self.binding().record().words()[0] as u64
    }

    pub(crate) fn binding(&self) -> Binding {
        Binding::new(self.base, self.texture, self.sampler).unwrap_or_else(|rule| panic!("{self:?}: {rule}"))
    }

    pub(crate) fn kind(&self) -> Format {
        self.texture.format()
    }
}

/// Any binding of a configuration.
pub(crate) fn binding_of(check: &mut Check, config: &Config) -> Bound {
    let features = config.features();
    let formats: Vec<Format> = features.formats().collect();
    let modes: Vec<AddressMode> = features.address_modes().collect();
    let largest = features.max_size_log2();
    let mut side = || check.rng.random_range(0..=largest);
    let (width, height) = (side(), side());
    let max_lod = check.rng.random_range(0..=width.max(height));
    let texture = Texture::new(check.pick(&formats), width, height, max_lod).unwrap();
    let sampler = Sampler {
        bilinear: features.bilinear() && !check.one_in(4),
        mipmapped: features.mipmaps() && !check.one_in(6),
        address_u: check.pick(&modes),
        address_v: check.pick(&modes),
    };
    let last = Binding::last_base(&texture) / 16;
    let line = if check.one_in(4) { last } else { check.rng.random_range(0..=last) };
    Bound { texture, sampler, base: 16 * line }
}

/// Drives the fields of a binding that a stage has asked for.
pub(crate) fn drive_binding(state: &BindingState<In>, bound: &Bound) {
    let Bound { texture, sampler, base } = bound;
    for field in BindingField::ALL {
        let Some(net) = state.net(field) else { continue };
        net.drive(match field {
            BindingField::Good => 1,
            BindingField::IsRgb => u64::from(is_rgb(texture.format())),
            BindingField::IsIndexed => u64::from(texture.format().has_color_table()),
            // The configurations here have no packed formats.
            BindingField::Packing => 0,
            BindingField::IsBilinear => u64::from(sampler.bilinear),
            BindingField::IsMipmapped => u64::from(sampler.mipmapped),
            BindingField::WidthLog2 => texture.width_log2().into(),
            BindingField::HeightLog2 => texture.height_log2().into(),
            BindingField::MaxLod => texture.max_lod().into(),
            BindingField::ModeU => u64::from(sampler.address_u.code()),
            BindingField::ModeV => u64::from(sampler.address_v.code()),
            // The levels stand behind the colour table.
            BindingField::FirstLine => u64::from((base + texture.format().color_table_bytes()) / LINE_BYTES),
        });
    }
}

/// Colours of three bytes.
pub(crate) fn is_rgb(format: Format) -> bool {
    matches!(format.of_colors(), Format::Rgb8)
}

/// Bits at random.
pub(crate) fn noise(check: &mut Check, width: usize) -> Value {
    let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| check.rng.random()).collect();
    Value::from_limbs(width, &limbs)
}

/// Bits at random, as a value.
pub(crate) fn any_bits(check: &mut Check, width: usize) -> Bits {
    Bits::constant(noise(check, width))
}

/// The items that a quad takes in front of the cache: of each the pixel, or the first of four.
pub(crate) fn turns(config: &Config, valid: u8) -> Vec<usize> {
    if lanes(config) > 1 {
        return vec![0];
    }
    let pixels: Vec<usize> = (0..PIXELS).filter(|pixel| valid >> pixel & 1 == 1).collect();
    match pixels[..] {
        [] => (0..least_items(config, 0)).collect(),
        [only] if least_items(config, 1) == 2 => vec![only & !1, only | 1],
        _ => pixels,
    }
}

/// One bit.
pub(crate) fn is_high(bits: Bits) -> bool {
    bits.value().bit(0)
}

/// A number in so many bits.
pub(crate) fn number(width: usize, value: impl Into<u64>) -> Bits {
    Bits::constant(Value::from_u128(width, u128::from(value.into())))
}

/// Pixels 0 to 3, u below v, then the valid bits.
pub(crate) fn quad_bits(quad: &Quad) -> Bits {
    let coordinates = quad.uv().as_flattened().iter().map(|c| number(32, c.cast_unsigned()));
    stack(coordinates.chain([number(4, quad.valid())]))
}
