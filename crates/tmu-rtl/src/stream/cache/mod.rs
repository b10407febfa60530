//! `cache`: tags early, data late.
//!
//! | part | does |
//! | --- | --- |
//! | `lookup` | looks tags up and updates them as soon as tiles are known |
//! | `fetch` | asks memory for the tiles that are missing |
//! | `fill` | brings what memory answers into place, in order, and never over texels that are still needed |
//! | `texels` | keeps pixels waiting until their tiles are there, and reads their texels |
//!
//! After Igehy, Eldridge and Proudfoot, *Prefetching in a Texture Cache Architecture* (1998).

pub mod fetch;
pub mod fill;
pub mod lookup;
pub mod texels;
pub mod victim;
pub mod words;
