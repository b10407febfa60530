//! What the bring-up kit sends and says of the results.

pub mod quad_generator;
pub mod result_crc;
