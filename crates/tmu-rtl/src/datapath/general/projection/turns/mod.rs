//! `turns`: which pixel of which item is next, and for what.
//!
//! An item stands here while its pixels go on, one a clock. Where nothing is divided they go with all of their coordinates, and only
//! once no division is under way. Where something is, they go with one coordinate after the other: all pixels of the first axis, then
//! those of the next. By the last of a cube the faces of all pixels are known. If a pixel at an end of an edge shows another face than
//! the first valid one, all coordinates go a second time, for that face. Divisions of the next quad are shorter than those and wait
//! for them.
//!
//! Contract: an item takes 4 clocks, a register of a binding 2, one that is divided 8 or 12 and as many as the divider makes it wait.

mod faces;
mod taking;

use super::FACE_BITS;
use super::edges::{ends_of, is_end, skips_first};
use super::shapes::{Manner, Mark, Parts, Wanted};
use super::waiting::Waiting;
use crate::datapath::general::slot::Slot;
use crate::datapath::general::words::{
    NUMBER_BITS, PIXELS, PixelNumbers, RequestItem, field_of, general, has_field,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::field::KIND;

/// Bits of the number of quads that are divided and under way.
const IN_FLIGHT_BITS: usize = 3;

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Turns {
    /// Clock and reset.
    pub(super) clocks: Clocks,
    /// A [`RequestItem`].
    pub(super) input: StreamIn,
    /// Pixels move on at the next edge.
    pub(super) moves: Net<In>,
    /// There is a pixel that is not divided.
    pub(super) is_plain: Net<Out>,
    /// The pixel.
    pub(super) wanted: Wanted<Field<Out>>,
    /// How it becomes a place.
    pub(super) manner: Manner<Field<Out>>,
    /// An item has gone.
    pub(super) has_gone: Net<Out>,
    /// What is left of it.
    pub(super) gone: Net<Out>,
    /// Where something is divided.
    pub(super) divided: Optional<Divided>,
    /// Where there are cubes.
    pub(super) cube: Optional<Cube>,
    slot: Slot,
    item: Reg,
    full: Reg,
    kind: Optional<Reg>,
    manners: Manners,
    pixel: Reg,
    /// It is the last one of its axis.
    is_fourth: Reg,
    plain: Reg,
    out: Wanted<FieldReg>,
    out_manner: Manner<FieldReg>,
    went: Reg,
    left: Reg,
    ends: Net<Local>,
    _config: Config,
}

/// What is said of the item when it comes.
#[derive(Bundle)]
struct Manners {
    is_raw: Reg,
    has_v: Optional<Reg>,
    has_w: Optional<Reg>,
    is_layered: Optional<Reg>,
}

/// What only divisions need.
#[derive(Bundle)]
pub(super) struct Divided {
    /// There is a pixel that is divided.
    pub(super) valid: Net<Out>,
    /// A quad that was has left.
    pub(super) leaves: Net<In>,
    is_divided: Reg,
    is_cube: Optional<Reg>,
    axis: Reg,
    /// The pixel is the last one of the last axis.
    is_own_last: Reg,
    wants: Reg,
    in_flight: Reg,
    /// A quad has just come to them, and one has just left.
    came: Reg,
    went: Reg,
    /// None is under way.
    is_clear: Reg,
}

/// What only cubes need.
#[derive(Bundle)]
pub(super) struct Cube {
    /// The face of a pixel is known.
    pub(super) face_valid: Net<In>,
    /// Which pixel.
    pub(super) face_pixel: Net<In>,
    /// Which face.
    pub(super) face: Net<In>,
    faces: Vec<Reg>,
    /// All faces are known.
    are_known: Reg,
    /// So is whether all is divided a second time.
    is_judged: Reg,
    first: Reg,
    crosses: Reg,
    is_extra: Reg,
    /// What is not divided a second time waits for those divisions, which are longer.
    drains: Reg,
}

impl Turns {
    pub(super) fn new(config: &Config) -> Turns {
        let parts = Parts::of(config);
        let clocks = Clocks::new();
        let item = RequestItem::of(config).width();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let bit = || Reg::new(&clocks, 1);
        let kinds = general(config).kinds().count();
        Turns {
            input: StreamIn::new(item),
            moves: Net::bit(),
            is_plain: Net::bit(),
            wanted: Wanted::of(parts).nets(),
            manner: Manner::of(parts).nets(),
            has_gone: Net::bit(),
            gone: Net::new(Waiting::of(config).width()),
            divided: Optional::new(parts.divides(), || Divided {
                valid: Net::bit(),
                leaves: Net::bit(),
                is_divided: bit(),
                is_cube: Optional::new(parts.cube, bit),
                axis: Reg::with_reset(&clocks, parts.axis_bits(), 0),
                is_own_last: flag(),
                wants: flag(),
                in_flight: Reg::with_reset(&clocks, IN_FLIGHT_BITS, 0),
                came: flag(),
                went: flag(),
                is_clear: flag(),
            }),
            cube: Optional::new(parts.cube, || Cube {
                face_valid: Net::bit(),
                face_pixel: Net::new(2),
                face: Net::new(FACE_BITS),
                faces: Reg::array(PIXELS, &clocks, FACE_BITS),
                are_known: flag(),
                is_judged: flag(),
                first: Reg::new(&clocks, FACE_BITS),
                crosses: bit(),
                is_extra: flag(),
                drains: flag(),
            }),
            slot: Slot::new(item),
            item: Reg::new(&clocks, item),
            full: flag(),
            kind: Optional::new(kinds > 1, || Reg::new(&clocks, KIND.bits as usize)),
            manners: Manners {
                is_raw: bit(),
                has_v: Optional::new(parts.line, bit),
                has_w: Optional::new(parts.w, bit),
                is_layered: Optional::new(parts.projective && parts.layers, bit),
            },
            pixel: Reg::with_reset(&clocks, 2, 0),
            is_fourth: flag(),
            plain: flag(),
            out: Wanted::of(parts).registers(&clocks),
            out_manner: Manner::of(parts).registers(&clocks),
            went: flag(),
            left: Reg::new(&clocks, Waiting::of(config).width()),
            ends: Net::bit(),
            _config: config.clone(),
            clocks,
        }
    }
}

/// What the item at its turn asks for.
struct Step {
    item: RequestItem,
    /// Its pixel goes with all coordinates.
    is_plain: Bits,
    /// Its pixel goes with one coordinate.
    is_wanted: Bits,
    /// There is no pixel of it behind this one.
    is_last: Bits,
    /// The last one goes. The same as both of them, in fewer levels.
    ends: Bits,
    /// All begins again with the pixel behind this one.
    repeats: Bits,
    /// The axis is the last one.
    is_last_axis: Bits,
}

/// Items to pixels.
#[kernel]
impl Turns {
    fn logic(&self) {
        timing(3, 4);
        let parts = Parts::of(&self._config);
        taking::take(self, parts);
        let step = self.step();
        self.count(parts, &step);
        if let (Some(divided), Some(cube)) = (self.divided.as_ref(), self.cube.as_ref()) {
            faces::judge(self, divided, cube, &step);
        }
        self.leave(parts, &step);
    }

    /// One bit: the item is divided.
    fn is_divided(&self) -> Bits {
        self.divided.as_ref().map_or_else(|| lit(1, 0u32), |divided| divided.is_divided.val())
    }

    /// One bit: the item is a quad of a cube that is divided.
    fn is_cube(&self) -> Bits {
        let is_cube = self.divided.as_ref().and_then(|divided| divided.is_cube.as_ref());
        is_cube.map_or_else(|| lit(1, 0u32), |reg| reg.val())
    }

    /// One bit: the item has a third coordinate.
    fn has_w(&self) -> Bits {
        self.manners.has_w.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val())
    }

    fn step(&self) -> Step {
        /// # The pixel whose turn it is
        let item = RequestItem::of(&self._config).unpack(self.item.val());
        /// Other registers of a binding follow before a quad does.
        if let Some(kind) = self.kind.as_ref() {
            if self.full.val() && has_field(&item.head, KIND) {
                kind.next = field_of(item.pixels[0].u, KIND);
            }
        }
        let is_alone = item.head.is_binding || self.is_fourth.val();
        let none = || lit(1, 0u32);
        let Some(divided) = self.divided.as_ref() else {
            let is_plain = self.full.val();
            return Step {
                item,
                is_plain,
                is_wanted: none(),
                is_last: is_alone,
                ends: is_plain && is_alone,
                repeats: none(),
                is_last_axis: none(),
            };
        };
        let axis = divided.axis.val();
        let is_last_axis =
            if axis.width() > 1 { if self.has_w() { axis == 2 } else { axis == 1 } } else { axis.bit(0) };
        let (is_divided, is_own_last) = (divided.is_divided.val(), divided.is_own_last.val());
        let (waits, repeats) = match self.cube.as_ref() {
            Some(cube) => {
                let is_blocked = cube.drains.val() && !cube.is_extra.val();
                (is_blocked || (is_own_last && !cube.is_judged.val()), is_own_last && cube.crosses.val())
            }
            None => (none(), none()),
        };
        let is_plain = self.full.val() && !is_divided && divided.is_clear.val();
        let is_wanted = self.full.val() && is_divided && !waits;
        let is_last = if is_divided { is_own_last && !repeats } else { is_alone };
        let divided_ends = is_divided && is_own_last && !repeats && !waits;
        let plain_ends = !is_divided && divided.is_clear.val() && is_alone;
        let ends = self.full.val() && (divided_ends || plain_ends);
        Step { item, is_plain, is_wanted, is_last, ends, repeats, is_last_axis }
    }

    fn count(&self, parts: Parts, step: &Step) {
        /// # Counters
        let offers = step.is_plain || step.is_wanted;
        let goes = offers && self.moves.val();
        let ends = step.ends && self.moves.val();
        self.ends.next = ends;
        let pixel = self.pixel.val();
        let skips = match self.cube.as_ref() {
            Some(cube) => {
                let again = (cube.is_extra.val() && !step.is_last) || step.repeats;
                again && pixel.all() && skips_first(step.item.marks.valid)
            }
            None => lit(1, 0u32),
        };
        let next = cat(&[pixel.bit(0) ^ pixel.bit(1), !pixel.bit(0) || skips]);
        if goes {
            self.is_fourth.next = pixel == 2;
            self.pixel.next = next & (!step.item.head.is_binding).repeat(2);
        }
        let Some(divided) = self.divided.as_ref() else { return };
        let axis = divided.axis.val();
        if goes && divided.is_divided.val() {
            divided.is_own_last.next = step.is_last_axis && pixel == 2;
        }
        if goes && divided.is_divided.val() && pixel.all() {
            divided.axis.next = if step.is_last_axis { lit(parts.axis_bits(), 0u32) } else { axis + 1 };
        }
        let comes = ends && divided.is_divided.val();
        divided.came.next = comes;
        divided.went.next = divided.leaves.val();
        let (came, went) = (divided.came.val(), divided.went.val());
        let in_flight = divided.in_flight.val();
        let change = cat(&[(went && !came).repeat(IN_FLIGHT_BITS - 1), came ^ went]);
        divided.in_flight.next = in_flight + change;
        let stands = self.full.val() && divided.is_divided.val();
        divided.is_clear.next = !in_flight.any() && !came && !stands;
    }

    /// The numbers of the pixel.
    fn numbers(&self, item: &RequestItem) -> PixelNumbers {
        let pixel = self.pixel.val();
        let of = |number: fn(&PixelNumbers) -> Bits| {
            let [p0, p1, p2, p3] = [0, 1, 2, 3].map(|pixel: usize| number(&item.pixels[pixel]));
            let upper = if pixel.bit(0) { p1 } else { p0 };
            let lower = if pixel.bit(0) { p3 } else { p2 };
            if pixel.bit(1) { lower } else { upper }
        };
        PixelNumbers {
            u: of(|pixel| pixel.u),
            v: of(|pixel| pixel.v),
            w: of(|pixel| pixel.w),
            q: of(|pixel| pixel.q),
            reference: lit(NUMBER_BITS, 0u32),
        }
    }

    fn leave(&self, parts: Parts, step: &Step) {
        /// # Pixels
        let (item, none) = (&step.item, || lit(1, 0u32));
        let PixelNumbers { u, v, w, q, .. } = self.numbers(item);
        let v = self.manners.has_v.as_ref().map_or(v, |has_v| v & has_v.val().repeat(NUMBER_BITS));
        let axis = self.divided.as_ref().map_or_else(none, |divided| divided.axis.val());
        let one = lit(NUMBER_BITS, general(&self._config).numbers.one());
        let q = match self.manners.is_layered.as_ref() {
            Some(is_layered) if parts.divides_third() => {
                let is_layer = is_layered.val() && axis.high(1);
                if is_layer { one } else { q }
            }
            _ => q,
        };
        let [to_row, to_column] = ends_of(item.marks.valid, self.pixel.val());
        let (is_extra, face) = match self.cube.as_ref() {
            Some(cube) => (cube.is_extra.val(), cube.first.val()),
            None => (none(), lit(FACE_BITS, 0u32)),
        };
        let mark = Mark { pixel: self.pixel.val(), axis, is_extra, to_row, to_column, is_last: step.is_last };
        let wanted = Wanted {
            mark,
            numbers: [u, v, w],
            q,
            is_cube: self.is_cube(),
            is_long: is_extra || !self.is_cube(),
            is_end: is_end(item.marks.valid, self.pixel.val()),
            face,
            is_layer: none(),
            is_none: [(); 4].map(|()| none()),
        };
        let clears_w = self.is_divided() && !self.has_w() && !axis.any();
        if self.moves.val() {
            self.plain.next = step.is_plain;
            self.out.next = wanted;
            self.out_manner.next =
                Manner { is_raw: self.manners.is_raw.val(), has_w: self.has_w(), clears_w };
        }
        self.is_plain.next = self.plain.val();
        self.wanted.next = self.out.val();
        self.manner.next = self.out_manner.val();
        if let Some(divided) = self.divided.as_ref() {
            if self.moves.val() {
                divided.wants.next = step.is_wanted;
            }
            divided.valid.next = divided.wants.val();
        }
        /// # What waits
        let shows = self.is_cube().repeat(FACE_BITS);
        let faces = match self.cube.as_ref() {
            Some(cube) => [0, 1, 2, 3].map(|pixel: usize| cube.faces[pixel].val() & shows),
            None => [lit(FACE_BITS, 0u32); PIXELS],
        };
        self.went.next = self.ends.val();
        self.left.next = Waiting::of(&self._config).pack(&Waiting {
            head: item.head.clone(),
            marks: item.marks.clone(),
            faces,
            references: item.pixels.each_ref().map(|pixel| pixel.reference),
            far: [lit(1, 0u32); 2],
        });
        self.has_gone.next = self.went.val();
        self.gone.next = self.left.val();
    }
}
