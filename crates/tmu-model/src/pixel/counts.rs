//! What drawing took.

use std::ops::AddAssign;

/// What tiles took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Tiles.
    pub tiles: u64,
    /// Triangles of their lists.
    pub triangles: u64,
    /// Triangles of the longest list.
    pub most_triangles: u64,
    /// Pixels that triangles cover, each as often as it is covered.
    pub covered: u64,
    /// Those whose depth passed when it was looked at.
    pub passed: u64,
    /// Pixels that were shaded.
    pub shaded: u64,
    /// Quads that were shaded.
    pub quads: u64,
    /// Instructions of programs, each as often as it was run for a quad.
    pub instructions: u64,
    /// Quads that were sampled.
    pub sampled_quads: u64,
    /// Lines of records that were read.
    pub lines_read: u64,
    /// Bytes that were written.
    pub bytes_written: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.tiles += other.tiles;
        self.triangles += other.triangles;
        self.most_triangles = self.most_triangles.max(other.most_triangles);
        self.covered += other.covered;
        self.passed += other.passed;
        self.shaded += other.shaded;
        self.quads += other.quads;
        self.instructions += other.instructions;
        self.sampled_quads += other.sampled_quads;
        self.lines_read += other.lines_read;
        self.bytes_written += other.bytes_written;
    }
}
