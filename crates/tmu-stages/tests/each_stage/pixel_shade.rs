//! Parts of `shade` of the pixel pipeline against `tmu_model::shader`: any instruction with any sources, modifiers and masks, single and in pairs.

use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_model::shader::{self, Channels, Constants, Pixel};
use tmu_rtl::engines::pixel::shade::arithmetic::{self, Arithmetic};
use tmu_rtl::engines::pixel::shade::coordinates::{self, Coordinates, TextureWord};
use tmu_rtl::engines::pixel::shade::words::{ArithmeticWord, OperationWord, SourceWord};
use tmu_shader::{Destination, File, Instruction, Mask, Modifier, Operation, Register, Selector, Source};
use tmu_stages::{Check, Rig};

/// What a register holds, its edges often.
fn channel(check: &mut Check) -> i16 {
    if check.one_in(3) {
        check.pick(&[i16::MIN, i16::MIN + 1, -4096, -1, 0, 1, 2047, 2048, 2049, 4095, 4096, 4097, i16::MAX])
    } else if check.one_in(2) {
        check.rng.random_range(-5000..5000)
    } else {
        check.rng.random()
    }
}

fn channels(check: &mut Check) -> Channels {
    [(); 4].map(|()| channel(check))
}

fn channel_bits(value: i16) -> Bits {
    number(16, value.cast_unsigned())
}

fn temporary(number: u8) -> Register {
    Register { file: File::Temporary, number }
}

/// Any arithmetic instruction that may write these channels.
fn instruction(check: &mut Check, mask: Mask, is_paired: bool, pairs: bool) -> Instruction {
    let operation = loop {
        let operation = check.pick(Operation::ALL);
        let is_whole = matches!(operation, Operation::Dp4 | Operation::Bem);
        let is_dot = pairs && operation == Operation::Dp3 && mask == Mask::ALPHA;
        if !(operation.is_texture() || is_dot || is_whole && pairs) {
            break operation;
        }
    };
    let source = |check: &mut Check| Source {
        register: temporary(check.rng.random_range(0..6)),
        selector: if check.one_in(2) {
            Selector::All
        } else {
            Selector::Replicate(check.rng.random_range(0..4))
        },
        modifier: if check.one_in(2) { Modifier::None } else { check.pick(&Modifier::ALL[..9]) },
    };
    Instruction {
        operation,
        destination: Destination {
            register: temporary(check.rng.random_range(0..6)),
            mask: if operation == Operation::Bem { Mask::RED_GREEN } else { mask },
            shift: if check.one_in(2) { 0 } else { check.rng.random_range(-3..=3) },
            saturate: check.one_in(2),
        },
        sources: (0..operation.sources()).map(|_| source(check)).collect(),
        is_paired,
    }
}

/// What an instruction does, as hardware takes it.
fn operation(one: &Instruction) -> OperationWord {
    let source = |place: usize| {
        let source = one.sources.get(place);
        let selector = match source.map(|source| source.selector) {
            Some(Selector::Replicate(channel)) => channel + 1,
            _ => 0,
        };
        SourceWord {
            selector: number(3, selector),
            modifier: number(4, source.map_or(0, |source| source.modifier as u8)),
        }
    };
    OperationWord {
        operation: number(4, one.operation as u8),
        shift: number(3, u64::from(one.destination.shift.cast_unsigned() & 7)),
        saturates: number(1, one.destination.saturate),
        sources: [0, 1, 2].map(source),
    }
}

#[test]
pub(crate) fn arithmetic() {
    const COUNT: usize = 20_000;
    let mut check = Check::new("pixel_shade_arithmetic");
    let mut rig = Rig::new("shade_arithmetic", Arithmetic::new());
    let mut owed: VecDeque<(String, [Option<i16>; 4])> = VecDeque::new();
    for clock in 0..COUNT {
        let is_pair = check.one_in(2);
        let run = if is_pair {
            let both = [(Mask::COLOR, false), (Mask::ALPHA, true)]
                .map(|(mask, second)| instruction(&mut check, mask, second, true));
            both.to_vec()
        } else {
            vec![instruction(&mut check, Mask::ALL, false, false)]
        };
        let registers = [(); 6].map(|()| channels(&mut check));
        let bump = [(); 6].map(|()| channels(&mut check));
        let constants = Constants { bump, ..Constants::default() };
        let halves = [&run[0], run.last().expect("there is one")];
        let of_source = |one: &Instruction, place: usize| {
            let source = one.sources.get(place);
            source.map_or([0; 4], |source| registers[usize::from(source.register.number)])
        };
        let bump = constants.bump[usize::from(run[0].destination.register.number)];
        rig.input.drive(ArithmeticWord {
            halves: halves.map(operation),
            registers: halves.map(|one| [0, 1, 2].map(|place| of_source(one, place).map(channel_bits))),
            bump: bump.map(channel_bits),
        });
        let left = shader::step(&run, Pixel::default(), registers, &constants).temporary;
        let expected = [0, 1, 2, 3].map(|at: usize| {
            let one = halves[usize::from(at == 3)].destination;
            (one.mask.0 >> at & 1 == 1).then(|| left[usize::from(one.register.number)][at])
        });
        let text: Vec<String> = run.iter().map(ToString::to_string).collect();
        owed.push_back((format!("{text:?} of {registers:?}"), expected));
        rig.settle();
        if clock >= arithmetic::LATENCY_CLOCKS {
            let (text, expected) = owed.pop_front().expect("each clock has one");
            for (at, expected) in expected.into_iter().enumerate() {
                if let Some(expected) = expected {
                    let got = rig.result[at].val().to_u64() as u16;
                    check.same(format_args!("channel {at} of {text}"), got.cast_signed(), expected);
                }
            }
        }
        rig.tick();
    }
    check.at_least(2 * COUNT as u64);
}

