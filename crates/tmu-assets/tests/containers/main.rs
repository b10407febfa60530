//! .dds and .ktx2 files: what is taken as it is, what is refused, and files that lie.

mod conversions;
mod orders;

use ddsfile::{
    AlphaMode, Caps2, D3D10ResourceDimension, D3DFormat, Dds, DxgiFormat, NewD3dParams, NewDxgiParams,
    PixelFormatFlags,
};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use tmu_assets::{
    Container, ContainerOptions, GeneralImage, GeneralOptions, MipFilter, Picture, Raster, is_container_file,
    pack_general, write_ktx2,
};
use tmu_spec::Format;
use tmu_spec::general::{Kind, Pyramid, Swizzle};

const OPTIONS: GeneralOptions = GeneralOptions {
    kind: Kind::D2,
    format: Format::Rgba8,
    levels: None,
    swizzle: Swizzle::NONE,
    is_srgb: false,
    pyramid: Pyramid::Mipmap,
    mip_filter: MipFilter::BoxEncoded,
    dither: false,
};

fn picture(width: usize, height: usize, seed: usize) -> Raster {
    let texel = |number: usize| {
        let value = (number + 1).wrapping_mul(2_654_435_761).wrapping_add(seed * 97) >> 3;
        [value, value >> 7, value >> 13, value >> 17].map(|byte| byte as u8)
    };
    Raster::from(&Picture::from_texels(width, height, (0..width * height).map(texel).collect()))
}

fn packed(width: usize, height: usize, count: usize, options: &GeneralOptions) -> GeneralImage {
    let pictures: Vec<_> = (0..count).map(|seed| picture(width, height, seed)).collect();
    pack_general(&pictures, options, &vec![PathBuf::from("a.png"); count]).unwrap()
}

fn decode(bytes: &[u8]) -> Container {
    Container::decode(bytes, Path::new("a")).unwrap_or_else(|problems| panic!("{problems}"))
}

