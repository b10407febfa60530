//! `probes`: of each quad its probes, one a clock: each valid pixel has one of its level, and one of the next smaller level where
//! that has weight; of a long footprint one of each of its parts, in each level.
//!
//! All pixels of a level come behind each other: neighbours look up the same tiles, which costs the tags nothing, while tiles of two
//! levels in turn would wait for each other. So do all parts of a pixel: they lie about a texel apart, and pixels as many texels as
//! there are parts. Probes are numbered by counters, one inside the other: parts, then pixels, then levels. The innermost
//! one steps with every probe, each of the others where all inside it are at their last number; a quad ends where all are. Where
//! a part lies is the work of `parts`.
//!
//! Contract: a quad without valid pixels, one that failed and a register of a binding have one probe, which ends everything and
//! is not valid. The probe loads only while `advance` is set. There is no bubble between items. A unit of several lanes has
//! [`rows`] instead.
//!
//! Cost: latency 2 clocks from an item to its first probe, 3 with parts; initiation interval one probe. An item and a probe in
//! registers, and about 110 LUTs, of which 75 choose a place.

mod parts;
pub mod rows;

use super::axis::COORDINATE_BITS;
use super::words::{
    FRACTION_BITS, LeveledItem, PIXELS, PROBE_WEIGHT_BITS, Probe, SPREAD_BITS, general, has_parts,
};
use parts::Parts;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of a probe's weight below those of its level.
const WEIGHT_SHIFT: usize = PROBE_WEIGHT_BITS - 1 - FRACTION_BITS;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Probes {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A [`LeveledItem`].
    pub input: StreamIn,
    /// The probe moves on at the next edge.
    pub advance: Net<In>,
    /// There is something in the probe.
    pub out_valid: Net<Out>,
    /// The probe.
    pub probe: Probe<Field<Out>>,
    is_full: Reg,
    item: LeveledItem<FieldReg>,
    pixels: PixelCounter,
    levels: Optional<LevelCounter>,
    parts: Optional<Parts>,
    has_probe: Reg,
    next_probe: Probe<FieldReg>,
    _config: Config,
}

/// The pixels that have a probe.
#[derive(Bundle)]
struct PixelCounter {
    /// The present one.
    pixel: Reg,
    /// It counts.
    is_valid: Reg,
    /// It is the last one.
    is_last: Reg,
    /// Those behind it, a bit each but for the first pixel, which is never behind one.
    left: Reg,
}

/// The levels that have a probe.
#[derive(Bundle)]
struct LevelCounter {
    /// The present one is the smaller one.
    is_second: Reg,
    /// The other one has no weight, or has been.
    is_last: Reg,
}

impl Probes {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Probes {
        let clocks = Clocks::new();
        let bit = || Reg::new(&clocks, 1);
        Probes {
            input: StreamIn::new(LeveledItem::of(config).width()),
            advance: Net::bit(),
            out_valid: Net::bit(),
            probe: Probe::of(config).nets(),
            is_full: Reg::with_reset(&clocks, 1, 0),
            item: LeveledItem::of(config).registers(&clocks),
            pixels: PixelCounter {
                pixel: Reg::new(&clocks, 2),
                is_valid: bit(),
                is_last: bit(),
                left: Reg::new(&clocks, PIXELS - 1),
            },
            levels: Optional::new(general(config).trilinear, || LevelCounter {
                is_second: bit(),
                is_last: bit(),
            }),
            parts: Optional::new(has_parts(config), || Parts::new(&clocks, config)),
            has_probe: Reg::with_reset(&clocks, 1, 0),
            next_probe: Probe::of(config).registers(&clocks),
            _config: config.clone(),
            clocks,
        }
    }
}

/// A pixel, see [`PixelCounter`].
#[derive(Clone, Debug, Record)]
struct Next<T = Bits> {
    pixel: T,
    is_valid: T,
    left: T,
    is_last: T,
}

