//! A frame as it is put into memory.

use super::TEXTURE_WORDS;
use super::clip::{Corner, Polygon, clip};
use super::error::Error;
use super::layout::{self, frame, position, state, triangle, vertex_colors};
use super::record::{Arena, LINE_BYTES, Record};
use super::set_up::{Placed, area, inverse_area};
use super::settings::{MOST_BLEND, MOST_COMPARE, MOST_CULL, SETS, Settings, State, StateAddress, Triangle};
use super::tiles::{Lists, touched};
use super::transform::Viewport;

/// The most entries of a list.
const MOST_ENTRIES: u32 = (1 << frame::LIST_LIMIT.bits) - 1;
/// The most textures of the store.
const MOST_TEXTURES: usize = 256;

/// A frame while it is made.
#[derive(Debug)]
pub struct Frame<'m> {
    arena: Arena<'m>,
    lists: &'m mut [Lists],
    settings: Settings,
    viewport: Viewport,
    textures: (u32, usize),
    triangles: u32,
    record_bytes: usize,
}

impl<'m> Frame<'m> {
    /// A frame in a memory whose first byte the pipeline sees at `base`. There is a list for each tile, whatever is in it.
    ///
    /// # Errors
    /// What does not fit.
    pub fn new(
        memory: &'m mut [u8],
        base: u32,
        lists: &'m mut [Lists],
        settings: Settings,
        textures: &[[u32; TEXTURE_WORDS]],
    ) -> Result<Self, Error> {
        settings.check()?;
        if base == 0 || !base.is_multiple_of(LINE_BYTES as u32) {
            return Err(Error::Base);
        }
        if textures.len() > MOST_TEXTURES {
            return Err(Error::Textures);
        }
        let [across, down] = settings.tile.tiles(settings.width, settings.height);
        let lists = lists.get_mut(..(across * down) as usize).ok_or(Error::Lists)?;
        lists.fill(Lists::EMPTY);
        let mut arena = Arena::new(memory, base);
        let store = arena.take(0)?;
        for texture in textures {
            arena.put(texture)?;
        }
        let record_bytes = arena.used();
        let viewport = Viewport { corner: [0.0; 2], size: [settings.width as f32, settings.height as f32] };
        Ok(Self {
            arena,
            lists,
            settings,
            viewport,
            textures: (store, textures.len()),
            triangles: 0,
            record_bytes,
        })
    }

    /// Where the cube from −1 to 1 is on the screen from now on; at first the whole frame.
    pub const fn set_viewport(&mut self, viewport: Viewport) {
        self.viewport = viewport;
    }

