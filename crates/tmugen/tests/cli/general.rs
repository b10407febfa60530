//! Samples of the general numerics, by presets of which there is only the model.

use crate::support::{Workshop, without_hardware};
use tmu_spec::Preset;

/// A texture of two levels, 3 x 2 and one texel, of one byte each: 16 bytes a level.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write(
        "t.toml",
        "kind = \"2d\"\nwidth = 3\nheight = 2\ndepth = 1\nlevels = 2\nlevel_offsets = [0, 16]\nformat = \"r8\"\n\
         swizzle = \"rrr1\"\nsrgb = false\nbytes = 32\n",
    );
    let mut bytes = [0xee; 32];
    bytes[..3].copy_from_slice(&[0, 51, 102]);
    bytes[4..7].copy_from_slice(&[204, 255, 153]);
    bytes[16] = 255;
    std::fs::write(workshop.path("t.bin"), bytes).unwrap();
    workshop
}

#[test]
fn samples_follow_the_general_numerics() {
    let workshop = workshop();
    // A pixel in the middle of texel (0, 0), one in the middle of the texture; fp32.
    workshop.write("q.csv", "u0,u1,u2,u3,v0,v1,valid,lod\n0.1666667,0.5,0,0,0.25,0.5,3,0.5\n");
    let sample = |flags: &str| {
        let command = format!("tmugen sample --preset multi --texture t.toml --quads q.csv -o r.csv {flags}");
        workshop.succeed(&command);
        workshop.read("r.csv").lines().nth(1).unwrap().to_owned()
    };
    let zeros = "00000000,00000000";
    let lod = "--op lod --result unorm8";
    assert_eq!(
        sample(&format!("{lod} --filter nearest --mip none")),
        format!("000000ff,ffffffff,{zeros},3,0")
    );
    // Between 51 and 255, and half way to the smaller level of 255.
    assert_eq!(
        sample(&format!("{lod} --filter bilinear --mip none")),
        format!("000000ff,999999ff,{zeros},3,0")
    );
    assert_eq!(
        sample(&format!("{lod} --filter nearest --mip linear")),
        format!("808080ff,ffffffff,{zeros},3,0")
    );
    let row = sample("--op lod --filter nearest --mip none");
    assert!(
        row.starts_with("00000000,00000000,00000000,3f800000,3f800000,3f800000,3f800000,3f800000,"),
        "{row}"
    );
    assert!(workshop.read("r.csv").starts_with("r0,g0,b0,a0,r1,"));
    // Outside lies the border.
    let border = "--filter nearest --mip none --address-u border --border 80402010 --result unorm16";
    workshop.write("q.csv", "u0,u1,u2,u3,valid\n-65536,0,0,0,1\n");
    let row = sample(&format!("{border} --numbers s16.16"));
    assert!(row.starts_with("8080,8080,8080,ffff,0000,"), "{row}");
    // Texels by number.
    workshop.write("q.csv", "u0,u1,u2,u3,v0,v1,valid\n2,3,0,0,1,0,3\n");
    assert_eq!(sample("--op fetch --result unorm8"), format!("999999ff,000000ff,{zeros},3,0"));
}

