//! One module: header, declarations, processes, instances.

use super::Declaration;
use super::expression::{Expressions, literal};
use super::fault::{Fault, is_planted};
use super::names::Names;
use super::ports::{attributes, instance_name, is_unused_output, port, port_names};
use super::process::{Plan, Process, plan, project, roots};
use super::text::{comment, range, source_file, wrap};
use crate::dependencies::Dependencies;
use crate::design::{BlockDesign, Design, NetDesign, NetKind};
use crate::diagnostic::Source;
use crate::op::Op;
use crate::record::{AtomId, NodeId, NodeKind, Statement};
use crate::value::Value;
use std::collections::{BTreeSet, HashMap, HashSet};

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
}

/// Prints the module of block `index`; `module_of` names the modules of its sub-blocks, `dependencies` are those of
/// the whole design.
pub(crate) fn print(
    design: &Design,
    index: usize,
    module_of: &HashMap<usize, String>,
    dependencies: &Dependencies,
    shows_places: bool,
) -> ModuleText {
    let block = &design.blocks[index];
    let docs = block.body.docs.clone();
    if let Some(primitive) = &block.body.primitive {
        let ports: Vec<String> = block.nets.iter().map(|n| port(n, &n.name, false)).collect();
        let text = with_planted_fault(primitive.verilog.trim_end());
        let body = format!("({}\n);\n{}\nendmodule\n", ports.join(","), indent(&text));
        let ports = block.nets.iter().map(|n| Declaration {
            name: n.name.clone(),
            position: n.position,
            source: n.source,
        });
        let declarations = ports.collect();
        return ModuleText { docs, body, instances: vec![], parameters: vec![], declarations };
    }
    let plan = plan(design, index, dependencies);
    let roots = roots(&block.body.statements);
    let mut printer = Printer {
        design,
        index,
        shows_places,
        expressions: Expressions::new(&block.body, Names::default(), &roots),
        comb: comb_targets(&plan),
        direct_outputs: HashSet::new(),
        instances: HashMap::new(),
        discarded: HashSet::new(),
        width_names: HashMap::new(),
        widths: vec![],
        out: String::new(),
    };
    printer.name_nets(&plan);
    printer.name_widths(&plan);
    printer.alias_outputs(&plan);
    let parameters = printer.expressions.name_parameters();
    printer.expressions.name_wires();
    let declarations = printer.declarations(&plan, &parameters);
    for process in &plan.processes {
        printer.process(process, &plan, module_of);
    }
    printer.properties();
    let ports: Vec<String> = block
        .nets
        .iter()
        .filter(|n| n.is_port())
        .map(|n| port(n, &printer.expressions.net_name(n.id), printer.comb.contains(&n.id)))
        .collect();
    let gap = if declarations.is_empty() { "" } else { "\n" };
    let body = format!("({}\n);\n{declarations}{gap}{}endmodule\n", ports.join(","), printer.out);
    let instances = block.children.iter().map(|c| (*c, printer.instances[c].clone())).collect();
    let declarations = printer.expressions.take_declarations();
    ModuleText { docs, body, instances, parameters, declarations }
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
    comb: BTreeSet<AtomId>,
    /// Own outputs that the output of a sub-block drives without a wire between.
    direct_outputs: HashSet<AtomId>,
    instances: HashMap<usize, String>,
    /// Unused values that have been said to be unused, with the reasons.
    discarded: HashSet<(String, String)>,
    /// The `localparam` of each width that has a name, by what it would be called and the bits.
    width_names: HashMap<(&'static str, usize), String>,
    /// The same in their order.
    widths: Vec<(String, usize)>,
    pub(super) out: String,
}

impl<'a> Printer<'a> {
    pub(super) fn block(&self) -> &'a BlockDesign {
        &self.design.blocks[self.index]
    }

    /// Ports first, so that they are called what [`port_names`] says; then own nets, instances and the ports of
    /// sub-blocks. None is called as the instance of the block itself, which it would hide.
    fn name_nets(&mut self, plan: &Plan) {
        let block = self.block();
        for (id, name) in port_names(block) {
            let net = self.design.net(id);
            let name = self.expressions.take_name(&name, net.position, net.source);
            self.expressions.set_net_name(id, name);
        }
        if block.parent.is_some() {
            self.expressions.reserve_name(&block.name);
        }
        for net in block.nets.iter().filter(|n| !n.is_port()) {
            let name = self.expressions.take_name(&net.name, net.position, net.source);
            self.expressions.set_net_name(net.id, name);
        }
        for &child in &block.children {
            let block = &self.design.blocks[child];
            let name = self.expressions.take_name(&instance_name(block), block.position, None);
            self.instances.insert(child, name);
        }
        for &child in &block.children {
            let child = &self.design.blocks[child];
            for net in child.nets.iter().filter(|n| n.is_port()) {
                let prefix = if is_unused_output(net, plan) { "unused_" } else { "" };
                let wanted = format!("{prefix}{}_{}", child.name, net.name);
                let name = self.expressions.take_name(&wanted, net.position, net.source);
                self.expressions.set_net_name(net.id, name);
            }
        }
    }

    /// `assign out = child_out;` says nothing: the sub-block drives the port itself.
    fn alias_outputs(&mut self, plan: &Plan) {
        let body = &self.block().body;
        for process in &plan.processes {
            let Process::Assign { target, value } = process else { continue };
            let NodeKind::Net(source) = body.node(*value).kind else { continue };
            let source_is_child_output =
                self.design.block_of(source) != self.index && self.design.net(source).kind == NetKind::Output;
            let target_is_output = self.design.net(*target).kind == NetKind::Output;
            let taken = self.direct_outputs.contains(&source);
            if source_is_child_output && target_is_output && !taken {
                let name = self.expressions.net_name(*target);
                self.expressions.set_net_name(source, name);
                self.direct_outputs.extend([*target, source]);
            }
        }
    }

    fn declarations(&self, plan: &Plan, parameters: &[(String, Value)]) -> String {
        let block = self.block();
        let mut out = String::new();
        for (name, width) in &self.widths {
            out.push_str(&wrap(1, &format!("localparam {name} = {width};")));
        }
        for (name, value) in parameters {
            let line = format!("localparam {}{name} = {};", range(value.width()), literal(value));
            out.push_str(&wrap(1, &line));
        }
        for net in block.nets.iter().filter(|n| !n.is_port() && exists(n, plan)) {
            let name = self.expressions.net_name(net.id);
            let (attributes, range) = (attributes(net), self.range(net));
            let line = match net.register() {
                Some(register) => {
                    let init = zeroed_by(Fault::WrongInitialValue, register.init);
                    format!("{attributes}reg  {range}{name} = {};", literal(&init))
                }
                None if self.comb.contains(&net.id) => format!("{attributes}reg  {range}{name};"),
                None => format!("{attributes}wire {range}{name};"),
            };
            out.push_str(&wrap(1, &line));
        }
        for &child in &block.children {
            for net in self.design.blocks[child].nets.iter().filter(|n| n.is_port()) {
                let connected = plan.connections.contains_key(&net.id);
                if !connected && !self.direct_outputs.contains(&net.id) {
                    let kind = if self.comb.contains(&net.id) { "reg " } else { "wire" };
                    let name = self.expressions.net_name(net.id);
                    let unused = if is_unused_output(net, plan) { "(* unused *) " } else { "" };
                    out.push_str(&wrap(1, &format!("{unused}{kind} {}{name};", range(net.width))));
                }
            }
        }
        out
    }

    /// Names the widths of nets that have a name, in the order of the nets.
    fn name_widths(&mut self, plan: &Plan) {
        for net in self.block().nets.iter().filter(|n| !n.is_port() && exists(n, plan)) {
            let Some(wanted) = net.width_name else { continue };
            if !self.width_names.contains_key(&(wanted, net.width)) {
                let name = self.expressions.take_name(wanted, None, None);
                self.width_names.insert((wanted, net.width), name.clone());
                self.widths.push((name, net.width));
            }
        }
    }

    /// The range of a declaration inside the module.
    fn range(&self, net: &NetDesign) -> String {
        match net.width_name.and_then(|name| self.width_names.get(&(name, net.width))) {
            Some(name) => format!("[{name} - 1:0] "),
            None => range(net.width),
        }
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

    fn process(&mut self, process: &Process, plan: &Plan, module_of: &HashMap<usize, String>) {
        match process {
            Process::Banner(text) => self.banner(text),
            Process::Comment(text) => self.comment(1, text),
            Process::Assign { target, .. } if self.direct_outputs.contains(target) => {}
            Process::Assign { target, value } => {
                let name = self.expressions.net_name(*target);
                let text = self.expressions.right_side(*value, &name);
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

    fn clocked(&mut self, plan: &Plan, targets: &BTreeSet<AtomId>, clock: AtomId, reset: Option<AtomId>) {
        let projected = project(&self.block().body, plan, targets);
        let reset = reset.filter(|_| !is_planted(Fault::NoReset));
        // One `if` behind the reset continues its chain, anything else stands inside its `else`.
        let chained = matches!(projected.as_slice(), [first @ Statement::If { .. }] if !self.is_case(first));
        let level = if reset.is_some() && !chained { 3 } else { 2 };
        let arrow = if is_planted(Fault::BlockingAssignment) { "=" } else { "<=" };
        let mut text = self.statements(&projected, level, arrow);
        if let Some(reset) = reset {
            let mut lines = format!("        if ({}) begin\n", self.expressions.net_name(reset));
            for &target in self.block().nets.iter().map(|n| &n.id).filter(|n| targets.contains(n)) {
                let name = self.expressions.net_name(target);
                let Some(register) = self.design.net(target).register() else { continue };
                if let Some(value) = register.reset_value {
                    let value = zeroed_by(Fault::WrongResetValue, value);
                    let known = register.reset_name.and_then(|name| self.expressions.parameter(name, value));
                    let value = known.unwrap_or_else(|| literal(&value));
                    lines.push_str(&wrap(3, &format!("{name} {arrow} {value};")));
                }
            }
            text = match chained {
                true => format!("{lines}        end else {}", text.trim_start()),
                false => format!("{lines}        end else begin\n{text}        end\n"),
            };
        }
        self.flush_wires();
        let clock = self.expressions.net_name(clock);
        let edge = if reset.is_none() && is_planted(Fault::WrongEdge) { "negedge" } else { "posedge" };
        self.out.push_str(&format!("    always @({edge} {clock}) begin\n{text}    end\n"));
    }

    pub(super) fn statements(&mut self, statements: &[Statement], indent: usize, arrow: &str) -> String {
        let mut out = String::new();
        for statement in statements {
            match statement {
                Statement::Comment(text) => {
                    for line in text.lines() {
                        out.push_str(&format!("{}{}\n", "    ".repeat(indent), comment(line)));
                    }
                }
                Statement::Drive { target, value, source } => {
                    let name = self.expressions.net_name(*target);
                    let text = self.expressions.right_side(*value, &name);
                    let line = wrap(indent, &format!("{name} {arrow} {text};"));
                    out.push_str(&self.with_place(line, Some(source)));
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
            let target = first_target(current).map_or("condition".into(), |t| self.expressions.net_name(t));
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
        if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            format!("!{text}")
        } else {
            format!("!({text})")
        }
    }

    fn instance(&mut self, child: usize, plan: &Plan, module_of: &HashMap<usize, String>) {
        let child_block = &self.design.blocks[child];
        let mut connections = vec![];
        for (id, port) in port_names(child_block) {
            let net = self.design.net(id);
            let name = self.expressions.net_name(net.id);
            let text = match plan.connections.get(&net.id) {
                None => name,
                Some(&value) => {
                    let text = self.expressions.right_side(value, &name);
                    if self.expressions.is_plain(value) {
                        text
                    } else {
                        self.flush_wires();
                        self.line(1, &format!("wire {}{name} = {text};", range(net.width)));
                        name
                    }
                }
            };
            connections.push((port, text, net));
        }
        if is_planted(Fault::SwappedConnection) {
            swap_two_inputs(&mut connections);
        }
        let connections: Vec<String> =
            connections.iter().map(|(port, text, _)| format!("        .{port}({text})")).collect();
        self.flush_wires();
        let (module, instance) = (&module_of[&child], &self.instances[&child]);
        self.out.push_str(&format!("    {module} {instance} (\n{}\n    );\n", connections.join(",\n")));
    }
}

/// A wire that nothing drives is not read either, or the design would have been refused.
fn exists(net: &NetDesign, plan: &Plan) -> bool {
    net.register().is_some() || plan.driven.contains(&net.id)
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

/// A planted fault: what the first two inputs of equal width are connected with changes places.
fn swap_two_inputs(connections: &mut [(String, String, &NetDesign)]) {
    let inputs: Vec<usize> =
        (0..connections.len()).filter(|&i| connections[i].2.kind == NetKind::Input).collect();
    let widths = |i: usize| connections[i].2.width;
    let pair = inputs.windows(2).find(|pair| widths(pair[0]) > 1 && widths(pair[0]) == widths(pair[1]));
    if let Some(&[first, second]) = pair {
        let text = std::mem::take(&mut connections[first].1);
        connections[first].1 = std::mem::replace(&mut connections[second].1, text);
    }
}

/// The value, or zero where this fault is planted.
fn zeroed_by(fault: Fault, value: Value) -> Value {
    if is_planted(fault) { Value::zero(value.width()) } else { value }
}

pub(super) fn first_target(statement: &Statement) -> Option<AtomId> {
    let mut first = None;
    crate::design::for_each_drive(std::slice::from_ref(statement), &mut |site| {
        first.get_or_insert(site.target);
    });
    first
}
