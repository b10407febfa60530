//! One module: header, declarations, processes, instances.

use super::expression::Expressions;
use super::fault::{Fault, is_planted};
use super::names::Names;
use super::ports::{Port, declaration, ports};
use super::process::{Plan, Process, plan, project, roots};
use super::text::{comment, source_file, wrap};
use super::{Called, Declaration};
use crate::dependencies::Dependencies;
use crate::design::{BlockDesign, Design};
use crate::diagnostic::Source;
use crate::op::Op;
use crate::record::{AtomId, NodeId, NodeKind, Statement};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Text of the block's module after the word `module` and its name, and the comment above it.
pub(crate) struct ModuleText {
    /// Comment lines.
    pub(crate) docs: String,
    /// From the port list to `endmodule`.
    pub(crate) body: String,
    /// Instance name of each sub-block.
    pub(crate) instances: Vec<(usize, String)>,
    /// Named constants.
    pub(crate) parameters: Vec<(String, Value)>,
    /// What it declares.
    pub(crate) declarations: Vec<Declaration>,
    /// Its ports.
    pub(crate) ports: Vec<Port>,
    /// What it calls the nodes of the source.
    pub(crate) called: Called,
}

/// What the modules of a design have in common.
pub(crate) struct Context<'a> {
    pub(crate) design: &'a Design,
    pub(crate) dependencies: &'a Dependencies,
    /// Nets of arrays that may not be vectors.
    pub(crate) chained: &'a FxHashSet<AtomId>,
    /// The modules that have been printed, and their ports, by block.
    pub(crate) module_of: &'a FxHashMap<usize, String>,
    pub(crate) ports_of: &'a FxHashMap<usize, Vec<Port>>,
    /// Places in the source stand behind assignments.
    pub(crate) shows_places: bool,
}

/// Prints the module of block `index`, whose sub-blocks have been printed.
pub(crate) fn print(context: &Context<'_>, index: usize) -> ModuleText {
    let &Context { design, dependencies, chained, module_of, ports_of, shows_places } = context;
    let block = &design.blocks[index];
    let docs = block.body.docs.clone();
    if let Some(primitive) = &block.body.primitive {
        let lines: Vec<String> = block.nets.iter().map(|n| declaration(n, &n.name, 1, false)).collect();
        let text = with_planted_fault(primitive.text(design.fabric).trim_end());
        let body = format!("({}\n);\n{}\nendmodule\n", lines.join(","), indent(&text));
        let declared = block.nets.iter().map(|n| Declaration {
            name: n.name.clone(),
            position: n.position,
            is_instance: false,
            source: n.source,
        });
        let declarations = declared.collect();
        let ports = ports(block, &BTreeSet::new(), chained);
        let called = Called::default();
        return ModuleText { docs, body, instances: vec![], parameters: vec![], declarations, ports, called };
    }
    let plan = plan(design, index, dependencies);
    let comb = comb_targets(&plan);
    let roots = roots(&block.body.statements);
    let mut printer = Printer {
        design,
        index,
        shows_places,
        expressions: Expressions::new(&block.body, Names::default(), &roots),
        ports: ports(block, &comb, chained),
        chained,
        ports_of,
        comb,
        direct_outputs: FxHashSet::default(),
        instances: FxHashMap::default(),
        discarded: FxHashSet::default(),
        width_names: FxHashMap::default(),
        widths: vec![],
        out: String::new(),
    };
    printer.name_nets(&plan);
    printer.name_widths(&plan);
    printer.alias_outputs(&plan);
    printer.name_vectors(&plan);
    let parameters = printer.expressions.name_parameters();
    printer.expressions.name_wires(dependencies);
    let declarations = printer.declarations(&plan, &parameters);
    for process in &plan.processes {
        printer.process(process, &plan, module_of);
    }
    printer.properties();
    let port_line = |port: &Port| {
        let net = design.net(port.nets[0]);
        declaration(net, &port.name, port.nets.len(), printer.comb.contains(&net.id))
    };
    let lines: Vec<String> = printer.ports.iter().map(port_line).collect();
    let gap = if declarations.is_empty() { "" } else { "\n" };
    let body = format!("({}\n);\n{declarations}{gap}{}endmodule\n", lines.join(","), printer.out);
    let instances = block.children.iter().map(|c| (*c, printer.instances[c].clone())).collect();
    let declarations = printer.expressions.take_declarations();
    let Printer { ports, expressions, .. } = printer;
    ModuleText { docs, body, instances, parameters, declarations, ports, called: expressions.called() }
}

