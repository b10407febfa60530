//! Quads and their results, and how both cross the streams.
//!
//! Pixels are in Z order: 0 upper left, 1 upper right, 2 lower left, 3 lower right. A request crosses as
//! packets of [`RequestBeat`]s: a binding is one beat, a quad one or two ([`BeatsPerQuad`]). A result is one
//! beat of 128 data and 5 user bits.

/// Pixels of a quad.
pub const PIXELS: usize = 4;

/// Bits that one pixel takes in a request: u and v.
pub const PIXEL_BITS: u32 = 64;

/// How many beats of the request stream carry one quad. The widths are those of classic units; see
/// [`Extras`](crate::general::packet::Extras) for those of the general numerics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BeatsPerQuad {
    /// 260 bits in a 264-bit `tdata`: all pixels, then the valid bits.
    One,
    /// Twice 132 bits in a 136-bit `tdata`: two pixels and the quad's valid bits each.
    Two,
}

impl BeatsPerQuad {
    /// Beats of one quad.
    #[must_use]
    pub const fn beats(self) -> u32 {
        match self {
            BeatsPerQuad::One => 1,
            BeatsPerQuad::Two => 2,
        }
    }

    /// Pixels in each beat.
    #[must_use]
    pub const fn pixels_per_beat(self) -> u32 {
        PIXELS as u32 / self.beats()
    }

    /// Where the valid bits start in each beat.
    #[must_use]
    pub const fn valid_shift(self) -> u32 {
        self.pixels_per_beat() * PIXEL_BITS
    }

    /// Bits of a beat that mean something for a quad: 132 or 260.
    #[must_use]
    pub const fn payload_bits(self) -> u32 {
        self.valid_shift() + PIXELS as u32
    }

    /// Bytes of `tdata`: 17 or 33.
    #[must_use]
    pub const fn tdata_bytes(self) -> usize {
        self.payload_bits().div_ceil(8) as usize
    }

    /// Width of `tdata` in bits: 136 or 264.
    #[must_use]
    pub const fn tdata_bits(self) -> u32 {
        self.payload_bits().next_multiple_of(8)
    }
}

/// Bytes of the widest `tdata`: that of quads of the general numerics with everything in one beat.
pub const MOST_TDATA_BYTES: usize = 97;

/// One transfer of the request stream, in the width of the widest `tdata`. Bits over the stream's `tdata` are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestBeat {
    tdata: [u8; MOST_TDATA_BYTES],
    is_binding: bool,
    last: bool,
}

impl RequestBeat {
    /// A beat with any bits, legal or not: `tuser[0]` is `is_binding`, `tlast` is `last`, and bytes of `tdata`
    /// from bit 0 upwards that are not given are 0.
    ///
    /// # Panics
    /// If `tdata` is longer than [`MOST_TDATA_BYTES`].
    #[must_use]
    pub fn new(tdata: &[u8], is_binding: bool, last: bool) -> Self {
        let mut beat = Self { tdata: [0; MOST_TDATA_BYTES], is_binding, last };
        beat.tdata[..tdata.len()].copy_from_slice(tdata);
        beat
    }

    /// So many bytes of `tdata` from bit 0 upwards.
    ///
    /// # Panics
    /// If they are more than [`MOST_TDATA_BYTES`].
    #[must_use]
    pub fn low_bytes(&self, count: usize) -> &[u8] {
        &self.tdata[..count]
    }

    /// `tdata` from bit 0 upwards, as wide as the stream of a classic unit is.
    #[must_use]
    pub fn tdata(&self, beats_per_quad: BeatsPerQuad) -> &[u8] {
        &self.tdata[..beats_per_quad.tdata_bytes()]
    }

    /// `tuser[0]`: the packet is a binding.
    #[must_use]
    pub const fn is_binding(&self) -> bool {
        self.is_binding
    }

    /// `tlast`: the packet ends here.
    #[must_use]
    pub const fn last(&self) -> bool {
        self.last
    }

    /// The low 128 bits, a word of a binding's record. Anything above is folded into bit 127.
    #[must_use]
    pub fn word(&self) -> u128 {
        let mut low = [0; 16];
        low.copy_from_slice(&self.tdata[..16]);
        let above = self.tdata[16..].iter().any(|byte| *byte != 0);
        u128::from_le_bytes(low) | u128::from(above) << 127
    }
}

