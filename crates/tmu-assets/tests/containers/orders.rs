//! Orders of channels: by masks, letters and names of formats.

use crate::{OPTIONS, d3d, decode, dxgi, packed, refused};
use ddsfile::{D3DFormat, DxgiFormat};
use std::path::Path;
use tmu_assets::{Container, ContainerOptions, GeneralOptions, write_ktx2};
use tmu_spec::Format;
use tmu_spec::general::Swizzle;

/// What a sample shows of a texel of each of the older formats.
#[test]
fn orders_of_channels_are_kept() {
    let cases: [(D3DFormat, &[u8], [u16; 4]); 11] = [
        (D3DFormat::A8R8G8B8, &[3, 2, 1, 4], [1, 2, 3, 4]),
        (D3DFormat::X8R8G8B8, &[3, 2, 1, 4], [1, 2, 3, 255]),
        (D3DFormat::A8B8G8R8, &[1, 2, 3, 4], [1, 2, 3, 4]),
        (D3DFormat::R8G8B8, &[3, 2, 1], [1, 2, 3, 255]),
        (D3DFormat::L8, &[9], [9, 9, 9, 255]),
        (D3DFormat::A8L8, &[9, 5], [9, 9, 9, 5]),
        (D3DFormat::A8, &[9], [0, 0, 0, 9]),
        // A 15, R 14:10, G 9:5, B 4:0.
        (D3DFormat::A1R5G5B5, &[0x00, 0xfc], [255, 0, 0, 255]),
        (D3DFormat::A1R5G5B5, &[0x1f, 0x00], [0, 0, 255, 0]),
        // A 15:12, R 11:8, G 7:4, B 3:0.
        (D3DFormat::A4R4G4B4, &[0x21, 0xf3], [0x33, 0x22, 0x11, 0xff]),
        (D3DFormat::R5G6B5, &[0x00, 0xf8], [255, 0, 0, 255]),
    ];
    for (format, stored, expected) in cases {
        let Container { image, notes } = decode(&d3d(format, 1, 1, None, stored.to_vec()));
        let shown = image.level(0, Path::new("a")).unwrap().swizzled(image.texture().swizzle());
        assert_eq!(shown.texels(), [expected], "{format:?}");
        let is_plain = matches!(format, D3DFormat::A8B8G8R8 | D3DFormat::R5G6B5);
        assert_eq!(notes.is_empty(), is_plain, "{format:?}: {notes:?}");
        // Converted, the channels stand in their places.
        let options = ContainerOptions { format: Some(Format::Rgba16), ..Default::default() };
        let converted =
            decode(&d3d(format, 1, 1, None, stored.to_vec())).with(&options, Path::new("a")).unwrap();
        assert_eq!(converted.image.texture().swizzle(), Swizzle::NONE);
        assert_eq!(
            converted.image.level(0, Path::new("a")).unwrap().texels(),
            [expected.map(|code| code * 257)]
        );
        assert!(converted.notes.last().unwrap().contains("converted from"), "{:?}", converted.notes);
    }
}

