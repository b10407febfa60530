//! What synchronisers are fed with, and where their outputs meet.
//!
//! A synchroniser settles each bit by itself, a clock sooner or later. So its input must not glitch, must belong to
//! one clock, and of several bits at most one may be under way; and bits that crossed apart must not be read together.

use super::Rules;
use super::facts::Fact;
use super::message::{listed, place};
use super::wiring::End;
use crate::crossing::{Belongs, CrossingRule};
use crate::design::BlockDesign;
use crate::primitive::CrossingKind;
use crate::record::AtomId;
use std::collections::{BTreeMap, BTreeSet};

impl Rules<'_> {
    pub(super) fn feeds(&mut self) {
        // A primitive that is the top itself is fed from outside.
        for block in self.design.blocks.iter().skip(1) {
            let Some(crossing) =
                block.body.primitive.as_ref().and_then(|primitive| primitive.crossing.as_ref())
            else {
                continue;
            };
            let (Some(from), Some(to_clock)) = (block.port(crossing.from), block.port(crossing.to_clock))
            else {
                continue;
            };
            if crossing.kind != CrossingKind::StableData {
                let to_clock = self.clocks.root(to_clock.id);
                if !self.source_clocks(from.id, to_clock) {
                    self.straight_from_registers(from.id, from.width);
                }
                let clock = self.clocks.facts(from.id).iter().find_map(|(fact, _)| match fact {
                    Fact::IsClock(clock) => Some(*clock),
                    _ => None,
                });
                if let Some(clock) = clock {
                    self.clock_as_data(from.id, to_clock, clock);
                }
            }
        }
    }

    /// Whether the clocks that the input comes from are refused.
    fn source_clocks(&mut self, input: AtomId, to_clock: AtomId) -> bool {
        let before = self.found.len();
        let facts = self.clocks.facts(input);
        let of = |(fact, example): &(Fact, AtomId)| match fact {
            Fact::Clock(clock) => Some((self.belonging(*example, Some(*clock)), *example)),
            Fact::Asynchronous(_) => Some((self.belonging(*example, None), *example)),
            _ => None,
        };
        let sources: Vec<(String, AtomId)> = facts.iter().filter_map(of).collect();
        let own = facts.iter().find(|(fact, _)| *fact == Fact::Clock(to_clock)).map(|(_, example)| *example);
        let names: Vec<String> = sources.iter().map(|(name, _)| name.clone()).collect();
        let from = sources.iter().map(|&(_, example)| place(self.design, "from", example));
        let places: Vec<_> = from.chain([place(self.design, "to", input)]).collect();
        let path = self.path(input);
        if sources.len() > 1 {
            self.refuse(
                CrossingRule::SynchroniserSource,
                input,
                format!("`{path}` is fed from {}", listed(&names)),
                places,
                "synchronise the data of each clock by itself",
            );
        } else if let Some(own) = own {
            let own = self.path(own);
            let clock = self.path(to_clock);
            self.refuse(
                CrossingRule::SynchroniserSource,
                input,
                format!("`{path}` is fed by `{own}`, which is on clock {clock} already"),
                places,
                "use the data as it is, or check which clock the synchroniser follows",
            );
        }
        self.found.len() > before
    }

    fn straight_from_registers(&mut self, input: AtomId, width: usize) {
        let ends = self.wiring.ends(input);
        let path = self.path(input);
        let logic = ends.iter().find_map(|end| match end {
            End::Logic(net) => Some(*net),
            _ => None,
        });
        if let Some(logic) = logic {
            let through =
                if logic == input { String::new() } else { format!(" that drives `{}`", self.path(logic)) };
            self.refuse(
                CrossingRule::LogicBeforeSynchroniser,
                input,
                format!("`{path}` is fed through logic{through}: it may catch a glitch"),
                [
                    place(self.design, "logic at", logic).filter(|_| logic != input),
                    place(self.design, "to", input),
                ],
                "put a register of the source clock between the logic and the synchroniser",
            );
        } else if width > 1 && !ends.is_empty() && !self.is_steady(&ends) {
            let nets: Vec<AtomId> = ends
                .iter()
                .map(|end| match *end {
                    End::Register(net) | End::Port(net) | End::Input(net) | End::Logic(net) => net,
                })
                .collect();
            let names: Vec<String> = nets.iter().map(|&net| format!("`{}`", self.path(net))).collect();
            let from = nets.iter().map(|&net| place(self.design, "from", net));
            let places: Vec<_> = from.chain([place(self.design, "to", input)]).collect();
            self.refuse(
                CrossingRule::UnsteadyBus,
                input,
                format!(
                    "the {width} bits of `{path}` come from {}, where several may change at once: they may arrive a clock apart",
                    listed(&names)
                ),
                places,
                "cross as a GrayPointer or a code declared one_bit_at_a_time(), or through an asynchronous FIFO",
            );
        }
    }

    /// Whether no two bits ever change at once, or none has to do with another.
    fn is_steady(&self, ends: &BTreeSet<End>) -> bool {
        let independent = |end: &End| match end {
            End::Input(net) => self.design.net(*net).declared.belongs == Belongs::Asynchronous,
            _ => false,
        };
        let is_code = |end: &End| match end {
            End::Register(net) | End::Input(net) => {
                self.design.net(*net).declared.one_bit_at_a_time.is_some()
            }
            _ => false,
        };
        ends.iter().all(independent) || (ends.len() == 1 && ends.iter().all(is_code))
    }

    /// Bits that came from one place through different synchronisers and meet in `sink`.
    pub(super) fn meeting(
        &mut self,
        sink: AtomId,
        clock: Option<AtomId>,
        facts: impl IntoIterator<Item = Fact>,
    ) {
        let mut from: BTreeMap<Fact, Vec<usize>> = BTreeMap::new();
        for fact in facts {
            let Fact::Synchronised(block) = fact else { continue };
            let Some(input) = crossing_input(&self.design.blocks[block]) else { continue };
            for (source, _) in self.clocks.facts(input) {
                if matches!(source, Fact::Clock(_) | Fact::Asynchronous(_) | Fact::Input(_)) {
                    from.entry(*source).or_default().push(block);
                }
            }
        }
        for (source, met) in from.into_iter().filter(|(_, met)| met.len() > 1) {
            let mut left = vec![];
            for block in met {
                let ports: Vec<AtomId> = self.design.blocks[block].nets.iter().map(|net| net.id).collect();
                if !self.waivers.waive(CrossingRule::Reconvergence, ports) {
                    left.push(block);
                }
            }
            if left.len() < 2 {
                continue;
            }
            let names: Vec<String> =
                left.iter().map(|&block| format!("`{}`", self.design.blocks[block].path)).collect();
            let on = clock.map_or(String::new(), |clock| format!(" on clock {}", self.path(clock)));
            let source = match source {
                Fact::Clock(clock) => format!("clock {}", self.path(clock)),
                Fact::Asynchronous(net) | Fact::Input(net) => format!("the input `{}`", self.path(net)),
                Fact::IsClock(_) | Fact::Synchronised(_) => continue,
            };
            let inputs = left.iter().filter_map(|&block| crossing_input(&self.design.blocks[block]));
            let mut places: Vec<_> = inputs.map(|input| place(self.design, "through", input)).collect();
            places.push(place(self.design, "meet in", sink));
            let message = format!(
                "`{}`{on} puts together bits from {source} that cross apart, in {}: they may arrive a clock apart",
                self.path(sink),
                listed(&names)
            );
            self.refuse(
                CrossingRule::Reconvergence,
                sink,
                message,
                places,
                "let them cross as one code, behind one handshake or through an asynchronous FIFO",
            );
            return;
        }
    }
}

fn crossing_input(block: &BlockDesign) -> Option<AtomId> {
    let crossing = block.body.primitive.as_ref()?.crossing.as_ref()?;
    block.port(crossing.from).map(|net| net.id)
}
