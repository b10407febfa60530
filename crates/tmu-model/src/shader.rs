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
const ONE: i64 = 1 << 12;
/// 0.5 in a register.
const HALF: i64 = ONE / 2;

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
    let before = State { input, temporary, ..State::default() };
    let mut state = before;
    instructions.iter().for_each(|one| state.run(one, &before, constants));
    state.registers()
}

/// Where a texld or texcrd of a pixel looks.
#[must_use]
pub fn place(one: &Instruction, input: Pixel, temporary: [Channels; 6]) -> [f32; 3] {
    let [x, y, z, _] = State { input, temporary, ..State::default() }.coordinate(one.sources[0]);
    [x, y, z]
}

/// A pixel under way.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    input: Pixel,
    temporary: [Channels; 6],
    depth: Option<f32>,
    is_killed: bool,
}

/// Runs a program for a quad.
pub fn shade(
    program: &Program,
    constants: &Constants,
    quad: &[Pixel; PIXELS],
    textures: &mut impl Textures,
) -> [Shaded; PIXELS] {
    let constants = constants.of_program(program);
    let mut states = quad.map(|input| State { input, ..State::default() });
    let mut before = states;
    for one in program.instructions() {
        // The second of a pair reads what was there in front of the first.
        if !one.is_paired {
            before = states;
        }
        if one.operation == Operation::Texld {
            let coordinates = before.map(|state| {
                let [x, y, z, _] = state.coordinate(one.sources[0]);
                [x, y, z]
            });
            let index = one.destination.register.number;
            let colors = textures.sample(index, coordinates);
            for (state, color) in states.iter_mut().zip(colors) {
                state.temporary[usize::from(index)] = color.map(from_texture);
            }
        } else {
            states.iter_mut().zip(&before).for_each(|(state, before)| state.run(one, before, &constants));
        }
        textures.after(|| states.map(|state| state.registers()));
    }
    states.map(|State { temporary, depth, is_killed, .. }| Shaded {
        color: temporary[0].map(|value| ((i64::from(value).clamp(0, ONE) * 255 + HALF) >> 12) as u8),
        depth,
        is_killed,
    })
}

impl State {
    /// What it holds, as who asks for it sees it.
    const fn registers(self) -> Registers {
        let State { temporary, depth, is_killed, .. } = self;
        Registers { temporary, depth, is_killed }
    }

    fn run(&mut self, one: &Instruction, before: &State, constants: &Constants) {
        let Destination { register, .. } = one.destination;
        match one.operation {
            Operation::Texcrd => {
                let values = before.coordinate(one.sources[0]).map(to_register);
                self.write(one, values.map(i64::from));
            }
            Operation::Texkill => {
                self.is_killed |= before.components(register)[..3].iter().any(|value| *value < 0.0)
            }
            Operation::Texdepth => {
                let [r, g, ..] = before.components(register);
                self.depth = Some(divide(r, g));
            }
            _ => {
                let mut sources = one.sources.iter().map(|source| before.source(*source, constants));
                let [a, b, c] = [(); 3].map(|()| sources.next().unwrap_or_default());
                let bump = constants.bump[usize::from(register.number)].map(i64::from);
                self.write(one, compute(one.operation, a, b, c, bump));
            }
        }
    }

    /// A register as coordinates.
    fn components(&self, register: Register) -> [f32; 4] {
        let index = usize::from(register.number);
        match register.file {
            File::Coordinate => self.input.coordinates[index].map(flush),
            _ => self.temporary[index].map(|value| f32::from(value) / 4096.0),
        }
    }

    /// A source of texld or texcrd.
    fn coordinate(&self, source: Source) -> [f32; 4] {
        let [x, y, z, w] = self.components(source.register);
        let third = if source.selector == Selector::Xyw { w } else { z };
        match source.modifier {
            Modifier::Dz => [divide(x, z), divide(y, z), third, 0.0],
            Modifier::Dw => [divide(x, w), divide(y, w), third, 0.0],
            _ => [x, y, third, 0.0],
        }
    }

    /// A source of arithmetic.
    fn source(&self, source: Source, constants: &Constants) -> [i64; 4] {
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
        chosen.map(|value| {
            let value = i64::from(value);
            let (changed, negates) = match source.modifier {
                Modifier::None | Modifier::Dz | Modifier::Dw => (value, false),
                Modifier::Negate => (value, true),
                Modifier::Bias => (value - HALF, false),
                Modifier::BiasNegate => (value - HALF, true),
                Modifier::Bx2 => (2 * (value - HALF), false),
                Modifier::Bx2Negate => (2 * (value - HALF), true),
                Modifier::Invert => (ONE - value, false),
                Modifier::X2 => (2 * value, false),
                Modifier::X2Negate => (2 * value, true),
            };
            let changed = limit(changed);
            limit(if negates { -changed } else { changed })
        })
    }

    /// Modifies the result and writes the channels of the mask.
    fn write(&mut self, one: &Instruction, values: [i64; 4]) {
        let Destination { register, mask, shift, saturate } = one.destination;
        let target = &mut self.temporary[usize::from(register.number)];
        for (channel, value) in
            values.into_iter().enumerate().filter(|(channel, _)| mask.0 >> channel & 1 == 1)
        {
            let scaled = if shift < 0 { value >> -shift } else { value << shift };
            let kept = if saturate { scaled.clamp(0, ONE) } else { scaled };
            // Limited, so that it fits.
            target[channel] = limit(kept) as i16;
        }
    }
}

/// The result of an arithmetic instruction, exact but for the rounding of products.
fn compute(operation: Operation, a: [i64; 4], b: [i64; 4], c: [i64; 4], bump: [i64; 4]) -> [i64; 4] {
    let each = |result: &dyn Fn(i64, i64, i64) -> i64| [0, 1, 2, 3].map(|at| result(a[at], b[at], c[at]));
    let dot = |channels: usize| {
        let sum = a.iter().zip(b).take(channels).map(|(a, b)| a * b).sum();
        [round(sum); 4]
    };
    match operation {
        Operation::Mov => a,
        Operation::Add => each(&|a, b, _| a + b),
        Operation::Sub => each(&|a, b, _| a - b),
        Operation::Mul => each(&|a, b, _| round(a * b)),
        Operation::Mad => each(&|a, b, c| round(a * b) + c),
        Operation::Lrp => each(&|a, b, c| c + round(a * (b - c))),
        Operation::Dp3 => dot(3),
        Operation::Dp4 => dot(4),
        Operation::Cmp => each(&|a, b, c| if a >= 0 { b } else { c }),
        Operation::Cnd => each(&|a, b, c| if a > HALF { b } else { c }),
        Operation::Bem => {
            let [m00, m01, m10, m11] = bump;
            [a[0] + round(m00 * b[0] + m10 * b[1]), a[1] + round(m01 * b[0] + m11 * b[1]), 0, 0]
        }
        Operation::Texld | Operation::Texcrd | Operation::Texkill | Operation::Texdepth => [0; 4],
    }
}

/// A sum of products as a register has it, halves up.
fn round(products: i64) -> i64 {
    (products + HALF) >> 12
}

/// Limits to what a register holds.
fn limit(value: i64) -> i64 {
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
