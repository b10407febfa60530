//! The ports of a channel for reads, as a stage or the engine has them.

use super::memory::{BurstPorts, FAULT_BITS, LINE_BITS, ReadChannel, ReadShape};
use tmu_hdl::prelude::*;

/// The ports of a channel that reads bursts.
#[derive(Debug, Bundle)]
pub struct LinePorts {
    /// Lines wanted from memory: the first, and above it their number less one.
    pub read: StreamOut,
    /// A line has come.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// Its response.
    pub line_response: Net<In>,
    /// It is the last one of its answer.
    pub line_last: Net<In>,
    /// A line has come that was not asked for.
    pub unexpected: Net<In>,
    /// Lines are to come.
    pub outstanding: Net<In>,
    /// A read has failed: with SLVERR, with DECERR, with an answer of the wrong length.
    pub fault: Net<Out>,
    /// Which line.
    pub fault_line: Net<Out>,
}

impl LinePorts {
    /// For a shape.
    pub fn new(shape: &ReadShape) -> LinePorts {
        LinePorts {
            read: StreamOut::new(shape.line_bits + shape.length_bits),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(2),
            line_last: Net::bit(),
            unexpected: Net::bit(),
            outstanding: Net::bit(),
            fault: Net::new(FAULT_BITS),
            fault_line: Net::new(shape.line_bits),
        }
    }

    /// Feeds these ports, of the block around, from those of a sub-block.
    #[track_caller]
    pub fn forward(&self, inner: &LinePorts) {
        self.read.forward(&inner.read);
        for (to, from) in [
            (&inner.line_valid, &self.line_valid),
            (&inner.line_data, &self.line_data),
            (&inner.line_response, &self.line_response),
            (&inner.line_last, &self.line_last),
            (&inner.unexpected, &self.unexpected),
            (&inner.outstanding, &self.outstanding),
        ] {
            to.drive(from.val());
        }
        self.fault.drive(inner.fault.val());
        self.fault_line.drive(inner.fault_line.val());
    }

    /// The channel that the system sees.
    pub fn channel(&self, shape: ReadShape) -> ReadChannel<'_> {
        ReadChannel {
            shape,
            read: &self.read,
            line_valid: &self.line_valid,
            line_data: &self.line_data,
            line_response: &self.line_response,
            bursts: Some(BurstPorts {
                last: &self.line_last,
                unexpected: &self.unexpected,
                outstanding: &self.outstanding,
            }),
            fault: Some((&self.fault, &self.fault_line)),
        }
    }
}
