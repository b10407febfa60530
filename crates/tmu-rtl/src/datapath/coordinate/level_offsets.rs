//! The ROMs of level offsets, read beside `coordinate`: for both sides of a texture and a level, where the level starts.
//!
//! Latency 2 clocks, initiation interval 1. Two block RAMs of 4096 x 9.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Contents, Rom};
use tmu_hdl::value::Value;
use tmu_spec::level_offset;

/// The lower and the upper half of the table.
pub(crate) fn roms() -> [Rom; 2] {
    let rom = |name: &str, half: &mut dyn Iterator<Item = u16>| {
        let words = half.map(|word| Value::from_u128(level_offset::HALF_BITS as usize, u128::from(word)));
        Rom::new(Contents::in_file(name, words.collect()), true)
    };
    [
        rom("level_offset_low", &mut level_offset::lower_half()),
        rom("level_offset_high", &mut level_offset::upper_half()),
    ]
}

/// Reads an entry: both sides and the level.
#[kernel]
pub(crate) fn read(roms: [&Rom; 2], clocks: &Clocks, advance: Bits, entry: Bits) {
    for rom in roms {
        rom.clocks.follow(clocks);
        rom.read_enable.next = advance;
        rom.read_address.next = entry;
        if let Some(enable) = rom.output_enable.as_ref() {
            enable.next = advance;
        }
    }
}
