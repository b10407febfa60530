//! An AXI4-Lite manager: one access at a time, with random pauses.

use crate::error::Violation;
use crate::pauses::{Pauser, Pauses};
use std::collections::VecDeque;

const INTERFACE: &str = "s_axil";

/// An access to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads a register.
    Read {
        /// Byte address.
        address: u32,
    },
    /// Writes the bytes of a register whose strobe is set.
    Write {
        /// Byte address.
        address: u32,
        /// `wdata`.
        data: u32,
        /// `wstrb`, one bit a byte.
        strobe: u8,
    },
}

/// The answer to an access: data (0 of a write) and response (0 OKAY, 2 SLVERR, 3 DECERR).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// `rdata`.
    pub data: u32,
    /// `rresp` or `bresp`.
    pub response: u8,
}

/// What the hardware shows on its five channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shown {
    /// `awready`.
    pub write_address_ready: bool,
    /// `wready`.
    pub write_data_ready: bool,
    /// `bresp`, if `bvalid`.
    pub write_response: Option<u8>,
    /// `arready`.
    pub read_address_ready: bool,
    /// `rdata` and `rresp`, if `rvalid`.
    pub read_data: Option<(u32, u8)>,
}

/// What the manager drives. All fields are signals of the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Driven {
    /// `awvalid`.
    pub write_address_valid: bool,
    /// `wvalid`.
    pub write_data_valid: bool,
    /// `bready`.
    pub write_response_ready: bool,
    /// `arvalid`.
    pub read_address_valid: bool,
    /// `rready`.
    pub read_data_ready: bool,
    /// `awaddr` and `araddr`.
    pub address: u32,
    /// `wdata`.
    pub data: u32,
    /// `wstrb`.
    pub strobe: u8,
}

/// The managing side of a control port.
#[derive(Debug)]
pub struct ControlDriver {
    queue: VecDeque<Access>,
    answers: VecDeque<Answer>,
    driven: Driven,
    /// The access in progress still has its address, its data to hand over.
    owed: Option<(bool, bool)>,
    /// A read answer and a write response that were shown and not taken.
    waiting: (Option<(u32, u8)>, Option<u8>),
    pauser: Pauser,
}

impl ControlDriver {
    /// A driver with nothing to do.
    #[must_use]
    pub fn new(pauses: Pauses, seed: u64) -> Self {
        Self {
            queue: VecDeque::new(),
            answers: VecDeque::new(),
            driven: Driven::default(),
            owed: None,
            waiting: (None, None),
            pauser: Pauser::new(pauses, seed),
        }
    }

    /// Queues an access.
    pub fn push(&mut self, access: Access) {
        self.queue.push_back(access);
    }

    /// The answer to the oldest access that was answered and not yet asked for here.
    pub fn answer(&mut self) -> Option<Answer> {
        self.answers.pop_front()
    }

    /// Whether an access is queued or in progress.
    #[must_use]
    pub fn busy(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Forgets everything: only in reset.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.answers.clear();
        self.driven = Driven::default();
        self.owed = None;
        self.waiting = (None, None);
    }

    /// What is driven.
    #[must_use]
    pub const fn driven(&self) -> &Driven {
        &self.driven
    }

    /// A rising edge with what the hardware showed before it. Returns whether anything moved.
    ///
    /// # Errors
    /// If an answer came unasked, or was taken back or changed while it waited.
    pub fn clock(&mut self, shown: Shown) -> Result<bool, Violation> {
        let before = self.driven;
        self.check(&shown)?;
        self.waiting = (
            shown.read_data.filter(|_| !before.read_data_ready),
            shown.write_response.filter(|_| !before.write_response_ready),
        );
        let mut moved = false;
        let mut hand_over = |valid: &mut bool, ready: bool| {
            moved |= *valid && ready;
            *valid &= !ready;
        };
        hand_over(&mut self.driven.write_address_valid, shown.write_address_ready);
        hand_over(&mut self.driven.write_data_valid, shown.write_data_ready);
        hand_over(&mut self.driven.read_address_valid, shown.read_address_ready);
        let written = shown.write_response.filter(|_| before.write_response_ready);
        let read = shown.read_data.filter(|_| before.read_data_ready);
        let written = written.map(|response| Answer { data: 0, response });
        let read = read.map(|(data, response)| Answer { data, response });
        if let Some(answer) = written.or(read) {
            self.answers.push_back(answer);
            self.queue.pop_front();
            self.driven.write_response_ready = false;
            self.driven.read_data_ready = false;
            self.owed = None;
            moved = true;
        }
        self.drive();
        Ok(moved)
    }

