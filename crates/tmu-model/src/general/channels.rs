//! What the stages from `decode` to `result` work on.

/// R, G, B, A of a texel or sample: unsigned numbers of as many bits as the filter has, or bits of IEEE singles.
pub type Channels = [u32; 4];
