//! What waits beside a pipeline.

use tmu_hdl::prelude::*;

/// Registers in a row that move on together: values wait here while others are worked on beside them.
#[derive(Debug, Bundle)]
pub struct Delay {
    places: Vec<Reg>,
}

impl Delay {
    /// So many clocks of `width` bits. With a reset, since tools put rows without one into LUTs, of which there are fewer.
    pub fn new(clocks: &Clocks, steps: usize, width: usize) -> Delay {
        Delay { places: (0..steps).map(|_| Reg::with_reset(clocks, width, 0)).collect() }
    }

    /// For a flag that starts low.
    pub fn flag(clocks: &Clocks, steps: usize) -> Delay {
        Delay::new(clocks, steps, 1)
    }

    /// Takes a value in, where `moves`.
    pub fn take(&self, value: Bits, moves: Bits) {
        shift(&self.places, value, moves);
    }

    /// The value that came `steps` steps ago, at least 1.
    pub fn after(&self, steps: usize) -> Bits {
        self.places[steps - 1].val()
    }

    /// The value that came as many steps ago as there are.
    pub fn last(&self) -> Bits {
        self.after(self.places.len())
    }
}

/// Takes a value in, where `moves`.
#[kernel]
fn shift(places: &[Reg], value: Bits, moves: Bits) {
    if moves {
        for place in 0..places.len() {
            let before = place.wrapping_sub(1);
            places[place].next = if place == 0 { value } else { places[before].val() };
        }
    }
}
