//! What a pixel shader of version 1.4 computes, to the last bit, for the four pixels of a quad.
//!
//! Registers have four channels of s3.12. Textures are asked through [`Textures`], a quad at a time, since they choose a level by the
//! differences of its pixels.
//!
//! Contract: follows the program as it was checked and knows no cycles. Floats are single ones, rounded to the nearest even after every
//! operation, with denormals as zeros.
//! Cost: linear in the instructions.

use crate::single::flush;
use tmu_shader::{Destination, File, Instruction, Modifier, Operation, Program, Register, Selector, Source};

/// Pixels of a quad.
const PIXELS: usize = 4;
/// 1.0 in a register.
const ONE: i32 = 1 << 12;
/// 0.5 in a register.
const HALF: i32 = ONE / 2;

/// Four channels of s3.12, red first.
pub type Channels = [i16; 4];

/// What a program asks of the textures.
pub trait Textures {
    /// Samples a texture at the coordinates of a quad: of each pixel four channels of 16 bits.
    fn sample(&mut self, texture: u8, coordinates: [[f32; 3]; PIXELS]) -> [[u16; 4]; PIXELS];

    /// Told after each instruction, for who looks on: what it has left. Costs nothing where nobody does.
    #[inline]
    fn after(&mut self, _registers: impl FnOnce() -> [Registers; PIXELS]) {}
}

/// What a pixel brings along.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pixel {
    /// t0 to t5.
    pub coordinates: [[f32; 4]; 6],
    /// v0 and v1.
    pub colors: [Channels; 2],
}

/// What the program's state brings along.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Constants {
    /// c0 to c7; those that the program defines itself are not looked at.
    pub registers: [Channels; 8],
    /// For each stage what `bem` multiplies by: m00, m01, m10, m11.
    pub bump: [[i16; 4]; 6],
}

impl Constants {
    /// As a program sees them: with those that it defines itself.
    #[must_use]
    pub fn of_program(mut self, program: &Program) -> Self {
        for (register, defined) in self.registers.iter_mut().zip(program.constants()) {
            if let Some(values) = defined {
                *register = values.map(to_register);
            }
        }
        self
    }
}

/// What becomes of a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shaded {
    /// Red, green, blue and alpha.
    pub color: [u8; 4],
    /// Its depth, if the program computes one.
    pub depth: Option<f32>,
    /// Whether it is not drawn.
    pub is_killed: bool,
}

/// The registers r0 to r5 of a pixel, and what else an instruction may leave.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Registers {
    /// r0 to r5.
    pub temporary: [Channels; 6],
    /// The depth of a texdepth.
    pub depth: Option<f32>,
    /// A texkill has found it.
    pub is_killed: bool,
}

/// Runs one instruction, or those of a pair, for a pixel. Not for texld, whose places [`place`] gives.
#[must_use]
pub fn step(
    instructions: &[Instruction],
    input: Pixel,
    temporary: [Channels; 6],
    constants: &Constants,
) -> Registers {
    let before = Before { input: &input, temporary: &temporary };
    let mut registers = Registers { temporary, ..Registers::default() };
    instructions.iter().for_each(|one| registers.run(one, before, constants));
    registers
}

/// Where a texld or texcrd of a pixel looks.
#[must_use]
pub fn place(one: &Instruction, input: Pixel, temporary: [Channels; 6]) -> [f32; 3] {
    Before { input: &input, temporary: &temporary }.place(one)
}

/// Runs a program for a quad. The constants are those that it sees: [`Constants::of_program`].
pub fn shade(
    program: &Program,
    constants: &Constants,
    quad: &[Pixel; PIXELS],
    textures: &mut impl Textures,
) -> [Shaded; PIXELS] {
    let mut registers = [Registers::default(); PIXELS];
    let mut temporary = [[[0; 4]; 6]; PIXELS];
    for one in program.instructions() {
        // The second of a pair reads what was there in front of the first.
        if !one.is_paired {
            temporary.iter_mut().zip(&registers).for_each(|(before, of)| *before = of.temporary);
        }
        let before = |pixel: usize| Before { input: &quad[pixel], temporary: &temporary[pixel] };
        if one.operation == Operation::Texld {
            let coordinates = [0, 1, 2, 3].map(|pixel| before(pixel).place(one));
            let index = one.destination.register.number;
            let colors = textures.sample(index, coordinates);
            for (registers, color) in registers.iter_mut().zip(colors) {
                registers.temporary[usize::from(index)] = color.map(from_texture);
            }
        } else {
            for (pixel, registers) in registers.iter_mut().enumerate() {
                registers.run(one, before(pixel), constants);
            }
        }
        textures.after(|| registers);
    }
    registers.map(|Registers { temporary, depth, is_killed }| Shaded {
        color: temporary[0].map(|value| ((i32::from(value).clamp(0, ONE) * 255 + HALF) >> 12) as u8),
        depth,
        is_killed,
    })
}

/// What an instruction reads of a pixel: what was there in front of it, or of the pair that it belongs to.
#[derive(Debug, Clone, Copy)]
struct Before<'a> {
    input: &'a Pixel,
    temporary: &'a [Channels; 6],
}

