//! Quads as beats.

use super::built::Built;
use super::codes::{COMPONENT_SHIFT, OPERATION_SHIFT, Operation, QUAD_BEATS};
use crate::beat::Beat;
use crate::binding::BEAT_BYTES;

/// Bytes of four numbers.
const WORD_BYTES: usize = 16;

/// A pixel's numbers as bits: `u`, `v`, `w` and `q` in the form that the core was built for, or integers of [`Operation::Fetch`]; `d`
/// is an IEEE single.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pixel {
    /// First coordinate.
    pub u: u32,
    /// Second coordinate.
    pub v: u32,
    /// Third coordinate, which only textures of three axes, layers or faces look at.
    pub w: u32,
    /// Divisor, which only a projective core looks at.
    pub q: u32,
    /// Depth that texels are compared with.
    pub d: u32,
}

/// Four pixels, 2 x 2, and what is done with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quad {
    /// The pixels.
    pub pixels: [Pixel; 4],
    /// Bit i: pixel i counts. Only four bits count.
    pub valid: u8,
    /// What is done.
    pub operation: Operation,
    /// Level of detail or bias, an IEEE single; nothing of [`Operation::Sample`].
    pub lod: u32,
    /// What [`Operation::Gather`] returns: 0 to 3 for R, G, B, A.
    pub component: u8,
}

impl Quad {
    /// Valid pixels that are sampled.
    #[must_use]
    pub const fn new(pixels: [Pixel; 4]) -> Self {
        Self { pixels, valid: 0xf, operation: Operation::Sample, lod: 0, component: 0 }
    }

    /// The packet, and how many of its beats count: as few as the quad needs, or one with all that the core has.
    pub(super) fn to_beats(self, built: Built, is_one_beat: bool) -> ([Beat; QUAD_BEATS], usize) {
        let component = if self.operation == Operation::Gather { self.component } else { 0 };
        let code = (self.operation as u32) << (OPERATION_SHIFT % 32)
            | u32::from(component) << (COMPONENT_SHIFT % 32);
        let operation = [self.lod, code, 0, 0];
        self.packet(operation, self.operation != Operation::Sample, built, is_one_beat)
    }

    /// The same with another word of the operation, and whether it is needed.
    pub(super) fn packet(
        self,
        operation: [u32; 4],
        needs_operation: bool,
        built: Built,
        is_one_beat: bool,
    ) -> ([Beat; QUAD_BEATS], usize) {
        let of = |number: fn(&Pixel) -> u32| self.pixels.each_ref().map(number);
        let is_any = |numbers: [u32; 4], left_out: u32| numbers.iter().any(|number| *number != left_out);
        let [p0, p1, p2, p3] = self.pixels;
        let one = built.one();
        let [w, q, d] = [of(|pixel| pixel.w), of(|pixel| pixel.q), of(|pixel| pixel.d)];
        // What the unit has, whether the quad needs it, and the numbers.
        let parts = [
            (true, true, [p0.u, p0.v, p1.u, p1.v]),
            (true, true, [p2.u, p2.v, p3.u, p3.v]),
            (built.has_third(), is_any(w, 0), w),
            (built.is_projective(), is_any(q, one), q),
            (built.has_compare(), is_any(d, 0), d),
            (built.has_other_operations(), needs_operation, operation),
        ];
        let needed = parts.iter().rposition(|(has, needs, _)| *has && *needs).map_or(0, |last| last + 1);
        let needed = if is_one_beat { parts.len() } else { needed };
        let mut beats = [Beat { tdata: [0; BEAT_BYTES], is_binding: false, last: false }; QUAD_BEATS];
        // The beat that comes next, and the place in it.
        let (mut count, mut at) = (0, 0);
        for (_, _, numbers) in parts[..needed].iter().filter(|(has, ..)| *has) {
            if at > 0 && !is_one_beat {
                (count, at) = (count + 1, 0);
            }
            let tdata = &mut beats[count].tdata[at..];
            for (bytes, number) in tdata.chunks_exact_mut(4).zip(numbers) {
                bytes.copy_from_slice(&number.to_le_bytes());
            }
            at += WORD_BYTES;
        }
        count += 1;
        // Every beat carries the valid bits behind its numbers.
        beats[..count].iter_mut().for_each(|beat| beat.tdata[at] = self.valid & 0xf);
        beats[count - 1].last = true;
        (beats, count)
    }
}
