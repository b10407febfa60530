//! Scenes, meshes and the tile rasteriser that feeds quads to a texture unit.
mod camera;
mod mesh;
mod problem;
mod raster;
