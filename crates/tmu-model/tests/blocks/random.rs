//! Random blocks, each of a mode that is asked for.

use arrayvec::ArrayVec;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;
use tmu_spec::Format;

/// The bytes of a block: 8 or 16.
pub(crate) type Bytes = ArrayVec<u8, 16>;

/// What the parts of a block are to be.
pub(crate) struct Mode(Vec<Part>);

/// A block, or one half of it.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// Eight bytes of any kind.
    Any,
    /// The colours of BC1 to BC3: how the first compares with the second.
    Colors(Ordering),
    /// The values of BC3's alpha, BC4 and BC5, likewise.
    Values(Ordering),
    /// Values of EAC.
    Eac { has_multiplier: bool },
    /// Colours of ETC2, and whether the bit is set that tells a difference from a second colour, or opaque from punched.
    Etc(Etc, bool),
    /// All of a BC7 block, by its mode; mode 8 is reserved.
    Bc7(u32),
}

/// Modes of ETC2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Etc {
    Individual,
    Differential,
    T,
    H,
    /// H with twice the same colour, which the order of its colours does not tell apart.
    EqualH,
    Planar,
}

const ORDERS: [Ordering; 3] = [Ordering::Greater, Ordering::Less, Ordering::Equal];
const WITH_DIFFERENCE: [Etc; 5] = [Etc::Differential, Etc::T, Etc::H, Etc::EqualH, Etc::Planar];

impl Mode {
    /// Every mode of a format.
    pub(crate) fn all(format: Format) -> Vec<Self> {
        let colors = || ORDERS.map(Part::Colors).to_vec();
        let values = || ORDERS.map(Part::Values).to_vec();
        let eac = || [false, true].map(|has_multiplier| Part::Eac { has_multiplier }).to_vec();
        let with_difference = |bit| WITH_DIFFERENCE.map(|mode| Part::Etc(mode, bit));
        let etc = || [&[Part::Etc(Etc::Individual, false)][..], &with_difference(true)].concat();
        let punched = || [with_difference(false), with_difference(true)].concat();
        let parts = match format {
            Format::Bc1 => vec![colors()],
            Format::Bc2 => vec![vec![Part::Any], colors()],
            Format::Bc3 => vec![values(), colors()],
            Format::Bc4 => vec![values()],
            Format::Bc5 => vec![values(), values()],
            Format::Bc7 => vec![(0..9).map(Part::Bc7).collect()],
            Format::Etc2Rgb8 => vec![etc()],
            Format::Etc2Rgb8a1 => vec![punched()],
            Format::Etc2Rgba8 => vec![eac(), etc()],
            Format::EacR11 => vec![eac()],
            Format::EacRg11 => vec![eac(), eac()],
            _ => panic!("{format} has no blocks"),
        };
        // Each mode of the first half with each of the second.
        let extended = |modes: Vec<Vec<Part>>, half: Vec<Part>| {
            let with = |part: &Part| modes.iter().map(|mode| [&mode[..], &[*part]].concat()).collect();
            half.iter().flat_map(|part| -> Vec<_> { with(part) }).collect()
        };
        parts.into_iter().fold(vec![Vec::new()], extended).into_iter().map(Mode).collect()
    }

    /// What is said of it where a block of it is wrong.
    pub(crate) fn name(&self) -> String {
        self.0.iter().map(|part| part.name()).collect::<Vec<_>>().join(" and ")
    }

    /// A random block of this mode.
    pub(crate) fn block(&self, rng: &mut ChaCha8Rng) -> Bytes {
        let mut block = Bytes::new();
        for part in &self.0 {
            match part {
                Part::Bc7(mode) => block.extend(bc7(*mode, rng.random()).to_le_bytes()),
                half => block.extend(half.eight_bytes(rng)),
            }
        }
        block
    }
}

impl Part {
    fn name(self) -> String {
        match self {
            Part::Any => "any".to_owned(),
            Part::Colors(order) => format!("first colour {order:?}"),
            Part::Values(order) => format!("first value {order:?}"),
            Part::Eac { has_multiplier: true } => "EAC".to_owned(),
            Part::Eac { has_multiplier: false } => "EAC without a multiplier".to_owned(),
            Part::Etc(mode, bit) => format!("{mode:?} with bit {}", u8::from(bit)),
            Part::Bc7(mode) => mode.to_string(),
        }
    }

    fn eight_bytes(self, rng: &mut ChaCha8Rng) -> [u8; 8] {
        let mut half: [u8; 8] = rng.random();
        match self {
            Part::Colors(order) => {
                let [first, second] = ordered(order, || rng.random::<u16>());
                half[..2].copy_from_slice(&first.to_le_bytes());
                half[2..4].copy_from_slice(&second.to_le_bytes());
            }
            Part::Values(order) => half[..2].copy_from_slice(&ordered(order, || rng.random::<u8>())),
            Part::Eac { has_multiplier: false } => half[1] &= 0x0f,
            Part::Eac { has_multiplier: true } => half[1] = drawn(rng, |byte| byte >> 4 != 0),
            Part::Etc(mode, bit) => etc(mode, bit, &mut half, rng),
            Part::Any | Part::Bc7(_) => {}
        }
        half
    }
}

/// Two numbers of which the first compares so with the second.
fn ordered<T: Ord + Copy>(order: Ordering, mut random: impl FnMut() -> T) -> [T; 2] {
    let first = random();
    if order == Ordering::Equal {
        return [first; 2];
    }
    loop {
        let numbers = [random(), random()];
        if numbers[0].cmp(&numbers[1]) == order {
            return numbers;
        }
    }
}

/// A random byte for which something holds.
fn drawn(rng: &mut ChaCha8Rng, holds: impl Fn(u8) -> bool) -> u8 {
    loop {
        let byte = rng.random();
        if holds(byte) {
            return byte;
        }
    }
}

/// Makes a half one of a mode of ETC2: of the modes with a difference, the first channel that overflows tells.
fn etc(mode: Etc, bit: bool, half: &mut [u8; 8], rng: &mut ChaCha8Rng) {
    half[3] = half[3] & !2 | u8::from(bit) << 1;
    let overflowing = match mode {
        Etc::Individual => return,
        Etc::Differential => 3,
        Etc::T => 0,
        Etc::H | Etc::EqualH => 1,
        Etc::Planar => 2,
    };
    for (channel, byte) in half[..3].iter_mut().enumerate().take(overflowing + 1) {
        *byte = drawn(rng, |byte| overflows(byte) == (channel == overflowing));
    }
    if mode == Etc::EqualH {
        // R, G, B of four bits each: bits 62:59, 58:56 and 52, 51 and 49:47 are the first, 46:35 the second.
        let bits = u64::from_be_bytes(*half);
        let red = bits >> 59 & 15;
        let green = (bits >> 56 & 7) << 1 | bits >> 52 & 1;
        let blue = (bits >> 51 & 1) << 3 | bits >> 47 & 7;
        let color = red << 8 | green << 4 | blue;
        *half = (bits & !(0xfff << 35) | color << 35).to_be_bytes();
    }
}

/// Whether five bits and a difference of three give no five bits.
fn overflows(byte: u8) -> bool {
    let difference = [0, 1, 2, 3, -4, -3, -2, -1][usize::from(byte & 7)];
    !(0..32).contains(&(i32::from(byte >> 3) + difference))
}

/// Bits of a mode of BC7: as many zeros as its number, and a one.
fn bc7(mode: u32, bits: u128) -> u128 {
    match mode {
        8 => bits & !0xff,
        _ => bits >> (mode + 1) << (mode + 1) | 1 << mode,
    }
}
