//! The stages of indirect look-ups one behind the other against `tmu_model::general::indirect::look_up`: quads go through `look_ahead`
//! and `places`, a list stands for the stages up to `filter`, which fetches with the golden model and takes any time, and what it gives
//! goes through `fields` back or through `aggregate` out. Direct quads lie between, and lines of both textures fail.

use crate::general_look_ahead::first_row_of;
use crate::support::{configs, is_high, number};
use rand::Rng;
use std::collections::{BTreeSet, VecDeque};
use tmu_hdl::prelude::*;
use tmu_model::general::unit::Unit;
use tmu_model::{LineError, Memory, MemoryImage};
use tmu_rtl::datapath::general::indirect::aggregate::{Aggregate, Marks};
use tmu_rtl::datapath::general::indirect::fields::{Choice as PlaceChoice, Fields};
use tmu_rtl::datapath::general::indirect::look_ahead::{Coming, Going, LookAhead};
use tmu_rtl::datapath::general::indirect::places::{Extent, Places, QuadPlaces, QuadTexels};
use tmu_rtl::datapath::general::result::{PixelSample, QuadSample, Shown};
use tmu_rtl::datapath::general::words::{PIXELS, PLACE_BITS};
use tmu_spec::choice::Choice;
use tmu_spec::general::indirect::{Aggregate as Operation, IndirectQuad, Part, Setup};
use tmu_spec::general::texture::Shape as TextureShape;
use tmu_spec::general::{
    Binding, Component, General, Kind, Operation as RequestOperation, Pixel, Quad, QuadResult, ResultNumbers,
    Sampler, Swizzle, Texture,
};
use tmu_spec::{AddressMode, Config, Features, Format};
use tmu_stages::{Check, Flow, Rig};

const CASES: usize = 24;
const QUADS: usize = 40;
/// Valid bits, and a number that a direct quad shows.
const REST_BITS: usize = 12;
/// Items that the list may hold.
const MOST_ON_WAY: usize = 60;

/// Formats of places, bits of a component, and how many there are.
const PLACES: [(Format, u32, usize); 7] = [
    (Format::Rgba8, 8, 4),
    (Format::Rgb8, 8, 3),
    (Format::R8, 8, 1),
    (Format::Rg8, 8, 2),
    (Format::R16, 16, 1),
    (Format::Rg16, 16, 2),
    (Format::Rgba16, 16, 4),
];

/// Memory of which some lines cannot be read.
#[derive(Clone)]
struct Broken {
    image: MemoryImage<Vec<u8>>,
    lines: BTreeSet<u32>,
}

impl Memory for Broken {
    fn read_line(&self, line: u32) -> Result<[u8; 16], LineError> {
        if self.lines.contains(&line) { Err(LineError) } else { self.image.read_line(line) }
    }
}

/// Two textures in memory, and a set-up.
struct Case {
    primary: Binding,
    secondary: Binding,
    setup: Setup,
    are_bytes: bool,
    memory: Broken,
}

/// A unit whose results are the channels of texels.
fn features(of: &Texture) -> Features {
    let mut general = General::ALL;
    general.channel_bits = 16;
    general.result = if of.format().is_float() { ResultNumbers::Fp32 } else { ResultNumbers::Unorm16 };
    Features::GENERAL.with_general(general, 12)
}

fn binding(check: &mut Check, format: Format, base: u32) -> Binding {
    let kind = check.pick(&[Kind::D1, Kind::D2]);
    let width = check.rng.random_range(1..40);
    let height = if kind == Kind::D1 { 1 } else { check.rng.random_range(1..30) };
    let shape = TextureShape { kind, width, height, depth: 1, levels: 1, format };
    let swizzle = Swizzle([(); 4].map(|()| check.pick(Component::CHOICES)));
    let texture = Texture::packed(shape, swizzle, false).expect("it is legal");
    let address = [(); 3].map(|()| check.pick(AddressMode::CHOICES));
    Binding { base, texture, sampler: Sampler { address, ..Sampler::default() }, drop_cache: false }
}

impl Case {
    fn any(check: &mut Check) -> Case {
        let (format, bits, parts) = check.pick(&PLACES);
        let values = check.pick(&[Format::Rgba8, Format::Rg16, Format::Rgba32f, Format::R16f]);
        let primary = binding(check, format, 64);
        let end = (64 + primary.texture.bytes()).next_multiple_of(16);
        let secondary = binding(check, values, end);
        let lines = (end + secondary.texture.bytes()).div_ceil(16);
        let bytes = (0..16 * lines).map(|_| check.rng.random()).collect();
        let broken = if check.one_in(2) { lines / 15 + 1 } else { 0 };
        let broken = (0..broken).map(|_| check.rng.random_range(0..lines)).collect();
        let part = |check: &mut Check| check.pick(&Part::CHOICES[..parts]);
        let setup = Setup {
            operation: check.pick(Operation::CHOICES),
            values: check.rng.random_range(1..=4),
            offset_u: check.rng.random_range(-3..4),
            offset_v: if check.one_in(6) { check.rng.random() } else { check.rng.random_range(-3..4) },
            u_field: part(check),
            v_field: part(check),
        };
        let memory = Broken { image: MemoryImage::new(0, bytes), lines: broken };
        Case { primary, secondary, setup, are_bytes: bits == 8, memory }
    }

