//! Resets in the middle of everything, and waiting for the end of what was done to the hardware.

use super::Bench;
use crate::kit::control::Access;
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Result};
use tmu_rtl::system::registers;

/// A reset is held for at least this many clocks of each clock: so long takes the other side to learn of it.
const SHORTEST_RESET_CLOCKS: u64 = 16;

/// Clocks of `core_aclk` in which the registers learn of everything that has happened.
const SETTLE_CLOCKS: u64 = 200;

/// Clocks of each clock in which reads leave the hardware that nothing waits for any more, behind an answer of the wrong
/// length.
const MENDING_CLOCKS: u64 = 64;

/// Resets asserted one after another and released one after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resets {
    /// In the order in which they are asserted, each with the clock edges that pass behind it.
    pub asserted: Vec<(Domain, u32)>,
    /// Clocks of `core_aclk` for which they are held at least.
    pub held_clocks: u64,
    /// In the order in which they are released, likewise.
    pub released: Vec<(Domain, u32)>,
}

impl Bench {
    pub(crate) fn run_steps(&mut self, steps: u32) -> Result<()> {
        (0..steps).try_for_each(|_| self.step())
    }

    /// Goes on until each clock has had so many edges more.
    fn run_each_clock(&mut self, from: [u64; 3], clocks: u64) -> Result<()> {
        // A clock that there is not stands still.
        let is_short = |from: u64, now: u64| now > 0 && now < from + clocks;
        while from.into_iter().zip(self.edges()).any(|(from, now)| is_short(from, now)) {
            self.step()?;
        }
        Ok(())
    }

    /// Edges of each clock so far.
    fn edges(&self) -> [u64; 3] {
        Domain::ALL.map(|domain| self.clocks(domain))
    }

    /// Asserts resets and releases them; each is held as long as the core asks for.
    pub(crate) fn reset(&mut self, resets: &Resets) -> Result<()> {
        for (domain, steps) in &resets.asserted {
            self.assert_reset(*domain);
            self.run_steps(*steps)?;
        }
        let from = self.edges();
        self.run_clocks(resets.held_clocks)?;
        self.run_each_clock(from, SHORTEST_RESET_CLOCKS)?;
        for (domain, steps) in &resets.released {
            self.release_reset(*domain);
            self.run_steps(*steps)?;
        }
        Ok(())
    }

    /// Waits until the units' side is out of every reset: before that each access is answered SLVERR.
    pub(crate) fn reach_registers(&mut self) -> Result<()> {
        let status = Access::Read { address: registers::STATUS.offset_bytes };
        let is_refused = |bench: &mut Bench| Ok(bench.access(status)?.response != 0);
        self.wait_while(is_refused, |_| "STATUS is answered SLVERR".to_owned())
    }

    /// Waits until nothing is under way and registers know of it.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.run_until_idle()?;
        let is_owed = |bench: &mut Bench| {
            let owed = bench.reads_under_way() > 0;
            if owed { bench.step().map(|()| owed) } else { Ok(owed) }
        };
        self.wait_while(is_owed, |bench| format!("memory owes {} reads", bench.reads_under_way()))?;
        self.run_clocks(SETTLE_CLOCKS)
    }

    /// As [`Bench::settle`], behind an answer of the wrong length: quads that fail do not wait for their reads.
    pub(crate) fn settle_reads(&mut self) -> Result<()> {
        self.settle()?;
        self.run_each_clock(self.edges(), MENDING_CLOCKS)?;
        self.settle()
    }

    /// Compares what the register `ERROR` has seen, and clears it: of what is due for a fault a bit or more, of all others none but those
    /// that are allowed beside it. Without a control port nothing is told.
    pub(crate) fn check_errors(&mut self, fault: &str, due: u32, allowed: u32) -> Result<()> {
        if !self.has_control() {
            return Ok(());
        }
        let error = registers::ERROR.offset_bytes;
        let seen = self.read_register(error)?;
        self.write_register(error, u32::MAX)?;
        if seen & !(due | allowed) != 0 || (due != 0 && seen & due == 0) {
            let said = format!("register ERROR is {seen:#x}, but due for {fault} is {due:#x}");
            return Err(self.failure(Cause::Check(said)));
        }
        Ok(())
    }

    /// Makes an access to a register that there is not, which must be refused.
    pub(crate) fn access_nothing(&mut self, access: Access) -> Result<()> {
        match self.access(access)?.response {
            0 => Err(self.failure(Cause::Check(format!("{access:x?} was answered OKAY")))),
            _ => Ok(()),
        }
    }
}
