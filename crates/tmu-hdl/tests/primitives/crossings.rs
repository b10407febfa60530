//! Clock crossings: the asynchronous FIFO over clock ratios, drift, jitter and resets, and what it is made of.

use crate::clocking::{CLOCK_PAIRS, ClockPair, Clocking, Instant};
use crate::harness::{Case, prove};
use crate::scoreboard::Scoreboard;
use crate::stimulus::{Bursts, clocks, generator, random_value, repeat, seed};
use crate::subject::Subject;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tmu_hdl::primitives::*;
use tmu_verilate::{Batch, IcarusModel, Initial, Model, ModelOptions, RowLayout, Rows, Schedule, Tools};

/// Instants that also run against Icarus.
const ICARUS_INSTANTS: usize = 3_000;
/// Instants in one call.
const CHUNK: usize = 5_000;

/// Instants of each run under Verilator, all of them followed by the scoreboard: two for a clock.
fn instants() -> usize {
    2 * clocks()
}

/// What happens to a FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Traffic {
    /// Both sides are always willing.
    Full,
    /// Both sides pause in bursts and lulls.
    Random,
    /// The same, with resets of either side, short and long, apart and overlapping.
    Resets,
}

impl Traffic {
    /// Instants of each run for which the interpreter runs along, which costs many times what Verilator does.
    fn rust_instants(self) -> usize {
        match self {
            Traffic::Full => 5_000,
            Traffic::Random => 40_000,
            Traffic::Resets => 20_000,
        }
    }
}

/// Feeds one FIFO, instant by instant.
struct Feed {
    rng: ChaCha8Rng,
    clocking: Clocking,
    traffic: Traffic,
    willing: [Bursts; 2],
    /// Edges for which each side's reset is still high, and those until the next one.
    reset_left: [u32; 2],
    reset_in: [u32; 2],
    /// Sides whose clock rose before this instant: their inputs change now.
    rose: [bool; 2],
    items: u64,
}

impl Feed {
    fn new(name: &str, clocks: ClockPair, traffic: Traffic) -> Feed {
        Feed {
            rng: generator(name),
            clocking: Clocking::new(clocks),
            traffic,
            willing: [Bursts::default(); 2],
            reset_left: [0; 2],
            reset_in: [200, 450],
            rose: [true; 2],
            items: 0,
        }
    }

    /// The next `count` rows, which continue the row `last`.
    fn rows(&mut self, layout: &RowLayout, count: usize, last: Option<&[u32]>) -> (Rows, Vec<Instant>) {
        let mut rows = Rows::zeros(layout.clone(), count);
        let mut instants = Vec::with_capacity(count);
        for row in 0..count {
            if row > 0 {
                let before = rows.row(row - 1).to_vec();
                rows.row_mut(row).copy_from_slice(&before);
            } else if let Some(last) = last {
                rows.row_mut(row).copy_from_slice(last);
            }
            if self.rose[0] {
                self.write_side(&mut rows, row);
            }
            if self.rose[1] {
                let ready = self.will(1);
                rows.set(row, "output_ready", u64::from(ready));
                let reset = self.reset(1);
                rows.set(row, "read_rst", u64::from(reset));
            }
            let instant = self.clocking.step(&mut self.rng);
            rows.set(row, "write_clk", u64::from(instant.levels[0]));
            rows.set(row, "read_clk", u64::from(instant.levels[1]));
            self.rose = instant.rises;
            instants.push(instant);
        }
        (rows, instants)
    }

    fn write_side(&mut self, rows: &mut Rows, row: usize) {
        let valid = self.will(0);
        rows.set(row, "input_valid", u64::from(valid));
        let reset = self.reset(0);
        rows.set(row, "write_rst", u64::from(reset));
        let Some(column) = rows.layout().column("input_data").cloned() else { return };
        random_value(&mut self.rng, rows.value_mut(row, &column), &column);
        // A number makes each item of a wide FIFO one of a kind.
        if column.width_bits >= 32 {
            self.items += 1;
            rows.value_mut(row, &column)[0] = self.items as u32;
        }
    }

    fn will(&mut self, side: usize) -> bool {
        self.traffic == Traffic::Full || self.willing[side].next(&mut self.rng)
    }

    fn reset(&mut self, side: usize) -> bool {
        if self.traffic != Traffic::Resets {
            return false;
        }
        if self.reset_left[side] > 0 {
            self.reset_left[side] -= 1;
            return true;
        }
        self.reset_in[side] -= 1;
        if self.reset_in[side] == 0 {
            let long = [1, 1, 3, 40][self.rng.random_range(0..4)];
            self.reset_left[side] = self.rng.random_range(1..=long);
            // Often on the heels of the last one, so that handshakes overlap; else after a while of traffic.
            let pause = [30, 1200][self.rng.random_range(0..2)];
            self.reset_in[side] = self.rng.random_range(1..pause);
        }
        false
    }
}

