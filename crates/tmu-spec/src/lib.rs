//! Configuration, formats, fixed-point types, memory layout and presets of a texture unit.