fn refused(bytes: &[u8]) -> String {
    let problems = Container::decode(bytes, Path::new("a")).expect_err("no file that is taken").to_string();
    problems.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Kinds with the width, height and number of slices of a texture of each.
const KINDS: [(Kind, usize, usize, usize); 5] = [
    (Kind::D1, 21, 1, 1),
    (Kind::D2, 13, 6, 1),
    (Kind::D3, 5, 6, 7),
    (Kind::Cube, 9, 9, 6),
    (Kind::D2Array, 6, 3, 5),
];

/// Writing a texture as .ktx2 and reading it gives the same texture, and writing that gives the same file.
#[test]
fn every_format_and_kind_goes_through_ktx2() {
    for format in Format::ALL {
        for (kind, width, height, count) in KINDS {
            if format.is_block() && matches!(kind, Kind::D1 | Kind::D3) {
                continue;
            }
            let swizzle: Swizzle = "bg1r".parse().unwrap();
            let options = GeneralOptions { kind, format, swizzle, is_srgb: format.can_be_srgb(), ..OPTIONS };
            let image = packed(width, height, count, &options);
            if format.has_color_table() {
                let problems = write_ktx2(&image, Path::new("a")).unwrap_err();
                assert_eq!(problems.as_slice()[0].code, "E0115");
                continue;
            }
            let file = write_ktx2(&image, Path::new("a")).unwrap();
            let container = decode(&file);
            assert_eq!(container.image, image, "{format} {kind}");
            assert_eq!(write_ktx2(&container.image, Path::new("a")).unwrap(), file, "{format} {kind}");
        }
    }
}

/// A .dds file of the newer kind with the bytes of each slice of each level.
fn dxgi(
    format: DxgiFormat,
    size: [u32; 3],
    levels: u32,
    layers: u32,
    is_cube: bool,
    data: Vec<u8>,
) -> Vec<u8> {
    let [width, height, depth] = size;
    let resource_dimension =
        if depth > 1 { D3D10ResourceDimension::Texture3D } else { D3D10ResourceDimension::Texture2D };
    let params = NewDxgiParams {
        height,
        width,
        depth: (depth > 1).then_some(depth),
        format,
        mipmap_levels: Some(levels),
        array_layers: Some(layers),
        caps2: None,
        is_cubemap: is_cube,
        resource_dimension,
        alpha_mode: AlphaMode::Unknown,
    };
    file_of(Dds::new_dxgi(params).unwrap(), layers, data)
}

fn file_of(mut dds: Dds, layers: u32, data: Vec<u8>) -> Vec<u8> {
    dds.data = data;
    if let Some(header) = &mut dds.header10 {
        header.array_size = layers;
    }
    let mut file = Vec::new();
    dds.write(&mut file).unwrap();
    file
}

fn d3d(format: D3DFormat, width: u32, height: u32, caps2: Option<Caps2>, data: Vec<u8>) -> Vec<u8> {
    let params = NewD3dParams { height, width, depth: None, format, mipmap_levels: None, caps2 };
    let mut dds = Dds::new_d3d(params).unwrap();
    // The crate writes luminance and alpha alone as if they were colours.
    let flags = match format {
        D3DFormat::L8 | D3DFormat::L16 => PixelFormatFlags::LUMINANCE,
        D3DFormat::A8L8 => PixelFormatFlags::LUMINANCE | PixelFormatFlags::ALPHA_PIXELS,
        D3DFormat::A8 => PixelFormatFlags::ALPHA,
        _ => dds.header.spf.flags,
    };
    dds.header.spf.flags = flags;
    file_of(dds, 1, data)
}

/// Levels of a layer stand together in a .dds file.
#[test]
fn a_dds_array_is_taken_layer_by_layer() {
    let options = GeneralOptions { kind: Kind::D2Array, ..OPTIONS };
    let image = packed(6, 5, 3, &options);
    let levels: Vec<_> = (0..3).map(|level| image.level(level, Path::new("a")).unwrap()).collect();
    let bytes = |raster: &Raster| -> Vec<u8> {
        raster.texels().iter().flat_map(|texel| texel.map(|code| code as u8)).collect()
    };
    let data =
        (0..3).flat_map(|layer| levels.iter().flat_map(move |level| bytes(&level.slice(layer)))).collect();
    let file = dxgi(DxgiFormat::R8G8B8A8_UNorm, [6, 5, 1], 3, 3, false, data);
    assert_eq!(decode(&file), Container { image, notes: Vec::new() });
}

#[test]
fn kinds_and_blocks_of_dds_are_taken_as_they_are() {
    let blocks: Vec<u8> = (0..6 * (4 + 1) * 16).map(|byte| (byte * 7) as u8).collect();
    let cube = decode(&dxgi(DxgiFormat::BC7_UNorm_sRGB, [7, 7, 1], 2, 1, true, blocks.clone())).image;
    let texture = *cube.texture();
    assert_eq!((texture.kind(), texture.format(), texture.is_srgb()), (Kind::Cube, Format::Bc7, true));
    // Face 1, level 0, block 2; face 5, level 1.
    let (tile, _) = texture.tile_of(0, [0, 4, 1]);
    assert_eq!(cube.memory()[tile as usize..][..16], blocks[(5 + 2) * 16..][..16]);
    let (tile, _) = texture.tile_of(1, [0, 0, 5]);
    assert_eq!(cube.memory()[tile as usize..][..16], blocks[(5 * 5 + 4) * 16..][..16]);

    let volume = decode(&dxgi(DxgiFormat::R8_UNorm, [2, 1, 3], 2, 1, false, vec![1, 2, 3, 4, 5, 6, 7])).image;
    assert_eq!(volume.texture().shape().depth, 3);
    let level = |level| volume.level(level, Path::new("a")).unwrap();
    let reds = |raster: Raster| raster.texels().iter().map(|texel| texel[0]).collect::<Vec<_>>();
    assert_eq!((reds(level(0)), reds(level(1))), (vec![1, 2, 3, 4, 5, 6], vec![7]));

    let faces =
        d3d(D3DFormat::A8, 1, 1, Some(Caps2::CUBEMAP | Caps2::CUBEMAP_ALLFACES), vec![1, 2, 3, 4, 5, 6]);
    let faces = decode(&faces);
    assert_eq!(faces.image.texture().kind(), Kind::Cube);
    assert_eq!(faces.notes, ["its order of channels is kept by the swizzle 000r"]);
}

/// The name, the content, and whether it is read as a container.
#[test]
fn containers_are_known_by_content_and_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let png =
        packed(1, 1, 1, &OPTIONS).level(0, Path::new("a")).unwrap().encode(0, Path::new("a.png")).unwrap();
    let dds = dxgi(DxgiFormat::R8_UNorm, [1, 1, 1], 1, 1, false, vec![0]);
    let mut damaged = dds.clone();
    damaged[0] = b'X';
    for (name, content, expected) in [
        ("a.dds", &dds, true),
        ("a.bin", &dds, true),
        ("b.dds", &damaged, true),
        ("b.KTX2", &damaged, true),
        ("b.bin", &damaged, false),
        ("c.dds", &png, false),
        ("d.dds", &Vec::new(), true),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        assert_eq!(is_container_file(&path), expected, "{name}");
    }
    assert!(is_container_file(&folder.path().join("none.dds")));
    let said = Container::open(&folder.path().join("b.dds")).unwrap_err().to_string();
    assert!(said.contains("E0114") && said.contains("b.dds"), "{said}");
    assert!(said.contains("it does not begin as a .dds or .ktx2 file does"), "{said}");
}

