//! Nothing is lost: no output takes the place of an input, of another output or of what is not its like.

use crate::support::{Run, Workshop};
use std::fs;

/// A folder with a packed texture, quads, and a configuration with comments.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack coffee.jpg -o coffee.bin --format rgb8 --quiet");
    workshop.write("quads.csv", "u0,v0,u1,v1,u2,v2,u3,v3,valid\n0,0,128,0,0,128,128,128,15\n");
    workshop.write("cfg.toml", "# mine\nname = \"quad\"\n");
    workshop.write("quad.toml", "# mine\nname = \"quad\"\n");
    workshop
}

/// Every file of the folder, with its content.
fn contents(workshop: &Workshop) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| fs::read(workshop.path(&name)).ok().map(|bytes| (name, bytes));
    workshop.names().into_iter().filter_map(read).collect()
}

/// The command is refused with this code, names both paths, and changes nothing, whether it is forced or not.
fn refused(workshop: &Workshop, command: &str, code: &str, parts: &[&str]) {
    let before = contents(workshop);
    for force in ["", " --force"] {
        let run = workshop.run(&format!("{command}{force}"));
        assert_eq!(run.exit, 2, "{run}");
        for part in [&[code][..], parts].concat() {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
        assert!(contents(workshop) == before, "{command}{force} has changed something");
    }
}

/// The command is refused because something of another kind is there, and goes through with `--force`.
fn needs_force(workshop: &Workshop, command: &str, file: &str) -> Run {
    let before = contents(workshop);
    let run = workshop.run(command);
    assert_eq!(run.exit, 1, "{run}");
    for part in ["E0241", file, "--force"] {
        assert!(run.err.contains(part), "{part:?} is not in {run}");
    }
    assert!(contents(workshop) == before, "{command} has changed something");
    let forced = workshop.run(&format!("{command} --force"));
    assert_eq!(forced.exit, 0, "{forced}");
    forced
}

const SAMPLE: &str = "tmugen sample --texture coffee.toml --quads quads.csv";

#[test]
fn sample_does_not_write_over_its_quads() {
    refused(
        &workshop(),
        &format!("{SAMPLE} -o quads.csv"),
        "E0240",
        &["quads.csv (-o)", "quads.csv (--quads)"],
    );
}

#[test]
fn sample_does_not_write_over_its_texture() {
    let workshop = workshop();
    refused(&workshop, &format!("{SAMPLE} -o coffee.toml"), "E0240", &["coffee.toml (-o)", "(the texture)"]);
    refused(&workshop, &format!("{SAMPLE} -o coffee.bin"), "E0240", &["coffee.bin (-o)", "memory image"]);
}

#[test]
fn render_does_not_write_over_pictures_and_meshes_of_its_scene() {
    let workshop = workshop();
    let scene = "scenes/cube-photo.toml";
    let text = workshop.read(scene);
    let picture = text.lines().find_map(|line| line.strip_prefix("file = \"")).unwrap().trim_end_matches('"');
    let picture = format!("scenes/{picture}");
    let before = fs::read(workshop.path(&picture)).unwrap();
    refused(&workshop, &format!("tmugen render {scene} -o {picture}"), "E0240", &["a file of the scene"]);
    assert!(fs::read(workshop.path(&picture)).unwrap() == before);
    // A mesh with a buffer of its own.
    let mut buffer = Vec::new();
    for value in [0f32, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 1.] {
        buffer.extend(value.to_le_bytes());
    }
    fs::write(workshop.path("m.png"), &buffer).unwrap();
    workshop.write(
        "m.gltf",
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1}}]}],
        "buffers":[{"uri":"m.png","byteLength":60}],
        "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
        {"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}]}"#,
    );
    workshop.write(
        "mesh.toml",
        "[image]\nwidth = 16\nheight = 16\n[camera]\nposition = [0.0, 0.0, 2.0]\ntarget = [0.0, 0.0, 0.0]\n\
         [[texture]]\nname = \"t\"\nfile = \"emblem.png\"\n[[sampler]]\nname = \"s\"\n\
         [[mesh]]\nfile = \"m.gltf\"\ntexture = \"t\"\nsampler = \"s\"\n",
    );
    refused(&workshop, "tmugen render mesh.toml -o m.png", "E0240", &["m.png (-o)"]);
    refused(&workshop, "tmugen render mesh.toml -o a.png --stats m.gltf", "E0240", &["m.gltf (--stats)"]);
    refused(&workshop, "tmugen render mesh.toml -o emblem.png", "E0240", &["emblem.png (-o)"]);
}

