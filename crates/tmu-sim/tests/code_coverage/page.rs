//! What was covered as a page of the documentation.

use crate::holes::{Hole, Table};
use crate::points::{Kind, Point, Share, Shares};
use crate::{LEAST_PERCENT, Measured, SEED};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tmu_spec::presets::classic;

/// What measures everything anew.
pub(crate) const COMMAND: &str = "cargo test --release -p tmu-sim --test code_coverage -- --ignored";

/// The page.
pub(crate) fn page(table: &Table, measured: &[Measured], quads: u64) -> String {
    let (presets, mixes) = measured.split_at(classic().count());
    let mut page = introduction(quads);
    page +=
        "\n## Presets\n\n| preset | lines | branches | choices | bits |\n| --- | --- | --- | --- | --- |\n";
    for one in presets {
        let _ = writeln!(page, "| `{}` {} |", one.config.name(), cells(&one.covered.total(), true));
    }
    page += "\n## Mixes of settings\n\n\
             Mixes that between them have nearly every setting at both ends; bits are not counted. What they are is \
             in `crates/tmu-sim/src/engines/sampler/sweep.rs`.\n\n\
             | configuration | lines | branches | choices |\n| --- | --- | --- | --- |\n";
    for one in mixes {
        let _ = writeln!(page, "| `{}` {} |", one.config.name(), cells(&one.covered.total(), false));
    }
    page += &holes(&table.holes);
    page += &still(table, presets);
    page += "\n## Modules\n\nModules that differ in sizes only stand in one row.\n";
    for one in presets {
        let _ = write!(
            page,
            "\n### {}\n\n| module | lines | branches | choices | bits |\n| --- | --- | --- | --- | --- |\n",
            one.config.name()
        );
        for (module, shares) in &one.covered.modules {
            let _ = writeln!(page, "| `{module}` {} |", cells(shares, true));
        }
    }
    page
}

fn introduction(quads: u64) -> String {
    format!(
        "<!-- Measured in simulation. UPDATE_MEASURED=1 {COMMAND} writes it anew. -->\n\n\
         # Code coverage\n\n\
         How much of the emitted Verilog random traffic executes, counted by Verilator. Each configuration is sent \
         {quads} random quads in four runs: memory of 1, 20 and 100 clocks of latency, with and without pauses, \
         bad input and resets; one more run reads and writes every register under load. Every result is compared with \
         the golden model. Counting begins when the first reset is over, so that initial values count for nothing.\n\n\
         ```\n{COMMAND}\n```\n\n\
         measures it anew, all random numbers following from seed {SEED}. `scripts/test` repeats the presets' lines, \
         branches and choices with fewer quads.\n\n\
         - **Lines** are those of clocked processes.\n\
         - **Branches** are the two ways of each `if`, written out or not.\n\
         - **Choices** are the two ways of each `a ? b : c`, wherever it stands; the test gives the condition an `if` of \
         its own, since Verilator 5.006 does not count it.\n\
         - **Bits** are those of nets, registers and ports of up to 256 bits, which rise and fall.\n\n\
         At least {LEAST_PERCENT} % of lines and of branches must be met in each preset, and every line, branch and choice \
         in some configuration, except those in the table of holes. The test fails on a hole that is not listed, \
         and on one that is listed and met. A point is known by its module and its text, not by its line number.\n"
    )
}

/// The cells of a row, each but the first with its separator.
fn cells(shares: &Shares, toggles: bool) -> String {
    let mut all = vec![shares.lines, shares.branches, shares.choices];
    if toggles {
        all.push(shares.toggles);
    }
    all.into_iter().map(|share| format!("| {}", cell(share))).collect::<Vec<_>>().join(" ")
}

fn cell(Share { covered, all }: Share) -> String {
    if all == 0 {
        return String::new();
    }
    // Rounded down: what is not complete is not 100 %.
    let tenths = covered * 1000 / all;
    format!("{covered} of {all}, {}.{} %", tenths / 10, tenths % 10)
}

fn holes(holes: &[Hole]) -> String {
    let mut text = "\n## Holes\n\n\
                    What no configuration meets, from `crates/tmu-sim/coverage-holes.toml`.\n\n\
                    | module | what | reason |\n| --- | --- | --- |\n"
        .to_owned();
    for Hole { module, kind, text: code, reason } in holes {
        let what = match kind {
            Kind::Block => "never executed",
            Kind::Then => "never taken",
            Kind::Else => "never not taken",
            Kind::True => "never true",
            Kind::False | Kind::Toggle => "never false",
        };
        let _ = writeln!(text, "| `{module}` | `{}`: {what} | {reason} |", code.replace('|', "\\|"));
    }
    text
}

/// Bits that do not both rise and fall, by reason.
fn still(table: &Table, presets: &[Measured]) -> String {
    const NONE: &str = "no reason listed";
    let mut text = "\n## Bits that stand still\n\n\
                    A net and the ports that it is connected to count separately, so one constant bit may be several.\n\n"
        .to_owned();
    let mut counts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (number, one) in presets.iter().enumerate() {
        for (point, Share { covered, all }) in one.covered.points.iter() {
            if point.kind == Kind::Toggle && covered < all {
                let reason = table.reason(point).unwrap_or(NONE);
                counts.entry(reason).or_insert_with(|| vec![0; presets.len()])[number] += all - covered;
            }
        }
    }
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let names = presets.iter().map(|one| format!("`{}`", one.config.name()));
    text += &row(std::iter::once("reason".to_owned()).chain(names).collect());
    text += &row(vec!["---".to_owned(); presets.len() + 1]);
    let reasons = table.still.iter().map(|still| still.reason.as_str());
    for reason in reasons.chain([NONE]) {
        let Some(counts) = counts.get(reason) else { continue };
        let counts = counts.iter().map(u64::to_string);
        text += &row(std::iter::once(reason.to_owned()).chain(counts).collect());
    }
    text + &without_reason(table, presets)
}

/// The nets with bits that stand still for no listed reason.
fn without_reason(table: &Table, presets: &[Measured]) -> String {
    let still = |(point, share): &(&Point, &Share)| {
        point.kind == Kind::Toggle && !share.is_at_least(100) && table.reason(point).is_none()
    };
    let points = presets.iter().flat_map(|one| one.covered.points.iter().filter(still));
    let name = |(point, _): (&Point, &Share)| {
        format!("`{}.{}`", point.module, point.text.split('[').next().unwrap_or_default())
    };
    let names: BTreeSet<_> = points.map(name).collect();
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<_> = names.into_iter().collect();
    format!("\nWithout a reason, since rare, stand bits of {}.\n", names.join(", "))
}