    fn expected(&self, quad: &IndirectQuad) -> Vec<QuadResult> {
        let mut unit = Unit::new(&self.memory, features(&self.secondary.texture));
        let bound = unit.bind_indirect(&self.setup, &self.primary, &self.secondary);
        bound.unwrap_or_else(|broken| panic!("{broken}"));
        unit.look_up(quad).as_slice().to_vec()
    }

    /// The texels of a pass: of the first one without a swizzle.
    fn fetched(&self, is_first: bool, valid: u8, texels: [[u32; 2]; PIXELS]) -> QuadResult {
        let of = if is_first { &self.primary } else { &self.secondary };
        let swizzle = if is_first { Swizzle::NONE } else { of.texture.swizzle() };
        let texture = Texture::packed(*of.texture.shape(), swizzle, false).expect("it is legal");
        let mut unit = Unit::new(&self.memory, features(&texture));
        unit.bind(&texture, of.base, &of.sampler).unwrap_or_else(|broken| panic!("{broken:?}"));
        let pixels = texels.map(|[u, v]| Pixel { u, v, ..Pixel::default() });
        unit.sample(&Quad { pixels, valid, lod: 0, operation: RequestOperation::Fetch })
    }
}

/// What comes: a register of a binding, behind which another case holds, an indirect quad, or a direct one with its number.
enum Item {
    Binding,
    Indirect(IndirectQuad),
    Direct(u8, u32),
}

/// What is on its way between `places` and `filter`.
struct OnWay {
    due: usize,
    case: usize,
    going: Going,
    valid: u8,
    texels: [[u32; 2]; PIXELS],
}

/// The stages and what lies between.
struct Bench {
    look_ahead: Rig<LookAhead>,
    places: Rig<Places>,
    fields: Rig<Fields>,
    aggregate: Rig<Aggregate>,
    config: Config,
    cases: Vec<Case>,
    /// The case that holds: nothing of another one is under way.
    bound: usize,
    on_way: VecDeque<OnWay>,
    owed: Flow<QuadResult>,
    clock: usize,
}

impl Bench {
    fn new(cases: Vec<Case>) -> Bench {
        let config = configs::indirect();
        let along = Going::of(REST_BITS).width();
        Bench {
            look_ahead: Rig::new("look_ahead", LookAhead::new(REST_BITS)),
            places: Rig::new("indirect_places", Places::new(&config, along)),
            fields: Rig::new("fields", Fields::new(&config)),
            aggregate: Rig::new("aggregate", Aggregate::new(&config, MOST_ON_WAY)),
            config,
            cases,
            bound: 0,
            on_way: VecDeque::new(),
            owed: Flow::default(),
            clock: 0,
        }
    }

    fn drive(&mut self, check: &mut Check, item: &Item) {
        let setup = self.cases[self.bound].setup;
        let (is_binding, is_indirect) = (matches!(item, Item::Binding), matches!(item, Item::Indirect(_)));
        let (valid, shows, places) = match item {
            Item::Binding => (0, 0, [[0; 2]; PIXELS]),
            Item::Direct(valid, shows) => (*valid, *shows, [[check.rng.random(); 2]; PIXELS]),
            Item::Indirect(quad) => (quad.valid, 0, quad.places),
        };
        let (operation, more) = if is_indirect { (setup.operation as u32, setup.values - 1) } else { (0, 0) };
        let offsets = [setup.offset_u, setup.offset_v];
        self.look_ahead.input.valid.drive(true);
        self.look_ahead.input.data.drive(Coming::of(REST_BITS).pack(&Coming {
            is_binding: number(1, is_binding),
            is_indirect: number(1, is_indirect),
            marks: Marks { operation: number(3, operation), more: number(2, more) },
            offsets: offsets.map(|offset| number(16, offset.cast_unsigned())),
            valid: number(PIXELS, valid),
            row: first_row_of(valid.into(), more, offsets),
            choice: PlaceChoice {
                components: [setup.u_field, setup.v_field].map(|field| number(2, field as u64)),
                are_bytes: number(1, self.cases[self.bound].are_bytes),
            },
            places: places.map(|place| place.map(|place| number(PLACE_BITS, place.cast_unsigned()))),
            rest: number(REST_BITS, shows),
        }));
    }