/// A .dds file of the older kind: flags of its pixel format, four letters, bits and masks.
fn older(width: u32, flags: u32, letters: &[u8; 4], count: u32, masks: [u32; 4], data: &[u8]) -> Vec<u8> {
    let mut file = d3d(D3DFormat::L8, width, 1, None, data.to_vec());
    let [r, g, b, a] = masks;
    let words = [flags, u32::from_le_bytes(*letters), count, r, g, b, a];
    for (at, word) in (80..).step_by(4).zip(words) {
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    file
}

const FOURCC: u32 = 4;
const RGB: u32 = 0x40;
const RGBA: u32 = 0x41;
const LUMINANCE_ALPHA: u32 = 0x2_0001;

/// What a sample shows of a texel by the masks, of 8 bits a channel, and what is said of it. All masks: see the module.
#[test]
fn masks_are_obeyed() {
    const SWIZZLE: &str = "its order of channels is kept by the swizzle";
    type Case = (u32, u32, [u32; 4], &'static [u8], Format, [u16; 4], &'static str);
    let cases: [Case; 8] = [
        (RGBA, 16, [0xf800, 0x7c0, 0x3e, 1], &[0x3e, 0xf8], Format::Rgba5551, [255, 0, 255, 0], ""),
        (RGBA, 16, [0xf000, 0xf00, 0xf0, 0xf], &[0x34, 0x12], Format::Rgba4444, [0x11, 0x22, 0x33, 0x44], ""),
        (RGB, 16, [0x1f, 0x7e0, 0xf800, 0], &[0x1f, 0], Format::Rgb565, [255, 0, 0, 255], SWIZZLE),
        (
            RGBA,
            16,
            [0x1f, 0x3e0, 0x7c00, 0x8000],
            &[0x1f, 0x80],
            Format::Rgba5551,
            [255, 0, 0, 255],
            "its texels are converted to rgba5551",
        ),
        (
            RGBA,
            32,
            [0xff00_0000, 0xff_0000, 0xff00, 0xff],
            &[4, 3, 2, 1],
            Format::Rgba8,
            [1, 2, 3, 4],
            SWIZZLE,
        ),
        (RGB, 16, [0xff00, 0xff, 0, 0], &[2, 1], Format::Rg8, [1, 2, 0, 255], SWIZZLE),
        (LUMINANCE_ALPHA, 16, [0xff00, 0, 0, 0xff], &[2, 1], Format::Rg8, [1, 1, 1, 2], SWIZZLE),
        (LUMINANCE_ALPHA, 16, [0xff, 0, 0, 0xff00], &[2, 1], Format::Rg8, [2, 2, 2, 1], SWIZZLE),
    ];
    for (flags, count, masks, texel, format, expected, note) in cases {
        let Container { image, notes } = decode(&older(1, flags, &[0; 4], count, masks, texel));
        assert_eq!(image.texture().format(), format, "{masks:x?}");
        let shown = image.level(0, Path::new("a")).unwrap().swizzled(image.texture().swizzle());
        assert_eq!(shown.texels(), [expected], "{masks:x?}");
        assert!(notes.concat().starts_with(note) && notes.is_empty() == note.is_empty(), "{notes:?}");
    }
    let said = refused(&older(1, RGB, &[0; 4], 16, [0xff, 0xff, 0, 0], &[0, 0]));
    assert!(
        said.contains("E0115") && said.contains("16 bits with the masks 0xff, 0xff, 0x0 and 0x0"),
        "{said}"
    );
}

/// Four letters or a number, the format, or what is said of it.
#[test]
fn codes_of_four_letters_are_taken_or_named() {
    let number = |number: u32| number.to_le_bytes();
    let cases = [
        (*b"DXT1", Ok(Format::Bc1)),
        (*b"DXT2", Ok(Format::Bc2)),
        (*b"DXT5", Ok(Format::Bc3)),
        (*b"ATI1", Ok(Format::Bc4)),
        (*b"BC4U", Ok(Format::Bc4)),
        (*b"ATI2", Ok(Format::Bc5)),
        (*b"BC5U", Ok(Format::Bc5)),
        (number(36), Ok(Format::Rgba16)),
        (number(116), Ok(Format::Rgba32f)),
        (*b"BC4S", Err("the format of the texels is BC4S, which units do not have")),
        (*b"BC5S", Err("the format of the texels is BC5S, which units do not have")),
        (number(110), Err("the format of the texels is the number 110")),
    ];
    for (letters, expected) in cases {
        let file = older(1, FOURCC, &letters, 0, [0; 4], &[0x5a; 16]);
        match expected {
            Ok(format) => {
                let container = decode(&file);
                assert_eq!(container.image.texture().format(), format, "{letters:?}");
                assert_eq!(container.notes.len(), usize::from(letters == *b"DXT2"), "{letters:?}");
            }
            Err(words) => assert!(refused(&file).contains(words), "{}", refused(&file)),
        }
    }
}

/// Formats without a type, which are taken as numbers from 0 to 1, or floats.
#[test]
fn typeless_formats_are_taken() {
    for (format, expected) in [
        (DxgiFormat::R16_Typeless, Format::R16),
        (DxgiFormat::R16G16_Typeless, Format::Rg16),
        (DxgiFormat::R16G16B16A16_Typeless, Format::Rgba16),
        (DxgiFormat::R32G32_Typeless, Format::Rg32f),
        (DxgiFormat::R32G32B32A32_Typeless, Format::Rgba32f),
    ] {
        let file = dxgi(format, [1, 1, 1], 1, 1, false, vec![0; 16]);
        assert_eq!(decode(&file).image.texture().format(), expected, "{format:?}");
    }
}

/// vkFormat, bytes of a texel, and what a sample shows of it.
#[test]
fn orders_of_ktx2_are_kept() {
    let cases: [(u32, Format, &[u8], [u16; 4]); 7] = [
        // A4R4G4B4, A4B4G4R4, A1R5G5B5 and A1B5G5R5 in 16 bits.
        (1_000_340_000, Format::Rgba4444, &[0x21, 0xf3], [0x33, 0x22, 0x11, 0xff]),
        (1_000_340_001, Format::Rgba4444, &[0x21, 0xf3], [0x11, 0x22, 0x33, 0xff]),
        (8, Format::Rgba5551, &[0x1f, 0x00], [0, 0, 255, 0]),
        (1_000_470_000, Format::Rgba5551, &[0x1f, 0x00], [255, 0, 0, 0]),
        // A8B8G8R8 in 32 bits, also sRGB-coded, and A8.
        (51, Format::Rgba8, &[1, 2, 3, 4], [1, 2, 3, 4]),
        (57, Format::Rgba8, &[1, 2, 3, 4], [1, 2, 3, 4]),
        (1_000_470_001, Format::R8, &[9], [0, 0, 0, 9]),
    ];
    for (code, format, texel, expected) in cases {
        let options = GeneralOptions { format, ..OPTIONS };
        let mut file = write_ktx2(&packed(1, 1, 1, &options), Path::new("a")).unwrap();
        file[12..16].copy_from_slice(&code.to_le_bytes());
        let end = file.len() - texel.len();
        file[end..].copy_from_slice(texel);
        let image = decode(&file).image;
        assert_eq!((image.texture().format(), image.texture().is_srgb()), (format, code == 57), "{code}");
        let shown = image.level(0, Path::new("a")).unwrap().swizzled(image.texture().swizzle());
        assert_eq!(shown.texels(), [expected], "{code}");
    }
}

#[test]
fn a_ktx2_file_needs_no_description() {
    for is_srgb in [false, true] {
        let image = packed(5, 3, 1, &GeneralOptions { is_srgb, ..OPTIONS });
        let mut file = write_ktx2(&image, Path::new("a")).unwrap();
        file[48..56].fill(0);
        assert_eq!(decode(&file).image, image);
    }
}
