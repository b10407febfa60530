//! `tmugen render`: a scene through the texture unit.

use crate::args::ConfigArgs;
use crate::commands::sample::Engine;
use crate::console::{Summary, Verbosity};
use crate::problem::Failure;
use std::path::PathBuf;

/// Draw a scene through the texture unit
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    scene: PathBuf,
    /// The picture to write
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// What samples: the golden model or the hardware in simulation (not in this build yet)
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Size of the picture in pixels [default: that of the scene]
    #[arg(long, value_name = "WxH")]
    size: Option<String>,
    /// Where to write statistics: quads, samples, lines touched, hit rate
    #[arg(long, value_name = "S.json")]
    stats: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        self.engine.require_golden()?;
        todo!()
    }
}
