//! Stages of indirect look-ups, in data-flow order.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`look_ahead`] | quads | quads and values in order, and places ahead of them |
//! | [`places`] | integer places of a quad | texels |
//! | [`fields`] | samples of a first pass | places |
//! | [`aggregate`] | values of a quad | samples, one by one or put together |
//!
//! Units of four lanes have them, see [`Config::check_hardware`](tmu_spec::Config::check_hardware); how they stand in one is in
//! `sampler/general/indirect`.

pub mod look_ahead;
pub mod places;
pub mod fields;
pub mod aggregate;

/// Bits of a component that is a coordinate.
pub const FIELD_BITS: usize = 16;
/// Bits of an offset between places.
pub const OFFSET_BITS: usize = tmu_spec::general::indirect::OFFSET_U.bits as usize;
