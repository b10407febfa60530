//! `projection`: from the numbers of a request to places, and to the edges of the quad's footprint.
//!
//! Coordinates of a picture are shifted, a pixel a clock. A direction into a cube goes through `face`, which finds its face and
//! what is divided by what, and through `divider`, which makes the quotient exactly. The level of detail needs all four pixels on
//! the face of the first valid one: those that show another face are divided a second time. A pixel beside that
//! face may lie far away, and takes twice as long.
//!
//! Contract: items leave in the order in which they came. A register of a binding, and whatever comes behind it, waits until no
//! quad of a cube is under way.
//!
//! Cost: a quad of a picture takes 4 clocks, latency 5; one of a cube 18 clocks where all pixels show one face, latency about 36, and
//! about 70 where they do not. Without cubes a shift and the edges are left. No multipliers; a LUT RAM of 8 places for what waits.

mod divider;
mod edges;
mod face;

use super::slot::Slot;
use super::words::{
    ItemHead, NUMBER_BITS, PIXELS, PLACE_BITS, PixelNumbers, Place, ProjectedItem, QuadMarks, RequestItem,
    field_of, general, has_field,
};
use divider::Divider;
use edges::{edges, extra_pixels, first_face};
use face::{CubeFace, Mark};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;
use tmu_spec::general::field::KIND;
use tmu_spec::general::{Kind, Numbers};

/// Bits of the number of a face.
pub(super) const FACE_BITS: usize = 3;
/// Bits behind the point that a request's number has not.
const SHIFT: usize = 4;
/// Bits of the number of quads of cubes under way.
const IN_FLIGHT_BITS: usize = 3;
/// Bits of the number of a step: two for each pixel.
const STEP_BITS: usize = 3;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Projection {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A [`RequestItem`].
    pub input: StreamIn,
    /// A [`ProjectedItem`].
    pub output: StreamOut,
    slot: Slot,
    item: Reg,
    full: Reg,
    step: Reg,
    flat: Flatly,
    /// Where each pixel is.
    own: Vec<Reg>,
    cube: Optional<Cube>,
    out: Reg,
    out_full: Reg,
    advance: Net<Local>,
    moves_on: Net<Local>,
    _config: Config,
}

/// A pixel of a picture, or a register of a binding, on its way to its place.
#[derive(Bundle)]
struct Flatly {
    valid: Reg,
    is_last: Reg,
    pixel: Reg,
    uv: Vec<Reg>,
    passing: Reg,
    /// All pixels are in their places.
    completes: Reg,
    passed: Reg,
}

/// What only cubes need.
#[derive(Bundle)]
struct Cube {
    is_cube: Reg,
    /// All divisions of this kind have begun.
    is_waiting: Reg,
    /// Pixels are divided a second time.
    is_extra: Reg,
    /// Those that are to come.
    extras: Reg,
    in_flight: Reg,
    face: CubeFace,
    divider: Divider,
    faces: Vec<Reg>,
    /// Where each pixel is on the face of the first valid one.
    edge: Vec<Reg>,
    is_behind: Reg,
    waiting: SyncFifo,
    completes: Reg,
    /// All faces are known.
    judging: Reg,
    /// So is which pixels are divided a second time.
    judges: Reg,
    face_moves: Net<Local>,
}

/// What waits for a quad of a cube to come out of the divider.
#[derive(Clone, Debug, Record)]
struct Waiting<T = Bits> {
    marks: QuadMarks<T>,
    faces: [T; PIXELS],
    has_extras: T,
}

impl Waiting<Width> {
    fn of(config: &Config) -> Waiting<Width> {
        Waiting {
            marks: QuadMarks::of(config),
            faces: [Width::bits(FACE_BITS); PIXELS],
            has_extras: Width::bits(1),
        }
    }
}

/// What passes beside the pixels of a picture.
#[derive(Clone, Debug, Record)]
struct Passing<T = Bits> {
    head: ItemHead<T>,
    marks: QuadMarks<T>,
}