    /// Decides what to show next.
    fn drive(&mut self) {
        let Some(access) = self.queue.front() else { return };
        let owed = self.owed.get_or_insert((true, matches!(access, Access::Write { .. })));
        match *access {
            Access::Read { address } => {
                if owed.0 && !self.pauser.paused() {
                    owed.0 = false;
                    self.driven.read_address_valid = true;
                    self.driven.address = address;
                }
                self.driven.read_data_ready |= !self.pauser.paused();
            }
            Access::Write { address, data, strobe } => {
                // Address and data may come in either order.
                if owed.0 && !self.pauser.paused() {
                    owed.0 = false;
                    self.driven.write_address_valid = true;
                    self.driven.address = address;
                }
                if owed.1 && !self.pauser.paused() {
                    owed.1 = false;
                    self.driven.write_data_valid = true;
                    self.driven.data = data;
                    self.driven.strobe = strobe;
                }
                self.driven.write_response_ready |= !self.pauser.paused();
            }
        }
    }

    fn check(&self, shown: &Shown) -> Result<(), Violation> {
        let read_done = self.owed == Some((false, false)) && !self.driven.read_address_valid;
        let write_done = read_done && !self.driven.write_address_valid && !self.driven.write_data_valid;
        let reading = matches!(self.queue.front(), Some(Access::Read { .. }));
        if shown.read_data.is_some() && !(reading && read_done) {
            return Err(Violation::new(INTERFACE, "rvalid rose without a read"));
        }
        if shown.write_response.is_some() && (reading || !write_done) {
            return Err(Violation::new(INTERFACE, "bvalid rose before address and data of a write"));
        }
        let (read, write) = self.waiting;
        if read.is_some() && read != shown.read_data {
            return Err(Violation::new(INTERFACE, "read data changed while rready was low"));
        }
        if write.is_some() && write != shown.write_response {
            return Err(Violation::new(INTERFACE, "a write response changed while bready was low"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Access = Access::Read { address: 0x20 };
    const WRITE: Access = Access::Write { address: 0x10, data: 5, strobe: 3 };

    /// A register file of one register that answers a clock after it has what it needs.
    #[derive(Default)]
    struct Register {
        value: u32,
        address: Option<u32>,
        data: Option<u32>,
        shown: Shown,
    }

    impl Register {
        fn clock(&mut self, driven: &Driven) -> Shown {
            let before = self.shown;
            if driven.write_response_ready {
                self.shown.write_response = None;
            }
            if driven.read_data_ready {
                self.shown.read_data = None;
            }
            if driven.write_address_valid && before.write_address_ready {
                self.address = Some(driven.address);
            }
            if driven.write_data_valid && before.write_data_ready {
                self.data = Some(driven.data);
            }
            if let (Some(_), Some(data)) = (self.address, self.data) {
                (self.value, self.address, self.data) = (data, None, None);
                self.shown.write_response = Some(0);
            }
            if driven.read_address_valid && before.read_address_ready {
                self.shown.read_data = Some((self.value, if driven.address == 0x20 { 0 } else { 2 }));
            }
            self.shown.write_address_ready = self.address.is_none();
            self.shown.write_data_ready = self.data.is_none();
            self.shown.read_address_ready = true;
            before
        }
    }

    #[test]
    fn accesses_are_answered_in_order() {
        for percent in [0, 30] {
            let mut driver = ControlDriver::new(Pauses::percent(percent), 4);
            let mut register = Register::default();
            for access in [WRITE, READ, Access::Read { address: 0x24 }] {
                driver.push(access);
            }
            let mut answers = Vec::new();
            for _ in 0..1000 {
                let driven = *driver.driven();
                driver.clock(register.clock(&driven)).unwrap();
                answers.extend(driver.answer());
            }
            assert!(!driver.busy());
            let answer = |data, response| Answer { data, response };
            assert_eq!(answers, [answer(0, 0), answer(5, 0), answer(5, 2)], "{percent} % pauses");
        }
    }

    #[test]
    fn answers_that_nobody_asked_for_are_refused() {
        let mut driver = ControlDriver::new(Pauses::NONE, 0);
        let read = Shown { read_data: Some((1, 0)), ..Shown::default() };
        assert!(driver.clock(read).unwrap_err().what.contains("without a read"));
        driver.push(WRITE);
        driver.clock(Shown::default()).unwrap();
        let written = Shown { write_response: Some(0), ..Shown::default() };
        assert!(driver.clock(written).unwrap_err().what.contains("before address and data"));
    }
}
