//! The engine `copy`: what a job leaves in memory.

/// Bytes of a line.
const LINE_BYTES: u64 = 16;

/// A job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Address of the first byte to read.
    pub source: u64,
    /// Address of the first byte to write.
    pub destination: u64,
    /// Bytes to copy.
    pub length: u32,
}

/// Why a job is refused, with the code that the hardware shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There is nothing to copy.
    Empty = 1,
    /// Source and destination lie in different places of a line.
    Places = 2,
    /// The end of the address space lies in between.
    Space = 3,
}

impl Job {
    /// The first rule that the job breaks, in an address space of so many bits.
    ///
    /// # Errors
    /// That rule.
    pub fn check(&self, address_bits: u32) -> Result<(), Refusal> {
        let ends = |start: u64| u128::from(start) + u128::from(self.length) <= 1 << address_bits;
        if self.length == 0 {
            Err(Refusal::Empty)
        } else if self.source % LINE_BYTES != self.destination % LINE_BYTES {
            Err(Refusal::Places)
        } else if !ends(self.source) || !ends(self.destination) {
            Err(Refusal::Space)
        } else {
            Ok(())
        }
    }

    /// Does the job in a memory that begins at an address. Nothing happens to what a rule refuses.
    ///
    /// # Errors
    /// The rule that the job breaks.
    ///
    /// # Panics
    /// If a job that keeps the rules leaves the memory.
    pub fn run(&self, address_bits: u32, base: u64, memory: &mut [u8]) -> Result<(), Refusal> {
        self.check(address_bits)?;
        let [from, to] = [self.source, self.destination].map(|address| (address - base) as usize);
        memory.copy_within(from..from + self.length as usize, to);
        Ok(())
    }

    /// Lines that the job reads, and writes.
    #[must_use]
    pub fn lines(&self) -> u64 {
        (self.source % LINE_BYTES + u64::from(self.length)).div_ceil(LINE_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_copies_and_touches_nothing_else() {
        let job = Job { source: 0x1003, destination: 0x1013, length: 5 };
        let mut memory: Vec<u8> = (0..32).collect();
        job.run(40, 0x1000, &mut memory).unwrap();
        assert_eq!(memory[..19], (0..19).collect::<Vec<u8>>());
        assert_eq!(memory[19..24], [3, 4, 5, 6, 7]);
        assert_eq!(memory[24..], (24..32).collect::<Vec<u8>>());
        assert_eq!(job.lines(), 1);
    }

    #[test]
    fn rules_are_kept_in_their_order() {
        for (source, destination, length, expected) in [
            (0, 1, 0, Err(Refusal::Empty)),
            (0, 1, 1, Err(Refusal::Places)),
            (0, (1 << 32) - 16, 17, Err(Refusal::Space)),
            (0, (1 << 32) - 16, 16, Ok(())),
        ] {
            assert_eq!(Job { source, destination, length }.check(32), expected);
        }
    }
}
