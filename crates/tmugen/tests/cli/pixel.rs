//! `tmugen render --pipeline pixel` as a user runs it.

use crate::support::Workshop;
use tmu_assets::Picture;
use tmu_spec::Preset;

#[test]
fn a_scene_is_drawn_with_its_costs() {
    let workshop = Workshop::new();
    let draw = "tmugen render scenes/pixel/light-mapped-level.toml --pipeline pixel --size 80x60";
    let said = workshop.succeed(&format!("{draw} -o level.png --stats s.json"));
    assert!(
        said.starts_with("level.png: 80 x 60, ") && said.contains("of an immediate renderer's"),
        "{said}"
    );
    let picture = Picture::open(&workshop.path("level.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (80, 60));
    let text = std::fs::read_to_string(workshop.path("s.json")).unwrap();
    let statistics: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&statistics["tiles"], &statistics["bytes_written"]), (&6.into(), &(4 * 80 * 60).into()));
    let said: serde_json::Value =
        serde_json::from_str(&workshop.succeed(&format!("{draw} -o other.bmp --json"))).unwrap();
    assert_eq!((&said["pipeline"], &said["statistics"]), (&"pixel".into(), &statistics));
    assert!(picture == Picture::open(&workshop.path("other.bmp")).unwrap());
}

#[test]
fn what_the_pipeline_does_not_do_is_refused() {
    let workshop = Workshop::new();
    workshop.write("broken.psh", "ps_1_4\nmov r9, v0\n");
    workshop.write(
        "scene.toml",
        "[image]\nwidth = 8\nheight = 8\n[camera]\nposition = [0, 0, 1]\ntarget = [0, 0, 0]\n\
         [[mesh]]\nshape = \"plane\"\nprogram = \"broken.psh\"\n",
    );
    let level = "scenes/pixel/light-mapped-level.toml -o p.png";
    let cases: [(String, i32, &[&str]); 6] = [
        (format!("{level} --compare d.png"), 2, &["E0200", "--compare"]),
        (format!("{level} --preset multi"), 1, &["E0205", "builds no engine \"pixel\""]),
        (format!("{level} --record-quads q.csv"), 2, &["E0200", "--record-quads"]),
        (format!("{level} --size 4097x8"), 2, &["E0200", "over 4096 pixels"]),
        ("scene.toml -o p.png".to_owned(), 1, &["E0317", "E0504", "broken.psh"]),
        ("scenes/cube-photo.toml -o p.png".to_owned(), 1, &["E0303", "has no `program`"]),
    ];
    for (command, exit, parts) in cases {
        let run = workshop.run(&format!("tmugen render {command} --pipeline pixel"));
        assert_eq!(run.exit, exit, "{run}");
        for part in parts {
            assert!(run.err.contains(part), "no {part:?}: {run}");
        }
    }
    assert!(!workshop.path("p.png").exists());
}

/// What a texture and its sampler contradict, or a pipeline does not build, is said of both by name, where a mesh names them.
#[test]
fn textures_that_cannot_be_sampled_are_refused_by_line() {
    let workshop = Workshop::new();
    workshop.write("texture.psh", "ps_1_4\ntexld r0, t0\n");
    let cases: [(&str, &str, &str, &[&str]); 6] = [
        ("", "compare = \"less\"", "", &["error[E0226]", "rgba8 are not depths", "d16, d24 or d32f"]),
        ("", "pyramid = \"ripmap\"", "", &["error[E0226]", "so it is no ripmap", "power"]),
        ("format = \"rgba32f\"", "", "", &["error[E0226]", "rgba32f are floats", "nearest filters"]),
        (
            "",
            "anisotropy = 16",
            " --preset pixel-lite",
            &["error[E0205]", "pixel-lite does not build", "texture."],
        ),
        (
            "",
            "mip = \"linear\"",
            " --config own.toml",
            &["error[E0205]", "own.toml does not build", "texture.trilinear"],
        ),
        ("", "", " --size 4097x8", &["error[E0200]", "over 4096 pixels", "smaller --size"]),
    ];
    let own = Preset::find("pixel").unwrap().toml().replace("trilinear = true", "trilinear = false");
    workshop.write("own.toml", &own);
    for (texture, sampler, options, parts) in cases {
        workshop.write(
            "scene.toml",
            &format!(
                "[image]\nwidth = 8\nheight = 8\n[camera]\nposition = [0, 0, 1]\ntarget = [0, 0, 0]\n\
                 [[mesh]]\nshape = \"plane\"\nprogram = \"texture.psh\"\ntextures = [\"board\"]\nsamplers = [\"how\"]\n\
                 [[texture]]\nname = \"board\"\npattern = \"checker\"\nsize = [8, 8]\n{texture}\n\
                 [[sampler]]\nname = \"how\"\n{sampler}\n",
            ),
        );
        let run = workshop.run(&format!("tmugen render scene.toml -o p.png --pipeline pixel{options}"));
        let is_usage = options.contains("--size");
        assert_eq!(run.exit, if is_usage { 2 } else { 1 }, "{run}");
        let place = "scene.toml:10: error[";
        assert!(is_usage || run.err.contains(place), "no {place:?}: {run}");
        let names = "texture \"board\" with sampler \"how\": ";
        assert!(is_usage || run.err.contains(names), "no {names:?}: {run}");
        for part in parts {
            assert!(run.err.contains(part), "no {part:?}: {run}");
        }
    }
    let run = workshop
        .run("tmugen render scenes/pixel/ripmap-floor.toml -o p.png --pipeline pixel --preset pixel-lite");
    assert_eq!(run.exit, 1, "{run}");
    assert!(
        run.err.contains("E0205") && run.err.contains("\"boards-ripmap\" with sampler \"ripmapped\""),
        "{run}"
    );
}
