//! What `pack` reads: files, and what can be read only once, standard input and pipes, which are told by their content alone.

use crate::files::standard::{is_standard, read_bytes, read_up_to};
use crate::problem::{Failure, Rule};
use std::fs;
use std::path::{Path, PathBuf};
use tmu_assets::{
    Container, Decoded, Ignored, MAX_DECODE_BYTES, MAX_DECODE_SIDE, Raster, is_container, is_container_file,
};
use tmu_problem::Problems;

/// As many texels of a picture as are decoded, as of one in a file.
const MAX_TEXELS: u64 = (MAX_DECODE_SIDE as u64).pow(2);

/// A picture, or a ready texture.
pub(in crate::commands) struct Source {
    path: PathBuf,
    /// What standard input or a pipe has given.
    content: Option<Vec<u8>>,
}

impl Source {
    /// Reads standard input if the path is `-`, and a pipe; files are read later.
    pub(in crate::commands) fn new(path: &Path) -> Result<Self, Failure> {
        let is_pipe = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let (content, what) = match (is_standard(path), is_pipe) {
            (true, _) => (Some(read_bytes(MAX_DECODE_BYTES)), "standard input"),
            (false, true) => {
                (Some(fs::File::open(path).and_then(|pipe| read_up_to(pipe, MAX_DECODE_BYTES))), "the pipe")
            }
            (false, false) => (None, "the file"),
        };
        let content = content.transpose().map_err(|error| {
            let message = format!("{what} cannot be read: {error}");
            Failure::in_file(Rule::Read, path, message, "give it a picture, or a .dds or .ktx2 file")
        })?;
        Ok(Source { path: path.to_path_buf(), content })
    }

    pub(in crate::commands) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a .dds or .ktx2 file.
    pub(in crate::commands) fn is_container(&self) -> bool {
        match &self.content {
            Some(content) => is_container(content),
            None => is_container_file(&self.path),
        }
    }

    pub(in crate::commands) fn container(&self) -> Result<Container, Problems> {
        match &self.content {
            Some(content) => Container::decode(content, &self.path),
            None => Container::open(&self.path),
        }
    }

    /// The picture with 8 bits a channel.
    pub(in crate::commands) fn picture(&self) -> Result<Decoded, Problems> {
        match &self.content {
            Some(content) => Decoded::decode_up_to(MAX_TEXELS, content, &self.path),
            None => Decoded::open(&self.path),
        }
    }

    /// The picture with as many bits a channel as it has.
    pub(in crate::commands) fn raster(&self) -> Result<(Raster, Ignored), Problems> {
        match &self.content {
            Some(content) => Raster::decode(content, &self.path),
            None => Raster::open(&self.path),
        }
    }
}
