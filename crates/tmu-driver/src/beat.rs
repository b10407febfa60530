//! Quads and results as beats of the streams.

use crate::binding::BEAT_BYTES;

/// Most words of a result beat; a core whose channels have 8 bits uses the lower 4, one of 16 bits the lower 8.
pub const RESULT_WORDS: usize = 16;

/// A beat of the request stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    /// `tdata` from bit 0 upwards. Bytes over the stream's width are 0: a core whose quads take two or more beats uses the lower 17, a
    /// classic one whose quads take one beat the lower 33.
    pub tdata: [u8; BEAT_BYTES],
    /// `tuser[0]`: the packet is a binding.
    pub is_binding: bool,
    /// `tlast`.
    pub last: bool,
}

/// A beat of the result stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultBeat {
    /// `tdata` from bit 0 upwards: with 8 bits a channel a word for each pixel. Words over the stream's width are not looked at.
    pub tdata: [u32; RESULT_WORDS],
    /// `tuser`: valid bits, and the error bit at bit 4.
    pub tuser: u8,
    /// `tlast` of a core with indirect look-ups, which says that no other result of the quad follows; looked at by nothing else.
    pub last: bool,
}

/// Four pixels, 2 x 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Quad {
    /// `[u, v]` of each pixel in s16.16, 1.0 being the texture's side.
    pub uv: [[i32; 2]; 4],
    /// Bit i: pixel i counts. Only four bits count.
    pub valid: u8,
}

impl Quad {
    /// The packet in `count` beats, one or two; the second is empty if there is one.
    pub(crate) fn to_beats(self, count: usize) -> [Beat; 2] {
        let per_beat = self.uv.len() / count;
        let mut beats = [Beat { tdata: [0; BEAT_BYTES], is_binding: false, last: false }; 2];
        for (number, (beat, pixels)) in beats.iter_mut().zip(self.uv.chunks(per_beat)).enumerate() {
            let words = beat.tdata.chunks_exact_mut(4);
            for (bytes, coordinate) in words.zip(pixels.as_flattened()) {
                bytes.copy_from_slice(&coordinate.to_le_bytes());
            }
            // Every beat carries the valid bits behind its pixels.
            beat.tdata[8 * per_beat] = self.valid & 0xf;
            beat.last = number + 1 == count;
        }
        beats
    }
}

/// What a quad has become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QuadResult {
    /// A colour for each pixel, R in the lowest byte; 0 for pixels that are not valid.
    pub rgba: [u32; 4],
    /// The quad's valid bits.
    pub valid: u8,
    /// The quad could not be sampled: [`crate::Tmu::errors`] says why.
    pub error: bool,
}

impl QuadResult {
    pub(crate) const fn from_beat(beat: ResultBeat) -> Self {
        let [p0, p1, p2, p3, ..] = beat.tdata;
        Self { rgba: [p0, p1, p2, p3], valid: beat.tuser & 0xf, error: beat.tuser >> 4 & 1 != 0 }
    }
}
