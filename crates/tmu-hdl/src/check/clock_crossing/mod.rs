//! Data passes between clocks only inside a primitive that declares a crossing, and only as that primitive can take it.
//!
//! [`facts`] says what each net carries within one clock. This file looks at everything that samples data, [`feeds`]
//! at what synchronisers are fed with and where their outputs meet. What a design declares with a reason passes; see
//! [`crate::crossing`].

mod facts;
mod feeds;
mod message;
#[cfg(test)]
mod rules_tests;
#[cfg(test)]
mod tests;
mod waivers;
mod wiring;

pub(crate) use facts::{Clocks, clocked_ports};

use crate::crossing::CrossingRule;
use crate::design::{BlockDesign, Design, NetKind, for_each_drive};
use crate::diagnostic::{Problem, Rule, Source, refusal};
use crate::record::AtomId;
use facts::Fact;
use message::{listed, path, place};
use std::collections::{BTreeMap, BTreeSet};
use waivers::Waivers;
use wiring::Wiring;

/// Everything about clocks that a design gets wrong.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let wiring = Wiring::new(design);
    let clocks = Clocks::with_wiring(design, &wiring);
    let waivers = Waivers::new(design);
    let mut rules = Rules { design, wiring, clocks, waivers, samplers: BTreeMap::new(), found: vec![] };
    for block in &design.blocks {
        for (sink, sampling) in sinks(block) {
            rules.sink(sink, &sampling);
        }
    }
    rules.inputs_of_two_clocks();
    rules.outputs();
    rules.feeds();
    let useless = rules.waivers.useless();
    rules.found.extend(useless);
    rules.found
}

/// Something that samples data at a clock edge.
struct Sampling {
    clock: AtomId,
    reset: Option<AtomId>,
    /// What it samples, without the reset.
    sources: BTreeSet<AtomId>,
}

/// The registers of a kernel with the nets that decide their next value, or the clocked inputs of a primitive.
fn sinks(block: &BlockDesign) -> BTreeMap<AtomId, Sampling> {
    let mut sinks: BTreeMap<AtomId, Sampling> = BTreeMap::new();
    for net in &block.nets {
        if let Some(register) = net.register() {
            let (clock, reset) = (register.clock, register.reset);
            sinks.insert(net.id, Sampling { clock, reset, sources: BTreeSet::new() });
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
        sinks.insert(port, Sampling { clock, reset: None, sources: BTreeSet::from([port]) });
    }
    sinks
}

/// The rules at work.
struct Rules<'a> {
    design: &'a Design,
    wiring: Wiring<'a>,
    clocks: Clocks<'a>,
    waivers: Waivers<'a>,
    /// For each undeclared input of the top the clocks that sample it, each with a register as an example.
    samplers: BTreeMap<AtomId, BTreeMap<AtomId, AtomId>>,
    found: Vec<Problem>,
}

