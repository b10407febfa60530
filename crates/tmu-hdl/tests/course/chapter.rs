//! The chapter shows the files that are tested here, and leads where it says on a machine with nothing but Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tmu_testing::{check_committed, repository};

const CHAPTER: &str = "docs/book/toolkit.md";

fn chapter() -> String {
    fs::read_to_string(repository().join(CHAPTER)).unwrap_or_else(|e| panic!("{CHAPTER}: {e}"))
}

/// What the chapter asks for, in its order.
#[derive(Debug, PartialEq)]
enum Step {
    /// A file of the reader's project, with the line of its text.
    File { path: String, text: String },
    /// A line for the shell.
    Command(String),
}

/// The file that a line announces: `<!-- file: src/mux.rs -->`.
fn announced(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- file: ")?.strip_suffix(" -->")
}

fn steps(chapter: &str) -> Vec<Step> {
    let (mut steps, mut file) = (vec![], None);
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        file = announced(line).map(str::to_owned).or(file);
        let Some(language) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some(path) = file.take() {
            steps.push(Step::File { path, text: block.join("\n") + "\n" });
        } else if language == "sh" {
            steps.extend(block.iter().map(|line| Step::Command((*line).to_owned())));
        }
    }
    steps
}

/// The chapter with the files of this folder in the place of those that it shows.
fn with_tested_files(chapter: &str) -> String {
    let (mut out, mut tested) = (vec![], None);
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        if let Some(path) = announced(line) {
            let name = path.trim_start_matches("src/");
            let path = repository().join("crates/tmu-hdl/tests/course").join(name);
            tested = if name == "main.rs" { None } else { fs::read_to_string(path).ok() };
        }
        if line.starts_with("```")
            && let Some(text) = tested.take()
        {
            out.extend(text.lines().map(str::to_owned));
            lines.by_ref().take_while(|line| *line != "```").for_each(drop);
            out.push("```".into());
        }
    }
    out.join("\n") + "\n"
}

/// `UPDATE_DOCS=1` writes the files as they are now.
#[test]
fn the_chapter_shows_the_tested_files() {
    let chapter = chapter();
    let shown = steps(&chapter).into_iter().filter_map(|step| match step {
        Step::File { path, .. } => path.strip_prefix("src/").map(str::to_owned),
        Step::Command(_) => None,
    });
    let shown: Vec<String> = shown.filter(|name| name != "main.rs").collect();
    assert_eq!(shown.len(), 12, "{shown:?}");
    let text = with_tested_files(&chapter);
    check_committed(CHAPTER, &text, "UPDATE_DOCS", "cargo test -p tmu-hdl --test course");
}

/// Whether a program can be run.
fn is_there(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output()
        .is_ok_and(|o| o.status.success())
}

/// One line of the chapter in the reader's shell. Nothing comes from the net.
fn run(line: &str, folder: &mut PathBuf) {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["cd", to] => folder.push(to),
        ["iverilog" | "vvp" | "verilator", ..] if !is_there(words[0]) => {}
        _ => {
            let done = Command::new("sh")
                .args(["-c", line])
                .current_dir(&*folder)
                .env("CARGO_NET_OFFLINE", "true")
                .env_remove("CARGO_TARGET_DIR")
                .output()
                .unwrap_or_else(|e| panic!("{line}: {e}"));
            let text = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{line}:\n{}{text}", String::from_utf8_lossy(&done.stdout));
            if line.starts_with("cargo new") {
                // The versions that are on this machine.
                let lock = folder.join(words[words.len() - 1]).join("Cargo.lock");
                fs::copy(repository().join("Cargo.lock"), lock).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Compiles the toolkit anew in a project of its own, which takes minutes: for the long run.
#[test]
#[ignore = "compiles the toolkit anew"]
fn the_chapter_can_be_followed_to_the_letter() {
    let home = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
    let mut folder = home.path().to_path_buf();
    std::os::unix::fs::symlink(repository(), folder.join("tmugen")).unwrap_or_else(|e| panic!("{e}"));
    for step in steps(&chapter()) {
        match step {
            Step::File { path, text } => {
                fs::write(folder.join(&path), text).unwrap_or_else(|e| panic!("{path}: {e}"));
            }
            Step::Command(line) => run(&line, &mut folder),
        }
    }
    for name in ["mux", "decoder", "adder", "alu", "register", "counter", "lfsr", "button", "traffic"] {
        assert!(read(&folder, &format!("verilog/{name}.v")).contains(&format!("module {name} (")), "{name}");
    }
    for name in ["pwm", "uart", "fifo"] {
        assert!(read(&folder, &format!("verilog/{name}.v")).contains("always @(posedge clk)"), "{name}");
    }
    if is_there("iverilog") {
        assert!(read(&folder, "counter.vcd").contains("$enddefinitions"));
    }
}
