//! What answers the quads of a frame: the golden model, or the hardware in simulation.

use std::ops::Range;

use crate::numerics::{Classic, Numerics};
use crate::statistics::EngineStatistics;

/// Why an engine could not go on.
pub type EngineError = Box<dyn std::error::Error + Send + Sync>;

/// Quads in a row that need one binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Index into [`Batch::bindings`].
    pub binding: usize,
    /// Range of [`Batch::quads`].
    pub quads: Range<usize>,
}

/// A stretch of the request stream: runs of quads, in order and without gaps.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a, N: Numerics = Classic> {
    /// All bindings of the scene, the same in every batch of a frame.
    pub bindings: &'a [N::Binding],
    /// Which binding holds for which quads. Neighbouring runs may need the same one.
    pub runs: &'a [Run],
    /// The quads, each with at least one valid pixel.
    pub quads: &'a [N::Quad],
}

/// Something that samples quads as a texture unit does.
///
/// An engine is made over the scene's texture memory. It sees a frame as a few large batches, of some ten thousand
/// quads each, so that an engine with a long pipeline need not drain it often.
pub trait Engine<N: Numerics = Classic> {
    /// Samples a batch and appends one result for each of its quads, in their order. What was bound at the end of a
    /// batch is still bound at the start of the next.
    ///
    /// # Errors
    /// Only if the engine itself breaks. Quads that cannot be sampled come back with their error bit.
    fn sample(&mut self, batch: &Batch<'_, N>, results: &mut Vec<N::QuadResult>) -> Result<(), EngineError>;

    /// What was counted since the engine was made.
    fn statistics(&self) -> EngineStatistics;
}
