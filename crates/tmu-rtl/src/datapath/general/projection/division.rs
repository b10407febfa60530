//! `division`: from the numbers of a pixel to what must be divided for a coordinate.
//!
//! Coordinates are divided by q. A direction into a cube shows the face of its largest component; ties go to z before y before x, and
//! nothing at all counts as +z. A coordinate on a face is a quotient of two of the components (OpenGL 4.6 core, table 8.19), half of
//! it and a half. A divisor of nothing counts as the smallest positive number. Numbers leave as magnitudes, since the divider knows no
//! signs; singles leave as significands, and the difference of their exponents says where the digits of the quotient stand.
//!
//! Where the pixels of a quad go side by side, there is one of these for each of them. The first stages have no place here then: `quads`
//! has found the faces before, and hands on signs and magnitudes.
//!
//! Latency: the stages of [`Stage`], of which `Zeros`, `Exponents` and `Distance` are for singles only; initiation interval 1.

use super::FACE_BITS;
use super::number::{DISTANCE_BITS, is_nothing, magnitude, placing, significand};
use super::shapes::{DOWN_BITS, Division, EXPONENT_BITS, FRACTION_BITS, Mark, Parts, Wanted};
use crate::datapath::general::words::NUMBER_BITS;
use tmu_hdl::prelude::*;

/// Places by which digits go down where exponents are the same: of a short quotient on a face, of a long one there, and of one that
/// is divided by q.
const SHORT_DOWN: u32 = 0;
const LONG_DOWN: u32 = 20;
const FLAT_DOWN: u32 = 19;

/// Where a coordinate is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Stage {
    /// Its pixel comes in.
    Entry,
    /// Singles that count as nothing become 0.
    Zeros,
    /// The magnitudes of components are compared.
    Magnitudes,
    /// The face is known; dividend and divisor are chosen.
    Faces,
    /// Exponents are compared.
    Exponents,
    /// The difference is limited.
    Distance,
    /// They leave.
    Exit,
}

