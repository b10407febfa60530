//! `depth_setup`: the plane of depth of each triangle, on the way from `tile_fetch` to `hidden_surfaces`.
//!
//! What goes along with a triangle waits in a FIFO until its plane comes; ends wait there too.
//!
//! Cost: two clocks a triangle. Latency that of `triangle_setup`.

use super::hidden_surfaces::{DepthPlane, SurfaceWord};
use super::tile_fetch::words::TriangleWord;
use super::triangle_setup::{PlaneWord, SetupWord, TriangleSetup};
use super::words::{SINGLE_BITS, TileShape};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;

/// Triangles that wait for their planes.
const WAITING: usize = 16;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct DepthSetup {
    /// Clock and reset.
    pub clocks: Clocks,
    /// See [`TriangleWord`].
    pub triangles: StreamIn,
    /// See [`SurfaceWord`].
    pub surfaces: StreamOut,
    setup: TriangleSetup,
    waiting: SyncFifo,
    /// The triangle was opened.
    is_open: Reg,
    _shape: TileShape,
}

impl DepthSetup {
    /// The stage for tiles of a shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> DepthSetup {
        let clocks = Clocks::new();
        DepthSetup {
            triangles: StreamIn::new(TriangleWord::of(shape).width()),
            surfaces: StreamOut::new(SurfaceWord::of(shape).width()),
            setup: TriangleSetup::new(),
            waiting: SyncFifo::new(WAITING, SurfaceWord::of(shape).width()),
            is_open: Reg::with_reset(&clocks, 1, 0),
            clocks,
            _shape: *shape,
        }
    }
}

/// Triangles to surfaces.
#[kernel]
impl DepthSetup {
    fn module_name(&self) -> String {
        "depth_setup".into()
    }

    fn logic(&self) {
        /// # Triangles
        let (setup, waiting) = (&self.setup, &self.waiting);
        setup.clocks.follow(&self.clocks);
        waiting.clocks.follow(&self.clocks);
        let word = TriangleWord::of(&self._shape).unpack(self.triangles.data.val());
        let comes = self.triangles.valid.val();
        let is_open = self.is_open.val();
        let room = waiting.input.ready.val();
        let opens = comes && !word.is_end && !is_open;
        let sends = comes && !word.is_end && is_open && room;
        setup.input.valid.next = opens || sends;
        setup.input.data.next = SetupWord::shape().pack(&SetupWord { opens, ..word.setup.clone() });
        discard(word.setup.opens, "it is opened here");
        let goes = sends && setup.input.ready.val();
        if opens && setup.input.ready.val() {
            self.is_open.next = 1;
        } else if goes {
            self.is_open.next = 0;
        }
        let ends = comes && word.is_end;
        self.triangles.ready.next = goes || (ends && room);
        waiting.input.valid.next = goes || ends;
        let shape = SurfaceWord::of(&self._shape);
        let none = || lit(SINGLE_BITS, 0u32);
        let depth = DepthPlane { e: none(), f: none(), g: none() };
        waiting.input.data.next = shape.pack(&SurfaceWord {
            is_end: word.is_end,
            number: word.number,
            compare: word.compare,
            cull: word.cull,
            keeps: word.keeps,
            places: word.setup.places,
            depth,
        });
        discard(waiting.level.val(), "ready says enough");
        /// # Surfaces
        let kept = shape.unpack(waiting.output.data.val());
        discard(cat(&[kept.depth.e, kept.depth.f, kept.depth.g]), "the plane comes by itself");
        let PlaneWord { e, f, g, tag } = PlaneWord::shape().unpack(setup.output.data.val());
        discard(tag, "there is one value");
        let has_plane = setup.output.valid.val() || kept.is_end;
        let leaves = waiting.output.valid.val() && has_plane;
        let ready = self.surfaces.ready.val();
        self.surfaces.valid.next = leaves;
        self.surfaces.data.next = shape.pack(&SurfaceWord { depth: DepthPlane { e, f, g }, ..kept.clone() });
        waiting.output.ready.next = ready && has_plane;
        setup.output.ready.next = ready && waiting.output.valid.val() && !kept.is_end;
    }
}
