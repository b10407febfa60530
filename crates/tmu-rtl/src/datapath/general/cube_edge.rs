//! `cube_edge`: a tap across an edge of a cube's face to the face and the texel that lie there.
//!
//! Folded over the edge, the tap lies in the row or column of the other face along the same edge. Which one, and whether texels run
//! the other way there, is a table of 24 entries made of the faces' axes (OpenGL 4.6 core, table 8.19). A tap may have another
//! one of its probe beside it along the edge, which lies beside it there too.
//!
//! Latency: the stages of [`Stage`], initiation interval 1.

use super::axis::TEXEL_BITS;
use super::footprint::{Edge, TapItem};
use super::words::{face_bits, has_pairs};
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::texture::FACES;

/// Where a tap is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in; the table is looked up.
    Entry,
    /// Its texel is counted from the other end, where it must be.
    Turn,
    /// It leaves.
    Exit,
}

/// A direction along an axis of space: the axis, and whether it is the negative one.
type Direction = (usize, bool);

/// What each face looks along, and its s and t.
const AXES: [[Direction; 3]; FACES as usize] = [
    [(0, false), (2, true), (1, true)],
    [(0, true), (2, false), (1, true)],
    [(1, false), (0, false), (2, false)],
    [(1, true), (0, false), (2, true)],
    [(2, false), (0, false), (1, true)],
    [(2, true), (0, true), (1, true)],
];

/// What lies across an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Across {
    /// The face.
    face: usize,
    /// The edge is a row of that face.
    is_row: bool,
    /// It is its last row or column.
    is_last: bool,
    /// Texels along the edge run the other way.
    is_reversed: bool,
}

const fn is_same(one: Direction, other: Direction) -> bool {
    one.0 == other.0 && one.1 == other.1
}

/// What lies across an edge of a face: the upper or lower one, or the left or right one, in front or behind.
fn across(face: usize, is_row: bool, is_behind: bool) -> Across {
    let [along, s, t] = AXES[face];
    let (crossed, kept) = if is_row { (t, s) } else { (s, t) };
    // What one looks along there is where one went.
    let wanted = (crossed.0, crossed.1 == is_behind);
    let face = (0..AXES.len()).find(|face| is_same(AXES[*face][0], wanted)).unwrap_or(0);
    let [_, other_s, other_t] = AXES[face];
    let is_row = other_t.0 == along.0;
    let (fixed, free) = if is_row { (other_t, other_s) } else { (other_s, other_t) };
    Across { face, is_row, is_last: is_same(fixed, along), is_reversed: !is_same(free, kept) }
}

/// A tap: its face and its texel.
#[derive(Clone, Debug, Record)]
pub struct Texel<T = Bits> {
    /// Face.
    pub face: T,
    /// Column.
    pub x: T,
    /// Row.
    pub y: T,
}

/// The other tap of two beside each other along an edge.
#[derive(Bundle)]
pub struct Beside {
    /// Its texel along the edge.
    pub texel: Net<In>,
    /// Its texel along the edge there.
    pub found: Net<Out>,
    /// Both lie across an edge, in a row of the other face.
    pub in_row: Net<Out>,
    /// In a column of it.
    pub in_column: Net<Out>,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct CubeEdge {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All taps move on at the next edge.
    pub advance: Net<In>,
    /// The face, and a texel that counts along the edge, or wherever the tap lies.
    pub texel: Texel<Field<In>>,
    /// Which edge it lies across.
    pub crossing: Edge<Field<In>>,
    /// The last texel of a side.
    pub last: Net<In>,
    /// Where it lies.
    pub found: Texel<Field<Out>>,
    /// The tap beside it.
    pub beside: Optional<Beside>,
    pipe: Pipe<Stage>,
}

impl CubeEdge {
    /// The block of a configuration with cubes.
    pub fn new(config: &Config) -> CubeEdge {
        let TapItem { edge, .. } = TapItem::of(config);
        let face = Width::bits(face_bits(config));
        let texel = Texel { face, x: Width::bits(TEXEL_BITS), y: Width::bits(TEXEL_BITS) };
        let stage = CubeEdge {
            clocks: Clocks::new(),
            advance: Net::bit(),
            texel: texel.nets(),
            crossing: edge.nets(),
            last: Net::new(TEXEL_BITS),
            found: texel.nets(),
            beside: Optional::new(has_pairs(config), || Beside {
                texel: Net::new(TEXEL_BITS),
                found: Net::new(TEXEL_BITS),
                in_row: Net::bit(),
                in_column: Net::bit(),
            }),
            pipe: Pipe::new(),
        };
        stage.pipe.plan(&stage.clocks, || stage.logic());
        stage
    }

