//! The Verilog back end: a checked [`Design`] becomes Verilog-2001.
//!
//! One module per block, identical ones shared; fixed order; no dates, paths or counters. Every module but the top, and every
//! memory file, carries the top's name as prefix, so that several designs compile together. The parts stand in
//! the order in which a module is made: `process` plans, `declarations` and `wires` give names, of which `arrays` makes
//! vectors and [`names`] keeps all legal and unique; `module` prints, with `clocked`, `instance` and `choice` for registers,
//! sub-blocks and `case`, and `expression` and `operator` for what stands in them.

mod arrays;
mod chains;
mod choice;
mod clocked;
mod declarations;
mod expression;
#[cfg(not(any(test, feature = "planted-faults")))]
#[allow(dead_code, unreachable_pub)]
mod fault;
#[cfg(any(test, feature = "planted-faults"))]
pub mod fault;
mod instance;
mod module;
pub mod names;
mod operator;
mod ports;
mod process;
mod property;
mod scopes;
pub(crate) mod text;
mod wires;

pub(crate) use arrays::{Item, Name};
pub(crate) use expression::literal;
pub use ports::Port;
pub(crate) use process::roots;

use crate::dependencies::{Dependencies, dependencies};
use crate::design::Design;
use crate::diagnostic::Source;
use crate::record::{AtomId, NodeId};
use crate::value::Value;
use fault::{Fault, is_planted};
use module::{Context, ModuleText};
use names::Names;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the header says.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// Name and version of the generator.
    pub generator: String,
    /// Hash of the configuration.
    pub configuration: String,
}

/// One emitted module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name: of the top its own, of the others the top's name before `kind`.
    pub name: String,
    /// What it is: its name without the top's before it.
    pub kind: String,
    /// Its text, from the comment above it to `endmodule`.
    pub text: String,
    /// A block of the design that it was made from.
    pub block: usize,
    /// Its named constants: the `localparam`s.
    pub parameters: Vec<(String, Value)>,
    /// Everything that it declares: ports, constants, nets, wires and instances.
    pub declarations: Vec<Declaration>,
    /// Its ports.
    pub ports: Vec<Port>,
    /// What it calls the nodes of the source.
    pub(crate) called: Called,
}

/// What a module calls the nodes of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Called {
    /// Own nets and ports of sub-blocks.
    pub(crate) nets: FxHashMap<AtomId, Name>,
    /// Expressions that have a wire.
    pub(crate) wires: FxHashMap<NodeId, Name>,
}

/// A name that a module declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name.
    pub name: String,
    /// The position in an array of the source that the name ends in.
    pub position: Option<usize>,
    /// Whether it is an instance of a module.
    pub is_instance: bool,
    /// Where it comes from, where that is known.
    pub source: Option<Source>,
}

/// The modules of a design, the top first, and the module of every block.
#[derive(Clone, Debug)]
pub struct Modules {
    /// Modules in the order of their first use.
    pub modules: Vec<Module>,
    /// Name of the module of each block.
    pub module_of: FxHashMap<usize, String>,
    /// Name of the instance of each block but the top.
    pub instance_of: FxHashMap<usize, String>,
    /// Files that the modules read with `$readmemh` from where they stand, name and text.
    pub memory_files: Vec<(String, String)>,
}

/// Prints every module of a checked design. The top module has the name under which it was elaborated.
pub fn emit(design: &Design) -> Modules {
    emit_as(design, false)
}

/// As [`emit`], with the place in the source behind each assignment: `sum <= sum + item; // src/sum.rs:31`. For
/// reading and debugging; the places change with every line of the source that moves.
pub fn emit_with_places(design: &Design) -> Modules {
    emit_as(design, true)
}

fn emit_as(design: &Design, shows_places: bool) -> Modules {
    let mut emitter = Emitter {
        design,
        shows_places,
        chained: FxHashSet::default(),
        dependencies: dependencies(design),
        names: Names::default(),
        shared: FxHashMap::default(),
        module_of: FxHashMap::default(),
        instance_of: FxHashMap::default(),
        modules: FxHashMap::default(),
        ports_of: FxHashMap::default(),
        memory_files: vec![],
    };
    emitter.chained = chains::chained_nets(design, &emitter.dependencies);
    emitter.names.take(&design.blocks[0].name);
    emitter.emit(0);
    let Emitter { module_of, instance_of, mut modules, memory_files, .. } = emitter;
    // Parents stand before their children among the blocks, and so do their modules in the text.
    let modules = (0..design.blocks.len()).filter_map(|index| modules.remove(&index)).collect();
    Modules { modules, module_of, instance_of, memory_files }
}

