//! Writing of texels into texture memory.

use tmu_spec::general::Binding;

/// Writes the components of a texel of level 0, of BYTES bytes each, into the memory that a texture stands in.
pub(crate) fn put<T: Copy, const BYTES: usize>(
    memory: &mut [u8],
    binding: &Binding,
    [x, y]: [u32; 2],
    components: &[T],
    bytes: impl Fn(T) -> [u8; BYTES],
) {
    let Binding { base, texture, .. } = binding;
    let (tile, texel) = texture.tile_of(0, [x, y, 0]);
    let start = (base + tile + texel * texture.format().bytes_per_texel()) as usize;
    for (place, component) in memory[start..].chunks_exact_mut(BYTES).zip(components) {
        place.copy_from_slice(&bytes(*component));
    }
}
