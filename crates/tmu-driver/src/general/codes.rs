//! Values that go by codes, and limits.
//!
//! Made from the generator's tables: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.

/// How many axes a texture has, and what its slices are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// `1d`.
    D1 = 0,
    /// `2d`.
    D2 = 1,
    /// `3d`.
    D3 = 2,
    /// `cube`.
    Cube = 3,
    /// `2d_array`.
    D2Array = 4,
}

impl Kind {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [Kind; 5] = [Kind::D1, Kind::D2, Kind::D3, Kind::Cube, Kind::D2Array];
}

/// What a channel of a result shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Component {
    /// `r`.
    R = 0,
    /// `g`.
    G = 1,
    /// `b`.
    B = 2,
    /// `a`.
    A = 3,
    /// `0`.
    Zero = 4,
    /// `1`.
    One = 5,
}

impl Component {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [Component; 6] = [Component::R, Component::G, Component::B, Component::A, Component::Zero, Component::One];
}

/// How many texels of a level a sample takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Filter {
    /// `nearest`.
    Nearest = 0,
    /// `linear`.
    Linear = 1,
}

impl Filter {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [Filter; 2] = [Filter::Nearest, Filter::Linear];
}

/// Which levels a sample takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum MipFilter {
    /// `none`.
    None = 0,
    /// `nearest`.
    Nearest = 1,
    /// `linear`.
    Linear = 2,
    /// `ripmap`.
    Ripmap = 3,
}

impl MipFilter {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [MipFilter; 4] = [MipFilter::None, MipFilter::Nearest, MipFilter::Linear, MipFilter::Ripmap];
}

/// How a reference is compared with a depth: true where `reference op depth` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum CompareOp {
    /// `never`.
    Never = 0,
    /// `less`.
    Less = 1,
    /// `equal`.
    Equal = 2,
    /// `lequal`.
    Lequal = 3,
    /// `greater`.
    Greater = 4,
    /// `notequal`.
    Notequal = 5,
    /// `gequal`.
    Gequal = 6,
    /// `always`.
    Always = 7,
}

impl CompareOp {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [CompareOp; 8] = [CompareOp::Never, CompareOp::Less, CompareOp::Equal, CompareOp::Lequal, CompareOp::Greater, CompareOp::Notequal, CompareOp::Gequal, CompareOp::Always];
}

/// What is done with the pixels of a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Operation {
    /// `sample`.
    Sample = 0,
    /// `lod`.
    Lod = 1,
    /// `bias`.
    Bias = 2,
    /// `fetch`.
    Fetch = 3,
    /// `gather`.
    Gather = 4,
}

impl Operation {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [Operation; 5] = [Operation::Sample, Operation::Lod, Operation::Bias, Operation::Fetch, Operation::Gather];
}

/// How coordinates are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Numbers {
    /// `s16.16`.
    S16p16 = 0,
    /// `fp32`.
    Fp32 = 1,
}

impl Numbers {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [Numbers; 2] = [Numbers::S16p16, Numbers::Fp32];
}

/// How channels of a result are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ResultNumbers {
    /// `unorm8`.
    Unorm8 = 0,
    /// `unorm16`.
    Unorm16 = 1,
    /// `fp32`.
    Fp32 = 2,
}

impl ResultNumbers {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [ResultNumbers; 3] = [ResultNumbers::Unorm8, ResultNumbers::Unorm16, ResultNumbers::Fp32];
}

/// What becomes of a pixel's values in an indirect look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Aggregate {
    /// `none`.
    None = 0,
    /// `sum`.
    Sum = 1,
    /// `product`.
    Product = 2,
    /// `average`.
    Average = 3,
    /// `min`.
    Min = 4,
    /// `max`.
    Max = 5,
}

impl Aggregate {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [Aggregate; 6] = [Aggregate::None, Aggregate::Sum, Aggregate::Product, Aggregate::Average, Aggregate::Min, Aggregate::Max];
}

/// What lies outside the texture. Cores of the classic numerics have the first three at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum AddressMode {
    /// `wrap`.
    Wrap = 0,
    /// `clamp`.
    Clamp = 1,
    /// `mirror`.
    Mirror = 2,
    /// `border`.
    Border = 3,
    /// `mirror_once`.
    MirrorOnce = 4,
}

impl AddressMode {
    /// Every value, by rising code.
    #[rustfmt::skip]
    pub const ALL: [AddressMode; 5] = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border, AddressMode::MirrorOnce];
}

/// Longest side of a texture in texels.
pub const MAX_SIZE: u32 = 4096;

/// Most layers of an array.
pub const MAX_LAYERS: u32 = 2048;

/// Most levels of a texture.
pub const MAX_LEVELS: usize = 13;

/// Steps of a level of detail between two levels.
pub const LOD_STEPS: i16 = 256;

/// Farthest level of detail on either side of 0.
pub const MAX_LOD: i16 = 8192;

/// Most beats of a quad.
pub const QUAD_BEATS: usize = 6;

/// Lowest bit of the operation in its beat.
pub const OPERATION_SHIFT: u32 = 32;

/// Lowest bit of the component in the same beat.
pub const COMPONENT_SHIFT: u32 = 40;

/// The code of indirect look-ups among operations.
pub const INDIRECT_OPERATION: u32 = 5;

/// Lowest bit of their set-up in the same beat.
pub const SETUP_SHIFT: u32 = 64;

/// Most values of a pixel.
pub const MAX_VALUES: u32 = 4;
