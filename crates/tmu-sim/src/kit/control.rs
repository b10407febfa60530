//! An AXI4-Lite manager: one access after the other or overlapping, with random pauses.

use super::pauses::{Pauser, Pauses};
use crate::kit::error::Violation;
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

impl Access {
    const fn address(&self) -> u32 {
        match *self {
            Access::Read { address } | Access::Write { address, .. } => address,
        }
    }
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
    /// `awaddr`.
    pub write_address: u32,
    /// `wvalid`.
    pub write_data_valid: bool,
    /// `wdata`.
    pub write_data: u32,
    /// `wstrb`.
    pub strobe: u8,
    /// `bready`.
    pub write_response_ready: bool,
    /// `arvalid`.
    pub read_address_valid: bool,
    /// `araddr`.
    pub read_address: u32,
    /// `rready`.
    pub read_data_ready: bool,
}

/// How far the address or the data of an access has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Owed,
    Offered,
    Taken,
}

#[derive(Debug)]
struct Queued {
    access: Access,
    /// Does not wait for the answers to those before it.
    overlaps: bool,
    address: Part,
    /// Of a read there is none to hand over.
    data: Part,
    answer: Option<Answer>,
}

impl Queued {
    fn new(access: Access, overlaps: bool) -> Self {
        let data = if matches!(access, Access::Read { .. }) { Part::Taken } else { Part::Owed };
        Self { access, overlaps, address: Part::Owed, data, answer: None }
    }

    const fn is_read(&self) -> bool {
        matches!(self.access, Access::Read { .. })
    }

    /// Everything has been handed over and no answer has come.
    fn awaits(&self) -> bool {
        self.answer.is_none() && self.address == Part::Taken && self.data == Part::Taken
    }
}

