//! `cache`: tags early, data late.
//!
//! | part | does |
//! | --- | --- |
//! | `quad_scheduler` | finds the tiles under the pixels, and passes a quad at once or pixel by pixel |
//! | `tag_stage` | looks tags up and updates them as soon as tiles are known |
//! | `miss_queue` | asks memory for the tiles that are missing |
//! | `fill` | brings what memory answers into place, in order, and never over texels that are still needed |
//! | `data_stage` | keeps pixels waiting until their tiles are there, and reads their texels |
//!
//! After Igehy, Eldridge and Proudfoot, *Prefetching in a Texture Cache Architecture* (1998).

pub mod words;

pub mod quad_scheduler;
pub mod tag_stage;
pub mod victim;
pub mod tile_search;
pub mod miss_queue;
pub mod fill;
pub mod data_stage;
