//! AXI4 reads: a command in, its data out.

use super::axi::{AxiRead, AxiShape};
use super::burst_splitter::BurstSplitter;
use crate::prelude::*;
use crate::primitives::{SkidBuffer, SyncFifo};

/// AXI4 reads: a command in, its data out.
///
/// A command is a byte address above the number of transfers less one. It becomes bursts that never cross a multiple
/// of the largest burst's bytes, and so no 4 KiB; as many as the shape allows wait for their data at a time, of this
/// command and the next ones. All bursts have one ID. Data come in the order of the commands, as
/// `{is_last, response, data}`: `is_last` in the last transfer of a command, `response` as RRESP, so that a failing
/// transfer is told where it is and never taken for data. A reset must reach memory too.
///
/// Latency 2 clocks from a command to ARVALID and 1 from a transfer to `data`; a transfer a clock.
#[derive(Debug, LogicBlock)]
pub struct AxiReadMaster {
    /// The clock.
    pub clocks: Clocks,
    /// What to read: the byte address above the number of transfers less one.
    pub command: StreamIn,
    /// What was read: whether it is the last of its command, its response, the data.
    pub data: StreamOut,
    /// Bursts that are not answered yet.
    pub outstanding: Net<Out>,
    /// The bus.
    pub axi: AxiRead,
    splitter: BurstSplitter,
    /// Whether each burst that is not answered is the last of its command.
    ends: SyncFifo,
    skid: SkidBuffer,
    offered: Reg,
    address: Reg,
    length: Reg,
    count: Reg,
    _shape: AxiShape,
}

impl AxiReadMaster {
    /// A master of this shape.
    #[track_caller]
    pub fn new(shape: &AxiShape) -> AxiReadMaster {
        shape.check();
        let clocks = Clocks::new();
        let count_bits = shape.outstanding.ilog2() as usize + 1;
        let data_bits = shape.data_bits() + 3;
        AxiReadMaster {
            command: StreamIn::new(shape.command_bits()),
            data: StreamOut::new(data_bits),
            outstanding: Net::new(count_bits),
            axi: AxiRead::new(shape.widths()),
            splitter: BurstSplitter::new(shape),
            ends: SyncFifo::new(shape.outstanding, 1),
            skid: SkidBuffer::new(data_bits),
            offered: Reg::with_reset(&clocks, 1, 0),
            address: Reg::new(&clocks, shape.beat_address_bits()),
            length: Reg::new(&clocks, 8),
            count: Reg::with_reset(&clocks, count_bits, 0),
            _shape: shape.clone(),
            clocks,
        }
    }
}

/// The next number of bursts that are not answered.
#[kernel]
pub(super) fn counted(count: Bits, starts: Bits, ends: Bits) -> Bits {
    count + cat(&[(ends & !starts).repeat(count.width() - 1), ends ^ starts])
}

/// AXI4 reads in bursts.
#[kernel]
impl AxiReadMaster {
    fn module_name(&self) -> String {
        format!("axi_read_master_{}", self._shape.name())
    }

    fn logic(&self) {
        let (shape, axi) = (&self._shape, &self.axi);
        for clocks in [&self.splitter.clocks, &self.ends.clocks, &self.skid.clocks] {
            clocks.follow(&self.clocks);
        }
        self.splitter.command.forward(&self.command);
        discard(self.ends.level.val(), "the count says the same");

        /// # Addresses
        let burst = self.splitter.burst.data.val();
        let free = !self.offered.val() | axi.arready.val();
        let has_room = !self.count.val().high(1) & self.ends.input.ready.val();
        let issues = self.splitter.burst.valid.val() & free & has_room;
        self.splitter.burst.ready.next = free & has_room;
        self.ends.input.valid.next = issues;
        self.ends.input.data.next = burst.high(1);
        if free {
            self.offered.next = issues;
            self.address.next = burst.low(self.address.width());
            self.length.next = burst.slice(self.address.width(), 8);
        }
        axi.arvalid.next = self.offered.val();
        let byte_bits = shape.byte_bits();
        let address = self.address.val();
        axi.araddr.next = if byte_bits == 0 { address } else { cat(&[address, lit(byte_bits, 0)]) };
        axi.arlen.next = self.length.val();
        axi.arid.next = u64::from(shape.id);
        axi.arsize.next = byte_bits as u64;
        axi.arburst.next = 1;
        axi.arcache.next = 3;
        axi.arprot.next = 0;
        axi.arqos.next = 0;

        /// # Data
        discard(axi.rid.val(), "one ID, so that answers come in order");
        let expects = self.ends.output.valid.val();
        axi.rready.next = expects & self.skid.input.ready.val();
        self.skid.input.valid.next = axi.rvalid.val() & expects;
        let is_last = axi.rlast.val() & self.ends.output.data.val();
        self.skid.input.data.next = cat(&[is_last, axi.rresp.val(), axi.rdata.val()]);
        let ends = axi.rvalid.val() & axi.rlast.val() & expects & self.skid.input.ready.val();
        self.ends.output.ready.next = axi.rvalid.val() & axi.rlast.val() & self.skid.input.ready.val();
        self.data.forward(&self.skid.output);
        self.count.next = counted(self.count.val(), issues, ends);
        self.outstanding.next = self.count.val();
    }
}