/// The managing side of a control port.
#[derive(Debug)]
pub struct ControlDriver {
    queue: VecDeque<Queued>,
    answers: VecDeque<Answer>,
    driven: Driven,
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
            waiting: (None, None),
            pauser: Pauser::new(pauses, seed),
        }
    }

    /// Queues an access that begins when all before it have been answered.
    pub fn push(&mut self, access: Access) {
        self.queue.push_back(Queued::new(access, false));
    }

    /// Queues an access that does not wait for the answers to those before it: its address follows theirs, and reads go
    /// beside writes.
    pub fn push_overlapping(&mut self, access: Access) {
        self.queue.push_back(Queued::new(access, true));
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
        self.check(&shown)?;
        self.waiting = (
            shown.read_data.filter(|_| !self.driven.read_data_ready),
            shown.write_response.filter(|_| !self.driven.write_response_ready),
        );
        let handed_over = self.hand_over(&shown);
        let read = shown.read_data.filter(|_| self.driven.read_data_ready);
        if let Some((data, response)) = read {
            self.driven.read_data_ready = false;
            self.answered(true, Answer { data, response });
        }
        let written = shown.write_response.filter(|_| self.driven.write_response_ready);
        if let Some(response) = written {
            self.driven.write_response_ready = false;
            self.answered(false, Answer { data: 0, response });
        }
        while let Some(answer) = self.queue.front().and_then(|first| first.answer) {
            self.answers.push_back(answer);
            self.queue.pop_front();
        }
        self.drive();
        Ok(handed_over || read.is_some() || written.is_some())
    }

    /// Takes back what the hardware has taken. Returns whether that was anything.
    fn hand_over(&mut self, shown: &Shown) -> bool {
        let Self { queue, driven, .. } = self;
        let moves = |valid: &mut bool, ready: bool| ready && std::mem::take(valid);
        let writes = moves(&mut driven.write_address_valid, shown.write_address_ready);
        let reads = moves(&mut driven.read_address_valid, shown.read_address_ready);
        let has_data = moves(&mut driven.write_data_valid, shown.write_data_ready);
        for queued in queue {
            let address_moves = if queued.is_read() { reads } else { writes };
            if address_moves && queued.address == Part::Offered {
                queued.address = Part::Taken;
            }
            if has_data && queued.data == Part::Offered {
                queued.data = Part::Taken;
            }
        }
        writes || reads || has_data
    }

    /// Notes the answer to the oldest read or write that awaits one.
    fn answered(&mut self, is_read: bool, answer: Answer) {
        if let Some(oldest) = self.oldest(is_read) {
            oldest.answer = Some(answer);
        }
    }

    fn oldest(&mut self, is_read: bool) -> Option<&mut Queued> {
        self.queue.iter_mut().find(|queued| queued.is_read() == is_read && queued.answer.is_none())
    }

    /// Decides what to show next: on each channel the oldest that may begin. Address and data of a write may come in
    /// either order.
    fn drive(&mut self) {
        let begun = self.begun();
        let Self { queue, driven, pauser, .. } = self;
        let begun = &mut queue.make_contiguous()[..begun];
        for is_read in [true, false] {
            let (valid, address) = if is_read {
                (&mut driven.read_address_valid, &mut driven.read_address)
            } else {
                (&mut driven.write_address_valid, &mut driven.write_address)
            };
            let owes = |queued: &&mut Queued| queued.is_read() == is_read && queued.address == Part::Owed;
            if !*valid
                && let Some(next) = begun.iter_mut().find(owes)
                && !pauser.paused()
            {
                next.address = Part::Offered;
                (*valid, *address) = (true, next.access.address());
            }
        }
        if !driven.write_data_valid
            && let Some(write) = begun.iter_mut().find(|queued| queued.data == Part::Owed)
            && let Access::Write { data, strobe, .. } = write.access
            && !pauser.paused()
        {
            write.data = Part::Offered;
            driven.write_data_valid = true;
            (driven.write_data, driven.strobe) = (data, strobe);
        }
        let unanswered =
            |is_read| begun.iter().any(|queued| queued.is_read() == is_read && queued.answer.is_none());
        driven.read_data_ready |= unanswered(true) && !pauser.paused();
        driven.write_response_ready |= unanswered(false) && !pauser.paused();
    }

    /// How many in the queue may be in progress.
    fn begun(&self) -> usize {
        let unanswered = self.queue.iter().position(|queued| queued.answer.is_none());
        let behind = unanswered.map_or(0, |first| first + 1);
        let overlapping = self.queue.iter().skip(behind).take_while(|queued| queued.overlaps);
        self.queue.len().min(behind + overlapping.count())
    }

    fn check(&mut self, shown: &Shown) -> Result<(), Violation> {
        let mut awaits = |is_read| self.oldest(is_read).is_some_and(|oldest| oldest.awaits());
        if shown.read_data.is_some() && !awaits(true) {
            return Err(Violation::new(INTERFACE, "rvalid rose without a read"));
        }
        if shown.write_response.is_some() && !awaits(false) {
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

    /// A register file of one register that answers a clock after it has what it needs, and holds one read and one write.
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
                self.address = Some(driven.write_address);
            }
            if driven.write_data_valid && before.write_data_ready {
                self.data = Some(driven.write_data);
            }
            if let (Some(_), Some(data), None) = (self.address, self.data, self.shown.write_response) {
                (self.value, self.address, self.data) = (data, None, None);
                self.shown.write_response = Some(0);
            }
            if driven.read_address_valid && before.read_address_ready {
                self.shown.read_data = Some((self.value, if driven.read_address == 0x20 { 0 } else { 2 }));
            }
            self.shown.write_address_ready = self.address.is_none();
            self.shown.write_data_ready = self.data.is_none();
            self.shown.read_address_ready = self.shown.read_data.is_none();
            before
        }
    }

    /// Answers of the register, and the clocks until the last.
    fn answers(driver: &mut ControlDriver) -> (Vec<Answer>, usize) {
        let mut register = Register::default();
        let mut answers = Vec::new();
        for clock in 0..1000 {
            if !driver.busy() {
                return (answers, clock);
            }
            let driven = *driver.driven();
            driver.clock(register.clock(&driven)).unwrap();
            answers.extend(std::iter::from_fn(|| driver.answer()));
        }
        panic!("answers after 1,000 clocks: {answers:?}");
    }

    fn answer(data: u32, response: u8) -> Answer {
        Answer { data, response }
    }

    #[test]
    fn accesses_are_answered_in_order() {
        for percent in [0, 30] {
            let mut driver = ControlDriver::new(Pauses::percent(percent), 4);
            for access in [WRITE, READ, Access::Read { address: 0x24 }] {
                driver.push(access);
            }
            assert_eq!(
                answers(&mut driver).0,
                [answer(0, 0), answer(5, 0), answer(5, 2)],
                "{percent} % pauses"
            );
        }
    }

    #[test]
    fn overlapping_accesses_are_faster_and_stay_in_order() {
        let mut clocks = [0; 2];
        for overlaps in [false, true] {
            let mut driver = ControlDriver::new(Pauses::NONE, 4);
            driver.push(WRITE);
            for data in 6..10 {
                for access in [Access::Write { address: 0x10, data, strobe: 3 }, READ] {
                    driver.queue.push_back(Queued::new(access, overlaps));
                }
            }
            driver.push(READ);
            let (got, taken) = answers(&mut driver);
            assert_eq!((got.len(), got.last()), (10, Some(&answer(9, 0))), "overlaps: {overlaps}");
            clocks[usize::from(overlaps)] = taken;
        }
        assert!(clocks[1] < clocks[0], "{clocks:?} clocks");
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
