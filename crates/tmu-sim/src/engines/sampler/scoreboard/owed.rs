//! What a unit still owes: quads in flight, the bindings and lines that they depend on, and failures not yet believed.

use super::mismatch::Mismatch;
use crate::engines::sampler::streams::result::ResultBeat;
use std::ops::Range;
use tmu_spec::{Binding, LINE_BYTES, Quad, QuadResult, Record};

/// A quad that was sent and not answered.
#[derive(Debug)]
pub(super) struct InFlight {
    pub(super) quad: Quad,
    /// Bits of the binding that held when it was sent; none before the first.
    pub(super) binding: Option<Record>,
    pub(super) expected: QuadResult,
    /// Numbers of the lines that may be read for it.
    pub(super) lines: Vec<u32>,
}

impl InFlight {
    /// Whether a result is that of the quad where a read failed.
    pub(super) fn failed(&self, got: ResultBeat) -> bool {
        let failed = QuadResult::failed(self.quad.valid());
        got.tdata == failed.tdata() && got.tuser == failed.tuser()
    }
}

/// A binding that quads in flight may depend on.
#[derive(Debug)]
pub(super) struct Bound {
    /// Number of the first quad after it.
    pub(super) first_quad: u64,
    /// Lines of its colour table.
    pub(super) table: Range<u32>,
}

impl Bound {
    pub(super) fn has_in_table(&self, line: u32) -> bool {
        self.table.contains(&line)
    }
}

/// A quad that has failed behind an answer of the wrong length, perhaps before its reads were begun.
#[derive(Debug)]
pub(super) struct Doubt {
    /// One of these must be read until every quad must be right again.
    pub(super) lines: Vec<u32>,
    pub(super) mismatch: Mismatch,
}

/// Where the tiles of the texture that is bound lie, in lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiles {
    /// The first line of the first tile, behind the colour table.
    first: u32,
    lines_per_tile: u32,
}

impl Tiles {
    pub(super) fn new(binding: &Binding) -> Self {
        let format = binding.texture().format();
        Self {
            first: (binding.base() + format.color_table_bytes()) / LINE_BYTES,
            // 16 texels of one to four bytes.
            lines_per_tile: format.bytes_per_texel(),
        }
    }

    /// The lines of the tile that a line lies in.
    pub(super) fn around(self, line: u32) -> impl Iterator<Item = u32> {
        let within = (line - self.first) % self.lines_per_tile;
        (0..self.lines_per_tile).map(move |number| line - within + number)
    }
}