impl Before<'_> {
    /// A register as coordinates.
    fn components(self, register: Register) -> [f32; 4] {
        let index = usize::from(register.number);
        match register.file {
            File::Coordinate => self.input.coordinates[index].map(flush),
            _ => self.temporary[index].map(|value| f32::from(value) / 4096.0),
        }
    }

    /// The source of texld or texcrd.
    fn place(self, one: &Instruction) -> [f32; 3] {
        let source = one.sources[0];
        let [x, y, z, w] = self.components(source.register);
        let third = if source.selector == Selector::Xyw { w } else { z };
        match source.modifier {
            Modifier::Dz => [divide(x, z), divide(y, z), third],
            Modifier::Dw => [divide(x, w), divide(y, w), third],
            _ => [x, y, third],
        }
    }

    /// A source of arithmetic.
    #[inline]
    fn source(self, source: Source, constants: &Constants) -> [i32; 4] {
        let Register { file, number } = source.register;
        let index = usize::from(number);
        let channels = match file {
            File::Temporary => self.temporary[index],
            File::Color => self.input.colors[index],
            File::Constant => constants.registers[index],
            File::Coordinate => [0; 4],
        };
        let chosen = match source.selector {
            Selector::Replicate(channel) => [channels[usize::from(channel)]; 4],
            _ => channels,
        };
        let (factor, offset, negates) = match source.modifier {
            Modifier::None | Modifier::Dz | Modifier::Dw => (1, 0, false),
            Modifier::Negate => (1, 0, true),
            Modifier::Bias => (1, -HALF, false),
            Modifier::BiasNegate => (1, -HALF, true),
            Modifier::Bx2 => (2, -ONE, false),
            Modifier::Bx2Negate => (2, -ONE, true),
            Modifier::Invert => (-1, ONE, false),
            Modifier::X2 => (2, 0, false),
            Modifier::X2Negate => (2, 0, true),
        };
        let changed = chosen.map(|value| limit(factor * i32::from(value) + offset));
        if negates { changed.map(|value| limit(-value)) } else { changed }
    }
}

impl Registers {
    fn run(&mut self, one: &Instruction, before: Before<'_>, constants: &Constants) {
        let Destination { register, .. } = one.destination;
        match one.operation {
            Operation::Texcrd => {
                let [x, y, z] = before.place(one).map(|value| i32::from(to_register(value)));
                self.write(one, [x, y, z, 0]);
            }
            Operation::Texkill => {
                self.is_killed |= before.components(register)[..3].iter().any(|value| *value < 0.0)
            }
            Operation::Texdepth => {
                let [r, g, ..] = before.components(register);
                self.depth = Some(divide(r, g));
            }
            _ => {
                let source = |number: usize| {
                    one.sources.get(number).map_or([0; 4], |source| before.source(*source, constants))
                };
                let bump = constants.bump[usize::from(register.number)];
                self.write(one, compute(one.operation, source(0), source(1), source(2), bump));
            }
        }
    }

    /// Modifies the result and writes the channels of the mask.
    fn write(&mut self, one: &Instruction, values: [i32; 4]) {
        let Destination { register, mask, shift, saturate } = one.destination;
        let scaled = values.map(|value| if shift < 0 { value >> -shift } else { value << shift });
        let kept = if saturate { scaled.map(|value| value.clamp(0, ONE)) } else { scaled };
        let target = &mut self.temporary[usize::from(register.number)];
        *target = std::array::from_fn(|channel| {
            // Limited, so that it fits.
            if mask.0 >> channel & 1 == 1 { limit(kept[channel]) as i16 } else { target[channel] }
        });
    }
}

/// The result of an arithmetic instruction, exact but for the rounding of products.
///
/// Sources have 16 bits: 32 bits hold a product of two, and of one and a difference, but not the sum of two products.
fn compute(operation: Operation, a: [i32; 4], b: [i32; 4], c: [i32; 4], bump: [i16; 4]) -> [i32; 4] {
    match operation {
        Operation::Mov => a,
        Operation::Add => each(|at| a[at] + b[at]),
        Operation::Sub => each(|at| a[at] - b[at]),
        Operation::Mul => each(|at| round(a[at] * b[at])),
        Operation::Mad => each(|at| round(a[at] * b[at]) + c[at]),
        Operation::Lrp => each(|at| c[at] + round(a[at] * (b[at] - c[at]))),
        Operation::Dp3 => [products(&a[..3], &b[..3]); 4],
        Operation::Dp4 => [products(&a, &b); 4],
        Operation::Cmp => each(|at| if a[at] >= 0 { b[at] } else { c[at] }),
        Operation::Cnd => each(|at| if a[at] > HALF { b[at] } else { c[at] }),
        Operation::Bem => {
            let [m00, m01, m10, m11] = bump.map(i32::from);
            [a[0] + products(&[m00, m10], &b[..2]), a[1] + products(&[m01, m11], &b[..2]), 0, 0]
        }
        Operation::Texld | Operation::Texcrd | Operation::Texkill | Operation::Texdepth => [0; 4],
    }
}

/// A result channel by channel.
fn each(result: impl Fn(usize) -> i32) -> [i32; 4] {
    std::array::from_fn(result)
}

/// A product as a register has it, halves up.
const fn round(product: i32) -> i32 {
    (product + HALF) >> 12
}

/// A sum of products, rounded once.
fn products(a: &[i32], b: &[i32]) -> i32 {
    let sum: i64 = a.iter().zip(b).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum();
    ((sum + i64::from(HALF)) >> 12) as i32
}

/// Limits to what a register holds.
fn limit(value: i32) -> i32 {
    value.clamp(i16::MIN.into(), i16::MAX.into())
}

/// A product with the rounded reciprocal; by zero 1.0.
fn divide(value: f32, by: f32) -> f32 {
    if by == 0.0 { 1.0 } else { flush(value * flush(1.0 / by)) }
}

/// A single float as a register holds it; what is no number is 0.
fn to_register(value: f32) -> i16 {
    (f64::from(value) * 4096.0 + 0.5).floor() as i16
}

/// A channel of a texture as a register holds it.
fn from_texture(value: u16) -> i16 {
    // At most 4096.
    ((u32::from(value) * 4096 + 32767) / 65535) as i16
}

#[cfg(test)]
mod tests;
