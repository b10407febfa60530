//! Questions about pieces of Rust that the rewriting asks.

use std::mem;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, BinOp, Expr, Pat};

/// A `return`, `break`, `continue` or `?` in one side of an `if` that is used as a value, as an error.
pub(crate) fn early_exit(side: &impl quote::ToTokens) -> Option<proc_macro2::TokenStream> {
    struct Finder(Option<syn::Error>);
    impl Finder {
        fn found(&mut self, at: impl quote::ToTokens) {
            let message = "an `if` that is used as a value has no way out but its value; \
                write it as a statement, on a condition known at elaboration";
            self.0.get_or_insert_with(|| syn::Error::new_spanned(at, message));
        }
    }
    impl VisitMut for Finder {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            match expr {
                Expr::Return(_) | Expr::Try(_) => self.found(&*expr),
                Expr::Closure(_) => {}
                _ => visit_mut::visit_expr_mut(self, expr),
            }
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let tokens = side.to_token_stream();
    let mut side: Expr = syn::parse2(tokens).ok()?;
    let mut finder = Finder(None);
    finder.visit_expr_mut(&mut side);
    finder.0.map(|error| error.to_compile_error())
}

pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// Takes the doc comments off a statement; on an assignment they sit on its leftmost part.
pub(crate) fn take_docs(expr: &mut Expr) -> Vec<Attribute> {
    let attrs: &mut Vec<Attribute> = match expr {
        Expr::Assign(e) => return take_docs(&mut e.left),
        Expr::Binary(e) => return take_docs(&mut e.left),
        Expr::Field(e) => &mut e.attrs,
        Expr::Path(e) => &mut e.attrs,
        Expr::MethodCall(e) => &mut e.attrs,
        Expr::Call(e) => &mut e.attrs,
        Expr::If(e) => &mut e.attrs,
        Expr::ForLoop(e) => &mut e.attrs,
        Expr::Block(e) => &mut e.attrs,
        Expr::Match(e) => &mut e.attrs,
        Expr::Index(e) => &mut e.attrs,
        _ => return vec![],
    };
    let (docs, others): (Vec<_>, Vec<_>) = mem::take(attrs).into_iter().partition(is_doc);
    *attrs = others;
    docs
}

/// An operand becomes an argument, where Rust finds its parentheses idle.
pub(crate) fn without_parens(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) if paren.attrs.is_empty() => without_parens(&paren.expr),
        _ => expr,
    }
}

pub(crate) fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(paren) => has_let(&paren.expr),
        _ => false,
    }
}

pub(crate) fn is_compound(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
    )
}

/// `Vec::new()` and the like: naming their result would fix a type that is still to be inferred.
pub(crate) fn is_constructor(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    path.path
        .segments
        .last()
        .is_some_and(|s| ["new", "with_capacity", "default"].iter().any(|n| s.ident == n))
}

pub(crate) fn plain_name(pattern: &Pat) -> Option<syn::Ident> {
    match pattern {
        Pat::Ident(p) if !p.ident.to_string().starts_with('_') => Some(p.ident.clone()),
        Pat::Type(p) => plain_name(&p.pat),
        _ => None,
    }
}

/// Every variable that a pattern makes.
pub(crate) fn idents_in(pattern: &Pat) -> Vec<syn::Ident> {
    struct Finder(Vec<syn::Ident>);
    impl VisitMut for Finder {
        fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
            self.0.push(pattern.ident.clone());
            visit_mut::visit_pat_ident_mut(self, pattern);
        }
        fn visit_expr_mut(&mut self, _: &mut Expr) {}
    }
    let mut finder = Finder(vec![]);
    finder.visit_pat_mut(&mut pattern.clone());
    finder.0
}

/// The names of the variables that a pattern makes.
pub(crate) fn names_in(pattern: &Pat) -> Vec<String> {
    idents_in(pattern).iter().map(|ident| ident.to_string()).collect()
}

/// The variable that a place is a part of.
pub(crate) fn root_variable(target: &Expr) -> Option<String> {
    match target {
        Expr::Path(path) => path.path.get_ident().map(|i| i.to_string()).filter(|n| n != "self"),
        Expr::Index(index) => root_variable(&index.expr),
        Expr::Field(field) => root_variable(&field.base),
        Expr::Unary(unary) => root_variable(&unary.expr),
        _ => None,
    }
}
