//! `drawing`: the stages of the engine, wired together.
//!
//! ```text
//! tile_fetch -> depth_setup -> hidden_surfaces -> grouping -> triangle_data -> interpolation -> shade -> tile_draw -> tile_buffer -> write_back
//!                                     |                                                                     |                            |
//!                                     +--------------------------------- tile_depths -----------------------+----------------------------+
//! ```
//!
//! `tile_fetch` looks at a tile while the one before it is shaded and the one before that is written.

use super::depth_setup::DepthSetup;
use super::grouping::Grouping;
use super::hidden_surfaces::HiddenSurfaces;
use super::interpolation::Interpolation;
use super::reads::Reads;
use super::shade::Shade;
use super::shade::words::{ShadeShape, TextureAnswerWord, TextureRequestWord};
use super::tile_buffer::TileBuffer;
use super::tile_depths::TileDepths;
use super::tile_draw::TileDraw;
use super::tile_fetch::TileFetch;
use super::tile_fetch::words::{FaultWord, OrderWord};
use super::triangle_data::TriangleData;
use super::triangle_data::words::AlongWord;
use super::words::{LINE_NUMBER_BITS, QuadWord, TileShape};
use super::write_back::{LineWord, WriteBack};
use crate::engine::read_ports::LinePorts;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_spec::pixel::Part;

/// Orders that wait for the quads before them.
const ORDERS: usize = 8;
/// Quads that wait behind `grouping`.
const QUADS: usize = 16;

/// What an engine is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawingShape {
    /// Tiles.
    pub tile: TileShape,
    /// The shader.
    pub shade: ShadeShape,
}

impl DrawingShape {
    /// 32 × 32 pixels, four of them shaded a clock.
    #[must_use]
    pub fn full() -> DrawingShape {
        let tile = TileShape::FULL;
        DrawingShape { tile, shade: ShadeShape::full(AlongWord::of(&tile).width()) }
    }

