//! The book: its commands run as they stand there, its links lead somewhere, and mdBook builds it.

use crate::support::Workshop;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tmu_testing::repository;
use tmu_verilate::Tools;

/// Every page of the documentation.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![repository().join("README.md"), repository().join("ARCHITECTURE.md")];
    let mut folders = vec![repository().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// A block of code of a page.
struct Block {
    language: String,
    /// The file that it shows: named at the end of the paragraph before it, as "Write this as `quads.csv`:".
    file: Option<String>,
    lines: Vec<String>,
}

/// Blocks of code of a page in their order.
fn blocks(page: &Path) -> Vec<Block> {
    let text = fs::read_to_string(page).unwrap();
    let (mut blocks, mut open, mut before) = (Vec::new(), None::<Block>, String::new());
    for line in text.lines() {
        match (line.trim().strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => {
                let named = before.strip_suffix("`:").and_then(|text| text.rsplit('`').next());
                let file = named.map(str::to_owned);
                open = Some(Block { language: language.to_owned(), file, lines: Vec::new() });
                before.clear();
            }
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) if line.trim().is_empty() => {}
            (None, None) => line.trim().clone_into(&mut before),
        }
    }
    blocks
}

/// Puts the values of one table into another, table by table.
fn merge(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(into)), toml::Value::Table(from)) => merge(into, from),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}

/// Writes the file that a block shows; of one that is there the block shows what to change.
fn write_file(workshop: &Workshop, name: &str, content: &str) {
    let is_change = workshop.path(name).exists();
    if !is_change {
        return workshop.write(name, content);
    }
    assert!(name.ends_with(".toml"), "{name} is shown twice");
    let mut table: toml::Table = workshop.read(name).parse().unwrap();
    merge(&mut table, content.parse().unwrap());
    workshop.write(name, &table.to_string());
}

/// Needs Verilator.
fn simulates(command: &str) -> bool {
    command.starts_with("tmugen sim") || command.contains("--engine rtl")
}

/// Takes minutes: runs with the long tests only.
fn is_slow(command: &str) -> bool {
    let is_measured = command.contains(" --bench") || command.contains(" --area");
    is_measured || command.starts_with("tmugen bench") || command.starts_with("tmugen estimate")
}

/// Options of a slow command that name a file to be written.
const WRITTEN: [&str; 5] = ["-o", "--output", "--out", "--page", "--netlist"];

/// Fails unless a command that is not run is one, and every file that it names is there. What it writes is there then.
fn check_files(workshop: &Workshop, command: &str) {
    let (command, printed) = command.split_once(" > ").unwrap_or((command, ""));
    if let Err(error) = tmugen::cli::Cli::parse_from(command.split_whitespace()) {
        panic!("{command}\n{error}");
    }
    let words: Vec<_> = command.split_whitespace().collect();
    for pair in words.windows(2) {
        let [option, word] = [pair[0], pair[1]];
        let is_file = Path::new(word).extension().is_some_and(|extension| extension.len() <= 5);
        if WRITTEN.contains(&option) {
            workshop.write(word, "");
        } else if is_file {
            assert!(workshop.path(word).exists(), "{word} is not there, for {command}");
        }
    }
    if !printed.is_empty() {
        workshop.write(printed, "");
    }
}

/// Runs a command of the book; those that take minutes only if `slow` says so, otherwise its files must be there.
fn run_command(workshop: &Workshop, command: &str, slow: bool) {
    if command.starts_with("tmugen view") && !command.contains("--measure") {
        let mut served = workshop.serve(command, &[]);
        assert!(served.get("/").starts_with("HTTP/1.1 200"), "{command}");
        assert_eq!(served.interrupt().0, 130, "{command}");
        return;
    }
    let has_tools = Tools::verilator().is_ok() && Tools::cxx().is_ok();
    if (is_slow(command) && !slow) || (simulates(command) && !has_tools) {
        return check_files(workshop, command);
    }
    match command.split_once(" > ") {
        Some((command, printed)) => workshop.write(printed, &workshop.succeed(command)),
        None => drop(workshop.succeed(command)),
    }
}

/// Runs the commands of a page in one folder, in which the page's files are written as they are shown.
fn run_page(page: &Path, slow: bool) -> usize {
    let workshop = Workshop::new();
    let mut commands = 0;
    for Block { language, file, lines } in blocks(page) {
        if let Some(name) = file.filter(|_| language != "console") {
            write_file(&workshop, &name, &(lines.join("\n") + "\n"));
            continue;
        }
        for line in lines.iter().map(|line| line.trim()) {
            let command = line.strip_prefix("$ ").filter(|_| language == "console");
            let escapes = command.is_none() && (language == "console" || line.starts_with("tmugen "));
            assert!(!escapes, "{}: {line} is not run: write it as $ in a block of console", page.display());
            let Some(command) = command else { continue };
            commands += 1;
            run_command(&workshop, command, slow);
        }
    }
    let has_tools = Tools::verilator().is_ok() && Tools::cxx().is_ok();
    if has_tools && page.ends_with("tutorial.md") {
        assert_eq!(workshop.read("colours.csv"), workshop.read("colours_rtl.csv"));
        assert!(fs::metadata(workshop.path("run.fst")).unwrap().len() > 10_000);
    }
    if page.ends_with("cache.md") {
        let checked = workshop.succeed("tmugen check small_cache.toml");
        assert!(checked.contains("2 ways x 256 sets x 16 bytes = 8 KiB a unit"), "{checked}");
    }
    commands
}

