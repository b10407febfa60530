//! `reset`: what each reset reaches, for every combination of what may ask for one.

use crate::support::is_high;
use rand::Rng;
use tmu_rtl::system::reset::Reset;
use tmu_stages::{Check, Rig};

#[test]
pub(crate) fn reset() {
    const CLOCKS: usize = 3000;
    let mut check = Check::new("reset");
    let mut rig = Rig::new("reset", Reset::new(3));
    let mut fifos_before = true;
    for _ in 0..CLOCKS {
        let mut rarely = || check.rng.random_range(0..4) == 0;
        let [hard, soft, port, control] = [rarely(), rarely(), rarely(), rarely()];
        let stopped = if rarely() { check.rng.random_range(0..8u64) } else { 0 };
        rig.drive("rst", hard.into());
        rig.soft_reset.drive(soft);
        rig.port_stopped.drive(port);
        rig.control_stopped.drive(control);
        if let Some(net) = rig.stopped.as_ref() {
            net.drive(stopped);
        }
        rig.tick();
        rig.settle();
        let said = format!("hard {hard}, soft {soft}, port {port}, control {control}, stopped {stopped:#b}");
        let resets = hard || soft || port;
        check.same(format_args!("the FIFOs after {said}"), is_high(rig.fifos.val()), resets);
        check.same(
            format_args!("the stages after {said}"),
            is_high(rig.flush.val()),
            resets || fifos_before || stopped != 0,
        );
        check.same(format_args!("the memory port after {said}"), is_high(rig.hard.val()), hard);
        check.same(
            format_args!("the control port after {said}"),
            is_high(rig.control.val()),
            hard || control,
        );
        fifos_before = resets;
    }
    check.at_least(4 * CLOCKS as u64);
}