#[test]
fn what_is_not_built_is_refused() {
    let workshop = workshop();
    workshop.write("q.csv", "u0,u1,u2,u3,valid\n0,0,0,0,1\n");
    workshop.write("no_hardware.toml", &without_hardware());
    let sample = "tmugen sample --texture t.toml --quads q.csv -o r.csv";
    workshop.write(
        "f.toml",
        &workshop.read("t.toml").replace("r8", "r32f").replace("32\n", "128\n").replace("[0, 16]", "[0, 64]"),
    );
    std::fs::write(workshop.path("f.bin"), [0; 128]).unwrap();
    let floats = sample.replace("t.toml", "f.toml");
    let cases: [(&str, &[&str]); 8] = [
        (
            &format!("{sample} --preset fury"),
            &["E0205", "format r8", "swizzle rrr1", "no power of two", "one of the general numerics"],
        ),
        (&format!("{sample} --preset multi-lite"), &["E0205", "format r8", "texture.formats", "swizzle"]),
        (&format!("{sample} --config no_hardware.toml --engine rtl"), &["E0205", "no hardware yet"]),
        (&format!("{sample} --preset multi --compare less"), &["E0226", "r8 are not depths"]),
        (&format!("{sample} --preset multi --min-lod 3 --max-lod 2"), &["E0226", "768 and 512"]),
        (
            &format!("{floats} --preset multi --min linear --op gather:r"),
            &["E0226", "floats, which are not filtered"],
        ),
        ("tmugen generate --config no_hardware.toml --out hdl", &["E0205", "no hardware yet"]),
        (&format!("{sample} --preset multi-lite --op fetch"), &["E0205", "--op"]),
    ];
    for (command, parts) in cases {
        let run = workshop.run(command);
        assert_eq!(run.exit, 1, "{run}");
        for part in parts {
            assert!(run.err.contains(part), "no {part:?}: {run}");
        }
    }
}

fn has_verilator() -> bool {
    tmu_verilate::Tools::verilator().is_ok() && tmu_verilate::Tools::cxx().is_ok()
}

/// Quads all over a texture and around it, from a part of a texel to many a pixel.
fn many_quads() -> String {
    let mut quads = "u0,v0,u1,v1,u2,v2,u3,v3,lod,valid\n".to_owned();
    for number in 0..600i32 {
        let start = [number * 977 - 200_000, number * 3571 - 700_000];
        let edge = 1 << (number % 16);
        for pixel in 0..4 {
            let step = [edge * (pixel & 1) + number % 7, edge * (pixel >> 1) - number % 5];
            quads += &format!("{},{},", start[0] + step[0], start[1] + step[1]);
        }
        quads += &format!("{}.25,{}\n", number % 5 - 1, if number % 3 == 0 { 15 } else { number % 16 });
    }
    quads
}

/// A quad that spans all columns and one row: the mean of that row, and of no other.
#[test]
fn ripmaps_are_packed_and_sampled() {
    let workshop = Workshop::new();
    let texels = (0..64u8).map(|at| [if at % 8 < 4 { 0 } else { at / 8 * 16 }, 0, 0, 255]).collect();
    let picture = tmu_assets::Picture::from_texels(8, 8, texels);
    std::fs::write(workshop.path("p.png"), picture.encode(&workshop.path("p.png")).unwrap()).unwrap();
    workshop.succeed("tmugen pack p.png -o t.bin --format rgba8 --pyramid ripmap --mip-filter box-encoded");
    let described = workshop.read("t.toml");
    assert!(described.contains("width = 16") && described.contains("levels = 1\n"), "{described}");
    let steps = [[0.1, 0.6875], [1.1, 0.6875], [0.1, 0.8125], [1.1, 0.8125]];
    let numbers = steps.map(|[u, v]: [f32; 2]| format!("{u},{v}")).join(",");
    workshop.write("q.csv", &format!("u0,v0,u1,v1,u2,v2,u3,v3,valid\n{numbers},1\n"));
    let sample = "tmugen sample --preset multi --texture t.toml --quads q.csv -o r.csv --filter nearest --result unorm8";
    workshop.succeed(&format!("{sample} --pyramid ripmap"));
    let row = workshop.read("r.csv").lines().nth(1).unwrap().to_owned();
    assert!(row.starts_with("280000ff,"), "row 5 has 80 in half of its texels: {row}");
    for (flags, expected) in [
        ("--pyramid ripmap --mip linear", "the levels are linear, which does not go with --pyramid ripmap"),
        ("--mip ripmap", "the levels are ripmap, which does not go with --pyramid mipmap"),
        ("--pyramid ripmap --anisotropy 4", "it is read with an anisotropy of 4, so it is no ripmap"),
    ] {
        let run = workshop.run(&format!("{sample} {flags}"));
        assert!(run.exit != 0 && run.err.contains(expected), "{flags}: {run}");
    }
}

