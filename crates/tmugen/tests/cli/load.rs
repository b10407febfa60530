//! `tmugen load` as a user runs it.

use crate::support::Workshop;
use std::fs;
use tmu_verilate::Tools;

/// A workshop with pictures of 37 x 20 texels.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    for (name, seed) in [("a.png", 1), ("b.png", 2), ("c.png", 3)] {
        let texel = |number: usize| {
            let hash = (number + 1).wrapping_mul(2_654_435_761 * seed);
            [hash >> 3, hash >> 9, hash >> 15, hash >> 21].map(|byte| byte as u8)
        };
        let picture = tmu_assets::Picture::from_texels(37, 20, (0..37 * 20).map(texel).collect());
        let path = workshop.path(name);
        fs::write(&path, picture.encode(&path).unwrap()).unwrap();
    }
    workshop
}

#[test]
fn a_texture_has_the_bytes_of_the_packer() {
    let workshop = workshop();
    for (pictures, options) in [
        ("a.png", "--format rgba8 --srgb"),
        ("a.png", "--format rgb565 --levels 3"),
        ("a.png", "--format r32f --levels 1"),
        ("a.png b.png c.png", "--format rg8 --kind 3d"),
        ("a.png b.png", "--format rgb8 --kind 2d_array --srgb"),
    ] {
        let said = workshop.succeed(&format!("tmugen load {pictures} -o loaded.bin {options}"));
        assert!(said.starts_with("loaded.bin: ") && said.contains("loaded.toml describes it"), "{said}");
        let kind = if options.contains("--kind") { "" } else { "--kind 2d" };
        let exact = format!("{options} {kind} --mip-filter exact");
        workshop.succeed(&format!("tmugen pack {pictures} -o packed.bin {exact}"));
        let read = |name| fs::read(workshop.path(name)).unwrap();
        assert!(read("loaded.bin") == read("packed.bin"), "{pictures} {options}");
        assert_eq!(workshop.read("loaded.toml"), workshop.read("packed.toml"), "{pictures} {options}");
    }
}

#[test]
fn the_hardware_loads_the_same() {
    let workshop = workshop();
    if Tools::verilator().is_err() || Tools::cxx().is_err() {
        return;
    }
    workshop.succeed("tmugen load a.png -o golden.bin --format rgba8 --srgb");
    let said = workshop.succeed("tmugen load a.png -o rtl.bin --format rgba8 --srgb --engine rtl");
    assert!(said.contains(" clocks of the engine"), "{said}");
    let read = |name| fs::read(workshop.path(name)).unwrap();
    assert_eq!(read("golden.bin"), read("rtl.bin"));
}

#[test]
fn mistakes_are_told_with_their_remedy() {
    let workshop = workshop();
    for (arguments, exit, code, said) in [
        ("a.png -o t.bin --format bc1", 1, "E0205", "loads no texels of format bc1"),
        ("a.png -o t.bin --format i8_rgba8", 1, "E0205", "loads no texels of format i8_rgba8"),
        ("a.png -o t.bin --format rgba8 --kind 1d", 1, "E0205", "no textures of kind 1d"),
        ("a.png -o t.bin --format rgba8 --preset mesh", 1, "E0205", "mesh builds no engine \"loader\""),
        ("a.png -o t.bin --format r32f --levels 2", 1, "E0113", "exact makes no levels of format r32f"),
        ("a.png b.png -o t.bin --format rgba8", 1, "E0113", "is made of 1 pictures"),
        ("a.png -o t.bin --format rgba8 --levels 9", 1, "E0113", "levels is 9"),
    ] {
        let run = workshop.run(&format!("tmugen load {arguments}"));
        assert!(run.exit == exit && run.err.contains(code) && run.err.contains(said), "{arguments}: {run}");
        assert!(!workshop.path("t.bin").exists(), "{arguments}");
    }
}
