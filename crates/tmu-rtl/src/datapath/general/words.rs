//! What passes between the stages of the general numerics.
//!
//! In front of `probes` everything moves in items under a handshake, in request order: a register of a binding's record, or a quad.
//! A binding is [`REGISTERS`](field::REGISTERS) items, one for each register of 32 bits, by rising number. Each stage keeps what it
//! needs of a register when the item passes, so that quads in front of a binding still see the one before.

use super::axis::COORDINATE_BITS;
use tmu_hdl::prelude::*;
use tmu_spec::binding::field::Field as RecordField;
use tmu_spec::format::Texel;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::packet::Extras;
use tmu_spec::general::{General, Kind as TextureKind, field};
use tmu_spec::{AddressMode, Config, Format};

/// Axes of a texture, at most.
pub const AXES: usize = 3;
/// Pixels of a quad.
pub const PIXELS: usize = 4;
/// Bits of a number of a request.
pub const NUMBER_BITS: usize = 32;
/// Bits of the number of a register of a binding's record.
pub const REGISTER_NUMBER_BITS: usize = 5;
/// Bits of a coordinate as it is projected: s16.20.
pub const PLACE_BITS: usize = 36;
/// Bits of a difference of two coordinates.
pub const EDGE_BITS: usize = 37;
/// Bits of the number of a level.
pub const LEVEL_BITS: usize = 4;
/// Bits of the weight of a smaller level: 0 to 255 of 256.
pub const FRACTION_BITS: usize = 8;
/// Bits of the weight of a probe: 0 to 65536.
pub const PROBE_WEIGHT_BITS: usize = 17;
/// Bits of the number of a slice of a volume or a layer of an array.
pub const SLICE_BITS: usize = 12;
/// Bits of the number of a component.
pub const COMPONENT_BITS: usize = 2;
/// Bits of the logarithm of the number of parts of a long footprint: 0 to 4.
pub const PARTS_LOG2_BITS: usize = 3;
/// Bits of an operation: its [`OperationName`].
pub const OPERATION_BITS: usize = 3;
/// Bits of the logarithm of the lanes that a pixel has in a row: 0 to 2.
pub const SPREAD_BITS: usize = 2;

/// Probes that are worked on at once, a lane each. With several, `probes` puts up to so many of a quad into a row, all of one level,
/// and all lanes move in step; without, a row is a probe.
pub fn lanes(config: &Config) -> usize {
    config.datapath().pixels_per_clock() as usize
}

/// What the configuration has of the general numerics.
pub(crate) fn general(config: &Config) -> General {
    config.features().general().copied().unwrap_or(General::LEAST)
}

/// Bits of the number of a face of a cube; none without cubes.
pub fn face_bits(config: &Config) -> usize {
    if general(config).has_kind(TextureKind::Cube) { 3 } else { 0 }
}

/// Bits of the number of a slice: a face of a cube, a slice of a volume or a layer of an array.
pub fn slice_bits(config: &Config) -> usize {
    if has_third_axis(config) { SLICE_BITS } else { face_bits(config) }
}

/// Whether the colour around a texture is seen.
pub fn has_border(config: &Config) -> bool {
    config.features().has_address_mode(AddressMode::Border)
}

/// Whether there are volumes or arrays, which have a third coordinate.
pub fn has_third_axis(config: &Config) -> bool {
    let general = general(config);
    general.has_kind(TextureKind::D3) || general.has_kind(TextureKind::D2Array)
}

/// Whether texels are asked for by their numbers.
pub fn has_fetch(config: &Config) -> bool {
    general(config).has_operation(OperationName::Fetch)
}

/// Whether there are several levels: to choose from, or of which texels are asked for.
pub fn has_levels(config: &Config) -> bool {
    config.features().mipmaps() || has_fetch(config)
}

/// Whether texels of one texture are the places of those in another: in units of several lanes.
pub fn has_indirect(config: &Config) -> bool {
    general(config).indirect && lanes(config) > 1
}

/// Whether a component of four texels is asked for.
pub fn has_gather(config: &Config) -> bool {
    general(config).has_operation(OperationName::Gather)
}

/// Whether a probe may have a part of its sample only.
pub fn has_weights(config: &Config) -> bool {
    let general = general(config);
    general.trilinear || general.max_anisotropy > 1 || general.has_kind(TextureKind::D3)
}

