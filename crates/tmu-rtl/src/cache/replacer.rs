//! `replacement`: which way of a set gives up its line.
//!
//! The lowest way that holds nothing comes first. Otherwise the policy decides: one bit a set for the half of
//! the ways used less recently and free-running bits within it; free-running bits alone; or the way after the
//! one filled last. Part of `cache`, of one that has a choice: a direct-mapped one has none.
//!
//! What is known of the sets lies in LUT RAM, several sets in a row of at most 64, since LUT RAM is deep enough
//! at 64 rows and each further 64 would cost as much again; a row is read, changed and written as a whole. It is
//! read while the tags are compared. The victim stands one clock after `look`. Between `look` and the change of
//! a set, and from there to the next `look`, at least one clock must pass.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_spec::Config;
use tmu_spec::config::Replacement;

/// Rows of the RAM, at most.
const ROWS: usize = 64;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Replacer {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The set looked at.
    pub set: Net<In>,
    /// Forget what is known of the set.
    pub clear: Net<In>,
    /// The set's word is wanted at the next edge.
    pub look: Net<In>,
    /// Ways that hold a line.
    pub valids: Net<In>,
    /// `way` has been hit.
    pub hit: Net<In>,
    /// `way` has been filled.
    pub fill: Net<In>,
    /// The way hit or filled.
    pub way: Net<In>,
    /// The way to fill.
    pub victim: Net<Out>,
    order_ram: Optional<DistributedRam>,
    order: Optional<Reg>,
    update: Optional<Update>,
    free_running: Optional<Reg>,
    _policy: Replacement,
    _ways: usize,
    _order_bits: usize,
}

/// The write to a row, a clock behind, so that the RAM has a write port of its own.
#[derive(Bundle)]
struct Update {
    enable: Reg,
    row: Reg,
    orders: Reg,
}

impl Replacer {
    /// The policy of a configuration.
    pub fn new(config: &Config) -> Replacer {
        let clocks = Clocks::new();
        let cache = config.cache();
        let (ways, sets, way_bits) =
            (cache.ways() as usize, cache.sets() as usize, cache.way_bits() as usize);
        let policy = cache.replacement();
        let order_bits = match policy {
            _ if ways == 1 => 0,
            Replacement::PlruRandom => 1,
            Replacement::Random => 0,
            Replacement::RoundRobin => way_bits,
        };
        let rows = sets.min(ROWS);
        let row_bits = sets / rows * order_bits;
        let free_bits = match policy {
            Replacement::PlruRandom => way_bits.saturating_sub(1),
            Replacement::Random => way_bits,
            Replacement::RoundRobin => 0,
        };
        Replacer {
            set: Net::new(cache.set_bits() as usize),
            clear: Net::bit(),
            look: Net::bit(),
            valids: Net::new(ways),
            hit: Net::bit(),
            fill: Net::bit(),
            way: Net::new(way_bits.max(1)),
            victim: Net::new(way_bits.max(1)),
            order_ram: Optional::new(order_bits > 0, || DistributedRam::new(rows, row_bits)),
            order: Optional::new(order_bits > 0, || Reg::new(&clocks, order_bits)),
            update: Optional::new(order_bits > 0, || Update {
                enable: Reg::with_reset(&clocks, 1, 0),
                row: Reg::new(&clocks, rows.ilog2() as usize),
                orders: Reg::new(&clocks, row_bits),
            }),
            free_running: Optional::new(free_bits > 0, || Reg::with_reset(&clocks, free_bits, 0)),
            clocks,
            _policy: policy,
            _ways: ways,
            _order_bits: order_bits,
        }
    }
}

/// Which way of a set gives up its line.
#[kernel]
impl Replacer {
    fn logic(&self) {
        let way = self.way.val();
        if let (Some(ram), Some(order), Some(update)) =
            (self.order_ram.as_ref(), self.order.as_ref(), self.update.as_ref())
        {
            let is_plru = matches!(self._policy, Replacement::PlruRandom);
            /// The half not used, or the way after the one filled.
            let after = if is_plru { !way.high(1) } else { way + 1 };
            if is_plru && way.width() > 1 {
                discard(way.low(way.width() - 1), "only the half counts");
            }
            if !is_plru {
                discard(self.hit.val(), "only fills count");
            }
            ram.clocks.follow(&self.clocks);
            let row_bits = update.row.width();
            let row = self.set.val().low(row_bits);
            ram.read_address.next = row;
            let orders = ram.read_data.val();
            let place_bits = self.set.width() - row_bits;
            let place = if place_bits == 0 { lit(1, 0u32) } else { self.set.val().high(place_bits) };
            let order_bits = self._order_bits;
            let own = |number: usize| orders.slice(number * order_bits, order_bits);
            let places = orders.width() / order_bits;
            let changed: Vec<Bits> = (0..places)
                .rev()
                .map(|number| if place == number as u64 { after } else { own(number) })
                .collect();
            let found: Vec<Bits> = (0..order_bits)
                .rev()
                .map(|bit| {
                    let of_all: Vec<Bits> = (0..places).rev().map(|number| own(number).bit(bit)).collect();
                    cat(&of_all).at(place)
                })
                .collect();
            update.enable.next = self.clear.val() || self.fill.val() || (is_plru && self.hit.val());
            update.row.next = row;
            update.orders.next = cat(&changed) & (!self.clear.val()).repeat(orders.width());
            ram.write_enable.next = update.enable.val();
            ram.write_address.next = update.row.val();
            ram.write_data.next = update.orders.val();
            if self.look.val() {
                order.next = cat(&found);
            }
        }
        if let Some(free_running) = self.free_running.as_ref() {
            free_running.next = free_running.val() + 1;
        }
        let parts: Vec<Bits> =
            [&self.order, &self.free_running].iter().filter_map(|part| Some(part.as_ref()?.val())).collect();
        let choice = if parts.is_empty() { lit(1, 0u32) } else { cat(&parts) };
        let mut victim = choice;
        /// The lowest way that holds nothing comes before the choice.
        for number in (0..self._ways).rev() {
            let here = lit(choice.width(), number as u32);
            victim = if self.valids.val().bit(number) { victim } else { here };
        }
        self.victim.next = victim;
        if self.order_ram.is_none() {
            for unread in [&self.clear, &self.look, &self.hit, &self.fill, &self.set, &self.way] {
                discard(unread.val(), "what happened before does not count");
            }
        } else if matches!(self._policy, Replacement::RoundRobin) {
            discard(self.hit.val(), "only fills count");
        }
    }
}