    /// Bits of the number of a face.
    pub fn face_bits(&self) -> usize {
        self.found.face.width()
    }
}

/// Taps across edges.
#[kernel]
impl CubeEdge {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let (texel, edge) = (self.texel.val(), self.crossing.val());
        /// # What lies across
        let table = |tells: &dyn Fn(Across) -> bool| {
            let mut any = lit(1, 0u32);
            for face in 0..AXES.len() {
                for (is_row, is_behind) in [(false, false), (false, true), (true, false), (true, true)] {
                    if tells(across(face, is_row, is_behind)) {
                        let is_so =
                            (edge.is_row == u64::from(is_row)) && (edge.is_behind == u64::from(is_behind));
                        any = any || ((texel.face == face as u64) && is_so);
                    }
                }
            }
            any
        };
        let face = stack((0..3).map(|bit| table(&|found| found.face >> bit & 1 == 1)));
        let is_crossed = edge.is_crossed;
        let face = pipe.put(Stage::Entry, "face", if is_crossed { face } else { texel.face });
        let is_row = pipe.put(Stage::Entry, "is_row", table(&|found| found.is_row) && is_crossed);
        let is_column = pipe.put(Stage::Entry, "is_column", table(&|found| !found.is_row) && is_crossed);
        let is_last = pipe.put(Stage::Entry, "is_last", table(&|found| found.is_last));
        let is_reversed = pipe.put(Stage::Entry, "is_reversed", table(&|found| found.is_reversed));
        let kept =
            pipe.put(Stage::Entry, "kept", if edge.is_row { texel.x } else { texel.y }).at(Stage::Turn);
        let texels = pipe.put(Stage::Entry, "texel", [texel.x, texel.y]).at(Stage::Turn);
        let last = pipe.put(Stage::Entry, "last", self.last.val()).at(Stage::Turn);
        /// # Its texel
        let from_its_end = |kept: Bits| if is_reversed.at(Stage::Turn) { last - kept } else { kept };
        let along = from_its_end(kept);
        let along = pipe.put(Stage::Turn, "along", along).at(Stage::Exit);
        let fixed = last & is_last.at(Stage::Turn).repeat(TEXEL_BITS);
        let fixed = pipe.put(Stage::Turn, "fixed", fixed).at(Stage::Exit);
        let [x, y] = pipe.put(Stage::Turn, "own", texels).at(Stage::Exit);
        let (is_row, is_column) = (is_row.at(Stage::Exit), is_column.at(Stage::Exit));
        if let Some(beside) = self.beside.as_ref() {
            let texel = pipe.put(Stage::Entry, "beside", beside.texel.val()).at(Stage::Turn);
            let beside_along = from_its_end(texel);
            beside.found.next = pipe.put(Stage::Turn, "beside_along", beside_along).at(Stage::Exit);
            beside.in_row.next = is_row;
            beside.in_column.next = is_column;
        }
        let found_x = if is_row { along } else { x };
        let found_y = if is_column { along } else { y };
        self.found.next = Texel {
            face: face.at(Stage::Exit),
            x: if is_column { fixed } else { found_x },
            y: if is_row { fixed } else { found_y },
        };
    }
}

/// What a tap and the one beside it become.
#[derive(Clone, Debug, Record)]
pub struct Found<T = Bits> {
    /// The tap.
    pub texel: Texel<T>,
    /// See [`Beside`].
    pub beside: T,
    /// See [`Beside`].
    pub in_row: T,
    /// See [`Beside`].
    pub in_column: T,
}

impl Registered for CubeEdge {
    type Input = (Texel, Edge, Bits, Bits);
    type Output = Found;
    fn moves(&self) -> usize {
        Stage::ALL.len() - 1
    }
    /// A tap, over which edge it lies, the texel beside it along that, and the last texel of a side.
    fn connect(
        &self,
        clocks: &Clocks,
        advance: Bits,
        (texel, edge, beside, last): (Texel, Edge, Bits, Bits),
    ) -> Found {
        self.clocks.follow(clocks);
        self.advance.drive(advance);
        self.texel.drive(texel);
        self.crossing.drive(edge);
        self.last.drive(last);
        let none = |bits| lit(bits, 0u32);
        let (beside, in_row, in_column) = match self.beside.as_ref() {
            Some(own) => {
                own.texel.drive(beside);
                (own.found.val(), own.in_row.val(), own.in_column.val())
            }
            None => (none(TEXEL_BITS), none(1), none(1)),
        };
        Found { texel: self.found.val(), beside, in_row, in_column }
    }
}