/// Whether probes lie beside their pixels, along the longer axis of a footprint.
pub fn has_parts(config: &Config) -> bool {
    general(config).max_anisotropy > 1
}

/// Whether a probe may lie over the edge of a cube: the two taps on a face come together.
pub fn has_pairs(config: &Config) -> bool {
    general(config).has_kind(TextureKind::Cube) && config.features().bilinear()
}

/// Whether a pixel may have several lanes.
pub fn has_spread(config: &Config) -> bool {
    lanes(config) > 1 && has_parts(config)
}

/// Whether an item is a row of several lanes.
pub fn has_rows(config: &Config) -> bool {
    lanes(config) > 1 && config.features().general().is_some()
}

/// The parts of a request behind u and v.
pub fn extras(config: &Config) -> Extras {
    Extras::of(&general(config))
}

/// The part of the item that tells what it is.
#[derive(Clone, Debug, Record)]
pub struct ItemHead<T = Bits> {
    /// It is a register of a binding.
    pub is_binding: T,
    /// Number of the register, see [`field::place`].
    pub register: T,
}

impl ItemHead<Width> {
    /// Its shape.
    pub fn shape() -> ItemHead<Width> {
        ItemHead { is_binding: Width::bits(1), register: Width::bits(REGISTER_NUMBER_BITS) }
    }
}

/// One bit: the item is the register in which a field of the record lies.
#[kernel]
pub(crate) fn has_field(head: &ItemHead, of: RecordField) -> Bits {
    let (register, _) = field::place(of);
    head.is_binding && head.register == u64::from(register)
}

/// Numbers of the registers of a secondary texture's binding begin here: those of the first two words. Those of the other words, which
/// say nothing of level 0, have [`OTHER_SECONDARY_REGISTER`]. A verdict has that of any binding.
pub const FIRST_SECONDARY_REGISTER: u32 = 1 << (REGISTER_NUMBER_BITS - 1) | 1 << (REGISTER_NUMBER_BITS - 2);
/// The number of a register of a secondary texture's binding in which nobody looks for anything: the limits of its level of detail.
pub const OTHER_SECONDARY_REGISTER: u32 = FIRST_SECONDARY_REGISTER + field::place(field::MIN_LOD).0;

const _: () = assert!(FIRST_SECONDARY_REGISTER > field::REGISTERS);

/// One bit: the item is the register of a secondary texture's binding in which a field of the record lies, one of the first two words.
#[kernel]
pub(crate) fn has_secondary_field(head: &ItemHead, of: RecordField) -> Bits {
    let (register, _) = field::place(of);
    head.is_binding && head.register == u64::from(FIRST_SECONDARY_REGISTER + register)
}

/// One bit: a register is one of a secondary texture's binding, not its verdict.
#[kernel]
pub(crate) fn is_secondary_register(register: Bits) -> Bits {
    register.bit(REGISTER_NUMBER_BITS - 1) && register.bit(REGISTER_NUMBER_BITS - 2)
}

/// A field of a register in which it lies.
#[kernel]
pub(crate) fn field_of(register: Bits, of: RecordField) -> Bits {
    let (_, shift) = field::place(of);
    register.slice(shift as usize, of.bits as usize)
}

/// What goes for a whole quad.
#[derive(Clone, Debug, Record)]
pub struct QuadMarks<T = Bits> {
    /// Pixels that count.
    pub valid: T,
    /// Its binding broke a rule, or the unit does not do what it asks for: it reads nothing and is answered with an error.
    pub is_failed: T,
    /// What is done: the number of its [`OperationName`].
    pub operation: T,
    /// The component that a gather returns.
    pub component: T,
    /// Level of detail or bias, an IEEE single.
    pub lod: T,
}

/// Which pass of an indirect look-up a quad is, if any. Both are fetches.
#[derive(Clone, Debug, Record)]
pub struct Pass<T = Bits> {
    /// The first one: texels are places, as they are stored.
    pub is_first: T,
    /// The second one: texels are those of the secondary texture.
    pub is_second: T,
}

impl Pass<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> Pass<Width> {
        let bit = Width::bits(1).when(has_indirect(config));
        Pass { is_first: bit, is_second: bit }
    }
}

impl Pass {
    /// None.
    pub fn none() -> Pass {
        Pass { is_first: lit(1, 0u32), is_second: lit(1, 0u32) }
    }
}

