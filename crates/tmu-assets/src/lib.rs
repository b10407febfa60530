//! Pictures to texture memory and back: mip chain, tiling, palettes.