#[test]
fn render_does_not_write_its_statistics_over_the_scene() {
    let command = "tmugen render scenes/cube-photo.toml -o a.png --stats scenes/cube-photo.toml";
    refused(&workshop(), command, "E0240", &["(--stats)", "(the scene)"]);
}

#[test]
fn two_outputs_are_two_files() {
    let workshop = workshop();
    let render = "tmugen render scenes/cube-photo.toml -o a.png";
    refused(&workshop, &format!("{render} --stats a.png"), "E0240", &["a.png (--stats)", "a.png (-o)"]);
    refused(&workshop, &format!("{render} --compare ./a.png"), "E0240", &["./a.png (--compare)"]);
    refused(
        &workshop,
        &format!("{render} --record-quads q.csv --stats q.toml"),
        "E0240",
        &["q.toml", "--stats"],
    );
    refused(&workshop, "tmugen explore --results y --svg y", "E0240", &["y (--svg)", "y (--results)"]);
    refused(&workshop, "tmugen explore --csv y --svg assets/../y", "E0240", &["(--svg)", "y (--csv)"]);
    refused(&workshop, "tmugen sim --coverage y --waves y", "E0240", &["y (--waves)", "y (--coverage)"]);
    refused(&workshop, "tmugen bench -o p-rate.svg --page p.md", "E0240", &["p-rate.svg", "(-o)"]);
}

#[test]
fn report_does_not_write_over_its_configuration() {
    refused(&workshop(), "tmugen report --config cfg.toml --out cfg.toml", "E0240", &["(--out)"]);
}

#[test]
fn sim_does_not_write_over_its_configuration() {
    let workshop = workshop();
    refused(
        &workshop,
        "tmugen sim --config cfg.toml --coverage cfg.toml",
        "E0240",
        &["cfg.toml (--coverage)"],
    );
    refused(&workshop, "tmugen sim --config cfg.toml --waves cfg.toml", "E0240", &["cfg.toml (--waves)"]);
}

#[test]
fn merge_does_not_write_over_the_results_it_merges() {
    let workshop = workshop();
    workshop.succeed("tmugen explore --vary cache.ways=1 --pattern hits --size 32 --results r.jsonl --quiet");
    refused(&workshop, "tmugen explore merge r.jsonl -o ./r.jsonl", "E0240", &["r.jsonl (-o)"]);
    refused(&workshop, "tmugen explore merge r.jsonl --csv r.jsonl", "E0240", &["r.jsonl (--csv)"]);
}

#[test]
fn explore_does_not_cut_off_what_are_no_results() {
    let workshop = workshop();
    workshop.write("notes", "notes without an end of line");
    let run =
        workshop.run("tmugen explore --vary cache.ways=1 --pattern hits --size 32 --results notes --force");
    assert!(run.exit == 1 && run.err.contains("E0221"), "{run}");
    assert_eq!(workshop.read("notes"), "notes without an end of line");
}

#[test]
fn pack_does_not_replace_an_unrelated_descriptor() {
    let workshop = workshop();
    workshop.write("coffee.toml", "# beans\nprice = 3\n");
    needs_force(&workshop, "tmugen pack coffee.jpg -o coffee.bin --format rgb8", "coffee.toml");
    // And no memory image that no descriptor speaks of.
    workshop.write("other.bin", "anything");
    needs_force(&workshop, "tmugen pack coffee.jpg -o other.bin --format rgb8", "other.bin");
}

#[test]
fn generate_does_not_strip_the_comments_of_its_configuration() {
    refused(&workshop(), "tmugen generate quad.toml --out .", "E0240", &["quad.toml", "the configuration"]);
}

#[test]
fn generate_does_not_replace_what_people_wrote() {
    let workshop = workshop();
    fs::create_dir(workshop.path("hdl")).unwrap();
    workshop.write("hdl/fury.v", "module fury(input wire mine);\nendmodule\n");
    let run = workshop.run("tmugen generate --preset fury --out hdl");
    assert!(run.exit == 1 && run.err.contains("E0241") && run.err.contains("hdl/fury.v"), "{run}");
    assert_eq!(fs::read_dir(workshop.path("hdl")).unwrap().count(), 1, "nothing was written");
    workshop.succeed("tmugen generate --preset fury --out hdl --force");
    // Again, and with another name: what an earlier run wrote is replaced and removed without a word.
    workshop.succeed("tmugen generate --preset fury --out hdl");
    workshop.succeed("tmugen generate --preset quad --out hdl");
    assert!(!workshop.path("hdl/fury.v").exists());
    // Unless somebody has put something of their own there.
    workshop.write("hdl/quad.v", "module quad(input wire mine);\nendmodule\n");
    needs_force(&workshop, "tmugen generate --preset fury --out hdl", "hdl/quad.v");
}