#[test]
fn the_hardware_samples_what_the_golden_model_does() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    let texels = (0..37 * 23).map(|at: u32| [at as u8, (at * 5) as u8, (at / 3) as u8, 255]).collect();
    let picture = tmu_assets::Picture::from_texels(37, 23, texels);
    std::fs::write(workshop.path("p.png"), picture.encode(&workshop.path("p.png")).unwrap()).unwrap();
    workshop.succeed("tmugen pack p.png -o t.bin --kind 2d --format bc1");
    workshop.write("q.csv", &many_quads());
    let sample = "tmugen sample --preset multi-lite --texture t.toml --quads q.csv";
    for flags in [
        "--mip linear",
        "--mip linear --op bias --address-u mirror --address-v clamp",
        "--op lod --mag nearest",
    ] {
        for engine in ["golden", "rtl"] {
            workshop.succeed(&format!("{sample} -o {engine}.csv --engine {engine} {flags}"));
        }
        let [golden, rtl] = ["golden.csv", "rtl.csv"].map(|name| workshop.read(name));
        assert!(golden.lines().count() == 601 && !golden.contains(",1\n"), "all quads can be sampled");
        assert_eq!(golden, rtl, "{flags}");
    }
}

#[test]
fn the_hardware_is_compared_with_the_golden_model() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    let sim = "tmugen sim --preset multi-lite";
    let flags = "--quads 2000 --seed 3 --latency 30 --pauses 20 --errors --json";
    let run = workshop.succeed(&format!("{sim} {flags}"));
    let said: serde_json::Value = serde_json::from_str(&run).unwrap();
    assert_eq!((said["quads"].as_u64(), said["seed"].as_u64()), (Some(2000), Some(3)), "{run}");
    assert!(
        said["quads_with_errors"].as_u64() > Some(0) && said["valid_pixels"].as_u64() > Some(2000),
        "{run}"
    );
    let said = workshop.succeed(&format!("{sim} --quads 500"));
    assert!(said.starts_with("multi-lite: passed. The hardware in simulation answered 500 quads"), "{said}");
}

/// The numbers of a file of statistics.
fn statistics(workshop: &Workshop, name: &str) -> serde_json::Value {
    serde_json::from_str(&workshop.read(name)).unwrap()
}

#[test]
fn hardware_draws_scenes_as_the_golden_model_does() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    for (scene, size) in
        [("sky-lake", "96x54"), ("environment", "40x40"), ("sunset", "40x40"), ("cube-photo", "64x36")]
    {
        let said = workshop.succeed(&format!(
            "tmugen render scenes/{scene}.toml -o {scene}.png --size {size} --engine rtl --preset multi-lite --stats {scene}.json \
             --compare difference-{scene}.png"
        ));
        assert!(said.contains("the other engine draws the same, to the last bit"), "{said}");
        let numbers = statistics(&workshop, &format!("{scene}.json"));
        assert!(numbers["clocks"].as_u64() > numbers["quads"].as_u64(), "{numbers}");
        assert_eq!(numbers["errors"], 0, "{numbers}");
    }
}

/// Volumes, rows of texels, depths that are compared and anisotropic probes, with single floats and divisors in requests.
#[test]
fn hardware_with_everything_draws_scenes_as_the_golden_model_does() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    let mut table: toml::Table =
        Preset::find("multi").unwrap().config().unwrap().canonical_toml().parse().unwrap();
    for (group, key, value) in [
        ("texture", "formats", toml::Value::from(vec!["rgba8", "rgb8", "d16"])),
        ("texture", "indirect", false.into()),
        ("request", "beats_per_quad", 2.into()),
        ("datapath", "pixels_per_clock", 1.into()),
        ("result", "fifo_depth", 128.into()),
    ] {
        table[group][key] = value;
    }
    workshop.write("most.toml", &table.to_string());
    for scene in ["shadow-map", "solid-stone", "anisotropic-floor", "ripmap-floor", "point-marbles"] {
        let said = workshop.succeed(&format!(
            "tmugen render scenes/{scene}.toml -o {scene}.png --size 48x32 --engine rtl --config most.toml \
             --compare difference-{scene}.png"
        ));
        assert!(said.contains("the other engine draws the same, to the last bit"), "{scene}: {said}");
    }
}

