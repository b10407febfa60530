//! How much is lost on the way into memory, as signal to noise.

use crate::picture::Picture;
use crate::raster::Raster;
use crate::texel;
use tmu_spec::Format;

/// Peak signal to noise of two pictures of one size in dB, over the squared errors of R, G, B and, unless both are
/// opaque, A; none if they are equal.
///
/// # Panics
/// If the sizes differ.
pub fn psnr_db(picture: &Picture, other: &Picture) -> Option<f64> {
    assert_eq!((picture.width(), picture.height()), (other.width(), other.height()), "sizes");
    let codes = picture.texels().as_flattened().iter().zip(other.texels().as_flattened());
    let total: u64 = codes.map(|(&a, &b)| u64::from(a.abs_diff(b)).pow(2)).sum();
    let is_opaque = [picture, other].iter().all(|side| side.texels().iter().all(|texel| texel[3] == 255));
    let channels = if is_opaque { 3 } else { 4 };
    let mean = total as f64 / (channels * picture.texels().len()) as f64;
    (total > 0).then(|| 10.0 * (255.0 * 255.0 / mean).log10())
}

/// Peak signal to noise in dB of level 0 as it is stored against what it was made of, over the channels that the format stores;
/// none if it is exact.
#[must_use]
pub fn stored_psnr_db(format: Format, picture: &Raster, stored: &Raster) -> Option<f64> {
    let channels = texel::stored_channels(format);
    let (picture, stored) = (picture.with_bits(16), stored.with_bits(16));
    let (mut total, mut count) = (0.0, 0.0);
    for (a, b) in picture.texels().iter().zip(stored.texels()) {
        for channel in (0..4).filter(|&channel| channels[channel]) {
            total += f64::from(a[channel].abs_diff(b[channel])).powi(2);
            count += 1.0;
        }
    }
    (total > 0.0).then(|| 10.0 * (65535.0 * 65535.0 * count / total).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signal_to_noise_of_one_wrong_code() {
        let picture = |texel| Picture::from_texels(2, 1, vec![[0, 0, 0, 255], texel]);
        let black = picture([0, 0, 0, 255]);
        assert_eq!(psnr_db(&black, &black), None);
        // One code in six is off by all there is; with alpha, one in eight.
        for (texel, parts) in [([0, 255, 0, 255], 6.0f64), ([0, 0, 0, 0], 8.0)] {
            let db = psnr_db(&black, &picture(texel)).unwrap();
            assert!((db - 10.0 * parts.log10()).abs() < 1e-9, "{texel:?}: {db}");
        }
    }

    /// Only what the format stores counts.
    #[test]
    fn signal_to_noise_of_stored_channels() {
        let [a, b] = [[0, 0, 0, 255], [0, 255, 255, 0]].map(|texel| Raster::new([1, 1, 1], 8, vec![texel]));
        assert_eq!(stored_psnr_db(Format::R8, &a, &b), None);
        assert_eq!(stored_psnr_db(Format::Rgba8, &a, &a), None);
        let db = stored_psnr_db(Format::Rg8, &a, &b).unwrap();
        assert!((db - 10.0 * 2f64.log10()).abs() < 1e-9, "{db}");
    }
}