    /// What `look_ahead` gives goes into `places`.
    fn hand_on(&mut self) {
        let going = self.look_ahead.output.data.val();
        let item = Going::of(REST_BITS).unpack(going);
        let case = &self.cases[self.bound];
        let of = if is_high(item.is_second_pass) { &case.secondary } else { &case.primary };
        let size = of.texture.shape().level_size(0);
        let extent = |axis: usize| Extent {
            last: number(12, size[axis] - 1),
            mode: number(3, of.sampler.address[axis].code()),
        };
        let is_looked_up = is_high(item.is_first_pass) || is_high(item.is_second_pass);
        self.places.input.valid.drive(self.look_ahead.output.valid.val());
        self.places.input.data.drive(QuadPlaces::of(going.width()).pack(&QuadPlaces {
            is_pass: number(1, is_looked_up),
            valid: item.valid,
            places: item.places,
            extents: [extent(0), extent(1)],
            is_row: number(1, of.texture.kind() == Kind::D1),
            along: going,
        }));
    }

    /// What `places` gives is on its way.
    fn send(&mut self, check: &mut Check, most: usize) {
        let along_bits = Going::of(REST_BITS).width();
        let quad = QuadTexels::of(along_bits).unpack(self.places.output.data.val());
        let going = Going::of(REST_BITS).unpack(quad.along);
        if is_high(going.is_binding) {
            return;
        }
        let case = &self.cases[self.bound];
        let of = if is_high(going.is_second_pass) { &case.secondary } else { &case.primary };
        let is_row = of.texture.kind() == Kind::D1;
        let texels = quad.texels.map(|[column, row]| {
            let of = |texel: Bits| if is_high(texel.bit(31)) { u32::MAX } else { texel.to_u64() as u32 };
            [of(column), if is_row { 0 } else { of(row) }]
        });
        let after = self.on_way.back().map_or(0, |last| last.due + 1);
        let due = after.max(self.clock + check.rng.random_range(1..most));
        let valid = going.valid.to_u64() as u8;
        self.on_way.push_back(OnWay { due, case: self.bound, going, valid, texels });
    }

    /// What arrives at `filter` goes back, or out.
    fn arrive(&mut self) {
        self.fields.in_valid.drive(false);
        self.aggregate.in_valid.drive(false);
        let has_room = is_high(self.aggregate.has_room.val());
        if !has_room || self.on_way.front().is_none_or(|item| item.due > self.clock) {
            return;
        }
        let OnWay { case, going, valid, texels, .. } = self.on_way.pop_front().expect("it is there");
        let case = &self.cases[case];
        let is_first = is_high(going.is_first_pass);
        let is_looked_up = is_first || is_high(going.is_second_pass);
        let result = if is_high(going.is_failed) {
            QuadResult::failed(valid)
        } else if is_looked_up {
            case.fetched(is_first, valid, texels)
        } else {
            shown_by(valid, going.rest.to_u64() as u32)
        };
        let are_floats = is_looked_up && !is_first && case.secondary.texture.format().is_float();
        let sample = sample(&self.config, &result, are_floats);
        if is_first {
            self.fields.in_valid.drive(true);
            self.fields.sample.drive(sample);
            self.fields.choice.are_bytes.drive(going.choice.are_bytes);
            for (to, of) in self.fields.choice.components.iter().zip(going.choice.components) {
                to.drive(of);
            }
            self.fields.ends_pass.drive(going.ends_pass);
            self.fields.row.is_of_pixel.drive(going.row.is_of_pixel);
            self.fields.row.number.drive(going.row.number);
            self.fields.more.drive(going.marks.more);
        } else {
            self.aggregate.in_valid.drive(true);
            self.aggregate.sample.drive(sample);
            self.aggregate.marks.operation.drive(going.marks.operation);
            self.aggregate.marks.more.drive(going.marks.more);
            self.aggregate.ends_quad.drive(going.ends_pass);
        }
    }