impl QuadMarks<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> QuadMarks<Width> {
        let has_operation = extras(config).operation;
        QuadMarks {
            valid: Width::bits(PIXELS),
            is_failed: Width::bits(1),
            operation: Width::bits(OPERATION_BITS).when(has_operation),
            component: Width::bits(COMPONENT_BITS).when(has_gather(config)),
            lod: Width::bits(NUMBER_BITS).when(has_operation),
        }
    }
}

/// A pixel as it is asked for.
#[derive(Clone, Debug, Record)]
pub struct PixelNumbers<T = Bits> {
    /// First coordinate.
    pub u: T,
    /// Second coordinate.
    pub v: T,
    /// Third coordinate.
    pub w: T,
    /// What the coordinates are divided by.
    pub q: T,
    /// Depth that texels are compared with, an IEEE single.
    pub reference: T,
}

/// What `request` hands to `projection`. The data of a binding's register stand in `u` of pixel 0.
#[derive(Clone, Debug, Record)]
pub struct RequestItem<T = Bits> {
    /// What it is.
    pub head: ItemHead<T>,
    /// What goes for the whole quad.
    pub marks: QuadMarks<T>,
    /// The pixels.
    pub pixels: [PixelNumbers<T>; PIXELS],
}

impl RequestItem<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> RequestItem<Width> {
        let number = Width::bits(NUMBER_BITS);
        let pixel = || PixelNumbers {
            u: number,
            v: number,
            w: number.when(extras(config).third),
            q: number.when(general(config).projective),
            reference: number.when(general(config).compare),
        };
        RequestItem {
            head: ItemHead::shape(),
            marks: QuadMarks::of(config),
            pixels: [pixel(), pixel(), pixel(), pixel()],
        }
    }
}

/// Where a pixel is. Of a fetch the coordinates are integers: texels, and in `w` a slice, a layer or a face.
#[derive(Clone, Debug, Record)]
pub struct Place<T = Bits> {
    /// First coordinate, s16.20.
    pub u: T,
    /// Second coordinate.
    pub v: T,
    /// Third coordinate: of a volume, or a layer.
    pub w: T,
    /// The face of a cube that it shows.
    pub face: T,
    /// Depth that texels are compared with, an IEEE single.
    pub reference: T,
}

impl Place<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> Place<Width> {
        let coordinate = Width::bits(PLACE_BITS);
        let face_bits = face_bits(config);
        let has_cube = face_bits > 0;
        Place {
            u: coordinate,
            v: coordinate,
            w: coordinate.when(has_third_axis(config) || (has_cube && has_fetch(config))),
            face: Width::bits(face_bits.max(1)).when(has_cube),
            reference: Width::bits(NUMBER_BITS).when(general(config).compare),
        }
    }
}

/// What `projection` hands to `lod`. The data of a binding's register stand in the low bits of `u` of place 0.
#[derive(Clone, Debug, Record)]
pub struct ProjectedItem<T = Bits> {
    /// What it is.
    pub head: ItemHead<T>,
    /// What goes for the whole quad.
    pub marks: QuadMarks<T>,
    /// Where each pixel is.
    pub places: [Place<T>; PIXELS],
    /// Signed differences along the row (right less left), then along the column (lower less upper): of u, of v, and in volumes of w.
    /// Those of a cube are of the places on the face of the first valid pixel.
    pub edges: [[T; AXES]; 2],
    /// A pixel at an end of an edge does not lie in front of that face.
    pub is_behind: T,
}

impl ProjectedItem<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> ProjectedItem<Width> {
        let place = || Place::of(config);
        let has_cube = general(config).has_kind(TextureKind::Cube);
        let edge = Width::bits(EDGE_BITS);
        ProjectedItem {
            head: ItemHead::shape(),
            marks: QuadMarks::of(config),
            places: [place(), place(), place(), place()],
            edges: [[edge, edge, edge.when(general(config).has_kind(TextureKind::D3))]; 2],
            is_behind: Width::bits(1).when(has_cube),
        }
    }
}

