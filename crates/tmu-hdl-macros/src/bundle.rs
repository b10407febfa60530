//! `#[derive(Bundle)]`: a struct of nets as one field of a block.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields};

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(input, "a bundle is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(syn::Error::new_spanned(input, "the fields of a bundle have names"));
    };
    let names: Vec<_> = fields.named.iter().filter_map(|f| f.ident.as_ref()).collect();
    let texts: Vec<_> = names.iter().map(|n| n.to_string()).collect();
    let this = &input.ident;
    let (generics, types, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        impl #generics ::tmu_hdl::rust_hdl::core::prelude::Logic for #this #types #bounds {
            fn update(&mut self) {}
        }
        impl #generics ::tmu_hdl::rust_hdl::core::prelude::Block for #this #types #bounds {
            fn connect_all(&mut self) {}
            fn update_all(&mut self) {
                #(self.#names.update_all();)*
            }
            fn has_changed(&self) -> bool {
                #(self.#names.has_changed())||*
            }
            fn accept(&self, name: &str, probe: &mut dyn ::tmu_hdl::rust_hdl::core::prelude::Probe) {
                probe.visit_start_namespace(name, self);
                ::tmu_hdl::bundle::Parts::accept_parts(self, probe);
                probe.visit_end_namespace(name, self);
            }
        }
        impl #generics ::tmu_hdl::bundle::Parts for #this #types #bounds {
            fn accept_parts(&self, probe: &mut dyn ::tmu_hdl::rust_hdl::core::prelude::Probe) {
                use ::tmu_hdl::rust_hdl::core::prelude::Block;
                #(self.#names.accept(#texts, probe);)*
            }
        }
    })
}
