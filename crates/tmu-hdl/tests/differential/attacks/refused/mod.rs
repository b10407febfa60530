//! Kernels whose hardware would not do what the kernel does. The names of those that hang, panic, change from run to run,
//! or are refused by another rule begin with `x_`.
// They are written the way they are in order to be wrong.
#![allow(unused_assignments, unused_must_use, unused_mut, unused_variables, clippy::all)]

mod branches;
mod containers;
mod matches;
mod runs;
mod variables;

use super::Attack;
use tmu_hdl::prelude::*;

/// All of them.
pub(super) fn kernels() -> impl Iterator<Item = &'static Attack> {
    [variables::KERNELS, containers::KERNELS, branches::KERNELS, matches::KERNELS, runs::KERNELS]
        .into_iter()
        .flatten()
}

fn number(n: usize) -> Bits {
    lit(8, n as u64)
}
