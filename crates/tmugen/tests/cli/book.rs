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

/// Blocks of code of a page in their order: language and lines.
fn blocks(page: &Path) -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(page).unwrap();
    let (mut blocks, mut open) = (Vec::new(), None);
    for line in text.lines().map(str::trim) {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => open = Some((language.to_owned(), Vec::new())),
            (None, Some((_, lines))) => lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    blocks
}

/// Needs Verilator, or minutes.
fn simulates(command: &str) -> bool {
    command.starts_with("tmugen sim") || command.contains("--engine rtl")
}

/// Runs the commands of a page in one folder; files that the page shows as CSV are `quads.csv`.
fn run_page(page: &Path) -> usize {
    let workshop = Workshop::new();
    let has_tools = Tools::verilator().is_ok() && Tools::cxx().is_ok();
    let mut commands = 0;
    for (language, lines) in blocks(page) {
        if language == "csv" {
            workshop.write("quads.csv", &(lines.join("\n") + "\n"));
        }
        if language != "console" {
            continue;
        }
        for line in &lines {
            let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{line} is no command"));
            commands += 1;
            if has_tools || !simulates(command) {
                workshop.succeed(&format!("{command} --quiet"));
            }
        }
    }
    if has_tools && page.ends_with("tutorial.md") {
        assert_eq!(workshop.read("colours.csv"), workshop.read("colours_rtl.csv"));
        assert!(fs::metadata(workshop.path("run.fst")).unwrap().len() > 10_000);
    }
    commands
}

#[test]
fn the_commands_of_the_book_run_as_they_stand_there() {
    let book = repository().join("docs/book");
    let of_book: Vec<_> = pages().into_iter().filter(|page| page.starts_with(&book)).collect();
    let commands: usize = of_book.iter().map(|page| run_page(page)).sum();
    assert!(commands >= 15, "only {commands} commands were found");
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
