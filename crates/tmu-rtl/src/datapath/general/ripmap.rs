//! `ripmap`: of a quad of a ripmap its level along u and its level along v.
//!
//! The levels of a ripmap are smaller along u and along v, each by itself. So such a quad goes through `lod` twice: first with its edges
//! along u alone, then with those along v, and what was chosen for both is put together behind. All other items pass as they are.
//!
//! Contract: `turned` goes to `lod`, and `leveled` comes from there, in order. With both levels of detail at 0 or below it the filter is
//! that of magnification. What is fetched is a texel of the whole picture, and a gather takes its texels from the largest level.
//! `input.ready` depends on `turned.ready`, and `leveled.ready` on `output.ready`, in the same clock.
//!
//! Cost: no latency; a quad of a ripmap takes two turns. No multipliers, no RAM.

use super::words::{
    ItemHead, LEVEL_BITS, LeveledItem, LookUp, ProjectedItem, field_of, has_fetch, has_field, has_gather,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::MipFilter;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::field::{HEIGHT, MAG, MIP, REGISTER_BITS, WIDTH};

/// What is kept of a binding in front of `lod`, and a quad's turn there.
#[derive(Bundle)]
struct Front {
    is_ripmap: Reg,
    is_second: Reg,
}

/// What is kept of a binding behind `lod`, and what was chosen in a quad's first turn.
#[derive(Bundle)]
struct Behind {
    is_ripmap: Reg,
    mag_is_linear: Reg,
    /// The number of the last level along u and along v.
    last: Vec<Reg>,
    is_second: Reg,
    level: Reg,
    is_linear: Reg,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Ripmap {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A [`ProjectedItem`].
    pub input: StreamIn,
    /// The same, or one of its turns.
    pub turned: StreamOut,
    /// A [`LeveledItem`] of what went out.
    pub leveled: StreamIn,
    /// The same, with both levels of a ripmap.
    pub output: StreamOut,
    front: Front,
    behind: Behind,
    _config: Config,
}

impl Ripmap {
    /// The stage for a configuration with ripmaps.
    pub fn new(config: &Config) -> Ripmap {
        let clocks = Clocks::new();
        let zero = |bits: usize| Reg::with_reset(&clocks, bits, 0);
        let projected_bits = ProjectedItem::of(config).width();
        let leveled_bits = LeveledItem::of(config).width();
        Ripmap {
            input: StreamIn::new(projected_bits),
            turned: StreamOut::new(projected_bits),
            leveled: StreamIn::new(leveled_bits),
            output: StreamOut::new(leveled_bits),
            front: Front { is_ripmap: zero(1), is_second: zero(1) },
            behind: Behind {
                is_ripmap: zero(1),
                mag_is_linear: Reg::new(&clocks, 1),
                last: Reg::array(2, &clocks, LEVEL_BITS),
                is_second: zero(1),
                level: Reg::new(&clocks, LEVEL_BITS),
                is_linear: Reg::new(&clocks, 1),
            },
            clocks,
            _config: config.clone(),
        }
    }
}

/// A quad of a ripmap twice through `lod`.
#[kernel]
impl Ripmap {
    fn logic(&self) {
        timing(0, 1);
        self.turn();
        self.join();
    }

    /// One bit: an operation does not choose levels.
    fn is_whole(&self, operation: Bits) -> Bits {
        (has_fetch(&self._config) && operation == OperationName::Fetch as u64)
            || (has_gather(&self._config) && operation == OperationName::Gather as u64)
    }

    fn turn(&self) {
        /// # Turns
        let (shape, Front { is_ripmap, is_second }) = (ProjectedItem::of(&self._config), &self.front);
        let item = shape.unpack(self.input.data.val());
        let mip = field_of(item.places[0].u.low(REGISTER_BITS as usize), MIP);
        let (comes, moves) = (self.input.valid.val(), self.turned.ready.val());
        if comes && moves && has_field(&item.head, MIP) {
            is_ripmap.next = mip == MipFilter::Ripmap as u64;
        }
        let is_double = is_ripmap.val() && !item.head.is_binding && !self.is_whole(item.marks.operation);
        let is_first = is_double && !is_second.val();
        if comes && moves {
            is_second.next = is_first;
        }
        self.turned.valid.next = comes;
        self.input.ready.next = moves && !is_first;
        let kept = |edge: Bits, turn: Bits| edge & (!is_double || turn).repeat(edge.width());
        let edge = |[u, v, w]: [Bits; 3]| [kept(u, !is_second.val()), kept(v, is_second.val()), w];
        let edges = item.edges.map(edge);
        self.turned.data.next = shape.pack(&ProjectedItem { edges, ..item });
    }

    fn join(&self) {
        /// # Levels along u and v
        let shape = LeveledItem::of(&self._config);
        let Behind { is_ripmap, mag_is_linear, last, is_second, level, is_linear } = &self.behind;
        let item = shape.unpack(self.leveled.data.val());
        let (comes, moves) = (self.leveled.valid.val(), self.output.ready.val());
        self.keep(&item, comes && moves);
        let LookUp { is_fetch, is_gather, ripmap: none, .. } = item.look_up.clone();
        none.into_iter().for_each(|of_axis| discard(of_axis, "`lod` knows one level"));
        let is_quad = is_ripmap.val() && !item.head.is_binding;
        let is_double = is_quad && !is_fetch && !is_gather;
        let is_first = is_double && !is_second.val();
        if comes && (moves || is_first) {
            is_second.next = is_first;
        }
        if is_first {
            level.next = item.level;
            is_linear.next = item.is_linear;
        }
        self.output.valid.next = comes && !is_first;
        self.leveled.ready.next = moves || is_first;
        /// Both turns are magnified where both have that filter, whichever it is.
        let (one, other) = (is_linear.val(), item.is_linear);
        let filter = if mag_is_linear.val() { one && other } else { one || other };
        let along = |axis: usize| {
            let own = if axis == 0 { level.val() } else { item.level };
            let most = last[axis].val();
            let limited = if own > most { most } else { own };
            let number = limited & (!is_gather).repeat(LEVEL_BITS);
            (number + 1) & (is_quad && !is_fetch).repeat(LEVEL_BITS)
        };
        let numbers = [along(0), along(1)];
        self.output.data.next = shape.pack(&LeveledItem {
            look_up: LookUp { ripmap: numbers, ..item.look_up.clone() },
            is_linear: if is_double { filter } else { item.is_linear },
            level: item.level & (!is_double).repeat(LEVEL_BITS),
            ..item
        });
    }

    /// Keeps what a binding says.
    fn keep(&self, item: &LeveledItem, moves: Bits) {
        /// # Binding
        // Slices of the item, not of a net between, whose unread bits would be in the Verilog.
        let field = |of| field_of(item.places[0].u.low(REGISTER_BITS as usize), of);
        let takes = |head: &ItemHead, of| moves && has_field(head, of);
        if takes(&item.head, MIP) {
            self.behind.is_ripmap.next = field(MIP) == MipFilter::Ripmap as u64;
            self.behind.mag_is_linear.next = field(MAG);
        }
        for (last, side) in self.behind.last.iter().zip([WIDTH, HEIGHT]) {
            if takes(&item.head, side) {
                /// The picture has twice the sides, powers of two: one less has a bit for each level.
                last.next = lit(LEVEL_BITS, side.bits - 1) - field(side).leading_zeros();
            }
        }
    }
}
