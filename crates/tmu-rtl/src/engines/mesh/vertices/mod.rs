//! `vertices`: the points of the mesh, read ahead of the drawing, and from them the edges of the rectangles.
//!
//! A row of points is kept, so that each point is read once: a point that comes, and the one that was kept in its place, are the ends of an
//! edge. Points come from the memory port (`lines`) or over Wishbone (`words`).
//!
//! II 1, latency that of memory and 3 clocks. One block RAM, and a FIFO of 16 lines in LUT RAM in front of it with the memory port.

pub mod lines;
pub mod words;

use super::words::{AXES, EdgeWord, FaultWord, MESH_BITS, POINT_BITS, edge_word, fault_word};
use crate::engine::read_ports::LinePorts;
use lines::{Lines, POINT_ADDRESS_BITS, read_shape};
use tmu_hdl::bus::{WishboneMaster, WishboneMasterPort};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;
use words::{WORD_ADDRESS_BITS, Words, pass_bus};

/// Points of a row, at most.
const ROW_POINTS: usize = 1 << MESH_BITS;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Vertices {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A job starts.
    pub start: Net<In>,
    /// A job ends early: nothing more is asked for, and what has come is dropped, an edge that is offered with it.
    pub cancelled: Net<In>,
    /// Bits 31:3 of the address of the first point.
    pub base: Net<In>,
    /// Rectangles across and down.
    pub mesh: [Net<In>; AXES],
    /// Channel for reads, where points come from the memory port.
    pub memory: Optional<LinePorts>,
    /// The bus, where they come over Wishbone.
    pub bus: Optional<WishboneMasterPort>,
    /// An [`EdgeWord`].
    pub output: StreamOut,
    /// A read has failed.
    pub fault: FaultWord<Field<Out>>,
    /// Nothing is being read.
    pub is_idle: Net<Out>,
    lines: Optional<Lines>,
    words: Optional<Words>,
    column: Reg,
    is_last_point: Reg,
    /// The last point of a row has come.
    row_ends: Reg,
    rows_left: Reg,
    is_first_row: Reg,
    kept: RamSimpleDualPort,
    latched: Reg,
    latched_point: Reg,
    latched_ends: [Reg; 2],
    offered: Reg,
    offered_point: Reg,
    offered_ends: [Reg; 2],
}

impl Vertices {
    /// For a configuration.
    pub fn new(config: &Config) -> Vertices {
        let clocks = Clocks::new();
        let is_wishbone = config.engine_configs().mesh().is_wishbone();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let bit = || Reg::new(&clocks, 1);
        let point = || Reg::new(&clocks, AXES * POINT_BITS);
        let shape = RamShape::new(ROW_POINTS, AXES * POINT_BITS).style(RamStyle::Block).output_register(true);
        Vertices {
            start: Net::bit(),
            cancelled: Net::bit(),
            base: Net::new(POINT_ADDRESS_BITS),
            mesh: [Net::new(MESH_BITS), Net::new(MESH_BITS)],
            memory: Optional::new(!is_wishbone, || LinePorts::new(&read_shape(config))),
            bus: Optional::new(is_wishbone, || WishboneMaster::new(WORD_ADDRESS_BITS).wishbone),
            output: StreamOut::new(edge_word().width()),
            fault: fault_word().nets(),
            is_idle: Net::bit(),
            lines: Optional::new(!is_wishbone, || Lines::new(config)),
            words: Optional::new(is_wishbone, Words::new),
            column: Reg::new(&clocks, MESH_BITS),
            is_last_point: Reg::new(&clocks, 1),
            row_ends: flag(),
            rows_left: Reg::new(&clocks, MESH_BITS),
            is_first_row: bit(),
            kept: RamSimpleDualPort::new(shape),
            latched: flag(),
            latched_point: point(),
            latched_ends: [bit(), bit()],
            offered: flag(),
            offered_point: point(),
            offered_ends: [bit(), bit()],
            clocks,
        }
    }
}

