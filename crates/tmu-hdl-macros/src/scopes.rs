//! Which pieces of a kernel open a scope for names, and how.
//!
//! What a `let` or an assignment is made from, each call of a function and each round of a loop or closure is a scope.
//! Pieces in which nothing gets a name open none.

use crate::forms::idents_in;
use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Expr, Ident, Member, Pat, Stmt, parse_quote};

/// What the variable of a guard is called; invisible to the code around.
fn guard() -> Ident {
    Ident::new("_scope", Span::mixed_site())
}

/// Opens the scope `name`, up to the end of the block around or to [`end`].
pub(crate) fn open(name: &str) -> Stmt {
    let guard = guard();
    parse_quote!(let #guard = ::tmu_hdl::kernel::scope(#name);)
}

/// Ends what [`open`] opened in the same block.
pub(crate) fn end() -> Stmt {
    let guard = guard();
    parse_quote!(::std::mem::drop(#guard);)
}

/// Opens the scope of one round of what goes round over `patterns`: a loop or closure. `is_typed` says that the types of
/// its variables are known where the round begins.
pub(crate) fn round<'a>(patterns: impl IntoIterator<Item = &'a Pat>, is_typed: bool) -> Option<Stmt> {
    let variable = patterns.into_iter().find_map(|pattern| idents_in(pattern).into_iter().next())?;
    let name = variable.to_string();
    let plain = name.trim_start_matches("r#").trim_start_matches('_');
    let plain = if plain.is_empty() { "round" } else { plain };
    let guard = guard();
    if !is_typed {
        return Some(parse_quote!(let #guard = ::tmu_hdl::kernel::round(#plain, None);));
    }
    Some(parse_quote! {
        let #guard = {
            use ::tmu_hdl::kernel::{RoundNumber as _, RoundOther as _};
            ::tmu_hdl::kernel::round(#plain, (&#variable).round_number())
        };
    })
}

/// Opens the scope of one round of a loop without a variable.
pub(crate) fn nameless_round() -> Stmt {
    let guard = guard();
    parse_quote!(let #guard = ::tmu_hdl::kernel::round("round", None);)
}

/// The expression inside the scope `name`, where there is one.
pub(crate) fn inside(name: Option<&str>, expr: Expr) -> Expr {
    let Some(open) = name.map(open) else { return expr };
    parse_quote!({ #open #expr })
}

/// What a place is called: its last name.
pub(crate) fn place_name(place: &Expr) -> Option<String> {
    match place {
        Expr::Path(path) => {
            path.path.get_ident().map(|ident| ident.to_string()).filter(|name| name != "self")
        }
        Expr::Field(field) => match &field.member {
            Member::Named(name) => Some(name.to_string()),
            Member::Unnamed(_) => place_name(&field.base),
        },
        Expr::Index(index) => place_name(&index.expr),
        Expr::Paren(paren) => place_name(&paren.expr),
        Expr::Unary(unary) => place_name(&unary.expr),
        Expr::Reference(reference) => place_name(&reference.expr),
        Expr::MethodCall(call) => place_name(&call.receiver),
        _ => None,
    }
}

/// Functions and methods that name nothing.
#[rustfmt::skip]
const SILENT: &[&str] = &[
    "Err", "Ok", "Some", "add_wide", "all", "any", "as_ref", "at", "bit", "cat", "clone", "collect", "copied", "drive",
    "enumerate", "hw_eq", "high", "iter", "len", "lit", "low", "moves", "mux", "named", "new", "next", "repeat",
    "rev", "sign_extend", "signed", "skip", "slice", "stack", "take", "to_vec", "unsigned", "unwrap_or", "val", "width",
    "with_capacity", "zero_extend", "zip",
];

/// Whether something may get a name when the expression runs.
pub(crate) fn may_name(expr: &Expr) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            let name = match &*call.func {
                Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
                _ => None,
            };
            self.0 |= name.is_none_or(|name| !SILENT.contains(&name.as_str()));
            visit::visit_expr_call(self, call);
        }
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.0 |= !SILENT.contains(&call.method.to_string().as_str());
            visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
            self.0 |= matches!(*assign.left, Expr::Path(_));
            visit::visit_expr_assign(self, assign);
        }
        fn visit_local(&mut self, _: &'ast syn::Local) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(expr);
    finder.0
}
