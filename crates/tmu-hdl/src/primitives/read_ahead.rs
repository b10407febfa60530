//! The reading side of a FIFO: words are fetched ahead, so that the stream comes from registers.

use crate::prelude::*;

/// Fetches words from a memory ahead of their use, so that a stream comes from the memory's own registers.
///
/// `fetch` enables the memory's read latch, `forward` its output register where there is one; `valid` says that
/// the last of them holds a word. Latency as the memory's, II 1.
#[derive(Debug, LogicBlock)]
pub struct ReadAhead {
    /// The clock of the read port.
    pub clocks: Clocks,
    /// High while the memory holds a word that was not fetched.
    pub available: Net<In>,
    /// High to drop what was fetched.
    pub clear: Net<In>,
    /// High to fetch a word at the next edge.
    pub fetch: Net<Out>,
    /// High to move the fetched word to the memory's output register at the next edge.
    pub forward: Optional<Net<Out>>,
    /// High while the stream has a word.
    pub valid: Net<Out>,
    /// High when it is taken at the next edge.
    pub ready: Net<In>,
    latch_full: Reg,
    output_full: Optional<Reg>,
    /// Both are full: what `ready` decides is known by one look at this.
    both_full: Optional<Reg>,
}

impl ReadAhead {
    /// For a memory with or without output register.
    #[track_caller]
    pub fn new(output_register: bool) -> ReadAhead {
        let clocks = Clocks::new();
        ReadAhead {
            available: Net::bit(),
            clear: Net::bit(),
            fetch: Net::bit(),
            forward: Optional::new(output_register, Net::bit),
            valid: Net::bit(),
            ready: Net::bit(),
            latch_full: Reg::with_reset(&clocks, 1, 0),
            output_full: Optional::new(output_register, || Reg::with_reset(&clocks, 1, 0)),
            both_full: Optional::new(output_register, || Reg::with_reset(&clocks, 1, 0)),
            clocks,
        }
    }
}

/// Fetches words from a memory ahead of their use, so that a stream comes from the memory's own registers.
#[kernel]
impl ReadAhead {
    fn module_name(&self) -> String {
        format!("read_ahead_{}", 1 + usize::from(self.forward.is_some()))
    }

    fn logic(&self) {
        let (latched, available, ready) = (self.latch_full.val(), self.available.val(), self.ready.val());
        let mut latch_free = !latched | ready;
        let mut valid = latched;
        if let (Some(forward), Some(full), Some(both)) =
            (&*self.forward, &*self.output_full, &*self.both_full)
        {
            let is_stuck = full.val() & !ready;
            forward.next = !is_stuck & latched;
            latch_free = !both.val() | ready;
            if self.clear.val() {
                full.next = 0;
                both.next = 0;
            } else {
                if !is_stuck {
                    full.next = latched;
                }
                both.next = (both.val() & !ready) | (available & (latched | is_stuck));
            }
            valid = full.val();
        }
        self.fetch.next = latch_free & available;
        if self.clear.val() {
            self.latch_full.next = 0;
        } else if latch_free {
            self.latch_full.next = available;
        }
        self.valid.next = valid;
    }
}
