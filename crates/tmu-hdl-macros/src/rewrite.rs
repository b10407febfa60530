//! The rewriting of kernel code: the table in the documentation of `tmu_hdl::kernel`, form by form.

use crate::choice;
use crate::doc_lines;
use crate::forms::{
    early_exit, has_let, is_compound, is_constructor, is_doc, names_in, plain_name, root_variable, take_docs,
    without_parens,
};
use crate::scopes;
use proc_macro2::Span;
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use std::mem;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, BinOp, Block, Expr, ExprAssign, ExprBinary, ExprClosure, ExprIf, ExprMatch, FnArg, Local,
    Member, Pat, ReturnType, Signature, Stmt, Token, parse_quote,
};

/// Rewrites the body of a kernel function.
pub(crate) fn function(signature: &Signature, body: &mut Block) {
    let mut rewriter = Rewriter { scopes: vec![HashMap::new()], branch_depth: 0 };
    for input in &signature.inputs {
        if let FnArg::Typed(input) = input {
            rewriter.declare(&input.pat);
        }
    }
    rewriter.block(body, !matches!(signature.output, ReturnType::Default));
    // The kernel itself is the scope of everything, and what a compiler runs opens none.
    if signature.ident != "logic" && signature.constness.is_none() && body.stmts.iter().any(names_something) {
        body.stmts.insert(0, scopes::open(&signature.ident.to_string()));
    }
}

/// Whether a statement of a function may give something a name.
fn names_something(statement: &Stmt) -> bool {
    match statement {
        Stmt::Local(_) => true,
        Stmt::Expr(expr, _) => scopes::may_name(expr),
        _ => false,
    }
}

struct Rewriter {
    /// The Rust variables in scope, with the number of `if`s around their declaration.
    scopes: Vec<HashMap<String, usize>>,
    branch_depth: usize,
}

impl Rewriter {
    /// Rewrites a block; `is_value` says whether its last expression is used.
    fn block(&mut self, block: &mut Block, is_value: bool) {
        self.scopes.push(HashMap::new());
        let count = block.stmts.len();
        for (i, statement) in mem::take(&mut block.stmts).into_iter().enumerate() {
            self.statement(statement, is_value && i + 1 == count, &mut block.stmts);
        }
        self.scopes.pop();
    }

    fn statement(&mut self, statement: Stmt, is_value: bool, out: &mut Vec<Stmt>) {
        match statement {
            Stmt::Local(local) => self.local(local, out),
            Stmt::Expr(mut expr, semicolon) => {
                comments(&take_docs(&mut expr), out);
                let is_used = is_value && semicolon.is_none();
                match expr {
                    Expr::If(branch) if !is_used && !has_let(&branch.cond) => {
                        out.push(self.if_statement(branch));
                    }
                    Expr::Match(choice) if !is_used => {
                        out.push(Stmt::Expr(self.choice(choice, false), semicolon));
                    }
                    mut expr => {
                        self.visit_expr_mut(&mut expr);
                        out.push(Stmt::Expr(expr, semicolon));
                    }
                }
            }
            other => out.push(other),
        }
    }