/// The first pixel of those that are due. A binding's register stands in the first place.
#[kernel]
fn first_of(due: Bits) -> Next {
    let bit = |pixel: usize| due.bit(pixel);
    let (upper, first_three) = (bit(0) || bit(1), bit(0) || bit(1) || bit(2));
    Next {
        pixel: cat(&[!upper && (bit(2) || bit(3)), !bit(0) && (bit(1) || (!bit(2) && bit(3)))]),
        is_valid: due.any(),
        left: cat(&[first_three && bit(3), upper && bit(2), bit(0) && bit(1)]),
        is_last: !((bit(0) && bit(1)) || (upper && bit(2)) || (first_three && bit(3))),
    }
}

/// That pixel, or none if there is none.
#[kernel]
fn first_if(has_probes: Bits, of: Next) -> Next {
    Next {
        pixel: of.pixel & has_probes.repeat(of.pixel.width()),
        is_valid: of.is_valid && has_probes,
        left: of.left & has_probes.repeat(of.left.width()),
        is_last: of.is_last || !has_probes,
    }
}

/// The pixels that have probes, a bit each.
#[kernel]
fn pixels_of(item: &LeveledItem) -> Bits {
    let has_probes = !item.head.is_binding && !item.is_failed;
    item.valid & has_probes.repeat(PIXELS)
}

/// One bit: the present level is the pixel's last one.
#[kernel]
fn level_is_last(levels: &Optional<LevelCounter>) -> Bits {
    match levels.as_ref() {
        Some(levels) => levels.is_last.val(),
        None => lit(1, 1u32),
    }
}

#[kernel]
fn count_levels(
    levels: &Optional<LevelCounter>,
    moves: Bits,
    begins: Bits,
    ends_level: Bits,
    has_second: Bits,
) {
    /// # Levels
    let Some(levels) = levels.as_ref() else { return };
    if moves {
        levels.is_second.next = !begins && (levels.is_second.val() || ends_level);
        levels.is_last.next = if begins { !has_second } else { levels.is_last.val() || ends_level };
    }
}

#[kernel]
fn step(pixels: &PixelCounter, moves: Bits, next: Next) {
    if moves {
        pixels.pixel.next = next.pixel;
        pixels.is_valid.next = next.is_valid;
        pixels.left.next = next.left;
        pixels.is_last.next = next.is_last;
    }
}

/// Of each quad its probes, one a clock.
#[kernel]
impl Probes {
    fn logic(&self) {
        timing(if has_parts(&self._config) { 3 } else { 2 }, 1);
        /// # Items
        let advance = self.advance.val();
        let ends_part = self.part_is_last();
        let ends_pixel = level_is_last(&self.levels) && ends_part;
        let ends_level = self.pixels.is_last.val() && ends_part;
        let ends_quad = ends_pixel && ends_level;
        let is_free = !self.is_full.val() || (advance && ends_quad);
        let item = LeveledItem::of(&self._config).unpack(self.input.data.val());
        self.input.ready.next = is_free;
        let valid = pixels_of(&item);
        let kept = match self.parts.as_ref() {
            Some(_) => parts::kept(&item, valid.any()),
            None => item.clone(),
        };
        if is_free {
            self.is_full.next = self.input.valid.val();
            self.item.next = &kept;
        }
        /// What comes next does not wait for whether anything moves.
        let moves = !self.is_full.val() || advance;
        let begins = !self.is_full.val() || ends_quad;
        count_levels(&self.levels, moves, begins, ends_level, item.fraction.any() && valid.any());
        let again = match self.parts.as_ref() {
            // An item without probes never comes to another level.
            Some(_) => self.item.val().valid,
            None => pixels_of(&self.item.val()),
        };
        let begins_pixel = !self.is_full.val() || ends_part;
        self.count_pixels(moves && begins_pixel, [begins, ends_level], &item, [valid, again]);
        if let Some(parts) = self.parts.as_ref() {
            parts::count(
                parts,
                moves,
                &parts::Begins { item: begins, pixel: begins_pixel },
                item.parts_log2,
                valid.any(),
            );
        }
        self.offer(ends_pixel, ends_quad);
    }

