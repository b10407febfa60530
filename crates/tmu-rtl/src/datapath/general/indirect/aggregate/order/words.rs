//! What passes between the parts of `order`, and from it to the rest of `aggregate`.

use super::{MORE_BITS, Marks, OPERATION_BITS, PLACE_BITS};
use crate::datapath::general::result::QuadSample;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// A quad that is whole.
#[derive(Clone, Debug, Record)]
pub(super) struct Quad<T = Bits> {
    pub(super) marks: Marks<T>,
    /// Valid bits of its pixels.
    pub(super) valid: T,
    pub(super) fails: T,
    pub(super) are_floats: T,
}

/// A quad that is looked at, and what becomes of it.
#[derive(Clone, Debug, Record)]
pub(super) struct Looked<T = Bits> {
    pub(super) quad: Quad<T>,
    /// Its values are put together.
    pub(super) is_one: T,
    pub(super) walks: T,
    pub(super) is_sum: T,
    pub(super) is_average: T,
    /// Floats are divided at the end.
    pub(super) is_divided: T,
}

/// A quad in line to leave.
#[derive(Clone, Debug, Record)]
pub(super) struct InLine<T = Bits> {
    /// Its values are put together.
    pub(super) is_one: T,
    pub(super) more: T,
    pub(super) valid: T,
    pub(super) fails: T,
    pub(super) are_floats: T,
}

/// What leaves.
#[derive(Clone, Debug, Record)]
pub(in super::super) struct Leaving<T = Bits> {
    pub(in super::super) valid: T,
    pub(in super::super) fails: T,
    pub(in super::super) are_floats: T,
    pub(in super::super) is_last: T,
}

/// What becomes of a value that is put to others.
#[derive(Clone, Debug, Record)]
pub(in super::super) struct Task<T = Bits> {
    /// It goes a channel a clock.
    pub(in super::super) walks: T,
    pub(in super::super) operation: T,
    pub(in super::super) are_floats: T,
    /// It is the first one of its quad.
    pub(in super::super) is_first: T,
    /// It is the last one of a quad that does not.
    pub(in super::super) ends: T,
    /// What comes of it is the result.
    pub(in super::super) is_last: T,
    /// What is held is divided by the number of values instead.
    pub(in super::super) divides: T,
    pub(in super::super) more: T,
    /// Unsigned numbers are added.
    pub(in super::super) is_sum: T,
    /// And one, so that what is cut off their average rounds.
    pub(in super::super) rounds: T,
    /// They are compared first.
    pub(in super::super) compares: T,
}

impl Task<Width> {
    /// The shape of a configuration.
    pub(in super::super) fn of(config: &Config) -> Task<Width> {
        let bit = Width::bits(1);
        Task {
            walks: bit,
            operation: Width::bits(OPERATION_BITS),
            are_floats: QuadSample::of(config).are_floats,
            is_first: bit,
            ends: bit,
            is_last: bit,
            divides: bit,
            more: Width::bits(MORE_BITS),
            is_sum: bit,
            rounds: bit,
            compares: bit,
        }
    }
}

impl Quad<Width> {
    pub(super) fn of(config: &Config) -> Quad<Width> {
        let QuadSample { valid, fails, are_floats, .. } = QuadSample::of(config);
        Quad { marks: Marks::shape(), valid, fails, are_floats }
    }
}

impl Looked<Width> {
    pub(super) fn of(config: &Config) -> Looked<Width> {
        let bit = Width::bits(1);
        Looked {
            quad: Quad::of(config),
            is_one: bit,
            walks: bit,
            is_sum: bit,
            is_average: bit,
            is_divided: bit,
        }
    }
}

impl InLine<Width> {
    pub(super) fn of(config: &Config) -> InLine<Width> {
        let Quad { valid, fails, are_floats, .. } = Quad::of(config);
        InLine { is_one: Width::bits(1), more: Width::bits(MORE_BITS), valid, fails, are_floats }
    }
}

impl Leaving<Width> {
    pub(super) fn of(config: &Config) -> Leaving<Width> {
        let QuadSample { valid, fails, are_floats, is_last, .. } = QuadSample::of(config);
        Leaving { valid, fails, are_floats, is_last }
    }
}

/// What a value is read for.
#[derive(Clone, Debug, Record)]
pub(super) struct Read<T = Bits> {
    pub(super) place: T,
    pub(super) task: Task<T>,
    pub(super) leaving: Leaving<T>,
}

impl Read<Width> {
    pub(super) fn of(config: &Config) -> Read<Width> {
        Read { place: Width::bits(PLACE_BITS), task: Task::of(config), leaving: Leaving::of(config) }
    }
}

/// What is to be read.
#[derive(Clone, Debug, Record)]
pub(super) struct Asked<T = Bits> {
    /// A task; otherwise it leaves.
    pub(super) is_task: T,
    pub(super) read: Read<T>,
}

impl Asked<Width> {
    pub(super) fn of(config: &Config) -> Asked<Width> {
        Asked { is_task: Width::bits(1), read: Read::of(config) }
    }
}