/// What `lod` hands to `probes`. The data of a binding's register stand as in [`ProjectedItem`].
#[derive(Clone, Debug, Record)]
pub struct LeveledItem<T = Bits> {
    /// What it is.
    pub head: ItemHead<T>,
    /// Pixels that count.
    pub valid: T,
    /// It reads nothing and is answered with an error.
    pub is_failed: T,
    /// Where each pixel is.
    pub places: [Place<T>; PIXELS],
    /// How texels are looked up.
    pub look_up: LookUp<T>,
    /// Two weighted texels along each axis.
    pub is_linear: T,
    /// The larger one of its levels.
    pub level: T,
    /// The weight of the next smaller level, of 256; 0 if it is not taken.
    pub fraction: T,
    /// log2 of the number of parts of a long footprint, each with a probe of its own in each level.
    pub parts_log2: T,
    /// The longer edge of the footprint: signed differences of u and of v.
    pub deltas: [T; 2],
}

/// How texels are looked up, where it is not a sample.
#[derive(Clone, Debug, Record)]
pub struct LookUp<T = Bits> {
    /// Coordinates are integers: one texel, without filter and address mode.
    pub is_fetch: T,
    /// The level of a fetch is none of the texture.
    pub is_outside: T,
    /// A component of each of the four texels of a linear footprint.
    pub is_gather: T,
    /// Which component.
    pub component: T,
    /// Whether it is a pass of an indirect look-up.
    pub pass: Pass<T>,
    /// Of a ripmap the number of its level along u and that along v, plus one; 0 of what is none, or what is read as the whole picture.
    pub ripmap: [T; 2],
}

impl LookUp<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> LookUp<Width> {
        let bit = Width::bits(1);
        LookUp {
            is_fetch: bit.when(has_fetch(config)),
            is_outside: bit.when(has_fetch(config)),
            is_gather: bit.when(has_gather(config)),
            component: Width::bits(COMPONENT_BITS).when(has_gather(config)),
            pass: Pass::of(config),
            ripmap: [Width::bits(LEVEL_BITS).when(general(config).ripmaps); 2],
        }
    }
}

impl LookUp {
    /// A sample.
    pub fn sample() -> LookUp {
        let none = || lit(1, 0u32);
        LookUp {
            is_fetch: none(),
            is_outside: none(),
            is_gather: none(),
            component: lit(COMPONENT_BITS, 0u32),
            pass: Pass::none(),
            ripmap: [lit(LEVEL_BITS, 0u32), lit(LEVEL_BITS, 0u32)],
        }
    }
}

impl LeveledItem<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> LeveledItem<Width> {
        let place = || Place::of(config);
        LeveledItem {
            head: ItemHead::shape(),
            valid: Width::bits(PIXELS),
            is_failed: Width::bits(1),
            places: [place(), place(), place(), place()],
            look_up: LookUp::of(config),
            is_linear: Width::bits(1).when(config.features().bilinear() || has_gather(config)),
            level: Width::bits(LEVEL_BITS).when(has_levels(config)),
            fraction: Width::bits(FRACTION_BITS).when(general(config).trilinear),
            parts_log2: Width::bits(PARTS_LOG2_BITS).when(has_parts(config)),
            deltas: [Width::bits(EDGE_BITS).when(has_parts(config)); 2],
        }
    }
}

/// What `probes` hands to `coordinate`, one a clock, in each lane: a register of a binding, whose data stand in the low bits of `u`, or
/// a probe. A quad has one probe at least.
///
/// With several lanes a row has the parts of one pixel, or those of pixels one behind the other: lane l has part `4k + l` of a pixel
/// with four parts or more, part `l & 1` of the pixel `2k + (l >> 1)` where pixels have two, and pixel `l` where they have one. `spread`
/// tells which. A register comes in all lanes. What is the same for the whole quad, its level among it, is right in lanes without a
/// probe too: `is_binding`, `register`, `is_failed`, `ends_quad`, `valid`, `look_up`, `is_linear`, `level`, `spread`.
#[derive(Clone, Debug, Record)]
pub struct Probe<T = Bits> {
    /// What it is.
    pub head: ItemHead<T>,
    /// Its pixel.
    pub pixel: T,
    /// It counts: it reads texels. A quad without a valid pixel, or one that failed, has one probe that does not.
    pub is_valid: T,
    /// Its quad is answered with an error.
    pub is_failed: T,
    /// It is an entry of a colour table.
    pub is_table: T,
    /// It is the last probe of its pixel; with several lanes its row is.
    pub ends_pixel: T,
    /// It is the last probe of its quad; with several lanes its row is.
    pub ends_quad: T,
    /// log2 of the lanes that its pixel has in the row.
    pub spread: T,
    /// The valid bits of the quad.
    pub valid: T,
    /// First coordinate, with 20 bits behind the point.
    pub u: T,
    /// Second coordinate.
    pub v: T,
    /// Third coordinate.
    pub w: T,
    /// The face of a cube.
    pub face: T,
    /// Depth that texels are compared with.
    pub reference: T,
    /// How texels are looked up.
    pub look_up: LookUp<T>,
    /// Two weighted texels along each axis.
    pub is_linear: T,
    /// Its level.
    pub level: T,
    /// Its part of the sample, of 65536; in a volume that of its slices together.
    pub weight: T,
}

