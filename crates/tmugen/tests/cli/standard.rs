//! `-`: standard input and output instead of files.

use crate::support::Workshop;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs a command with bytes on standard input.
fn given(workshop: &Workshop, command: &str, input: &[u8]) -> Output {
    let mut process = Command::new(env!("CARGO_BIN_EXE_tmugen"))
        .args(command.split_whitespace())
        .current_dir(workshop.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = process.stdin.take().unwrap().write_all(input);
    process.wait_with_output().unwrap()
}

#[test]
fn what_goes_through_pipes_is_what_goes_through_files() {
    let workshop = Workshop::new();
    let quads = "u0,v0,u1,v1,u2,v2,u3,v3,valid\n0,0,100,0,0,100,100,100,15\n";
    let config = "name = \"piped\"\n";
    let scene = &workshop
        .read("scenes/cube-photo.toml")
        .replace("../assets/", "")
        .replace("textures/", "scenes/textures/");
    workshop.write("here.toml", scene);
    workshop.write("q.csv", quads);
    workshop.write("p.psh", "ps_1_4\nmov r0, c0\n");
    workshop.write("c.toml", config);
    workshop.succeed("tmugen pack emblem.png -o e.bin --format rgba8 --resize pow2");
    // What reads standard input, what it is given, and the same with files; all write into `file`.
    for (piped, input, plain) in [
        ("sample --texture e.toml --quads - -o -", quads, "sample --texture e.toml --quads q.csv -o file"),
        (
            "sample --config - --texture e.toml --quads q.csv -o -",
            config,
            "sample --config c.toml --texture e.toml --quads q.csv -o file",
        ),
        (
            "render scenes/cube-photo.toml --size 32x24 -o -",
            "",
            "render scenes/cube-photo.toml --size 32x24 -o file.png",
        ),
        ("unpack e.toml --level 4 -o -", "", "unpack e.toml --level 4 -o file.png"),
        ("render - --size 32x24 -o -", scene, "render here.toml --size 32x24 -o file.png"),
        (
            "bringup --texture e.toml --pattern scan --quads 8 --requests -",
            "",
            "bringup --texture e.toml --pattern scan --quads 8 --requests file",
        ),
        ("assemble - -o -", "ps_1_4\nmov r0, c0\n", "assemble p.psh -o file"),
        ("report --config - --out -", config, "report --config c.toml --out file"),
    ] {
        workshop.succeed(&format!("tmugen {plain}"));
        let name = plain.rsplit(' ').next().unwrap();
        let file = std::fs::read(workshop.path(name)).unwrap();
        std::fs::remove_file(workshop.path(name)).unwrap();
        let output = given(&workshop, piped, input.as_bytes());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.is_empty(), "{piped}: {said}");
        assert!(output.stdout == file, "{piped}: {} bytes, not {}", output.stdout.len(), file.len());
    }
    let output = given(&workshop, "check - c.toml", config.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("piped is a legal configuration").count(), 2);
    assert!(!workshop.path("-").exists());
}

#[test]
fn pictures_and_textures_are_packed_from_standard_input() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack emblem.png -o c.bin --format bc7 --kind 2d");
    workshop.succeed("tmugen unpack c.toml -o c.ktx2");
    for (input, options) in [
        ("emblem.png", "--format rgba8 --resize pow2"),
        ("coffee.jpg", "--format rgb565 --kind 2d --levels 3"),
        ("c.ktx2", ""),
    ] {
        workshop.succeed(&format!("tmugen pack {input} -o file.bin {options}"));
        let bytes = std::fs::read(workshop.path(input)).unwrap();
        let output = given(&workshop, &format!("pack - -o piped.bin {options}"), &bytes);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{input}: {said}");
        for ending in ["bin", "toml"] {
            let [file, piped] = ["file", "piped"].map(|name| workshop.path(&format!("{name}.{ending}")));
            assert!(std::fs::read(file).unwrap() == std::fs::read(piped).unwrap(), "{input}: .{ending}");
        }
    }
}

#[test]
fn what_standard_input_and_output_cannot_be_is_refused() {
    let workshop = Workshop::new();
    for (command, input, exit, part) in [
        ("pack emblem.png -o - --format rgba8", "", 2, "E0207"),
        ("pack - -o t.bin --format rgba8", "no picture", 1, "error[E"),
        ("pack - - -o t.bin --format rgba8 --kind 3d", "", 2, "standard input is read already"),
        ("render - --config - -o p.png", "", 2, "standard input is read already"),
        ("sim --replay -", "what", 1, "error[E0245]"),
        ("render scenes/cube-photo.toml -o - --stats -", "", 2, "E0240"),
        ("sample --config - --texture e.toml --quads - -o r.csv", "", 2, "standard input is read already"),
        ("assemble -", "ps_1_4\nmov r0, r1\n", 1, "-:2: error[E0514]"),
        ("check -", "units = 99", 1, "error[E"),
    ] {
        let output = given(&workshop, command, input.as_bytes());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(exit), 0), "{command}: {said}");
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
}