/// The stages of a configuration.
fn stages(parts: Parts) -> Vec<Stage> {
    let is_there = |stage: &Stage| match stage {
        Stage::Magnitudes => !parts.wide,
        Stage::Zeros => !parts.wide && parts.floats,
        Stage::Exponents | Stage::Distance => parts.floats,
        Stage::Entry | Stage::Faces | Stage::Exit => true,
    };
    Stage::ALL.iter().copied().filter(is_there).collect()
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Divisions {
    /// Clock and reset.
    pub(super) clocks: Clocks,
    /// All coordinates move on at the next edge.
    pub(super) advance: Net<In>,
    /// There is a coordinate.
    pub(super) in_valid: Net<In>,
    /// Its pixel.
    pub(super) wanted: Wanted<Field<In>>,
    /// Faces of pixels.
    pub(super) faces: Optional<Faces>,
    /// There is a division.
    pub(super) out_valid: Net<Out>,
    /// The division.
    pub(super) division: Division<Field<Out>>,
    pipe: Pipe<Stage>,
    _parts: Parts,
}

/// Faces of pixels, as the first coordinates pass.
#[derive(Bundle)]
pub(super) struct Faces {
    /// There is one.
    pub(super) valid: Net<Out>,
    /// Whose face it is.
    pub(super) pixel: Net<Out>,
    /// The face.
    pub(super) face: Net<Out>,
}

/// Sign and magnitude.
#[derive(Clone, Debug, Record)]
pub(super) struct Number<T = Bits> {
    pub(super) sign: T,
    pub(super) magnitude: T,
}

/// A number of which it is known whether it is nothing.
#[derive(Clone, Debug, Record)]
struct Component<T = Bits> {
    number: Number<T>,
    is_none: T,
}

impl Divisions {
    pub(super) fn new(parts: Parts) -> Divisions {
        let stage = Divisions {
            clocks: Clocks::new(),
            advance: Net::bit(),
            in_valid: Net::bit(),
            wanted: Wanted::of(parts).nets(),
            faces: Optional::new(parts.cube && !parts.wide, || Faces {
                valid: Net::bit(),
                pixel: Net::new(2),
                face: Net::new(FACE_BITS),
            }),
            out_valid: Net::bit(),
            division: Division::of(parts).nets(),
            pipe: Pipe::with(&stages(parts)),
            _parts: parts,
        };
        stage.pipe.plan(&stage.clocks, || stage.logic());
        stage
    }
}

/// What is to be divided, where the face is known.
struct Asked {
    mark: Mark,
    on_face: Bits,
    is_long: Bits,
    components: [Component; 3],
    q: Option<Component>,
    /// The face, and whether the pixel is at an end of an edge.
    face: Option<(Bits, Bits)>,
}

/// What is chosen of the numbers of a pixel: magnitudes, and the sign of their quotient.
#[derive(Clone, Debug, Record)]
struct Chosen<T = Bits> {
    dividend: T,
    divisor: T,
    /// The divisor is nothing, and counts as the smallest positive number.
    is_least: T,
    is_negative: T,
    is_behind: T,
}

/// Pixels to divisions.
#[kernel]
impl Divisions {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let (in_valid, asked) =
            if self._parts.wide { self.side_by_side(&pipe) } else { self.one_by_one(&pipe) };
        self.choose(&pipe, &in_valid, asked);
    }

    /// A pixel whose numbers have sign and magnitude.
    fn side_by_side<'a>(&self, pipe: &Run<'a, Stage>) -> (Payload<'a, Stage, Bits>, Asked) {
        let (parts, wanted) = (self._parts, self.wanted.val());
        let in_valid = pipe.flag(Stage::Entry, "in_valid", self.in_valid.val());
        let one = lit(parts.number_bits(), parts.one());
        let q = if wanted.is_layer { one } else { wanted.q };
        let no_q = wanted.is_none[3] && !wanted.is_layer;
        let q = pipe.put(Stage::Entry, "divisor", q).at(Stage::Faces);
        let no_q = pipe.put(Stage::Entry, "no_divisor", no_q).at(Stage::Faces);
        let wanted = pipe.put(Stage::Entry, "wanted", wanted).at(Stage::Faces);
        let [x, y, z] = wanted.numbers;
        let known = |word: Bits, is_none: Bits| {
            let (sign, magnitude) = (word.high(1), word.low(parts.magnitude_bits()));
            Component { number: Number { sign, magnitude }, is_none }
        };
        let [no_x, no_y, no_z, _] = wanted.is_none;
        let asked = Asked {
            mark: wanted.mark,
            on_face: wanted.is_cube,
            is_long: wanted.is_long,
            components: [known(x, no_x), known(y, no_y), known(z, no_z)],
            q: parts.projective.then(|| known(q, no_q)),
            face: parts.cube.then_some((wanted.face, wanted.is_end)),
        };
        (in_valid, asked)
    }

    /// A pixel as it is asked for.
    fn one_by_one<'a>(&self, pipe: &Run<'a, Stage>) -> (Payload<'a, Stage, Bits>, Asked) {
        let parts = self._parts;
        let in_valid = pipe.flag(Stage::Entry, "in_valid", self.in_valid.val());
        let wanted = self.wanted.val();
        let mark = pipe.put(Stage::Entry, "mark", wanted.mark.clone());
        let is_cube = pipe.put(Stage::Entry, "is_cube", wanted.is_cube);
        let is_long = pipe.put(Stage::Entry, "is_long", wanted.is_long);
        /// # Magnitudes
        let number = |bits: Bits| {
            let (sign, magnitude) = magnitude(bits, parts.floats);
            Number { sign, magnitude }
        };
        let known = |name: &str, bits: Bits| {
            let number = if parts.floats {
                let given = pipe.put(Stage::Entry, &format!("{name}_given"), number(bits)).at(Stage::Zeros);
                let is_none = pipe.put(Stage::Entry, &format!("{name}_is_zero"), is_nothing(bits));
                let counts = !is_none.at(Stage::Zeros);
                let magnitude = given.magnitude & counts.repeat(parts.magnitude_bits());
                pipe.put(Stage::Zeros, name, Number { sign: given.sign && counts, magnitude })
            } else {
                pipe.put(Stage::Entry, name, number(bits))
            };
            let is_none = !number.at(Stage::Magnitudes).magnitude.any();
            let is_none = pipe.put(Stage::Magnitudes, &format!("{name}_is_none"), is_none);
            let seen = number.at(Stage::Magnitudes);
            (seen, Component { number: number.at(Stage::Faces), is_none: is_none.at(Stage::Faces) })
        };
        let q = parts.projective.then(|| known("q", wanted.q).1);
        let [x, y, z] = wanted.numbers;
        let has_third = parts.cube || parts.divides_third();
        let z = if has_third { z } else { lit(NUMBER_BITS, 0u32) };
        let [x, y, z] = [("x", x), ("y", y), ("z", z)].map(|(name, bits)| known(name, bits));
        let face = parts.cube.then(|| {
            let own = face_of(&compared(&x.0, &y.0, &z.0));
            let own = pipe.put(Stage::Magnitudes, "own_face", own).at(Stage::Faces);
            let first = pipe.put(Stage::Entry, "first_face", wanted.face).at(Stage::Faces);
            let is_end = pipe.put(Stage::Entry, "is_end", wanted.is_end).at(Stage::Faces);
            self.tell_face(
                in_valid.at(Stage::Faces) && is_cube.at(Stage::Faces),
                &mark.at(Stage::Faces),
                own,
            );
            (if mark.at(Stage::Faces).is_extra { first } else { own }, is_end)
        });
        let (mark, on_face) = (mark.at(Stage::Faces), is_cube.at(Stage::Faces));
        let is_long = is_long.at(Stage::Faces);
        (in_valid, Asked { mark, on_face, is_long, components: [x.1, y.1, z.1], q, face })
    }

    fn choose(&self, pipe: &Run<'_, Stage>, in_valid: &Payload<'_, Stage, Bits>, asked: Asked) {
        let parts = self._parts;
        let Asked { mark, on_face, is_long, components, q, face } = asked;
        /// # Dividend and divisor
        let chosen = if parts.wide {
            by_number(parts, &components, q.as_ref(), &|components, q| {
                chosen(parts, components, q, (&mark, on_face, face))
            })
        } else {
            chosen(parts, &components, q.clone(), (&mark, on_face, face))
        };
        let least = if parts.floats { FRACTION_BITS } else { 0 };
        let is_least =
            (0..parts.magnitude_bits()).map(|place| chosen.is_least && lit(1, u32::from(place == least)));
        let divisor = chosen.divisor | stack(is_least);
        let division = Division {
            dividend: dividend(parts, chosen.dividend, on_face),
            divisor: if parts.floats { significand(divisor) } else { divisor },
            mark,
            is_cube: on_face,
            is_long,
            is_negative: chosen.is_negative,
            is_behind: chosen.is_behind,
            down: lit(DOWN_BITS, 0u32),
            is_over: lit(1, 0u32),
        };
        self.out_valid.next = in_valid.at(Stage::Exit);
        let carried = pipe.put(Stage::Faces, "division", division);
        if !parts.floats {
            self.division.next = carried.at(Stage::Exit);
            return;
        }
        /// # Where the digits stand
        let exponents = [divisor, chosen.dividend]
            .map(|of| of.slice(FRACTION_BITS, EXPONENT_BITS).zero_extend(DISTANCE_BITS));
        let exponents = pipe.put(Stage::Faces, "exponents", exponents).at(Stage::Exponents);
        let [of_divisor, of_dividend] = exponents;
        let difference = pipe.put(Stage::Exponents, "difference", of_divisor - of_dividend);
        let Division { is_cube, is_long, .. } = carried.at(Stage::Distance);
        let on_face = if is_long { lit(DISTANCE_BITS, LONG_DOWN) } else { lit(DISTANCE_BITS, SHORT_DOWN) };
        let more = if is_cube { on_face } else { lit(DISTANCE_BITS, FLAT_DOWN) };
        let (down, is_over) = placing(difference.at(Stage::Distance) + more);
        /// A short quotient is below 2.
        let is_over = is_over && is_long;
        let down = pipe.put(Stage::Distance, "down", down).at(Stage::Exit);
        let is_over = pipe.put(Stage::Distance, "is_over", is_over).at(Stage::Exit);
        self.division.next = Division { down, is_over, ..carried.at(Stage::Exit) };
    }

    fn tell_face(&self, is_known: Bits, mark: &Mark, own: Bits) {
        let Some(faces) = self.faces.as_ref() else { return };
        faces.valid.next = is_known && !mark.is_extra && !mark.axis.any();
        faces.pixel.next = mark.pixel;
        faces.face.next = own;
    }
}