    /// A clock; whether what comes is taken.
    fn clock(&mut self, check: &mut Check, most: usize) -> bool {
        self.fields.settle();
        self.aggregate.settle();
        self.look_ahead.back_valid.drive(self.fields.out_valid.val());
        let back = self.fields.back.val();
        self.look_ahead.back.fails.drive(back.fails);
        self.look_ahead.back.ends_pass.drive(back.ends_pass);
        self.look_ahead.back.row.is_of_pixel.drive(back.row.is_of_pixel);
        self.look_ahead.back.row.number.drive(back.row.number);
        self.look_ahead.back.more.drive(back.more);
        let fields = back.fields.as_flattened();
        self.look_ahead.back.fields.iter().flatten().zip(fields).for_each(|(to, from)| to.drive(*from));
        self.arrive();
        self.aggregate.out_ready.drive(!check.one_in(3));
        let accepts = self.on_way.len() < MOST_ON_WAY && !check.one_in(5);
        self.places.output.ready.drive(accepts);
        self.places.settle();
        self.look_ahead.output.ready.drive(self.places.input.ready.val());
        self.look_ahead.settle();
        self.hand_on();
        self.places.settle();
        if accepts && is_high(self.places.output.valid.val()) {
            self.send(check, most);
        }
        self.aggregate.settle();
        if is_high(self.aggregate.done.val()) {
            let expected = self.owed.next(check);
            let got = result(&self.config, self.aggregate.out_sample.val(), &expected);
            check.same(format_args!("result of case {}", self.bound), got, expected);
        }
        let takes = is_high(self.look_ahead.input.ready.val()) && is_high(self.look_ahead.input.valid.val());
        self.look_ahead.tick();
        self.places.tick();
        self.fields.tick();
        self.aggregate.tick();
        self.clock += 1;
        takes
    }
}

/// What a direct quad shows.
fn shown_by(valid: u8, shows: u32) -> QuadResult {
    let mut result = QuadResult { valid, ..QuadResult::default() };
    for pixel in (0..PIXELS).filter(|pixel| valid >> pixel & 1 == 1) {
        result.channels[pixel] = [shows; 4];
    }
    result
}

/// A quad of samples as `filter` hands it on, whose channels show themselves.
fn sample(config: &Config, result: &QuadResult, are_floats: bool) -> Bits {
    let shape = QuadSample::of(config);
    let pixel = |place: usize| {
        let of = &shape.pixels[place];
        PixelSample {
            channels: [0, 1, 2, 3]
                .map(|at: usize| number(of.channels[at].value_bits(), result.channels[place][at])),
            shown: [0, 1, 2, 3].map(|at: usize| Shown {
                channel: number(2, at as u64),
                is_constant: number(1, 0u32),
                is_one: number(1, 0u32),
            }),
        }
    };
    shape.pack(&QuadSample {
        valid: number(PIXELS, result.valid),
        fails: number(1, result.error),
        are_floats: number(1, are_floats),
        is_last: number(1, 1u32),
        pixels: [0, 1, 2, 3].map(pixel),
    })
}

/// The result that a quad of samples is: pixels that do not count, and all of a quad that failed, are 0.
fn result(config: &Config, packed: Bits, expected: &QuadResult) -> QuadResult {
    let sample = QuadSample::of(config).unpack(packed);
    let (valid, error) = (sample.valid.to_u64() as u8, is_high(sample.fails));
    let mut result = QuadResult { valid, error, ..*expected };
    result.channels = std::array::from_fn(|pixel| {
        let counts = valid >> pixel & 1 == 1 && !error;
        std::array::from_fn(|at| if counts { sample.pixels[pixel].channels[at].to_u64() as u32 } else { 0 })
    });
    result
}

#[test]
fn stages_of_indirect_look_ups() {
    let mut check = Check::new("general_indirect");
    let cases: Vec<Case> = (0..CASES).map(|_| Case::any(&mut check)).collect();
    let mut bench = Bench::new(cases);
    let mut failed = 0;
    for case in 0..CASES {
        bench.bound = case;
        let most = check.pick(&[4, 100]);
        for at in 0..=QUADS {
            let valid = check.rng.random_range(0..16);
            let item = match check.rng.random_range(0..3) {
                _ if at == 0 => Item::Binding,
                0 => Item::Direct(valid, check.rng.random_range(0..1 << 12)),
                _ => {
                    let mut place = || {
                        if check.one_in(12) { check.rng.random() } else { check.rng.random_range(-60..60) }
                    };
                    let places = [(); PIXELS].map(|()| [place(), place()]);
                    Item::Indirect(IndirectQuad { places, valid })
                }
            };
            match &item {
                Item::Binding => {}
                Item::Direct(valid, shows) => bench.owed.put(shown_by(*valid, *shows)),
                Item::Indirect(quad) => {
                    let expected = bench.cases[case].expected(quad);
                    failed += usize::from(expected[0].error);
                    expected.into_iter().for_each(|expected| bench.owed.put(expected));
                }
            }
            bench.drive(&mut check, &item);
            while !bench.clock(&mut check, most) {}
        }
        bench.look_ahead.input.valid.drive(false);
        let mut clocks = 0;
        while !bench.owed.is_empty() {
            clocks += 1;
            check.holds(clocks < 40_000, "something is left for ever");
            bench.clock(&mut check, most);
        }
    }
    check.at_least((CASES * QUADS) as u64);
    assert!((30..CASES * QUADS / 2).contains(&failed), "{failed} quads fail");
}