/// The text of a primitive, but for the faults that tests plant in it.
fn with_planted_fault(text: &str) -> String {
    if is_planted(Fault::LostAsyncReg) {
        return text.replace("ASYNC_REG = \"TRUE\", ", "");
    }
    if is_planted(Fault::WriteFirst) {
        return text.replace("memory[write_address] <= ", "memory[write_address] = ");
    }
    text.into()
}

fn indent(text: &str) -> String {
    let lines = text.lines().map(|l| if l.is_empty() { String::new() } else { format!("    {l}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// Nets that `always @(*)` drives: they are declared `reg`.
fn comb_targets(plan: &Plan) -> BTreeSet<AtomId> {
    let mut out = BTreeSet::new();
    for process in &plan.processes {
        if let Process::Combinational { targets } = process {
            out.extend(targets);
        }
    }
    out
}

pub(super) struct Printer<'a> {
    pub(super) design: &'a Design,
    pub(super) index: usize,
    /// Places in the source stand behind assignments.
    shows_places: bool,
    pub(super) expressions: Expressions<'a>,
    pub(super) comb: BTreeSet<AtomId>,
    /// Own ports.
    pub(super) ports: Vec<Port>,
    /// Nets of arrays that may not be vectors.
    pub(super) chained: &'a FxHashSet<AtomId>,
    /// Those of sub-blocks.
    pub(super) ports_of: &'a FxHashMap<usize, Vec<Port>>,
    /// Own outputs that the output of a sub-block drives without a wire between.
    pub(super) direct_outputs: FxHashSet<AtomId>,
    pub(super) instances: FxHashMap<usize, String>,
    /// Unused values that have been said to be unused, with the reasons.
    discarded: FxHashSet<(String, String)>,
    /// The `localparam` of each width that has a name, by what it would be called and the bits.
    pub(super) width_names: FxHashMap<(&'static str, usize), String>,
    /// The same in their order.
    pub(super) widths: Vec<(String, usize)>,
    pub(super) out: String,
}

impl<'a> Printer<'a> {
    pub(super) fn block(&self) -> &'a BlockDesign {
        &self.design.blocks[self.index]
    }

    /// The word that wires for a target are called after.
    pub(super) fn word_of(&self, target: Option<AtomId>, otherwise: &str) -> String {
        target.map_or(otherwise, |target| self.expressions.net_name(target).word()).into()
    }

    pub(super) fn line(&mut self, indent: usize, text: &str) {
        self.out.push_str(&wrap(indent, text));
    }

    /// Puts the wires that `text` needs before it.
    pub(super) fn flush_wires(&mut self) {
        for wire in self.expressions.take_pending() {
            self.line(1, &wire);
        }
    }

    /// A printed assignment with the place that it comes from.
    fn with_place(&self, line: String, source: Option<Source>) -> String {
        match source.filter(|_| self.shows_places) {
            Some(source) => {
                format!("{} // {}:{}\n", line.trim_end(), source_file(source.file()), source.line())
            }
            None => line,
        }
    }

    pub(super) fn comment(&mut self, indent: usize, text: &str) {
        for line in text.lines() {
            self.out.push_str(&format!("{}{}\n", "    ".repeat(indent), comment(line)));
        }
    }

    fn process(&mut self, process: &Process, plan: &Plan, module_of: &FxHashMap<usize, String>) {
        match process {
            Process::Banner(text) => self.banner(text),
            Process::Comment(text) => self.comment(1, text),
            Process::Assign { target, .. } if self.direct_outputs.contains(target) => {}
            Process::Assign { target, value } => {
                let name = self.expressions.net_name(*target).clone();
                let text = self.expressions.right_side(*value, name.word());
                self.flush_wires();
                let line = wrap(1, &format!("assign {name} = {text};"));
                let statements = &self.block().body.statements;
                let source = self.shows_places.then(|| first_source(statements, *target)).flatten();
                let line = self.with_place(line, source);
                self.out.push_str(&line);
            }
            Process::Discard { value, reason } => {
                let text = self.expressions.right_side(*value, "unused");
                self.flush_wires();
                // A function that leaves bits alone may be called more than once.
                if !self.discarded.insert((text.clone(), reason.clone())) {
                    return;
                }
                let name = self.expressions.name_unused(*value);
                self.comment(1, reason);
                // Readers know an unused wire by its name or by the attribute, which has no place on an assignment.
                self.line(1, &format!("(* unused *) wire {name};"));
                self.line(1, &format!("assign {name} = &{{1'b0, {text}}};"));
            }
            Process::Combinational { targets } => {
                let mut projected = project(&self.block().body, plan, targets);
                if is_planted(Fault::ReversedStatements) {
                    projected.reverse();
                }
                let text = self.statements(&projected, 2, "=");
                self.flush_wires();
                self.out.push_str(&format!("    always @(*) begin\n{text}    end\n"));
            }
            Process::Clocked { targets, clock, reset } => self.clocked(plan, targets, *clock, *reset),
            Process::Instance { block } => self.instance(*block, plan, module_of),
        }
    }

    fn banner(&mut self, text: &str) {
        let rule = "-".repeat(72);
        // The first one stands behind the gap that follows the declarations.
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.comment(1, &format!("{rule}\n{text}\n{rule}"));
    }

    pub(super) fn statements(&mut self, statements: &[Statement], indent: usize, arrow: &str) -> String {
        let mut out = String::new();
        let rows = if arrow == "<=" { self.shift_rows(statements) } else { FxHashSet::default() };
        for statement in statements {
            match statement {
                Statement::Comment(text) => {
                    for line in text.lines() {
                        out.push_str(&format!("{}{}\n", "    ".repeat(indent), comment(line)));
                    }
                }
                Statement::Drive { target, value, source } => {
                    let name = self.expressions.net_name(*target).clone();
                    let row = name.item().filter(|item| rows.contains(&item.vector));
                    if row.is_some_and(|item| item.position > 0) {
                        continue;
                    }
                    let text = self.expressions.right_side(*value, name.word());
                    let line = match row {
                        Some(item) if is_planted(Fault::ReversedRow) => {
                            format!("{} {arrow} {{{text}, {}}};", item.vector, item.all_but_last())
                        }
                        Some(item) => format!("{} {arrow} {{{}, {text}}};", item.vector, item.all_but_last()),
                        None => format!("{name} {arrow} {text};"),
                    };
                    out.push_str(&self.with_place(wrap(indent, &line), Some(source)));
                }
                Statement::If { .. } => out.push_str(&self.branch(statement, indent, arrow)),
                Statement::Banner(_) | Statement::Property(_) | Statement::Discard { .. } => {}
            }
        }
        out
    }

    fn branch(&mut self, statement: &Statement, indent: usize, arrow: &str) -> String {
        if let Some(case) = self.case(statement, indent, arrow) {
            return case;
        }
        let margin = "    ".repeat(indent);
        let mut out = String::new();
        let mut lead = String::new();
        let mut current = statement;
        loop {
            let Statement::If { condition, then, otherwise } = current else { return out };
            let target = self.word_of(first_target(current), "condition");
            let (condition, then, swapped) = match then.is_empty() {
                // Only the `else` side drives something: turn the condition round.
                true => (self.negated(*condition, &target), otherwise, true),
                false => (self.expressions.condition(*condition, &target), then, false),
            };
            let enabled = arrow == "<=" && is_planted(Fault::DroppedEnable);
            let condition = if enabled { "1'b1".into() } else { condition };
            out.push_str(&wrap(indent, &format!("{lead}if ({condition}) begin")));
            out.push_str(&self.statements(then, indent + 1, arrow));
            if swapped || otherwise.is_empty() || is_planted(Fault::NoElse) {
                break;
            }
            if let [next @ Statement::If { .. }] = otherwise.as_slice()
                && !self.is_case(next)
            {
                lead = "end else ".into();
                current = next;
                continue;
            }
            out.push_str(&format!("{margin}end else begin\n"));
            out.push_str(&self.statements(otherwise, indent + 1, arrow));
            break;
        }
        out.push_str(&format!("{margin}end\n"));
        out
    }

    fn negated(&mut self, condition: NodeId, target: &str) -> String {
        if let NodeKind::Op(Op::Not, args) = &self.block().body.node(condition).kind {
            return self.expressions.condition(args[0], target);
        }
        let text = self.expressions.condition(condition, target);
        if is_planted(Fault::LostNegation) {
            return text;
        }
        if text.chars().all(|c| c.is_ascii_alphanumeric() || "_[]".contains(c)) {
            format!("!{text}")
        } else {
            format!("!({text})")
        }
    }
}

/// Where a net is first driven.
fn first_source(statements: &[Statement], target: AtomId) -> Option<Source> {
    let mut first = None;
    crate::design::for_each_drive(statements, &mut |site| {
        if site.target == target {
            first.get_or_insert(site.source);
        }
    });
    first
}

pub(super) fn first_target(statement: &Statement) -> Option<AtomId> {
    let mut first = None;
    crate::design::for_each_drive(std::slice::from_ref(statement), &mut |site| {
        first.get_or_insert(site.target);
    });
    first
}
