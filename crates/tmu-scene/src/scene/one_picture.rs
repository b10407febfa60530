//! A picture in memory, whatever name a scene has for it.

use super::texture::Pictures;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tmu_assets::{Decoded, Ignored, PackOptions, Picture, TextureImage, pack, resize_to_powers_of_two};
use tmu_problem::Problems;
use tmu_spec::Format;

/// The only picture that there is. Its sides are powers of two; it is packed once for each format that is asked for.
#[derive(Debug)]
pub struct OnePicture {
    picture: Picture,
    ignored: Ignored,
    packed: Mutex<Vec<(PackOptions, Arc<TextureImage>)>>,
}

impl OnePicture {
    /// A picture, resampled where its sides are no powers of two.
    pub fn new(decoded: &Decoded) -> Self {
        let picture = resize_to_powers_of_two(&decoded.picture);
        OnePicture { picture, ignored: decoded.ignored, packed: Mutex::default() }
    }

    /// The texels that are packed.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// What its file says of its colours and is passed over.
    pub fn ignored(&self) -> Ignored {
        self.ignored
    }

    /// The texture in a format that was asked for.
    pub fn packed(&self, format: Format) -> Option<Arc<TextureImage>> {
        let packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        packed.iter().find(|(options, _)| options.format == format).map(|(_, image)| Arc::clone(image))
    }
}

impl Pictures for OnePicture {
    fn texture(
        &self,
        path: &Path,
        options: &PackOptions,
        _: bool,
    ) -> Result<(Arc<TextureImage>, Ignored), Problems> {
        // Two frames that need a new format wait for one packing.
        let mut packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, image)) = packed.iter().find(|(known, _)| known == options) {
            return Ok((Arc::clone(image), self.ignored));
        }
        let image = Arc::new(pack(&self.picture, options, path)?);
        packed.push((*options, Arc::clone(&image)));
        Ok((image, self.ignored))
    }
}