/// Frames a second at 270 MHz that Han et al. (2018) report of four such programs.
const FRAMES_OF_HAN: f64 = 35.5;

#[test]
#[ignore = "minutes of compiling; scripts/test-long runs it"]
fn the_preset_han_draws_its_four_scenes() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    for scene in ["point-marbles", "environment", "environment-mipmapped", "sunset"] {
        let said = workshop.succeed(&format!(
            "tmugen render scenes/{scene}.toml -o {scene}.png --engine rtl --preset han --compare difference-{scene}.png --json"
        ));
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["differing_pixels"], 0, "{scene}: {said}");
        assert!(said["frames_per_second"].as_f64() > Some(FRAMES_OF_HAN), "{scene}: {said}");
    }
}

#[test]
fn scenes_are_drawn_by_the_numerics_that_they_need() {
    let workshop = Workshop::new();
    let draw = "tmugen render scenes/shadow-map.toml -o p.png --size 64x36";
    let said = workshop.succeed(&format!("{draw} --preset multi --stats p.json"));
    assert!(said.starts_with("p.png: 64 x 36, ") && !said.contains("clocks"), "{said}");
    let numbers = statistics(&workshop, "p.json");
    assert_eq!((&numbers["errors"], &numbers["clocks"]), (&0.into(), &serde_json::Value::Null));
    assert!(numbers["textures"][0]["samples"].as_u64() > Some(500), "{numbers}");
    let run = workshop.run(draw);
    assert_eq!(run.exit, 1, "{run}");
    for part in ["E0313", "`numerics` is \"general\"", "--preset multi"] {
        assert!(run.err.contains(part), "no {part:?}: {run}");
    }
    // A classic scene looks the same by either numerics, but for rounding.
    workshop.succeed("tmugen render scenes/horizon-floor.toml -o g.png --size 64x36 --preset multi");
    workshop.succeed("tmugen render scenes/horizon-floor.toml -o c.png --size 64x36");
    let [general, classic] =
        ["g.png", "c.png"].map(|name| tmu_assets::Picture::open(&workshop.path(name)).unwrap());
    let pairs = std::iter::zip(general.texels().as_flattened(), classic.texels().as_flattened());
    let differ = pairs.filter(|(a, b)| a.abs_diff(**b) > 3).count();
    assert!(differ < 64 * 36 / 50, "{differ} channels differ");
}

#[test]
fn walks_are_measured() {
    let workshop = workshop();
    let run =
        workshop.succeed("tmugen bench --preset multi-lite --walk hits,trilinear --latency 0,20 --json");
    let said: serde_json::Value = serde_json::from_str(&run).unwrap();
    let rate =
        |walk: usize, run: usize| said["walks"][walk]["runs"][run]["samples_per_clock"].as_f64().unwrap();
    assert!(rate(0, 0) > 0.98 && rate(0, 1) > 0.98, "{run}");
    assert!((0.45..0.55).contains(&rate(1, 0)), "{run}");
    let table = workshop.succeed("tmugen bench --preset multi-lite --walk hits --latency 0");
    assert!(table.contains("bilinear, in the cache") && table.contains("B/sample"), "{table}");
    // Four bytes a texel from a byte a clock: memory is all that is waited for.
    let slow = workshop
        .succeed("tmugen bench --preset multi-lite --walk straight --latency 0 --memory-bytes 1 --json");
    let said: serde_json::Value = serde_json::from_str(&slow).unwrap();
    let run = &said["walks"][0]["runs"][0];
    let [samples, bytes] = ["samples_per_clock", "bytes_per_sample"].map(|key| run[key].as_f64().unwrap());
    assert!((0.95..1.01).contains(&(samples * bytes)), "{slow}");
    assert_eq!(said["memory_bytes_per_clock"], 1);
}