impl Probe<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> Probe<Width> {
        let LeveledItem { head, valid, is_failed, look_up, is_linear, level, .. } = LeveledItem::of(config);
        let Place { w, face, reference, .. } = Place::of(config);
        Probe {
            head,
            pixel: Width::bits(2),
            is_valid: Width::bits(1),
            is_failed,
            is_table: Width::bits(1).when(config.features().has_color_table()),
            ends_pixel: Width::bits(1),
            ends_quad: Width::bits(1),
            spread: Width::bits(SPREAD_BITS).when(has_spread(config)),
            valid,
            u: Width::bits(COORDINATE_BITS),
            v: Width::bits(COORDINATE_BITS),
            w,
            face,
            reference,
            look_up,
            is_linear,
            level,
            weight: Width::bits(PROBE_WEIGHT_BITS).when(has_weights(config)),
        }
    }
}

/// What a probe and its items take along for the filter.
#[derive(Clone, Debug, Record)]
pub struct QuadEnds<T = Bits> {
    /// Its pixel.
    pub pixel: T,
    /// It counts: it reads texels.
    pub is_valid: T,
    /// Its quad is answered with an error.
    pub is_failed: T,
    /// It is an entry of a colour table.
    pub is_table: T,
    /// Its texture is the secondary one of indirect look-ups, which has a colour table of its own.
    pub is_secondary: T,
    /// It is the last probe of its pixel.
    pub ends_pixel: T,
    /// It is the last probe of its quad.
    pub ends_quad: T,
    /// log2 of the lanes that its pixel has in the row.
    pub spread: T,
    /// The valid bits of the quad.
    pub valid: T,
    /// Its part of the sample, of 65536.
    pub weight: T,
    /// Depth that texels are compared with.
    pub reference: T,
    /// The result is a component of each tap.
    pub is_gather: T,
    /// Which one.
    pub component: T,
}

impl QuadEnds<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> QuadEnds<Width> {
        let Probe { pixel, is_valid, is_failed, is_table, ends_pixel, ends_quad, spread, valid, .. } =
            Probe::of(config);
        let Probe { weight, reference, look_up: LookUp { is_gather, component, pass, .. }, .. } =
            Probe::of(config);
        QuadEnds {
            pixel,
            is_valid,
            is_failed,
            is_table,
            is_secondary: pass.is_second.when(config.features().has_color_table()),
            ends_pixel,
            ends_quad,
            spread,
            valid,
            weight,
            reference,
            is_gather,
            component,
        }
    }
}

impl QuadEnds {
    /// Those of a probe.
    pub(crate) fn of_probe(probe: &Probe) -> QuadEnds {
        QuadEnds {
            pixel: probe.pixel,
            is_valid: probe.is_valid,
            is_failed: probe.is_failed,
            is_table: probe.is_table,
            is_secondary: probe.look_up.pass.is_second,
            ends_pixel: probe.ends_pixel,
            ends_quad: probe.ends_quad,
            spread: probe.spread,
            valid: probe.valid,
            weight: probe.weight,
            reference: probe.reference,
            is_gather: probe.look_up.is_gather,
            component: probe.look_up.component,
        }
    }
}

/// Taps of a probe, by the parity of their texel's column and row: even row's even and odd column, then the odd row's. A place in
/// this order is a bank of texels too.
pub const TAPS: usize = 4;
/// Bits of the weight of an odd column or row, 0 to 256.
pub const ODD_WEIGHT_BITS: usize = 9;
/// Compressed tiles that an item may read.
pub const BLOCKS: usize = 2;

