//! What nets and registers are to rust-hdl: its `Atom`, and beside it what that has no place for.

use crate::crossing::Declared;
use crate::diagnostic::Source;
use crate::register::RegisterDetails;
use std::cell::RefCell;

/// What rust-hdl's `Atom` has no place for; laid beside each visit of an atom of this crate.
#[derive(Clone, Debug)]
pub(crate) struct AtomDetails {
    /// Where the net was made.
    pub(crate) source: Source,
    /// Verilog attributes, `keep = "true"`.
    pub(crate) attributes: Vec<String>,
    /// What is declared about crossings.
    pub(crate) declared: Declared,
    /// Set for registers.
    pub(crate) register: Option<RegisterDetails>,
}

thread_local! {
    static DETAILS: RefCell<Option<AtomDetails>> = const { RefCell::new(None) };
}

/// Takes the details of the atom being visited; rust-hdl's own signals have none.
pub(crate) fn take_details() -> Option<AtomDetails> {
    DETAILS.take()
}
/// Lays the details of an atom beside the visit that follows.
pub(crate) fn lay_details(details: AtomDetails) {
    DETAILS.set(Some(details));
}

/// The parts of `Atom` that do not depend on the kind of net.
macro_rules! atom {
    ($type:ty, [$($generics:tt)*], $value:ident, $kind:expr, $connected:expr) => {
        impl<$($generics)*> rust_hdl_core::prelude::Atom for $type {
            fn bits(&self) -> usize {
                self.$value.width()
            }
            fn connected(&self) -> bool {
                let connected: fn(&Self) -> bool = $connected;
                connected(self)
            }
            fn changed(&self) -> bool {
                self.changed
            }
            fn kind(&self) -> AtomKind {
                $kind
            }
            fn descriptor(&self) -> TypeDescriptor {
                let width = self.$value.width();
                TypeDescriptor { name: format!("Bits::<{width}>"), kind: TypeKind::Bits(width) }
            }
            fn vcd(&self) -> VCDValue {
                VCDValue::String(format!("{:x}", self.$value))
            }
            fn id(&self) -> usize {
                self.id
            }
            fn verilog(&self) -> VerilogLiteral {
                self.$value.low_u128().into()
            }
            fn constraints(&self) -> Vec<PinConstraint> {
                vec![]
            }
        }
    };
}
pub(crate) use atom;
