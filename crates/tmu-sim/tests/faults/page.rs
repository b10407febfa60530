//! The figures as a page of the documentation.

use crate::{DOCUMENTED, Failures, Outcome};
use std::fmt::Write as _;
use tmu_sim::engines::sampler::regression::fault::{Tallies, Tally};

fn row(page: &mut String, what: &str, tally: Tally, is_reported: bool) {
    let Tally { injected, reported, recovered, excused_quads } = tally;
    let reported = if is_reported { reported.to_string() } else { "no error".to_owned() };
    let excused = if excused_quads > 0 { excused_quads.to_string() } else { String::new() };
    let _ = writeln!(page, "| {what} | {injected} | {reported} | {excused} | {recovered} |");
}

/// The figures as a page of the documentation.
pub(crate) fn page(outcomes: &[Outcome; 2], seed: u64) -> String {
    let faults = || outcomes.iter().flat_map(|outcome| &outcome.faults);
    let mut all = Tallies::default();
    faults().for_each(|(_, faults)| all.add(faults));
    let times =
        |what: fn(&Failures) -> u64| outcomes.iter().map(|outcome| what(&outcome.failures)).sum::<u64>();
    let (hangs, silent) = (times(|failures| failures.hangs), times(|failures| failures.silent));
    let (lost, others) = (times(|failures| failures.lost), times(|failures| failures.others));
    let quads: u64 = outcomes.iter().map(|outcome| outcome.quads).sum();
    let clocks: u64 = outcomes.iter().map(|outcome| outcome.tmu_clocks).sum();
    let total = all.total().injected;
    let mut page = format!(
        "{INTRODUCTION}\n```\nTMUGEN_SEED={seed} TMUGEN_FAULTS={DOCUMENTED} cargo test -p tmu-sim --test faults\n```\n"
    );
    let _ = write!(
        page,
        "\n{total} faults, {quads} quads answered, {clocks} clocks of `tmu_aclk`:\n\n| what must never be | times |\n| --- | --- |\n\
         | hangs | {hangs} |\n| wrong pixels or a wrong error bit | {silent} |\n| quads lost or made up | {lost} |\n\
         | anything else: a broken rule of a bus, an error that is not reported or that was none | {others} |\n\n{TABLE}",
    );
    for (kind, tally) in all.iter() {
        row(&mut page, kind.name(), tally, kind.is_reported());
    }
    let _ = writeln!(page, "\n| configuration | injected | recovered |\n| --- | --- | --- |");
    for (config, faults) in faults() {
        let Tally { injected, recovered, .. } = faults.total();
        let _ = writeln!(page, "| `{}` | {injected} | {recovered} |", config.name());
    }
    page + SHRINKING
}

const INTRODUCTION: &str = "<!-- Measured in simulation. TMUGEN_FAULTS=10000 UPDATE_MEASURED=1 cargo test -p tmu-sim --test faults writes it \
     anew. -->\n\n\
     # Faults, and random runs that fail\n\n\
     Faults are injected one by one, in simulation, into each preset of the classic numerics, into two configurations of which the memory port has its own \
     clock, and into presets of the general numerics. Around each there is load on every unit: quads \
     are under way when it comes, and more follow. When nothing is under way any more the register `ERROR` is \
     read: it must show the fault, if it is an error, and nothing else. Then every unit gets a binding and quads that must \
     be answered as if nothing had been. Every result is compared with the golden model; a quad that needs a line of which a read \
     failed may come back with the error bit and zeros, but not with wrong pixels. Behind an answer of memory of the wrong length that \
     holds for the line that was asked for, and where the cache reads ahead for all that its unit reads until nothing is under way; of the general numerics any quad may fail until then. Clocks, jitter, latency, order of memory's answers \
     and pauses differ from run to run of 50 faults.\n";

const TABLE: &str = "| fault | injected | reported | quads with the error bit for it | recovered |\n| --- | --- | --- | --- | --- |\n";

const SHRINKING: &str = "\n\
     Invalidations and most resets need no report: nothing is wrong. Access to a register that there is not is reported by \
     its answer. A preset of which quads come in one beat has no `tlast` that is early and no `tuser` that changes: the \
     first beat of a packet says what it is. Units of the general numerics drop a packet of which not all beats say the same.\n\n\
     ## A run that fails\n\n\
     A random run is a list of numbered items: bindings, quads, packets of the wrong length, resets, commands, reads that fail or are answered with the wrong length. \
     `tmugen sim` and the tests look for a short case of each failure: no pauses, plain clocks and memory, latency 1, and as \
     few items as fail in the same way, by delta debugging. It ends with a command like\n\n\
     ```\ntmugen sim --preset fury --seed 1 --latency 1 --plain --only 36,42\n```\n\n\
     which does those items and no others.\n";
