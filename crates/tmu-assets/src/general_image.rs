//! The memory image of a texture of any kind and size.
//!
//! Contract: the layout is that of [`tmu_spec::general::Texture`]; nothing here knows a tile or an offset of its own.

use crate::descriptor::with_bytes;
use crate::texture_image::TextureImage;
use tmu_spec::general::Texture;

/// A texture of any kind and its bytes: at least to the end of its last level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralImage {
    texture: Texture,
    memory: Vec<u8>,
}

impl GeneralImage {
    /// Bytes that were read from somewhere, as a texture; the number of bytes if they do not reach the end of its last level.
    ///
    /// # Errors
    /// The number of bytes.
    pub fn from_memory(texture: Texture, memory: Vec<u8>) -> Result<Self, usize> {
        if memory.len() < texture.bytes() as usize { Err(memory.len()) } else { Ok(Self { texture, memory }) }
    }

    /// Format, sizes and layout.
    #[must_use]
    pub fn texture(&self) -> &Texture {
        &self.texture
    }

    /// The bytes from the texture's base on.
    #[must_use]
    pub fn memory(&self) -> &[u8] {
        &self.memory
    }

    /// The text of its descriptor.
    #[must_use]
    pub fn descriptor(&self) -> String {
        with_bytes(&self.texture, self.memory.len() as u32)
    }
}

impl From<TextureImage> for GeneralImage {
    /// The same bytes.
    fn from(image: TextureImage) -> Self {
        let (texture, memory) = image.into_parts();
        Self { texture: texture.into(), memory }
    }
}