#[test]
fn what_is_asked_for_must_go_with_the_file() {
    let image = packed(8, 8, 1, &GeneralOptions { is_srgb: true, ..OPTIONS });
    let file = write_ktx2(&image, Path::new("a")).unwrap();
    let with = |options: &ContainerOptions| decode(&file).with(options, Path::new("a"));
    let none = ContainerOptions::default();
    assert_eq!(with(&none).unwrap().image, image);
    let two =
        with(&ContainerOptions { levels: Some(2), swizzle: "rrr1".parse().unwrap(), ..none }).unwrap().image;
    assert_eq!((two.texture().levels(), two.memory().len()), (2, 256 + 64));
    assert_eq!(two.memory(), &image.memory()[..320]);
    assert_eq!(two.texture().swizzle().to_string(), "rrr1");
    let block = with(&ContainerOptions { format: Some(Format::Bc7), ..none }).unwrap().image;
    assert_eq!((block.texture().format(), block.texture().is_srgb()), (Format::Bc7, true));
    let narrow = with(&ContainerOptions { format: Some(Format::Rgb565), ..none }).unwrap();
    assert!(!narrow.image.texture().is_srgb() && narrow.notes.len() == 2, "{:?}", narrow.notes);
    for (options, code) in [
        (ContainerOptions { kind: Some(Kind::Cube), ..none }, "E0113"),
        (ContainerOptions { levels: Some(5), ..none }, "E0113"),
        (ContainerOptions { format: Some(Format::D16), ..none }, "E0115"),
        (ContainerOptions { format: Some(Format::R8), is_srgb: true, ..none }, "E0113"),
    ] {
        assert_eq!(with(&options).unwrap_err().as_slice()[0].code, code, "{options:?}");
    }
}