impl Passing<Width> {
    fn of(config: &Config) -> Passing<Width> {
        Passing { head: ItemHead::shape(), marks: QuadMarks::of(config) }
    }
}

impl Cube {
    fn new(config: &Config, clocks: &Clocks) -> Cube {
        let flag = || Reg::with_reset(clocks, 1, 0);
        let waiting = Waiting::of(config).width();
        Cube {
            is_cube: flag(),
            is_waiting: flag(),
            is_extra: flag(),
            extras: Reg::new(clocks, PIXELS),
            in_flight: Reg::with_reset(clocks, IN_FLIGHT_BITS, 0),
            face: CubeFace::new(),
            divider: Divider::new(),
            faces: Reg::array(PIXELS, clocks, FACE_BITS),
            edge: Reg::array(2 * PIXELS, clocks, PLACE_BITS),
            is_behind: Reg::new(clocks, 1),
            waiting: SyncFifo::with_style(1 << IN_FLIGHT_BITS, waiting, RamStyle::Distributed),
            completes: flag(),
            judging: flag(),
            judges: flag(),
            face_moves: Net::bit(),
        }
    }
}

impl Projection {
    /// The stage for a configuration.
    ///
    /// # Panics
    /// When the configuration has what is not built here yet.
    pub fn new(config: &Config) -> Projection {
        let features = general(config);
        let is_built = |kind| matches!(kind, Kind::D2 | Kind::Cube);
        assert!(features.kinds().all(is_built), "kinds beside 2d and cube are not built");
        assert!(features.numbers == Numbers::S16p16, "floats in requests are not built");
        assert!(!features.projective, "divisors in requests are not built");
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let (item, out) = (RequestItem::of(config).width(), ProjectedItem::of(config).width());
        let passing = Passing::of(config).width();
        Projection {
            input: StreamIn::new(item),
            output: StreamOut::new(out),
            slot: Slot::new(item),
            item: Reg::new(&clocks, item),
            full: flag(),
            step: Reg::with_reset(&clocks, STEP_BITS, 0),
            flat: Flatly {
                valid: flag(),
                is_last: flag(),
                pixel: Reg::new(&clocks, 2),
                uv: Reg::array(2, &clocks, PLACE_BITS),
                passing: Reg::new(&clocks, passing),
                completes: flag(),
                passed: Reg::new(&clocks, passing),
            },
            own: Reg::array(2 * PIXELS, &clocks, PLACE_BITS),
            cube: Optional::new(features.has_kind(Kind::Cube), || Cube::new(config, &clocks)),
            out: Reg::new(&clocks, out),
            out_full: flag(),
            advance: Net::bit(),
            moves_on: Net::bit(),
            clocks,
            _config: config.clone(),
        }
    }
}

/// Numbers to places and edges.
#[kernel]
impl Projection {
    fn logic(&self) {
        timing(5, 4);
        self.take();
        let item = RequestItem::of(&self._config).unpack(self.item.val());
        self.pass(&item);
        if let Some(cube) = self.cube.as_ref() {
            self.divide(cube, &item);
            self.judge(cube, &item);
            self.collect(cube);
        }
        self.place();
        self.leave();
    }

    fn take(&self) {
        /// # The item whose turn it is
        self.advance.next = !self.out_full.val() || self.output.ready.val();
        let free = !self.full.val() || self.moves_on.val();
        self.slot.clocks.follow(&self.clocks);
        self.slot.input.valid.next = self.input.valid.val();
        self.slot.input.data.next = self.input.data.val();
        self.input.ready.next = self.slot.input.ready.val();
        self.slot.output.ready.next = free;
        if free {
            self.full.next = self.slot.output.valid.val();
            self.item.next = self.slot.output.data.val();
        }
    }

    /// The item is a quad of a cube.
    fn is_cube_quad(&self, item: &RequestItem) -> Bits {
        match self.cube.as_ref() {
            Some(cube) => cube.is_cube.val() && !item.head.is_binding,
            None => lit(1, 0u32),
        }
    }

