//! `cube_face`: from a direction to the face of a cube that it shows, and to what must be divided for a coordinate there.
//!
//! The face is that of the largest component; ties go to z before y before x, and nothing at all counts as +z. A coordinate on a face
//! is a quotient of two of the components (OpenGL 4.6 core, table 8.19); components leave as magnitudes, since the divider knows no
//! signs.
//!
//! Latency: the stages of [`Stage`], initiation interval 1.

use super::FACE_BITS;
use crate::datapath::general::words::NUMBER_BITS;
use tmu_hdl::prelude::*;

/// Where a direction is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Stage {
    /// It comes in.
    Entry,
    /// The magnitudes of its components are compared.
    Magnitudes,
    /// Its face is known; dividend and divisor are chosen.
    Faces,
    /// They leave.
    Exit,
}

/// Which coordinate of which pixel.
#[derive(Clone, Debug, Record)]
pub(super) struct Mark<T = Bits> {
    /// The pixel.
    pub(super) pixel: T,
    /// t rather than s.
    pub(super) is_t: T,
    /// It is divided a second time, on the face of the first valid pixel.
    pub(super) is_extra: T,
    /// It is the last one of its quad that is.
    pub(super) is_last_extra: T,
}

impl Mark<Width> {
    pub(super) fn shape() -> Mark<Width> {
        let bit = Width::bits(1);
        Mark { pixel: Width::bits(2), is_t: bit, is_extra: bit, is_last_extra: bit }
    }
}

/// What is divided by what.
#[derive(Clone, Debug, Record)]
pub(super) struct Division<T = Bits> {
    /// Which coordinate it is.
    pub(super) mark: Mark<T>,
    /// Magnitude of the dividend.
    pub(super) dividend: T,
    /// Divisor, over 0 unless `is_behind`.
    pub(super) divisor: T,
    /// The quotient is negative, or 0.
    pub(super) is_negative: T,
    /// The direction does not lie in front of the face: the quotient means nothing.
    pub(super) is_behind: T,
}

impl Division<Width> {
    pub(super) fn shape() -> Division<Width> {
        let bit = Width::bits(1);
        Division {
            mark: Mark::shape(),
            dividend: Width::bits(NUMBER_BITS),
            divisor: Width::bits(NUMBER_BITS),
            is_negative: bit,
            is_behind: bit,
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct CubeFace {
    /// Clock and reset.
    pub(super) clocks: Clocks,
    /// All directions move on at the next edge.
    pub(super) advance: Net<In>,
    /// There is a direction.
    pub(super) in_valid: Net<In>,
    /// Its components.
    pub(super) direction: Vec<Net<In>>,
    /// Which coordinate is wanted.
    pub(super) mark: Mark<Field<In>>,
    /// The face for coordinates that are divided a second time.
    pub(super) first_face: Net<In>,
    /// The face of the direction is known, for a coordinate that is not divided a second time.
    pub(super) face_valid: Net<Out>,
    /// Whose face it is.
    pub(super) face_pixel: Net<Out>,
    /// The face.
    pub(super) face: Net<Out>,
    /// There is a division.
    pub(super) out_valid: Net<Out>,
    /// The division.
    pub(super) division: Division<Field<Out>>,
    pipe: Pipe<Stage>,
}

impl CubeFace {
    pub(super) fn new() -> CubeFace {
        let stage = CubeFace {
            clocks: Clocks::new(),
            advance: Net::bit(),
            in_valid: Net::bit(),
            direction: Net::array(3, NUMBER_BITS),
            mark: Mark::shape().nets(),
            first_face: Net::new(FACE_BITS),
            face_valid: Net::bit(),
            face_pixel: Net::new(2),
            face: Net::new(FACE_BITS),
            out_valid: Net::bit(),
            division: Division::shape().nets(),
            pipe: Pipe::new(),
        };
        stage.pipe.plan(&stage.clocks, || stage.logic());
        stage
    }
}

/// Directions to divisions.
#[kernel]
impl CubeFace {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let in_valid = pipe.flag(Stage::Entry, "in_valid", self.in_valid.val());
        let mark = pipe.put(Stage::Entry, "mark", self.mark.val());
        /// # Magnitudes
        let components = [0, 1, 2].map(|axis: usize| self.direction[axis].val());
        let sign = components.map(|component| component.high(1));
        let magnitude = |axis: usize| {
            let turned = components[axis] ^ sign[axis].repeat(NUMBER_BITS);
            turned + sign[axis].zero_extend(NUMBER_BITS)
        };
        let magnitudes = pipe.put(Stage::Entry, "magnitude", [magnitude(0), magnitude(1), magnitude(2)]);
        let signs = pipe.put(Stage::Entry, "sign", sign);
        /// # Face
        let [x, y, z] = magnitudes.at(Stage::Magnitudes);
        let is_z = z >= x && z >= y;
        let is_y = y >= x;
        let sign = signs.at(Stage::Magnitudes);
        let along_y = if is_y { sign[1] } else { sign[0] };
        let is_negative = if is_z { sign[2] } else { along_y };
        let own = cat(&[is_z, is_y && !is_z, is_negative]);
        let own = pipe.put(Stage::Magnitudes, "own_face", own).at(Stage::Faces);
        let is_none = [x, y, z].map(|of| !of.any());
        let is_none = pipe.put(Stage::Magnitudes, "is_none", is_none).at(Stage::Faces);
        let wanted = mark.at(Stage::Faces);
        self.face_valid.next = in_valid.at(Stage::Faces) && !wanted.is_extra;
        self.face_pixel.next = wanted.pixel;
        self.face.next = own;
        /// # Dividend and divisor
        let face = if wanted.is_extra { self.first_face.val() } else { own };
        let (is_z, is_y, is_back) = (face.bit(2), face.bit(1), face.bit(0));
        let magnitudes = magnitudes.at(Stage::Faces);
        let signs = signs.at(Stage::Faces);
        let of_axis = |values: [Bits; 3]| {
            let below = if is_y { values[1] } else { values[0] };
            if is_z { values[2] } else { below }
        };
        /// s is along z beside x, and along x otherwise; t along z beside y, and along y otherwise.
        let is_x = !is_z && !is_y;
        let of_coordinate = |values: [Bits; 3]| {
            let s = if is_x { values[2] } else { values[0] };
            let t = if is_y { values[2] } else { values[1] };
            if wanted.is_t { t } else { s }
        };
        /// Signs of s: -z, z, x, x, x, -x; of t: -y, -y, z, -z, -y, -y.
        let s_turns = (is_x && !is_back) || (is_z && is_back);
        let t_turns = !is_y || is_back;
        let turns = if wanted.is_t { t_turns } else { s_turns };
        /// Nothing at all counts as the least step along z.
        let is_nothing = is_none[0] && is_none[1] && is_none[2] && is_z;
        let is_no_divisor = of_axis(is_none) && !is_nothing;
        let is_turned = of_axis(signs) ^ is_back;
        let divisor = of_axis(magnitudes);
        let division = Division {
            mark: wanted.clone(),
            dividend: of_coordinate(magnitudes),
            divisor: cat(&[divisor.high(NUMBER_BITS - 1), divisor.low(1) | is_nothing]),
            is_negative: of_coordinate(signs) ^ turns,
            is_behind: is_no_divisor || is_turned,
        };
        self.out_valid.next = in_valid.at(Stage::Exit);
        self.division.next = pipe.put(Stage::Faces, "division", division).at(Stage::Exit);
    }
}
