//! `depth_setup`: the plane of depth of each triangle, on the way from `tile_fetch` to `hidden_surfaces`.
//!
//! What goes along with a triangle waits in a FIFO until its plane comes; ends wait there too.
//!
//! Cost: eight clocks a triangle. Latency that of `triangle_setup`.

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
    _shape: TileShape,
}

impl DepthSetup {
    /// The stage for tiles of a shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> DepthSetup {
        DepthSetup {
            triangles: StreamIn::new(TriangleWord::of(shape).width()),
            surfaces: StreamOut::new(SurfaceWord::of(shape).width()),
            setup: TriangleSetup::new(),
            waiting: SyncFifo::new(WAITING, SurfaceWord::of(shape).width()),
            clocks: Clocks::new(),
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
        let room = waiting.input.ready.val();
        setup.input.valid.next = comes && !word.is_end && room;
        setup.input.data.next = SetupWord::shape().pack(&word.setup);
        let goes = setup.input.moves();
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
