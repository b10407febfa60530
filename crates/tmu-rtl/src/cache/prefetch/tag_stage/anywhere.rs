//! The tags of a bank of a fully associative cache. Part of `tag_stage`.

use super::super::tile_search::{LATENCY, TileSearch};
use super::super::words::AGE_BITS;
use super::{TagStage, UNSETTLED_STEPS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_spec::Config;

/// What a bank has whose tiles may stand in any place.
#[derive(Bundle)]
pub(super) struct Anywhere {
    search: TileSearch,
    /// The item that last looked into each place: its texels may still be needed.
    place_readers: DistributedRam,
}

impl Anywhere {
    pub(super) fn new(config: &Config) -> Anywhere {
        Anywhere {
            search: TileSearch::new(config),
            place_readers: DistributedRam::new(config.cache().ways() as usize, AGE_BITS),
        }
    }

    /// One bit: a tile of an item that leaves is missing.
    pub(super) fn miss(&self) -> Bits {
        self.search.miss.val()
    }

    /// Where its tile stands.
    pub(super) fn place(&self) -> Bits {
        self.search.place.val()
    }

    /// The item that last looked into this place.
    pub(super) fn last_reader(&self) -> Bits {
        self.place_readers.read_data.val()
    }
}

/// Looks a bank's tile up.
#[kernel]
pub(super) fn look_up(of: &TagStage, number: usize, bank: &Anywhere) {
    let Anywhere { search, place_readers } = bank;
    let own = &of.bank[number];
    search.clocks.follow(&of.clocks);
    search.needed.next = stack((2..LATENCY + 1).map(|age| own.needed.after(age)));
    for (key, age) in search.keys.iter().zip(1..) {
        key.next = of.key(age, own.lines.after(age));
    }
    search.clear.next = of.clearing.val();
    place_readers.clocks.follow(&of.clocks);
    place_readers.write_enable.next = own.needed.last() || of.clearing.val();
    place_readers.write_address.next =
        if of.clearing.val() { of.clear_set.val() } else { search.place.val() };
    place_readers.write_data.next = of.number.val();
    place_readers.read_address.next = search.place.val();
}

const _: () = assert!(LATENCY == UNSETTLED_STEPS);