    /// The numbers of a pixel.
    fn numbers(&self, item: &RequestItem, pixel: Bits) -> [Bits; 3] {
        let of = |number: fn(&PixelNumbers) -> Bits| {
            let [p0, p1, p2, p3] = [0, 1, 2, 3].map(|pixel: usize| number(&item.pixels[pixel]));
            let upper = if pixel.bit(0) { p1 } else { p0 };
            let lower = if pixel.bit(0) { p3 } else { p2 };
            if pixel.bit(1) { lower } else { upper }
        };
        [of(|pixel| pixel.u), of(|pixel| pixel.v), of(|pixel| pixel.w)]
    }

    /// The pixel whose turn it is.
    fn pixel(&self, item: &RequestItem) -> Bits {
        let Some(cube) = self.cube.as_ref() else { return self.step.val().low(2) };
        let extras = cube.extras.val();
        let lower = extras.low(2).any();
        let extra = cat(&[!lower, if lower { !extras.bit(0) } else { !extras.bit(2) }]);
        let own = if self.is_cube_quad(item) { self.step.val().high(2) } else { self.step.val().low(2) };
        if cube.is_extra.val() { extra } else { own }
    }

    fn pass(&self, item: &RequestItem) {
        /// # Pictures and registers of bindings
        let flat = &self.flat;
        let is_binding = item.head.is_binding;
        let may_pass = match self.cube.as_ref() {
            Some(cube) => !cube.in_flight.val().any() && !self.is_cube_quad(item),
            None => lit(1, 1u32),
        };
        let goes = self.full.val() && may_pass;
        let is_last = is_binding || self.step.val().low(2).all();
        let pixel = self.pixel(item);
        let [u, v, w] = self.numbers(item, pixel);
        if self.cube.is_none() {
            discard(w, "pictures have two axes");
        }
        let shifted = |number: Bits| cat(&[number, lit(SHIFT, 0u32)]);
        if self.advance.val() {
            flat.valid.next = goes;
            flat.is_last.next = goes && is_last;
            flat.pixel.next = pixel;
            flat.uv[0].next = if is_binding { u.zero_extend(PLACE_BITS) } else { shifted(u) };
            flat.uv[1].next = shifted(v);
            flat.passing.next = Passing::of(&self._config)
                .pack(&Passing { head: item.head.clone(), marks: item.marks.clone() });
            flat.completes.next = flat.is_last.val();
            flat.passed.next = flat.passing.val();
        }
        let steps = match self.cube.as_ref() {
            Some(cube) => {
                let begins = self.begins(cube, item) && cube.face_moves.val();
                goes || begins
            }
            None => goes,
        };
        let ends = goes && is_last;
        let ends = match self.cube.as_ref() {
            Some(cube) => {
                let is_alone = cube.judges.val() && !cube.extras.val().any();
                let is_drained = cube.is_extra.val() && cube.is_waiting.val() && !cube.in_flight.val().any();
                ends || is_alone || is_drained
            }
            None => ends,
        };
        self.moves_on.next = ends && self.advance.val();
        if self.moves_on.val() {
            self.step.next = 0;
        } else if steps && self.advance.val() {
            self.step.next = self.step.val() + 1;
        }
        if let Some(cube) = self.cube.as_ref() {
            if goes && has_field(&item.head, KIND) && self.advance.val() {
                let kind = field_of(item.pixels[0].u, KIND);
                cube.is_cube.next = kind == u64::from(Kind::Cube.code());
            }
        }
    }

    /// One bit: a division of the item begins.
    fn begins(&self, cube: &Cube, item: &RequestItem) -> Bits {
        self.full.val() && self.is_cube_quad(item) && !cube.is_waiting.val()
    }

