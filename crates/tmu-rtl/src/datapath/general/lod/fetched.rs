//! `fetched`: the level that a fetch asks for, where nothing else has one to choose.
//!
//! A level begins half a step below its number, and floats of one sign are ordered as their bits are: a level of detail is compared with
//! where each level begins.

use super::is_fetch;
use crate::datapath::general::words::{ItemHead, LEVEL_BITS, NUMBER_BITS, QuadMarks, field_of, has_field};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::field::LEVELS;
use tmu_spec::general::sampler::LOD_STEPS;
use tmu_spec::general::texture::MAX_LEVELS;

/// Bits of a float below its sign.
const MAGNITUDE_BITS: usize = NUMBER_BITS - 1;
/// Bits of its significand.
const FRACTION_BITS: usize = 23;

/// What a binding says.
#[derive(Bundle)]
pub(super) struct Fetched {
    last_level: Reg,
}

/// How far the level of detail of a request reaches.
#[derive(Clone, Debug, Record)]
pub(super) struct Reached<T = Bits> {
    is_fetch: T,
    /// Its sign.
    sign: T,
    /// It is no number.
    is_nan: T,
    /// With a sign it is below level 0.
    is_below: T,
    /// A bit for each level from 1 on, the one behind the last as well: without a sign it begins there or below.
    levels: T,
}

/// What is read.
pub(super) struct Read {
    pub(super) level: Bits,
    pub(super) is_fetch: Bits,
    pub(super) is_outside: Bits,
}

impl Fetched {
    pub(super) fn new(clocks: &Clocks) -> Fetched {
        Fetched { last_level: Reg::new(clocks, LEVEL_BITS) }
    }
}

/// The bits of the float at which a level begins.
fn begins(level: u32) -> u32 {
    (level as f32 - 0.5 / LOD_STEPS as f32).to_bits()
}

/// Compares what a request asks for.
#[kernel]
pub(super) fn reached(config: &Config, marks: &QuadMarks) -> Reached {
    /// # Level of a fetch
    let magnitude = marks.lod.low(MAGNITUDE_BITS);
    let fraction = magnitude.low(FRACTION_BITS);
    let reaches = |level: u32| magnitude >= u64::from(begins(level));
    let levels = stack((1..=MAX_LEVELS).map(reaches));
    let sign = u64::from(begins(0) & !(1 << MAGNITUDE_BITS));
    Reached {
        is_fetch: is_fetch(config, marks.operation),
        sign: marks.lod.high(1),
        is_nan: magnitude.high(MAGNITUDE_BITS - FRACTION_BITS).all() && fraction.any(),
        is_below: magnitude > sign,
        levels,
    }
}

/// The level, beside the last one of the binding.
#[kernel]
pub(super) fn read(fetched: &Fetched, reached: &Reached, (head, register): &(ItemHead, Bits)) -> Read {
    if has_field(head, LEVELS) {
        fetched.last_level.next = field_of(*register, LEVELS);
    }
    /// # Level
    let counts = !reached.sign && !reached.is_nan;
    let levels = reached.levels & counts.repeat(MAX_LEVELS as usize);
    let is_negative = reached.sign && reached.is_below && !reached.is_nan;
    let is_last = |level: usize| levels.bit(level - 1) && !levels.bit(level);
    let number = |level: usize| {
        let number = lit(LEVEL_BITS, level as u32);
        if is_last(level) { number } else { lit(LEVEL_BITS, 0u32) }
    };
    let level = (1..MAX_LEVELS as usize).fold(lit(LEVEL_BITS, 0u32), |any, level| any | number(level));
    let last = fetched.last_level.val();
    let is_beyond = (0..MAX_LEVELS as usize)
        .map(|level| levels.bit(level) && last == level as u64)
        .fold(lit(1, 0u32), |any, beyond| any || beyond);
    let is_fetch = reached.is_fetch;
    Read {
        level: level & is_fetch.repeat(LEVEL_BITS),
        is_fetch,
        is_outside: is_fetch && (is_negative || is_beyond),
    }
}
