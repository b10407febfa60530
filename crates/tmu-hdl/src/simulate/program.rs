//! From values to a program: a place for each, an instruction for each operation, and who looks at whom.

use super::code::{self, Code, Wide};
use super::graph::{Graph, GraphProperty, NodeIndex};
use super::store::Slot;
use super::values::{Origin, ValueId, Values};
use crate::behaviour::Memory;
use crate::design::{Design, NetKind};
use crate::op::Op;
use crate::record::AtomId;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// One step of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) code: Code,
    pub(super) result: Slot,
    pub(super) users: Users,
}

/// Who has to look when a value changes: positions in the bit set of [`super::engine::Engine`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Users {
    pub(super) first: u32,
    pub(super) count: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Register {
    pub(super) output: Slot,
    pub(super) next: Slot,
    pub(super) init: Value,
    pub(super) starts_undefined: bool,
    pub(super) has_reset: bool,
    pub(super) is_primitive: bool,
    pub(super) users: Users,
}

#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) memory: usize,
    pub(super) enable: Slot,
    pub(super) address: Slot,
    pub(super) data: Slot,
}

/// A property with its places.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    pub(super) property: GraphProperty,
    pub(super) active: Slot,
    pub(super) condition: Slot,
}

/// What happens at the edges of one clock.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    pub(super) clock: Slot,
    /// Registers, by their bits in the bit set: whole words.
    pub(super) bits: Range<usize>,
    pub(super) writes: Vec<Write>,
    pub(super) watches: Vec<Watch>,
}

#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) net: AtomId,
    pub(super) slot: Slot,
    pub(super) users: Users,
}

/// An operation as it was meant, for evaluation with unknown bits.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Operation(Op, Vec<Slot>),
    Read { memory: usize, address: Slot },
}

/// All there is to run.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) instructions: Vec<Instruction>,
    pub(super) meanings: Vec<Meaning>,
    pub(super) users: Vec<u32>,
    pub(super) parts: Vec<(u32, u8)>,
    pub(super) wide: Vec<Wide>,
    /// In the order of their bits; `None` fills the last word of a domain.
    pub(super) registers: Vec<Option<Register>>,
    /// First bit of the registers.
    pub(super) register_base: usize,
    pub(super) domains: Vec<Domain>,
    /// Bit of a register with the place that sets it without a clock.
    pub(super) sets: Vec<(usize, Slot)>,
    pub(super) memories: Vec<Memory>,
    /// Instructions that read each memory.
    pub(super) readers: Vec<Vec<u32>>,
    pub(super) inputs: Vec<Input>,
    pub(super) constants: Vec<(Slot, Value)>,
    /// Place of each net.
    pub(super) nets: FxHashMap<AtomId, Slot>,
    pub(super) limbs: usize,
}

impl Program {
    /// The program of a design.
    pub(super) fn new(design: &Design, graph: &Graph) -> Program {
        let mut values = Values::default();
        let mut roots = vec![];
        for register in &graph.registers {
            roots.extend([register.output, register.next, register.clock]);
            roots.extend(register.set);
        }
        for write in &graph.writes {
            roots.extend([write.clock, write.enable, write.address, write.data]);
        }
        for property in &graph.properties {
            roots.extend([property.clock, property.active, property.condition]);
        }
        let nets: Vec<AtomId> = design.blocks.iter().flat_map(|b| &b.nets).map(|net| net.id).collect();
        roots.extend(nets.iter().map(|net| graph.nets[net]));
        let roots: Vec<ValueId> = roots.into_iter().map(|root| values.of(graph, root)).collect();
        let mut builder = Builder::new(graph, &values, &roots);
        builder.bits();
        builder.domains();
        let users_of = builder.users();
        builder.instructions(&users_of);
        for &net in &nets {
            let slot = builder.slot(graph.nets[&net]);
            builder.program.nets.insert(net, slot);
        }
        for net in design.blocks[0].nets.iter().filter(|net| net.kind == NetKind::Input) {
            let value = builder.of(graph.nets[&net.id]);
            let input = Input { net: net.id, slot: builder.slots[value], users: users_of[value] };
            builder.program.inputs.push(input);
        }
        builder.program
    }
}

