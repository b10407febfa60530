//! Primitives with registers inside, as a part of a pipe.

use super::{Payload, Run, Stages};
use crate::arithmetic::{FixedToFloat, FloatAdd, FloatCompare, FloatMultiply, FloatReciprocal, FloatToFixed};
use crate::bits::Bits;
use crate::clock::Clocks;
use crate::diagnostic::Rule;
use crate::primitives::{DualMultiplier, LerpPair, LerpSingle, Multiplier, Rom};
use crate::record;
use crate::records::Word;
use crate::value::Value;
use std::panic::Location;

/// A primitive whose result is there a fixed number of moves after what goes in.
pub trait Registered {
    /// What goes in.
    type Input;
    /// What comes out.
    type Output: Word;
    /// Moves from the one to the other.
    fn moves(&self) -> usize;
    /// Drives clock, enable and inputs and returns the outputs.
    #[track_caller]
    fn connect(&self, clocks: &Clocks, advance: Bits, input: Self::Input) -> Self::Output;
}

impl<'a, S: Stages> Run<'a, S> {
    /// Sends a value through a primitive from a stage on. The result is a payload that exists as many stages later as the
    /// primitive has registers.
    #[track_caller]
    pub fn through<R: Registered>(
        &self,
        stage: S,
        name: &str,
        primitive: &R,
        input: R::Input,
    ) -> Payload<'a, S, R::Output> {
        let source = Location::caller();
        if self.is_flow() {
            record::refuse(
                Rule::Unsupported,
                format!(
                    "`{name}` goes through a primitive whose registers move together, in a pipe that flows"
                ),
                vec![("written".into(), source)],
                "move all stages together, with `run`",
            );
        }
        let (position, source) = self.at(stage, name, source);
        let last = position + primitive.moves();
        if last > self.pipe.latency_clocks() as usize {
            record::refuse(
                Rule::Unsupported,
                format!("`{name}` leaves its primitive behind the last stage of its pipe"),
                vec![("written".into(), source)],
                "begin at an earlier stage, or give the pipe more stages",
            );
        }
        let output = primitive.connect(self.clocks, self.moves(position), input);
        self.put_at((last, source), self.pipe.keep, name, output, false)
    }
}

/// Primitives side by side, all alike.
impl<R: Registered, const N: usize> Registered for [R; N] {
    type Input = [R::Input; N];
    type Output = [R::Output; N];
    fn moves(&self) -> usize {
        self.first().map_or(0, R::moves)
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, input: Self::Input) -> Self::Output {
        let mut primitives = self.iter();
        input.map(|input| match primitives.next() {
            Some(primitive) => primitive.connect(clocks, advance, input),
            None => unreachable!("as many primitives as inputs"),
        })
    }
}

impl Registered for Multiplier {
    type Input = (Bits, Bits);
    type Output = Bits;
    fn moves(&self) -> usize {
        Multiplier::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, (a, b): (Bits, Bits)) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.a.drive(a);
        self.b.drive(b);
        self.product.val()
    }
}

/// The sum.
impl Registered for FloatAdd {
    type Input = (Bits, Bits);
    type Output = Bits;
    fn moves(&self) -> usize {
        FloatAdd::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, (a, b): (Bits, Bits)) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.a.drive(a);
        self.b.drive(b);
        self.subtract.drive(Bits::constant(Value::zero(1)));
        self.result.val()
    }
}

impl Registered for FloatMultiply {
    type Input = (Bits, Bits);
    type Output = Bits;
    fn moves(&self) -> usize {
        FloatMultiply::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, (a, b): (Bits, Bits)) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.a.drive(a);
        self.b.drive(b);
        self.result.val()
    }
}

impl Registered for FloatReciprocal {
    type Input = Bits;
    type Output = Bits;
    fn moves(&self) -> usize {
        FloatReciprocal::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, a: Bits) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.a.drive(a);
        self.result.val()
    }
}

impl Registered for FixedToFloat {
    type Input = Bits;
    type Output = Bits;
    fn moves(&self) -> usize {
        FixedToFloat::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, fixed: Bits) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.fixed.drive(fixed);
        self.single.val()
    }
}

impl Registered for FloatToFixed {
    type Input = Bits;
    type Output = Bits;
    fn moves(&self) -> usize {
        FloatToFixed::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, float: Bits) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.single.drive(float);
        self.fixed.val()
    }
}

/// Less, equal, unordered.
impl Registered for FloatCompare {
    type Input = (Bits, Bits);
    type Output = [Bits; 3];
    fn moves(&self) -> usize {
        FloatCompare::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, (a, b): (Bits, Bits)) -> [Bits; 3] {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.a.drive(a);
        self.b.drive(b);
        [self.less.val(), self.equal.val(), self.unordered.val()]
    }
}

impl Registered for DualMultiplier {
    /// The two factors, and the one that both have in common.
    type Input = ([Bits; 2], Bits);
    type Output = [Bits; 2];
    fn moves(&self) -> usize {
        self.latency_clocks() as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, ([a0, a1], b): ([Bits; 2], Bits)) -> [Bits; 2] {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.a0.drive(a0);
        self.a1.drive(a1);
        self.b.drive(b);
        [self.p0.val(), self.p1.val()]
    }
}

impl Registered for LerpPair {
    /// Both channels at weight 0, both at weight 256, and the weight.
    type Input = ([Bits; 2], [Bits; 2], Bits);
    type Output = [Bits; 2];
    fn moves(&self) -> usize {
        LerpPair::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, (x, y, weight): Self::Input) -> [Bits; 2] {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.x0.drive(x[0]);
        self.x1.drive(x[1]);
        self.y0.drive(y[0]);
        self.y1.drive(y[1]);
        self.weight.drive(weight);
        [self.result0.val(), self.result1.val()]
    }
}

impl Registered for LerpSingle {
    /// The channel at weight 0, that at weight 256, and the weight.
    type Input = (Bits, Bits, Bits);
    type Output = Bits;
    fn moves(&self) -> usize {
        LerpSingle::LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, (x, y, weight): Self::Input) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.x.drive(x);
        self.y.drive(y);
        self.weight.drive(weight);
        self.result.val()
    }
}

impl Registered for Rom {
    /// The address.
    type Input = Bits;
    type Output = Bits;
    fn moves(&self) -> usize {
        1 + usize::from(self.output_enable.is_some())
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, address: Bits) -> Bits {
        self.clocks.follow(clocks);
        self.read_enable.drive(advance);
        self.read_address.drive(address);
        if let Some(enable) = self.output_enable.as_ref() {
            enable.drive(advance);
        }
        self.read_data.val()
    }
}
