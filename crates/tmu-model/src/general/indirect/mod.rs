//! `indirect`: from places in a primary texture to values of a secondary one, one by one or put together.
//!
//! Contract: all places of all valid pixels are read before any value, so that a failing read of the primary texture reads nothing of
//! the secondary one. A quad that fails has as many results as any other, all of them failed.
//!
//! Cost: a quad allocates nothing.

pub mod aggregate;

use super::channels::Channels;
use super::coordinate::texel_at;
use super::request;
use super::result::{of_channels, swizzled};
use super::tap::Taps;
use crate::datapath::fetch::{LineSource, SliceSource, TexelSource};
use crate::memory::{LineError, Memory};
use aggregate::{of_floats, of_unorms};
use arrayvec::ArrayVec;
use tmu_spec::Features;
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, MAX_VALUES, Role, Rule, Setup};
use tmu_spec::general::{self, Binding, General, Kind, Operation, QuadResult};

/// Values of one pixel, or places of them.
type Values<T> = ArrayVec<T, { MAX_VALUES as usize }>;

/// What two textures and a set-up break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Rules of them together.
    #[error("{}", said(.0))]
    Together(Vec<Rule>),
    /// Rules of one texture and its sampler.
    #[error("the {0} texture: {list}", list = said(.1))]
    Alone(Role, Vec<general::Rule>),
}

fn said<T: ToString>(rules: &[T]) -> String {
    rules.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// A set-up and two textures that keep every rule, made ready.
#[derive(Debug, Clone)]
pub struct Bound {
    setup: Setup,
    primary: request::Bound,
    secondary: request::Bound,
}

impl Bound {
    /// Checks two textures with their samplers and a set-up and makes them ready.
    ///
    /// # Errors
    /// The rules that they break for a unit with these features.
    pub fn new<M: Memory>(
        setup: &Setup,
        primary: &Binding,
        secondary: &Binding,
        features: &Features,
        memory: &M,
    ) -> Result<Self, Broken> {
        let broken = Rule::broken(setup, &primary.texture, &secondary.texture, features);
        if !broken.is_empty() {
            return Err(Broken::Together(broken));
        }
        let general = features.general().copied().unwrap_or(General::LEAST);
        let bound = |role, Binding { base, texture, sampler, .. }: &Binding| {
            request::Bound::new(texture, *base, sampler, features, &general, memory)
                .map_err(|rules| Broken::Alone(role, rules))
        };
        Ok(Self {
            setup: *setup,
            primary: bound(Role::Primary, primary)?,
            secondary: bound(Role::Secondary, secondary)?,
        })
    }

    /// The set-up.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    const fn textures(&self) -> Textures<'_> {
        Textures { setup: &self.setup, primary: &self.primary, secondary: &self.secondary }
    }
}

/// A set-up and two textures that keep every rule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Textures<'a> {
    setup: &'a Setup,
    primary: &'a request::Bound,
    secondary: &'a request::Bound,
}

impl<'a> Textures<'a> {
    /// Those that are bound, if they and the set-up go together.
    pub(super) fn of(
        setup: &'a Setup,
        [primary, secondary]: [Option<&'a request::Bound>; 2],
        features: &Features,
    ) -> Option<Self> {
        let (primary, secondary) = (primary?, secondary?);
        let broken = Rule::broken(setup, primary.texture(), secondary.texture(), features);
        broken.is_empty().then_some(Self { setup, primary, secondary })
    }

    /// The places at which the values of a pixel are, in the secondary texture.
    fn places<S: TexelSource>(
        &self,
        [x, y]: [i32; 2],
        taps: &mut Taps<'_, S>,
    ) -> Result<Values<[i32; 2]>, LineError> {
        let Setup { offset_u, offset_v, u_field, v_field, values, .. } = *self.setup;
        let place = |number: i32| {
            let moved = |start: i32, offset: i16| start.wrapping_add(number.wrapping_mul(offset.into()));
            let [x, y] = [moved(x, offset_u), moved(y, offset_v)];
            let stored = match inside(self.primary, [x, y]) {
                Some([x, y]) => taps.integers(x, y)?,
                None => [0; 4],
            };
            Ok([u_field, v_field].map(|field| stored[field as usize] as i32))
        };
        (0..values as i32).map(place).collect()
    }

    /// The value at a place of the secondary texture.
    fn value<S: TexelSource>(&self, place: [i32; 2], taps: &mut Taps<'_, S>) -> Result<Channels, LineError> {
        let channels = match inside(self.secondary, place) {
            Some([x, y]) => taps.texel(self.secondary.level(0), [x, y, 0])?,
            None => [0; 4],
        };
        Ok(swizzled(self.secondary, channels, taps.are_floats()))
    }
}

/// The texel of level 0 at an integer place; none beyond an edge that has a border.
fn inside(bound: &request::Bound, [x, y]: [i32; 2]) -> Option<[u32; 2]> {
    let [width, height, _] = bound.level(0).size;
    let x = texel_at(bound.axis(0).mode, x, width)?;
    let y = if bound.texture().kind() == Kind::D1 { 0 } else { texel_at(bound.axis(1).mode, y, height)? };
    Some([x, y])
}

/// The results of a quad, in the order in which they leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndirectResults(Values<QuadResult>);

impl IndirectResults {
    /// Those of a quad that could not be looked up.
    ///
    /// # Panics
    /// If there are more than [`MAX_VALUES`].
    #[must_use]
    pub fn failed(results: u32, valid: u8) -> Self {
        Self((0..results).map(|_| QuadResult::failed(valid)).collect())
    }