/// The pages of the book in the order in which they are read.
fn pages_of_book() -> Vec<PathBuf> {
    let docs = repository().join("docs");
    let listed = links(&docs.join("SUMMARY.md"));
    listed.iter().filter(|link| link.starts_with("book/")).map(|link| docs.join(link)).collect()
}

#[test]
fn the_commands_of_the_book_run_as_they_stand_there() {
    let commands: usize = pages_of_book().iter().map(|page| run_page(page, false)).sum();
    assert!(commands >= 20, "only {commands} commands were found");
}

/// In `scripts/test-long`.
#[test]
#[ignore = "simulates and synthesises for minutes"]
fn every_command_of_the_book_runs() {
    assert_eq!(Tools::missing().len(), 0, "some tools are not installed; run scripts/setup");
    let commands: usize = pages_of_book().iter().map(|page| run_page(page, true)).sum();
    assert!(commands >= 20, "only {commands} commands were found");
}

/// Files of the sources that the book names are there.
#[test]
fn files_that_the_book_names_exist() {
    let mut checked = 0;
    for page in pages_of_book() {
        let text = fs::read_to_string(&page).unwrap();
        for name in text.split('`').skip(1).step_by(2).filter(|name| !name.contains([' ', '\n'])) {
            let is_of_sources = ["crates/", "scripts/", "scenes/", "docs/", "drivers/", "hdl-out/"]
                .iter()
                .any(|folder| name.starts_with(folder));
            if is_of_sources && !name.contains("NAME") {
                assert!(repository().join(name).exists(), "{}: there is no {name}", page.display());
                checked += 1;
            }
        }
    }
    assert!(checked >= 2, "only {checked} names were found");
}

/// Words that a newcomer does not know are set off where the book has them first, and explained in the same paragraph.
#[test]
fn terms_are_explained_where_they_first_occur() {
    let read = |page: &PathBuf| fs::read_to_string(page).unwrap();
    let book = pages_of_book().iter().map(read).collect::<Vec<_>>().join("\n\n");
    let book = book.replace("waveform-", "").to_lowercase();
    for (term, shown, explained) in [
        ("waveform", "*waveform*", "what every signal"),
        ("binding", "*binding*", "which texture they are of"),
        ("waves", "*waves*", "the value of every signal at each clock"),
        ("bins", "*bins*", "a bin is one situation, such as"),
    ] {
        let is_heading = |paragraph: &str| paragraph.starts_with('#');
        let has = |paragraph: &&str| {
            paragraph
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == term || word.strip_suffix('s') == Some(term))
        };
        let first = book.split("\n\n").filter(|paragraph| !is_heading(paragraph)).find(has);
        let first = first.unwrap_or_else(|| panic!("the book has no {term}")).replace('\n', " ");
        assert!(first.contains(shown) && first.contains(explained), "{term} is not explained in: {first}");
    }
}

/// The sources may stand anywhere: nothing sends the reader to a place on the web that may not be theirs.
#[test]
fn nothing_links_to_a_repository_that_may_not_exist() {
    let manifests = fs::read_dir(repository().join("crates")).unwrap();
    let mut files: Vec<_> = manifests.map(|entry| entry.unwrap().path().join("Cargo.toml")).collect();
    files.push(repository().join("Cargo.toml"));
    files.extend(pages());
    assert!(files.len() > 40, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("/tmugen/tmugen"), "{} links to a repository", file.display());
        assert!(!text.lines().any(|line| line.starts_with("repository")), "{}", file.display());
    }
}

/// What a page links to, without links to the web.
fn links(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.starts_with("http")).map(str::to_owned).collect()
}

/// The name by which a heading is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    for page in pages() {
        for link in links(&page) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            let text = if heading.is_empty() { String::new() } else { fs::read_to_string(&target).unwrap() };
            let has_heading = heading.is_empty()
                || text.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
            assert!(has_heading, "{}: {link} has no such heading", page.display());
            checked += 1;
        }
    }
    assert!(checked > 30, "only {checked} links were found");
}

/// Every page of the book and of the reference stands in the summary.
#[test]
fn the_summary_names_every_page() {
    let docs = repository().join("docs");
    let listed: Vec<_> = links(&docs.join("SUMMARY.md")).iter().map(|link| docs.join(link)).collect();
    for page in pages().iter().filter(|page| page.starts_with(&docs) && !page.ends_with("SUMMARY.md")) {
        assert!(listed.contains(page), "{} is not in docs/SUMMARY.md", page.display());
    }
}

#[test]
fn mdbook_builds_the_book() {
    let Ok(mdbook) = Tools::mdbook() else { return };
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(&mdbook.program)
        .arg("build")
        .arg(repository().join("docs"))
        .arg("--dest-dir")
        .arg(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !text.contains("WARN") && !text.contains("ERROR"), "{text}");
    assert!(folder.path().join("book/tutorial.html").is_file());
    assert!(folder.path().join("reference/registers.html").is_file());
}