    /// Puts an encoded program; gives its address.
    ///
    /// # Errors
    /// [`Error::Program`] and [`Error::Memory`].
    pub fn program(&mut self, bytes: &[u8]) -> Result<u32, Error> {
        if !bytes.starts_with(b"TPS1") || !bytes.len().is_multiple_of(LINE_BYTES) {
            return Err(Error::Program);
        }
        let address = self.arena.take(bytes.len())?;
        for (at, word) in (address..).step_by(4).zip(bytes.chunks_exact(4)) {
            self.arena.set(at, u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        }
        self.record_bytes += bytes.len();
        Ok(address)
    }

    /// Puts a state; gives what triangles name it by.
    ///
    /// # Errors
    /// What does not fit.
    pub fn state(&mut self, settings: &State) -> Result<StateAddress, Error> {
        let State { program, sets, has_colors, .. } = *settings;
        if sets as usize > SETS {
            return Err(Error::Sets);
        }
        if settings.blend > MOST_BLEND || settings.alpha_compare > MOST_COMPARE {
            return Err(Error::Code);
        }
        if !program.is_multiple_of(LINE_BYTES as u32) {
            return Err(Error::Alignment);
        }
        // Stages that sample nothing may have any; 0 is what they have if nothing is said.
        if settings.textures.iter().any(|texture| *texture != 0 && usize::from(*texture) >= self.textures.1) {
            return Err(Error::Textures);
        }
        let mut record = Record::<{ state::WORDS }>::new()
            .with(state::PROGRAM, 0, program)
            .with(state::BLEND, 0, settings.blend)
            .with(state::ALPHA_COMPARE, 0, settings.alpha_compare)
            .with(state::ALPHA_REFERENCE, 0, settings.alpha_reference.into())
            .with(state::SETS, 0, sets)
            .with(state::HAS_COLORS, 0, has_colors.into());
        for (number, texture) in settings.textures.iter().enumerate() {
            record = record.with(state::TEXTURES, number, u32::from(*texture));
        }
        for (number, value) in settings.bump.iter().flatten().enumerate() {
            record = record.with(state::BUMP, number, *value as u32);
        }
        for (number, value) in settings.constants.iter().flatten().enumerate() {
            record = record.with(state::CONSTANTS, number, *value as u32);
        }
        let address = self.arena.put(record.words())?;
        self.record_bytes += 4 * state::WORDS;
        Ok(StateAddress { address, sets, has_colors })
    }

    /// Clips a triangle, sets up what is left of it, and sorts it into tiles.
    ///
    /// # Errors
    /// [`Error::Code`]; [`Error::Memory`], and the frame is then without some of it.
    pub fn triangle(&mut self, how: &Triangle, corners: &[Corner; 3]) -> Result<(), Error> {
        if how.compare > MOST_COMPARE || how.cull > MOST_CULL {
            return Err(Error::Code);
        }
        let polygon: Polygon = clip(corners, &self.viewport);
        let corners = polygon.corners();
        let Some(first) = corners.first() else { return Ok(()) };
        for pair in corners[1..].windows(2) {
            self.piece(how, [first, &pair[0], &pair[1]])?;
        }
        Ok(())
    }

    /// A triangle that needs no clipping.
    fn piece(&mut self, how: &Triangle, corners: [&Corner; 3]) -> Result<(), Error> {
        let placed = corners.map(Placed::new);
        let places = placed.map(|corner| corner.place);
        let area = area(&places);
        if area == 0 || (how.cull == 1 && area > 0) || (how.cull == 2 && area < 0) {
            return Ok(());
        }
        let size = [self.settings.width, self.settings.height];
        let Self { arena, lists, settings, triangles, record_bytes, .. } = self;
        let mut address = None;
        touched(&places, settings.tile, size, |tile| {
            let triangle = match address {
                Some(address) => address,
                None => {
                    let before = arena.used();
                    let triangle = *address.insert(put(arena, how, &corners, &placed)?);
                    *triangles += 1;
                    *record_bytes += arena.used() - before;
                    triangle
                }
            };
            lists[tile as usize].add(arena, how.part, triangle)
        })
    }

    /// Puts lists and the frame's record; gives the address of the record.
    ///
    /// # Errors
    /// [`Error::Memory`] and [`Error::List`].
    pub fn finish(mut self) -> Result<u32, Error> {
        let tiles = self.arena.take(4 * self.lists.len())?;
        let mut most = 0;
        for (at, list) in (tiles..).step_by(4).zip(self.lists.iter()) {
            let (entry, entries) = list.finish(&mut self.arena);
            self.arena.set(at, entry);
            most = most.max(entries);
        }
        if most > MOST_ENTRIES {
            return Err(Error::List);
        }
        let Settings { width, height, .. } = self.settings;
        let mut record = Record::<{ frame::WORDS }>::new()
            .with(frame::MAGIC, 0, layout::FRAME_MAGIC)
            .with(frame::WIDTH_LESS_ONE, 0, width - 1)
            .with(frame::HEIGHT_LESS_ONE, 0, height - 1)
            .with(frame::TILE, 0, self.settings.tile as u32)
            .with(frame::OUTPUT, 0, self.settings.output)
            .with(frame::DITHERS, 0, self.settings.dithers.into())
            .with(frame::LIST_LIMIT, 0, most)
            .with(frame::CLEAR_DEPTH, 0, self.settings.clear_depth.to_bits())
            .with(frame::TILES, 0, tiles)
            .with(frame::TEXTURES, 0, self.textures.0)
            .with(frame::TEXTURE_COUNT, 0, self.textures.1 as u32)
            .with(frame::PICTURE, 0, self.settings.picture)
            .with(frame::PICTURE_PITCH, 0, self.settings.picture_pitch);
        for (number, channel) in self.settings.clear_color.iter().enumerate() {
            record = record.with(frame::CLEAR_COLOR, number, u32::from(*channel));
        }
        if let Some([address, pitch]) = self.settings.depth {
            record = record.with(frame::WRITES_DEPTH, 0, 1).with(frame::DEPTH, 0, address).with(
                frame::DEPTH_PITCH,
                0,
                pitch,
            );
        }
        self.arena.put(record.words())
    }

    /// Bytes that textures' bindings, programs, states, triangles and vertices take so far: all but lists.
    #[must_use]
    pub const fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    /// Triangles that were put so far, pieces of clipped ones among them.
    #[must_use]
    pub const fn triangles(&self) -> u32 {
        self.triangles
    }
}

/// Puts a triangle with its vertices; gives its address.
fn put(
    arena: &mut Arena<'_>,
    how: &Triangle,
    corners: &[&Corner; 3],
    placed: &[Placed; 3],
) -> Result<u32, Error> {
    let mut record = Record::<{ triangle::WORDS }>::new()
        .with(triangle::STATE, 0, how.state.address)
        .with(triangle::INVERSE_AREA, 0, inverse_area(&placed.map(|corner| corner.place)).to_bits())
        .with(triangle::COMPARE, 0, how.compare)
        .with(triangle::CULL, 0, how.cull);
    for (number, (corner, placed)) in corners.iter().zip(placed).enumerate() {
        let head = Record::<{ position::WORDS }>::new()
            .with(position::X, 0, placed.place[0] as u32)
            .with(position::Y, 0, placed.place[1] as u32)
            .with(position::Z, 0, placed.z.to_bits())
            .with(position::RHW, 0, placed.rhw.to_bits());
        record = record.with(triangle::VERTICES, number, arena.put(head.words())?);
        if how.state.has_colors {
            let mut colors = Record::<{ vertex_colors::WORDS }>::new();
            for (field, color) in [vertex_colors::FIRST, vertex_colors::SECOND].into_iter().zip(corner.colors)
            {
                for (channel, value) in color.into_iter().enumerate() {
                    colors = colors.with(field, channel, (value.clamp(0.0, 255.0) + 0.5) as u32);
                }
            }
            arena.put(colors.words())?;
        }
        for set in corner.coordinates.iter().take(how.state.sets as usize) {
            arena.put(&set.map(|value| (value * placed.rhw).to_bits()))?;
        }
    }
    arena.put(record.words())
}
