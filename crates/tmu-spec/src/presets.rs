//! The presets: configurations that ship with the generator, as commented TOML.

use crate::config::Config;
use tmu_problem::Problems;

/// A configuration that ships with the generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    name: &'static str,
    about: &'static str,
    toml: &'static str,
}

/// Every preset with hardware, in the order in which they are listed to users.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "fury",
        about: "Four units as in FuryGpu, sharing one memory port, with control port and counters",
        toml: include_str!("../presets/fury.toml"),
    },
    Preset {
        name: "fury-single",
        about: "One unit, otherwise as `fury`",
        toml: include_str!("../presets/fury-single.toml"),
    },
    Preset {
        name: "stream",
        about: "One unit that takes a pixel each clock and reads ahead of the texels",
        toml: include_str!("../presets/stream.toml"),
    },
    Preset {
        name: "quad",
        about: "One unit that takes a whole quad each clock, otherwise as `stream`",
        toml: include_str!("../presets/quad.toml"),
    },
    Preset {
        name: "quad-far",
        about: "As `quad`, for memory that answers after 400 clocks instead of 200",
        toml: include_str!("../presets/quad-far.toml"),
    },
    Preset {
        name: "multi-lite",
        about: "2D and cube textures, trilinear, BC1 to BC3, 8 bits a channel",
        toml: include_str!("../presets/multi-lite.toml"),
    },
    Preset {
        name: "han",
        about: "Four lanes for OpenGL 2.0 with a fully associative cache, as in Han et al.",
        toml: include_str!("../presets/han.toml"),
    },
    Preset {
        name: "mesh",
        about: "No texture unit: meshes of rectangles from a picture into a frame buffer, as in Milkymist",
        toml: include_str!("../presets/mesh.toml"),
    },
    Preset {
        name: "loader",
        about: "No texture unit: textures of pictures in memory, with their smaller levels",
        toml: include_str!("../presets/loader.toml"),
    },
];

/// Presets of other families than those of AMD: the hardware of others in another form, with more registers on the way. Samples
/// and rates of those, preset by preset, hold for these, too; latencies do not.
pub const OTHER_FAMILIES: &[Preset] = &[
    Preset {
        name: "stream-ecp5",
        about: "`stream` for Lattice ECP5",
        toml: include_str!("../presets/stream-ecp5.toml"),
    },
    Preset {
        name: "quad-ecp5",
        about: "`quad` for Lattice ECP5",
        toml: include_str!("../presets/quad-ecp5.toml"),
    },
];

/// Presets whose hardware is generated, but is not among the Verilog that ships.
pub const MODELLED: &[Preset] = &[
    Preset {
        name: "multi",
        about: "Every kind of texture, format and filter, floats in and out",
        toml: include_str!("../presets/multi.toml"),
    },
    Preset {
        name: "indirect",
        about: "Texels by their places, directly and through a second texture, floats out",
        toml: include_str!("../presets/indirect.toml"),
    },
    Preset {
        name: "pixel",
        about: "The pixel pipeline: frames of triangles, hidden surfaces, pixel shaders 1.4 and every kind of texture",
        toml: include_str!("../presets/pixel.toml"),
    },
    Preset {
        name: "pixel-lite",
        about: "A small pixel pipeline: tiles of 16 x 16 pixels, a pixel shaded a clock, 2D and cube textures",
        toml: include_str!("../presets/pixel-lite.toml"),
    },
];

/// The presets of texture units of the classic numerics, which have workloads and scenes: with their configurations.
///
/// # Panics
/// Never: a test reads all presets.
pub fn classic() -> impl Iterator<Item = (&'static Preset, Config)> {
    let of_all = PRESETS.iter().map(|preset| (preset, preset.config().expect("presets are legal")));
    of_all.filter(|(_, config)| config.units() > 0 && config.features().general().is_none())
}

impl Preset {
    /// Every preset, those of which there is only the model last.
    pub fn all() -> impl Iterator<Item = &'static Preset> {
        PRESETS.iter().chain(OTHER_FAMILIES).chain(MODELLED)
    }

    /// The preset with a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Preset> {
        Self::all().find(|preset| preset.name == name)
    }

    /// Its name on the command line.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it is, in one line of Markdown without a full stop.
    #[must_use]
    pub const fn about(&self) -> &'static str {
        self.about
    }

    /// The file, comments included: a start for a configuration of one's own.
    #[must_use]
    pub const fn toml(&self) -> &'static str {
        self.toml
    }

    /// The preset as a configuration.
    ///
    /// # Errors
    /// None for the presets that ship; a test reads them all.
    pub fn config(&self) -> Result<Config, Problems> {
        Config::from_toml(self.toml)
    }
}
