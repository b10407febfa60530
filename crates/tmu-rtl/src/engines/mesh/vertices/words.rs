//! Points of the mesh over Wishbone: word by word.

use super::lines::POINT_ADDRESS_BITS;
use crate::engines::mesh::words::{
    AXES, FaultWord, LINE_ADDRESS_BITS, MESH_BITS, POINT_BITS, RESPONSE_BITS, fault_word,
};
use tmu_hdl::bus::{SLVERR, WishboneMaster, WishboneMasterPort};
use tmu_hdl::prelude::*;

/// Bits of a word's address: bits 31:2 of an address.
pub const WORD_ADDRESS_BITS: usize = POINT_ADDRESS_BITS + 1;
/// Bits of a word.
const WORD_BITS: usize = 32;
/// Points from one row to the next.
const ROW_STRIDE_POINTS: u64 = 128;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Words {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A job starts.
    pub start: Net<In>,
    /// A job ends early: no further word is asked for.
    pub cancelled: Net<In>,
    /// Address of the first point.
    pub base: Net<In>,
    /// Rectangles across and down.
    pub mesh: [Net<In>; AXES],
    /// The bus.
    pub bus: WishboneMasterPort,
    /// Points, row by row: u, and above it v.
    pub output: StreamOut,
    /// A read has failed.
    pub fault: FaultWord<Field<Out>>,
    /// Nothing is being read.
    pub is_idle: Net<Out>,
    master: WishboneMaster,
    is_running: Reg,
    is_asked: Reg,
    is_second: Reg,
    row: Reg,
    point: Reg,
    column: Reg,
    rows_left: Reg,
    u: Reg,
}

impl Words {
    /// The block.
    pub fn new() -> Words {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let address = || Reg::new(&clocks, POINT_ADDRESS_BITS);
        let outer = WishboneMaster::new(WORD_ADDRESS_BITS);
        Words {
            start: Net::bit(),
            cancelled: Net::bit(),
            base: Net::new(POINT_ADDRESS_BITS),
            mesh: [Net::new(MESH_BITS), Net::new(MESH_BITS)],
            bus: outer.wishbone,
            output: StreamOut::new(AXES * POINT_BITS),
            fault: fault_word().nets(),
            is_idle: Net::bit(),
            master: WishboneMaster::new(WORD_ADDRESS_BITS),
            is_running: flag(),
            is_asked: flag(),
            is_second: flag(),
            row: address(),
            point: address(),
            column: Reg::new(&clocks, MESH_BITS),
            rows_left: Reg::new(&clocks, MESH_BITS),
            u: Reg::new(&clocks, POINT_BITS),
            clocks,
        }
    }
}

impl Default for Words {
    fn default() -> Words {
        Words::new()
    }
}

/// Passes a Wishbone bus on to the block around.
#[kernel]
pub fn pass_bus(outer: &WishboneMasterPort, inner: &WishboneMasterPort) {
    for (to, from) in [
        (&outer.cyc, &inner.cyc),
        (&outer.stb, &inner.stb),
        (&outer.we, &inner.we),
        (&outer.adr, &inner.adr),
        (&outer.sel, &inner.sel),
        (&outer.dat_o, &inner.dat_o),
    ] {
        to.next = from.val();
    }
    for (to, from) in [(&inner.dat_i, &outer.dat_i), (&inner.ack, &outer.ack), (&inner.err, &outer.err)] {
        to.next = from.val();
    }
}

/// Points of the mesh over Wishbone.
#[kernel]
impl Words {
    fn module_name(&self) -> String {
        "mesh_words".into()
    }

    fn logic(&self) {
        let master = &self.master;
        master.clocks.follow(&self.clocks);
        pass_bus(&self.bus, &master.wishbone);
        /// # Ask
        let is_second = self.is_second.val();
        let asks = self.is_running.val() && !self.is_asked.val();
        let address = cat(&[self.point.val(), is_second]);
        master.command.valid.next = asks;
        master.command.data.next = cat(&[lit(5, 0xfu32), address, lit(WORD_BITS, 0u32)]);
        /// # Answer
        let answer = &master.answer;
        let word = answer.data.val().low(POINT_BITS);
        discard(answer.data.val().slice(POINT_BITS, WORD_BITS - POINT_BITS), "18 bits are used");
        let has_failed = answer.data.val().high(1);
        let is_point = is_second && !has_failed && !self.cancelled.val();
        self.output.valid.next = answer.valid.val() && is_point;
        self.output.data.next = cat(&[word, self.u.val()]);
        answer.ready.next = !is_point || self.output.ready.val();
        let comes = answer.moves();
        self.fault.next = FaultWord {
            happened: comes && has_failed && !self.cancelled.val(),
            response: lit(RESPONSE_BITS, SLVERR),
            line: self.point.val().high(LINE_ADDRESS_BITS),
        };
        if comes && !is_second {
            self.u.next = word;
        }
        self.walk(comes, has_failed);
    }

    fn walk(&self, comes: Bits, has_failed: Bits) {
        /// # Points
        let ends_row = self.column.val() == self.mesh[0].val();
        let ends = ends_row && !self.rows_left.val().any() && self.is_second.val();
        if self.master.command.moves() {
            self.is_asked.next = 1;
        } else if comes {
            self.is_asked.next = 0;
        }
        if self.start.val() {
            self.is_running.next = 1;
        } else if comes && (ends || has_failed || self.cancelled.val()) {
            self.is_running.next = 0;
        }
        self.is_idle.next = !self.is_running.val();
        if self.start.val() {
            self.row.next = self.base.val();
            self.point.next = self.base.val();
            self.column.next = 0;
            self.rows_left.next = self.mesh[1].val();
            self.is_second.next = 0;
        } else if comes {
            self.is_second.next = !self.is_second.val();
            if self.is_second.val() {
                if ends_row {
                    let next_row = self.row.val() + ROW_STRIDE_POINTS;
                    self.row.next = next_row;
                    self.point.next = next_row;
                    self.column.next = 0;
                    self.rows_left.next = self.rows_left.val() - 1;
                } else {
                    self.point.next = self.point.val() + 1;
                    self.column.next = self.column.val() + 1;
                }
            }
        }
    }
}
