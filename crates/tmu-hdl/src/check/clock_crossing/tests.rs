//! Data passes between clocks only inside a primitive that declares a crossing.

use crate::dependencies::dependencies;
use crate::design::{BlockDesign, Design, NetKind, for_each_drive};
use crate::diagnostic::{Diagnostic, Rule};
use crate::record::{AtomId, NodeKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Registers and clocked ports of primitives that see data of another clock.
pub(crate) fn check(design: &Design) -> Vec<Diagnostic> {
    let clocks = Clocks::new(design);
    let mut found = vec![];
    for block in &design.blocks {
        for (sink, Sink { clock, sources }) in sinks(block) {
            let clock = clocks.root(clock);
            let origins = sources.iter().flat_map(|&net| clocks.origins(net));
            let other = origins.filter(|&(origin_clock, _)| origin_clock != clock).min();
            if let Some((origin_clock, &origin)) = other {
                found.push(diagnostic(design, block, (sink, clock), (origin, origin_clock)));
            }
        }
    }
    found
}

/// Something that samples data at a clock edge.
struct Sink {
    clock: AtomId,
    /// What it samples.
    sources: BTreeSet<AtomId>,
}

/// The registers of a kernel with the nets that decide their next value, reset included, or the clocked inputs
/// of a primitive.
fn sinks(block: &BlockDesign) -> BTreeMap<AtomId, Sink> {
    let mut sinks: BTreeMap<AtomId, Sink> = BTreeMap::new();
    for net in &block.nets {
        if let Some(register) = net.register() {
            let sources = register.reset.into_iter().collect();
            sinks.insert(net.id, Sink { clock: register.clock, sources });
        }
    }
    for_each_drive(&block.body.statements, &mut |site| {
        let Some(sink) = sinks.get_mut(&site.target) else { return };
        for &root in site.conditions.iter().chain([&site.value]) {
            block.body.for_each_net(root, &mut |net| {
                sink.sources.insert(net);
            });
        }
    });
    for (port, clock) in clocked_ports(block, NetKind::Input) {
        sinks.insert(port, Sink { clock, sources: BTreeSet::from([port]) });
    }
    sinks
}

/// The clocked ports of a primitive in one direction, each with its clock.
pub(crate) fn clocked_ports(block: &BlockDesign, direction: NetKind) -> Vec<(AtomId, AtomId)> {
    let clocked = block.body.primitive.iter().flat_map(|primitive| &primitive.clocked);
    clocked
        .filter_map(|(port, clock)| {
            let (port, clock) = (block.port(port)?, block.port(clock)?);
            (port.kind == direction).then_some((port.id, clock.id))
        })
        .collect()
}

/// `sink` and `origin` are each a net and its clock.
fn diagnostic(
    design: &Design,
    block: &BlockDesign,
    sink: (AtomId, AtomId),
    origin: (AtomId, AtomId),
) -> Diagnostic {
    let path = |id| format!("{}.{}", design.blocks[design.block_of(id)].path, design.net(id).name);
    let place = |what: &str, id| {
        let net = design.net(id);
        net.source.map(|source| (format!("{what} `{}`", net.name), source))
    };
    Diagnostic {
        rule: Rule::ClockCrossing,
        block: block.path.clone(),
        message: format!(
            "`{}` on clock {} takes data of `{}` on clock {}",
            path(sink.0),
            path(sink.1),
            path(origin.0),
            path(origin.1)
        ),
        places: place("from", origin.0).into_iter().chain(place("to", sink.0)).collect(),
        remedy: "cross with a synchroniser or an asynchronous FIFO",
    }
}

/// Which clocks each net's data comes from.
pub(crate) struct Clocks<'a> {
    design: &'a Design,
    /// The net behind each net that is driven with nothing but another net.
    driver: HashMap<AtomId, AtomId>,
    /// For each net: clock of origin, and a register or port on it as an example.
    origins: HashMap<AtomId, BTreeMap<AtomId, AtomId>>,
}

