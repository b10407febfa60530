//! Elaboration: a block of rust-hdl becomes a [`Design`], every kernel recorded once, every rule checked.

use crate::atom::take_details;
use crate::check;
use crate::design::{BlockDesign, Design, NetDesign, NetKind};
use crate::diagnostic::{Problem, Problems, Rule, bits, refusal};
use crate::foreign;
use crate::primitive::Fabric;
use crate::record::scope::{plain_name, position_at_end};
use crate::record::{self, AtomId, NetPlace};
use crate::soundness;
use rust_hdl_core::prelude::*;
use rustc_hash::FxHashMap;
use std::thread;

/// Elaborates `top` under the name `name` and applies every design check.
///
/// # Errors
/// Everything that is wrong with the design, all at once.
pub fn elaborate(name: &str, top: &dyn Block) -> Result<Design, Problems> {
    let (design, mut problems) = elaborate_unchecked(name, top);
    if problems.is_empty() {
        problems = check::all(&design);
    }
    Problems::check(problems)?;
    Ok(design)
}

/// Stack of the thread that makes a large block: a whole preset takes about two megabytes, a test's thread has two.
const STACK_BYTES: usize = 64 << 20;

/// Elaborates the block that `make` makes, on a thread whose stack holds blocks of any size that is of use.
///
/// rust-hdl keeps a block with all that is inside it in one value, and making it moves parts of it about on the stack.
///
/// # Errors
/// As [`elaborate`].
///
/// # Panics
/// Where `make` or a kernel panics, or where the machine has no thread left.
pub fn elaborate_large<B: Block>(name: &str, make: impl FnOnce() -> B + Send) -> Result<Design, Problems> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("elaborate".into()).stack_size(STACK_BYTES);
        let worker =
            builder.spawn_scoped(scope, || elaborate(name, &make())).expect("a thread can be started");
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Elaborates without the design checks; what kernels themselves broke comes along.
pub(crate) fn elaborate_unchecked(name: &str, top: &dyn Block) -> (Design, Vec<Problem>) {
    /// Forgets the nets again, even where a kernel panics.
    struct Places;
    impl Drop for Places {
        fn drop(&mut self) {
            record::set_net_places(FxHashMap::default());
        }
    }
    let mut places = NetPlaces::default();
    top.accept(name, &mut places);
    record::set_net_places(places.places);
    let places = Places;
    let mut elaborator = Elaborator::default();
    top.accept(name, &mut elaborator);
    drop(places);
    let places = elaborator
        .blocks
        .iter()
        .enumerate()
        .flat_map(|(b, block)| block.nets.iter().enumerate().map(move |(n, net)| (net.id, (b, n))));
    let places: FxHashMap<_, _> = places.collect();
    (Design { places, blocks: elaborator.blocks, fabric: Fabric::default() }, elaborator.problems)
}

/// What the nets are called, for the messages of kernels: known before the first kernel is recorded.
#[derive(Default)]
struct NetPlaces {
    scopes: Vec<String>,
    places: FxHashMap<AtomId, NetPlace>,
}

impl Probe for NetPlaces {
    fn visit_start_scope(&mut self, name: &str, _: &dyn Block) {
        self.scopes.push(format!("{}.", plain_name(name)));
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.scopes.pop();
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.scopes.push(format!("{}_", plain_name(name)));
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.scopes.pop();
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let path = format!("{}{}", self.scopes.concat(), plain_name(name));
        let source = take_details().map(|d| d.source);
        self.places.insert(atom.id(), NetPlace { path, source });
    }
}

#[derive(Default)]
struct Elaborator {
    blocks: Vec<BlockDesign>,
    /// The blocks being visited, each with the name spaces around it.
    open: Vec<(usize, Vec<String>)>,
    namespaces: Vec<String>,
    problems: Vec<Problem>,
}

impl Elaborator {
    /// The name behind those of the name spaces around it, with marks before positions in arrays.
    fn local_name(&self, name: &str) -> String {
        let mut parts = self.namespaces.clone();
        parts.push(name.into());
        parts.join("_")
    }
}

impl Probe for Elaborator {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let index = self.blocks.len();
        let marked = self.local_name(name);
        let (name, position) = (plain_name(&marked), position_at_end(&marked));
        let parent = self.open.last().map(|open| open.0);
        let path = match parent {
            Some(parent) => format!("{}.{name}", self.blocks[parent].path),
            None => name.clone(),
        };
        let (verilog, body, problems) = soundness::record_and_compare(&path, || node.hdl());
        self.problems.extend(problems);
        if body.type_name.is_empty() {
            // What is inside such a block is its own affair.
            let inside = parent.is_some_and(|parent| self.blocks[parent].body.type_name.is_empty());
            if !inside {
                self.problems.push(foreign::refusal(&path, node, &verilog));
            }
        }
        if let Some(parent) = parent {
            self.blocks[parent].children.push(index);
        }
        self.blocks.push(BlockDesign { name, position, path, parent, children: vec![], nets: vec![], body });
        self.open.push((index, std::mem::take(&mut self.namespaces)));
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.namespaces = self.open.pop().map(|open| open.1).unwrap_or_default();
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.namespaces.push(name.into());
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.namespaces.pop();
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let details = take_details();
        let marked = self.local_name(name);
        let (name, position) = (plain_name(&marked), position_at_end(&marked));
        let Some(&(block, _)) = self.open.last() else { return };
        let register = details.as_ref().and_then(|d| d.register);
        if let Some((width, source)) = details.as_ref().and_then(|d| Some((d.refused_width?, d.source))) {
            let message = format!("`{name}` would be {} wide", bits(width));
            let remedy = "a net is 1 to 1024 bits wide; leave out what has no bits with `Optional`, split what is wider";
            let made = [("made".into(), source)];
            self.problems.push(refusal(Rule::Width, &self.blocks[block].path, message, made, remedy));
        }
        let kind = match (atom.kind(), register) {
            (_, Some(register)) => NetKind::Register(register),
            (AtomKind::InputParameter, _) => NetKind::Input,
            (AtomKind::OutputParameter | AtomKind::OutputPassthrough, _) => NetKind::Output,
            (AtomKind::Constant, _) => return,
            _ => NetKind::Wire,
        };
        self.blocks[block].nets.push(NetDesign {
            id: atom.id(),
            name,
            position,
            width: atom.bits(),
            width_name: details.as_ref().and_then(|d| d.width_name),
            code_names: details.as_ref().and_then(|d| d.code_names),
            kind,
            attributes: details.as_ref().map(|d| d.attributes.clone()).unwrap_or_default(),
            declared: details.as_ref().map(|d| d.declared.clone()).unwrap_or_default(),
            source: details.map(|d| d.source),
        });
    }
}
