//! AXI4 writes: a command and its data in, a response out.

use super::axi::{AxiShape, AxiWrite};
use super::axi_read_master::counted;
use super::burst_splitter::BurstSplitter;
use crate::prelude::*;
use crate::primitives::{SkidBuffer, SyncFifo};

/// AXI4 writes: a command and its data in, a response out.
///
/// A command is a byte address above the number of transfers less one; its transfers come as `{strobes, data}`, one
/// strobe a byte. Bursts are those of [`AxiReadMaster`](super::AxiReadMaster). Addresses do not wait for data, nor
/// data for AWREADY. Each command is answered once, in order, with the worst response of its bursts: 0 is OKAY, 2
/// SLVERR, 3 DECERR. A reset must reach memory too.
///
/// Latency 2 clocks from a command to AWVALID, 1 from a transfer to WVALID where its burst is known, 1 from the last
/// answer to `response`; a transfer a clock.
#[derive(Debug, LogicBlock)]
pub struct AxiWriteMaster {
    /// The clock.
    pub clocks: Clocks,
    /// Where to write: the byte address above the number of transfers less one.
    pub command: StreamIn,
    /// What to write: the strobes above the data.
    pub data: StreamIn,
    /// How each command went.
    pub response: StreamOut,
    /// Bursts that are not answered yet.
    pub outstanding: Net<Out>,
    /// The bus.
    pub axi: AxiWrite,
    splitter: BurstSplitter,
    /// Transfers less one of each burst whose data are still to come.
    lengths: SyncFifo,
    /// Whether each burst that is not answered is the last of its command.
    ends: SyncFifo,
    data_skid: SkidBuffer,
    response_skid: SkidBuffer,
    offered: Reg,
    address: Reg,
    length: Reg,
    count: Reg,
    place: Reg,
    worst: Reg,
    _shape: AxiShape,
}

impl AxiWriteMaster {
    /// A master of this shape.
    #[track_caller]
    pub fn new(shape: &AxiShape) -> AxiWriteMaster {
        shape.check();
        let clocks = Clocks::new();
        let count_bits = shape.outstanding.ilog2() as usize + 1;
        let data_bits = shape.data_bits() + shape.data_bytes;
        AxiWriteMaster {
            command: StreamIn::new(shape.command_bits()),
            data: StreamIn::new(data_bits),
            response: StreamOut::new(2),
            outstanding: Net::new(count_bits),
            axi: AxiWrite::new(shape.widths()),
            splitter: BurstSplitter::new(shape),
            lengths: SyncFifo::new(shape.outstanding, 8),
            ends: SyncFifo::new(shape.outstanding, 1),
            data_skid: SkidBuffer::new(data_bits + 1),
            response_skid: SkidBuffer::new(2),
            offered: Reg::with_reset(&clocks, 1, 0),
            address: Reg::new(&clocks, shape.beat_address_bits()),
            length: Reg::new(&clocks, 8),
            count: Reg::with_reset(&clocks, count_bits, 0),
            place: Reg::with_reset(&clocks, 8, 0),
            worst: Reg::with_reset(&clocks, 2, 0),
            _shape: shape.clone(),
            clocks,
        }
    }
}

/// AXI4 writes in bursts.
#[kernel]
impl AxiWriteMaster {
    fn module_name(&self) -> String {
        format!("axi_write_master_{}", self._shape.name())
    }

    fn logic(&self) {
        for clocks in [
            &self.splitter.clocks,
            &self.lengths.clocks,
            &self.ends.clocks,
            &self.data_skid.clocks,
            &self.response_skid.clocks,
        ] {
            clocks.follow(&self.clocks);
        }
        self.splitter.command.forward(&self.command);
        discard(cat(&[self.ends.level.val(), self.lengths.level.val()]), "the count says as much");
        let issues = self.addresses();
        self.transfers();
        let answered = self.answers();
        self.count.next = counted(self.count.val(), issues, answered);
        self.outstanding.next = self.count.val();
    }

    /// One bit: a burst goes to the address channel.
    fn addresses(&self) -> Bits {
        /// # Addresses
        let (shape, axi) = (&self._shape, &self.axi);
        let burst = self.splitter.burst.data.val();
        let free = !self.offered.val() | axi.awready.val();
        let has_room =
            !self.count.val().high(1) & self.ends.input.ready.val() & self.lengths.input.ready.val();
        let issues = self.splitter.burst.valid.val() & free & has_room;
        self.splitter.burst.ready.next = free & has_room;
        let length = burst.slice(self.address.width(), 8);
        self.ends.input.valid.next = issues;
        self.ends.input.data.next = burst.high(1);
        self.lengths.input.valid.next = issues;
        self.lengths.input.data.next = length;
        if free {
            self.offered.next = issues;
            self.address.next = burst.low(self.address.width());
            self.length.next = length;
        }
        axi.awvalid.next = self.offered.val();
        let byte_bits = shape.byte_bits();
        let address = self.address.val();
        axi.awaddr.next = if byte_bits == 0 { address } else { cat(&[address, lit(byte_bits, 0)]) };
        axi.awlen.next = self.length.val();
        axi.awid.next = u64::from(shape.id);
        axi.awsize.next = byte_bits as u64;
        axi.awburst.next = 1;
        axi.awcache.next = 3;
        axi.awprot.next = 0;
        axi.awqos.next = 0;
        issues
    }

    fn transfers(&self) {
        /// # Transfers
        let axi = &self.axi;
        let (skid, lengths) = (&self.data_skid, &self.lengths);
        let known = lengths.output.valid.val();
        let is_last = self.place.val() == lengths.output.data.val();
        self.data.ready.next = known & skid.input.ready.val();
        skid.input.valid.next = known & self.data.valid.val();
        skid.input.data.next = cat(&[is_last, self.data.data.val()]);
        let moves = known & self.data.valid.val() & skid.input.ready.val();
        lengths.output.ready.next = self.data.valid.val() & skid.input.ready.val() & is_last;
        if moves {
            self.place.next = (self.place.val() + 1) & (!is_last).repeat(8);
        }
        let transfer = skid.output.data.val();
        axi.wvalid.next = skid.output.valid.val();
        skid.output.ready.next = axi.wready.val();
        axi.wlast.next = transfer.high(1);
        axi.wstrb.next = transfer.slice(axi.wdata.width(), axi.wstrb.width());
        axi.wdata.next = transfer.low(axi.wdata.width());
    }

    /// One bit: a burst is answered.
    fn answers(&self) -> Bits {
        /// # Answers
        let axi = &self.axi;
        discard(axi.bid.val(), "one ID, so that answers come in order");
        let skid = &self.response_skid;
        let expects = self.ends.output.valid.val();
        let is_last = self.ends.output.data.val();
        let ready = skid.input.ready.val();
        axi.bready.next = expects & ready;
        self.ends.output.ready.next = axi.bvalid.val() & ready;
        let answered = axi.bvalid.val() & expects & ready;
        /// A larger number is a worse response; EXOKAY never comes.
        let (own, before) = (axi.bresp.val(), self.worst.val());
        let worst = (own > before).mux(own, before);
        if answered {
            self.worst.next = worst & (!is_last).repeat(2);
        }
        skid.input.valid.next = axi.bvalid.val() & expects & is_last;
        skid.input.data.next = worst;
        self.response.forward(&skid.output);
        answered
    }
}