/// Places and orders everything.
struct Builder<'a> {
    graph: &'a Graph,
    values: &'a Values,
    live: Vec<bool>,
    slots: Vec<Slot>,
    /// The value in whose place each value stands.
    owner: Vec<usize>,
    /// Bit of the instruction that computes a value.
    bit: Vec<Option<u32>>,
    /// Bit of each register of the graph.
    register_bits: Vec<usize>,
    program: Program,
}

impl<'a> Builder<'a> {
    fn new(graph: &'a Graph, values: &'a Values, roots: &[ValueId]) -> Builder<'a> {
        let count = values.origins.len();
        let mut live = vec![false; count];
        roots.iter().for_each(|&root| live[root as usize] = true);
        for id in (0..count).rev().filter(|&id| live[id]).collect::<Vec<_>>() {
            mark_live(values, id, &mut live);
        }
        let mut program = Program { memories: graph.memories.clone(), ..Program::default() };
        let (mut slots, mut owner) = (vec![], vec![]);
        for (id, &is_live) in live.iter().enumerate() {
            let width = values.widths[id] as u32;
            if !is_live {
                slots.push(Slot { offset: 0, width });
                owner.push(id);
                continue;
            }
            // Unused high bits are zero, so the operand of an extension stands for its result.
            if let Origin::Operation(Op::ZeroExtend(_), args) = &values.origins[id]
                && width <= 64
            {
                let of = args[0] as usize;
                slots.push(Slot { width, ..slots[of] });
                owner.push(owner[of]);
                continue;
            }
            let slot = Slot { offset: program.limbs as u32, width };
            program.limbs += slot.limbs();
            if let Origin::Constant(value) = values.origins[id] {
                program.constants.push((slot, value));
            }
            slots.push(slot);
            owner.push(id);
        }
        let bit = vec![None; count];
        Builder { graph, values, live, slots, owner, bit, register_bits: vec![], program }
    }

    /// The value of a node of the graph.
    fn of(&self, node: NodeIndex) -> usize {
        self.values.known(self.graph, node).map_or(0, |id| id as usize)
    }

    fn slot(&self, node: NodeIndex) -> Slot {
        self.slots[self.of(node)]
    }

    /// Numbers the instructions.
    fn bits(&mut self) {
        let mut next = 0;
        for id in 0..self.values.origins.len() {
            let computed = matches!(self.values.origins[id], Origin::Operation(..) | Origin::Read { .. });
            if self.live[id] && computed && self.owner[id] == id {
                self.bit[id] = Some(next);
                next += 1;
            }
        }
        self.program.register_base = (next as usize).next_multiple_of(64);
    }

    /// Groups registers, writes and properties by their clock.
    fn domains(&mut self) {
        let graph = self.graph;
        let mut clocks: Vec<usize> = vec![];
        let registers = graph.registers.iter().map(|register| register.clock);
        let writes = graph.writes.iter().map(|write| write.clock);
        for clock in registers.chain(writes).chain(graph.properties.iter().map(|p| p.clock)) {
            let clock = self.of(clock);
            if !clocks.contains(&clock) {
                clocks.push(clock);
            }
        }
        self.register_bits = vec![0; graph.registers.len()];
        for &clock in &clocks {
            let first = self.program.register_base + self.program.registers.len();
            for (index, register) in graph.registers.iter().enumerate() {
                if self.of(register.clock) != clock {
                    continue;
                }
                let bit = self.program.register_base + self.program.registers.len();
                self.register_bits[index] = bit;
                self.program.sets.extend(register.set.map(|set| (bit, self.slot(set))));
                self.program.registers.push(Some(Register {
                    output: self.slot(register.output),
                    next: self.slot(register.next),
                    init: register.init,
                    starts_undefined: register.starts_undefined,
                    has_reset: register.has_reset,
                    is_primitive: register.is_primitive,
                    users: Users::default(),
                }));
            }
            let filled = self.program.registers.len().next_multiple_of(64);
            self.program.registers.resize(filled, None);
            let writes = graph.writes.iter().filter(|write| self.of(write.clock) == clock);
            let writes = writes.map(|write| Write {
                memory: write.memory,
                enable: self.slot(write.enable),
                address: self.slot(write.address),
                data: self.slot(write.data),
            });
            let watches = graph.properties.iter().filter(|property| self.of(property.clock) == clock);
            let watches = watches.map(|property| Watch {
                active: self.slot(property.active),
                condition: self.slot(property.condition),
                property: property.clone(),
            });
            let domain = Domain {
                clock: self.slots[clock],
                bits: first..self.program.register_base + filled,
                writes: writes.collect(),
                watches: watches.collect(),
            };
            self.program.domains.push(domain);
        }
    }

    /// Who looks at each value.
    fn users(&mut self) -> Vec<Users> {
        let mut lists: Vec<Vec<u32>> = vec![vec![]; self.values.origins.len()];
        for (id, bit) in self.bit.iter().enumerate() {
            let Some(bit) = bit else { continue };
            for &arg in operands(&self.values.origins[id]) {
                lists[self.owner[arg as usize]].push(*bit);
            }
        }
        for (register, &bit) in self.graph.registers.iter().zip(&self.register_bits) {
            lists[self.owner[self.of(register.next)]].push(bit as u32);
        }
        let mut users = vec![];
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            users.push(Users { first: self.program.users.len() as u32, count: list.len() as u32 });
            self.program.users.extend(list);
        }
        users
    }

    fn instructions(&mut self, users_of: &[Users]) {
        self.program.readers = vec![vec![]; self.program.memories.len()];
        for (id, &users) in users_of.iter().enumerate() {
            let Some(bit) = self.bit[id] else { continue };
            let result = self.slots[id];
            let args: Vec<Slot> =
                operands(&self.values.origins[id]).iter().map(|&arg| self.slots[arg as usize]).collect();
            let program = &mut self.program;
            let (code, meaning) = match &self.values.origins[id] {
                Origin::Read { memory, .. } => {
                    program.readers[*memory].push(bit);
                    let code = Code::Read { memory: *memory as u32, address: args[0].offset };
                    (code, Meaning::Read { memory: *memory, address: args[0] })
                }
                Origin::Operation(op, _) => {
                    let is_wide = result.is_wide() || args.iter().any(|arg| arg.is_wide());
                    let code = match is_wide {
                        true => code::wide(*op, &args, result, &mut program.wide),
                        false => code::narrow(*op, &args, result.width as usize, &mut program.parts),
                    };
                    (code, Meaning::Operation(*op, args))
                }
                _ => continue,
            };
            program.instructions.push(Instruction { code, result, users });
            program.meanings.push(meaning);
        }
        for (register, &bit) in self.graph.registers.iter().zip(&self.register_bits) {
            let output = self.of(register.output);
            if let Some(register) = &mut self.program.registers[bit - self.program.register_base] {
                register.users = users_of[output];
            }
        }
    }
}

fn operands(origin: &Origin) -> &[ValueId] {
    match origin {
        Origin::Operation(_, args) => args,
        Origin::Read { address, .. } => std::slice::from_ref(address),
        _ => &[],
    }
}

/// Marks what a value needs.
fn mark_live(values: &Values, root: usize, live: &mut [bool]) {
    let mut stack: Vec<ValueId> = operands(&values.origins[root]).to_vec();
    while let Some(id) = stack.pop() {
        if !std::mem::replace(&mut live[id as usize], true) {
            stack.extend(operands(&values.origins[id as usize]));
        }
    }
}