    fn local(&mut self, mut local: Local, out: &mut Vec<Stmt>) {
        let (docs, others): (Vec<_>, Vec<_>) = mem::take(&mut local.attrs).into_iter().partition(is_doc);
        comments(&docs, out);
        local.attrs = others;
        let mut nameable = false;
        let mut scoped = None;
        if let Some(init) = &mut local.init {
            if scopes::may_name(&init.expr) {
                scoped = names_in(&local.pat).into_iter().find(|name| !name.starts_with('_'));
            }
            nameable = !matches!(*init.expr, Expr::Lit(_) | Expr::Macro(_)) && !is_constructor(&init.expr);
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, otherwise)) = &mut init.diverge {
                self.visit_expr_mut(otherwise);
            }
        }
        self.declare(&local.pat);
        let name = plain_name(&local.pat);
        out.extend(scoped.as_deref().map(scopes::open));
        out.push(Stmt::Local(local));
        out.extend(scoped.is_some().then(scopes::end));
        if let (true, Some(ident)) = (nameable, name) {
            out.push(naming(&ident));
        }
    }

    fn declare(&mut self, pattern: &Pat) {
        let depth = self.branch_depth;
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(names_in(pattern).into_iter().map(|name| (name, depth)));
        }
    }

    /// `if` as a statement: under the recorder both sides run, each inside its own Rust `if`.
    fn if_statement(&mut self, mut branch: ExprIf) -> Stmt {
        let span = branch.cond.span();
        self.visit_expr_mut(&mut branch.cond);
        self.branch_depth += 1;
        self.block(&mut branch.then_branch, false);
        let otherwise = branch.else_branch.map(|(_, expr)| match *expr {
            Expr::If(nested) => {
                let mut block: Block = parse_quote!({});
                self.scopes.push(HashMap::new());
                self.statement(Stmt::Expr(Expr::If(nested), None), false, &mut block.stmts);
                self.scopes.pop();
                block
            }
            Expr::Block(mut block) => {
                self.block(&mut block.block, false);
                block.block
            }
            other => parse_quote!({ #other }),
        });
        self.branch_depth -= 1;
        let (cond, then) = (&branch.cond, &branch.then_branch);
        let open = quote_spanned!(span=> ::tmu_hdl::kernel::Branch::open(#cond));
        // Invisible to the code inside, which may have a variable of that name.
        let name = syn::Ident::new("branch", Span::mixed_site());
        let otherwise = match otherwise {
            Some(block) => quote!(if #name.otherwise() #block),
            None => quote!(let _ = #name.otherwise();),
        };
        parse_quote!({
            let #name = #open;
            if #name.then() #then
            #otherwise
            #name.end();
        })
    }

    /// `match`: of hardware where its patterns allow it and its value is.
    fn choice(&mut self, mut choice: ExprMatch, is_value: bool) -> Expr {
        self.visit_expr_mut(&mut choice.expr);
        let patterns = choice::patterns(&choice);
        self.branch_depth += usize::from(patterns.is_some());
        for arm in &mut choice.arms {
            self.scopes.push(HashMap::new());
            self.declare(&arm.pat);
            if let Some((_, guard)) = &mut arm.guard {
                self.visit_expr_mut(guard);
            }
            self.arm(&mut arm.body, is_value, patterns.is_some());
            self.scopes.pop();
        }
        self.branch_depth -= usize::from(patterns.is_some());
        match patterns {
            Some(patterns) => choice::call(&choice, &patterns),
            None => Expr::Match(choice),
        }
    }

    fn arm(&mut self, body: &mut Expr, is_value: bool, may_be_hardware: bool) {
        match body {
            Expr::Block(inner) if !is_value && inner.label.is_none() && inner.attrs.is_empty() => {
                self.block(&mut inner.block, false);
            }
            other if !is_value && may_be_hardware => {
                let mut block: Block = parse_quote!({ #other });
                self.block(&mut block, false);
                *other = parse_quote!(#block);
            }
            other => self.visit_expr_mut(other),
        }
    }

    /// `if` as a value: a multiplexer, or one side where the condition is known at elaboration.
    fn if_value(&mut self, mut branch: ExprIf) -> Expr {
        let span = branch.cond.span();
        self.visit_expr_mut(&mut branch.cond);
        self.branch_depth += 1;
        self.block(&mut branch.then_branch, true);
        let mut otherwise = match branch.else_branch {
            Some((_, expr)) => *expr,
            None => parse_quote!({}),
        };
        self.visit_expr_mut(&mut otherwise);
        self.branch_depth -= 1;
        if let Some(error) = early_exit(&branch.then_branch).or_else(|| early_exit(&otherwise)) {
            return Expr::Verbatim(error);
        }
        let (cond, then) = (&branch.cond, &branch.then_branch);
        let select = quote_spanned!(span=> (#cond).hw_select(|| #then, || #otherwise));
        parse_quote!({
            use ::tmu_hdl::kernel::{Select as _, SelectBits as _};
            #select
        })
    }

    fn binary(&mut self, mut expr: ExprBinary) -> Expr {
        let span = expr.span();
        self.visit_expr_mut(&mut expr.left);
        self.visit_expr_mut(&mut expr.right);
        if matches!(expr.op, BinOp::And(_)) && (has_let(&expr.left) || has_let(&expr.right)) {
            // A chain of `if let … && …` is Rust's own.
            return Expr::Binary(expr);
        }
        let (left, right) = (without_parens(&expr.left), without_parens(&expr.right));
        // Every token carries the span of the operator, so that messages point there and not at the attribute.
        let function = match expr.op {
            BinOp::Eq(_) => quote_spanned!(span=> HwEq::hw_eq),
            BinOp::Ne(_) => quote_spanned!(span=> HwEq::hw_ne),
            BinOp::Lt(_) => quote_spanned!(span=> HwOrd::hw_lt),
            BinOp::Le(_) => quote_spanned!(span=> HwOrd::hw_le),
            BinOp::Gt(_) => quote_spanned!(span=> HwOrd::hw_gt),
            BinOp::Ge(_) => quote_spanned!(span=> HwOrd::hw_ge),
            BinOp::And(_) => quote_spanned!(span=> HwAnd::hw_and),
            BinOp::Or(_) => quote_spanned!(span=> HwOr::hw_or),
            op if is_compound(&op) => return self.note_change(&expr.left, Expr::Binary(expr.clone())),
            _ => return Expr::Binary(expr),
        };
        let right = match expr.op {
            BinOp::And(_) | BinOp::Or(_) => quote_spanned!(span=> || #right),
            _ => quote!(#right),
        };
        let call = quote_spanned!(span=> ::tmu_hdl::kernel::#function(#left, #right));
        parse_quote!(#call)
    }

    /// A closure, each call of which is a round; `is_typed` says that the types of its inputs are known.
    fn closure(&mut self, mut closure: ExprClosure, is_typed: bool) -> ExprClosure {
        self.scopes.push(HashMap::new());
        closure.inputs.iter().for_each(|p| self.declare(p));
        let round =
            scopes::may_name(&closure.body).then(|| scopes::round(&closure.inputs, is_typed)).flatten();
        self.visit_expr_mut(&mut closure.body);
        if let Some(round) = round {
            let body = &closure.body;
            closure.body = Box::new(parse_quote!({ #round #body }));
        }
        self.scopes.pop();
        closure
    }

    /// Arguments of a call: what a closure among them gets is known from what is called.
    fn arguments(&mut self, arguments: &mut Punctuated<Expr, Token![,]>) {
        for argument in arguments {
            match argument {
                Expr::Closure(closure) => *closure = self.closure(closure.clone(), true),
                argument => self.visit_expr_mut(argument),
            }
        }
    }

    fn assign(&mut self, mut expr: ExprAssign) -> Expr {
        let span = expr.span();
        let is_scope = scopes::may_name(&expr.right);
        self.visit_expr_mut(&mut expr.right);
        if let Expr::Field(field) = &*expr.left
            && matches!(&field.member, Member::Named(name) if name == "next")
        {
            let mut base = (*field.base).clone();
            self.visit_expr_mut(&mut base);
            let right = without_parens(&expr.right);
            let drive = quote_spanned!(span=> (#base).drive(#right));
            let name = is_scope.then(|| scopes::place_name(&field.base)).flatten();
            return scopes::inside(name.as_deref(), parse_quote!(#drive));
        }
        self.visit_expr_mut(&mut expr.left);
        let target = (*expr.left).clone();
        let variable = match &target {
            Expr::Path(path) if !matches!(*expr.right, Expr::Lit(_)) => path.path.get_ident().cloned(),
            _ => None,
        };
        let name = is_scope.then(|| scopes::place_name(&target)).flatten();
        let assignment = scopes::inside(name.as_deref(), self.note_change(&target, Expr::Assign(expr)));
        let Some(ident) = variable else { return assignment };
        let naming = naming(&ident);
        parse_quote!({ #assignment; #naming })
    }

    /// Puts a note before a change of a variable that was declared outside the innermost `if`s: whether the change
    /// matters is found out when the kernel runs, and then the message can name it.
    fn note_change(&self, target: &Expr, change: Expr) -> Expr {
        let Some(name) = root_variable(target) else { return change };
        let declared = self.scopes.iter().rev().find_map(|scope| scope.get(&name).copied());
        match declared {
            Some(depth) if depth < self.branch_depth => {
                let levels = self.branch_depth - depth;
                let span = target.span();
                let note = quote_spanned!(span=> ::tmu_hdl::kernel::assign_local(#name, #levels));
                parse_quote!({ #note; #change })
            }
            _ => change,
        }
    }
}

impl VisitMut for Rewriter {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let taken = mem::replace(expr, Expr::Verbatim(quote!()));
        *expr = match taken {
            Expr::If(branch) if !has_let(&branch.cond) => self.if_value(branch),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => self.assign(assign),
            Expr::Block(mut block) => {
                self.block(&mut block.block, true);
                Expr::Block(block)
            }
            Expr::Closure(closure) => Expr::Closure(self.closure(closure, false)),
            Expr::MethodCall(mut call) => {
                self.visit_expr_mut(&mut call.receiver);
                self.arguments(&mut call.args);
                Expr::MethodCall(call)
            }
            Expr::Call(mut call) => {
                self.visit_expr_mut(&mut call.func);
                self.arguments(&mut call.args);
                Expr::Call(call)
            }
            Expr::Reference(mut reference) if reference.mutability.is_some() => {
                visit_mut::visit_expr_reference_mut(self, &mut reference);
                let target = (*reference.expr).clone();
                self.note_change(&target, Expr::Reference(reference))
            }
            Expr::ForLoop(mut looped) => {
                self.visit_expr_mut(&mut looped.expr);
                self.scopes.push(HashMap::new());
                self.declare(&looped.pat);
                let round = looped.body.stmts.iter().any(names_something);
                let round = round.then(|| scopes::round([&*looped.pat], true)).flatten();
                self.block(&mut looped.body, false);
                looped.body.stmts.splice(0..0, round);
                self.scopes.pop();
                Expr::ForLoop(looped)
            }
            Expr::While(mut looped) => {
                visit_mut::visit_expr_while_mut(self, &mut looped);
                looped.body.stmts.insert(0, scopes::nameless_round());
                Expr::While(looped)
            }
            Expr::Loop(mut looped) => {
                visit_mut::visit_expr_loop_mut(self, &mut looped);
                looped.body.stmts.insert(0, scopes::nameless_round());
                Expr::Loop(looped)
            }
            Expr::Let(mut condition) => {
                self.visit_expr_mut(&mut condition.expr);
                self.declare(&condition.pat);
                Expr::Let(condition)
            }
            Expr::Match(choice) => self.choice(choice, true),
            mut other => {
                visit_mut::visit_expr_mut(self, &mut other);
                other
            }
        };
    }

    /// Blocks that are reached this way belong to loops: their value is not used.
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.block(block, false);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Gives the value of a variable its name, where the value is hardware.
fn naming(ident: &syn::Ident) -> Stmt {
    let text = ident.to_string();
    parse_quote!({
        use ::tmu_hdl::kernel::{NameBits as _, NameOther as _};
        (&#ident).name_value(#text);
    })
}

fn comments(docs: &[Attribute], out: &mut Vec<Stmt>) {
    let lines = doc_lines(docs);
    if lines.is_empty() {
        return;
    }
    let text = lines.join("\n");
    out.push(match text.strip_prefix("# ") {
        Some(title) => parse_quote!(::tmu_hdl::kernel::banner(#title);),
        None => parse_quote!(::tmu_hdl::kernel::comment(#text);),
    });
}
