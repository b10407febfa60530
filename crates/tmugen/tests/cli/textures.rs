//! Textures of every kind and format: pictures in, pictures and .ktx2 files out.

use crate::support::Workshop;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tmu_assets::{Picture, Raster};

/// Slices of one size, `s0.png` and so on.
fn slices(workshop: &Workshop, count: usize, width: usize, height: usize) -> String {
    let mut names = Vec::new();
    for slice in 0..count {
        let texel =
            |number: usize| [(number * 37) as u8, (number * 11 + slice) as u8, (slice * 40) as u8, 255];
        let picture = Picture::from_texels(width, height, (0..width * height).map(texel).collect());
        let name = format!("s{slice}.png");
        fs::write(workshop.path(&name), picture.encode(Path::new(&name)).unwrap()).unwrap();
        names.push(name);
    }
    names.join(" ")
}

fn picture(workshop: &Workshop, name: &str) -> Picture {
    Picture::open(&workshop.path(name)).unwrap()
}

#[test]
fn slices_of_every_kind_come_back() {
    let workshop = Workshop::new();
    for (kind, count, width, height, format) in [
        ("1d", 1, 37, 1, "rgba8"),
        ("2d", 1, 13, 6, "rgb8"),
        ("3d", 5, 6, 7, "rgb8"),
        ("cube", 6, 9, 9, "rgba16"),
        ("2d_array", 3, 20, 3, "i8_rgb8"),
    ] {
        let inputs = slices(&workshop, count, width, height);
        workshop.succeed(&format!("tmugen pack {inputs} -o t.bin --format {format} --kind {kind}"));
        workshop.succeed("tmugen info t.toml");
        workshop.succeed("tmugen unpack t.toml -o back.png");
        for slice in 0..count {
            let back = if count == 1 { "back.png".into() } else { format!("back_{slice}.png") };
            assert!(
                picture(&workshop, &back) == picture(&workshop, &format!("s{slice}.png")),
                "{kind}: {back}"
            );
        }
    }
    let text = workshop.read("t.toml");
    assert!(
        text.starts_with("kind = \"2d_array\"\nwidth = 20\nheight = 3\ndepth = 3\nlevels = 5\n"),
        "{text}"
    );
}

/// What a .ktx2 file holds is packed as it is, and unpacked to the same bytes.
#[test]
fn a_ktx2_file_comes_back_byte_for_byte() {
    let workshop = Workshop::new();
    let faces = slices(&workshop, 6, 12, 12);
    for (inputs, options) in [
        ("chelsea.png", "--format bc1 --srgb"),
        ("chelsea.png", "--format rgb565 --kind 2d --swizzle bgr1 --levels 3"),
        (faces.as_str(), "--format etc2_rgba8 --kind cube"),
        (faces.as_str(), "--format r16f --kind 3d"),
    ] {
        workshop.succeed(&format!("tmugen pack {inputs} -o a.bin {options}"));
        workshop.succeed("tmugen unpack a.toml -o a.ktx2");
        workshop.succeed("tmugen pack a.ktx2 -o b.bin");
        workshop.succeed("tmugen unpack b.toml -o b.ktx2");
        assert_eq!(workshop.read("a.toml"), workshop.read("b.toml"), "{options}");
        for (a, b) in [("a.bin", "b.bin"), ("a.ktx2", "b.ktx2")] {
            assert!(
                fs::read(workshop.path(a)).unwrap() == fs::read(workshop.path(b)).unwrap(),
                "{options}: {a}"
            );
        }
    }
}

#[test]
fn every_block_format_keeps_a_photograph() {
    let workshop = Workshop::new();
    for (format, least_db) in [
        ("bc1", 34.0),
        ("bc2", 34.0),
        ("bc3", 34.0),
        ("bc4", 40.0),
        ("bc5", 40.0),
        ("bc7", 42.0),
        ("etc2_rgb8", 34.0),
        ("etc2_rgb8a1", 34.0),
        ("etc2_rgba8", 34.0),
        ("eac_r11", 40.0),
        ("eac_rg11", 40.0),
    ] {
        let run = workshop
            .succeed(&format!("tmugen pack chelsea.png -o t.bin --format {format} --levels 1 --json"));
        let told: Value = serde_json::from_str(&run).unwrap();
        let db = told["psnr_db"].as_f64().unwrap_or_else(|| panic!("{format}: {told}"));
        assert!(db > least_db, "{format}: {db}");
        // 451 x 300: partial blocks at both edges.
        assert_eq!((&told["width"], &told["height"]), (&451.into(), &300.into()));
    }
}

/// 16 bits a channel go through r16 and rgba16 and back.
#[test]
fn pictures_of_16_bits_keep_them() {
    let workshop = Workshop::new();
    let texels = (0..35).map(|number| [number * 1801, 65535 - number * 7, number, 65535]).collect();
    let wide = Raster::new([7, 5, 1], 16, texels);
    fs::write(workshop.path("wide.png"), wide.encode(0, Path::new("wide.png")).unwrap()).unwrap();
    workshop.succeed("tmugen pack wide.png -o t.bin --format rgba16");
    workshop.succeed("tmugen unpack t.toml -o back.png");
    assert_eq!(Raster::open(&workshop.path("back.png")).unwrap().0, wide);
    workshop.succeed("tmugen pack wide.png -o t.bin --format d16");
    let memory = fs::read(workshop.path("t.bin")).unwrap();
    assert_eq!(memory[2..4], 1801u16.to_le_bytes());
}

