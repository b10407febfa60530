//! The channels of the port, on its own clock where it has one.

use super::MemoryPort;
use crate::engine::memory::{LINE_BITS, LINE_BYTES};
use tmu_hdl::bus::{AxiRead, AxiWidths};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// The port as it is seen from outside: transfers of a line.
pub(crate) fn axi_read(config: &Config) -> AxiRead {
    let axi = config.axi();
    AxiRead::new(AxiWidths {
        id_bits: axi.id_bits() as usize,
        address_bits: axi.address_bits() as usize,
        data_bytes: LINE_BYTES,
    })
}

/// What a port with its own clock keeps on that clock.
#[derive(Debug, Bundle)]
pub(super) struct Offer {
    /// ARVALID.
    is_valid: Reg,
    /// ARID above the line's address.
    address: Reg,
    /// Reads that are not answered.
    in_flight: Reg,
    /// Lines of them that have not come.
    lines: Reg,
    /// A clock ago nothing was under way, by either count.
    none_outstanding: Reg,
    /// Answers are dropped until none is under way.
    draining: Reg,
    /// Answers were dropped a clock ago.
    dropped: Reg,
}

impl Offer {
    pub(super) fn new(clocks: &Clocks, bits: usize, most_reads: usize, most_lines: usize) -> Offer {
        Offer {
            is_valid: Reg::with_reset(clocks, 1, 0),
            address: Reg::new(clocks, bits),
            in_flight: Reg::with_reset(clocks, most_reads.ilog2() as usize + 1, 0),
            lines: Reg::with_reset(clocks, most_lines.ilog2() as usize + 1, 0),
            none_outstanding: Reg::with_reset(clocks, 1, 0),
            draining: Reg::with_reset(clocks, 1, 0),
            dropped: Reg::with_reset(clocks, 1, 0),
        }
    }
}

/// Drives the channels.
#[kernel]
pub(super) fn channels(port: &MemoryPort) {
    /// # Channels
    let axi = &port.axi;
    let config = port._config.axi();
    axi.arsize.next = 4;
    axi.arburst.next = 1;
    axi.arcache.next = u64::from(config.arcache());
    axi.arprot.next = u64::from(config.arprot());
    axi.arqos.next = u64::from(config.arqos());
    let id_bits = axi.arid.width();
    let id =
        port.address_id.as_ref().map_or_else(|| lit(id_bits, 0u32), |reg| reg.val().zero_extend(id_bits));
    match port.offer.as_ref() {
        Some(offer) => crossed(port, offer, id),
        None => direct(port, id),
    }
}

/// The address of a line in bytes.
#[kernel]
fn byte_address(line: Bits) -> Bits {
    cat(&[line, lit(LINE_BYTES.ilog2() as usize, 0u32)])
}

/// On the units' clock.
#[kernel]
fn direct(port: &MemoryPort, id: Bits) {
    let axi = &port.axi;
    port.stopped.next = 0;
    let length = port.address_length.as_ref().map_or_else(|| lit(8, 0u32), |reg| reg.val().zero_extend(8));
    axi.arlen.next = length;
    axi.arvalid.next = port.address_valid.val();
    axi.araddr.next = byte_address(port.address.val());
    axi.arid.next = id;
    port.address_taken.next = axi.arready.val();
    axi.rready.next = 1;
    port.came.next = axi.rvalid.val();
    port.came_id.next = axi.rid.val();
    port.came_data.next = axi.rdata.val();
    port.came_response.next = axi.rresp.val();
    port.came_last.next = axi.rlast.val();
}

