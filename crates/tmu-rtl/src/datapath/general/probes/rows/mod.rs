//! `rows`: of each quad its probes, up to four a clock, a lane each. It stands in place of [`Probes`](super::Probes) in a unit of
//! several lanes.
//!
//! | parts of a pixel | lanes of a row | rows of a level |
//! | --- | --- | --- |
//! | 1 | one for each pixel | one |
//! | 2 | two for each of two pixels | one for each pair with a valid pixel |
//! | 4, 8, 16 | four parts of a pixel | a quarter of the parts, for each valid pixel |
//!
//! Rows are numbered by counters one inside the other: pixels, then fours of parts, then levels. So rows that come one behind the other
//! lie beside each other and look up the same tiles, while fours of a pixel's parts lie four texels apart. A
//! pair of pixels counts as its first one, and so does a quad whose pixels have one part. Where the lanes' parts lie is the work
//! of `places`.
//!
//! Contract: a lane without a probe has neither `out_valid` nor `is_valid`. A quad without valid pixels and one that failed have one
//! row, with a probe in the first lane that is not valid; a register of a binding is a row, with the register in all lanes. Either
//! ends everything. The row loads only while `advance` is set. There is no bubble between items.
//!
//! Cost: latency 2 clocks from an item to its first row, 3 with parts; initiation interval one row. An item and a row in registers;
//! with parts another row, and a LUT for each bit of a lane's place and for each of its sums. With everything about 1160 LUTs, of which
//! 570 choose places and 340 sum them; without parts about 120.

mod places;
mod words;

use super::{LevelCounter, PixelCounter, count_levels, first_of, level_is_last, pixels_of, step, weight};
use crate::datapath::general::axis::COORDINATE_BITS;
use crate::datapath::general::words::{
    LeveledItem, NUMBER_BITS, PIXELS, Place, Probe, general, has_parts, lanes,
};
use places::{Comes, Parts};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use words::{LANES, Lane, Row};

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ProbeRows {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A [`LeveledItem`].
    pub input: StreamIn,
    /// The row moves on at the next edge.
    pub advance: Net<In>,
    /// There is something in the lanes, a bit each.
    pub out_valid: Net<Out>,
    /// The probe of each lane.
    pub probe: Vec<Probe<Field<Out>>>,
    is_full: Reg,
    /// Without its differences.
    item: LeveledItem<FieldReg>,
    /// Its pixels that have probes.
    counted: Reg,
    levels: Optional<LevelCounter>,
    pixels: Optional<PixelCounter>,
    parts: Optional<Parts>,
    has_row: Reg,
    row: Row<FieldReg>,
    _config: Config,
}

impl ProbeRows {
    /// The stage for a configuration with four lanes.
    pub fn new(config: &Config) -> ProbeRows {
        assert_eq!(lanes(config), LANES, "rows have four lanes");
        let clocks = Clocks::new();
        let bit = || Reg::new(&clocks, 1);
        let no_delta = LeveledItem::of(config).deltas.map(|delta| delta.when(false));
        let has_parts = has_parts(config);
        ProbeRows {
            input: StreamIn::new(LeveledItem::of(config).width()),
            advance: Net::bit(),
            out_valid: Net::new(LANES),
            probe: (0..LANES).map(|_| Probe::of(config).nets()).collect(),
            is_full: Reg::with_reset(&clocks, 1, 0),
            item: LeveledItem { deltas: no_delta, ..LeveledItem::of(config) }.registers(&clocks),
            counted: Reg::new(&clocks, PIXELS),
            levels: Optional::new(general(config).trilinear, || LevelCounter {
                is_second: bit(),
                is_last: bit(),
            }),
            pixels: Optional::new(has_parts, || PixelCounter {
                pixel: Reg::new(&clocks, 2),
                is_valid: bit(),
                is_last: bit(),
                left: Reg::new(&clocks, PIXELS - 1),
            }),
            parts: Optional::new(has_parts, || Parts::new(&clocks, config)),
            has_row: Reg::with_reset(&clocks, LANES, 0),
            row: Row::of(config).registers(&clocks),
            clocks,
            _config: config.clone(),
        }
    }
}

/// Of each quad its rows, one a clock.
#[kernel]
impl ProbeRows {
    fn logic(&self) {
        timing(if self.parts.is_some() { 3 } else { 2 }, 1);
        /// # Items
        let advance = self.advance.val();
        let one = || lit(1, 1u32);
        let ends_part = self.parts.as_ref().map_or_else(one, places::is_last);
        let pixel_is_last = self.pixels.as_ref().map_or_else(one, |pixels| pixels.is_last.val());
        let ends_pixel = level_is_last(&self.levels) && ends_part;
        let ends_level = pixel_is_last && ends_part;
        let ends_quad = ends_pixel && ends_level;
        let is_free = !self.is_full.val() || (advance && ends_quad);
        let item = LeveledItem::of(&self._config).unpack(self.input.data.val());
        self.input.ready.next = is_free;
        let counted = pixels_of(&item);
        if is_free {
            self.is_full.next = self.input.valid.val();
            self.item.next = &item;
            self.counted.next = counted;
        }
        /// What comes next does not wait for whether anything moves.
        let moves = !self.is_full.val() || advance;
        let begins = !self.is_full.val() || ends_quad;
        count_levels(&self.levels, moves, begins, ends_level, item.fraction.any() && counted.any());
        if let Some(parts) = self.parts.as_ref() {
            let comes = places::comes(&item, counted.any());
            self.count_pixels(moves, [begins, pixel_is_last], &comes);
            places::keep(parts, is_free, &item, &comes);
            places::count(parts, moves && (begins || pixel_is_last), [begins, ends_part], &comes);
        }
        self.offer(ends_pixel, ends_quad);
    }

