//! stub

use super::words::{EDGE_BITS, PLACE_BITS, Place, ProjectedItem, RequestItem};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// stub
#[derive(LogicBlock)]
pub struct Projection {
    /// Clock and reset.
    pub clocks: Clocks,
    /// in
    pub input: StreamIn,
    /// out
    pub output: StreamOut,
    full: Reg,
    item: Reg,
    _config: Config,
}

impl Projection {
    /// stub
    pub fn new(config: &Config) -> Projection {
        let clocks = Clocks::new();
        Projection {
            input: StreamIn::new(RequestItem::of(config).width()),
            output: StreamOut::new(ProjectedItem::of(config).width()),
            full: Reg::with_reset(&clocks, 1, 0),
            item: Reg::new(&clocks, ProjectedItem::of(config).width()),
            clocks,
            _config: config.clone(),
        }
    }
}

#[kernel]
impl Projection {
    fn logic(&self) {
        timing(1, 1);
        let free = !self.full.val() || self.output.ready.val();
        self.input.ready.next = free;
        let item = RequestItem::of(&self._config).unpack(self.input.data.val());
        let place =
            |pixel: usize| [item.pixels[pixel].u, item.pixels[pixel].v].map(|c| cat(&[c, lit(4, 0u32)]));
        let valid = item.marks.valid;
        let wide = |c: Bits| c.sign_extend(EDGE_BITS);
        let edge = |is_far: Bits, far: [usize; 2], near: [usize; 2]| {
            let of = |axis: usize| {
                let a = wide(place(far[0])[axis]) - wide(place(far[1])[axis]);
                let b = wide(place(near[0])[axis]) - wide(place(near[1])[axis]);
                if is_far { a } else { b }
            };
            [of(0), of(1)]
        };
        let projected = ProjectedItem {
            head: item.head.clone(),
            marks: item.marks.clone(),
            places: [0, 1, 2, 3].map(|pixel: usize| {
                let [u, v] = place(pixel);
                let u = if pixel == 0 {
                    (if item.head.is_binding { item.pixels[0].u.zero_extend(PLACE_BITS) } else { u })
                } else {
                    u
                };
                Place { u, v, slice: lit(1, 0u32) }
            }),
            edges: [
                edge(valid.bit(2) && valid.bit(3), [3, 2], [1, 0]),
                edge(valid.bit(1) && valid.bit(3), [3, 1], [2, 0]),
            ],
            is_behind: lit(1, 0u32),
        };
        if free {
            self.full.next = self.input.valid.val();
            self.item.next = ProjectedItem::of(&self._config).pack(&projected);
        }
        self.output.valid.next = self.full.val();
        self.output.data.next = self.item.val();
    }
}
