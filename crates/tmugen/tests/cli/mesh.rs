//! `tmugen mesh` as a user runs it.

use crate::support::Workshop;
use std::fs;
use tmu_assets::Picture;

/// A workshop with a small job: a texture of 4 x 4 raw pixels, drawn as it is.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    fs::write(workshop.path("t.rgb565"), (0..32).collect::<Vec<u8>>()).unwrap();
    workshop.write("m.csv", "x,y,u,v\n0,0,0,0\n1,0,256,0\n0,1,0,256\n1,1,256,256\n");
    workshop.write("job.toml", JOB);
    workshop
}

const JOB: &str = "texture = \"t.rgb565\"\nvertices = \"m.csv\"\ntexture_width = 4\ntexture_height = 4\nframe_width = 4\n\
                   frame_height = 4\nhmeshlast = 1\nvmeshlast = 1\nrectangle_width = 4\nrectangle_height = 4\n";

#[test]
fn raw_pixels_go_in_and_out_bit_for_bit() {
    let workshop = workshop();
    let said = workshop.succeed("tmugen mesh job.toml -o out.rgb565 --stats s.json");
    assert!(said.starts_with("out.rgb565: 1 picture, 16 pixels drawn, 0 left out\n"), "{said}");
    assert_eq!(fs::read(workshop.path("out.rgb565")).unwrap(), (0..32).collect::<Vec<u8>>());
    let statistics: serde_json::Value = serde_json::from_str(&workshop.read("s.json")).unwrap();
    assert_eq!(statistics["total"]["pixels_drawn"], 16);
    assert_eq!(statistics["total"]["texture_lines"], 2);
    assert_eq!(statistics["runs"].as_array().map(Vec::len), Some(1));
    // Both are replaced by their like.
    workshop.succeed("tmugen mesh job.toml -o out.rgb565 --stats s.json");
    workshop.succeed("tmugen mesh job.toml -o out.png");
    let picture = Picture::open(&workshop.path("out.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (4, 4));
}

#[test]
fn a_series_is_numbered_or_moves() {
    let workshop = workshop();
    workshop.write("job.toml", &format!("{JOB}[[step]]\nrepeat = 10\n[[step]]\nbrightness = 0\n"));
    workshop.succeed("tmugen mesh job.toml -o out.rgb565");
    let first = fs::read(workshop.path("out_00.rgb565")).unwrap();
    assert_eq!(first, fs::read(workshop.path("out_09.rgb565")).unwrap());
    assert_eq!(fs::read(workshop.path("out_10.rgb565")).unwrap(), [0; 32]);
    assert!(!workshop.path("out.rgb565").exists());
    workshop.succeed("tmugen mesh job.toml -o out.apng");
    let animation = fs::read(workshop.path("out.apng")).unwrap();
    assert!(animation.windows(4).filter(|chunk| chunk == b"fcTL").count() == 11);
}

#[test]
fn an_output_never_replaces_an_input() {
    let workshop = workshop();
    for (command, exit, code) in [
        ("tmugen mesh job.toml -o t.rgb565", 2, "E0240"),
        ("tmugen mesh job.toml -o t.rgb565 --force", 2, "E0240"),
        ("tmugen mesh job.toml -o out.png --stats m.csv", 2, "E0240"),
        ("tmugen mesh job.toml -o out.png --stats job.toml --force", 2, "E0240"),
        ("tmugen mesh job.toml -o out.png --stats out.png", 2, "E0240"),
        ("tmugen mesh job.toml -o out.gif", 2, "E0207"),
        ("tmugen mesh none.toml -o out.png", 1, "E0310"),
        ("tmugen mesh job.toml -o out.png --preset fury", 1, "E0205"),
        ("tmugen mesh job.toml -o notes.png", 1, "E0241"),
    ] {
        workshop.write("notes.png", "notes of mine");
        let run = workshop.run(command);
        assert_eq!(run.exit, exit, "{run}");
        assert!(run.err.contains(code), "{run}");
    }
    assert_eq!(fs::read(workshop.path("t.rgb565")).unwrap(), (0..32).collect::<Vec<u8>>());
    assert_eq!((workshop.read("job.toml").as_str(), workshop.path("out.png").exists()), (JOB, false));
}

#[test]
fn a_mistake_names_file_line_rule_and_remedy() {
    let workshop = workshop();
    workshop.write("job.toml", &JOB.replace("hmeshlast = 1", "hmeshlast = 128"));
    let run = workshop.run("tmugen mesh job.toml -o out.png");
    let expected = "job.toml:7: error[E0305]: the job `hmeshlast` is 128; it lies within 1 and 127\n  help: give a value";
    assert!(run.exit == 1 && run.err.starts_with(expected), "{run}");
    workshop.write("job.toml", JOB);
    workshop.write("m.csv", "x,y,u,v\n0,0,0,0\n1,0,256,0\n0,1,0,256\n0,1,256,256\n");
    let run = workshop.run("tmugen mesh job.toml -o out.png --json");
    assert!(
        run.exit == 1 && run.out.contains("\"E0314\"") && run.out.contains("point (0, 1) is there already"),
        "{run}"
    );
    assert!(!workshop.path("out.png").exists());
}
