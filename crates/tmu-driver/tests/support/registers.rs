//! Registers of an engine that behave as the contract says.

use tmu_driver::mesh::Bus;

/// Where the engine's block begins.
pub(crate) const BASE: u32 = 0x400;
const CONTROL: u32 = 0;
const IDENTITY: u32 = 0x100;
const INTERRUPT: u32 = 0x108;
const STATUS: u32 = 0x10c;
const FAULT_ADDRESS: u32 = 0x110;
const COUNTS: u32 = 0x114;

/// Registers of an engine, and what a job is to end with.
pub(crate) struct Registers {
    /// What they hold.
    pub(crate) words: [u32; 0x80],
    /// Accesses that work before one fails.
    works: u32,
    /// Polls of the interrupt until the job ends.
    clocks: u32,
    code: u32,
    is_busy: bool,
    /// The end of the registers of a job, and the one that resets.
    job_end: u32,
    reset: u32,
}

impl Registers {
    /// An engine whose registers of a job end before `job_end` and whose `RESET` is at `reset`: its jobs end with a code after so many
    /// polls.
    pub(crate) fn new(magic: u32, [job_end, reset]: [u32; 2], clocks: u32, code: u32) -> Self {
        let mut words = [0; 0x80];
        let at = |offset: u32| offset as usize / 4;
        words[at(IDENTITY)] = magic;
        words[at(FAULT_ADDRESS)] = 0x1230;
        words[at(INTERRUPT)] = 1;
        for (number, word) in words[at(COUNTS)..at(reset)].iter_mut().enumerate() {
            *word = 100 + number as u32;
        }
        Self { words, works: u32::MAX, clocks, code, is_busy: false, job_end, reset }
    }

    /// The same, of whose accesses so many work.
    pub(crate) fn working(self, works: u32) -> Self {
        Self { works, ..self }
    }

    fn access(&mut self, address: u32) -> Result<u32, &'static str> {
        self.works = self.works.checked_sub(1).ok_or("no answer")?;
        Ok(address.checked_sub(BASE).filter(|offset| *offset < 0x200 && offset % 4 == 0).expect("a register"))
    }
}

impl Bus for Registers {
    type Error = &'static str;

    fn read(&mut self, address: u32) -> Result<u32, &'static str> {
        let offset = self.access(address)?;
        if offset == INTERRUPT && self.is_busy {
            if self.clocks == 0 {
                self.is_busy = false;
                self.words[INTERRUPT as usize / 4] = 1;
            }
            self.clocks = self.clocks.saturating_sub(1);
        }
        Ok(match offset {
            STATUS if self.is_busy => 1,
            STATUS => self.code << 8 | u32::from(self.code != 0) << 1 | 2 << 12,
            offset => self.words[offset as usize / 4],
        })
    }

    fn write(&mut self, address: u32, value: u32) -> Result<(), &'static str> {
        let offset = self.access(address)?;
        if self.is_busy && offset < self.job_end {
            return Err("a job is at work");
        }
        match offset {
            INTERRUPT => self.words[offset as usize / 4] &= !value,
            offset if offset == self.reset => (self.clocks, self.code) = (0, 15),
            _ => self.words[offset as usize / 4] = value,
        }
        self.is_busy |= offset == CONTROL && value & 1 != 0;
        Ok(())
    }
}
