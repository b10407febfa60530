//! `#[derive(HardwareEnum)]`: an enum whose variants have codes.

use crate::snake_case;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Expr, Fields, Lit, Variant};

/// Variants up to which one bit each fits the numbers that codes are.
const MOST_ONE_HOT: usize = 64;

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(input, "codes are those of the variants of an enum"));
    };
    if !input.generics.params.is_empty() {
        return Err(syn::Error::new_spanned(&input.generics, "an enum of the hardware has no parameters"));
    }
    if data.variants.is_empty() {
        return Err(syn::Error::new_spanned(input, "an enum of the hardware has at least one variant"));
    }
    let one_hot = is_one_hot(input)?;
    let variants: Vec<&Variant> = data.variants.iter().collect();
    let mut codes = vec![];
    let mut next = 0;
    for variant in &variants {
        let code = code(variant, one_hot, next)?;
        next = code.wrapping_add(1);
        codes.push(if one_hot { 1u64 << codes.len().min(MOST_ONE_HOT - 1) } else { code });
    }
    if one_hot && variants.len() > MOST_ONE_HOT {
        return Err(syn::Error::new_spanned(input, "codes of one bit each are for up to 64 variants"));
    }
    let largest = codes.iter().copied().max().unwrap_or(0);
    let width = (u64::BITS - largest.leading_zeros()).max(1) as usize;
    let this = &input.ident;
    let names: Vec<_> = variants.iter().map(|v| &v.ident).collect();
    let prefix = snake_case(&this.to_string()).to_uppercase();
    let texts: Vec<_> =
        names.iter().map(|n| format!("{prefix}_{}", snake_case(&n.to_string()).to_uppercase())).collect();
    let module = quote!(::tmu_hdl::enums);
    let bits = quote!(::tmu_hdl::bits::Bits);
    let kernel = quote!(::tmu_hdl::kernel);
    Ok(quote! {
        impl #module::HardwareEnum for #this {
            const ALL: &'static [#this] = &[#(#this::#names),*];
            const NAMES: #module::Names = &[#((#codes, #texts)),*];
            const WIDTH_BITS: usize = #width;
            fn code(&self) -> u64 {
                match self {
                    #(#this::#names => #codes),*
                }
            }
            fn name(&self) -> &'static str {
                match self {
                    #(#this::#names => #texts),*
                }
            }
        }
        impl #kernel::HwEq<#module::Enum<#this>> for #this {
            type Output = #bits;
            #[track_caller]
            fn hw_eq(self, other: #module::Enum<#this>) -> #bits {
                #kernel::HwEq::hw_eq(other, self)
            }
            #[track_caller]
            fn hw_ne(self, other: #module::Enum<#this>) -> #bits {
                #kernel::HwEq::hw_ne(other, self)
            }
        }
        impl #kernel::HwEq<#this> for #this {
            type Output = bool;
            fn hw_eq(self, other: #this) -> bool {
                #module::HardwareEnum::code(&self) == #module::HardwareEnum::code(&other)
            }
            fn hw_ne(self, other: #this) -> bool {
                #module::HardwareEnum::code(&self) != #module::HardwareEnum::code(&other)
            }
        }
    })
}

/// Whether `#[hardware_enum(one_hot)]` stands above the enum.
fn is_one_hot(input: &DeriveInput) -> syn::Result<bool> {
    let mut one_hot = false;
    for attribute in input.attrs.iter().filter(|a| a.path().is_ident("hardware_enum")) {
        attribute.parse_nested_meta(|meta| {
            one_hot = meta.path.is_ident("one_hot");
            if one_hot { Ok(()) } else { Err(meta.error("`one_hot` is all there is to choose")) }
        })?;
    }
    Ok(one_hot)
}

/// The number of a variant, `next` where it says none.
fn code(variant: &Variant, one_hot: bool, next: u64) -> syn::Result<u64> {
    if !matches!(variant.fields, Fields::Unit) {
        return Err(syn::Error::new_spanned(
            variant,
            "a variant is a code and nothing else; lay fields beside it",
        ));
    }
    if !is_variant_name(&variant.ident.to_string()) {
        let message = "write the variant in camel case, `Idle`: a `match` in a kernel knows variants by it";
        return Err(syn::Error::new_spanned(variant, message));
    }
    let Some((_, number)) = &variant.discriminant else { return Ok(next) };
    if one_hot {
        return Err(syn::Error::new(number.span(), "codes of one bit each follow from the order"));
    }
    match number {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse(),
            _ => Err(syn::Error::new(number.span(), "a code is a number from 0 up")),
        },
        _ => Err(syn::Error::new(number.span(), "a code is a number from 0 up")),
    }
}

/// True for names that begin like a type's, and are none of a constant.
pub(crate) fn is_variant_name(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_uppercase());
    starts && (name.len() == 1 || name.contains(|c: char| c.is_ascii_lowercase()))
}
