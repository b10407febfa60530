//! `along`: the coordinates of an axis: lanes, where each pixel is, and where pixels come one behind the other edges.

use super::lane::Lane;
use super::shapes::Parts;
use crate::datapath::general::words::{EDGE_BITS, PIXELS, PLACE_BITS};
use tmu_hdl::prelude::*;

/// An axis.
#[derive(Bundle)]
pub(super) struct Along {
    pub(super) lane: Lane,
    /// Of the other pixels, where they go side by side.
    pub(super) others: Vec<Lane>,
    /// Where each pixel is.
    pub(super) own: Vec<Reg>,
    /// Where each pixel is for the edges, where that may differ and they go side by side.
    pub(super) seen: Vec<Reg>,
    pub(super) edges: Optional<Edges>,
}

/// Edges along an axis, where pixels come one behind the other.
#[derive(Bundle)]
pub(super) struct Edges {
    /// The coordinate that came last.
    last: Reg,
    /// The one before it.
    before: Reg,
    pub(super) row: Reg,
    pub(super) column: Reg,
}

impl Along {
    pub(super) fn new(
        clocks: &Clocks,
        parts: Parts,
        is_divided: bool,
        [has_edges, has_extra]: [bool; 2],
    ) -> Along {
        let place = || Reg::new(clocks, PLACE_BITS);
        let edge = || Reg::new(clocks, EDGE_BITS);
        Along {
            lane: Lane::new(parts, is_divided),
            others: (0..parts.others()).map(|_| Lane::new(parts.followers(), is_divided)).collect(),
            own: Reg::array(PIXELS, clocks, PLACE_BITS),
            seen: Reg::array(if has_extra { PIXELS } else { 0 }, clocks, PLACE_BITS),
            edges: Optional::new(has_edges && !parts.wide, || Edges {
                last: place(),
                before: place(),
                row: edge(),
                column: edge(),
            }),
        }
    }

    /// The lanes, that of the first pixel first.
    pub(super) fn lanes(&self) -> impl Iterator<Item = &Lane> {
        std::iter::once(&self.lane).chain(&self.others)
    }
}

/// Where a coordinate goes, and what it is an end of.
#[kernel]
pub(super) fn place(along: &Along, advance: Bits) {
    /// # Places
    let lane = &along.lane;
    let (mark, value) = (lane.arrival.val().mark, lane.value.val());
    let comes = lane.out_valid.val() && advance;
    if !along.others.is_empty() {
        for (number, lane) in along.lanes().enumerate() {
            if comes && !mark.is_extra {
                along.own[number].next = lane.value.val();
            }
            if let Some(seen) = along.seen.get(number) {
                if comes {
                    seen.next = lane.value.val();
                }
            }
        }
        return;
    }
    for (number, own) in along.own.iter().enumerate() {
        if comes && !mark.is_extra && mark.pixel == number as u64 {
            own.next = value;
        }
    }
    let Some(edges) = along.edges.as_ref() else { return };
    let less = |other: &Reg| value.sign_extend(EDGE_BITS) - other.val().sign_extend(EDGE_BITS);
    if comes {
        edges.last.next = value;
        edges.before.next = edges.last.val();
    }
    if comes && mark.to_row {
        edges.row.next = less(&edges.last);
    }
    if comes && mark.to_column {
        edges.column.next = less(&edges.before);
    }
}