/// What is chosen: as a coordinate on a face, or as one of a picture.
#[kernel]
fn chosen(
    parts: Parts,
    components: &[Component; 3],
    q: Option<Component>,
    (mark, on_face, face): (&Mark, Bits, Option<(Bits, Bits)>),
) -> Chosen {
    match (face, q) {
        (None, Some(q)) => of_picture(parts, components, q, mark.axis),
        (Some((face, is_end)), q) => {
            let chosen = of_cube(components, face, mark.axis.bit(0));
            let chosen = Chosen { is_behind: chosen.is_behind && is_end && mark.is_extra, ..chosen };
            match q {
                Some(q) => {
                    let divided = of_picture(parts, components, q, mark.axis);
                    if on_face { chosen } else { divided }
                }
                None => chosen,
            }
        }
        (None, None) => unreachable!("something is divided"),
    }
}

/// The same, made of fewer LUTs, each of which chooses one bit of four: first their numbers are chosen, then what has them.
#[kernel]
fn by_number(
    parts: Parts,
    components: &[Component; 3],
    q: Option<&Component>,
    choose: &dyn Fn(&[Component; 3], Option<Component>) -> Chosen,
) -> Chosen {
    let numbered = |component: &Component, number: u32| {
        let number = Number { sign: component.number.sign, magnitude: lit(2, number) };
        Component { number, is_none: component.is_none }
    };
    let [x, y, z] = components;
    let short = [numbered(x, 0), numbered(y, 1), numbered(z, 2)];
    let chosen = choose(&short, q.map(|q| numbered(q, 3)));
    let all = [Some(x), Some(y), Some(z), q];
    let of = |number: Bits| {
        let none = lit(parts.magnitude_bits(), 0u32);
        (0u64..).zip(all).fold(none, |any, (own, component)| match component {
            Some(component) => {
                any | (component.number.magnitude & (number == own).repeat(parts.magnitude_bits()))
            }
            None => any,
        })
    };
    Chosen { dividend: of(chosen.dividend), divisor: of(chosen.divisor), ..chosen }
}

