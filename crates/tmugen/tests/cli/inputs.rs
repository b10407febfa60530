//! What is read: damaged pictures are refused, nothing is read without an end, and file errors are file errors.

use crate::support::{Run, Workshop, with_gamma_1};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// Runs a command line in a shell with limits on time and memory; `setup` is what the shell does first.
fn limited(workshop: &Workshop, setup: &str, arguments: &str) -> Run {
    let script = format!("ulimit -v 6000000; {setup} exec timeout 60 \"$0\" {arguments}");
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_tmugen")])
        .current_dir(workshop.path(""))
        .output()
        .unwrap();
    Run::new(arguments, output)
}

const SCENE: &str = "[image]\nwidth = 8\nheight = 8\n[camera]\nposition = [0.0, 1.0, 2.0]\ntarget = [0.0, 0.0, 0.0]\n\
                     [[texture]]\nname = \"t\"\nfile = \"cut.jpg\"\nresize = \"pow2\"\n[[sampler]]\nname = \"s\"\n\
                     [[mesh]]\nshape = \"cube\"\ntexture = \"t\"\nsampler = \"s\"\n";

#[test]
fn a_jpeg_that_is_cut_short_is_refused_by_pack_render_and_view() {
    let workshop = Workshop::new();
    let whole = fs::read(workshop.path("coffee.jpg")).unwrap();
    let corpus = |name: &str| fs::read(format!("tests/corpus/picture/{name}")).unwrap();
    let progressive = corpus("progressive.jpg");
    workshop.write("scene.toml", SCENE);
    let cut = [
        whole[..700].to_vec(),
        whole[..whole.len() / 2].to_vec(),
        whole[..whole.len() - 2].to_vec(),
        progressive[..progressive.len() / 2].to_vec(),
        progressive[..progressive.len() - 1].to_vec(),
    ];
    for bytes in cut {
        fs::write(workshop.path("cut.jpg"), &bytes).unwrap();
        for command in [
            "pack cut.jpg -o t.bin --format rgb8 --resize pow2",
            "render scene.toml -o a.png",
            "view cut.jpg",
        ] {
            let run = limited(&workshop, "", command);
            assert!(run.exit == 1 && run.err.contains("error[E0103]"), "{} bytes: {run}", bytes.len());
        }
    }
    assert!(!workshop.path("t.bin").exists() && !workshop.path("a.png").exists());
    fs::write(workshop.path("cut.jpg"), progressive).unwrap();
    workshop.succeed("tmugen render scene.toml -o a.png");
}

#[test]
fn colours_that_are_not_obeyed_are_named() {
    let workshop = Workshop::new();
    let png = fs::read(workshop.path("emblem.png")).unwrap();
    let with_gamma = with_gamma_1(&png);
    fs::write(workshop.path("linear.png"), &with_gamma).unwrap();
    fs::write(workshop.path("cut.jpg"), &with_gamma).unwrap();
    workshop.write("scene.toml", SCENE);
    for command in ["tmugen pack linear.png -o t.bin --format rgba8", "tmugen render scene.toml -o a.png"] {
        let said = workshop.succeed(command);
        assert!(said.contains("gamma of 1.00000 (gAMA) is not applied"), "{said}");
    }
    let said = workshop.succeed("tmugen pack emblem.png -o t.bin --format rgba8");
    assert!(!said.contains("not applied"), "{said}");
    let mut served = workshop.serve("tmugen view linear.png", &[]);
    let named = "gamma of 1.00000 (gAMA) is not applied";
    assert!(served.get("/options").contains(named));
    assert!(served.post("/picture?name=emblem.png", &png).contains("\"ignored\":null"));
    assert!(served.post("/picture?name=linear.png", &with_gamma).contains(named));
    served.interrupt();
    // A profile in a JPEG file, whatever it holds, unless it says that it is sRGB.
    let jpeg = fs::read(workshop.path("coffee.jpg")).unwrap();
    for (profile, is_named) in [("a wide gamut", true), ("sRGB IEC61966-2.1", false)] {
        let data = [b"ICC_PROFILE\0\x01\x01", profile.as_bytes()].concat();
        let segment = [&[0xff, 0xe2][..], &(data.len() as u16 + 2).to_be_bytes(), &data].concat();
        fs::write(workshop.path("icc.jpg"), [&jpeg[..2], &segment, &jpeg[2..]].concat()).unwrap();
        let said = workshop.succeed("tmugen pack icc.jpg -o t.bin --format rgb8");
        assert_eq!(said.contains("colour profile (ICC) is not applied"), is_named, "{said}");
    }
}