/// A FIFO under way.
struct Run {
    subject: Subject,
    feed: Feed,
    scoreboard: Scoreboard,
    traffic: Traffic,
    depth: usize,
    latency_clocks: usize,
    last: Option<Vec<u32>>,
    /// From the first item on, the data register of the FIFO is defined.
    defined: bool,
}

impl Run {
    fn new(depth: usize, width: usize, style: RamStyle, clocks: ClockPair, traffic: Traffic) -> Run {
        let place = CLOCK_PAIRS.iter().position(|p| p.name == clocks.name).unwrap_or_default();
        let kind = format!("{traffic:?}_{style:?}").to_lowercase();
        let name = format!("fifo_{depth}x{width}_{kind}_{place}");
        let scoreboard = Scoreboard::new(format!("{name}, clocks {}", clocks.name), clocks, depth);
        let fifo = AsyncFifo::with_style(depth, width, style);
        let fifo = if traffic == Traffic::Full { fifo } else { fifo.with_write_level() };
        let latency_clocks = fifo.latency_clocks() as usize;
        let subject = Subject::new(&name, fifo);
        let feed = Feed::new(&name, clocks, traffic);
        Run { subject, feed, scoreboard, traffic, depth, latency_clocks, last: None, defined: false }
    }

    fn rows(&mut self, count: usize) -> (Rows, Vec<Instant>) {
        let layout = RowLayout::inputs(&self.subject.source, Schedule::Evaluations);
        let (rows, instants) = self.feed.rows(&layout, count, self.last.as_deref());
        self.last = Some(rows.row(count - 1).to_vec());
        (rows, instants)
    }

    /// Compares rows of outputs; data counts from the first item on. Returns the first row that differs.
    fn differs(&self, expected: &Rows, got: &Rows, unknown: Option<&Rows>) -> Option<usize> {
        let mut defined = self.defined;
        (0..expected.len()).find(|&row| {
            defined |= expected.get(row, "output_valid") == 1;
            let columns = expected.layout().columns().iter();
            columns.filter(|c| defined || c.name != "output_data").any(|column| {
                let known = unknown.is_none_or(|u| u.value(row, column).iter().all(|&word| word == 0));
                !known || expected.value(row, column) != got.value(row, column)
            })
        })
    }

    fn see(&mut self, instants: &[Instant], inputs: &Rows, outputs: &Rows) {
        for (row, instant) in instants.iter().enumerate() {
            self.scoreboard.see(instant, inputs, outputs, row);
            self.defined |= outputs.get(row, "output_valid") == 1;
        }
    }

    /// What the whole run shows.
    fn finish(&self) {
        self.scoreboard.finish();
        let (given, resets) = (self.scoreboard.given(), self.scoreboard.resets());
        assert!(given > 1000, "{}: only {given} items", self.subject.name());
        assert_eq!(resets > 50, self.traffic == Traffic::Resets, "{resets} resets");
        assert_eq!(self.scoreboard.latency_clocks(), self.latency_clocks, "{}: latency", self.subject.name());
        if self.traffic == Traffic::Full && self.depth >= 16 {
            let throughput = self.scoreboard.throughput();
            assert!(throughput >= 0.99, "{}: {throughput:.4} items a clock", self.subject.name());
        }
    }
}

/// Every kind of traffic over every pair of clocks, in shapes that go round.
fn runs() -> Vec<Run> {
    let lut = RamStyle::Distributed;
    let shapes = [(16, 40, lut), (4, 1, lut), (32, 1024, lut), (64, 33, RamStyle::Block)];
    let mut runs = vec![];
    for (i, &clocks) in CLOCK_PAIRS.iter().enumerate() {
        let (depth, width, style) = shapes[i % shapes.len()];
        runs.push(Run::new(depth, width, style, clocks, Traffic::Random));
        let (style, width) = [(lut, 34), (RamStyle::Block, 36)][i % 2];
        runs.push(Run::new(16, width, style, clocks, Traffic::Full));
        runs.push(Run::new([4, 16][i % 2], width + 1, style, clocks, Traffic::Resets));
    }
    runs
}

