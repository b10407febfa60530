//! What nets and registers are to rust-hdl: its `Atom`, and beside it what that has no place for.

use crate::clock::Level;
use crate::crossing::Declared;
use crate::diagnostic::Source;
use crate::enums::Names;
use crate::register::RegisterDetails;
use crate::simulate::store::Wire;
use crate::value::Value;
use std::cell::RefCell;
use std::sync::Arc;

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
    /// The width that was asked for, where no net can have it.
    pub(crate) refused_width: Option<usize>,
    /// What registers see of it, where it is a clock or a reset.
    pub(crate) level: Option<Arc<Level>>,
    /// What its width is called.
    pub(crate) width_name: Option<&'static str>,
    /// What its codes are called.
    pub(crate) code_names: Option<Names>,
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

thread_local! {
    static ATTACHED: RefCell<Option<Attached>> = const { RefCell::new(None) };
}

/// What a visitor leaves for the net that it visits.
#[derive(Debug)]
// One of them exists at a time.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Attached {
    /// A place among simulated values.
    Wire(Wire),
    /// A value to be driven.
    Drive(Value),
}

/// Lays something beside the visit of the net that takes it.
pub(crate) fn attach(attached: Attached) {
    ATTACHED.set(Some(attached));
}

/// Takes what the visit that has just been left behind.
pub(crate) fn take_attached() -> Option<Attached> {
    ATTACHED.take()
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
