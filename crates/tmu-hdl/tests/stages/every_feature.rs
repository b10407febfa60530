//! A block that makes no sense and uses everything that the printer knows.

use tmu_hdl::kernel::{discard, timing};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand, RamShape, RamSimpleDualPort, RamStyle, Synchroniser};

/// A sub-block whose ports have names that Verilog keeps for itself.
#[derive(LogicBlock)]
struct Counter {
    clocks: Clocks,
    /// Keywords of Verilog-2005 and of SystemVerilog.
    begin: Net<In>,
    logic: Net<Out>,
    wrapped: Net<Out>,
    count: Reg,
}

impl Counter {
    fn new(width: usize) -> Counter {
        let clocks = Clocks::new();
        Counter {
            begin: Net::bit(),
            logic: Net::new(width),
            wrapped: Net::bit(),
            count: Reg::with_reset(&clocks, width, 1),
            clocks,
        }
    }
}

/// Counts while it may, from one to its limit.
#[kernel]
impl Counter {
    fn logic(&self) {
        let limit = lit(self.count.width(), 5u32).named("LIMIT");
        let wraps = self.count.val() == limit;
        if self.begin.val() {
            /// Zero is left out.
            self.count.next = if wraps { lit(self.count.width(), 1u32) } else { self.count.val() + 1 };
        }
        self.logic.next = self.count.val();
        self.wrapped.next = wraps && self.begin.val();
    }
}

#[derive(LogicBlock)]
pub(crate) struct EveryFeature {
    clocks: Clocks,
    input: StreamIn,
    output: StreamOut,
    select: Net<In>,
    other_clocks: Clocks,
    flag: Net<In>,
    parts: Numbered<Net<Out>>,
    history: Vec<Reg>,
    flag_register: Reg,
    /// Called like a keyword, and like a wire below.
    unique: Net<Local>,
    watched: Net<Local>,
    full: Reg,
    counters: Vec<Counter>,
    narrow: Counter,
    extra: Optional<Counter>,
    missing: Optional<Net<Out>>,
    memory: RamSimpleDualPort,
    square: Multiplier,
    flag_here: Synchroniser,
}

impl EveryFeature {
    pub(crate) fn new(with_extra: bool) -> EveryFeature {
        let clocks = Clocks::new();
        let other_clocks = Clocks::named_without_reset("other");
        EveryFeature {
            input: StreamIn::new(8).axi_stream("s_axis"),
            output: StreamOut::new(9).axi_stream("m_axis"),
            select: Net::new(3),
            flag: Net::bit(),
            parts: Numbered(Net::array(2, 4)),
            history: Reg::array(2, &clocks, 8),
            flag_register: Reg::new(&other_clocks, 1),
            unique: Net::bit(),
            watched: Net::new(8).attribute("keep = \"true\""),
            full: Reg::with_reset(&clocks, 1, 0).attribute("keep = \"true\""),
            counters: (0..2).map(|_| Counter::new(3)).collect(),
            narrow: Counter::new(4),
            extra: Optional::new(with_extra, || Counter::new(4)),
            missing: Optional::new(false, Net::bit),
            memory: RamSimpleDualPort::new(RamShape::new(256, 8).style(RamStyle::Block)),
            square: Multiplier::new(Operand::signed(8), Operand::signed(8)),
            flag_here: Synchroniser::new(1, 2),
            other_clocks,
            clocks,
        }
    }
}

/// Everything at once.
///
/// The second paragraph of a block's docs stands above its module, too.
#[kernel]
impl EveryFeature {
    fn logic(&self) {
        timing(3, 1);
        /// # Handshake
        let moves = !self.full.val() || self.output.ready.val();
        self.input.ready.next = moves;
        if moves {
            self.full.next = self.input.valid.val();
        }
        self.output.valid.next = self.full.val();

        /// # Another clock
        self.flag_register.next = self.flag.val();
        self.flag_here.clocks.follow(&self.clocks);
        self.flag_here.data_in.next = self.flag_register.val();

        /// # Registers and their enable
        if moves && self.input.valid.val() {
            self.history[0].next = self.input.data.val();
            self.history[1].next = self.history[0].val();
        }
        self.watched.next = self.history[1].val();

        /// # Sub-blocks
        for counter in &self.counters {
            counter.clocks.follow(&self.clocks);
            counter.begin.next = self.unique.val();
        }
        for counter in [&self.narrow].into_iter().chain(self.extra.iter()) {
            counter.clocks.follow(&self.clocks);
            counter.begin.next = self.flag_here.data_out.val();
        }
        self.memory.clocks.follow(&self.clocks);
        self.memory.write_enable.next = moves;
        self.memory.write_address.next = self.history[0].val();
        self.memory.write_data.next = self.watched.val();
        self.memory.read_enable.next = 1;
        self.memory.read_address.next = self.input.data.val();
        self.square.clocks.follow(&self.clocks);
        self.square.enable.next = moves;
        self.square.a.next = self.memory.read_data.val();
        self.square.b.next = self.memory.read_data.val();

        /// # Conditions
        let unique = self.select.val().parity() ^ self.narrow.wrapped.val() & self.select.val().bit(0);
        /// The last drive counts.
        self.unique.next = unique;
        if self.select.val() == 5 {
            self.unique.next = 0;
        } else if self.select.val() > 5 {
            self.unique.next = 1;
        }
        let part = self.square.product.val().slice(2, 8).signed() >> self.select.val();
        let wide = part.extend(9) + self.watched.val().signed().extend(9);
        self.output.data.next = wide.bits();
        discard(self.square.product.val().low(2), "two bits of fraction are lost");
        if moves {
            discard(self.square.product.val().high(6), "small numbers only");
        }
        self.parts[0].next = self.counters[0].logic.val().zero_extend(4) ^ self.narrow.logic.val();
        self.parts[1].next = self.extra.iter().fold(lit(4, 0u32), |sum, extra| sum + extra.logic.val());
        if let Some(missing) = &*self.missing {
            missing.next = 1;
        }
    }
}
