//! `#[derive(Record)]`: a struct of named parts, whatever stands in their places.

use crate::doc_lines;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields, GenericArgument, GenericParam, Ident, PathArguments, Type};

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(input, "a record is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(syn::Error::new_spanned(input, "the fields of a record have names"));
    };
    let parameter = parameter(input)?;
    let mut maps = vec![];
    let mut zips = vec![];
    let (mut names, mut texts) = (vec![], vec![]);
    for field in &fields.named {
        let Some(name) = &field.ident else { continue };
        let text = name.to_string();
        let docs = doc_lines(&field.attrs).join(" ");
        let at = quote!(let at = &at.field(#text, #docs););
        let map = place(&field.ty, parameter, &quote!(&self.#name), None)?;
        let zip = place(&field.ty, parameter, &quote!(&self.#name), Some(&quote!(&other.#name)))?;
        maps.push(quote!(#name: { #at #map }));
        zips.push(quote!(#name: { #at #zip }));
        names.push(name);
        texts.push(text);
    }
    let record = quote!(::tmu_hdl::records);
    let core = quote!(::tmu_hdl::rust_hdl::core::prelude);
    let bits = quote!(::tmu_hdl::bits::Bits);
    let this = &input.ident;
    Ok(quote! {
        impl<__T> #record::Record for #this<__T> {
            type Item = __T;
            type Of<__U> = #this<__U>;
            fn map<__U>(
                &self,
                at: &#record::Part,
                f: &mut dyn FnMut(&#record::Part, &__T) -> __U,
            ) -> #this<__U> {
                #this { #(#maps),* }
            }
            fn zip<__U, __V>(
                &self,
                other: &#this<__U>,
                at: &#record::Part,
                f: &mut dyn FnMut(&#record::Part, &__T, &__U) -> __V,
            ) -> #this<__V> {
                #this { #(#zips),* }
            }
        }
        impl #record::Word for #this<#bits> {
            fn map_parts(
                &self,
                at: &#record::Part,
                f: &mut dyn FnMut(&#record::Part, #bits) -> #bits,
            ) -> Self {
                #record::Record::map(self, at, &mut |at, value| f(at, *value))
            }
        }
        impl ::tmu_hdl::kernel::Mux for #this<#bits> {
            #[track_caller]
            fn mux(condition: #bits, then: Self, otherwise: Self) -> Self {
                #record::choose(condition, &then, &otherwise)
            }
            fn chosen(self) -> Self {
                #record::chosen(&self)
            }
        }
        impl ::tmu_hdl::kernel::HwEq<#this<#bits>> for #this<#bits> {
            type Output = #bits;
            #[track_caller]
            fn hw_eq(self, other: Self) -> #bits {
                #record::equal(&self, &other)
            }
            #[track_caller]
            fn hw_ne(self, other: Self) -> #bits {
                !#record::equal(&self, &other)
            }
        }
        impl ::tmu_hdl::kernel::NameBits for #this<#bits> {
            fn name_value(&self, name: &str) {
                #record::name_parts(self, name);
            }
        }
        impl<__T: #core::Block> #core::Logic for #this<__T> {
            fn update(&mut self) {}
        }
        impl<__T: #core::Block> #core::Block for #this<__T> {
            fn connect_all(&mut self) {}
            fn update_all(&mut self) {
                #(self.#names.update_all();)*
            }
            fn has_changed(&self) -> bool {
                #(self.#names.has_changed())||*
            }
            fn accept(&self, name: &str, probe: &mut dyn #core::Probe) {
                probe.visit_start_namespace(name, self);
                #(self.#names.accept(#texts, probe);)*
                probe.visit_end_namespace(name, self);
            }
        }
    })
}

/// The one type parameter of a record.
fn parameter(input: &DeriveInput) -> syn::Result<&Ident> {
    let mut parameters = input.generics.params.iter();
    match (parameters.next(), parameters.next()) {
        (Some(GenericParam::Type(parameter)), None) => Ok(&parameter.ident),
        _ => Err(syn::Error::new_spanned(
            &input.ident,
            "a record has one parameter, for what stands in its places: `struct Slot<T = Bits>`",
        )),
    }
}

/// The expression that maps what `value` refers to, or zips it with what `other` refers to. Uses `at` and `f`.
fn place(
    ty: &Type,
    parameter: &Ident,
    value: &TokenStream,
    other: Option<&TokenStream>,
) -> syn::Result<TokenStream> {
    if is_parameter(ty, parameter) {
        return Ok(match other {
            None => quote!(f(at, #value)),
            Some(other) => quote!(f(at, #value, #other)),
        });
    }
    let (item, other_item, index) =
        (format_ident!("item"), format_ident!("other_item"), format_ident!("index"));
    let inner = |ty: &Type| {
        let other = other.map(|_| quote!(#other_item));
        place(ty, parameter, &quote!(#item), other.as_ref())
    };
    let same_length = other.map(|other| {
        quote! {
            assert_eq!((#value).len(), (#other).len(), "arrays of two records called `{}`", at.name());
        }
    });
    let take_other = other.map(|other| quote!(let #other_item = &(#other)[#index];));
    if let Type::Array(array) = ty {
        let inner = inner(&array.elem)?;
        return Ok(quote! {
            ::std::array::from_fn(|#index| {
                let at = &at.index(#index);
                let #item = &(#value)[#index];
                #take_other
                #inner
            })
        });
    }
    if let Some(element) = vec_element(ty) {
        let inner = inner(element)?;
        return Ok(quote! {{
            #same_length
            (#value).iter().enumerate().map(|(#index, #item)| {
                let at = &at.index(#index);
                #take_other
                #inner
            }).collect::<::std::vec::Vec<_>>()
        }});
    }
    if !mentions(ty, parameter) {
        return Err(syn::Error::new_spanned(
            ty,
            format!(
                "a part is `{parameter}`, a record of `{parameter}`, an `Enum<_, {parameter}>`, or a `Vec` or an \
                 array of one of them"
            ),
        ));
    }
    Ok(match other {
        None => quote!(::tmu_hdl::records::Record::map(#value, at, f)),
        Some(other) => quote!(::tmu_hdl::records::Record::zip(#value, #other, at, f)),
    })
}

fn is_parameter(ty: &Type, parameter: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(parameter))
}

fn arguments(ty: &Type) -> Option<(&Ident, Vec<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some((&segment.ident, types.collect()))
}

fn vec_element(ty: &Type) -> Option<&Type> {
    let (name, types) = arguments(ty)?;
    (name == "Vec" && types.len() == 1).then(|| types[0])
}

/// Whether the type is a record of the parameter, or an enum in its place.
fn mentions(ty: &Type, parameter: &Ident) -> bool {
    arguments(ty).is_some_and(|(name, types)| match types.as_slice() {
        [place] => is_parameter(place, parameter),
        [_, place] => name == "Enum" && is_parameter(place, parameter),
        _ => false,
    })
}
