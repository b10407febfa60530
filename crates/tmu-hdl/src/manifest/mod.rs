//! The manifest: what was emitted, for machines.
//!
//! Made from the same design as the Verilog, so that constraints, reports and packaging need not read Verilog.
//! Instances are named by their path in the Verilog below the top, `unit_0/request_fifo`. The order is fixed. A
//! generator that knows more, such as file names and frequencies, puts it beside this with `#[serde(flatten)]`.

mod crossings;
mod port_clocks;

pub use crossings::{Crossing, CrossingDeclaration};

use crate::design::{BlockDesign, Design, NetKind};
use crate::primitive::{Resource, ResourceKind};
use crate::value::Value;
use crate::verilog::{self, Modules};
use port_clocks::PortClocks;
use serde::Serialize;

/// Everything about a design that its users ask for.
#[derive(Debug, Clone, Serialize)]
pub struct Manifest {
    /// Name of the top module.
    pub top: String,
    /// Ports of the top module, in the order of their declaration.
    pub ports: Vec<Port>,
    /// Modules below the top, in the order of the text.
    pub modules: Vec<Module>,
    /// Flip-flops that kernels describe, in all instances together; those of primitives are not among them.
    pub register_bits: usize,
    /// Blocks with a kernel that declare their timing, instance by instance.
    pub latencies: Vec<Latency>,
    /// Memories, instance by instance.
    pub rams: Vec<ResourceEntry>,
    /// Multipliers.
    pub multipliers: Multipliers,
    /// Where data changes clocks.
    pub crossings: Vec<Crossing>,
    /// What the design declares about crossings, with its reasons: what no check has shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crossing_declarations: Vec<CrossingDeclaration>,
}

/// A module.
#[derive(Debug, Clone, Serialize)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// How often it stands in the design.
    pub instances: usize,
    /// Its named constants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Its ports in order.
    pub ports: Vec<Port>,
    /// Flip-flops that its kernel describes.
    pub register_bits: usize,
}

/// A named constant of a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Width in bits.
    pub width_bits: usize,
    /// The number, hexadecimal.
    pub value: String,
}

/// A port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// `in` or `out`.
    pub direction: &'static str,
    /// Width in bits.
    pub width_bits: usize,
    /// The clock port that it belongs to; absent for clocks and for what no register takes or gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
}

/// The timing that a block declares.
#[derive(Debug, Clone, Serialize)]
pub struct Latency {
    /// Path of the instance.
    pub instance: String,
    /// Its module.
    pub module: String,
    /// Clocks from an accepted input to its output.
    pub latency_clocks: u32,
    /// Clocks between two accepted inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiation_interval_clocks: Option<u32>,
}

/// A memory or a multiplier.
#[derive(Debug, Clone, Serialize)]
pub struct ResourceEntry {
    /// Path of the instance.
    pub instance: String,
    /// Kind, depth in words, width in bits.
    #[serde(flatten)]
    pub resource: Resource,
}

/// The multipliers of a design.
#[derive(Debug, Clone, Serialize)]
pub struct Multipliers {
    /// How many there are.
    pub count: usize,
    /// Instance by instance.
    pub instances: Vec<ResourceEntry>,
}

/// Describes an emitted design.
pub fn manifest(design: &Design, modules: &Modules) -> Manifest {
    let clocks = PortClocks::new(design);
    let (multipliers, rams): (Vec<_>, Vec<_>) =
        resources(design, modules).partition(|entry| entry.resource.kind == ResourceKind::Multiplier);
    let below_top = modules.modules.iter().filter(|module| module.block > 0);
    Manifest {
        top: design.blocks[0].name.clone(),
        ports: ports(design, &modules.modules[0], &clocks),
        modules: below_top.map(|module| entry(design, modules, &clocks, module)).collect(),
        register_bits: design.blocks.iter().map(register_bits).sum(),
        latencies: latencies(design, modules),
        rams,
        multipliers: Multipliers { count: multipliers.len(), instances: multipliers },
        crossings: crossings::crossings(design, modules),
        crossing_declarations: crossings::declarations(design, modules),
    }
}

/// Instance names from the top down to a block, without the top's own.
fn instance_path(design: &Design, modules: &Modules, mut block: usize) -> String {
    let mut parts = vec![];
    while let Some(parent) = design.blocks[block].parent {
        parts.push(modules.instance_of[&block].as_str());
        block = parent;
    }
    parts.reverse();
    parts.join("/")
}

fn register_bits(block: &BlockDesign) -> usize {
    block.nets.iter().filter(|net| net.register().is_some()).map(|net| net.width).sum()
}

fn entry(design: &Design, modules: &Modules, clocks: &PortClocks<'_>, emitted: &verilog::Module) -> Module {
    let block = &design.blocks[emitted.block];
    let parameter = |(name, value): &(String, Value)| Parameter {
        name: name.clone(),
        width_bits: value.width(),
        value: format!("{value:x}"),
    };
    Module {
        name: emitted.name.clone(),
        instances: modules.module_of.values().filter(|module| **module == emitted.name).count(),
        parameters: emitted.parameters.iter().map(parameter).collect(),
        ports: ports(design, emitted, clocks),
        register_bits: register_bits(block),
    }
}

fn ports(design: &Design, module: &verilog::Module, clocks: &PortClocks<'_>) -> Vec<Port> {
    let port = |port: &verilog::Port| {
        let net = design.net(port.nets[0]);
        Port {
            name: port.name.clone(),
            direction: if net.kind == NetKind::Input { "in" } else { "out" },
            width_bits: net.width * port.nets.len(),
            clock: clocks.clock_of(&design.blocks[module.block], net.id),
        }
    };
    module.ports.iter().map(port).collect()
}

