//! The kernel attribute and the bundle derive of `tmu-hdl`; see `tmu_hdl::kernel` for the language.

mod bundle;
mod choice;
mod forms;
mod hardware_enum;
mod record;
mod rewrite;
mod scopes;
mod stages;

use proc_macro::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ImplItem, Item, ItemImpl, Lit, Meta, Type, parse_macro_input};

/// Turns Rust into hardware.
///
/// On an `impl` block: rewrites every function in it and implements rust-hdl's `Logic`, whose kernel is
/// `fn logic(&self)`. A function `fn module_name(&self) -> String` in the block names the module; otherwise it
/// is the type's name in snake case. The doc comment of the `impl` block stands above the module.
///
/// On a function: rewrites it, so that kernels can call it.
#[proc_macro_attribute]
pub fn kernel(_: TokenStream, input: TokenStream) -> TokenStream {
    match parse_macro_input!(input as Item) {
        Item::Impl(item) => kernel_impl(item).unwrap_or_else(|e| e.to_compile_error()).into(),
        Item::Fn(mut item) => {
            rewrite::function(&item.sig, &mut item.block);
            quote!(#item).into()
        }
        other => syn::Error::new_spanned(other, "#[kernel] goes on an impl block or on a function")
            .to_compile_error()
            .into(),
    }
}

/// Makes a struct of nets a part of a block whose names start with the name of the field that holds it.
#[proc_macro_derive(Bundle)]
pub fn bundle(input: TokenStream) -> TokenStream {
    bundle::derive(&parse_macro_input!(input as syn::DeriveInput))
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

/// Makes a struct with a parameter for what stands in its places a record; see `tmu_hdl::records`.
#[proc_macro_derive(Record)]
pub fn record(input: TokenStream) -> TokenStream {
    record::derive(&parse_macro_input!(input as syn::DeriveInput))
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

/// Makes an enum the stages of a pipe, in the order of its variants; see `tmu_hdl::pipe`.
#[proc_macro_derive(Stages)]
pub fn stages(input: TokenStream) -> TokenStream {
    stages::derive(&parse_macro_input!(input as syn::DeriveInput))
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

/// Gives the variants of an enum codes, so that its values can stand in nets, registers and records and be matched in
/// kernels; see `tmu_hdl::enums`.
#[proc_macro_derive(HardwareEnum, attributes(hardware_enum))]
pub fn hardware_enum(input: TokenStream) -> TokenStream {
    hardware_enum::derive(&parse_macro_input!(input as syn::DeriveInput))
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

fn kernel_impl(mut item: ItemImpl) -> syn::Result<proc_macro2::TokenStream> {
    let mut names = vec![];
    for member in &mut item.items {
        if let ImplItem::Fn(function) = member {
            names.push(function.sig.ident.to_string());
            rewrite::function(&function.sig, &mut function.block);
        }
    }
    if !names.iter().any(|n| n == "logic") {
        return Err(syn::Error::new_spanned(&item.self_ty, "a kernel has a function `fn logic(&self)`"));
    }
    let module_name = if names.iter().any(|n| n == "module_name") {
        quote!(&self.module_name())
    } else {
        let name = snake_case(&type_name(&item.self_ty)?);
        quote!(#name)
    };
    let docs = doc_lines(&item.attrs).join("\n");
    let (generics, _, bounds) = item.generics.split_for_impl();
    let this = &item.self_ty;
    Ok(quote! {
        #item

        impl #generics ::tmu_hdl::rust_hdl::core::prelude::Logic for #this #bounds {
            fn update(&mut self) {
                self.logic();
            }
            fn hdl(&self) -> ::tmu_hdl::rust_hdl::core::prelude::Verilog {
                if ::tmu_hdl::is_recording() {
                    ::tmu_hdl::kernel::describe(#module_name, #docs);
                    self.logic();
                }
                ::tmu_hdl::rust_hdl::core::prelude::Verilog::Empty
            }
        }
    })
}

fn type_name(ty: &Type) -> syn::Result<String> {
    match ty {
        Type::Path(path) if !path.path.segments.is_empty() => {
            Ok(path.path.segments[path.path.segments.len() - 1].ident.to_string())
        }
        _ => Err(syn::Error::new_spanned(ty, "#[kernel] needs a named type")),
    }
}

fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// The lines of the doc comments among `attributes`, without the space that rustdoc also drops.
fn doc_lines(attributes: &[Attribute]) -> Vec<String> {
    let text = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let lines = attributes.iter().filter_map(text);
    lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_string()).collect()
}
