//! `docs/reference/evidence.md` quotes figures; each must stand on the page that its row names.

use std::collections::BTreeSet;
use std::fs;

fn page(name: &str) -> String {
    let path = tmu_testing::repository().join("docs/reference").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// How many proofs the page of the proofs has, and how many mutants.
fn counted(proofs: &str) -> BTreeSet<String> {
    let rows = proofs.lines().filter_map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        (cells.len() == 6).then(|| cells[4].parse::<u32>().ok())?
    });
    let mutants: Vec<_> = rows.collect();
    [mutants.len().to_string(), mutants.iter().sum::<u32>().to_string()].into()
}

#[test]
fn every_figure_stands_on_its_page() {
    let mut figures = 0;
    for row in page("evidence.md").lines().filter(|line| line.starts_with("| ") && line.contains("](")) {
        let name = row.rsplit("](").next().and_then(|rest| rest.split(')').next()).unwrap();
        let source = page(name);
        for figure in row.split("**").skip(1).step_by(2) {
            let is_counted = name == "proofs.md";
            let stands = if is_counted { counted(&source).contains(figure) } else { source.contains(figure) };
            assert!(stands, "{figure:?} is not what docs/reference/{name} says");
            figures += 1;
        }
    }
    assert!(figures > 5, "{figures} figures");
}
