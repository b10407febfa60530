//! What waits beside a pipeline.

use crate::prelude::*;

/// Registers in a row: a value so many enabled clocks later. Tools make shift registers of LUTs of a long one.
#[derive(Debug, Bundle)]
pub(super) struct Delay {
    after: Vec<Reg>,
}

impl Delay {
    pub(super) fn new(clocks: &Clocks, width: usize, steps: usize) -> Delay {
        Delay { after: Reg::array(steps, clocks, width) }
    }

    /// What `value` was so many enabled clocks before.
    pub(super) fn of(&self, value: Bits, enable: Bits) -> Bits {
        delayed(&self.after, value, enable)
    }
}

#[kernel]
fn delayed(row: &[Reg], value: Bits, enable: Bits) -> Bits {
    let mut value = value;
    for register in row {
        if enable {
            register.next = value;
        }
        value = register.val();
    }
    value
}