#[test]
fn asynchronous_fifo() {
    if Tools::are_missing() {
        return;
    }
    let mut runs = runs();
    let batch = Batch::new(runs.iter().map(|run| run.subject.source.clone()).collect());
    let batch = batch.unwrap_or_else(|e| panic!("{e}"));
    let model = Model::build(batch.source(), &ModelOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut instance = model.instance_with(Initial::Random(seed() as u32)).unwrap_or_else(|e| panic!("{e}"));
    let schedule = Schedule::Evaluations;
    let icarus = IcarusModel::build(batch.source(), schedule).unwrap_or_else(|e| panic!("{e}"));
    let (mut done, all) = (0, instants());
    while done < all {
        let count = if done == 0 { ICARUS_INSTANTS } else { CHUNK.min(all - done) };
        let (rows, instants): (Vec<_>, Vec<_>) = runs.iter_mut().map(|run| run.rows(count)).unzip();
        let joined = batch.join(schedule, &rows).unwrap_or_else(|e| panic!("{e}"));
        let verilated = instance.run(schedule, &joined).unwrap_or_else(|e| panic!("{e}"));
        let verilated = batch.split(&verilated);
        let four_state = (done == 0).then(|| icarus.run(&joined).unwrap_or_else(|e| panic!("{e}")));
        let four_state = four_state.map(|rows| batch.split_four_state(&rows));
        for (i, run) in runs.iter_mut().enumerate() {
            if done >= run.traffic.rust_instants() {
                run.see(&instants[i], &rows[i], &verilated[i]);
                continue;
            }
            let expected = run.subject.run(schedule, &rows[i]);
            let failed = |tool: &str, row: usize| {
                let repeat = repeat("asynchronous_fifo");
                panic!("{}: {tool} differs in instant {}; {repeat}", run.subject.name(), done + row)
            };
            run.differs(&expected, &verilated[i], None).into_iter().for_each(|row| failed("Verilator", row));
            if let Some(rows) = &four_state {
                let differs = run.differs(&expected, &rows[i].value, Some(&rows[i].unknown));
                differs.into_iter().for_each(|row| failed("Icarus", row));
            }
            run.see(&instants[i], &rows[i], &expected);
        }
        done += count;
    }
    runs.iter().for_each(Run::finish);
}

/// The Verilog of a FIFO whose synchronisers see each bit that has just changed, or see it one clock later.
fn with_metastability(run: &Run) -> tmu_verilate::ModelSource {
    let mut source = run.subject.source.clone();
    let mut replaced = 0;
    for file in &mut source.files {
        for (to, from) in [("read", "write"), ("write", "read")] {
            for name in ["request", "ack", "pointer"] {
                let head = format!(" {name}_to_{to} (\n        .clk({to}_clk),");
                replaced += file.text.matches(&head).count();
                file.text = file.text.replace(&head, &format!("{head}\n        .source_clk({from}_clk),"));
            }
        }
        if let Some((name, width)) = file.name.strip_suffix(".v").and_then(|name| name.rsplit_once('x'))
            && name.ends_with("_synchroniser_2")
        {
            file.text = METASTABLE.replace("NAME", name).replace("WIDTH", width);
        }
    }
    assert_eq!(replaced, 6, "the FIFO has six synchronisers");
    source
}

/// A bit that changed since the last edge of this clock may be seen or not; at the next edge it is.
const METASTABLE: &str = "\
module NAMExWIDTH (
    input  wire clk,
    input  wire source_clk,
    input  wire [WIDTH-1:0] data_in,
    output wire [WIDTH-1:0] data_out
);
    reg [31:0] source_edges = 0;
    reg [31:0] edges_seen = 0;
    reg [WIDTH-1:0] data_before = 0;
    reg [WIDTH-1:0] stage_0 = 0;
    reg [WIDTH-1:0] stage_1 = 0;
    reg [WIDTH-1:0] chance = 0;
    wire [WIDTH-1:0] late = source_edges == edges_seen ? {WIDTH{1'b0}} : chance;

    always @(posedge source_clk) begin
        source_edges <= source_edges + 1;
        data_before <= data_in;
    end
    always @(posedge clk) begin
        edges_seen <= source_edges;
        chance <= {(WIDTH + 31) / 32{$random}};
        stage_0 <= (data_in & ~late) | (data_before & late);
        stage_1 <= stage_0;
    end
    assign data_out = stage_1;
endmodule
";

#[test]
fn asynchronous_fifo_whose_synchronisers_resolve_either_way() {
    if Tools::are_missing() {
        return;
    }
    for (place, &clocks) in CLOCK_PAIRS.iter().enumerate() {
        let traffic = Traffic::Resets;
        let mut run = Run::new([4, 16][place % 2], 34, RamStyle::Distributed, clocks, traffic);
        let source = with_metastability(&run);
        let model = Model::build(&source, &ModelOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let mut instance = model.instance_with(Initial::Random(7)).unwrap_or_else(|e| panic!("{e}"));
        for _ in 0..instants() / CHUNK {
            let (rows, instants) = run.rows(CHUNK);
            let outputs = instance.run(Schedule::Evaluations, &rows).unwrap_or_else(|e| panic!("{e}"));
            run.see(&instants, &rows, &outputs);
        }
        run.finish();
    }
}

#[test]
fn parts_of_crossings() {
    let bits = |name: &str, width, stages| Case::new(Subject::new(name, Synchroniser::new(width, stages)));
    let reset = |name: &str, stages| Case::new(Subject::new(name, ResetSynchroniser::new(stages)));
    prove(
        "parts_of_crossings",
        vec![
            bits("synchroniser_1", 1, 2),
            bits("synchroniser_11", 11, 3),
            bits("synchroniser_400", 400, 2),
            reset("reset_synchroniser_2", 2),
            reset("reset_synchroniser_5", 5),
        ],
    );
}
