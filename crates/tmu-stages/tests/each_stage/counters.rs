//! `counters`: every event of every clock is counted, those in the clock of a count's turn too.

use crate::support::is_high;
use rand::Rng;
use tmu_rtl::system::counters::{COUNTS, Counters, Increment, PLACES};
use tmu_stages::{Check, Rig};

#[test]
pub(crate) fn counters() {
    const CLOCKS: usize = 6000;
    let mut increments = [Increment::ONE; COUNTS];
    increments[1] = Increment::PIXELS;
    increments[2] = Increment::FOUR;
    let mut check = Check::new("counters");
    let mut rig = Rig::new("counters", Counters::new(increments));
    let mut happened = [0u64; COUNTS];
    let mut since_pixels = 0u64;
    for _ in 0..CLOCKS {
        step(&mut check, &mut rig, &mut happened, &mut since_pixels);
    }
    // What has happened passes by after a turn, and is counted whole.
    rig.events.all().iter().for_each(|event| event.drive(0));
    (0..2 * PLACES).for_each(|_| rig.tick());
    for _ in 0..PLACES {
        rig.settle();
        let (number, count) = (rig.number.val().to_u64() as usize, rig.count.val().to_u64());
        if let Some(expected) = happened.get(number) {
            check.same(format_args!("count {number} after {CLOCKS} clocks"), count, *expected);
        }
        rig.tick();
    }
    check.holds(!is_high(rig.events.all()[0].val()), "nothing more happens");
    check.at_least(COUNTS as u64);
}

/// A clock with events: in bursts, and as many as a count can take.
fn step(check: &mut Check, rig: &mut Rig<Counters>, happened: &mut [u64; COUNTS], since_pixels: &mut u64) {
    for (number, event) in rig.events.all().into_iter().enumerate() {
        let added = match number {
            // Pixels are no more than one a clock in the end.
            1 if *since_pixels >= 4 && check.one_in(2) => {
                *since_pixels = 0;
                check.rng.random_range(0..=4)
            }
            1 => 0,
            2 => check.pick(&[0, 4, 4, 1, 3]),
            _ => check.rng.random_range(0..=1),
        };
        event.drive(added);
        happened[number] += added;
    }
    *since_pixels += 1;
    rig.tick();
}
