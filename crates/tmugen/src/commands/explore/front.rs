//! Which results are worth their cost: the Pareto front, as table, CSV and plot.

use super::outcome::Outcome;
use crate::files::kind::FRONT_COLUMNS;
use crate::plot::{self, Axes, Dot};
use crate::problem::Failure;
use crate::table::Table;

/// Results with whether each is on the front: no other one is as fast at no higher cost, or faster at the same.
pub(super) struct Front<'a> {
    pub(super) rows: Vec<(&'a Outcome, bool)>,
}

impl<'a> Front<'a> {
    pub(super) fn new(outcomes: Vec<&'a Outcome>) -> Self {
        let is_on_front =
            |one: &Outcome| !outcomes.iter().any(|other| other.job != one.job && dominates(other, one));
        let mut rows: Vec<_> = outcomes.iter().map(|one| (*one, is_on_front(one))).collect();
        rows.sort_by(|(a, _), (b, _)| a.cost.memory_kb.total_cmp(&b.cost.memory_kb).then(a.job.cmp(&b.job)));
        Front { rows }
    }

    fn keys(&self) -> impl Iterator<Item = &str> {
        let settings = self.rows.first().map(|(one, _)| one.settings.as_slice()).unwrap_or_default();
        settings.iter().map(|(key, _)| key.as_str())
    }

    fn has_luts(&self) -> bool {
        self.rows.iter().any(|(one, _)| one.cost.luts.is_some())
    }

    /// The front, or all results with the front marked.
    pub(super) fn table(&self, all: bool) -> Table {
        let luts = self.has_luts();
        let mut header: Vec<String> = Vec::new();
        header.extend(all.then(|| "front".to_owned()));
        header.extend(self.keys().map(str::to_owned));
        header.extend(["memory Kb", "BRAM36", "URAM288"].map(str::to_owned));
        header.extend(luts.then(|| "LUT".to_owned()));
        header.extend(["samples/clock", "B/sample"].map(str::to_owned));
        let mut table = Table::new(usize::from(all), header);
        for (one, is_on_front) in self.rows.iter().filter(|(_, is_on_front)| all || *is_on_front) {
            let mut cells = Vec::new();
            if all {
                cells.push(if *is_on_front { "*" } else { "" }.to_owned());
            }
            cells.extend(one.settings.iter().map(|(_, value)| value.clone()));
            cells.push(format!("{:.1}", one.cost.memory_kb));
            cells.push(format!("{}", one.cost.block_rams));
            cells.push(one.cost.ultra_rams.to_string());
            if luts {
                cells.push(one.cost.luts.map_or_else(|| "-".to_owned(), |luts| luts.to_string()));
            }
            cells.push(format!("{:.4}", one.samples_per_clock));
            cells.push(format!("{:.3}", one.bytes_per_sample()));
            table.push(cells);
        }
        table
    }

    /// Every result with all its figures.
    pub(super) fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.rows.first().map(|(one, _)| one.workloads.as_slice()).unwrap_or_default();
        let mut header = FRONT_COLUMNS.map(str::to_owned).to_vec();
        header.extend(self.keys().map(str::to_owned));
        let costs = ["memory_kb", "block_rams", "ultra_rams", "lut_ram_bits", "multipliers", "luts"];
        header.extend(costs.map(str::to_owned));
        header.extend(["samples_per_clock", "bytes_per_sample"].map(str::to_owned));
        for workload in names {
            let figures = ["samples_per_clock", "bytes_per_sample", "hit_rate"];
            header.extend(figures.map(|figure| format!("{}:{figure}", workload.name)));
        }
        let written = |writer: &mut csv::Writer<Vec<u8>>, row: &[String]| {
            writer.write_record(row).expect("memory can be written");
        };
        written(&mut writer, &header);
        for (one, is_on_front) in &self.rows {
            let optional = |value: Option<String>| value.unwrap_or_default();
            let mut row = vec![one.job.to_string(), u8::from(*is_on_front).to_string()];
            row.extend(one.settings.iter().map(|(_, value)| value.clone()));
            let cost = &one.cost;
            row.extend([
                cost.memory_kb.to_string(),
                cost.block_rams.to_string(),
                cost.ultra_rams.to_string(),
            ]);
            row.extend([cost.lut_ram_bits.to_string(), cost.multipliers.to_string()]);
            row.push(optional(cost.luts.map(|luts| luts.to_string())));
            row.extend([one.samples_per_clock.to_string(), one.bytes_per_sample().to_string()]);
            for workload in &one.workloads {
                row.extend([workload.samples_per_clock.to_string(), workload.bytes_per_sample.to_string()]);
                row.push(optional(workload.hit_rate.map(|rate| rate.to_string())));
            }
            written(&mut writer, &row);
        }
        let bytes = writer.into_inner().expect("memory can be written");
        String::from_utf8(bytes).expect("names and numbers")
    }

    /// Rate against memory, the front named by its settings.
    pub(super) fn svg(&self) -> Result<String, Failure> {
        let label = |one: &Outcome| {
            let values: Vec<_> = one.settings.iter().map(|(_, value)| value.as_str()).collect();
            values.join(" / ")
        };
        let dot = |(one, is_on_front): &(&Outcome, bool)| Dot {
            at: (one.cost.memory_kb, one.samples_per_clock),
            label: is_on_front.then(|| label(one)),
        };
        let dots: Vec<_> = self.rows.iter().map(dot).collect();
        let keys: Vec<_> = self.keys().collect();
        let (done, jobs) = (self.rows.len(), self.rows.first().map_or(0, |(one, _)| one.jobs));
        let part = if done < jobs { format!(" ({done} of {jobs} configurations)") } else { String::new() };
        let title = format!("Throughput and memory: {}{part}", keys.join(" / "));
        plot::front(&title, Axes { x: "memory in Kb", y: "samples per clock" }, &dots)
    }
}

