//! `axis` of the general numerics against `tmu_model::general::coordinate`: every mode, sizes of all kinds, edges and middles of texels.

use crate::support::number;
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::general::coordinate::{AxisTaps, addressed, axis};
use tmu_rtl::datapath::general::axis::{Axis, COORDINATE_BITS};
use tmu_spec::general::Filter;
use tmu_spec::{AddressMode, Config, Preset};
use tmu_stages::{Check, Flow, Rig};

const ONE: i64 = 1 << 20;

fn config() -> Config {
    Preset::find("multi").expect("the preset is there").config().expect("it is legal")
}

/// What goes in.
#[derive(Debug, Clone, Copy)]
struct Case {
    coordinate: i64,
    size: u32,
    mode: AddressMode,
    is_linear: bool,
    is_seamless: bool,
}

impl Case {
    fn random(check: &mut Check) -> Self {
        let size = match check.rng.random_range(0..4) {
            0 => check.pick(&[1, 2, 3, 4, 4095, 4096]),
            1 => 1 << check.rng.random_range(0..=12),
            _ => check.rng.random_range(1..=4096),
        };
        let near = check.rng.random_range(-2..=2i64);
        let half_texels = 2 * i64::from(size);
        let coordinate = match check.rng.random_range(0..5) {
            0 => ONE * check.rng.random_range(-3..=3i64) + near,
            // Rounded up, so that it is the first one there.
            1 | 2 => {
                -(-ONE * check.rng.random_range(-half_texels..=2 * half_texels)).div_euclid(half_texels)
                    + near
            }
            3 => check.pick(&[-(1 << 36), (1 << 36) - 1, -(1 << 35), (1 << 35) - 1]),
            _ => (check.rng.random::<i64>() >> 27) >> check.rng.random_range(0..24),
        };
        // The axes of a cube are 0 to 1 and have one mode.
        let is_seamless = check.one_in(5);
        let mode = if is_seamless { AddressMode::Clamp } else { check.pick(&AddressMode::ALL) };
        let coordinate = if is_seamless { coordinate.clamp(0, ONE) } else { coordinate };
        Self { coordinate, size, mode, is_linear: !check.one_in(4), is_seamless }
    }

    fn expected(&self) -> AxisTaps {
        let goes_on = self.is_seamless || self.mode == AddressMode::Border;
        let filter = if self.is_linear { Filter::Linear } else { Filter::Nearest };
        axis(self.mode, goes_on, addressed(self.mode, self.coordinate), self.size, filter)
    }
}

#[test]
pub(crate) fn general_axis() {
    const CASES: usize = 20_000;
    let mut check = Check::new("general::axis");
    let mut rig = Rig::new("axis", Axis::new(&config()));
    let mut owed = Flow::default();
    let mut steps = 0;
    while steps < CASES + Axis::LATENCY_STEPS {
        let case = Case::random(&mut check);
        let advance = !check.one_in(4);
        rig.advance.drive(advance);
        rig.input
            .coordinate
            .drive(number(COORDINATE_BITS, case.coordinate as u64 & ((1 << COORDINATE_BITS) - 1)));
        rig.input.size.drive(u64::from(case.size));
        rig.input.mode.drive(u64::from(case.mode.code()));
        rig.input.is_linear.drive(case.is_linear);
        rig.input.is_seamless.drive(case.is_seamless);
        rig.tick();
        rig.settle();
        if advance {
            owed.put(case);
            steps += 1;
        }
        if advance && owed.len() == Axis::LATENCY_STEPS {
            let case = owed.next(&mut check);
            same(&mut check, &rig, case);
        }
    }
    check.at_least(CASES as u64);
}

/// A texel outside shows in its flag alone; that of a tap without weight does not matter.
fn same(check: &mut Check, rig: &Axis, case: Case) {
    let AxisTaps { texels, weight } = case.expected();
    let taps = rig.taps.val();
    check.same(format_args!("weight of {case:?}"), taps.weight.to_u64(), weight.into());
    let got = [(taps.first, taps.first_is_outside), (taps.second, taps.second_is_outside)];
    for (number, ((got, is_outside), texel)) in got.into_iter().zip(texels).enumerate() {
        if number == 1 && weight == 0 {
            continue;
        }
        let is_inside = (0..case.size as i32).contains(&texel);
        let said = format!("texel {number} of {case:?}");
        check.same(format_args!("{said} is outside"), is_outside.to_u64() == 1, !is_inside);
        if is_inside {
            check.same(said, got.to_u64(), texel as u64);
        }
    }
}