    /// A single one.
    #[must_use]
    pub(super) fn one(result: QuadResult) -> Self {
        Self(std::iter::once(result).collect())
    }

    /// The results.
    #[must_use]
    pub fn as_slice(&self) -> &[QuadResult] {
        &self.0
    }
}

/// Looks a quad up.
#[must_use]
pub fn look_up<M: Memory>(bound: &Bound, quad: &IndirectQuad, memory: &M) -> IndirectResults {
    look_up_textures(bound.textures(), quad, memory)
}

/// The same of textures that are bound one by one.
pub(super) fn look_up_textures<M: Memory>(
    bound: Textures<'_>,
    quad: &IndirectQuad,
    memory: &M,
) -> IndirectResults {
    let results = bound.setup.results();
    let Textures { primary, secondary, .. } = bound;
    let bytes = |of: &request::Bound| memory.contiguous(of.base(), of.bytes());
    let looked_up = match (bytes(primary), bytes(secondary)) {
        (Some(places), Some(values)) => look_up_in(bound, quad, SliceSource(places), SliceSource(values)),
        _ => {
            let lines = |of: &request::Bound| LineSource { memory, base: of.base() };
            look_up_in(bound, quad, lines(primary), lines(secondary))
        }
    };
    looked_up.unwrap_or_else(|LineError| IndirectResults::failed(results, quad.valid))
}

fn look_up_in<S: TexelSource>(
    bound: Textures<'_>,
    quad: &IndirectQuad,
    mut primary: S,
    mut secondary: S,
) -> Result<IndirectResults, LineError> {
    let mut taps = Taps::new(bound.primary, &mut primary, Operation::Fetch);
    let mut places: [Values<[i32; 2]>; 4] = Default::default();
    for pixel in (0..4).filter(|pixel| quad.is_valid(*pixel)) {
        places[pixel] = bound.places(quad.places[pixel], &mut taps)?;
    }
    let mut taps = Taps::new(bound.secondary, &mut secondary, Operation::Fetch);
    let empty = QuadResult { valid: quad.valid & 0xf, ..QuadResult::default() };
    let mut results: Values<QuadResult> = (0..bound.setup.results()).map(|_| empty).collect();
    for pixel in (0..4).filter(|pixel| quad.is_valid(*pixel)) {
        let values: Values<Channels> =
            places[pixel].iter().map(|place| bound.value(*place, &mut taps)).collect::<Result<_, _>>()?;
        let put = put_together(bound, values, taps.are_floats());
        for (result, channels) in std::iter::zip(&mut results, put) {
            result.channels[pixel] = of_channels(bound.secondary, channels, taps.are_floats());
        }
    }
    Ok(IndirectResults(results))
}

/// What the values of a pixel are by the operation: all of them, or one.
fn put_together(bound: Textures<'_>, values: Values<Channels>, are_floats: bool) -> Values<Channels> {
    let operation = bound.setup.operation;
    if operation == Aggregate::None || values.len() == 1 {
        return values;
    }
    let channel = |number: usize| {
        let own: Values<u32> = values.iter().map(|channels| channels[number]).collect();
        if are_floats {
            of_floats(operation, &own)
        } else {
            of_unorms(operation, &own, bound.secondary.general().channel_bits)
        }
    };
    std::iter::once(std::array::from_fn(channel)).collect()
}
