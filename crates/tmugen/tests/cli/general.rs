//! Samples of the general numerics, by presets of which there is only the model.

use crate::support::Workshop;

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
        (&format!("{sample} --preset multi --engine rtl"), &["E0205", "no hardware yet"]),
        (&format!("{sample} --preset multi --compare less"), &["E0226", "r8 are not depths"]),
        (&format!("{sample} --preset multi --min-lod 3 --max-lod 2"), &["E0226", "768 and 512"]),
        (
            &format!("{floats} --preset multi --min linear --op gather:r"),
            &["E0226", "floats, which are not filtered"],
        ),
        ("tmugen generate --preset multi --out hdl", &["E0205", "no hardware yet"]),
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