#[test]
fn files_that_hold_what_no_texture_can_be_are_refused() {
    let ktx = write_ktx2(&packed(8, 8, 1, &OPTIONS), Path::new("a")).unwrap();
    let with = |at: usize, value: u32| {
        let mut file = ktx.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        file
    };
    let description = u32::from_le_bytes(ktx[48..52].try_into().unwrap()) as usize + 4;
    let mut basis = with(12, 0);
    // The colour model ETC1S.
    basis[description + 8] = 163;
    let dds = dxgi(DxgiFormat::R8_UNorm, [4, 4, 1], 1, 1, false, vec![0; 16]);
    let cube = d3d(D3DFormat::L8, 1, 1, Some(Caps2::CUBEMAP | Caps2::CUBEMAP_POSITIVEX), vec![0; 6]);
    let wide = d3d(D3DFormat::L8, 5000, 1, None, vec![0; 5000]);
    let cases: [(&[u8], &str); 22] = [
        (
            &dxgi(DxgiFormat::R8_SInt, [4, 4, 1], 1, 1, false, vec![0; 16]),
            "E0115]: the format of the texels is R8_SInt",
        ),
        (
            &dxgi(DxgiFormat::BC6H_UF16, [4, 4, 1], 1, 1, false, vec![0; 16]),
            "BC6H_UF16, which units do not have",
        ),
        (&dxgi(DxgiFormat::R8_UNorm, [4, 4, 1], 1, 2, true, vec![0; 99]), "an array of cubes"),
        (&cube, "a cube of which faces are missing"),
        (&dxgi(DxgiFormat::R8_UNorm, [4, 4, 1], 5, 1, false, vec![0; 99]), "levels is 5, but must be 1 to 3"),
        (&dxgi(DxgiFormat::R8_UNorm, [4, 5, 1], 1, 1, true, vec![0; 999]), "faces of a cube are square"),
        (
            &dds[..dds.len() - 1],
            "E0114]: a: at byte 148: level 0 of layer 0 reaches to byte 164, but the file has 163",
        ),
        (&dds[..100], "E0114]: a: at byte 100: it ends inside its header"),
        (b"DDS ", "at byte 4: it ends inside its header"),
        (b"nothing", "it does not begin as a .dds or .ktx2 file does"),
        (
            &wide,
            "width is 5000, but a side has 1 to 4096 texels help: a side has 1 to 4096 texels: write the file smaller",
        ),
        (
            &with(40, 5),
            "levels is 5, but must be 1 to 4 for this size help: the last level is one texel: make the file",
        ),
        (&with(12, 0), "vkFormat is 0, and its description has RGBSDA help: convert the file"),
        (&basis, "one of Basis Universal, which units do not sample as it is help: transcode it"),
        (&with(56, 1 << 30), "at byte 56: the table of keys and values reaches to byte"),
        (&with(80, 1 << 30), "at byte 80: level 0 reaches to byte"),
        (&ktx[..79], "at byte 79: it ends inside its header, which has 80 bytes"),
        (&with(12, 38), "which units do not have"),
        (&with(20, 0), "at byte 20: the width is 0"),
        (&with(44, 3), "compressed once more by"),
        (&with(20, 9), "level 0 has 256 bytes, but 9 x 8 x 1 texels of rgba8 are 288"),
        (&ktx[..ktx.len() - 1], "beyond the end of the file"),
    ];
    for (file, expected) in cases {
        let said = refused(file);
        assert!(
            said.contains(expected.replace("]: a:", "]:").as_str()) || said.contains(expected),
            "{expected}: {said}"
        );
    }
    // Sizes that no file has.
    for (at, value) in [(20, u32::MAX), (24, u32::MAX), (28, 70_000), (32, u32::MAX), (36, 7), (40, u32::MAX)]
    {
        refused(&with(at, value));
    }
    for (at, value) in [(description + 4, 0x0010_0002), (description + 12, 0x0000_00ff)] {
        let said = refused(&with(at, value));
        assert!(said.contains("the description of the texels cannot be"), "{said}");
    }
    // Zstandard could make more of a few bytes than any texture has: a volume of 4096 texels a side.
    let mut bomb = ktx.clone();
    for (at, value) in [(20, 4096u32), (24, 4096), (28, 4096), (44, 2)] {
        bomb[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    assert!(refused(&bomb).contains("past the texture window"), "{}", refused(&bomb));
    let mut lies = dds.clone();
    for at in [12, 16, 24, 28] {
        lies[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        refused(&lies);
    }
}

/// A frame of one raw block: what Zstandard makes of bytes that it does not compress.
fn zstandard(data: &[u8]) -> Vec<u8> {
    let head = (data.len() as u32) << 3 | 1;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    frame.extend((data.len() as u32).to_le_bytes());
    frame.extend(&head.to_le_bytes()[..3]);
    frame.extend(data);
    frame
}

#[test]
fn zstandard_is_read() {
    let image = packed(4, 4, 1, &GeneralOptions { levels: Some(1), ..OPTIONS });
    let plain = write_ktx2(&image, Path::new("a")).unwrap();
    let offset = u64::from_le_bytes(plain[80..88].try_into().unwrap()) as usize;
    let frame = zstandard(&plain[offset..]);
    let mut file = plain[..offset].to_vec();
    file[44..48].copy_from_slice(&2u32.to_le_bytes());
    file[88..96].copy_from_slice(&(frame.len() as u64).to_le_bytes());
    file.extend(&frame);
    assert_eq!(decode(&file).image, image);
    // A frame that is longer than its level, and one that is damaged.
    let mut longer = file.clone();
    longer[20..24].copy_from_slice(&3u32.to_le_bytes());
    assert!(refused(&longer).contains("level 0 has 49 bytes"), "{}", refused(&longer));
    file[offset] = 0;
    assert!(refused(&file).contains("is not sound Zstandard"));
}

fn sound_files() -> Vec<Vec<u8>> {
    let ktx = |format, kind, count| {
        write_ktx2(&packed(5, 5, count, &GeneralOptions { kind, format, ..OPTIONS }), Path::new("a")).unwrap()
    };
    vec![
        ktx(Format::Rgba8, Kind::D2, 1),
        ktx(Format::Bc1, Kind::Cube, 6),
        ktx(Format::R16f, Kind::D3, 3),
        dxgi(DxgiFormat::BC3_UNorm, [5, 5, 1], 2, 3, false, vec![7; 3 * (64 + 16)]),
        d3d(D3DFormat::A8R8G8B8, 3, 3, None, vec![7; 36]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    /// Sound files with a few bytes changed and their end cut off: taken or refused, nothing else.
    #[test]
    fn damaged_files_are_taken_or_refused(
        file in prop::sample::select(sound_files()),
        changes in prop::collection::vec((0usize..400, any::<u8>()), 0..6),
        cut in prop::option::of(0usize..600),
    ) {
        let mut file = file;
        for (at, value) in changes {
            let at = at % file.len();
            file[at] = value;
        }
        file.truncate(cut.unwrap_or(file.len()));
        match Container::decode(&file, Path::new("a")) {
            Ok(container) => prop_assert!(container.image.memory().len() <= 64 * file.len() + 4096),
            Err(problems) => prop_assert!(!problems.as_slice().is_empty()),
        }
    }
}