/// Which words of the banks of texels an item reads. Of a compressed tile both halves stand in every column of banks: the low one
/// in the even row, the high one in the odd row; so each column of banks reads a tile of its own.
#[derive(Clone, Debug, Record)]
pub struct WordSelect<T = Bits> {
    /// The bank of tags of the tile that each bank of texels reads: parity of its row above that of its column.
    pub banks: [T; TAPS],
    /// Bit 1 of the texel's row, of the even and the odd rows; 0 of compressed tiles.
    pub upper_row: [T; 2],
}

impl WordSelect<Width> {
    /// Its shape.
    pub fn shape() -> WordSelect<Width> {
        WordSelect { banks: [Width::bits(2); TAPS], upper_row: [Width::bits(1); 2] }
    }
}

/// What an item takes along through the cache to the filter. The taps of a probe come in one item, or in several of which each
/// brings some. Taps that no item brings are without weight.
#[derive(Clone, Debug, Record)]
pub struct ProbeTap<T = Bits> {
    /// The probe's pixel.
    pub pixel: T,
    /// It counts. Otherwise the item has no taps.
    pub is_valid: T,
    /// Its quad is answered with an error.
    pub is_failed: T,
    /// Its only tap is the next entry of the colour table, and ends in `decode`.
    pub is_table: T,
    /// The colour table is that of the secondary texture of indirect look-ups.
    pub is_secondary: T,
    /// The item is the first one of its probe.
    pub starts_probe: T,
    /// The item is the last one of its probe.
    pub ends_probe: T,
    /// It is the last item of its pixel.
    pub ends_pixel: T,
    /// It is the last item of its quad.
    pub ends_quad: T,
    /// log2 of the lanes that its pixel has in the row.
    pub spread: T,
    /// The valid bits of the quad.
    pub valid: T,
    /// The taps that the item brings, a bit for each place.
    pub brings: T,
    /// It brings one tap, or two beside each other along an edge of a cube, wherever their places are.
    pub is_by_place: T,
    /// See `is_by_place`: the banks of texels from which taps come, of the outer places (0 and 3) and of the inner ones. Without pairs
    /// of taps only the first one is there, and goes for all.
    pub sources: [T; 2],
    /// Bit 1 of the texels' columns, of the even and the odd ones.
    pub column_bit1: [T; 2],
    /// Bit 1 of the texels' rows, of the even and the odd ones.
    pub row_bit1: [T; 2],
    /// Weight of the taps in odd columns.
    pub odd_weight_x: T,
    /// Weight of the taps in odd rows.
    pub odd_weight_y: T,
    /// A tap is the mean of the other three, at the corner of a cube: no item brings it.
    pub has_corner: T,
    /// Which one.
    pub corner: T,
    /// The probe's part of the sample, of 65536.
    pub weight: T,
    /// What becomes of texels.
    pub texels: TexelUse<T>,
    /// Code of the format, where it says what is in a word.
    pub format: T,
    /// Texels are compressed.
    pub is_block: T,
    /// Of two compressed tiles the one in the even column of banks has the even row of texels, not the even column.
    pub blocks_by_row: T,
    /// Of a tile of 8 bytes: it is the upper half of the line that each column of banks reads.
    pub upper_half: [T; BLOCKS],
}

/// What becomes of the texels of a probe.
#[derive(Clone, Debug, Record)]
pub struct TexelUse<T = Bits> {
    /// Taps that show the border, a bit for each place.
    pub border_taps: T,
    /// Colour of the border, R in the lowest byte.
    pub border: T,
    /// There is no texel: all channels are 0 in front of the swizzle.
    pub is_void: T,
    /// Colours are sRGB-coded.
    pub is_srgb: T,
    /// Texels are compared with the reference.
    pub compares: T,
    /// How: the number of a [`CompareOp`](tmu_spec::general::CompareOp).
    pub compare: T,
    /// Depth that they are compared with, an IEEE single.
    pub reference: T,
    /// What the channels of the result show, see [`field::SWIZZLE`], R lowest.
    pub swizzle: T,
    /// The result is a component of each tap.
    pub is_gather: T,
    /// Which one.
    pub component: T,
    /// The first column stands in the odd places; so does the first row.
    pub first_is_odd: [T; 2],
}

