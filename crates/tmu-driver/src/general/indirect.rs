//! Indirect look-ups: set up, request, read values.

use super::built::Built;
use super::codes::{Aggregate, Component, INDIRECT_OPERATION, Kind, MAX_VALUES, OPERATION_SHIFT};
use super::field::{SECONDARY, setup as field};
use super::quad::{Pixel, Quad};
use super::result::QuadResult;
use super::texture::{Sampler, Texture, packet, set};
use crate::{Bus, Capabilities, Error, Format, Refusal, Tmu};

/// How a quad is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// What becomes of the values.
    pub operation: Aggregate,
    /// How many values a pixel has: 1 to 4.
    pub values: u32,
    /// Texels of the primary texture from a value's place to that of the next one, along x.
    pub offset_u: i16,
    /// The same along y.
    pub offset_v: i16,
    /// Which component of a primary texel is x in the secondary texture: R, G, B or A.
    pub u_field: Component,
    /// Which is y; nothing where the secondary texture is a row.
    pub v_field: Component,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            operation: Aggregate::None,
            values: 1,
            offset_u: 0,
            offset_v: 0,
            u_field: Component::R,
            v_field: Component::G,
        }
    }
}

/// An indirect look-up: its two textures and its set-up.
#[derive(Debug, Clone, Copy)]
pub struct Indirect<'a> {
    /// The texture that holds places.
    pub primary: (&'a Texture, &'a Sampler),
    /// The one that holds values.
    pub secondary: (&'a Texture, &'a Sampler),
    /// How quads are looked up.
    pub setup: Setup,
    /// Textures that have been queued.
    queued: u8,
}

/// Four pixels, 2 x 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndirectQuad {
    /// The texel of the primary texture at which the first value of each pixel is found: x and y.
    pub places: [[i32; 2]; 4],
    /// Bit i: pixel i counts. Only four bits count.
    pub valid: u8,
}

/// A value of each pixel, or what has become of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The result.
    pub result: QuadResult,
    /// No other value of the quad follows.
    pub is_last: bool,
}

impl<'a> Indirect<'a> {
    /// One that is to be set up.
    #[must_use]
    pub const fn new(
        primary: (&'a Texture, &'a Sampler),
        secondary: (&'a Texture, &'a Sampler),
        setup: Setup,
    ) -> Self {
        Self { primary, secondary, setup, queued: 0 }
    }

    /// Whether a core takes both textures, and the set-up with them.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self, core: Capabilities, built: Built) -> Result<(), Refusal> {
        if !built.has_indirect() {
            return Err(Refusal::Indirect);
        }
        for (texture, sampler) in [self.primary, self.secondary] {
            texture.check(sampler, core, built)?;
        }
        let is_flat = |texture: &Texture| matches!(texture.kind, Kind::D1 | Kind::D2);
        let (primary, secondary, setup) = (self.primary.0, self.secondary.0, &self.setup);
        let has_fields = holds(primary.format, setup.u_field)
            && (secondary.kind == Kind::D1 || holds(primary.format, setup.v_field))
            && setup.v_field as u32 <= Component::A as u32;
        let has_values = (1..=MAX_VALUES).contains(&setup.values);
        if is_flat(primary) && is_flat(secondary) && has_fields && has_values {
            Ok(())
        } else {
            Err(Refusal::Indirect)
        }
    }
}

/// Whether texels of a format may be places, by this component.
fn holds(format: Format, component: Component) -> bool {
    match component {
        Component::R => format.holds_places(),
        Component::G => format.holds_green(),
        Component::B => format.holds_blue(),
        Component::A => format.holds_alpha(),
        Component::Zero | Component::One => false,
    }
}

impl Setup {
    /// Its word, the lower half first.
    fn words(&self) -> [u32; 2] {
        let mut words = [0; 2];
        for (field, value) in [
            (&field::OPERATION, self.operation as u32),
            (&field::VALUES, self.values.wrapping_sub(1)),
            (&field::U_FIELD, self.u_field as u32),
            (&field::V_FIELD, self.v_field as u32),
            (&field::OFFSET_U, self.offset_u as u32),
            (&field::OFFSET_V, self.offset_v as u32),
        ] {
            set(&mut words, field, value);
        }
        words
    }
}

impl<B: Bus> Tmu<B> {
    /// Sets an indirect look-up up: queues both its textures. The primary one is that of other quads too. False: the stream is full,
    /// try again, as often as it takes.
    ///
    /// # Errors
    /// If the core would refuse it; nothing is sent then.
    pub fn set_up_indirect(
        &mut self,
        unit: u32,
        look_up: &mut Indirect<'_>,
    ) -> Result<bool, Error<B::Error>> {
        self.check_general(unit)?;
        look_up.check(self.capabilities(), self.built).map_err(Error::Refused)?;
        if look_up.queued == 0 {
            let (texture, sampler) = look_up.primary;
            look_up.queued += u8::from(self.bus().send(unit, &texture.to_beats(sampler))?);
        }
        if look_up.queued == 1 {
            let (texture, sampler) = look_up.secondary;
            let mut words = texture.words(sampler);
            set(&mut words, &SECONDARY, 1);
            look_up.queued += u8::from(self.bus().send(unit, &packet(&words))?);
        }
        Ok(look_up.queued == 2)
    }

    /// Requests values by a set-up, of textures that [`Tmu::set_up_indirect`] or [`Tmu::use_entry`] has bound. False: the stream is
    /// full; collect results, then try again.
    ///
    /// # Errors
    /// If indirect look-ups are not built, or there are no values or too many.
    pub fn request_indirect(
        &mut self,
        unit: u32,
        setup: &Setup,
        quad: &IndirectQuad,
    ) -> Result<bool, Error<B::Error>> {
        self.check_general(unit)?;
        let fields = [setup.u_field, setup.v_field];
        let is_known = fields.iter().all(|field| *field as u32 <= Component::A as u32);
        if !self.built.has_indirect() || !(1..=MAX_VALUES).contains(&setup.values) || !is_known {
            return Err(Error::Refused(Refusal::Indirect));
        }
        let one = self.built.one();
        let pixel = |[x, y]: [i32; 2]| Pixel { u: x as u32, v: y as u32, q: one, ..Pixel::default() };
        let places = Quad { valid: quad.valid, ..Quad::new(quad.places.map(pixel)) };
        let [low, high] = setup.words();
        let operation = [0, INDIRECT_OPERATION << (OPERATION_SHIFT % 32), low, high];
        let is_one_beat = self.capabilities().beats_per_quad() == 1;
        let (beats, count) = places.packet(operation, true, self.built, is_one_beat);
        Ok(self.bus().send(unit, &beats[..count])?)
    }

    /// The oldest value that was not collected: those of a quad one after the other, in the order of the quads. A quad that could not
    /// be looked up has one, with an error.
    ///
    /// # Errors
    /// If there is no such unit, or the platform fails.
    pub fn collect_indirect(&mut self, unit: u32) -> Result<Option<Value>, Error<B::Error>> {
        self.check_general(unit)?;
        let numbers = self.built.result();
        let value = |beat| Value { result: QuadResult::from_beat(&beat, numbers), is_last: beat.last };
        Ok(self.bus().receive(unit)?.map(value))
    }
}