/// A packet that is not what it is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PacketError {
    /// Too few or too many beats, or `tlast` in the wrong place.
    #[error("such a packet has {expected} beats with tlast on the last; this one has {got}")]
    Length {
        /// Beats that it takes.
        expected: u32,
        /// Beats up to the first `tlast`, or all beats if there is none.
        got: usize,
    },
    /// `tuser[0]` says that the packet is a binding.
    #[error("tuser[0] is 1, so the packet is a binding")]
    Binding,
    /// `tuser[0]` says that the packet is a quad.
    #[error("tuser[0] is 0, so the packet is a quad")]
    Quad,
    /// The two beats carry different valid bits.
    #[error("the beats of one quad carry different valid bits")]
    ValidBits,
    /// An operation that there is not.
    #[error("{0} is not the code of an operation")]
    Operation(u8),
}

/// Four pixels to sample: coordinates in s16.16 and which of the pixels count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quad {
    uv: [[i32; 2]; PIXELS],
    valid: u8,
}

impl Quad {
    /// A quad with `uv[pixel]` = `[u, v]` in s16.16 and bit i of `valid` for pixel i. Only the four low bits of
    /// `valid` count, as on the bus.
    #[must_use]
    pub const fn new(uv: [[i32; 2]; PIXELS], valid: u8) -> Self {
        Self { uv, valid: valid & 0xf }
    }

    /// Coordinates `[u, v]` of each pixel in s16.16.
    #[must_use]
    pub const fn uv(&self) -> &[[i32; 2]; PIXELS] {
        &self.uv
    }

    /// Bit i is set if pixel i counts; pixels that do not still feed the derivatives.
    #[must_use]
    pub const fn valid(&self) -> u8 {
        self.valid
    }

    /// Whether a pixel counts.
    #[must_use]
    pub const fn is_valid(&self, pixel: usize) -> bool {
        self.valid >> pixel & 1 != 0
    }

    /// The quad's packet: one or two beats.
    #[must_use]
    pub fn to_beats(&self, beats_per_quad: BeatsPerQuad) -> Vec<RequestBeat> {
        let chunks = self.uv.chunks(beats_per_quad.pixels_per_beat() as usize);
        let last = chunks.len() - 1;
        let beat = |(number, pixels): (usize, &[[i32; 2]])| {
            let mut tdata: Vec<u8> = pixels.as_flattened().iter().flat_map(|c| c.to_le_bytes()).collect();
            tdata.push(self.valid);
            RequestBeat::new(&tdata, false, number == last)
        };
        chunks.enumerate().map(beat).collect()
    }

    /// Reads a quad from its packet. Padding above the payload is ignored.
    ///
    /// # Errors
    /// The first way in which the packet is not a quad.
    pub fn from_beats(beats: &[RequestBeat], beats_per_quad: BeatsPerQuad) -> Result<Self, PacketError> {
        let got = beats.iter().position(RequestBeat::last).map_or(beats.len(), |last| last + 1);
        let expected = beats_per_quad.beats();
        if got != beats.len() || got != expected as usize || !beats[got - 1].last {
            return Err(PacketError::Length { expected, got });
        }
        if beats.iter().any(RequestBeat::is_binding) {
            return Err(PacketError::Binding);
        }
        let valid_byte = (beats_per_quad.valid_shift() / 8) as usize;
        let valid = beats[0].tdata[valid_byte] & 0xf;
        if beats.iter().any(|beat| beat.tdata[valid_byte] & 0xf != valid) {
            return Err(PacketError::ValidBits);
        }
        let mut uv = [[0; 2]; PIXELS];
        let bytes = beats.iter().flat_map(|beat| beat.tdata[..valid_byte].iter().copied());
        for (index, byte) in bytes.enumerate() {
            uv[index / 8][index / 4 % 2] |= i32::from(byte) << (index % 4 * 8);
        }
        Ok(Self { uv, valid })
    }
}

/// The answer to a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct QuadResult {
    rgba: [[u8; 4]; PIXELS],
    valid: u8,
    error: bool,
}

impl QuadResult {
    /// Colours by pixel as `[R, G, B, A]`, the quad's valid bits (the low four count), and the error bit.
    #[must_use]
    pub const fn new(rgba: [[u8; 4]; PIXELS], valid: u8, error: bool) -> Self {
        Self { rgba, valid: valid & 0xf, error }
    }

    /// The answer to a quad that could not be sampled: no colour, the quad's valid bits, the error bit.
    #[must_use]
    pub const fn failed(valid: u8) -> Self {
        Self::new([[0; 4]; PIXELS], valid, true)
    }

    /// Colours by pixel as `[R, G, B, A]`; 0 for pixels that are not valid.
    #[must_use]
    pub const fn rgba(&self) -> &[[u8; 4]; PIXELS] {
        &self.rgba
    }

    /// The valid bits of the quad.
    #[must_use]
    pub const fn valid(&self) -> u8 {
        self.valid
    }

    /// Whether the quad could not be sampled.
    #[must_use]
    pub const fn error(&self) -> bool {
        self.error
    }

