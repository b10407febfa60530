//! Scenes, meshes and the tile rasteriser that feeds quads to a texture unit.
//!
//! A scene file goes through these modules, in this order:
//!
//! | module | does |
//! | --- | --- |
//! | `document`, `problem` | TOML tables to values, and everything that is wrong with them at once |
//! | `scene` | textures into memory, samplers, meshes, camera ([`Scene`], [`AnyScene`]) |
//! | `pattern` | textures that are worked out |
//! | `mesh` | OBJ and glTF files, built-in shapes |
//! | `camera` | the scene to homogeneous pixels |
//! | `mapping`, `setup` | what is interpolated over a mesh, and coordinates from it |
//! | `raster` | clipping, triangle setup, tiles, depth, coordinates in s16.16 |
//! | `shadow` | depth maps |
//! | `numerics` | coordinates to quads, results to colours ([`Classic`], [`General`]) |
//! | `frame` | batches of quads to an engine, results into the picture ([`render`]); what happens at a pixel ([`layers_at`]) |
//! | `engine`, `golden`, `golden_general` | what samples the quads ([`Engine`], [`GoldenEngine`], [`GeneralGoldenEngine`]) |
//! | `solid` | triangles and rays, for who traces them ([`Solid`], [`Eye`]) |
//! | `mesh_job` | jobs of the engine `mesh` ([`MeshJob`]) |
//! | `pixel` | scenes through the pixel pipeline ([`PixelScene`], [`render_pixel`]) |
//! | `statistics` | what a frame cost ([`Statistics`]) |
//!
//! Nothing here prints or writes files. A picture and its statistics are the same on every machine and for any
//! number of threads.

mod camera;
mod document;
mod engine;
mod frame;
mod golden;
mod golden_general;
mod mapping;
mod mesh;
mod mesh_job;
mod numerics;
mod pattern;
mod pixel;
mod problem;
mod raster;
mod scene;
mod setup;
mod shadow;
mod solid;
mod statistics;

pub use engine::{Batch, Engine, EngineError, Run};
pub use frame::{Frame, Layer, NO_QUAD, layers_at, render, render_seen};
pub use golden::GoldenEngine;
pub use golden_general::GeneralGoldenEngine;
pub use mesh::count_triangles;
pub use mesh_job::{
    Golden565, MEMORY_BASE, MeshCounts, MeshEngine, MeshJob, MeshStatistics, MeshStep, Picture565,
    draw_mesh_job, from_565, parse_565,
};
pub use numerics::{Classic, Coordinates, General, Numerics};
pub use pixel::{
    PixelDrawn, PixelError, PixelFrame, PixelStatistics, PixelTile, draw_pixel, pixel_tile, put_pixel,
    render_pixel, trace_pixel,
};
pub use problem::Rule;
pub use scene::{
    AnyScene, ImageSize, MAX_IMAGE_SIDE, MAX_SCENE_BYTES, OnePicture, Pictures, PixelBinding, PixelScene,
    Scene,
};
pub use solid::{Eye, Solid};
pub use statistics::{
    CacheCounts, CacheStatistics, EngineStatistics, RequestCounts, Statistics, TextureStatistics,
};
