//! An AXI4 subordinate for reads: latency, bandwidth, reordering, interleaving, pauses, errors.
//!
//! Latency L means: an address taken at edge n can give its first data at edge n + L, L at least 1. Reads of
//! one ID are answered in order; those of others may overtake and interleave. Checks what a manager has to
//! keep: an address stays until it is taken, bursts are INCR of whole 16-byte beats within 4 KiB, attributes
//! are those configured, no more reads are in flight than configured.

use crate::contents::{Fault, TextureMemory};
use crate::error::Violation;
use crate::pauses::{Pauser, Pauses};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::sync::Arc;
use tmu_spec::config::AxiConfig;
use tmu_spec::{LINE_BYTES, TEXTURE_ADDRESS_BITS};

const INTERFACE: &str = "m_axi";

/// How the memory behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryTiming {
    /// Clocks of the port from an address to its first data, at least 1.
    pub latency_clocks: u32,
    /// Up to this many clocks more, drawn for each read.
    pub latency_spread_clocks: u32,
    /// Bytes that the port gives in a clock, 1 to 16.
    pub bytes_per_clock: u32,
    /// Reads of different IDs overtake each other, and their beats mix.
    pub reorder: bool,
    /// Pauses of `arready` and `rvalid`.
    pub pauses: Pauses,
}

impl MemoryTiming {
    /// A memory that gives 16 bytes a clock in order.
    #[must_use]
    pub const fn latency(latency_clocks: u32) -> Self {
        let pauses = Pauses::NONE;
        Self { latency_clocks, latency_spread_clocks: 0, bytes_per_clock: 16, reorder: false, pauses }
    }
}

/// A transfer of the read address channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAddress {
    /// `arid`.
    pub id: u32,
    /// `araddr`.
    pub address: u64,
    /// `arlen`: beats less one.
    pub len: u8,
    /// `arsize`: log2 of the bytes of a beat.
    pub size: u8,
    /// `arburst`: 1 is INCR.
    pub burst: u8,
    /// `arcache`, `arprot` and `arqos`.
    pub attributes: [u8; 3],
}

impl ReadAddress {
    /// Beats that it asks for.
    #[must_use]
    pub const fn beats(&self) -> u32 {
        self.len as u32 + 1
    }
}

/// A transfer of the read data channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadData {
    /// `rid`.
    pub id: u32,
    /// `rdata`.
    pub data: [u8; LINE_BYTES as usize],
    /// `rresp`: 0 OKAY, 2 SLVERR, 3 DECERR.
    pub response: u8,
    /// `rlast`.
    pub last: bool,
}

/// A read that is being answered.
#[derive(Debug, Clone, Copy)]
struct Burst {
    id: u32,
    address: u64,
    beats_left: u32,
    first_edge: u64,
}

/// The memory port's other side.
#[derive(Debug)]
pub struct MemoryPort {
    timing: MemoryTiming,
    attributes: [u8; 3],
    outstanding_reads: u32,
    unit_mask: u32,
    units: u32,
    window_base: u64,
    contents: Arc<TextureMemory>,
    edge: u64,
    /// In the order in which their addresses came.
    bursts: VecDeque<Burst>,
    /// Bytes that may be given now.
    credit_bytes: u32,
    address_ready: bool,
    waiting: Option<ReadAddress>,
    shown: Option<ReadData>,
    address_pauser: Pauser,
    data_pauser: Pauser,
    random: ChaCha8Rng,
    beats_by_unit: Vec<u64>,
}

/// What happened at an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryEvents {
    /// An address was taken.
    pub taken: Option<ReadAddress>,
    /// Data was given.
    pub given: bool,
}

impl MemoryPort {
    /// A memory for a configuration's port.
    #[must_use]
    pub fn new(
        axi: &AxiConfig,
        units: u32,
        timing: MemoryTiming,
        contents: Arc<TextureMemory>,
        seed: u64,
    ) -> Self {
        Self {
            timing,
            attributes: [axi.arcache() as u8, axi.arprot() as u8, axi.arqos() as u8],
            outstanding_reads: axi.outstanding_reads(),
            unit_mask: (1 << axi.unit_id_bits()) - 1,
            units,
            window_base: axi.window_base(),
            contents,
            edge: 0,
            bursts: VecDeque::new(),
            credit_bytes: 0,
            address_ready: false,
            waiting: None,
            shown: None,
            address_pauser: Pauser::new(timing.pauses, seed ^ 1),
            data_pauser: Pauser::new(timing.pauses, seed ^ 2),
            random: ChaCha8Rng::seed_from_u64(seed ^ 3),
            beats_by_unit: vec![0; units as usize],
        }
    }

