//! Resampling a picture to sides that are powers of two.

use crate::light::Light;
use crate::picture::Picture;
use crate::raster::Raster;
use crate::transfer::Transfer;
use image::imageops::{self, FilterType};
use image::{ImageBuffer, Rgba};

/// The longest side of a texture in texels.
pub const MAX_SIDE: usize = 1 << tmu_spec::level_offset::MAX_SIZE_LOG2;

/// The power of two nearest to `side` by ratio, at most [`MAX_SIDE`].
///
/// ```
/// use tmu_assets::nearest_power_of_two;
/// assert_eq!([1, 300, 363, 5000].map(nearest_power_of_two), [1, 256, 512, 2048]);
/// ```
pub fn nearest_power_of_two(side: usize) -> usize {
    let below = 1 << side.max(1).ilog2().min(30);
    // The border is √2 · below: compare squares.
    let nearest = if side * side > 2 * below * below { 2 * below } else { below };
    nearest.min(MAX_SIDE)
}

/// The picture with each side resampled to its [`nearest_power_of_two`], in linear light and weighted by alpha.
///
/// A picture that fits is returned as it is, bit for bit.
pub fn resize_to_powers_of_two(picture: &Picture) -> Picture {
    if fits([picture.width(), picture.height()]) {
        return picture.clone();
    }
    resized(Light::from_picture(picture, Transfer::Srgb)).to_picture(Transfer::Srgb)
}

impl Raster {
    /// As [`resize_to_powers_of_two`], of a raster of one slice.
    ///
    /// # Panics
    /// If it has several.
    #[must_use]
    pub fn resized_to_powers_of_two(&self) -> Raster {
        let [width, height, slices] = self.size();
        assert_eq!(slices, 1, "slices");
        if fits([width, height]) {
            return self.clone();
        }
        resized(Light::from_raster(self, Transfer::Srgb)).to_raster(Transfer::Srgb, self.bits())
    }
}

fn fits(sides: [usize; 2]) -> bool {
    sides.map(nearest_power_of_two) == sides
}

fn resized(light: Light) -> Light {
    let [from_width, from_height, _] = light.size;
    let (width, height) = (nearest_power_of_two(from_width), nearest_power_of_two(from_height));
    let samples = light.texels.into_flattened();
    let image: ImageBuffer<Rgba<f32>, _> =
        ImageBuffer::from_raw(from_width as u32, from_height as u32, samples).expect("one sample a channel");
    let resized = imageops::resize(&image, width as u32, height as u32, FilterType::Lanczos3);
    let texels = resized.as_raw().as_chunks::<4>().0.to_vec();
    Light { size: [width, height, 1], texels }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hashed_picture;

    #[test]
    fn sides_go_to_the_nearest_power() {
        let cases = [
            (1, 1),
            (2, 2),
            (3, 4),
            (5, 4),
            (6, 8),
            (11, 8),
            (12, 16),
            (2048, 2048),
            (2049, 2048),
            (8192, 2048),
        ];
        for (side, expected) in cases {
            assert_eq!(nearest_power_of_two(side), expected, "{side}");
        }
    }

    #[test]
    fn fitting_pictures_are_left_alone_and_constants_stay() {
        let picture = hashed_picture(8, 32, 5);
        assert_eq!(resize_to_powers_of_two(&picture), picture);
        let odd = hashed_picture(9, 30, 5);
        let raster = Raster::from(&odd).resized_to_powers_of_two();
        assert_eq!(raster.to_picture(0), resize_to_powers_of_two(&odd));
        for texel in [[7, 80, 255, 255], [9, 8, 7, 0], [100, 0, 200, 128]] {
            let resized = resize_to_powers_of_two(&Picture::from_texels(13, 300, vec![texel; 13 * 300]));
            assert_eq!((resized.width(), resized.height()), (16, 256));
            assert!(resized.texels().iter().all(|&got| got == texel), "{texel:?}");
        }
    }
}