fn resources(design: &Design, modules: &Modules) -> impl Iterator<Item = ResourceEntry> {
    design.blocks.iter().enumerate().filter_map(|(index, block)| {
        let resource = block.body.primitive.as_ref()?.resource.clone()?;
        Some(ResourceEntry { instance: instance_path(design, modules, index), resource })
    })
}

fn latencies(design: &Design, modules: &Modules) -> Vec<Latency> {
    let kernels = design.blocks.iter().enumerate().filter(|(_, block)| block.body.primitive.is_none());
    let latency = |(index, block): (usize, &BlockDesign)| {
        Some(Latency {
            instance: instance_path(design, modules, index),
            module: modules.module_of[&index].clone(),
            latency_clocks: block.body.latency_clocks?,
            initiation_interval_clocks: block.body.initiation_interval_clocks,
        })
    };
    kernels.filter_map(latency).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::primitives::{RamShape, RamSimpleDualPort, Synchroniser};
    use crate::verilog::emit;
    use serde_json::json;

    /// A flag of another clock, counted.
    #[derive(LogicBlock)]
    struct Counted {
        clocks: Clocks,
        other: Clocks,
        flag: Net<In>,
        count: Net<Out>,
        caught: Reg,
        total: Reg,
        parts: Vec<Synchroniser>,
        memory: RamSimpleDualPort,
    }

    impl Counted {
        fn new() -> Counted {
            let (clocks, other) = (Clocks::new(), Clocks::named_without_reset("other"));
            Counted {
                flag: Net::bit(),
                count: Net::new(4),
                caught: Reg::new(&other, 1),
                total: Reg::with_reset(&clocks, 4, 0),
                parts: vec![Synchroniser::new(1, 2), Synchroniser::new(1, 2)],
                memory: RamSimpleDualPort::new(RamShape::new(16, 4)),
                clocks,
                other,
            }
        }
    }

    #[kernel]
    impl Counted {
        fn logic(&self) {
            timing(3, 1);
            self.caught.next = self.flag.val();
            self.parts[0].clocks.follow(&self.clocks);
            self.parts[0].data_in.next = self.caught.val();
            self.parts[1].clocks.follow(&self.other);
            self.parts[1].data_in.next = self.total.val().bit(0);
            self.memory.clocks.follow(&self.clocks);
            self.memory.write_enable.next = self.parts[0].data_out.val();
            self.memory.write_address.next = self.total.val();
            self.memory.write_data.next = self.total.val();
            self.memory.read_enable.next = 1;
            self.memory.read_address.next = self.total.val();
            if self.parts[0].data_out.val() {
                self.total.next = self.total.val() + lit(4, 3u32).named("STEP");
            }
            self.count.next = self.memory.read_data.val();
        }
    }

    #[derive(LogicBlock)]
    struct Top {
        clocks: Clocks,
        other: Clocks,
        flag: Net<In>,
        count: Net<Out>,
        counted: Counted,
    }

    #[kernel]
    impl Top {
        fn logic(&self) {
            self.counted.clocks.follow(&self.clocks);
            self.counted.other.follow(&self.other);
            self.counted.flag.next = self.flag.val();
            self.count.next = self.counted.count.val();
        }
    }

    #[test]
    fn a_manifest_says_what_stands_where_and_on_which_clock() {
        let top = Top {
            clocks: Clocks::new(),
            other: Clocks::named_without_reset("other"),
            flag: Net::bit(),
            count: Net::new(4),
            counted: Counted::new(),
        };
        let design = elaborate("top", &top).unwrap();
        let found = serde_json::to_value(manifest(&design, &emit(&design))).unwrap();
        let port = |name: &str, direction: &str, width_bits: usize, clock: Option<&str>| match clock {
            Some(clock) => {
                json!({"name": name, "direction": direction, "width_bits": width_bits, "clock": clock})
            }
            None => json!({"name": name, "direction": direction, "width_bits": width_bits}),
        };
        let ports = json!([
            port("clk", "in", 1, None),
            port("rst", "in", 1, Some("clk")),
            port("other_clk", "in", 1, None),
            port("flag", "in", 1, Some("other_clk")),
            port("count", "out", 4, Some("clk")),
        ]);
        let synchroniser = json!({
            "name": "top_synchroniser_2x1", "instances": 2, "register_bits": 0,
            "ports": [
                port("clk", "in", 1, None),
                // It comes from a clock that the module does not see.
                port("data_in", "in", 1, None),
                port("data_out", "out", 1, Some("clk")),
            ],
        });
        assert_eq!(found["top"], "top");
        assert_eq!(found["ports"], ports);
        assert_eq!(found["modules"][0]["ports"], ports);
        assert_eq!(
            found["modules"][0]["parameters"],
            json!([{"name": "STEP", "width_bits": 4, "value": "3"}])
        );
        assert_eq!(found["modules"][1], synchroniser);
        assert_eq!(found["register_bits"], 5);
        assert_eq!(
            found["latencies"],
            json!([{"instance": "counted", "module": "top_counted", "latency_clocks": 3, "initiation_interval_clocks": 1}])
        );
        assert_eq!(found["rams"][0]["instance"], "counted/memory_instance");
        assert_eq!(found["multipliers"], json!({"count": 0, "instances": []}));
        let crossing = |place: usize, from: &str, to: &str, register: &str| {
            json!({
                "instance": format!("counted/parts_{place}"), "kind": "synchroniser", "from_clock": from,
                "to_clock": to, "from_registers": [register], "width_bits": 1,
                "to_register": format!("counted/parts_{place}/stage_0"),
            })
        };
        let crossings = [
            crossing(0, "other_clk", "clk", "counted/caught"),
            crossing(1, "clk", "other_clk", "counted/total"),
        ];
        assert_eq!(found["crossings"], json!(crossings));
    }
}
