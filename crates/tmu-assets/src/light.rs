//! Pictures in linear light, weighted by alpha: the form in which texels may be averaged.
//!
//! A texel is `[r·w, g·w, b·w, w]` with `w = (alpha + ε) / (1 + ε)`. Averages of that form are what blending the
//! texels one after the other would give, so a transparent texel does not bleed its colour into its neighbours; the
//! small ε keeps the colour where *everything* is transparent (a plain average then), which matters because the
//! hardware filters colour and alpha apart.
//! Contract: `to_picture(from_picture(p)) == p`, also for colours under alpha 0, and so for rasters. Cost: 16 bytes a texel.

use crate::picture::Picture;
use crate::raster::Raster;
use crate::transfer::{Transfer, TransferTable};
use rayon::prelude::*;

/// Weight of a wholly transparent texel relative to an opaque one: too small to tint its neighbours by half a code
/// even where the sRGB curve is steepest (1 / 6600), large enough to keep its colour in an `f32`.
const TRANSPARENT_WEIGHT: f32 = 1.0 / 65536.0;

/// Texels of `[r·w, g·w, b·w, w]`: rows from the top, slices one behind the other.
#[derive(Clone, Debug)]
pub(crate) struct Light {
    /// Columns, rows and slices.
    pub(crate) size: [usize; 3],
    pub(crate) texels: Vec<[f32; 4]>,
}

impl Light {
    pub(crate) fn from_picture(picture: &Picture, transfer: Transfer) -> Self {
        let table = transfer.table();
        let weigh = |&texel: &[u8; 4]| weigh(table, Transfer::Identity.table(), texel.map(u16::from));
        let texels = picture.texels().par_iter().map(weigh).collect();
        Light { size: [picture.width(), picture.height(), 1], texels }
    }

    /// Of one slice.
    pub(crate) fn to_picture(&self, transfer: Transfer) -> Picture {
        let (table, alpha) = (transfer.table(), Transfer::Identity.table());
        let texels = self.texels.par_iter();
        let texels = texels.map(|&texel| unweigh(table, alpha, texel).map(|code| code as u8)).collect();
        Picture::from_texels(self.size[0], self.size[1], texels)
    }

    pub(crate) fn from_raster(raster: &Raster, transfer: Transfer) -> Self {
        let [table, alpha] = tables(transfer, raster.bits());
        let texels = raster.texels().par_iter().map(|&texel| weigh(table, alpha, texel)).collect();
        Light { size: raster.size(), texels }
    }

    pub(crate) fn to_raster(&self, transfer: Transfer, bits: u32) -> Raster {
        let [table, alpha] = tables(transfer, bits);
        let texels = self.texels.par_iter().map(|&texel| unweigh(table, alpha, texel)).collect();
        Raster::new(self.size, bits, texels)
    }
}

/// Those of colours and of alpha.
fn tables(transfer: Transfer, bits: u32) -> [&'static TransferTable; 2] {
    [transfer, Transfer::Identity].map(|transfer| match bits {
        8 => transfer.table(),
        _ => transfer.wide_table(),
    })
}

fn weigh(table: &TransferTable, alpha: &TransferTable, [r, g, b, a]: [u16; 4]) -> [f32; 4] {
    let weight = (alpha.decode(a) + TRANSPARENT_WEIGHT) / (1.0 + TRANSPARENT_WEIGHT);
    [table.decode(r) * weight, table.decode(g) * weight, table.decode(b) * weight, weight]
}

fn unweigh(table: &TransferTable, alpha: &TransferTable, [r, g, b, weight]: [f32; 4]) -> [u16; 4] {
    // A kernel with negative lobes can bring the weight through zero, where the colour means nothing.
    let scale = if weight.abs() > TRANSPARENT_WEIGHT / 16.0 { 1.0 / weight } else { 0.0 };
    let opacity = weight * (1.0 + TRANSPARENT_WEIGHT) - TRANSPARENT_WEIGHT;
    [table.encode(r * scale), table.encode(g * scale), table.encode(b * scale), alpha.encode(opacity)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_survive_the_way_there_and_back() {
        // Every alpha with every red; green and blue run against it.
        let texels = (0..=255u8).flat_map(|a| (0..=255u8).map(move |c| [c, 255 - c, c ^ 0x55, a])).collect();
        let picture = Picture::from_texels(256, 256, texels);
        for transfer in [Transfer::Srgb, Transfer::Identity] {
            let back = Light::from_picture(&picture, transfer).to_picture(transfer);
            for (index, (got, expected)) in back.texels().iter().zip(picture.texels()).enumerate() {
                assert_eq!(got, expected, "{transfer:?} texel {index}");
            }
        }
    }

    #[test]
    fn an_opaque_texel_weighs_one_and_a_clear_one_next_to_nothing() {
        let table = Transfer::Identity.table();
        for (alpha, expected) in
            [(255, 1.0), (0, 1.0 / 65537.0), (51, (0.2 + TRANSPARENT_WEIGHT) * 65536.0 / 65537.0)]
        {
            let [red, .., weight] = weigh(table, table, [255, 0, 0, alpha]);
            assert!((weight - expected).abs() < 1e-7 * expected, "alpha {alpha}: {weight}, not {expected}");
            assert_eq!(red, weight, "alpha {alpha}");
        }
    }

    #[test]
    fn the_weight_that_is_left_decides_on_colour_and_alpha() {
        let table = Transfer::Identity.table();
        let least = TRANSPARENT_WEIGHT / 16.0;
        // Just below half of an alpha code, which the ε in the weight would lift above it.
        let below_half = (127.499 / 255.0 + TRANSPARENT_WEIGHT) / (1.0 + TRANSPARENT_WEIGHT);
        for (weight, expected) in [
            (least, [0, 0, 0, 0]),
            (2.0 * least, [255, 255, 255, 0]),
            (-2.0 * least, [255, 255, 255, 0]),
            (below_half, [255, 255, 255, 127]),
        ] {
            assert_eq!(unweigh(table, table, [weight; 4]), expected, "weight {weight}");
        }
    }
}
