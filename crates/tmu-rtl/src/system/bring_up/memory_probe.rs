//! `memory_probe`: latency and use of a unit's channel to memory.
//!
//! One read at a time is measured: the next one that the unit asks for, from the clock in which the port takes it to that in which its
//! first line comes. Lines that are still owed when it is taken come first. All lines are counted, and the clocks in which some are
//! to come.
//!
//! Latency 2 clocks from an event to its count. After answers of the wrong length what is owed is put right when nothing has been under
//! way for 16 clocks.

use super::count;
use tmu_hdl::prelude::*;

/// Bits of a latency, and of the number of those that were measured.
pub(super) const LATENCY_BITS: usize = 16;
/// Bits of the lines that are owed.
const OWED_BITS: usize = 14;
/// Bits of the clocks in which nothing has been under way.
const QUIET_BITS: usize = 4;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct MemoryProbe {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Begins anew.
    pub clear: Net<In>,
    /// A read has been taken by the port.
    pub read: Net<In>,
    /// Its lines less one, where reads have several.
    pub length: Optional<Net<In>>,
    /// A line has come.
    pub line: Net<In>,
    /// Lines are to come, as the port sees it, where reads have several.
    pub outstanding: Optional<Net<In>>,
    /// Reads that were measured.
    pub reads: Net<Out>,
    /// The least latency.
    pub least: Net<Out>,
    /// The most.
    pub most: Net<Out>,
    /// The sum.
    pub sum: Net<Out>,
    /// Lines that have come.
    pub lines: Net<Out>,
    /// Clocks in which lines were to come.
    pub waiting: Net<Out>,
    reads_now: Reg,
    lines_now: Reg,
    line_now: Reg,
    owed: Reg,
    any_owed: Reg,
    quiet: Optional<Reg>,
    measuring: Reg,
    ahead: Reg,
    is_next: Reg,
    clocks_so_far: Reg,
    measured: Reg,
    has_measured: Reg,
    is_least: Reg,
    is_most: Reg,
    latency: Reg,
    has_latency: Reg,
    count: Reg,
    least_so_far: Reg,
    most_so_far: Reg,
    total: Reg,
    line_count: Reg,
    waiting_count: Reg,
}

impl MemoryProbe {
    /// For reads with so many bits of length.
    pub fn new(length_bits: usize) -> MemoryProbe {
        let clocks = Clocks::new();
        let bursts = length_bits > 0;
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let number = |bits: usize| Reg::with_reset(&clocks, bits, 0);
        MemoryProbe {
            clear: Net::bit(),
            read: Net::bit(),
            length: Optional::new(bursts, || Net::new(length_bits)),
            line: Net::bit(),
            outstanding: Optional::new(bursts, Net::bit),
            reads: Net::new(LATENCY_BITS),
            least: Net::new(LATENCY_BITS),
            most: Net::new(LATENCY_BITS),
            sum: Net::new(32),
            lines: Net::new(32),
            waiting: Net::new(32),
            reads_now: flag(),
            lines_now: Reg::new(&clocks, length_bits + 1),
            line_now: flag(),
            owed: number(OWED_BITS),
            any_owed: flag(),
            quiet: Optional::new(bursts, || number(QUIET_BITS)),
            measuring: flag(),
            ahead: number(OWED_BITS),
            is_next: flag(),
            clocks_so_far: number(LATENCY_BITS),
            measured: Reg::new(&clocks, LATENCY_BITS),
            has_measured: flag(),
            is_least: Reg::new(&clocks, 1),
            is_most: Reg::new(&clocks, 1),
            latency: Reg::new(&clocks, LATENCY_BITS),
            has_latency: flag(),
            count: number(LATENCY_BITS),
            least_so_far: Reg::with_reset(&clocks, LATENCY_BITS, (1 << LATENCY_BITS) - 1),
            most_so_far: number(LATENCY_BITS),
            total: number(32),
            line_count: number(32),
            waiting_count: number(32),
            clocks,
        }
    }
}