/// A coordinate, or anything.
pub(crate) fn component(check: &mut Check) -> f32 {
    const EDGES: [u32; 8] =
        [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001];
    match check.rng.random_range(0..6) {
        0 => f32::from_bits(check.rng.random()),
        1 => f32::from_bits(check.pick(&EDGES) | u32::from(check.one_in(2)) << 31),
        2 => f32::from(check.rng.random::<i16>()) / 8192.0,
        _ => check.rng.random_range(-10f32..10.0),
    }
}

/// The bits of a single; what is no number has one form.
fn bits_of(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// What a texture instruction gives.
#[derive(Debug, Default)]
struct Textured {
    place: Option<[u32; 3]>,
    register: Option<[i16; 3]>,
    depth: Option<u32>,
    is_killed: Option<bool>,
}

/// A texture instruction, and what it gives of a set or of a register.
fn textured(check: &mut Check, pixel: Pixel, registers: [Channels; 6]) -> (Instruction, Textured) {
    let operation =
        check.pick(&[Operation::Texld, Operation::Texcrd, Operation::Texkill, Operation::Texdepth]);
    let modifier = check.pick(&[Modifier::None, Modifier::Dz, Modifier::Dw]);
    let selector = if check.one_in(2) { Selector::Xyw } else { Selector::Xyz };
    let is_set = operation != Operation::Texdepth && check.one_in(2);
    let source = if is_set { Register { file: File::Coordinate, number: 0 } } else { temporary(0) };
    let reads_itself = matches!(operation, Operation::Texkill | Operation::Texdepth);
    let one = Instruction {
        operation,
        destination: Destination {
            register: if reads_itself { source } else { temporary(1) },
            mask: if operation == Operation::Texcrd { Mask::COLOR } else { Mask::ALL },
            shift: 0,
            saturate: false,
        },
        sources: if reads_itself { vec![] } else { vec![Source { register: source, selector, modifier }] },
        is_paired: false,
    };
    let left = || shader::step(std::slice::from_ref(&one), pixel, registers, &Constants::default());
    let mut textured = Textured::default();
    match operation {
        Operation::Texld => textured.place = Some(shader::place(&one, pixel, registers).map(bits_of)),
        Operation::Texcrd => {
            let [x, y, z, _] = left().temporary[1];
            textured.register = Some([x, y, z]);
        }
        Operation::Texkill => textured.is_killed = Some(left().is_killed),
        _ => textured.depth = left().depth.map(bits_of),
    }
    (one, textured)
}

#[test]
pub(crate) fn coordinates() {
    const COUNT: usize = 20_000;
    let mut check = Check::new("pixel_shade_coordinates");
    let mut rig = Rig::new("shade_coordinates", Coordinates::new());
    let mut owed: VecDeque<(String, Textured)> = VecDeque::new();
    for clock in 0..COUNT {
        let mut pixel = Pixel::default();
        pixel.coordinates[0] = [(); 4].map(|()| component(&mut check));
        let registers = [(); 6].map(|()| channels(&mut check));
        let (one, textured) = textured(&mut check, pixel, registers);
        let source = one.sources.first();
        let read = source.map_or(one.destination.register, |source| source.register);
        let divides = |by: Modifier| number(1, source.is_some_and(|source| source.modifier == by));
        rig.input.drive(TextureWord {
            is_register: number(1, read.file == File::Temporary),
            takes_fourth: number(1, source.is_some_and(|source| source.selector == Selector::Xyw)),
            divides_by_third: divides(Modifier::Dz),
            divides_by_fourth: divides(Modifier::Dw),
            divides_by_second: number(1, one.operation == Operation::Texdepth),
            set: pixel.coordinates[0].map(|value| number(32, value.to_bits())),
            register: registers[0].map(channel_bits),
        });
        owed.push_back((format!("{one} of {:?} and {:?}", pixel.coordinates[0], registers[0]), textured));
        rig.settle();
        if clock >= coordinates::LATENCY_CLOCKS {
            let (text, expected) = owed.pop_front().expect("each clock has one");
            let place =
                [0, 1, 2].map(|at: usize| bits_of(f32::from_bits(rig.place[at].val().to_u64() as u32)));
            if let Some(expected) = expected.place {
                check.same(format_args!("place of {text}"), place, expected);
            }
            if let Some(expected) = expected.depth {
                check.same(format_args!("depth of {text}"), place[0], expected);
            }
            if let Some(expected) = expected.register {
                let got = [0, 1, 2].map(|at: usize| (rig.register[at].val().to_u64() as u16).cast_signed());
                check.same(format_args!("register of {text}"), got, expected);
            }
            if let Some(expected) = expected.is_killed {
                check.same(format_args!("killed by {text}"), is_high(rig.is_killed.val()), expected);
            }
        }
        rig.tick();
    }
    check.at_least(COUNT as u64 - 200);
}