struct Emitter<'a> {
    design: &'a Design,
    shows_places: bool,
    dependencies: Dependencies,
    /// Nets of arrays that may not be vectors.
    chained: FxHashSet<AtomId>,
    names: Names,
    /// Names of the modules that have been printed, by their text.
    shared: FxHashMap<(String, String), String>,
    module_of: FxHashMap<usize, String>,
    instance_of: FxHashMap<usize, String>,
    /// By the first block that has it.
    modules: FxHashMap<usize, Module>,
    ports_of: FxHashMap<usize, Vec<Port>>,
    memory_files: Vec<(String, String)>,
}

impl Emitter<'_> {
    /// Sub-blocks first: their names stand in the text of the block around them.
    fn emit(&mut self, index: usize) {
        for &child in &self.design.blocks[index].children {
            self.emit(child);
        }
        let context = Context {
            design: self.design,
            dependencies: &self.dependencies,
            chained: &self.chained,
            module_of: &self.module_of,
            ports_of: &self.ports_of,
            shows_places: self.shows_places,
        };
        let ModuleText { docs, mut body, instances, parameters, declarations, ports, called } =
            module::print(&context, index);
        self.ports_of.insert(index, ports.clone());
        self.instance_of.extend(instances);
        for (wanted, text) in self.design.blocks[index].body.primitive.iter().flat_map(|p| &p.memory_files) {
            let name = self.memory_file(wanted, text);
            body = body.replace(&format!("\"{wanted}\""), &format!("\"{name}\""));
        }
        let wanted = self.design.blocks[index].body.type_name.clone();
        let shared = if is_planted(Fault::SharedModules) { String::new() } else { body.clone() };
        let key = (wanted.clone(), shared);
        if let Some(name) = self.shared.get(&key)
            && index > 0
        {
            self.module_of.insert(index, name.clone());
            return;
        }
        let top = &self.design.blocks[0].name;
        let name = if index == 0 { top.clone() } else { self.names.take(&format!("{top}_{wanted}")) };
        let kind = name.strip_prefix(&format!("{top}_")).unwrap_or(&name).to_owned();
        let docs: String = docs.lines().map(|line| text::comment(line) + "\n").collect();
        let text = format!("{docs}module {name} {body}");
        self.modules.insert(
            index,
            Module { name: name.clone(), kind, text, block: index, parameters, declarations, ports, called },
        );
        self.shared.insert(key, name.clone());
        self.module_of.insert(index, name);
    }

    /// The name under which a memory file is emitted: behind the top's, and with a number where another text has it.
    fn memory_file(&mut self, wanted: &str, text: &str) -> String {
        let top = &self.design.blocks[0].name;
        let (stem, extension) = wanted.rsplit_once('.').unwrap_or((wanted, "mem"));
        let mut name = format!("{top}_{wanted}");
        let mut number = 1;
        while let Some((_, known)) = self.memory_files.iter().find(|(taken, _)| *taken == name) {
            if known == text {
                return name;
            }
            number += 1;
            name = format!("{top}_{stem}_{number}.{extension}");
        }
        self.memory_files.push((name.clone(), text.into()));
        name
    }
}

impl Modules {
    /// All modules in one file under a header.
    pub fn to_file(&self, header: &Header) -> String {
        let texts: Vec<&str> = self.modules.iter().map(|m| m.text.as_str()).collect();
        format!("{header}`default_nettype none\n\n{}\n`default_nettype wire\n", texts.join("\n"))
    }
}

impl std::fmt::Display for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.generator.is_empty() {
            writeln!(f, "// Generated by {}; changes belong into its configuration.", self.generator)?;
        }
        if !self.configuration.is_empty() {
            writeln!(f, "// Configuration {}.", self.configuration)?;
        }
        Ok(())
    }
}