#[test]
fn links_and_spellings_do_not_deceive() {
    use std::os::unix::fs::symlink;
    let workshop = workshop();
    let path = |name: &str| workshop.path(name);
    fs::hard_link(path("quads.csv"), path("hard.csv")).unwrap();
    symlink("quads.csv", path("soft.csv")).unwrap();
    symlink("soft.csv", path("softer.csv")).unwrap();
    symlink(".", path("here")).unwrap();
    symlink("new.csv", path("dangling.csv")).unwrap();
    let absolute = path("quads.csv").display().to_string();
    let spellings =
        ["./quads.csv", "assets/../quads.csv", "hard.csv", "soft.csv", "softer.csv", "here/quads.csv"];
    for spelling in spellings.into_iter().chain([absolute.as_str()]) {
        refused(&workshop, &format!("{SAMPLE} -o {spelling}"), "E0240", &[spelling, "quads.csv (--quads)"]);
        let command = format!("tmugen sample --texture coffee.toml --quads {spelling} -o quads.csv");
        refused(&workshop, &command, "E0240", &[spelling, "quads.csv (-o)"]);
    }
    let command =
        "tmugen explore --vary cache.ways=1 --pattern hits --size 32 --csv new.csv --svg dangling.csv";
    refused(&workshop, command, "E0240", &["dangling.csv (--svg)", "new.csv (--csv)"]);
    // A link that leads nowhere yet stays a link.
    workshop.succeed(&format!("{SAMPLE} -o dangling.csv"));
    assert!(path("dangling.csv").is_symlink() && path("new.csv").is_file());
}

/// Whatever a run has written its repetition replaces.
#[test]
fn a_run_may_be_repeated() {
    let workshop = workshop();
    let commands = [
        "tmugen pack coffee.jpg -o coffee.bin --format rgba8",
        "tmugen unpack coffee.toml -o back.png",
        "tmugen unpack coffee.toml -o back.tga",
        "tmugen sample --texture coffee.toml --quads quads.csv -o r.csv",
        "tmugen render scenes/cube-photo.toml -o a.png --size 16x16 --stats a.json --record-quads q.csv --record-texture paving",
        "tmugen render scenes/pixel/light-mapped-level.toml --pipeline pixel -o p.png --size 16x16 --stats p.json",
        "tmugen explore --vary cache.ways=1 --pattern hits --size 32 --results r.jsonl --csv f.csv --svg f.svg",
        "tmugen explore merge r.jsonl -o all.jsonl --csv f.csv",
        "tmugen generate --preset quad --out hdl",
        "tmugen man --out man",
        "tmugen report --out page.html",
    ];
    for command in commands.into_iter().chain(commands) {
        workshop.succeed(&format!("{command} --quiet"));
    }
    // An empty file is nobody's.
    workshop.write("empty.csv", "");
    workshop.succeed(&format!("{SAMPLE} -o empty.csv"));
}

#[test]
fn what_another_program_wrote_needs_force() {
    let workshop = workshop();
    let figures = "tmugen explore --vary cache.ways=1 --pattern hits --size 32";
    for (command, file) in [
        ("tmugen unpack coffee.toml -o mine.png", "mine.png"),
        ("tmugen render scenes/cube-photo.toml --size 16x16 -o a.png --stats mine.json", "mine.json"),
        (&format!("{SAMPLE} -o mine.csv"), "mine.csv"),
        (&format!("{figures} --csv mine.csv"), "mine.csv"),
        (&format!("{figures} --svg mine.svg"), "mine.svg"),
        ("tmugen report --out mine.html", "mine.html"),
    ] {
        workshop.write(file, "mine\n");
        needs_force(&workshop, command, file);
    }
}

#[test]
fn what_is_no_file_is_written_to_as_ever() {
    let workshop = workshop();
    let out = workshop.succeed(&format!("{SAMPLE} -o /dev/stdout --quiet"));
    assert!(out.starts_with("rgba0,rgba1,rgba2,rgba3,valid,error\n"), "{out}");
    let render = "tmugen render scenes/cube-photo.toml --size 16x16 -o a.png";
    workshop.succeed(&format!("{render} --stats /dev/null --quiet"));
}

/// A folder that is not there shows before the work.
#[test]
fn a_missing_folder_is_a_file_error_at_once() {
    let workshop = workshop();
    for command in
        ["tmugen sim --waves no/w.fst", "tmugen report --out no/p.html", "tmugen bench -o no/r.json"]
    {
        let run = workshop.run(command);
        assert!(run.exit == 4 && run.err.contains("E0209") && run.err.contains("no/"), "{run}");
    }
}