/// The components of a direction beside each other.
#[derive(Clone, Debug, Record)]
pub(super) struct Compared<T = Bits> {
    z_covers_x: T,
    z_covers_y: T,
    y_covers_x: T,
    signs: [T; 3],
}

/// One beside the other.
#[kernel]
pub(super) fn compared(x: &Number, y: &Number, z: &Number) -> Compared {
    Compared {
        z_covers_x: z.magnitude >= x.magnitude,
        z_covers_y: z.magnitude >= y.magnitude,
        y_covers_x: y.magnitude >= x.magnitude,
        signs: [x.sign, y.sign, z.sign],
    }
}

/// The face that a direction points to: it is along z, else along y, and backwards.
#[kernel]
pub(super) fn face_of(compared: &Compared) -> Bits {
    let [x, y, z] = compared.signs;
    let is_z = compared.z_covers_x && compared.z_covers_y;
    let is_y = compared.y_covers_x;
    let along_y = if is_y { y } else { x };
    let is_negative = if is_z { z } else { along_y };
    cat(&[is_z, is_y && !is_z, is_negative])
}

/// A dividend as it goes into the divider.
#[kernel]
fn dividend(parts: Parts, magnitude: Bits, on_face: Bits) -> Bits {
    if parts.floats {
        significand(magnitude)
    } else if parts.projective {
        let (low, high) = (cat(&[lit(1, 0u32), magnitude]), cat(&[magnitude, lit(1, 0u32)]));
        if on_face { low } else { high }
    } else {
        magnitude
    }
}

/// A coordinate on a face: one component by another.
#[kernel]
fn of_cube(components: &[Component; 3], face: Bits, is_t: Bits) -> Chosen {
    let [x, y, z] = components.clone();
    let (is_z, is_y, is_back) = (face.bit(2), face.bit(1), face.bit(0));
    let is_nothing = x.is_none && y.is_none && z.is_none && is_z;
    let is_x = !is_z && !is_y;
    let below = if is_y { y.clone() } else { x.clone() };
    let along = if is_z { z.clone() } else { below };
    /// s is along z beside x, and along x otherwise; t along z beside y, and along y otherwise.
    let s = if is_x { z.number.clone() } else { x.number };
    let t = if is_y { z.number } else { y.number };
    let part = if is_t { t } else { s };
    /// Signs of s: -z, z, x, x, x, -x; of t: -y, -y, z, -z, -y, -y.
    let s_turns = (is_x && !is_back) || (is_z && is_back);
    let t_turns = !is_y || is_back;
    let turns = if is_t { t_turns } else { s_turns };
    /// Nothing at all counts as the least step along z.
    let is_no_divisor = along.is_none && !is_nothing;
    Chosen {
        dividend: part.magnitude,
        divisor: along.number.magnitude,
        is_least: is_nothing,
        is_negative: part.sign ^ turns,
        is_behind: is_no_divisor || (along.number.sign ^ is_back),
    }
}

/// A coordinate of a picture: a component by q.
#[kernel]
fn of_picture(parts: Parts, components: &[Component; 3], q: Component, axis: Bits) -> Chosen {
    let [x, y, z] = components.clone();
    let first = if axis.bit(0) { y.number } else { x.number };
    let part = if parts.divides_third() && axis.high(1) { z.number } else { first };
    Chosen {
        dividend: part.magnitude,
        divisor: q.number.magnitude,
        is_least: q.is_none,
        is_negative: part.sign ^ q.number.sign,
        is_behind: lit(1, 0u32),
    }
}
