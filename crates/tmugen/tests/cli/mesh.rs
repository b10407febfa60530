//! `tmugen mesh` as a user runs it.

use crate::support::Workshop;
use std::fs;
use tmu_assets::Picture;
use tmu_testing::{UPDATE_MEASURED, is_set, repository, write_measured};
use tmu_verilate::Tools;

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
        ("tmugen mesh job.toml -o out.gif", 2, ".rgb565 for the pixels alone, or in .apng"),
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

/// The picture in the documentation, which the golden model draws too: see the test `mesh_jobs` of `tmu-scene`.
#[test]
fn the_hardware_draws_the_picture_of_the_rotozoom() {
    if Tools::verilator().is_err() || Tools::cxx().is_err() {
        return;
    }
    let workshop = Workshop::new();
    let said = workshop.succeed("tmugen mesh scenes/mesh/rotozoom.toml -o rotozoom.png --engine rtl");
    assert!(said.contains(" clocks of the engine"), "{said}");
    let drawn = Picture::open(&workshop.path("rotozoom.png")).unwrap();
    assert!(
        drawn == Picture::open(&repository().join("docs/images/mesh-rotozoom.png")).unwrap(),
        "the hardware draws another picture than docs/images/mesh-rotozoom.png"
    );
}

/// The page that says how many clocks the hardware takes for each job.
const PAGE: &str = "docs/reference/mesh.md";
/// What is above the rows of its table.
const TABLE: &str = "| job | pixels, those left out included | clocks | clocks a pixel | lines of the texture needed | lines read |\n\
                     | --- | --- | --- | --- | --- | --- |\n";

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// A job that ships by both engines: its row of the table, and its clocks.
fn shipped(workshop: &Workshop, name: &str) -> (String, u64) {
    for engine in ["golden", "rtl"] {
        workshop.succeed(&format!(
            "tmugen mesh scenes/mesh/{name}.toml -o {engine}.apng --engine {engine} --stats {engine}.json --force --quiet"
        ));
    }
    let [golden, rtl] = ["golden.apng", "rtl.apng"].map(|file| fs::read(workshop.path(file)).unwrap());
    assert!(golden == rtl, "{name}: the hardware draws something else than the golden model");
    let statistics: serde_json::Value = serde_json::from_str(&workshop.read("rtl.json")).unwrap();
    let count = |key: &str| statistics["total"][key].as_u64().unwrap_or_else(|| panic!("{name}: {key}"));
    let (pixels, clocks) = (count("pixels_drawn") + count("pixels_left_out"), count("clocks"));
    let [needed, read] = ["texture_lines", "texture_lines_read"].map(|key| grouped(count(key)));
    let each = clocks as f64 / pixels as f64;
    let row = format!(
        "| `{name}.toml` | {} | {} | {each:.3} | {needed} | {read} |\n",
        grouped(pixels),
        grouped(clocks)
    );
    (row, clocks)
}

/// In `scripts/test-long`.
#[test]
#[ignore = "simulates four million pixels"]
fn the_hardware_draws_all_shipped_jobs_in_the_clocks_that_are_claimed() {
    if Tools::verilator().is_err() || Tools::cxx().is_err() {
        return;
    }
    let workshop = Workshop::new();
    let jobs = fs::read_dir(repository().join("scenes/mesh")).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = jobs
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    let rows: Vec<_> = names.iter().map(|name| shipped(&workshop, name)).collect();
    let page = fs::read_to_string(repository().join(PAGE)).unwrap();
    let (before, table) = page.split_once(TABLE).expect("the page has the table");
    let (claimed, after) = table.split_once("\n\n").expect("text behind the table");
    if is_set(UPDATE_MEASURED) {
        let rows: String = rows.iter().map(|(row, _)| row.as_str()).collect();
        write_measured(PAGE, &format!("{before}{TABLE}{rows}\n{after}"));
        return;
    }
    let claimed: Vec<_> = claimed.lines().collect();
    assert_eq!(claimed.len(), rows.len(), "{claimed:#?}");
    for (claim, (row, clocks)) in claimed.iter().zip(&rows) {
        let cell = |at: usize| claim.split(" | ").nth(at).unwrap_or_default().replace(',', "");
        assert_eq!(cell(0), row.split(" | ").next().unwrap());
        let most: u64 = cell(2).parse().unwrap();
        assert!(*clocks <= most + most / 100, "{PAGE} claims {claim}, measured is {row}");
    }
}
