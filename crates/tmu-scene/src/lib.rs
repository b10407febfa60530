//! Scenes, meshes and the tile rasteriser that feeds quads to a texture unit.
//!
//! A scene file goes through these modules, in this order:
//!
//! | module | does |
//! | --- | --- |
//! | `document`, `problem` | TOML tables to values, and everything that is wrong with them at once |
//! | `scene` | textures into memory, samplers, meshes, camera ([`Scene`]) |
//! | `mesh` | OBJ and glTF files, built-in shapes |
//! | `camera` | the scene to homogeneous pixels |
//! | `raster` | clipping, triangle setup, tiles, depth, coordinates in s16.16 |
//! | `frame` | batches of quads to an engine, results into the picture ([`render`]) |
//! | `engine`, `golden` | what samples the quads ([`Engine`], [`GoldenEngine`]) |
//! | `statistics` | what a frame cost ([`Statistics`]) |
//!
//! Nothing here prints or writes files. A picture and its statistics are the same on every machine and for any
//! number of threads.

mod camera;
mod document;
mod engine;
mod frame;
mod golden;
mod mesh;
mod problem;
mod raster;
mod scene;
mod statistics;

pub use engine::{Batch, Engine, EngineError, Run};
pub use frame::{Frame, render};
pub use golden::GoldenEngine;
pub use mesh::count_triangles;
pub use problem::Rule;
pub use scene::{ImageSize, MAX_IMAGE_SIDE, OnePicture, Pictures, Scene};
pub use statistics::{
    CacheCounts, CacheStatistics, EngineStatistics, RequestCounts, Statistics, TextureStatistics,
};