impl TexelUse<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> TexelUse<Width> {
        let (bit, general) = (Width::bits(1), general(config));
        let (has_border, has_gather) = (has_border(config), has_gather(config));
        TexelUse {
            border_taps: Width::bits(TAPS).when(has_border),
            border: Width::bits(BORDER_BITS).when(has_border),
            is_void: bit.when(has_fetch(config)),
            is_srgb: bit.when(general.srgb),
            compares: bit.when(general.compare),
            compare: Width::bits(COMPARE_BITS).when(general.compare),
            reference: Width::bits(NUMBER_BITS).when(general.compare),
            swizzle: Width::bits(SWIZZLE_BITS).when(general.swizzle),
            is_gather: bit.when(has_gather),
            component: Width::bits(COMPONENT_BITS).when(has_gather),
            first_is_odd: [bit.when(has_gather); 2],
        }
    }
}

impl TexelUse {
    /// Nothing special: texels are weighted as they are.
    pub fn plain() -> TexelUse {
        let none = |bits| lit(bits, 0u32);
        TexelUse {
            border_taps: none(TAPS),
            border: none(BORDER_BITS),
            is_void: none(1),
            is_srgb: none(1),
            compares: none(1),
            compare: none(COMPARE_BITS),
            reference: none(NUMBER_BITS),
            swizzle: none(SWIZZLE_BITS),
            is_gather: none(1),
            component: none(COMPONENT_BITS),
            first_is_odd: [none(1); 2],
        }
    }
}

/// Bits of a border's colour.
pub const BORDER_BITS: usize = field::BORDER.bits as usize;
/// Bits of the number of a comparison.
pub const COMPARE_BITS: usize = field::COMPARE.bits as usize;
/// Bits of what a channel of a result shows.
pub const SHOWN_BITS: usize = field::SWIZZLE[0].bits as usize;
/// Bits of a swizzle.
pub const SWIZZLE_BITS: usize = SHOWN_BITS * field::SWIZZLE.len();

impl ProbeTap<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> ProbeTap<Width> {
        let has_blocks = has_blocks(config);
        let (bit, has_cube) = (Width::bits(1), general(config).has_kind(TextureKind::Cube));
        let bilinear = config.features().bilinear();
        ProbeTap {
            pixel: Width::bits(2),
            is_valid: bit,
            is_failed: bit,
            is_table: Probe::of(config).is_table,
            is_secondary: QuadEnds::of(config).is_secondary,
            starts_probe: bit,
            ends_probe: bit,
            ends_pixel: bit,
            ends_quad: bit,
            spread: Probe::of(config).spread,
            valid: Width::bits(PIXELS),
            brings: Width::bits(TAPS),
            is_by_place: bit,
            sources: [Width::bits(2), Width::bits(2).when(has_pairs(config))],
            column_bit1: [bit; 2],
            row_bit1: [bit; 2],
            odd_weight_x: Width::bits(ODD_WEIGHT_BITS),
            odd_weight_y: Width::bits(ODD_WEIGHT_BITS),
            has_corner: bit.when(has_cube && bilinear),
            corner: Width::bits(2).when(has_cube && bilinear),
            weight: Probe::of(config).weight,
            texels: TexelUse::of(config),
            format: Width::bits(FORMAT_BITS).when(needs_format(config)),
            is_block: bit.when(has_blocks),
            blocks_by_row: bit.when(has_blocks),
            upper_half: [bit.when(has_blocks); BLOCKS],
        }
    }
}

/// What a row of items takes along through the cache, in a unit of several lanes: that of each lane. What is the same for all lanes
/// stands in the first one only, see [`ProbeTap::of_other_lane`].
///
/// A lane that has no item in the row, because its probe has none, or goes another time, is not valid, brings nothing, and neither
/// starts nor ends a probe; `ends_quad` of the first lane goes for the row: it is the last one of its quad.
#[derive(Clone, Debug, Record)]
pub struct RowTap<T = Bits> {
    /// Those of the lanes.
    pub lanes: Vec<ProbeTap<T>>,
}

impl RowTap<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> RowTap<Width> {
        let others = (1..lanes(config)).map(|_| ProbeTap::of_other_lane(config));
        RowTap { lanes: std::iter::once(ProbeTap::of(config)).chain(others).collect() }
    }
}

impl RowTap {
    /// That of a lane, with what is the same for all lanes.
    pub fn of_lane(&self, number: usize) -> ProbeTap {
        let own = self.lanes[number].clone();
        if number == 0 { own } else { own.with_row(&self.lanes[0]) }
    }
}