/// Whether `a` leaves nothing that speaks for `b`. Of two that are equal in everything the first is as good.
fn dominates(a: &Outcome, b: &Outcome) -> bool {
    let luts = |one: &Outcome| one.cost.luts.unwrap_or_default();
    let no_worse = a.cost.memory_kb <= b.cost.memory_kb
        && luts(a) <= luts(b)
        && a.samples_per_clock >= b.samples_per_clock;
    let better =
        a.cost.memory_kb < b.cost.memory_kb || luts(a) < luts(b) || a.samples_per_clock > b.samples_per_clock;
    no_worse && (better || a.job < b.job)
}

#[cfg(test)]
mod tests {
    use super::super::outcome::Sites;
    use super::super::outcome::tests::outcome;
    use super::*;

    fn front_of(outcomes: &[Outcome]) -> Vec<usize> {
        let front = Front::new(outcomes.iter().collect());
        front.rows.iter().filter(|(_, is_on_front)| *is_on_front).map(|(one, _)| one.job).collect()
    }

    #[test]
    fn the_front_is_what_nothing_else_beats() {
        let mut all = vec![
            outcome(0, 10.0, 0.5),
            outcome(1, 20.0, 0.9),
            outcome(2, 20.0, 0.8),
            outcome(3, 30.0, 0.9),
            outcome(4, 10.0, 0.5),
            outcome(5, 5.0, 0.1),
        ];
        assert_eq!(front_of(&all), [5, 0, 1]);
        // Fewer LUTs speak for a result too: now 4 beats 0, and 1, 2, 3 each have something.
        for one in &mut all {
            one.cost = Sites { luts: Some(1000 - 100 * one.job as u64), ..one.cost };
        }
        assert_eq!(front_of(&all), [5, 4, 1, 2, 3]);
    }

    #[test]
    fn tables_show_the_front_or_all() {
        let outcomes = [outcome(0, 10.0, 0.5), outcome(1, 20.0, 0.4)];
        let front = Front::new(outcomes.iter().collect());
        let text = front.table(false).text();
        assert_eq!(
            text,
            "cache.ways  memory Kb  BRAM36  URAM288  samples/clock  B/sample\n         \
             0       10.0       0        0         0.5000     4.000\n"
        );
        assert_eq!(front.table(true).text().lines().count(), 3);
        assert!(front.table(true).text().contains("\n*  "), "{}", front.table(true).text());
        let csv = front.csv();
        assert_eq!(csv.lines().count(), 3);
        assert!(csv.starts_with("job,front,cache.ways,memory_kb,"), "{csv}");
        assert!(csv.contains("\n0,1,0,10,0,0,0,0,,0.5,4,0.5,4,\n"), "{csv}");
        let svg = front.svg().unwrap();
        assert!(svg.contains("Throughput and memory: cache.ways (2 of 4 configurations)"), "{svg}");
    }
}