/// The edges of the rectangles.
#[kernel]
impl Vertices {
    fn module_name(&self) -> String {
        "vertices".into()
    }

    fn logic(&self) {
        match (self.lines.as_ref(), self.words.as_ref()) {
            (Some(lines), _) => self.lines(lines),
            (_, Some(words)) => self.words(words),
            _ => unreachable!("points come from somewhere"),
        }
    }

    fn lines(&self, lines: &Lines) {
        /// # Memory port
        lines.clocks.follow(&self.clocks);
        lines.start.next = self.start.val();
        lines.cancelled.next = self.cancelled.val();
        lines.base.next = self.base.val();
        for (to, from) in lines.mesh.iter().zip(&self.mesh) {
            to.next = from.val();
        }
        if let Some(outer) = self.memory.as_ref() {
            outer.forward(&lines.memory);
        }
        self.fault.next = lines.fault.val();
        self.is_idle.next = lines.is_idle.val();
        self.edges(&lines.output);
    }

    fn words(&self, words: &Words) {
        /// # Wishbone
        words.clocks.follow(&self.clocks);
        words.start.next = self.start.val();
        words.cancelled.next = self.cancelled.val();
        words.base.next = self.base.val();
        for (to, from) in words.mesh.iter().zip(&self.mesh) {
            to.next = from.val();
        }
        if let Some(outer) = self.bus.as_ref() {
            pass_bus(outer, &words.bus);
        }
        self.fault.next = words.fault.val();
        self.is_idle.next = words.is_idle.val();
        self.edges(&words.output);
    }

    /// A point that comes takes the place of the one above it, which is read at the same time.
    fn edges(&self, points: &StreamOut) {
        /// # Edges
        let leaves = !self.offered.val() || self.output.ready.val();
        let moves = !self.latched.val() || leaves;
        points.ready.next = moves;
        let comes = points.valid.val() && moves;
        let column = self.column.val();
        /// Known in the clock behind a point, in which no other one comes.
        self.is_last_point.next = column == self.mesh[0].val();
        let ends_row = self.is_last_point.val();
        let kept = &self.kept;
        kept.clocks.follow(&self.clocks);
        kept.write_enable.next = comes;
        kept.write_address.next = column;
        kept.write_data.next = points.data.val();
        kept.read_enable.next = comes;
        kept.read_address.next = column;
        if let Some(output_enable) = kept.output_enable.as_ref() {
            output_enable.next = leaves;
        }
        if moves {
            self.latched.next = points.valid.val() && !self.is_first_row.val();
            self.latched_point.next = points.data.val();
            self.latched_ends[0].next = !column.any();
            self.latched_ends[1].next = ends_row && !self.rows_left.val().any();
        }
        if leaves {
            self.offered.next = self.latched.val();
            self.offered_point.next = self.latched_point.val();
            self.offered_ends[0].next = self.latched_ends[0].val();
            self.offered_ends[1].next = self.latched_ends[1].val();
        }
        if self.start.val() || self.cancelled.val() {
            self.latched.next = 0;
            self.offered.next = 0;
        }
        if self.start.val() {
            self.column.next = 0;
        } else if comes {
            self.column.next = if ends_row { lit(MESH_BITS, 0u32) } else { column + 1 };
        }
        /// Rows are counted in the clock behind a point, too.
        self.row_ends.next = comes && ends_row;
        if self.start.val() {
            self.rows_left.next = self.mesh[1].val();
            self.is_first_row.next = 1;
        } else if self.row_ends.val() {
            self.rows_left.next = self.rows_left.val() - 1;
            self.is_first_row.next = 0;
        }
        self.output.valid.next = self.offered.val();
        let axes = |point: Bits| [point.low(POINT_BITS), point.high(POINT_BITS)];
        self.output.data.next = edge_word().pack(&EdgeWord {
            upper: axes(kept.read_data.val()),
            lower: axes(self.offered_point.val()),
            is_first: self.offered_ends[0].val(),
            is_last: self.offered_ends[1].val(),
        });
    }
}
