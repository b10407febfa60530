//! Design checks, one file per rule. Each takes a design and says what breaks its rule.

mod attribute;
mod bit_loop;
pub(crate) mod clock_crossing;
pub(crate) mod combinational_loop;
mod doubly_driven;
mod latch;
mod name_collision;
mod primitive;
mod reach;
mod unconnected;
mod unused;

use crate::design::Design;
use crate::diagnostic::Problem;

/// Applies every rule. Width rules are kept while kernels are recorded and need no check here.
pub fn all(design: &Design) -> Vec<Problem> {
    let reach = reach::check(design);
    if !reach.is_empty() {
        // The other rules follow nets through ports and would only repeat the mistake.
        return reach;
    }
    let rules = [
        unconnected::check,
        doubly_driven::check,
        latch::check,
        combinational_loop::check,
        clock_crossing::check,
        name_collision::check,
        primitive::check,
        attribute::check,
        crate::property::check,
        unused::check,
    ];
    rules.iter().flat_map(|rule| rule(design)).collect()
}