    /// 16 × 16 pixels, one of them shaded a clock.
    #[must_use]
    pub fn lite() -> DrawingShape {
        let tile = TileShape::LITE;
        DrawingShape { tile, shade: ShadeShape::lite(AlongWord::of(&tile).width()) }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Drawing {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A frame starts.
    pub start: Net<In>,
    /// The line of its record.
    pub address: Net<In>,
    /// Nothing more is to be read.
    pub stops: Net<In>,
    /// Nothing is under way from memory, and nothing has come for a while.
    pub is_quiet: Net<Out>,
    /// Channel for lists and what hidden surfaces need.
    pub list_memory: LinePorts,
    /// Channel for what pixels are shaded with.
    pub data_memory: LinePorts,
    /// What textures are asked, see [`TextureRequestWord`].
    pub texture_request: StreamOut,
    /// What they answer, see [`TextureAnswerWord`].
    pub texture_answer: StreamIn,
    /// What was wrong with the first texture that could not be read.
    pub texture_fault: FaultWord<Field<In>>,
    /// The line of the store of textures, and textures of it.
    pub textures: Net<Out>,
    /// Lines to be written, see [`LineWord`].
    pub lines: StreamOut,
    /// The frame has ended; lines may still be on their way.
    pub finished: Net<Out>,
    /// With a fault.
    pub has_failed: Net<Out>,
    /// Which.
    pub fault: FaultWord<Field<Out>>,
    list_reads: Reads,
    tile_fetch: TileFetch,
    depth_setup: DepthSetup,
    hidden_surfaces: HiddenSurfaces,
    grouping: Grouping,
    grouped: SyncFifo,
    orders: SyncFifo,
    data_reads: Reads,
    triangle_data: TriangleData,
    interpolation: Interpolation,
    shade: Shade,
    tile_draw: TileDraw,
    tile_buffer: TileBuffer,
    tile_depths: TileDepths,
    write_back: WriteBack,
}

impl Drawing {
    /// The stages, with so many bits for the number of a line of memory.
    #[must_use]
    pub fn new(shape: &DrawingShape, line_bits: usize) -> Drawing {
        let DrawingShape { tile, shade } = shape;
        let (list_reads, data_reads) = (Reads::new(line_bits), Reads::new(line_bits));
        let ports = || LinePorts::new(&super::reads::read_shape(line_bits));
        Drawing {
            clocks: Clocks::new(),
            start: Net::bit(),
            address: Net::new(LINE_NUMBER_BITS),
            stops: Net::bit(),
            is_quiet: Net::bit(),
            list_memory: ports(),
            data_memory: ports(),
            texture_request: StreamOut::new(TextureRequestWord::shape().width()),
            texture_answer: StreamIn::new(TextureAnswerWord::shape().width()),
            texture_fault: FaultWord::shape().nets(),
            textures: Net::new(LINE_NUMBER_BITS),
            lines: StreamOut::new(LineWord::shape().width()),
            finished: Net::bit(),
            has_failed: Net::bit(),
            fault: FaultWord::shape().nets(),
            list_reads,
            tile_fetch: TileFetch::new(tile),
            depth_setup: DepthSetup::new(tile),
            hidden_surfaces: HiddenSurfaces::new(tile),
            grouping: Grouping::new(tile),
            grouped: SyncFifo::new(QUADS, QuadWord::of(tile).width()),
            orders: SyncFifo::new(ORDERS, OrderWord::of(tile).width()),
            data_reads,
            triangle_data: TriangleData::new(tile, shade),
            interpolation: Interpolation::new(),
            shade: Shade::new(shade),
            tile_draw: TileDraw::new(tile, shade),
            tile_buffer: TileBuffer::new(tile),
            tile_depths: TileDepths::new(tile),
            write_back: WriteBack::new(tile),
        }
    }
}

/// The stages.
#[kernel]
impl Drawing {
    fn module_name(&self) -> String {
        "drawing".into()
    }

    fn logic(&self) {
        for clocks in [
            &self.list_reads.clocks,
            &self.tile_fetch.clocks,
            &self.depth_setup.clocks,
            &self.hidden_surfaces.clocks,
            &self.grouping.clocks,
            &self.grouped.clocks,
            &self.orders.clocks,
            &self.data_reads.clocks,
            &self.triangle_data.clocks,
            &self.interpolation.clocks,
            &self.shade.clocks,
            &self.tile_draw.clocks,
            &self.tile_buffer.clocks,
            &self.tile_depths.clocks,
            &self.write_back.clocks,
        ] {
            clocks.follow(&self.clocks);
        }
        self.fetch();
        self.surfaces();
        self.groups();
        self.data();
        self.shade();
        self.draw();
        self.depths();
        self.write();
        self.end();
    }

    fn fetch(&self) {
        /// # Lists
        let (fetch, reads) = (&self.tile_fetch, &self.list_reads);
        self.list_memory.forward(&reads.memory);
        reads.stops.next = self.stops.val();
        reads.asked.take_from(&fetch.ask);
        fetch.came.next = reads.came.val();
        fetch.read_fails.next = reads.fails.val();
        fetch.failed_line.next = reads.failed_line.val();
        discard(reads.breaks.val(), "nothing more is read behind a fault");
        fetch.start.next = self.start.val();
        fetch.address.next = self.address.val();
        fetch.is_clearing.next = self.hidden_surfaces.is_clearing.val();
        fetch.is_found.next = self.hidden_surfaces.done.val();
        fetch.batch_taken.next = self.triangle_data.taken.val();
        fetch.batch_done.next = self.tile_draw.batch_done.val();
        fetch.tile_done.next = self.tile_draw.tile_done.val();
        self.textures.next = fetch.frame.textures.val();
    }

    fn surfaces(&self) {
        /// # Surfaces
        let (fetch, surfaces) = (&self.tile_fetch, &self.hidden_surfaces);
        self.depth_setup.triangles.take_from(&fetch.triangles);
        surfaces.triangles.take_from(&self.depth_setup.surfaces);
        surfaces.tile.next = fetch.tile.val();
        surfaces.clear.next = fetch.clear.val();
        surfaces.clear_depth.next = fetch.frame.clear_depth.val();
        let depths = &self.tile_depths;
        surfaces.put_valid.next = depths.put_valid.val();
        surfaces.put_place.next = depths.put_place.val();
        surfaces.put_mask.next = depths.put_mask.val();
        surfaces.put_depths.next = depths.put_depths.val();
    }

    fn groups(&self) {
        /// # Quads
        let (fetch, surfaces, grouping) = (&self.tile_fetch, &self.hidden_surfaces, &self.grouping);
        grouping.found_valid.next = surfaces.found_valid.val();
        grouping.found.next = surfaces.found.val();
        grouping.start.next = fetch.groups.val();
        fetch.groups_ready.next = grouping.start_ready.val();
        self.grouped.input.take_from(&grouping.quads);
        self.orders.input.take_from(&fetch.orders);
        for fifo in [&self.grouped, &self.orders] {
            discard(fifo.level.val(), "ready says enough");
        }
    }

    fn data(&self) {
        /// # Triangles
        let (fetch, data, reads) = (&self.tile_fetch, &self.triangle_data, &self.data_reads);
        self.data_memory.forward(&reads.memory);
        reads.stops.next = self.stops.val();
        reads.asked.take_from(&data.ask);
        data.came.next = reads.came.val();
        data.read_fails.next = reads.fails.val();
        data.failed_line.next = reads.failed_line.val();
        discard(reads.breaks.val(), "nothing more is read behind a fault");
        data.names.next = fetch.names.val();
        data.number.next = fetch.number.val();
        data.record.next = fetch.record.val();
        data.orders.take_from(&self.orders.output);
        data.quads.take_from(&self.grouped.output);
        data.slot_is_used.next = self.shade.slot_is_used.val();
        self.interpolation.input.take_from(&data.values);
    }

    fn shade(&self) {
        /// # Shading
        let shade = &self.shade;
        shade.load.take_from(&self.triangle_data.load);
        shade.quads.take_from(&self.triangle_data.shade);
        shade.values.take_from(&self.interpolation.output);
        self.texture_request.forward(&shade.texture_request);
        shade.texture_answer.forward(&self.texture_answer);
    }

    fn draw(&self) {
        /// # Tile
        let (fetch, draw, buffer) = (&self.tile_fetch, &self.tile_draw, &self.tile_buffer);
        draw.start.next = fetch.known.val();
        draw.frame.next = fetch.frame.val();
        draw.shaded.take_from(&self.shade.shaded);
        buffer.quads.take_from(&draw.quads);
        buffer.bank.next = draw.bank.val();
        buffer.clear.next = draw.clear.val();
        buffer.clear_color.next = fetch.frame.clear_color.val();
        draw.is_clearing.next = buffer.is_clearing.val();
        draw.drawn.next = buffer.drawn.val();
        draw.drawn_place.next = buffer.drawn_place.val();
        draw.drawn_mask.next = buffer.drawn_mask.val();
    }

    fn depths(&self) {
        /// # Depths
        let (fetch, surfaces, depths) = (&self.tile_fetch, &self.hidden_surfaces, &self.tile_depths);
        depths.clear.next = fetch.clear.val();
        depths.clear_depth.next = fetch.frame.clear_depth.val();
        depths.found_valid.next = surfaces.found_valid.val();
        depths.found.next = surfaces.found.val();
        depths.found_depths.next = surfaces.found_depths.val();
        depths.keeps.next = fetch.part.val() == Part::Opaque as u64;
        depths.stays.take_from(&self.tile_draw.stays);
        depths.turns.next = self.tile_draw.writes.val();
    }

    fn write(&self) {
        /// # Picture
        let (draw, buffer, depths) = (&self.tile_draw, &self.tile_buffer, &self.tile_depths);
        let write = &self.write_back;
        write.start.next = draw.writes.val();
        write.settings.next = draw.settings.val();
        draw.is_writing.next = write.is_busy.val();
        buffer.read_enable.next = write.read_enable.val();
        buffer.read_place.next = write.color_place.val();
        write.colors.next = buffer.read_colors.val();
        depths.read_enable.next = write.read_enable.val();
        depths.read_place.next = write.depth_place.val();
        write.depths.next = depths.read_depths.val();
        self.lines.forward(&write.lines);
    }

    fn end(&self) {
        /// # End
        let (fetch, data, draw) = (&self.tile_fetch, &self.triangle_data, &self.tile_draw);
        self.finished.next = draw.finished.val();
        self.has_failed.next = draw.has_failed.val();
        let of_lists = fetch.fault.val();
        let own = data.fault.val();
        let is_own = data.has_failed.val();
        let of_texture = self.texture_fault.val();
        let lacks_texels = draw.lacks_texels.val();
        let code = if is_own { own.code } else { of_lists.code };
        let address = if is_own { own.address } else { of_lists.address };
        self.fault.next = FaultWord {
            code: if lacks_texels { of_texture.code } else { code },
            address: if lacks_texels { of_texture.address } else { address },
        };
        self.is_quiet.next = self.list_reads.is_quiet.val() && self.data_reads.is_quiet.val();
    }
}