/// On its own clock.
#[kernel]
fn crossed(port: &MemoryPort, offer: &Offer, id: Bits) {
    let axi = &port.axi;
    let (Some(address_fifo), Some(answer_fifo), Some(axi_clocks)) =
        (port.address_fifo.as_ref(), port.answer_fifo.as_ref(), port.axi_clocks.as_ref())
    else {
        unreachable!("what crosses is built with the offer");
    };
    address_fifo.write.follow(&port.clocks);
    address_fifo.read.follow(axi_clocks);
    answer_fifo.write.follow(axi_clocks);
    answer_fifo.read.follow(&port.clocks);
    port.stopped.next = address_fifo.write_stopped.val() || answer_fifo.read_stopped.val();
    address_fifo.input.valid.next = port.address_valid.val();
    address_fifo.input.data.next = match port.address_length.as_ref() {
        Some(length) => cat(&[id, length.val(), port.address.val()]),
        None => cat(&[id, port.address.val()]),
    };
    port.address_taken.next = address_fifo.input.ready.val();
    /// An address that has been offered stays, even if the units are reset meanwhile. Such a reset empties the
    /// FIFOs; the answers to reads from before it are dropped here before the next read.
    let invalidates =
        address_fifo.read_stopped.val() || answer_fifo.write_stopped.val() || offer.draining.val();
    let offer_is_free = !offer.is_valid.val() || axi.arready.val();
    let asks = offer.is_valid.val() && axi.arready.val();
    let answers = axi.rvalid.val() && (invalidates || answer_fifo.input.ready.val());
    offer.dropped.next = invalidates;
    if offer_is_free {
        offer.is_valid.next = !invalidates && !offer.dropped.val() && address_fifo.output.valid.val();
        offer.address.next = address_fifo.output.data.val();
    }
    let ends = answers && axi.rlast.val();
    let (in_flight, lines) = (&offer.in_flight, &offer.lines);
    let is_outstanding = in_flight.val().any() && lines.val().any();
    let length = match port.address_length.as_ref() {
        Some(length) => offer.address.val().slice(port.address.width(), length.width()),
        None => lit(1, 0u32),
    };
    let asked = (length.zero_extend(lines.width()) + 1) & asks.repeat(lines.width());
    let asks_bits = asks.zero_extend(in_flight.width());
    offer.none_outstanding.next = !is_outstanding && !asks;
    /// Where memory's answers are of the wrong length one count is zero before the other, and ends it. What is forgotten
    /// is taken out in front of the sums, which is faster than a choice behind them.
    let keeps = !offer.none_outstanding.val();
    let kept = keeps.repeat(in_flight.width());
    in_flight.next = (in_flight.val() & kept) + asks_bits + (ends.repeat(in_flight.width()) & kept);
    let kept = keeps.repeat(lines.width());
    lines.next = (lines.val() & kept) + asked + (answers.repeat(lines.width()) & kept);
    offer.draining.next = invalidates && (offer.is_valid.val() || is_outstanding);
    /// What the FIFO gives in the first clock of a drop is from before the reset, and goes with all the rest.
    address_fifo.output.ready.next = offer_is_free && !offer.dropped.val();
    let address = offer.address.val();
    axi.arvalid.next = offer.is_valid.val();
    axi.araddr.next = byte_address(address.low(port.address.width()));
    axi.arid.next = address.high(axi.arid.width());
    axi.arlen.next = match port.address_length.as_ref() {
        Some(length) => address.slice(port.address.width(), length.width()).zero_extend(8),
        None => lit(8, 0u32),
    };
    answer_fifo.input.valid.next = axi.rvalid.val() && !invalidates;
    answer_fifo.input.data.next = cat(&[axi.rlast.val(), axi.rresp.val(), axi.rid.val(), axi.rdata.val()]);
    axi.rready.next = invalidates || answer_fifo.input.ready.val();
    let answer = answer_fifo.output.data.val();
    answer_fifo.output.ready.next = 1;
    port.came.next = answer_fifo.output.valid.val();
    port.came_data.next = answer.low(LINE_BITS);
    port.came_id.next = answer.slice(LINE_BITS, axi.rid.width());
    port.came_response.next = answer.slice(LINE_BITS + axi.rid.width(), 2);
    port.came_last.next = answer.high(1);
}