#[test]
fn what_has_no_workloads_or_hardware_is_refused() {
    let workshop = workshop();
    workshop.write("q.csv", "u0,u1,u2,u3,valid\n0,0,0,0,1\n");
    workshop.write("no_hardware.toml", &without_hardware());
    let classic = "multi-lite follows the general numerics, for which this command has no workloads yet";
    let cases: [(&str, &[&str]); 11] = [
        (
            "tmugen bench --preset multi-lite --walk volume --pattern scan --page p.md",
            &["does not build what the walk volume needs", "no --pattern, --quads", "no --page"],
        ),
        ("tmugen bench --walk cube", &["fury-single draws no walks"]),
        ("tmugen bench --memory-bytes 4", &["fury-single draws no walks"]),
        ("tmugen explore --preset multi-lite", &[classic]),
        ("tmugen explore --vary texture.trilinear=true", &["no workloads yet"]),
        (
            "tmugen render scenes/cube-photo.toml -o p.png --preset multi-lite --record-quads r.csv",
            &["--record-quads writes lists of quads of the classic numerics"],
        ),
        (
            "tmugen render scenes/shadow-map.toml -o p.png --config no_hardware.toml --engine rtl",
            &["datapath.pixels_per_clock", "no hardware yet"],
        ),
        (
            "tmugen render scenes/solid-stone.toml -o p.png --preset multi-lite",
            &[
                "texture \"marble\" with sampler \"smooth\": multi-lite does not build kind 3d",
                "texture.kinds",
            ],
        ),
        ("tmugen view --preset multi-lite", &[classic]),
        (
            "tmugen sim --preset multi-lite --resets --plain --waves w.fst",
            &["no runs with --resets", "no runs with --plain", "no runs with --waves"],
        ),
        (
            "tmugen generate --config no_hardware.toml --out hdl",
            &["indirect look-ups in one lane", "datapath.pixels_per_clock"],
        ),
    ];
    for (command, parts) in cases {
        let run = workshop.run(command);
        assert_eq!(run.exit, if command.contains("--vary") { 2 } else { 1 }, "{run}");
        for part in ["E0205"].iter().filter(|_| run.exit == 1).chain(parts) {
            assert!(run.err.contains(part), "no {part:?}: {run}");
        }
    }
}

/// Texels of `t.toml` are the columns of a row of eight floats, 0 to 7.
fn with_values(workshop: &Workshop) {
    workshop.write(
        "v.toml",
        "kind = \"1d\"\nwidth = 8\nheight = 1\ndepth = 1\nlevels = 1\nlevel_offsets = [0]\nformat = \"r32f\"\nbytes = 64\n",
    );
    let values: Vec<u8> = (0..16u8).flat_map(|number| f32::from(number).to_le_bytes()).collect();
    std::fs::write(workshop.path("v.bin"), values).unwrap();
}

#[test]
fn texels_are_looked_up_through_other_texels() {
    let workshop = workshop();
    with_values(&workshop);
    // Places 0, 51 and 102 in the first row: modulo 8 columns 0, 3 and 6.
    workshop.write("q.csv", "u0,u1,u2,u3,v0,valid\n0,1,0,0,0,3\n2,0,0,0,0,1\n");
    let look_up = "tmugen sample --preset indirect --texture t.toml --indirect v.toml --quads q.csv -o r.csv";
    let rows = |flags: &str| -> Vec<String> {
        workshop.succeed(&format!("{look_up} {flags}"));
        workshop.read("r.csv").lines().map(str::to_owned).collect()
    };
    let float = |value: f32| format!("{:08x}", value.to_bits());
    let one = rows("");
    assert!(one[0].starts_with("index,value,r0,g0,b0,a0,r1,"), "{one:?}");
    assert!(one[1].starts_with("0,0,00000000,00000000,00000000,3f800000,40400000,"), "{one:?}");
    assert!(one[2].starts_with(&format!("1,0,{},", float(6.0))) && one.len() == 3, "{one:?}");
    // Replaced by its like; places -1, and 0 again, wrap round.
    let two = rows("--values 2 --offset-u -1");
    assert_eq!(two.len(), 5, "{two:?}");
    assert!(two[2].starts_with(&format!("0,1,{},", float(6.0))), "{two:?}");
    for (operation, expected) in
        [("sum", 9.0), ("product", 0.0), ("average", 3.0), ("min", 0.0), ("max", 6.0)]
    {
        let found = rows(&format!("--operation {operation} --values 3 --offset-u 1"));
        assert!(found[0].starts_with("r0,g0,b0,a0") && found.len() == 3, "{found:?}");
        assert!(found[1].starts_with(&float(expected)), "{operation}: {found:?}");
    }
    let limited = rows("--values 1 --offset-u 1 --operation sum --address-u clamp --result unorm8");
    assert_eq!(limited[2], "ff0000ff,00000000,00000000,00000000,1,0");
}

