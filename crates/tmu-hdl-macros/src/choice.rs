//! `match`: Rust's own, or hardware where the value is.
//!
//! A macro sees no types. So a `match` whose patterns an enum of the hardware or a number could have calls a method of the
//! value, with the `match` in a closure: for a value of Rust the method calls it once, for one of the hardware once for
//! each arm. All other `match`es stay as they are.

use crate::hardware_enum::is_variant_name;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMatch, Ident, Lit, LitInt, Pat, parse_quote};

/// What all patterns of a `match` are, beside `_`.
pub(crate) enum Patterns {
    /// Variants without fields.
    Variants,
    /// Whole numbers.
    Numbers(Vec<LitInt>),
}

/// The patterns of a `match` that may be one of hardware.
pub(crate) fn patterns(choice: &ExprMatch) -> Option<Patterns> {
    let mut found = Found::default();
    for arm in &choice.arms {
        if arm.guard.is_some() || !arm.attrs.is_empty() || !found.add(&arm.pat) {
            return None;
        }
    }
    if choice.arms.iter().any(|arm| leaves(&arm.body)) {
        return None;
    }
    match (found.variants, found.numbers) {
        (0, numbers) if numbers.is_empty() => None,
        (0, numbers) => Some(Patterns::Numbers(numbers)),
        (_, numbers) => numbers.is_empty().then_some(Patterns::Variants),
    }
}

#[derive(Default)]
struct Found {
    variants: usize,
    numbers: Vec<LitInt>,
}

impl Found {
    /// False for what no pattern of hardware is.
    fn add(&mut self, pattern: &Pat) -> bool {
        match pattern {
            Pat::Wild(_) => true,
            Pat::Paren(inner) => self.add(&inner.pat),
            Pat::Or(cases) => cases.cases.iter().all(|case| self.add(case)),
            Pat::Path(path) => {
                let last = path.path.segments.last();
                let named = last.is_some_and(|s| is_variant_name(&s.ident.to_string()));
                self.variants += usize::from(named);
                named
            }
            Pat::Ident(name) => {
                let plain = name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none();
                let named = plain && is_variant_name(&name.ident.to_string());
                self.variants += usize::from(named);
                named
            }
            Pat::Lit(literal) => match &literal.lit {
                Lit::Int(number) => {
                    self.numbers.push(number.clone());
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether an arm has another way out than its end, which no closure has.
fn leaves(body: &Expr) -> bool {
    struct Finder {
        loops: usize,
        found: bool,
    }
    impl Finder {
        fn inside_loop(&mut self, body: &mut syn::Block) {
            self.loops += 1;
            self.visit_block_mut(body);
            self.loops -= 1;
        }
    }
    impl VisitMut for Finder {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            match expr {
                Expr::Return(_) | Expr::Try(_) | Expr::Await(_) => self.found = true,
                Expr::Break(syn::ExprBreak { label, .. })
                | Expr::Continue(syn::ExprContinue { label, .. }) => {
                    self.found |= self.loops == 0 || label.is_some();
                    visit_mut::visit_expr_mut(self, expr);
                }
                Expr::ForLoop(looped) => {
                    self.visit_expr_mut(&mut looped.expr);
                    self.inside_loop(&mut looped.body);
                }
                Expr::While(looped) => {
                    self.visit_expr_mut(&mut looped.cond);
                    self.inside_loop(&mut looped.body);
                }
                Expr::Loop(looped) => self.inside_loop(&mut looped.body),
                Expr::Closure(_) => {}
                _ => visit_mut::visit_expr_mut(self, expr),
            }
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let mut finder = Finder { loops: 0, found: false };
    finder.visit_expr_mut(&mut body.clone());
    finder.found
}

/// The call that stands for a `match` whose parts have been rewritten.
pub(crate) fn call(choice: &ExprMatch, patterns: &Patterns) -> Expr {
    let span = choice.match_token.span();
    let (scrutinee, name) = (&choice.expr, Ident::new("choice", Span::mixed_site()));
    let pats: Vec<_> = choice.arms.iter().map(|arm| &arm.pat).collect();
    let bodies: Vec<_> = choice.arms.iter().map(|arm| &arm.body).collect();
    let numbers = 0..pats.len();
    let arm_of = quote! {
        |#name| {
            #[allow(unreachable_patterns)]
            let arm = match #name {
                #(#pats => #numbers,)*
                // What is missing is told once, of the `match` that follows.
                _ => usize::MAX,
            };
            arm
        }
    };
    let run = quote_spanned!(choice.span()=> |#name| match #name { #(#pats => #bodies,)* });
    let call: TokenStream = match patterns {
        Patterns::Variants => quote_spanned!(span=> (#scrutinee).hw_match(#arm_of, #run)),
        Patterns::Numbers(numbers) => {
            quote_spanned!(span=> (#scrutinee).hw_match_numbers(&[#(#numbers),*], #arm_of, #run))
        }
    };
    parse_quote!({
        use ::tmu_hdl::kernel::{MatchEnum as _, MatchNumbers as _, MatchOther as _};
        #call
    })
}