/// Latency and use of a channel to memory.
#[kernel]
impl MemoryProbe {
    fn logic(&self) {
        self.owed();
        self.measure();
        self.weigh();
        self.count();
    }

    fn owed(&self) {
        /// # Lines that are owed
        let lines_bits = self.lines_now.width();
        self.reads_now.next = self.read.val();
        self.line_now.next = self.line.val();
        self.lines_now.next = self
            .length
            .as_ref()
            .map_or_else(|| lit(1, 1u32), |length| length.val().zero_extend(lines_bits) + 1);
        let asked = self.lines_now.val() & self.reads_now.val().repeat(lines_bits);
        let came = self.line_now.val().repeat(OWED_BITS);
        let owed =
            self.owed.val() + asked.zero_extend(OWED_BITS) + (came & self.any_owed.val().repeat(OWED_BITS));
        let mut forgets = lit(1, 0u32);
        if let (Some(quiet), Some(outstanding)) = (self.quiet.as_ref(), self.outstanding.as_ref()) {
            forgets = quiet.val().all();
            if outstanding.val() || self.read.val() || self.reads_now.val() {
                quiet.next = 0;
            } else if !forgets {
                quiet.next = quiet.val() + 1;
            }
        }
        if forgets {
            self.owed.next = 0;
            self.any_owed.next = 0;
        } else {
            self.owed.next = owed;
            // A clock late: no line comes so soon behind its read.
            self.any_owed.next = self.owed.val().any();
        }
    }

    fn measure(&self) {
        /// # A read
        let line = self.line_now.val();
        let begins = self.reads_now.val() && !self.measuring.val();
        let ends = self.measuring.val() && line && self.is_next.val();
        /// What is owed when it is taken, less the line that comes then.
        let comes = line && self.any_owed.val();
        let ahead = self.owed.val() + comes.repeat(OWED_BITS);
        if begins {
            self.measuring.next = 1;
            self.ahead.next = ahead;
            // That none is ahead, without waiting for the sum.
            self.is_next.next = self.owed.val() == comes.zero_extend(OWED_BITS);
        } else if ends {
            self.measuring.next = 0;
        } else if self.measuring.val() && line {
            self.ahead.next = self.ahead.val() - 1;
            self.is_next.next = self.ahead.val() == 1;
        }
        let so_far = self.clocks_so_far.val();
        if begins {
            self.clocks_so_far.next = 1;
        } else if !so_far.all() {
            self.clocks_so_far.next = so_far + 1;
        }
        self.measured.next = so_far;
        self.has_measured.next = ends && !self.clear.val();
    }

    fn weigh(&self) {
        /// # Least, most and sum
        let measured = self.measured.val();
        self.is_least.next = measured < self.least_so_far.val();
        self.is_most.next = measured > self.most_so_far.val();
        self.latency.next = measured;
        self.has_latency.next = self.has_measured.val() && !self.clear.val() && !self.count.val().all();
        let latency = self.latency.val();
        if self.clear.val() {
            self.count.next = 0;
            self.total.next = 0;
            self.least_so_far.next = u64::from(u16::MAX);
            self.most_so_far.next = 0;
        } else if self.has_latency.val() {
            self.count.next = self.count.val() + 1;
            self.total.next = self.total.val() + latency.zero_extend(32);
            if self.is_least.val() {
                self.least_so_far.next = latency;
            }
            if self.is_most.val() {
                self.most_so_far.next = latency;
            }
        }
    }

    fn count(&self) {
        /// # Counts
        count(&self.line_count, self.clear.val(), self.line_now.val());
        count(&self.waiting_count, self.clear.val(), self.any_owed.val());
        self.reads.next = self.count.val();
        self.least.next = self.least_so_far.val();
        self.most.next = self.most_so_far.val();
        self.sum.next = self.total.val();
        self.lines.next = self.line_count.val();
        self.waiting.next = self.waiting_count.val();
    }
}
