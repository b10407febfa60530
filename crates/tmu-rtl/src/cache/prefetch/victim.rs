//! `victim`: which way of a set gives up its tile. Part of `tag_stage`.
//!
//! The lowest way that holds nothing comes first. Otherwise the policy decides: one bit a set for the half of
//! the ways used less recently and free-running bits within it; free-running bits alone; or the way after the
//! one filled last.
//!
//! A configuration with one way has none.
//!
//! Latency 1 clock from a set to its victim, initiation interval 1. One word a set in LUT RAM.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_spec::Config;
use tmu_spec::config::Replacement;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Victim {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The set that may need a victim a clock later.
    pub read_set: Net<In>,
    /// Ways of the set of a clock before that hold a tile.
    pub valids: Net<In>,
    /// The way to fill in the set of a clock before.
    pub way: Net<Out>,
    /// The set that was used.
    pub write_set: Net<In>,
    /// Forget what is known of it.
    pub clear: Net<In>,
    /// Its `used_way` was looked up.
    pub hit: Net<In>,
    /// Its `used_way` is filled.
    pub fill: Net<In>,
    /// The way looked up or filled.
    pub used_way: Net<In>,
    orders: Optional<Orders>,
    free_running: Optional<Reg>,
    _policy: Replacement,
    _ways: usize,
}

/// What is known of each set.
#[derive(Bundle)]
struct Orders {
    ram: DistributedRam,
    order: Reg,
}

impl Victim {
    /// The policy of a configuration.
    pub fn new(config: &Config) -> Victim {
        let cache = config.cache();
        let (ways, sets, set_bits) =
            (cache.ways() as usize, cache.bank_sets() as usize, cache.bank_set_bits() as usize);
        let (policy, way_bits) = (cache.replacement(), cache.way_bits() as usize);
        let (order_bits, free_bits) = match policy {
            Replacement::PlruRandom => (1, way_bits - 1),
            Replacement::Random => (0, way_bits),
            Replacement::RoundRobin => (way_bits, 0),
        };
        let clocks = if free_bits > 0 { Clocks::new() } else { Clocks::without_reset() };
        Victim {
            read_set: Net::new(set_bits),
            valids: Net::new(ways),
            way: Net::new(way_bits.max(1)),
            write_set: Net::new(set_bits),
            clear: Net::bit(),
            hit: Net::bit(),
            fill: Net::bit(),
            used_way: Net::new(way_bits.max(1)),
            orders: Optional::new(order_bits > 0, || Orders {
                ram: DistributedRam::new(sets, order_bits),
                order: Reg::new(&clocks, order_bits),
            }),
            free_running: Optional::new(free_bits > 0, || Reg::with_reset(&clocks, free_bits, 0)),
            clocks,
            _policy: policy,
            _ways: ways,
        }
    }
}

/// Which way of a set gives up its tile.
#[kernel]
impl Victim {
    fn logic(&self) {
        timing(1, 1);
        let used_way = self.used_way.val();
        if let Some(Orders { ram, order }) = self.orders.as_ref() {
            let is_plru = matches!(self._policy, Replacement::PlruRandom);
            /// The half not used, or the way after the one filled.
            let after = if is_plru { !used_way.high(1) } else { used_way + 1 };
            if is_plru && used_way.width() > 1 {
                discard(used_way.low(used_way.width() - 1), "only the half counts");
            }
            let changes = if is_plru { self.hit.val() } else { self.fill.val() };
            discard(if is_plru { self.fill.val() } else { self.hit.val() }, "of no interest to this policy");
            ram.clocks.follow(&self.clocks);
            ram.write_enable.next = self.clear.val() || changes;
            ram.write_address.next = self.write_set.val();
            ram.write_data.next = after & (!self.clear.val()).repeat(order.width());
            ram.read_address.next = self.read_set.val();
            order.next = ram.read_data.val();
        } else {
            for unread in
                [&self.read_set, &self.write_set, &self.clear, &self.hit, &self.fill, &self.used_way]
            {
                discard(unread.val(), "what happened before does not count");
            }
        }
        if let Some(free_running) = self.free_running.as_ref() {
            free_running.next = free_running.val() + 1;
        }
        let order = self.orders.as_ref().map(|orders| orders.order.val());
        let free_running = self.free_running.as_ref().map(|reg| reg.val());
        let parts: Vec<Bits> = order.into_iter().chain(free_running).collect();
        let choice = if parts.is_empty() { lit(1, 0u32) } else { cat(&parts) };
        /// The lowest way that holds nothing comes before the choice.
        let mut way = choice;
        for number in (0..self._ways).rev() {
            let here = lit(choice.width(), number as u32);
            way = if self.valids.val().bit(number) { way } else { here };
        }
        self.way.next = way;
    }
}