impl ProbeTap<Width> {
    /// The shape in lanes other than the first one: without what is the same for all lanes.
    pub fn of_other_lane(config: &Config) -> ProbeTap<Width> {
        let (tap, none) = (ProbeTap::of(config), Width::bits(1).when(false));
        let TexelUse { border_taps, is_void, reference, first_is_odd, .. } = tap.texels;
        ProbeTap {
            is_failed: none,
            is_table: none,
            is_secondary: none,
            ends_pixel: none,
            ends_quad: none,
            spread: none,
            valid: none,
            format: none,
            is_block: none,
            texels: TexelUse {
                border_taps,
                border: none,
                is_void,
                is_srgb: none,
                compares: none,
                compare: none,
                reference,
                swizzle: none,
                is_gather: none,
                component: none,
                first_is_odd,
            },
            ..tap
        }
    }
}

impl ProbeTap {
    /// Of a lane other than the first one, with what is the same for all lanes from the first one.
    fn with_row(self, first: &ProbeTap) -> ProbeTap {
        let (own, row) = (&self.texels, &first.texels);
        ProbeTap {
            is_failed: first.is_failed,
            is_table: first.is_table,
            is_secondary: first.is_secondary,
            ends_pixel: first.ends_pixel,
            ends_quad: first.ends_quad,
            spread: first.spread,
            valid: first.valid,
            format: first.format,
            is_block: first.is_block,
            texels: TexelUse {
                border_taps: own.border_taps,
                is_void: own.is_void,
                reference: own.reference,
                first_is_odd: own.first_is_odd,
                ..row.clone()
            },
            ..self
        }
    }
}

/// Bits of a format's code.
pub const FORMAT_BITS: usize = tmu_spec::binding::field::FORMAT.bits as usize;

/// Whether the stages behind the cache have to know the format: where texels are compressed, or stand in the cache as they do in
/// memory.
pub fn needs_format(config: &Config) -> bool {
    has_blocks(config) || has_stored_texels(config)
}

/// Whether texels that are not compressed stand in the cache as they do in memory, with zeros above them, so that `decode` makes
/// channels of them: where channels may have more than 8 bits, where they are indices, and where the border is seen. Otherwise the cache has colours of 8 bits
/// a channel. Those of three bytes have a full alpha either way.
pub fn has_stored_texels(config: &Config) -> bool {
    let are_colors = |format: Format| match format.texel() {
        Texel::Color(packing) => match packing.bytes {
            2 => !packing.is_bytes(),
            3 | 4 => packing.is_bytes(),
            _ => false,
        },
        Texel::Block(block) => block.channel_bits == 8,
        Texel::Index(_) | Texel::Depth { .. } | Texel::DepthFloat | Texel::Floats { .. } => false,
    };
    let features = config.features();
    let Some(general) = features.general() else { return false };
    general.channel_bits > 8
        || features.has_address_mode(AddressMode::Border)
        || !features.formats().all(are_colors)
}

/// Whether texels are anything but colours of at most 8 bits a channel: depths, floats.
pub fn has_numbers(config: &Config) -> bool {
    config.features().formats().any(|format| format.is_depth() || format.is_float())
}

/// Bits of a decoded texel: four channels, or four IEEE singles where there are formats with floats.
pub fn channels_bits(config: &Config) -> usize {
    let has_floats = config.features().formats().any(tmu_spec::Format::is_float);
    if has_floats { 4 * NUMBER_BITS } else { 4 * general(config).channel_bits as usize }
}

/// Whether any compressed format is built.
pub fn has_blocks(config: &Config) -> bool {
    config.features().formats().any(tmu_spec::Format::is_block)
}

/// One bit: the format of this code is a compressed one.
#[kernel]
pub(crate) fn is_block_code(config: &Config, code: Bits) -> Bits {
    is_code(config, code, Format::is_block)
}

/// One bit: the format of this code is a built one that is so.
#[kernel]
pub(crate) fn is_code(config: &Config, code: Bits, is_so: impl Fn(Format) -> bool) -> Bits {
    let formats = config.features().formats().filter(|format| is_so(*format));
    formats.fold(lit(1, 0u32), |any, format| any || code == u64::from(format.code()))
}
