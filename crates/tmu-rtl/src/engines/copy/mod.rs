//! The engine `copy`: bytes of memory to another place in memory. Wires only; [`copier`] does the work.

pub mod copier;
pub mod registers;

use crate::engine::memory::{BurstPorts, ReadChannel, ReadShape, WriteChannel, WriteShape, line_bits};
use crate::engine::{Engine, RegisterBlock, SystemClocks};
use copier::Copier;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;

/// Writes that may be without an answer.
const MOST_WRITES: usize = 4;

/// Channel for reads: one burst at a time, anywhere in memory.
fn read_shape(config: &Config) -> ReadShape {
    let copy = config.engine_configs().copy();
    ReadShape {
        line_bits: line_bits(config),
        length_bits: copy.length_bits() as usize,
        most_reads: 1,
        most_lines: copy.burst_lines() as usize,
        is_windowed: false,
        reports_faults: true,
    }
}

/// Channel for writes.
fn write_shape(config: &Config) -> WriteShape {
    WriteShape {
        length_bits: config.engine_configs().copy().length_bits() as usize,
        most_writes: MOST_WRITES,
    }
}

/// The engine: its interrupt and its hardware.
#[derive(Bundle)]
pub struct Copy {
    /// A job has ended.
    pub copy_interrupt: Net<Out>,
    copy: Copier,
}

impl Copy {
    /// The engine of a configuration.
    pub fn new(config: &Config) -> Copy {
        Copy { copy_interrupt: Net::bit(), copy: Copier::new(config) }
    }
}

impl Engine for Copy {
    fn connect(&self, clocks: SystemClocks) {
        self.copy.clocks.follow_with(clocks.tmu, clocks.flush);
        self.copy_interrupt.drive(self.copy.interrupt.val());
    }

    fn reads(&self) -> Vec<ReadChannel<'_>> {
        let copy = &self.copy;
        vec![ReadChannel {
            shape: read_shape(&copy._config),
            read: &copy.read,
            line_valid: &copy.line_valid,
            line_data: &copy.line_data,
            line_response: &copy.line_response,
            bursts: Some(BurstPorts {
                last: &copy.line_last,
                unexpected: &copy.unexpected,
                outstanding: &copy.outstanding,
            }),
            fault: Some((&copy.fault, &copy.fault_line)),
        }]
    }

    fn writes(&self) -> Vec<WriteChannel<'_>> {
        let copy = &self.copy;
        vec![WriteChannel {
            shape: write_shape(&copy._config),
            write: &copy.write,
            line: &copy.line,
            done: &copy.write_done,
            response: &copy.write_response,
        }]
    }

    fn registers(&self) -> Option<RegisterBlock<'_>> {
        Some(RegisterBlock::of(&self.copy.registers, EngineKind::Copy))
    }
}
