//! `tmugen window` as a user runs it.

use crate::bench::has_verilator;
use crate::support::Workshop;
use tmu_assets::Picture;
use tmu_testing::repository;

/// Pictures of the documentation, by the golden model.
#[test]
fn blur_and_dilation_are_those_in_the_docs() {
    let workshop = Workshop::new();
    for (name, operation) in [("blur", "average"), ("dilation", "max")] {
        let command =
            format!("tmugen window assets/chelsea.png -o {name}.png --operation {operation} --times 3");
        let said = workshop.succeed(&command);
        assert!(
            said.starts_with(&format!("{name}.png: 451 x 300, {operation} of 4 x 4 texels, 3 times")),
            "{said}"
        );
        let of_docs = repository().join(format!("docs/images/look-up-{name}.png"));
        let [drawn, expected] = [workshop.path(&format!("{name}.png")), of_docs]
            .map(|path| Picture::open(&path).unwrap_or_else(|problems| panic!("{problems}")));
        assert!(drawn == expected, "{name} differs; look at the new picture, then\n{command}");
    }
}

/// The hardware draws what the golden model draws, or the command fails.
#[test]
fn the_hardware_draws_windows() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    let texel = |number: usize| std::array::from_fn(|channel| (number * (7 + 12 * channel) % 251) as u8);
    let picture = Picture::from_texels(37, 23, (0..37 * 23).map(texel).collect());
    let path = workshop.path("small.png");
    std::fs::write(&path, picture.encode(&path).unwrap()).unwrap();
    for operation in ["average", "max"] {
        let command = format!(
            "tmugen window small.png -o {operation}.png --operation {operation} --side 3 --engine rtl --json"
        );
        let said: serde_json::Value = serde_json::from_str(&workshop.succeed(&command)).unwrap();
        assert_eq!(said["look_ups"], 2 * 37 * 23, "{said}");
        assert!(said["clocks"].as_u64() > Some(2 * 37 * 23), "{said}");
    }
}

#[test]
fn what_cannot_be_filtered_is_refused() {
    let workshop = Workshop::new();
    let wide = Picture::from_texels(4097, 1, vec![[9; 4]; 4097]);
    let path = workshop.path("wide.png");
    std::fs::write(&path, wide.encode(&path).unwrap()).unwrap();
    let cases: [(&str, i32, &[&str]); 5] = [
        ("wide.png -o w.png", 1, &["E0205", "4097 x 1", "at most 4096"]),
        (
            "assets/chelsea.png -o w.png --preset multi-lite",
            1,
            &["E0205", "multi-lite cannot filter pictures"],
        ),
        ("assets/chelsea.png -o w.png --preset mesh", 1, &["E0205", "builds no texture unit"]),
        ("assets/chelsea.png -o w.png --side 5", 2, &["--side"]),
        ("assets/chelsea.png -o w.xyz", 2, &["E0207"]),
    ];
    for (command, exit, parts) in cases {
        let run = workshop.run(&format!("tmugen window {command}"));
        assert_eq!(run.exit, exit, "{run}");
        for part in parts {
            assert!(run.err.contains(part), "no {part:?}: {run}");
        }
    }
    assert!(!workshop.path("w.png").exists());
}
