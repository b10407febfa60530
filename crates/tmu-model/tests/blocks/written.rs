//! BC1 to BC5 and EAC as they are written down, one texel at a time and in real numbers: the rounding of BC1 to BC5 is that of
//! docs/reference/general.md, EAC that of the Khronos Data Format Specification 1.3, chapter 21.

use crate::others::{TEXELS, Texels};

/// Table 21.17: modifiers by table and index.
const MODIFIERS: [[f64; 8]; 16] = [
    [-3.0, -6.0, -9.0, -15.0, 2.0, 5.0, 8.0, 14.0],
    [-3.0, -7.0, -10.0, -13.0, 2.0, 6.0, 9.0, 12.0],
    [-2.0, -5.0, -8.0, -13.0, 1.0, 4.0, 7.0, 12.0],
    [-2.0, -4.0, -6.0, -13.0, 1.0, 3.0, 5.0, 12.0],
    [-3.0, -6.0, -8.0, -12.0, 2.0, 5.0, 7.0, 11.0],
    [-3.0, -7.0, -9.0, -11.0, 2.0, 6.0, 8.0, 10.0],
    [-4.0, -7.0, -8.0, -11.0, 3.0, 6.0, 7.0, 10.0],
    [-3.0, -5.0, -8.0, -11.0, 2.0, 4.0, 7.0, 10.0],
    [-2.0, -6.0, -8.0, -10.0, 1.0, 5.0, 7.0, 9.0],
    [-2.0, -5.0, -8.0, -10.0, 1.0, 4.0, 7.0, 9.0],
    [-2.0, -4.0, -8.0, -10.0, 1.0, 3.0, 7.0, 9.0],
    [-2.0, -5.0, -7.0, -10.0, 1.0, 4.0, 6.0, 9.0],
    [-3.0, -4.0, -7.0, -10.0, 2.0, 3.0, 6.0, 9.0],
    [-1.0, -2.0, -3.0, -10.0, 0.0, 1.0, 2.0, 9.0],
    [-4.0, -6.0, -8.0, -9.0, 3.0, 5.0, 7.0, 8.0],
    [-3.0, -5.0, -7.0, -9.0, 2.0, 4.0, 6.0, 8.0],
];

fn texels(of: impl Fn(usize) -> [u16; 4]) -> Texels {
    std::array::from_fn::<_, TEXELS, _>(of)
}

/// So many bits and again their upper ones behind them: `v × 2^(8 − n) + v × 2^(8 − 2n)`, cut off.
fn repeated(value: u16, bits: i32) -> f64 {
    (f64::from(value) * (2f64.powi(8 - bits) + 2f64.powi(8 - 2 * bits))).floor()
}

/// What lies so many parts of all from a to b. Numbers of two digits divided are exact where they are whole, so the floor is.
fn between(a: f64, b: f64, part: f64, all: f64) -> u16 {
    (((all - part) * a + part * b) / all).floor() as u16
}

/// The colour of a texel. Only BC1 has blocks of three.
fn color(half: &[u8], texel: usize, is_bc1: bool) -> [u16; 4] {
    let ends = [0, 2].map(|at| u16::from(half[at]) + 256 * u16::from(half[at + 1]));
    let (part, all) = match (half[4 + texel / 4] >> (2 * (texel % 4)) & 3, is_bc1 && ends[0] <= ends[1]) {
        (0, _) => (0.0, 1.0),
        (1, _) => (1.0, 1.0),
        (2, true) => (1.0, 2.0),
        (_, true) => return [0; 4],
        (2, false) => (1.0, 3.0),
        (_, false) => (2.0, 3.0),
    };
    let channel = |divisor: u16, bits: i32| {
        let [a, b] = ends.map(|end| repeated(end / divisor % (1 << bits), bits));
        between(a, b, part, all)
    };
    [channel(2048, 5), channel(32, 6), channel(1, 5), 255]
}

/// A texel's value of the eight bytes of BC4.
fn value(half: &[u8], texel: usize) -> u16 {
    let [a, b] = [0, 1].map(|at| f64::from(half[at]));
    let bit = |number: usize| half[2 + number / 8] >> (number % 8) & 1;
    let index = (0..3).map(|number| bit(3 * texel + number) << number).sum::<u8>();
    match index {
        0 => a as u16,
        1 => b as u16,
        2.. if a > b => between(a, b, f64::from(index) - 1.0, 7.0),
        6 => 0,
        7 => 255,
        _ => between(a, b, f64::from(index) - 1.0, 5.0),
    }
}

pub(crate) fn bc1(block: &[u8]) -> Texels {
    texels(|texel| color(block, texel, true))
}

pub(crate) fn bc2(block: &[u8]) -> Texels {
    texels(|texel| {
        let [r, g, b, _] = color(&block[8..], texel, false);
        [r, g, b, 17 * u16::from(block[texel / 2] >> (4 * (texel % 2)) & 15)]
    })
}

pub(crate) fn bc3(block: &[u8]) -> Texels {
    texels(|texel| {
        let [r, g, b, _] = color(&block[8..], texel, false);
        [r, g, b, value(block, texel)]
    })
}

pub(crate) fn bc4(block: &[u8]) -> Texels {
    texels(|texel| [value(block, texel), 0, 0, 0])
}

pub(crate) fn bc5(block: &[u8]) -> Texels {
    texels(|texel| [value(block, texel), value(&block[8..], texel), 0, 0])
}

/// Base, multiplier and the modifier of a texel. Bits are counted from the first byte's highest on; texels go column by column.
fn eac(half: &[u8], texel: usize) -> [f64; 3] {
    let (x, y) = (texel % 4, texel / 4);
    let bit = |number: usize| usize::from(half[number / 8] >> (7 - number % 8) & 1);
    let first = 16 + 3 * (4 * x + y);
    let index = 4 * bit(first) + 2 * bit(first + 1) + bit(first + 2);
    [f64::from(half[0]), f64::from(half[1] / 16), MODIFIERS[usize::from(half[1] % 16)][index]]
}

/// A value of 11 bits: in 1/8 of what its bytes mean, in the middle of it. A multiplier of 0 stands for 1/8.
fn eleven_bits(half: &[u8], texel: usize) -> u16 {
    let [base, multiplier, modifier] = eac(half, texel);
    let multiplier = if multiplier == 0.0 { 1.0 / 8.0 } else { multiplier };
    ((base + 0.5 + modifier * multiplier) * 8.0).clamp(0.0, 2047.0) as u16
}

pub(crate) fn eac_r11(block: &[u8]) -> Texels {
    texels(|texel| [eleven_bits(block, texel), 0, 0, 0])
}

pub(crate) fn eac_rg11(block: &[u8]) -> Texels {
    texels(|texel| [eleven_bits(block, texel), eleven_bits(&block[8..], texel), 0, 0])
}

/// The alpha of ETC2, where a multiplier of 0 is 0.
pub(crate) fn etc2_alpha(block: &[u8]) -> [u16; TEXELS] {
    std::array::from_fn(|texel| {
        let [base, multiplier, modifier] = eac(block, texel);
        (base + modifier * multiplier).clamp(0.0, 255.0) as u16
    })
}