/// Every command that reads text or a picture, with what never ends in its place.
#[test]
fn what_never_ends_is_not_read_to_its_end() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack emblem.png -o t.bin --format rgba8 --quiet");
    fs::create_dir(workshop.path("hdl")).unwrap();
    for name in ["hdl/manifest.json", "m.obj", "m.gltf", "zero.toml", "zero.bin", "cut.jpg"] {
        symlink("/dev/zero", workshop.path(name)).unwrap();
    }
    workshop.write("scene.toml", SCENE);
    for ending in ["obj", "gltf"] {
        let mesh = SCENE
            .replace("cut.jpg", "emblem.png")
            .replace("shape = \"cube\"", &format!("file = \"m.{ending}\""));
        workshop.write(&format!("{ending}.toml"), &mesh);
    }
    for command in [
        "sample --texture t.toml --quads /dev/zero -o r.csv",
        "sample --texture /dev/zero --quads q.csv -o r.csv",
        "bench --quads /dev/zero",
        "explore --quads /dev/zero",
        "explore --results /dev/zero",
        "explore merge /dev/zero",
        "check /dev/zero",
        "generate --config /dev/zero --out out",
        "estimate --compare /dev/zero",
        "estimate hdl",
        "info zero.toml",
        "render /dev/zero -o a.png",
        "render scene.toml -o a.png",
        "render obj.toml -o a.png",
        "render gltf.toml -o a.png",
        "pack /dev/zero -o z.bin --format rgba8",
        "view /dev/zero",
    ] {
        let run = limited(&workshop, "", command);
        assert!(run.exit == 1 && run.err.contains("error[E0"), "{run}");
    }
}

fn has_verilator() -> bool {
    tmu_verilate::Tools::verilator().is_ok() && tmu_verilate::Tools::cxx().is_ok()
}

#[test]
fn a_waveform_that_cannot_be_written_is_a_file_error() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    // Compiled beforehand, so that the limit below is on the waveform alone.
    workshop.succeed("tmugen sim --quads 2000 --waves run.fst --quiet");
    let whole = fs::metadata(workshop.path("run.fst")).unwrap().len();
    assert!(whole > 200_000, "{whole} bytes");
    for file in ["/dev/full", "/nonexistent/w.fst"] {
        let run = limited(&workshop, "", &format!("sim --quads 2000 --waves {file}"));
        assert!(run.exit == 4 && run.err.contains("E0209") && run.err.contains(file), "{run}");
    }
    // A disk with room for 64 KiB, where the system lets one be made.
    let disk = "mount -t tmpfs -o size=64k none small &&";
    fs::create_dir(workshop.path("small")).unwrap();
    let may_mount = Command::new("unshare")
        .args(["-rm", "sh", "-c", &format!("{disk} true")])
        .current_dir(workshop.path(""))
        .output();
    if may_mount.is_ok_and(|output| output.status.success()) {
        let script =
            format!("{disk} \"$0\" sim --quads 2000 --waves small/w.fst; code=$?; ls -A small; exit $code");
        let output = Command::new("unshare")
            .args(["-rm", "sh", "-c", &script, env!("CARGO_BIN_EXE_tmugen")])
            .current_dir(workshop.path(""))
            .output()
            .unwrap();
        let run = Run::new("sim on a full disk", output);
        assert!(run.exit == 4 && run.out.is_empty() && run.err.contains("E0209"), "{run}");
    }
    assert_eq!(fs::metadata(workshop.path("run.fst")).unwrap().len(), whole, "what stood there stays");
    assert!(!workshop.names().iter().any(|name| name.starts_with(".tmugen-")), "{:?}", workshop.names());
    workshop.succeed("tmugen sim --quads 2000 --waves run.fst --quiet");
    workshop.succeed("tmugen sim --quads 200 --waves /dev/null --quiet");
}

