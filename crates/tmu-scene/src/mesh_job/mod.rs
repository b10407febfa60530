//! Jobs of the engine `mesh`: a file with the engine's settings, pictures and points, to pictures.
//!
//! | module | does |
//! | --- | --- |
//! | `keys` | the keys of the file and of its steps |
//! | `picture` | pictures to RGB565 and back ([`Picture565`]) |
//! | `points` | the CSV file of a mesh |
//! | `load` | the whole job, checked ([`MeshJob`]) |
//! | `draw` | step after step by an engine ([`draw_mesh_job`]) |
//! | `first_step` | one step by itself, to be changed and written as files ([`MeshStep`]) |

mod draw;
mod first_step;
mod keys;
mod load;
mod picture;
mod points;

pub use draw::{Golden565, MEMORY_BASE, MeshCounts, MeshEngine, MeshStatistics, draw_mesh_job};
pub use first_step::MeshStep;
pub use load::MeshJob;
pub use picture::{Picture565, from_565, parse_565};

#[cfg(test)]
mod tests;