    /// Pixels are due of an item that begins, for other parts of the present one, or for the present ones.
    fn count_pixels(&self, moves: Bits, [begins, is_last]: [Bits; 2], comes: &Comes) {
        /// # Pixels
        let (Some(pixels), Some(parts)) = (self.pixels.as_ref(), self.parts.as_ref()) else { return };
        let all = first_of(parts.pixels.val());
        let left = first_of(cat(&[pixels.left.val(), lit(1, 0u32)]));
        let rest = if is_last { all } else { left };
        step(pixels, moves, if begins { comes.first.clone() } else { rest });
    }

    fn offer(&self, ends_pixel: Bits, ends_quad: Bits) {
        /// # Row
        let item = self.item.val();
        let is_second = self.levels.as_ref().map_or_else(|| lit(1, 0u32), |levels| levels.is_second.val());
        let lanes = match self.parts.as_ref() {
            Some(parts) => self.chosen_lanes(parts),
            None => (0..LANES).map(|lane| self.own_lane(lane)).collect(),
        };
        let has_row = self.has_row(&lanes);
        let row = Row {
            head: item.head.clone(),
            is_failed: item.is_failed,
            ends_pixel,
            ends_quad,
            spread: self.parts.as_ref().map_or_else(|| lit(2, 0u32), |parts| parts.spread.val()),
            valid: item.valid,
            look_up: item.look_up.clone(),
            is_linear: item.is_linear,
            level: item.level + is_second.zero_extend(item.level.width()),
            weight: weight(item.fraction, is_second),
            lanes,
        };
        let advance = self.advance.val();
        let (has_row, row) = match (self.parts.as_ref(), self.pixels.as_ref()) {
            (Some(parts), Some(pixels)) => {
                places::take(parts, &item, pixels.pixel.val(), [has_row, advance], row);
                places::placed(parts)
            }
            _ => (has_row, row),
        };
        if advance {
            self.has_row.next = has_row;
            self.row.next = row;
        }
        self.out_valid.next = self.has_row.val();
        let row = self.row.val();
        for (lane, probe) in self.probe.iter().enumerate() {
            probe.next = row.probe(lane);
        }
    }

    /// The lanes with something in them, a bit each: a register is in all of them, and the first one has a probe where no other has.
    fn has_row(&self, lanes: &[Lane]) -> Bits {
        let has_probes = match self.pixels.as_ref() {
            Some(pixels) => pixels.is_valid.val(),
            None => self.counted.val().any(),
        };
        let is_binding = self.item.val().head.is_binding;
        let has_row = |lane: usize| if lane == 0 { !has_probes } else { is_binding };
        let has_row = (0..LANES).map(|lane| (lanes[lane].is_valid || has_row(lane)) && self.is_full.val());
        stack(has_row)
    }

    /// A lane where each pixel has its own.
    fn own_lane(&self, lane: usize) -> Lane {
        let item = self.item.val();
        let Place { u, v, w, face, reference } = item.places[lane].clone();
        let data = if item.head.is_binding { item.places[0].u.low(NUMBER_BITS) } else { u.low(NUMBER_BITS) };
        let u = cat(&[u.high(u.width() - NUMBER_BITS), data]);
        Lane {
            pixel: lit(2, lane as u32),
            is_valid: self.counted.val().bit(lane),
            u: u.sign_extend(COORDINATE_BITS),
            v: v.sign_extend(COORDINATE_BITS),
            w,
            face,
            reference,
        }
    }

    /// The lanes where pixels may have several; `u` and `v` come later.
    fn chosen_lanes(&self, parts: &Parts) -> Vec<Lane> {
        let item = self.item.val();
        let pixel = self.pixels.as_ref().map_or_else(|| lit(2, 0u32), |pixels| pixels.pixel.val());
        let later = || lit(COORDINATE_BITS, 0u32);
        let lane = |pixel: Bits| {
            let Place { w, face, reference, .. } = places::place_of(&item, pixel);
            let is_valid = self.counted.val().at(pixel);
            Lane { pixel, is_valid, u: later(), v: later(), w, face, reference }
        };
        places::pixels(parts.spread.val(), pixel).into_iter().map(lane).collect()
    }
}
