//! `#[derive(Stages)]`: the stages of a pipe, in their order.

use crate::snake_case;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields};

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(input, "the stages of a pipe are an enum"));
    };
    if let Some(variant) = data.variants.iter().find(|v| !matches!(v.fields, Fields::Unit)) {
        return Err(syn::Error::new_spanned(variant, "a stage has a name and nothing else"));
    }
    let this = &input.ident;
    let variants: Vec<_> = data.variants.iter().map(|v| &v.ident).collect();
    let names: Vec<_> = variants.iter().map(|v| snake_case(&v.to_string())).collect();
    Ok(quote! {
        impl ::tmu_hdl::pipe::Stages for #this {
            const ALL: &'static [#this] = &[#(#this::#variants),*];
            fn name(self) -> &'static str {
                match self {
                    #(#this::#variants => #names),*
                }
            }
        }
    })
}
