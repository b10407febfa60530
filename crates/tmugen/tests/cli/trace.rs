//! `tmugen trace` as a user runs it.

use crate::support::Workshop;
use tmu_assets::Picture;
use tmu_spec::Preset;

#[test]
fn a_scene_is_traced_both_ways() {
    let workshop = Workshop::new();
    let trace = "tmugen trace scenes/trace/torus.toml -o t.png --size 63x35";
    let said = workshop.succeed(trace);
    assert!(said.starts_with("t.png: 63 x 35, 6284 triangles in "), "{said}");
    assert!(said.contains("the same picture both ways"), "{said}");
    let rows: Vec<_> = said.lines().filter(|line| line.contains("direct")).collect();
    assert_eq!(rows.len(), 4, "{said}");
    let picture = Picture::open(&workshop.path("t.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (63, 35));
    // Another unit with all that is needed draws the same.
    let said =
        workshop.succeed("tmugen trace scenes/trace/torus.toml -o m.bmp --size 63x35 --preset multi --json");
    assert!(picture == Picture::open(&workshop.path("m.bmp")).unwrap(), "multi draws another picture");
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let of = |way: usize, key: &str| said["ways"][way]["triangles"][key].as_u64().unwrap();
    assert_eq!((&said["ways"][0]["way"], &said["ways"][1]["way"]), (&"direct".into(), &"indirect".into()));
    assert_eq!(of(0, "operations"), 4 * of(1, "operations"));
    assert_eq!(of(0, "round_trips"), 2 * of(1, "round_trips"));
    assert!(said["rays"].as_u64() > Some(63 * 35) && said["triangles"] == 6284, "{said}");
}

/// The page shows what the command says, to the last figure.
#[test]
fn the_documented_figures_are_those_that_are_said() {
    let page = std::fs::read_to_string(tmu_testing::repository().join("docs/reference/trace.md")).unwrap();
    let said = Workshop::new().succeed("tmugen trace scenes/trace/torus.toml -o torus.png --size 160x120");
    assert!(
        page.contains(&format!("says:\n\n```text\n{said}```\n")),
        "docs/reference/trace.md should show\n{said}"
    );
}

#[test]
fn what_cannot_be_traced_is_refused() {
    let workshop = Workshop::new();
    let text = Preset::find("indirect").unwrap().toml().replace("indirect = true", "indirect = false");
    workshop.write("plain.toml", &text);
    let cases: [(&str, i32, &[&str]); 7] = [
        ("scenes/mesh-files.toml -o t.png", 1, &["E0316", "mesh 3 reaches to the horizon"]),
        ("scenes/trace/torus.toml -o t.png --size 4000x4", 1, &["E0309", "at most 2048 a side"]),
        (
            "scenes/trace/torus.toml -o t.png --preset multi-lite",
            1,
            &["E0205", "multi-lite cannot trace: a result in singles is not built", "result.numbers"],
        ),
        (
            "scenes/trace/torus.toml -o t.png --size 6x6 --preset fury",
            1,
            &["E0205", "fury cannot trace: the operation fetch is not built", "request.operations"],
        ),
        (
            "scenes/trace/torus.toml -o t.png --size 8x8 --config plain.toml",
            1,
            &["E0205", "indirect look-ups are not built", "texture.indirect = true"],
        ),
        ("scenes/trace/torus.toml -o t.png --preset mesh", 1, &["E0205", "builds no texture unit"]),
        ("scenes/trace/torus.toml -o t.xyz", 2, &["E0207"]),
    ];
    for (command, exit, parts) in cases {
        let run = workshop.run(&format!("tmugen trace {command}"));
        assert_eq!(run.exit, exit, "{run}");
        for part in parts {
            assert!(run.err.contains(part), "no {part:?}: {run}");
        }
    }
    assert!(!workshop.path("t.png").exists());
}