    /// `tdata` of the result's beat: pixel 0 lowest, R in the lowest byte of each.
    #[must_use]
    pub fn tdata(&self) -> u128 {
        self.rgba.as_flattened().iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte))
    }

    /// `tuser` of the result's beat: the valid bits and, at bit 4, the error bit.
    #[must_use]
    pub const fn tuser(&self) -> u8 {
        self.valid | (self.error as u8) << 4
    }

    /// Reads a result from its beat. Bits of `tuser` above 4 are ignored.
    #[must_use]
    pub fn from_beat(tdata: u128, tuser: u8) -> Self {
        let mut rgba = [[0; 4]; PIXELS];
        rgba.as_flattened_mut().copy_from_slice(&tdata.to_le_bytes());
        Self::new(rgba, tuser, tuser >> 4 & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn beats_round_trip(uv in any::<[[i32; 2]; 4]>(), valid in 0..16u8) {
            let quad = Quad::new(uv, valid);
            for beats_per_quad in [BeatsPerQuad::One, BeatsPerQuad::Two] {
                let beats = quad.to_beats(beats_per_quad);
                prop_assert_eq!(beats.len(), beats_per_quad.beats() as usize);
                prop_assert_eq!(Quad::from_beats(&beats, beats_per_quad), Ok(quad));
            }
        }

        #[test]
        fn results_round_trip(rgba in any::<[[u8; 4]; 4]>(), valid in 0..16u8, error in any::<bool>()) {
            let result = QuadResult::new(rgba, valid, error);
            prop_assert_eq!(QuadResult::from_beat(result.tdata(), result.tuser()), result);
        }
    }

    const QUAD: Quad = Quad::new([[1, 2], [0x0304_0506, -1], [7, 8], [i32::MIN, 9]], 0b1010);

    #[test]
    fn two_beats_by_hand() {
        let beats = QUAD.to_beats(BeatsPerQuad::Two);
        let first = [1, 0, 0, 0, 2, 0, 0, 0, 6, 5, 4, 3, 255, 255, 255, 255, 0b1010];
        let second = [7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0x80, 9, 0, 0, 0, 0b1010];
        assert_eq!(beats[0].tdata(BeatsPerQuad::Two), first);
        assert_eq!(beats[1].tdata(BeatsPerQuad::Two), second);
        assert_eq!([beats[0].last(), beats[1].last()], [false, true]);
        let one = QUAD.to_beats(BeatsPerQuad::One);
        let joined = [&first[..16], &second[..16], &[0b1010]].concat();
        assert_eq!(one[0].tdata(BeatsPerQuad::One), joined);
        assert!(one[0].last());
        assert_eq!(QUAD.valid(), 0b1010);
        assert_eq!([0, 1, 2, 3].map(|pixel| QUAD.is_valid(pixel)), [false, true, false, true]);
    }

    #[test]
    fn widths_are_those_of_the_streams() {
        let of = |b: BeatsPerQuad| (b.beats(), b.payload_bits(), b.tdata_bits(), b.tdata_bytes());
        assert_eq!(of(BeatsPerQuad::One), (1, 260, 264, 33));
        assert_eq!(of(BeatsPerQuad::Two), (2, 132, 136, 17));
    }

    #[test]
    fn results_by_hand() {
        let result = QuadResult::new([[1, 2, 3, 4], [0; 4], [0; 4], [0xa, 0xb, 0xc, 0xd]], 0b1001, true);
        assert_eq!(result.tdata(), 0x0d0c_0b0a_0000_0000_0000_0000_0403_0201);
        assert_eq!(result.tuser(), 0b1_1001);
        assert_eq!((result.valid(), result.error()), (0b1001, true));
        assert!(!QuadResult::new([[0; 4]; 4], 15, false).error());
        assert_eq!(QuadResult::failed(5), QuadResult::new([[0; 4]; 4], 5, true));
    }

    #[test]
    fn packets_of_the_wrong_length_are_refused() {
        let two = QUAD.to_beats(BeatsPerQuad::Two);
        let length = |got| Err(PacketError::Length { expected: 2, got });
        let read = |beats: &[RequestBeat]| Quad::from_beats(beats, BeatsPerQuad::Two);
        assert_eq!(read(&[]), length(0));
        assert_eq!(read(&two[..1]), length(1));
        assert_eq!(read(&two[1..]), length(1));
        assert_eq!(read(&[two[0], two[0], two[1]]), length(3));
        assert_eq!(read(&[two[1], two[1]]), length(1));
        assert_eq!(read(&[two[0], RequestBeat::new(&[0], true, true)]), Err(PacketError::Binding));
        let other = Quad::new(*QUAD.uv(), 1).to_beats(BeatsPerQuad::Two);
        assert_eq!(read(&[two[0], other[1]]), Err(PacketError::ValidBits));
    }
}