/// A .dds file with blue first.
fn dds(width: u32, height: u32) -> Vec<u8> {
    let mut file = vec![0u8; 128];
    file[..4].copy_from_slice(b"DDS ");
    // Sizes of the header and of its pixel format, what is there, the sides, 32 bits with their masks.
    for (at, value) in [
        (4, 124),
        (8, 0x1007),
        (12, height),
        (16, width),
        (76, 32),
        (80, 0x41),
        (88, 32),
        (92, 0xff_0000),
        (96, 0xff00),
        (100, 0xff),
        (104, 0xff00_0000),
        (108, 0x1000),
    ] {
        file[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    file.extend((0..width * height * 4).map(|byte| byte as u8));
    file
}

#[test]
fn a_dds_file_is_packed_and_says_what_it_changed() {
    let workshop = Workshop::new();
    fs::write(workshop.path("a.dds"), dds(3, 2)).unwrap();
    let run = workshop.succeed("tmugen pack a.dds -o t.bin");
    assert!(run.contains("of the file: its order of channels is kept by the swizzle bgra"), "{run}");
    workshop.succeed("tmugen unpack t.toml -o back.png");
    assert_eq!(picture(&workshop, "back.png").texel(1, 0), [6, 5, 4, 7]);
    let run = workshop.succeed("tmugen pack a.dds -o t.bin --format rgb8");
    assert!(run.contains("converted from rgba8 to rgb8"), "{run}");
    workshop.succeed("tmugen unpack t.toml -o back.png");
    assert_eq!(picture(&workshop, "back.png").texel(1, 0), [6, 5, 4, 255]);
}

/// Command, exit code, and what is said.
#[test]
fn what_cannot_be_packed_says_why() {
    let workshop = Workshop::new();
    slices(&workshop, 3, 4, 4);
    fs::write(workshop.path("a.dds"), dds(4, 4)).unwrap();
    let whole = dds(4, 4);
    fs::write(workshop.path("cut.dds"), &whole[..whole.len() - 1]).unwrap();
    fs::write(workshop.path("other.ktx2"), b"no such").unwrap();
    fs::write(workshop.path("magic.dds"), [b"XDS ", &whole[4..]].concat()).unwrap();
    workshop.succeed("tmugen pack s0.png -o i8.bin --format i8_rgb8 --kind 2d");
    for (command, exit, parts) in [
        ("pack s0.png -o t.bin", 2, ["E0200", "--format is not given"]),
        ("pack s0.png s1.png -o t.bin --format rgb8", 1, ["E0113", "--kind 3d"]),
        ("pack s0.png s1.png -o t.bin --format rgb8 --kind cube", 1, ["E0113", "order +x -x +y -y +z -z"]),
        ("pack s0.png coffee.jpg -o t.bin --format rgb8 --kind 3d", 1, ["E0113", "measures 512 x 512"]),
        ("pack s0.png -o t.bin --format r8 --srgb", 1, ["E0113", "leave --srgb out"]),
        ("pack s0.png -o t.bin --format r8 --levels 4", 1, ["E0113", "must be 1 to 3"]),
        (
            "pack s0.png -o t.bin --format r8 --levels 2 --no-mipmaps",
            2,
            ["--levels", "cannot be used with '--no-mipmaps'"],
        ),
        ("pack s0.png -o t.bin --format r8 --swizzle bgx1", 2, ["--swizzle", "four of r, g, b, a, 0 and 1"]),
        ("pack chelsea.png -o t.bin --format rgb8", 1, ["E0106", "--kind 2d"]),
        ("pack a.dds s0.png -o t.bin", 2, ["E0200", "packed alone"]),
        ("pack a.dds -o t.bin --dither", 2, ["E0200", "--dither is for pictures"]),
        ("pack a.dds -o t.bin --kind cube", 1, ["E0113", "of kind 2d, not cube"]),
        ("pack cut.dds -o t.bin", 1, ["E0114", "at byte 128"]),
        ("pack other.ktx2 -o t.bin", 1, ["E0114", "at byte 0"]),
        ("pack magic.dds -o t.bin", 1, ["magic.dds: error[E0114]", "it does not begin as a .dds"]),
        ("pack none.dds -o t.bin", 1, ["E0101", "none.dds"]),
        ("unpack i8.toml -o i8.ktx2", 1, ["E0115", "i8_rgb8"]),
        ("unpack i8.toml -o i8.ktx2 --level 1", 2, ["E0200", "all levels"]),
        ("unpack i8.toml -o i8.png --level 3", 1, ["E0111", "levels 0 to 2"]),
    ] {
        let run = workshop.run(&format!("tmugen {command}"));
        assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
        let said = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in parts {
            assert!(said.contains(part), "{part:?} is not in {run}");
        }
        assert!(!workshop.path("t.bin").exists(), "{command}");
    }
}