    /// The unit that an ID belongs to.
    #[must_use]
    pub const fn unit_of(&self, id: u32) -> usize {
        (id & self.unit_mask) as usize
    }

    /// Moves the texture window.
    pub const fn set_window_base(&mut self, window_base: u64) {
        self.window_base = window_base;
    }

    /// Number of the line of the texture window that a bus address lies in; none outside the window.
    #[must_use]
    pub const fn line_at(&self, address: u64) -> Option<u32> {
        let offset = address.wrapping_sub(self.window_base);
        if offset >> TEXTURE_ADDRESS_BITS == 0 { Some((offset / LINE_BYTES as u64) as u32) } else { None }
    }

    /// Puts other contents in place, for reads from now on.
    pub fn set_contents(&mut self, contents: Arc<TextureMemory>) {
        self.contents = contents;
    }

    /// Forgets all reads, as an interconnect does that is reset with its manager.
    pub fn clear(&mut self) {
        self.bursts.clear();
        self.waiting = None;
        self.shown = None;
        self.address_ready = false;
    }

    /// Reads whose data has not been taken to the end.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        self.bursts.len() + usize::from(self.shown.is_some_and(|data| data.last))
    }

    /// Beats that each unit has taken so far.
    #[must_use]
    pub fn beats_by_unit(&self) -> &[u64] {
        &self.beats_by_unit
    }

    /// `arready`.
    #[must_use]
    pub const fn address_ready(&self) -> bool {
        self.address_ready
    }

    /// The data shown, if `rvalid` is high.
    #[must_use]
    pub const fn shown(&self) -> Option<&ReadData> {
        self.shown.as_ref()
    }

    /// A rising edge: `address` is what the read address channel showed before it, if it was valid, and
    /// `data_ready` is `rready`.
    ///
    /// # Errors
    /// If the address channel broke a rule.
    pub fn clock(
        &mut self,
        address: Option<ReadAddress>,
        data_ready: bool,
    ) -> Result<MemoryEvents, Violation> {
        self.edge += 1;
        let mut events = MemoryEvents::default();
        if let Some(data) = self.shown.filter(|_| data_ready) {
            let unit = self.unit_of(data.id);
            self.beats_by_unit[unit] += 1;
            self.shown = None;
            events.given = true;
        }
        self.check_stability(address)?;
        if let Some(address) = address.filter(|_| self.address_ready) {
            self.accept(address)?;
            events.taken = Some(address);
        }
        self.waiting = address.filter(|_| !self.address_ready);
        self.credit_bytes = (self.credit_bytes + self.timing.bytes_per_clock).min(2 * LINE_BYTES);
        if self.shown.is_none()
            && !self.bursts.is_empty()
            && self.credit_bytes >= LINE_BYTES
            && !self.data_pauser.paused()
        {
            self.show_next();
        }
        self.address_ready = !self.address_pauser.paused();
        Ok(events)
    }

    fn check_stability(&self, address: Option<ReadAddress>) -> Result<(), Violation> {
        match (self.waiting, address) {
            (Some(_), None) => Err(Violation::new(INTERFACE, "arvalid fell before arready was high")),
            (Some(before), Some(now)) if before != now => {
                let what = format!("changed from {before:x?} to {now:x?} while arready was low");
                Err(Violation::new(INTERFACE, what))
            }
            _ => Ok(()),
        }
    }

    fn accept(&mut self, address: ReadAddress) -> Result<(), Violation> {
        let bytes = u64::from(address.beats() * LINE_BYTES);
        // The bits of an ID above the unit's tell reads from before a soft reset apart.
        let outstanding = self.bursts.iter().filter(|burst| burst.id == address.id);
        let rules = [
            (address.size == 4, "arsize must be 4: beats of 16 bytes"),
            (address.burst == 1, "arburst must be 1: INCR"),
            (address.address.is_multiple_of(u64::from(LINE_BYTES)), "araddr must be a multiple of 16"),
            (address.address % 4096 + bytes <= 4096, "a burst must not cross 4 KiB"),
            (address.attributes == self.attributes, "arcache, arprot and arqos must be those configured"),
            (self.unit_of(address.id) < self.units as usize, "arid must name a unit"),
            (
                outstanding.count() < self.outstanding_reads as usize,
                "a unit must not have more reads in flight than axi.outstanding_reads",
            ),
        ];
        if let Some((_, rule)) = rules.iter().find(|(kept, _)| !kept) {
            return Err(Violation::new(INTERFACE, format!("{address:x?}: {rule}")));
        }
        let spread = match self.timing.latency_spread_clocks {
            0 => 0,
            clocks => self.random.random_range(0..=clocks),
        };
        let wait = u64::from(self.timing.latency_clocks.max(1) + spread - 1);
        let first_edge = self.edge + wait;
        let ReadAddress { id, address: start, .. } = address;
        self.bursts.push_back(Burst { id, address: start, beats_left: address.beats(), first_edge });
        Ok(())
    }

    /// Shows the next beat, if any read has waited long enough.
    fn show_next(&mut self) {
        let Some(chosen) = self.choose() else { return };
        let burst = &mut self.bursts[chosen];
        let Burst { id, address, .. } = *burst;
        burst.address += u64::from(LINE_BYTES);
        burst.beats_left -= 1;
        let last = burst.beats_left == 0;
        if last {
            self.bursts.remove(chosen);
        }
        self.credit_bytes -= LINE_BYTES;
        let line = self.line_at(address);
        let (data, response) = match line.map_or(Err(Fault::Decode), |line| self.contents.line(line)) {
            Ok(data) => (data, 0),
            Err(fault) => ([0xee; LINE_BYTES as usize], fault.response()),
        };
        self.shown = Some(ReadData { id, data, response, last });
    }

    /// The read whose beat is next.
    fn choose(&mut self) -> Option<usize> {
        if !self.timing.reorder {
            return (self.bursts[0].first_edge <= self.edge).then_some(0);
        }
        let first_of_its_id = |at: usize| self.bursts.iter().take(at).all(|b| b.id != self.bursts[at].id);
        let ready: Vec<usize> = (0..self.bursts.len())
            .filter(|at| self.bursts[*at].first_edge <= self.edge && first_of_its_id(*at))
            .collect();
        if ready.is_empty() { None } else { Some(ready[self.random.random_range(0..ready.len())]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::Config;

    fn port(timing: MemoryTiming) -> MemoryPort {
        let config = Config::from_toml("units = 4\n[axi]\nwindow_base = 0x10000").unwrap();
        let mut contents = TextureMemory::noise(9);
        contents.fail(3, Fault::Subordinate);
        MemoryPort::new(config.axi(), 4, timing, Arc::new(contents), 5)
    }

    fn address(id: u32, line: u64, beats: u8) -> ReadAddress {
        ReadAddress {
            id,
            address: 0x1_0000 + line * 16,
            len: beats - 1,
            size: 4,
            burst: 1,
            attributes: [3, 0, 0],
        }
    }

    /// Offers addresses one after the other and takes data whenever it comes: (edge, id, last) of each beat.
    fn run(port: &mut MemoryPort, mut addresses: VecDeque<ReadAddress>, edges: u64) -> Vec<(u64, u32, bool)> {
        let mut got = Vec::new();
        for edge in 0..edges {
            let shown = port.shown().copied();
            let events = port.clock(addresses.front().copied(), true).unwrap();
            if events.taken.is_some() {
                addresses.pop_front();
            }
            got.extend(shown.map(|data| (edge, data.id, data.last)));
            assert_eq!(events.given, shown.is_some());
        }
        assert!(addresses.is_empty() && port.outstanding() == 0);
        got
    }

    #[test]
    fn latency_and_bandwidth_are_as_set() {
        // The address is taken at edge 1, since arready is low before edge 0.
        for latency in [1, 2, 20] {
            let got = run(&mut port(MemoryTiming::latency(latency)), [address(0, 0, 3)].into(), 40);
            let first = 1 + u64::from(latency);
            assert_eq!(got, [(first, 0, false), (first + 1, 0, false), (first + 2, 0, true)], "{latency}");
        }
        let half = MemoryTiming { bytes_per_clock: 4, ..MemoryTiming::latency(1) };
        let edges: Vec<_> = run(&mut port(half), [address(0, 0, 4)].into(), 60).iter().map(|b| b.0).collect();
        assert!(edges.windows(2).skip(1).all(|pair| pair[1] - pair[0] == 4), "{edges:?}");
    }

    #[test]
    fn ids_overtake_and_each_stays_in_order() {
        let timing = MemoryTiming { reorder: true, latency_spread_clocks: 9, ..MemoryTiming::latency(5) };
        let asked: VecDeque<_> = (0..4).map(|id| address(id, u64::from(id) * 8, 8)).collect();
        let got = run(&mut port(timing), asked, 200);
        let order: Vec<_> = got.iter().map(|beat| beat.1).collect();
        assert!(!order.is_sorted(), "nothing overtook: {order:?}");
        for id in 0..4 {
            let lasts: Vec<_> = got.iter().filter(|beat| beat.1 == id).map(|beat| beat.2).collect();
            assert_eq!(lasts, [false, false, false, false, false, false, false, true]);
        }
        assert_eq!(got.len(), 32);
    }

    #[test]
    fn pauses_lose_nothing() {
        let timing = MemoryTiming { pauses: Pauses::percent(30), ..MemoryTiming::latency(3) };
        let mut port = port(timing);
        let asked = (0..100u64).map(|n| address(n as u32 % 4, n, 1));
        // Each unit has one read in flight at most, so ask for the next when the last has come.
        for one in asked {
            let (mut taken, mut data) = (false, None);
            while data.is_none() {
                data = port.shown().copied();
                taken |= port.clock((!taken).then_some(one), true).unwrap().taken.is_some();
            }
            assert_eq!(data.unwrap().id, one.id);
        }
        assert_eq!(port.beats_by_unit(), [25; 4]);
    }

    #[test]
    fn data_are_the_contents_and_faults_their_responses() {
        let mut port = port(MemoryTiming::latency(1));
        let mut got = Vec::new();
        let mut asked: VecDeque<_> = [address(1, 2, 1), address(2, 3, 1), address(3, 0x800_0000, 1)].into();
        for _ in 0..20 {
            got.extend(port.shown().copied());
            if port.clock(asked.front().copied(), true).unwrap().taken.is_some() {
                asked.pop_front();
            }
        }
        assert_eq!(got.iter().map(|data| data.response).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(Ok(got[0].data), TextureMemory::noise(9).line(2));
    }

    #[test]
    fn each_rule_of_the_address_channel_is_watched() {
        let refused = |address: ReadAddress| {
            let mut port = port(MemoryTiming::latency(50));
            port.clock(None, true).unwrap();
            port.clock(Some(address), true).unwrap_err().what
        };
        let good = address(0, 0, 1);
        for (address, rule) in [
            (ReadAddress { size: 3, ..good }, "arsize"),
            (ReadAddress { burst: 0, ..good }, "arburst"),
            (ReadAddress { address: good.address + 8, ..good }, "multiple of 16"),
            (ReadAddress { address: good.address + 4080, len: 1, ..good }, "4 KiB"),
            (ReadAddress { attributes: [3, 0, 1], ..good }, "arqos"),
        ] {
            let what = refused(address);
            assert!(what.contains(rule), "{what} should name {rule}");
        }
        let mut port = port(MemoryTiming::latency(50));
        port.clock(None, true).unwrap();
        port.clock(Some(good), true).unwrap();
        let what = port.clock(Some(good), true).unwrap_err().what;
        assert!(what.contains("outstanding_reads"), "{what}");
    }

    #[test]
    fn an_address_stays_until_it_is_taken() {
        let stalled = || {
            let mut port = port(MemoryTiming::latency(1));
            // arready is low before the first edge.
            port.clock(Some(address(0, 0, 1)), true).unwrap();
            port
        };
        let fell = stalled().clock(None, true).unwrap_err().what;
        assert!(fell.contains("fell"), "{fell}");
        let changed = stalled().clock(Some(address(0, 1, 1)), true).unwrap_err().what;
        assert!(changed.contains("changed"), "{changed}");
    }
}