/// Where the system limits the length of files, in units of 512 bytes: too short for scratch files, and for the waveform.
#[test]
fn a_waveform_over_the_limit_of_files_is_a_file_error() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    workshop.succeed("tmugen sim --quads 500 --waves run.fst --quiet");
    let whole = fs::metadata(workshop.path("run.fst")).unwrap().len();
    for (blocks, said) in [(0, "scratch files"), (64, "scratch files"), (5000, "was cut short")] {
        assert!(512 * blocks < whole, "{whole} bytes");
        let run = limited(&workshop, &format!("ulimit -f {blocks};"), "sim --quads 500 --waves run.fst");
        assert!(run.exit == 4 && run.err.contains("E0209") && run.err.contains(said), "{blocks}: {run}");
        assert_eq!(fs::metadata(workshop.path("run.fst")).unwrap().len(), whole, "what stood there stays");
        assert!(!workshop.names().iter().any(|name| name.starts_with(".tmugen-")), "{:?}", workshop.names());
    }
    // Other outputs, too.
    let run = limited(&workshop, "ulimit -f 8;", "pack coffee.jpg -o coffee.bin --format rgb8");
    assert!(run.exit == 4 && run.err.contains("E0209") && run.err.contains("coffee.bin"), "{run}");
    assert!(!workshop.path("coffee.bin").exists() && !workshop.path("coffee.toml").exists());
}

#[test]
fn a_cache_that_cannot_be_used_names_its_variable() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("file", "");
    let run = limited(&workshop, "export TMUGEN_CACHE_DIR=file/cache;", "sim --quads 10");
    assert_eq!(run.exit, 4, "{run}");
    for part in ["E0243", "TMUGEN_CACHE_DIR", "file/cache"] {
        assert!(run.err.contains(part), "{part:?} is not in {run}");
    }
    assert!(!run.err.contains("fault of tmugen") && !run.err.contains("report this"), "{run}");
    let help = workshop.succeed("tmugen --help");
    assert!(help.contains("TMUGEN_CACHE_DIR"), "{help}");
}

/// A compiled model that was cut short, in a cache of its own.
#[test]
fn a_damaged_compiled_model_is_built_again() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    let small = "name = \"small_cache\"\n[cache]\nways = 2\nsets = 64\nreplacement = \"round_robin\"\n\
                 data_ram = \"block\"\n";
    workshop.write("small.toml", small);
    let config = tmu_spec::Config::from_toml(small).unwrap();
    let (_, model) = tmu_sim::kit::rtl::build(&config, &tmu_verilate::ModelOptions::default()).unwrap();
    let from = tmu_verilate::cache_directory().unwrap();
    let entry = workshop.path("cache/model").join(model.directory().file_name().unwrap());
    copy(model.directory(), &entry);
    copy(&from.join("runtime"), &workshop.path("cache/runtime"));
    let library = entry.join("tmuv_model.so");
    let bytes = fs::read(&library).unwrap();
    fs::write(&library, &bytes[..bytes.len() / 3]).unwrap();
    let environment = "export TMUGEN_CACHE_DIR=$PWD/cache;";
    let run = limited(&workshop, environment, "sim --config small.toml --quads 50");
    assert_eq!(run.exit, 0, "{run}");
    for part in ["note: the compiled model in", "tmuv_model.so has ", "it was built again"] {
        assert!(run.err.contains(part), "{part:?} is not in {run}");
    }
    let again = limited(&workshop, environment, "sim --config small.toml --quads 50");
    assert_eq!((again.exit, again.err.as_str()), (0, ""), "{again}");
}

/// Copies a folder of files and folders.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}
