//! Stages of the general numerics, in data-flow order.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`request`] | beats | registers of bindings, quads |
//! | `projection` | numbers of pixels | places and edges of a footprint |
//! | [`ripmap`] | quads of ripmaps | those twice through `lod`: with edges along u, along v |
//! | `lod` | edges | level, weight of the next one, filter |
//! | `probes` | a quad | probes: pixel, level, weight; with several lanes rows of them |
//! | [`color_table`] | a binding | probes of the entries of its colour table |
//! | [`coordinate`], [`axis`] | a probe | its texels, and where its level stands |
//! | [`footprint`] | texels of a probe, or of those of a row | items that the cache can serve |
//! | [`group`] | items of lanes | those that look up tags together |
//! | [`address`], [`cube_edge`] | an item | tiles, lines, sets |
//! | [`decode`] | words of the cache | colours of taps |
//! | [`compare`] | depths of taps | true or false |
//! | [`filter`] | colours of taps | samples |
//! | [`indirect::look_ahead`] | quads | those of indirect look-ups twice |
//! | [`indirect::places`] | integers of an indirect look-up | texels |
//! | [`indirect::fields`] | samples | places |
//! | [`indirect::aggregate`] | its values | samples |
//! | [`result`] | samples | results |
//!
//! Between `address` and `decode` stands the [prefetching cache](crate::cache::prefetch) of the classic units.

pub mod words;
pub mod tile;
pub mod slot;

pub mod request;
pub mod projection;
pub mod ripmap;
pub mod lod;
pub mod probes;
pub mod color_table;
pub mod axis;
pub mod coordinate;
pub mod footprint;
pub mod cube_edge;
pub mod group;
pub mod address;
pub mod decode;
pub mod compare;
pub mod filter;
pub mod indirect;
mod row;
mod unit_number;
pub mod result;

/// Quads that may be on their way to the result FIFO when it reports that it fills: each may be a single item, and items leave for a
/// while until the report has come. The stages that only some units have come on top.
pub const RESULT_MARGIN: usize = 40;
/// What channels of more bits take longer in `decode` and `filter`.
pub const WIDE_MARGIN: usize = 12;
/// What sums of several lanes take longer in `filter`, and texels of several lanes in `data_stage`.
pub const LANES_MARGIN: u32 = 6;
/// Results that may be on their way from `aggregate` to the result FIFO, and until it hears that this fills; `result` comes on top.
pub const VALUES_MARGIN: usize = 20;