impl<'a> Clocks<'a> {
    pub(crate) fn new(design: &'a Design) -> Clocks<'a> {
        // A clock that is chosen or computed is a clock of its own.
        let mut driver: HashMap<AtomId, Option<AtomId>> = HashMap::new();
        for block in &design.blocks {
            for_each_drive(&block.body.statements, &mut |site| {
                let plain = match block.body.node(site.value).kind {
                    NodeKind::Net(net) if site.conditions.is_empty() => Some(net),
                    _ => None,
                };
                let again = driver.contains_key(&site.target);
                driver.insert(site.target, plain.filter(|_| !again));
            });
        }
        let driver = driver.into_iter().filter_map(|(target, from)| Some((target, from?))).collect();
        let mut clocks = Clocks { design, driver, origins: HashMap::new() };
        clocks.start();
        clocks.spread();
        clocks
    }

    /// The clock at the top, or wherever it is made.
    pub(crate) fn root(&self, mut clock: AtomId) -> AtomId {
        // A clock that drives itself is a combinational loop and refused as such; it must only not hang here.
        for _ in 0..self.driver.len() {
            let Some(&next) = self.driver.get(&clock) else { break };
            clock = next;
        }
        clock
    }

    pub(crate) fn origins(&self, net: AtomId) -> impl Iterator<Item = (AtomId, &AtomId)> {
        self.origins.get(&net).into_iter().flatten().map(|(&clock, origin)| (clock, origin))
    }

    /// Registers and clocked outputs of primitives are where data begins.
    fn start(&mut self) {
        for block in &self.design.blocks {
            for net in &block.nets {
                if let Some(register) = net.register() {
                    let clock = self.root(register.clock);
                    self.origins.insert(net.id, BTreeMap::from([(clock, net.id)]));
                }
            }
            for (port, clock) in clocked_ports(block, NetKind::Output) {
                self.origins.insert(port, BTreeMap::from([(self.root(clock), port)]));
            }
        }
    }

    /// Follows wires until nothing changes; each round reaches at least one net further.
    fn spread(&mut self) {
        let graph = dependencies(self.design);
        loop {
            let mut changed = false;
            for (target, from) in &graph {
                let gathered: Vec<(AtomId, AtomId)> =
                    from.iter().flat_map(|&net| self.origins(net)).map(|(c, o)| (c, *o)).collect();
                let known = self.origins.entry(*target).or_default();
                for (clock, origin) in gathered {
                    changed |= known.insert(clock, origin).is_none();
                }
            }
            if !changed {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::primitive::{Crossing, CrossingKind, Primitive, describe};
    use crate::testing::refusals;

    /// A register behind an enable, as a sub-block.
    #[derive(LogicBlock)]
    struct Stage {
        clocks: Clocks,
        enable: Net<In>,
        data: Net<In>,
        out: Net<Out>,
        held: Reg,
    }

    impl Stage {
        fn new() -> Stage {
            let clocks = Clocks::new();
            let held = Reg::with_reset(&clocks, 4, 0);
            Stage { enable: Net::bit(), data: Net::new(4), out: Net::new(4), held, clocks }
        }
    }

    #[kernel]
    impl Stage {
        fn logic(&self) {
            if self.enable.val() {
                self.held.next = self.data.val();
            }
            self.out.next = self.held.val();
        }
    }

    /// A stand-in for a synchroniser.
    #[derive(LogicBlock)]
    struct Cross {
        clk: Net<In>,
        data: Net<In>,
        out: Net<Out>,
        /// Whether the data input is captured like any other.
        _captures: bool,
    }

    impl Cross {
        fn new(captures: bool) -> Cross {
            Cross { clk: Net::bit(), data: Net::new(4), out: Net::new(4), _captures: captures }
        }
    }

    impl Logic for Cross {
        fn update(&mut self) {}

        fn hdl(&self) -> Verilog {
            let mut clocked = vec![("out", "clk")];
            clocked.extend(self._captures.then_some(("data", "clk")));
            let crossing = Crossing {
                kind: CrossingKind::Synchroniser,
                from: "data",
                to_clock: "clk",
                first_register: "first",
                width: 4,
            };
            describe(Primitive {
                module: "cross".into(),
                clocked,
                crossing: (!self._captures).then_some(crossing),
                ..Primitive::default()
            });
            Verilog::Empty
        }
    }

    /// What passes from clock `a` to clock `b`.
    #[derive(Clone, Copy, PartialEq)]
    enum Passes {
        Nothing,
        Data,
        Condition,
        Reset,
        ThroughPrimitive,
        IntoPrimitive,
    }

    #[derive(LogicBlock)]
    struct Pair {
        a: Clocks,
        b: Clocks,
        from: Stage,
        to: Stage,
        cross: Cross,
        out: Net<Out>,
        _passes: Passes,
    }

    impl Pair {
        fn new(passes: Passes) -> Pair {
            let (a, b) = (Clocks::named("a"), Clocks::named("b"));
            let cross = Cross::new(passes == Passes::IntoPrimitive);
            Pair { a, b, from: Stage::new(), to: Stage::new(), cross, out: Net::new(4), _passes: passes }
        }
    }

    #[kernel]
    impl Pair {
        fn logic(&self) {
            let passes = |what: Passes| what as u8 == self._passes as u8;
            self.from.clocks.follow(&self.a);
            self.from.enable.next = 1;
            self.from.data.next = self.to.width_of_data();
            let early = self.from.out.val();
            self.to.clocks.clk.next = self.b.clk.val();
            let reset = self.b.rst.as_ref().map_or(lit(1, 0u32), |rst| rst.val());
            let reset = if passes(Passes::Reset) { early.bit(0) } else { reset };
            self.to.clocks.rst.as_ref().into_iter().for_each(|rst| rst.drive(reset));
            self.cross.clk.next = self.b.clk.val();
            self.cross.data.next = early;
            self.to.enable.next = if passes(Passes::Condition) { early.bit(1) } else { lit(1, 1u32) };
            self.to.data.next = if passes(Passes::Data) {
                !early
            } else if passes(Passes::ThroughPrimitive) || passes(Passes::IntoPrimitive) {
                self.cross.out.val()
            } else {
                lit(4, 3u32)
            };
            self.out.next = self.to.out.val();
        }
    }

    impl Stage {
        fn width_of_data(&self) -> Bits {
            lit(self.data.width(), 5u32)
        }
    }

    #[test]
    fn data_conditions_and_resets_of_another_clock_are_refused_wherever_they_pass() {
        let into_register = "\
error[H006]: `top.to.held` on clock top.b_clk takes data of `top.from.held` on clock top.a_clk
  in top.to
  from `held`: let held = Reg::with_reset(&clocks, 4, 0);
  to `held`: let held = Reg::with_reset(&clocks, 4, 0);
  remedy: cross with a synchroniser or an asynchronous FIFO";
        let into_primitive = "\
error[H006]: `top.cross.data` on clock top.b_clk takes data of `top.from.held` on clock top.a_clk
  in top.cross
  from `held`: let held = Reg::with_reset(&clocks, 4, 0);
  to `data`: Cross { clk: Net::bit(), data: Net::new(4), out: Net::new(4), _captures: captures }
  remedy: cross with a synchroniser or an asynchronous FIFO";
        let table = [
            (Passes::Data, into_register),
            (Passes::Condition, into_register),
            (Passes::Reset, into_register),
            (Passes::IntoPrimitive, into_primitive),
        ];
        for (passes, expected) in table {
            assert_eq!(refusals("top", &Pair::new(passes)), expected);
        }
    }

    #[test]
    fn a_declared_crossing_and_unrelated_clocks_pass() {
        for passes in [Passes::Nothing, Passes::ThroughPrimitive] {
            elaborate("top", &Pair::new(passes)).unwrap();
        }
    }

    /// A clock that is made from another is another clock.
    #[derive(LogicBlock)]
    struct Gated {
        clocks: Clocks,
        gate: Net<In>,
        from: Stage,
        to: Stage,
        out: Net<Out>,
    }

    #[kernel]
    impl Gated {
        fn logic(&self) {
            self.from.clocks.follow(&self.clocks);
            self.from.enable.next = 1;
            self.from.data.next = 1;
            let gated = self.clocks.clk.val() & self.gate.val();
            self.to.clocks.follow_with(gated, lit(1, 0u32));
            self.to.enable.next = 1;
            self.to.data.next = self.from.out.val();
            self.out.next = self.to.out.val();
        }
    }

    #[test]
    fn a_gated_clock_is_a_clock_of_its_own() {
        let block = Gated {
            clocks: Clocks::new(),
            gate: Net::bit(),
            from: Stage::new(),
            to: Stage::new(),
            out: Net::new(4),
        };
        let found = refusals("top", &block);
        let first = found.lines().next().unwrap_or_default();
        assert_eq!(
            first,
            "error[H006]: `top.to.held` on clock top.to.clk takes data of `top.from.held` on clock top.clk"
        );
    }
}
