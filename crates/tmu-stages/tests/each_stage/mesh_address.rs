//! `address` of the mesh engine: where the texels under a pixel lie, at any width and any base.

use crate::support::{is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_rtl::engines::mesh::address::Address;
use tmu_rtl::engines::mesh::words::{
    FRACTION_BITS, FootprintWord, PLACE_BITS, PixelWord, SIZE_BITS, TapRow, footprint_word, pixel_word,
};
use tmu_stages::{Check, Flow, Rig};

/// A picture in memory, as `address` knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texture {
    /// In texels.
    pub(crate) base: u64,
    pub(crate) width: u64,
    pub(crate) height: u64,
}

impl Texture {
    pub(crate) fn any(check: &mut Check) -> Texture {
        let size = |check: &mut Check| {
            if check.one_in(4) {
                check.pick(&[1, 2, 7, 8, 9, 2040, 2047])
            } else {
                check.rng.random_range(1..1u64 << SIZE_BITS)
            }
        };
        let (width, height) = (size(check), size(check));
        let base = check.rng.random_range(0..(1 << PLACE_BITS) - (width + 1) * (height + 1));
        Texture { base, width, height }
    }
}

/// A pixel: its place in the texture, 11.6, and where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pixel {
    pub(crate) u: u64,
    pub(crate) v: u64,
    pub(crate) place: u64,
    pub(crate) is_end: bool,
}

impl Pixel {
    /// Weights of the right and of the lower taps.
    pub(crate) fn weights(self) -> [u64; 2] {
        [self.u, self.v].map(|coordinate| coordinate % 64)
    }

    /// Column and row of the upper left texel.
    pub(crate) fn texel(self) -> [u64; 2] {
        [self.u, self.v].map(|coordinate| coordinate >> FRACTION_BITS)
    }

    /// A bit of its place stands for it: stages carry it along.
    pub(crate) fn opens_line(self) -> bool {
        self.place >> 5 & 1 == 1
    }

    /// Anywhere in a texture; texels behind its right end are those of the next row.
    pub(crate) fn any(check: &mut Check, texture: &Texture) -> Pixel {
        let coordinate =
            |check: &mut Check, size: u64| check.rng.random_range(0..=(size - 1) << FRACTION_BITS);
        Pixel {
            u: coordinate(check, texture.width),
            v: coordinate(check, texture.height),
            place: check.rng.random_range(0..1 << PLACE_BITS),
            is_end: check.one_in(50),
        }
    }
}

/// Row, number of the line in the row, address of the line, place in it.
pub(crate) type Taps = [u64; 4];

/// The upper and the lower taps of a pixel.
pub(crate) fn footprint(texture: &Texture, pixel: Pixel) -> [Taps; 2] {
    let [column, row] = pixel.texel();
    [row, row + 1].map(|row| {
        let start = texture.base + texture.width * row;
        let texel = start + column;
        [row, texel / 8 - start / 8, texel / 8, texel % 8]
    })
}

/// The word of a footprint.
pub(crate) fn footprint_bits(texture: &Texture, pixel: Pixel) -> Bits {
    let shape = footprint_word();
    let rows = footprint(texture, pixel).map(|[row, line_number, line, in_line]| TapRow {
        row: number(SIZE_BITS, row),
        line_number: number(shape.rows[0].line_number.value_bits(), line_number),
        line: number(shape.rows[0].line.value_bits(), line),
        in_line: number(3, in_line),
    });
    let [fx, fy] = pixel.weights().map(|weight| number(FRACTION_BITS, weight));
    let (place, is_end) = (number(PLACE_BITS, pixel.place), number(1, pixel.is_end));
    let opens_line = number(1, pixel.opens_line());
    shape.pack(&FootprintWord { rows, fx, fy, place, opens_line, is_end })
}

#[test]
pub(crate) fn mesh_address() {
    const JOBS: u64 = 60;
    const PIXELS: u64 = 60;
    let mut check = Check::new("mesh_address");
    let mut rig = Rig::new("mesh_address", Address::new());
    for _ in 0..JOBS {
        let texture = Texture::any(&mut check);
        rig.texture_base.drive(texture.base);
        rig.texture_width.drive(texture.width);
        let (mut sent, mut owed) = (0, Flow::default());
        let mut offered: Option<Pixel> = None;
        while sent < PIXELS || !owed.is_empty() {
            if offered.is_none() && sent < PIXELS && !check.one_in(3) {
                offered = Some(Pixel::any(&mut check, &texture));
                sent += 1;
            }
            rig.pixel.valid.drive(offered.is_some());
            if let Some(pixel) = offered {
                let Pixel { u, v, place, is_end } = pixel;
                let shape = pixel_word();
                let [u, v] =
                    [(u, shape.u), (v, shape.v)].map(|(value, width)| number(width.value_bits(), value));
                let (place, is_end) = (number(PLACE_BITS, place), number(1, is_end));
                let opens_line = number(1, pixel.opens_line());
                rig.pixel.data.drive(shape.pack(&PixelWord { u, v, place, opens_line, is_end }));
            }
            let ready = !check.one_in(3);
            rig.footprint.ready.drive(ready);
            rig.settle();
            if is_high(rig.pixel.ready.val())
                && let Some(pixel) = offered.take()
            {
                owed.put(pixel);
            }
            if ready && is_high(rig.footprint.valid.val()) {
                let pixel = owed.next(&mut check);
                let got = rig.footprint.data.val().value();
                let expected = footprint_bits(&texture, pixel).value();
                check.same(format_args!("footprint of {pixel:?} in {texture:?}"), got, expected);
            }
            rig.tick();
        }
    }
    check.at_least(JOBS * PIXELS);
}
