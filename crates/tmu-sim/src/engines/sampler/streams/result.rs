//! Receives a result stream, with random pauses, and watches its handshake.

use crate::kit::error::Violation;
use crate::kit::pauses::{Pauser, Pauses};

/// A transfer of the result stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultBeat {
    /// The lowest 128 bits of `tdata`: all of it with 8 bits a channel.
    pub tdata: u128,
    /// The words above.
    pub above: [u128; 3],
    /// `tuser`: the valid bits and the error bit.
    pub tuser: u8,
    /// `tlast`: no other result of the quad follows. Set where the stream has none.
    pub last: bool,
}

impl ResultBeat {
    /// A result of 128 bits.
    #[must_use]
    pub const fn narrow(tdata: u128, tuser: u8) -> Self {
        Self { tdata, above: [0; 3], tuser, last: true }
    }
}

/// The receiving side of a result stream.
#[derive(Debug)]
pub struct ResultMonitor {
    interface: String,
    ready: bool,
    /// What was shown and not taken.
    waiting: Option<ResultBeat>,
    pauser: Pauser,
    held: bool,
}

impl ResultMonitor {
    /// A monitor that is not ready before its first clock. `interface` names it in messages.
    #[must_use]
    pub fn new(interface: String, pauses: Pauses, seed: u64) -> Self {
        Self { interface, ready: false, waiting: None, pauser: Pauser::new(pauses, seed), held: false }
    }

    /// Takes nothing from the next clock on, or takes results again.
    pub const fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Forgets what was shown: only in reset.
    pub fn clear(&mut self) {
        self.waiting = None;
    }

    /// A rising edge: `valid` is `tvalid` before it, `read` reads the other signals. Returns what was received.
    ///
    /// # Errors
    /// If a result was taken back or changed while it waited.
    pub fn clock(
        &mut self,
        valid: bool,
        read: impl FnOnce() -> ResultBeat,
    ) -> Result<Option<ResultBeat>, Violation> {
        let mut received = None;
        if valid {
            let beat = read();
            if let Some(waiting) = self.waiting.filter(|waiting| *waiting != beat) {
                let what = format!("changed from {waiting:x?} to {beat:x?} while tready was low");
                return Err(Violation::new(&self.interface, what));
            }
            self.waiting = (!self.ready).then_some(beat);
            received = self.ready.then_some(beat);
        } else if self.waiting.is_some() {
            return Err(Violation::new(&self.interface, "tvalid fell before tready was high"));
        }
        self.ready = !self.pauser.paused() && !self.held;
        Ok(received)
    }

    /// `tready`.
    #[must_use]
    pub const fn ready(&self) -> bool {
        self.ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEAT: ResultBeat = ResultBeat::narrow(5, 1);

    fn monitor(percent: u8) -> ResultMonitor {
        ResultMonitor::new("m_axis_res0".to_owned(), Pauses::percent(percent), 3)
    }

    #[test]
    fn a_result_is_received_when_both_agree() {
        let mut monitor = monitor(0);
        let unread = || panic!("not valid");
        assert_eq!(monitor.clock(false, unread), Ok(None));
        assert!(monitor.ready());
        assert_eq!(monitor.clock(true, || BEAT), Ok(Some(BEAT)));
        assert_eq!(monitor.clock(false, unread), Ok(None));
    }

    #[test]
    fn taking_back_and_changing_are_refused() {
        let stalled = || {
            let mut monitor = monitor(95);
            while monitor.clock(true, || BEAT).unwrap().is_some() || monitor.ready() {}
            monitor.clock(true, || BEAT).unwrap();
            monitor
        };
        let changed = stalled().clock(true, || ResultBeat { tdata: 6, ..BEAT }).unwrap_err();
        assert!(changed.to_string().contains("changed"), "{changed}");
        let fell = stalled().clock(false, || BEAT).unwrap_err();
        assert_eq!(fell.to_string(), "m_axis_res0: tvalid fell before tready was high");
        let mut reset = stalled();
        reset.clear();
        assert_eq!(reset.clock(false, || BEAT), Ok(None));
    }
}
