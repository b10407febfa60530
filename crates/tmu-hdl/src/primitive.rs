//! What a hand-written primitive tells the back end: its Verilog, its timing, what it costs.
//!
//! A primitive is a rust-hdl block whose `Logic` is written by hand: `update` is the Rust model, and `hdl` calls
//! [`describe`]. Its Verilog stands between the module header and `endmodule`; the ports are those of the block.
//! [`Behaviour`] says what it computes to the interpreter, which refuses a primitive without.

use crate::behaviour::Behaviour;
use crate::record;
use serde::Serialize;

/// The description of a primitive.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// The module's name; modules with the same text share it.
    pub module: String,
    /// The comment above the module.
    pub docs: String,
    /// Declarations and processes; outputs are driven with `assign`.
    pub verilog: String,
    /// What synthesis for ECP5 reads instead, where inference would not give what the device has: the same ports, the same in every
    /// clock. Simulation reads `verilog`.
    pub ecp5: Option<String>,
    /// Pairs of input and output with a combinational path between them.
    pub paths: Vec<(&'static str, &'static str)>,
    /// The clock port of each registered data port; a port that is missing here may come from any clock.
    pub clocked: Vec<(&'static str, &'static str)>,
    /// What the device spends on it.
    pub resource: Option<Resource>,
    /// Set where data changes clocks here.
    pub crossing: Option<Crossing>,
    /// Files that the Verilog reads with `$readmemh`, name and text. A name that another text has already gets a
    /// number, in the Verilog too, where it stands in quotes.
    pub memory_files: Vec<(String, String)>,
    /// What it computes, for the interpreter of [`crate::simulate`].
    pub behaviour: Option<Behaviour>,
}

/// The devices whose sites primitives are printed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fabric {
    /// Any from whose Verilog tools infer the sites with their registers: those of AMD.
    #[default]
    Inferred,
    /// Lattice ECP5, whose multipliers keep their registers only where they are instantiated.
    Ecp5,
}

impl Primitive {
    /// Its Verilog for a fabric.
    pub(crate) fn text(&self, fabric: Fabric) -> String {
        match (fabric, &self.ecp5) {
            (Fabric::Ecp5, Some(ecp5)) => {
                let simulated = self.verilog.trim_end();
                format!("`ifdef SYNTHESIS\n{}\n`else\n{simulated}\n`endif\n", ecp5.trim_end())
            }
            _ => self.verilog.clone(),
        }
    }
}

/// What a primitive occupies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resource {
    /// Kind of site.
    pub kind: ResourceKind,
    /// Words, or 1 for a multiplier.
    pub depth: usize,
    /// Bits a word, or bits of the product.
    pub width: usize,
}

/// Kind of a [`Resource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResourceKind {
    /// RAMB18E2 or RAMB36E2.
    BlockRam,
    /// URAM288.
    UltraRam,
    /// LUT RAM.
    DistributedRam,
    /// A ROM in block RAM.
    Rom,
    /// DSP48E2.
    Multiplier,
}

/// A declared clock crossing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// How the data crosses.
    pub kind: CrossingKind,
    /// The data input.
    pub from: &'static str,
    /// The clock port that captures it.
    pub to_clock: &'static str,
    /// The first register behind the crossing, inside the module.
    pub first_register: &'static str,
    /// Bits that cross.
    pub width: usize,
}

/// Kind of a [`Crossing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CrossingKind {
    /// Flip-flops with `ASYNC_REG`: single bits or gray code.
    Synchroniser,
    /// A reset, asserted and released through flip-flops.
    ResetSynchroniser,
    /// Words in a memory that are stable while the other side reads them.
    StableData,
}

/// Lays a primitive beside the visit of its block; called from `Logic::hdl`.
pub fn describe(mut primitive: Primitive) {
    record::with_body(|body| {
        // Expressions over the inside of a primitive are none of its kernel, which it does not have.
        if let Some(behaviour) = &mut primitive.behaviour {
            behaviour.nodes = std::mem::take(&mut body.nodes);
        }
        body.type_name = primitive.module.clone();
        body.docs = primitive.docs.clone();
        body.primitive = Some(primitive);
    });
}