impl Rules<'_> {
    fn path(&self, net: AtomId) -> String {
        path(self.design, net)
    }

    /// Refuses something at `sink`, unless a waiver of its rule names that net.
    fn refuse(
        &mut self,
        rule: CrossingRule,
        sink: AtomId,
        message: String,
        places: impl IntoIterator<Item = Option<(String, Source)>>,
        remedy: &'static str,
    ) {
        if self.waivers.waive(rule, [sink]) {
            return;
        }
        self.add(Rule::Crossing(rule), sink, message, places, remedy);
    }

    fn add(
        &mut self,
        rule: Rule,
        sink: AtomId,
        message: String,
        places: impl IntoIterator<Item = Option<(String, Source)>>,
        remedy: &'static str,
    ) {
        let block = &self.design.blocks[self.design.block_of(sink)].path;
        self.found.push(refusal(rule, block, message, places.into_iter().flatten(), remedy));
    }

    fn sink(&mut self, sink: AtomId, sampling: &Sampling) {
        let clock = self.clocks.root(sampling.clock);
        let mut facts: BTreeMap<Fact, AtomId> = BTreeMap::new();
        for &net in &sampling.sources {
            facts.extend(self.clocks.facts(net).iter().copied());
        }
        self.data_of_another_clock(sink, clock, &facts);
        if let Some(reset) = sampling.reset {
            let reset_facts: BTreeMap<Fact, AtomId> = self.clocks.facts(reset).iter().copied().collect();
            self.foreign_reset(sink, clock, &reset_facts);
            facts.extend(reset_facts);
        }
        for &fact in facts.keys() {
            match fact {
                Fact::Input(input) => {
                    self.samplers.entry(input).or_default().entry(clock).or_insert(sink);
                }
                Fact::IsClock(other) => self.clock_as_data(sink, clock, other),
                Fact::Clock(_) | Fact::Asynchronous(_) | Fact::Synchronised(_) => {}
            }
        }
        self.meeting(sink, Some(clock), facts.keys().copied());
    }

    fn data_of_another_clock(&mut self, sink: AtomId, clock: AtomId, facts: &BTreeMap<Fact, AtomId>) {
        let other = facts.iter().find_map(|(fact, &origin)| match fact {
            Fact::Clock(other) if *other != clock => Some((Some(*other), origin)),
            Fact::Asynchronous(_) => Some((None, origin)),
            _ => None,
        });
        let Some((other, origin)) = other else { return };
        let of = self.belonging(origin, other);
        self.add(
            Rule::ClockCrossing,
            sink,
            format!("`{}` on clock {} takes data of {of}", self.path(sink), self.path(clock)),
            [place(self.design, "from", origin), place(self.design, "to", sink)],
            "cross with a synchroniser or an asynchronous FIFO",
        );
    }

    /// A net, and the clock that it belongs to.
    fn belonging(&self, net: AtomId, clock: Option<AtomId>) -> String {
        match clock {
            Some(clock) => format!("`{}` on clock {}", self.path(net), self.path(clock)),
            None => format!("`{}`, which belongs to no clock", self.path(net)),
        }
    }

    fn foreign_reset(&mut self, sink: AtomId, clock: AtomId, facts: &BTreeMap<Fact, AtomId>) {
        let other = facts.iter().find_map(|(fact, &origin)| match fact {
            Fact::Clock(other) if *other != clock => Some((Some(*other), origin)),
            Fact::Asynchronous(_) => Some((None, origin)),
            _ => None,
        });
        let Some((other, origin)) = other else { return };
        let by = self.belonging(origin, other);
        self.refuse(
            CrossingRule::ForeignReset,
            sink,
            format!("`{}` on clock {} is reset by {by}", self.path(sink), self.path(clock)),
            [place(self.design, "from", origin), place(self.design, "to", sink)],
            "bring the reset over with a ResetSynchroniser",
        );
    }

    fn clock_as_data(&mut self, sink: AtomId, clock: AtomId, other: AtomId) {
        self.refuse(
            CrossingRule::ClockAsData,
            sink,
            format!(
                "`{}` on clock {} takes the clock {} as data",
                self.path(sink),
                self.path(clock),
                self.path(other)
            ),
            [place(self.design, "clock", other), place(self.design, "to", sink)],
            "let a clock drive clock ports only; count its edges with a register of its own and let that cross",
        );
    }

    fn inputs_of_two_clocks(&mut self) {
        for (input, samplers) in std::mem::take(&mut self.samplers) {
            if samplers.len() < 2 {
                continue;
            }
            let by = |(&clock, &sink): (&AtomId, &AtomId)| {
                format!("on clock {} by `{}`", self.path(clock), self.path(sink))
            };
            let by: Vec<String> = samplers.iter().map(by).collect();
            let places: Vec<_> = [place(self.design, "input", input)]
                .into_iter()
                .chain(samplers.values().map(|&sink| place(self.design, "to", sink)))
                .collect();
            self.refuse(
                CrossingRule::InputOfTwoClocks,
                input,
                format!("the input `{}` is sampled {}", self.path(input), listed(&by)),
                places,
                "say which clock it belongs to with on_clock(), or asynchronous(), and let it cross to the others",
            );
        }
    }

    /// What leaves the top: no clock through logic, no synchronised bits put together.
    fn outputs(&mut self) {
        let outputs = self.design.blocks[0].nets.iter().filter(|net| net.kind == NetKind::Output);
        for output in outputs.map(|net| net.id).collect::<Vec<_>>() {
            let facts: Vec<Fact> = self.clocks.facts(output).iter().map(|(fact, _)| *fact).collect();
            let root = self.clocks.root(output);
            for &fact in &facts {
                if let Fact::IsClock(clock) = fact
                    && clock != root
                {
                    self.refuse(
                        CrossingRule::ClockAsData,
                        output,
                        format!(
                            "the output `{}` is computed from the clock {}",
                            self.path(output),
                            self.path(clock)
                        ),
                        [place(self.design, "clock", clock), place(self.design, "output", output)],
                        "let a clock drive clock ports only; an output may hand it on as it is",
                    );
                }
            }
            self.meeting(output, None, facts);
        }
    }
}