    /// Pixels to be divided a second time, a bit each.
    fn extras(&self, cube: &Cube, item: &RequestItem) -> Bits {
        let faces = [0, 1, 2, 3].map(|pixel: usize| cube.faces[pixel].val());
        extra_pixels(item.marks.valid, &faces)
    }

    fn divide(&self, cube: &Cube, item: &RequestItem) {
        /// # Divisions
        let (face, divider) = (&cube.face, &cube.divider);
        let pixel = self.pixel(item);
        let is_t = self.step.val().bit(0);
        let extras = cube.extras.val();
        let left = extras & (extras - 1);
        face.clocks.follow(&self.clocks);
        divider.clocks.follow(&self.clocks);
        cube.face_moves.next = !face.out_valid.val() || divider.takes.val();
        face.advance.next = self.advance.val() && cube.face_moves.val();
        face.in_valid.next = self.begins(cube, item);
        for (to, from) in face.direction.iter().zip(self.numbers(item, pixel)) {
            to.next = from;
        }
        let is_last_extra = cube.is_extra.val() && is_t && !left.any();
        face.mark.next = Mark { pixel, is_t, is_extra: cube.is_extra.val(), is_last_extra };
        let faces = [0, 1, 2, 3].map(|pixel: usize| cube.faces[pixel].val());
        face.first_face.next = first_face(item.marks.valid, &faces);
        let learns = face.face_valid.val() && cube.face_moves.val() && self.advance.val();
        for (number, held) in cube.faces.iter().enumerate() {
            if learns && face.face_pixel.val() == number as u64 {
                held.next = face.face.val();
            }
        }
        divider.advance.next = self.advance.val();
        divider.in_valid.next = face.out_valid.val();
        divider.division.next = face.division.val();
        let goes = self.begins(cube, item) && cube.face_moves.val() && self.advance.val();
        let is_last_own = !cube.is_extra.val() && self.step.val().all();
        if self.moves_on.val() || (cube.judges.val() && self.advance.val()) {
            cube.is_waiting.next = 0;
        } else if goes && (is_last_own || is_last_extra) {
            cube.is_waiting.next = 1;
        }
        if cube.judging.val() && self.advance.val() {
            cube.extras.next = self.extras(cube, item);
        } else if goes && cube.is_extra.val() && is_t {
            cube.extras.next = left;
        }
        if self.moves_on.val() {
            cube.is_extra.next = 0;
        } else if cube.judges.val() && self.advance.val() {
            cube.is_extra.next = cube.extras.val().any();
        }
    }

    /// All faces of a quad are known when its last coordinate goes into the divider.
    fn judge(&self, cube: &Cube, item: &RequestItem) {
        /// # Quads under way
        let division = cube.face.division.val();
        let mark = division.mark;
        let is_last_own = mark.pixel.all() && mark.is_t && !mark.is_extra;
        let ends = cube.face.out_valid.val() && cube.divider.takes.val() && is_last_own;
        if self.advance.val() {
            cube.judging.next = ends;
            cube.judges.next = cube.judging.val();
        }
        let comes = cube.judges.val() && self.advance.val();
        let leaves = cube.completes.val() && self.advance.val();
        let waiting = &cube.waiting;
        waiting.clocks.follow(&self.clocks);
        waiting.input.valid.next = comes;
        waiting.input.data.next = Waiting::of(&self._config).pack(&Waiting {
            marks: item.marks.clone(),
            faces: [0, 1, 2, 3].map(|pixel: usize| cube.faces[pixel].val()),
            has_extras: cube.extras.val().any(),
        });
        waiting.output.ready.next = leaves;
        discard(waiting.input.ready.val(), "the divider holds fewer quads");
        discard(waiting.level.val(), "as above");
        let in_flight = cube.in_flight.val();
        if comes && !leaves {
            cube.in_flight.next = in_flight + 1;
        } else if leaves && !comes {
            cube.in_flight.next = in_flight - 1;
        }
    }