/// The hardware gives the same files: values one by one, and put together.
#[test]
fn hardware_looks_up_through_other_texels_as_the_model_does() {
    if !has_verilator() {
        return;
    }
    let workshop = workshop();
    with_values(&workshop);
    let mut quads = "u0,v0,u1,v1,u2,v2,u3,v3,valid\n".to_owned();
    for number in 0..40 {
        let place = |at: i32| format!("{},{}", number * 3 - 50 + at, number % 7 - at);
        let places: Vec<String> = (0..4).map(place).collect();
        quads += &format!("{},{}\n", places.join(","), number % 16);
    }
    workshop.write("q.csv", &quads);
    for flags in
        ["--values 3 --offset-u 1", "--values 4 --offset-v -2 --operation average --address-u mirror"]
    {
        for engine in ["golden", "rtl"] {
            workshop.succeed(&format!(
                "tmugen sample --preset indirect --texture t.toml --indirect v.toml --quads q.csv -o {engine}.csv \
                 --engine {engine} {flags}"
            ));
        }
        let [golden, rtl] = ["golden.csv", "rtl.csv"].map(|name| workshop.read(name));
        assert!(golden.lines().count() > 40, "{golden}");
        assert_eq!(golden, rtl, "{flags}");
    }
}

#[test]
fn indirect_look_ups_that_break_a_rule_are_refused() {
    let workshop = workshop();
    with_values(&workshop);
    workshop.write("q.csv", "u0,u1,u2,u3,valid\n0,0,0,0,1\n");
    let sample = |first: &str, second: &str, flags: &str| {
        workshop.run(&format!(
            "tmugen sample --texture {first} --indirect {second} --quads q.csv -o r.csv {flags}"
        ))
    };
    let cases: [(&str, &str, &str, &[&str]); 4] = [
        ("t.toml", "v.toml", "", &["E0205", "fury-single does not build indirect look-ups", "indirect"]),
        (
            "t.toml",
            "v.toml",
            "--preset multi-lite",
            &["multi-lite does not build indirect look-ups", "format r8"],
        ),
        ("v.toml", "v.toml", "--preset indirect", &["format r32f, whose texels are no places", "rg16"]),
        (
            "t.toml",
            "t.toml",
            "--preset indirect",
            &["v_field is g, which texels of format r8 have not", "use one of r,"],
        ),
    ];
    for (first, second, flags, parts) in cases {
        let run = sample(first, second, flags);
        assert_eq!(run.exit, 1, "{run}");
        assert!(parts.iter().all(|part| run.err.contains(part)), "{parts:?}: {run}");
    }
    for flags in ["--values 5", "--fields rx", "--operation mean", "--offset-u 40000"] {
        assert_eq!(sample("t.toml", "v.toml", &format!("--preset indirect {flags}")).exit, 2, "{flags}");
    }
    let alone =
        workshop.run("tmugen sample --preset indirect --texture t.toml --quads q.csv -o r.csv --values 2");
    assert!(alone.exit == 2 && alone.err.contains("--indirect"), "{alone}");
    assert!(!workshop.path("r.csv").exists());
}
