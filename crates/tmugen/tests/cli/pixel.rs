//! `tmugen render --pipeline pixel` as a user runs it.

use crate::support::Workshop;
use tmu_assets::Picture;

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