    /// Pixels are due of an item that begins, of another level of the present one, or of the present level. With parts it is known
    /// later which.
    fn count_pixels(
        &self,
        moves: Bits,
        [begins, ends_level]: [Bits; 2],
        item: &LeveledItem,
        [valid, again]: [Bits; 2],
    ) {
        /// # Pixels
        let left = || cat(&[self.pixels.left.val(), lit(1, 0u32)]);
        if self.parts.is_some() {
            let of_item = first_if(!item.head.is_binding && !item.is_failed, first_of(item.valid));
            let of_level = first_of(again);
            let left = first_of(left());
            let rest = if ends_level { of_level } else { left };
            step(&self.pixels, moves, if begins { of_item } else { rest });
        } else {
            let rest = if ends_level { again } else { left() };
            let (of_item, rest) = (first_of(valid), first_of(rest));
            step(&self.pixels, moves, if begins { of_item } else { rest });
        }
    }

    /// One bit: the present part is its pixel's last one in its level.
    fn part_is_last(&self) -> Bits {
        self.parts.as_ref().map_or_else(|| lit(1, 1u32), parts::is_last)
    }

    fn offer(&self, ends_pixel: Bits, ends_quad: Bits) {
        /// # Probe
        let item = self.item.val();
        let pixel = self.pixels.pixel.val();
        let [first, second, third, fourth] = item.places.clone();
        let upper = if pixel.bit(0) { second } else { first };
        let lower = if pixel.bit(0) { fourth } else { third };
        let place = if pixel.bit(1) { lower } else { upper };
        let is_second = self.levels.as_ref().map_or_else(|| lit(1, 0u32), |levels| levels.is_second.val());
        let (advance, is_full) = (self.advance.val(), self.is_full.val());
        let probe = |u: Bits, v: Bits| Probe {
            head: item.head.clone(),
            pixel,
            is_valid: self.pixels.is_valid.val(),
            is_failed: item.is_failed,
            is_table: lit(1, 0u32),
            ends_pixel,
            ends_quad,
            spread: lit(SPREAD_BITS, 0u32),
            valid: item.valid,
            u,
            v,
            w: place.w,
            face: place.face,
            reference: place.reference,
            look_up: item.look_up.clone(),
            is_linear: item.is_linear,
            level: item.level + is_second.zero_extend(item.level.width()),
            weight: weight(item.fraction, is_second),
        };
        let (has_probe, next_probe) = match self.parts.as_ref() {
            Some(parts) => {
                let [u, v] = [(place.u, item.deltas[0]), (place.v, item.deltas[1])];
                let probe = probe(parts::start(u.0, u.1), parts::start(v.0, v.1));
                parts::take(parts, &item, probe, is_full, advance);
                parts::placed(parts)
            }
            None => {
                discard(item.parts_log2, "a pixel has one probe in each level");
                discard(stack(item.deltas), "as above");
                (is_full, probe(place.u.sign_extend(COORDINATE_BITS), place.v.sign_extend(COORDINATE_BITS)))
            }
        };
        if advance {
            self.has_probe.next = has_probe;
            self.next_probe.next = next_probe;
        }
        self.out_valid.next = self.has_probe.val();
        self.probe.next = self.next_probe.val();
    }
}

/// The part of a level of two, of which the second one has so much of 256.
#[kernel]
fn weight(fraction: Bits, is_second: Bits) -> Bits {
    let second = fraction.zero_extend(FRACTION_BITS + 1);
    let first = lit(FRACTION_BITS + 1, 1u32 << FRACTION_BITS) - second;
    cat(&[if is_second { second } else { first }, lit(WEIGHT_SHIFT, 0u32)])
}