    fn collect(&self, cube: &Cube) {
        /// # Coordinates out of the divider
        let coordinate = cube.divider.coordinate.val();
        let mark = coordinate.mark;
        let comes = cube.divider.out_valid.val();
        let waits = Waiting::of(&self._config).unpack(cube.waiting.output.data.val());
        let is_last_own = mark.pixel.all() && mark.is_t && !mark.is_extra && !waits.has_extras;
        let is_first = !mark.pixel.any() && !mark.is_t && !mark.is_extra;
        if self.advance.val() {
            cube.completes.next = comes && (is_last_own || mark.is_last_extra);
        }
        if comes && self.advance.val() {
            cube.is_behind.next =
                (cube.is_behind.val() && !is_first) || (mark.is_extra && coordinate.is_behind);
        }
    }

    fn place(&self) {
        /// # Places
        let flat = &self.flat;
        for (number, own) in self.own.iter().enumerate() {
            let (pixel, axis) = (number / 2, number % 2);
            let passes = flat.valid.val() && flat.pixel.val() == pixel as u64;
            let Some(cube) = self.cube.as_ref() else {
                if passes && self.advance.val() {
                    own.next = flat.uv[axis].val();
                }
                continue;
            };
            let coordinate = cube.divider.coordinate.val();
            let is_axis = if axis == 1 { coordinate.mark.is_t } else { !coordinate.mark.is_t };
            let is_own = coordinate.mark.pixel == pixel as u64 && is_axis;
            let comes = cube.divider.out_valid.val() && is_own;
            let value = if cube.divider.out_valid.val() { coordinate.value } else { flat.uv[axis].val() };
            if (passes || (comes && !coordinate.mark.is_extra)) && self.advance.val() {
                own.next = value;
            }
            if (passes || comes) && self.advance.val() {
                cube.edge[number].next = value;
            }
        }
    }

    fn leave(&self) {
        /// # Items
        let config = &self._config;
        let passed = Passing::of(config).unpack(self.flat.passed.val());
        let Some(cube) = self.cube.as_ref() else {
            self.offer(passed.head, passed.marks, &self.own, [lit(1, 0u32); PIXELS], lit(1, 0u32));
            return;
        };
        let waits = Waiting::of(config).unpack(cube.waiting.output.data.val());
        let is_cube = cube.completes.val();
        discard(cube.waiting.output.valid.val(), "a quad has gone in long before its coordinates come out");
        let head = ItemHead { is_binding: passed.head.is_binding && !is_cube, ..passed.head };
        let marks = if is_cube { waits.marks } else { passed.marks };
        let faces = waits.faces.map(|face| face & is_cube.repeat(FACE_BITS));
        self.offer(head, marks, &cube.edge, faces, cube.is_behind.val() && is_cube);
    }

    fn offer(&self, head: ItemHead, marks: QuadMarks, edge: &[Reg], faces: [Bits; PIXELS], is_behind: Bits) {
        let of = |regs: &[Reg], pixel: usize| [regs[2 * pixel].val(), regs[2 * pixel + 1].val()];
        let places: Vec<[Bits; 2]> = (0..PIXELS).map(|pixel| of(edge, pixel)).collect();
        let edges = edges(marks.valid, &places);
        let place = |pixel: usize| {
            let [u, v] = of(&self.own, pixel);
            let none = |bits| lit(bits, 0u32);
            Place { u, v, w: none(PLACE_BITS), face: faces[pixel], reference: none(NUMBER_BITS) }
        };
        let item = ProjectedItem { head, marks, places: [0, 1, 2, 3].map(place), edges, is_behind };
        let comes = match self.cube.as_ref() {
            Some(cube) => self.flat.completes.val() || cube.completes.val(),
            None => self.flat.completes.val(),
        };
        if self.advance.val() {
            self.out_full.next = comes;
            self.out.next = ProjectedItem::of(&self._config).pack(&item);
        }
        self.output.valid.next = self.out_full.val();
        self.output.data.next = self.out.val();
    }
}
