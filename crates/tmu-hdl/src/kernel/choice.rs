//! `match`: plain Rust on a value of Rust, a branch for every arm on a value of hardware.
//!
//! A `match` on hardware is a chain of hardware `if`s, one inside the `else` of the other, so that everything which holds
//! for `if` holds for it. The graph keeps beside each condition which `match` it belongs to; the Verilog prints the chain
//! as one `case`. What no pattern names takes the last arm, in simulation and in hardware alike.

use super::Mux;
use super::branch::open_on_bit;
use crate::bits::{Bits, lit};
use crate::diagnostic::Source;
use crate::enums::{Enum, HardwareEnum};
use crate::op::Op;
use crate::record::{self, Case};
use crate::value::Value;
use std::panic::Location;

/// `match` on an enum of the hardware.
pub trait MatchEnum<E: HardwareEnum> {
    /// Runs every arm once, `arm_of` says which arm a variant takes.
    #[track_caller]
    fn hw_match<T: Mux>(self, arm_of: impl Fn(&E) -> usize, run: impl FnMut(&E) -> T) -> T;
}

impl<E: HardwareEnum> MatchEnum<E> for Enum<E> {
    fn hw_match<T: Mux>(self, arm_of: impl Fn(&E) -> usize, run: impl FnMut(&E) -> T) -> T {
        let mut arms: Vec<(usize, Arm<E>)> = vec![];
        for &variant in E::ALL {
            add(&mut arms, arm_of(&variant), variant, variant.value().bits(), Some(variant.name()));
        }
        choose(self.bits(), arms, run, Location::caller())
    }
}

/// `match` on bits with numbers as patterns.
pub trait MatchNumbers {
    /// Runs every arm once, `arm_of` says which arm a number takes.
    #[track_caller]
    fn hw_match_numbers<T: Mux>(
        self,
        numbers: &[u64],
        arm_of: impl Fn(&u64) -> usize,
        run: impl FnMut(&u64) -> T,
    ) -> T;
}

impl MatchNumbers for Bits {
    fn hw_match_numbers<T: Mux>(
        self,
        numbers: &[u64],
        arm_of: impl Fn(&u64) -> usize,
        run: impl FnMut(&u64) -> T,
    ) -> T {
        let mut arms: Vec<(usize, Arm<u64>)> = vec![];
        for (i, &number) in numbers.iter().enumerate() {
            if !numbers[..i].contains(&number) {
                add(&mut arms, arm_of(&number), number, lit(self.width(), number), None);
            }
        }
        // The arm of all other numbers, which Rust makes sure there is: whatever else it names, it is the last.
        let other = (0..=u64::MAX).find(|number| !numbers.contains(number)).unwrap_or(u64::MAX);
        let last = arm_of(&other);
        arms.retain(|(arm, _)| *arm != last);
        add(&mut arms, last, other, Bits::constant(Value::zero(self.width())), None);
        choose(self, arms, run, Location::caller())
    }
}

/// The fallback for values of Rust: method lookup finds it one reference later.
pub trait MatchOther<V> {
    /// Plain `match`.
    fn hw_match<T>(self, arm_of: impl FnOnce(&V) -> usize, run: impl FnOnce(&V) -> T) -> T;
    /// Plain `match`.
    fn hw_match_numbers<T>(
        self,
        numbers: &[V],
        arm_of: impl FnOnce(&V) -> usize,
        run: impl FnOnce(&V) -> T,
    ) -> T
    where
        V: Sized;
}

impl<V> MatchOther<V> for &V {
    fn hw_match<T>(self, _: impl FnOnce(&V) -> usize, run: impl FnOnce(&V) -> T) -> T {
        run(self)
    }

    fn hw_match_numbers<T>(self, _: &[V], _: impl FnOnce(&V) -> usize, run: impl FnOnce(&V) -> T) -> T {
        run(self)
    }
}

/// The values that take one arm: one of them, and the codes and names of all.
struct Arm<V> {
    value: V,
    codes: Vec<Bits>,
    names: Vec<String>,
}

fn add<V>(arms: &mut Vec<(usize, Arm<V>)>, number: usize, value: V, code: Bits, name: Option<&str>) {
    let name = name.map(String::from);
    match arms.iter_mut().find(|(other, _)| *other == number) {
        Some((_, arm)) => {
            arm.codes.push(code);
            arm.names.extend(name);
        }
        None => arms.push((number, Arm { value, codes: vec![code], names: name.into_iter().collect() })),
    }
    arms.sort_by_key(|(number, _)| *number);
}

/// Runs the arms in their order, each under the condition that its codes and none before it are there.
#[track_caller]
fn choose<V, T: Mux>(
    scrutinee: Bits,
    mut arms: Vec<(usize, Arm<V>)>,
    mut run: impl FnMut(&V) -> T,
    source: Source,
) -> T {
    let Some((_, last)) = arms.pop() else { unreachable!("a `match` on hardware has an arm") };
    let number = record::next_case(&last.names);
    let mut open = vec![];
    let mut taken = None;
    for (_, arm) in arms {
        let condition = condition(scrutinee, &arm.codes, number, source);
        let is_constant = condition.without_name().node.is_none();
        let branch = open_on_bit(condition, true, source, false);
        let then = branch.then().then(|| run(&arm.value));
        let goes_on = branch.otherwise();
        let is_both = then.is_some() && goes_on;
        if !goes_on {
            taken = then;
            open.push((condition, None, is_constant, branch));
            break;
        }
        open.push((condition, then.filter(|_| is_both), is_constant, branch));
    }
    let mut result = taken.unwrap_or_else(|| run(&last.value));
    while let Some((condition, then, is_constant, branch)) = open.pop() {
        branch.end();
        result = match then {
            Some(then) => T::mux(condition, then, result),
            None if is_constant => result,
            None => result.chosen(),
        };
    }
    result
}

/// One bit: the value is one of these codes.
fn condition(scrutinee: Bits, codes: &[Bits], number: usize, source: Source) -> Bits {
    let equal = codes.iter().map(|&code| Bits::apply(Op::Eq, &[scrutinee, code], source));
    let any = equal.reduce(|any, one| Bits::apply(Op::LogicalOr, &[any, one], source));
    let condition = any.unwrap_or_else(|| Bits::poison(1));
    if let (Some(node), Some(scrutinee)) = (condition.node, scrutinee.node)
        && !condition.is_poison()
    {
        let codes = codes.iter().filter_map(|code| code.as_node(source)).collect();
        record::note_case(node, Case { number, scrutinee, codes });
    }
    condition
}
