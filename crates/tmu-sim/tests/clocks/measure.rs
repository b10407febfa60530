//! What is measured: scenarios on a bench whose waveform is read afterwards.

use crate::page::{Bound, Row, Section};
use crate::waves::Waves;
use std::sync::Arc;
use tmu_rtl::bundles::{slot_layout, tap_layout};
use tmu_sim::bench::Domain;
use tmu_sim::bus::request::Packet;
use tmu_sim::{Bench, BenchOptions, Rtl, TextureMemory};
use tmu_spec::{Binding, Format, Quad, Sampler, Texture};
use tmu_verilate::Model;

/// Memory latencies under which the cache is measured.
const LATENCIES: [u32; 3] = [5, 20, 100];

/// The memory of all other scenarios.
const LATENCY_CLOCKS: u32 = 20;

const UNIT_SIGNALS: [&str; 33] = [
    "entry.beat_valid",
    "entry.beat_ready",
    "entry.beat_data",
    "entry.table_load",
    "lod.input_valid",
    "lod.input_ready",
    "lod.output_valid",
    "lod.output_ready",
    "coordinate.input_valid",
    "coordinate.input_ready",
    "coordinate.output_valid",
    "coordinate.output_ready",
    "address.input_valid",
    "address.input_ready",
    "address.output_valid",
    "address.output_ready",
    "cache.input_valid",
    "cache.input_ready",
    "cache.input_data",
    "cache.read_valid",
    "cache.read_ready",
    "cache.leaves",
    "cache.dropping",
    "decode.comes",
    "decode.slot",
    "decode.leaves",
    "decode.tap",
    "filter.comes",
    "filter.tap",
    "filter.sample_comes",
    "filter.done",
    "request_tvalid",
    "result_tvalid",
];

/// Hardware to be measured.
struct Subject<'a> {
    rtl: &'a Rtl,
    model: &'a Model,
}

impl Subject<'_> {
    /// A unit out of reset over memory of a latency.
    fn bench(&self, latency_clocks: u32) -> Bench {
        let options = BenchOptions::new(&self.rtl.config, latency_clocks);
        let contents = Arc::new(TextureMemory::noise(1));
        Bench::new(self.model, self.rtl, options, contents).unwrap()
    }

    /// Runs a scenario and gives its waveform.
    fn waves(&self, latency_clocks: u32, scenario: impl FnOnce(&mut Bench)) -> Waves {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.fst");
        let mut bench = self.bench(latency_clocks);
        bench.trace(&path).unwrap();
        bench.start().unwrap();
        // After reset the cache empties itself.
        bench.run_clocks(1500).unwrap();
        scenario(&mut bench);
        bench.run_until_idle().unwrap();
        drop(bench);
        let top = self.rtl.source.top.as_str();
        Waves::read(&path, &[top, "unit_0"], "tmu_aclk", &UNIT_SIGNALS)
    }

    fn send(&self, bench: &mut Bench, quads: &[Quad]) {
        for quad in quads {
            bench.sample(0, quad, &self.rtl.config);
        }
    }

    /// Sends quads one by one, each when the one before has been answered.
    fn send_apart(&self, bench: &mut Bench, quads: &[Quad]) {
        for quad in quads {
            self.send(bench, &[*quad]);
            bench.run_until_idle().unwrap();
            bench.run_clocks(10).unwrap();
        }
    }
}

fn bind(bench: &mut Bench, binding: &Binding) {
    bench.send(0, Packet::bind(u128::from(binding.encode())));
}

fn texture(format: Format, size_log2: u32, sampler: Sampler) -> Binding {
    Binding::new(0x10_0000, Texture::new(format, size_log2, size_log2, size_log2).unwrap(), sampler).unwrap()
}

const NEAREST: Sampler = Sampler {
    bilinear: false,
    mipmapped: false,
    address_u: tmu_spec::AddressMode::Wrap,
    address_v: tmu_spec::AddressMode::Wrap,
};
const BILINEAR: Sampler = Sampler { bilinear: true, ..NEAREST };
const MIPMAPPED: Sampler = Sampler { mipmapped: true, ..BILINEAR };

/// Quads that go over a texture of 64 x 64 texels row by row, one texel a pixel, off the texels' centres.
fn walk(count: usize) -> Vec<Quad> {
    let texel = 1 << 10;
    let quad = |number: i32| {
        let [u, v] = [number % 32 * 2 * texel + 300, number / 32 * 2 * texel + 700];
        Quad::new([[u, v], [u + texel, v], [u, v + texel], [u + texel, v + texel]], 15)
    };
    (0..count as i32).map(quad).collect()
}

/// Quads whose taps all lie in one line: near the middle of a row of a tile of 64 x 64 texels.
fn in_one_line(count: usize, valid: u8) -> Vec<Quad> {
    let texel = 1 << 10;
    vec![Quad::new([[texel + texel / 2 + 9, texel / 2]; 4], valid); count]
}

fn row(what: impl Into<String>, clocks: &[u64], bound: Option<Bound>) -> Row {
    let what = what.into();
    let (Some(least), Some(most)) = (clocks.iter().min(), clocks.iter().max()) else {
        panic!("{what} was not seen")
    };
    Row { what, clocks: *least..=*most, bound }
}

/// Everything that the page says.
pub(crate) fn all(rtl: &Rtl, model: &Model) -> Vec<Section> {
    let subject = Subject { rtl, model };
    vec![
        subject.look_ups(),
        subject.stages(),
        subject.in_flight(),
        subject.requests_to_results(),
        subject.throughput(),
        subject.bindings(),
    ]
}

/// What a look-up is found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LookUp {
    Repeat,
    Hit,
    Miss,
}

impl Subject<'_> {
    /// Each look-up of the cache with the clocks to its answer and to the next look-up that is taken.
    fn cache(&self, waves: &Waves) -> Vec<(LookUp, [u64; 2])> {
        let slot = slot_layout(&self.rtl.config);
        let is_end = slot.bits("is_end").start;
        let repeat = slot.width() + self.rtl.config.cache().line_address_bits() as usize;
        let taken = waves.when(|edge| waves.moves("cache.input", edge));
        let leaves = waves.when(|edge| waves.high("cache.leaves", edge));
        let ready = waves.when(|edge| waves.high("cache.input_ready", edge));
        let reads = waves.when(|edge| waves.moves("cache.read", edge));
        assert_eq!(taken.len(), leaves.len(), "each look-up leaves once");
        let look_ups =
            std::iter::zip(taken, leaves).filter(|(at, _)| !waves.bit("cache.input_data", is_end, *at));
        let one = |(at, left): (usize, usize)| {
            let kind = if reads.iter().any(|read| (at..left).contains(read)) {
                LookUp::Miss
            } else if waves.bit("cache.input_data", repeat, at) {
                LookUp::Repeat
            } else {
                LookUp::Hit
            };
            let next = ready.iter().find(|next| **next > at).map_or(0, |next| next - at);
            (kind, [(left - at) as u64, next as u64])
        };
        look_ups.map(one).collect()
    }

    /// Answers of the cache, and how soon it takes the next look-up.
    fn look_ups(&self) -> Section {
        let mut rows = Vec::new();
        for latency_clocks in LATENCIES {
            let waves = self.waves(latency_clocks, |bench| {
                bind(bench, &texture(Format::Rgba8, 6, MIPMAPPED));
                // Once to read all lines, once more to find them.
                self.send(bench, &walk(256));
                self.send(bench, &walk(256));
                // A texel of three bytes has two lines now and then.
                bind(bench, &texture(Format::Rgb8, 6, BILINEAR));
                self.send(bench, &walk(64));
            });
            let look_ups = self.cache(&waves);
            let of = |kind: LookUp, which: usize| -> Vec<u64> {
                look_ups.iter().filter(|(own, _)| *own == kind).map(|(_, clocks)| clocks[which]).collect()
            };
            let latency = u64::from(latency_clocks);
            if rows.is_empty() {
                for (kind, what, most) in [
                    (LookUp::Repeat, "the line asked for last", 1),
                    (LookUp::Hit, "another line that the cache holds", 8),
                ] {
                    rows.push(row(format!("{what}: to the answer"), &of(kind, 0), Some(Bound::AtMost(most))));
                    rows.push(row(
                        format!("{what}: to the next look-up"),
                        &of(kind, 1),
                        Some(Bound::AtMost(most)),
                    ));
                }
            }
            let answer = of(LookUp::Miss, 0);
            let what = format!("a miss, memory answers after {latency_clocks}: to the answer");
            rows.push(row(what, &answer, Some(Bound::AtMost(latency + 8))));
            let above: Vec<_> = answer.iter().map(|clocks| clocks - latency).collect();
            rows.push(row("the same, above the memory's latency", &above, Some(Bound::AtMost(8))));
        }
        Section {
            title: "Look-ups of the cache",
            text: "From the clock in which a look-up is taken. The memory's latency is counted at its port, from the clock \
                   in which it takes an address to the clock in which its data are taken.",
            unit: "clocks of `tmu_aclk`",
            rows,
        }
    }

    fn stages(&self) -> Section {
        let waves = self.waves(LATENCY_CLOCKS, |bench| {
            bind(bench, &texture(Format::I8Rgba8, 6, MIPMAPPED));
            self.send_apart(bench, &walk(100));
        });
        let tap_is_end = tap_layout(&self.rtl.config).bits("is_end").start;
        let slot_is_end = slot_layout(&self.rtl.config).bits("is_end").start;
        let between = |stage: &str| {
            let taken = waves.when(|edge| waves.moves(&format!("{stage}.input"), edge));
            let given = waves.when(|edge| waves.high(&format!("{stage}.output_valid"), edge));
            Waves::clocks(&taken, &given)
        };
        let texels =
            waves.when(|edge| waves.high("filter.comes", edge) && !waves.bit("filter.tap", tap_is_end, edge));
        let ends =
            waves.when(|edge| waves.high("filter.comes", edge) && waves.bit("filter.tap", tap_is_end, edge));
        let samples = waves.when(|edge| waves.high("filter.sample_comes", edge));
        let done = waves.when(|edge| waves.high("filter.done", edge));
        // Bilinear: every fourth texel completes a pixel.
        let last_texels: Vec<_> = texels.iter().skip(3).step_by(4).copied().collect();
        let slots = waves
            .when(|edge| waves.high("decode.comes", edge) && waves.bit("decode.slot", slot_is_end, edge));
        let decoded =
            waves.when(|edge| waves.high("decode.leaves", edge) && waves.bit("decode.tap", tap_is_end, edge));
        let rows = vec![
            row("`lod`: from a quad to its level", &between("lod"), Some(Bound::AtMost(11))),
            row("`coordinate`: from a quad to its first footprint", &between("coordinate"), None),
            row(
                "`address`: from a quad's first footprint to its first look-up",
                &first_of(&waves, "address"),
                None,
            ),
            row("`decode`: from a line to its colour", &Waves::clocks(&slots, &decoded), None),
            row(
                "`filter`: from a pixel's last texel to its sample",
                &Waves::clocks(&last_texels, &samples),
                Some(Bound::AtMost(8)),
            ),
            row("`filter`: from a quad's end to its result", &Waves::clocks(&ends, &done), None),
        ];
        Section {
            title: "Stages",
            text: "One quad at a time, bilinear, mipmapped, with a colour table; `cache` stands above.",
            unit: "clocks of `tmu_aclk`",
            rows,
        }
    }

    fn in_flight(&self) -> Section {
        let waves = self.waves(LATENCY_CLOCKS, |bench| {
            bind(bench, &texture(Format::Rgba8, 6, MIPMAPPED));
            self.send(bench, &walk(200));
        });
        let (mut now, mut most) = (0, 0);
        for edge in waves.edges() {
            now += u64::from(waves.moves("lod.input", edge));
            now -= u64::from(waves.high("filter.done", edge));
            most = most.max(now);
        }
        Section {
            title: "Quads in flight",
            text: "Between request FIFO and result FIFO.",
            unit: "quads",
            rows: vec![row("the most at once", &[most], Some(Bound::AtLeast(4)))],
        }
    }

    /// From the last beat of a request to its result, by the core's clock, for a unit that has nothing else to do.
    fn requests_to_results(&self) -> Section {
        let scenario = |what: &str, binding: Binding, quads: &[Quad], latency_clocks: u32, warm: bool| {
            let mut bench = self.bench(latency_clocks);
            bench.start().unwrap();
            bench.run_clocks(1500).unwrap();
            bind(&mut bench, &binding);
            self.send(&mut bench, if warm { quads } else { &quads[..1] });
            bench.run_until_idle().unwrap();
            let mut clocks = Vec::new();
            for quad in if warm { quads } else { &quads[1..] } {
                // The wait lets the phase between the clocks be any.
                bench.run_clocks(20 + clocks.len() as u64 % 7).unwrap();
                self.send(&mut bench, &[*quad]);
                while bench.queued_beats(0) > 0 {
                    bench.step().unwrap();
                }
                let sent = bench.clocks(Domain::Core);
                bench.run_until_idle().unwrap();
                clocks.push(bench.clocks(Domain::Core) - sent);
            }
            row(what, &clocks, None)
        };
        let one_line = texture(Format::Rgba8, 6, NEAREST);
        let rows = vec![
            scenario("no valid pixel", one_line, &in_one_line(40, 0), LATENCY_CLOCKS, true),
            scenario(
                "nearest, one pixel, the line asked for last",
                one_line,
                &in_one_line(40, 1),
                LATENCY_CLOCKS,
                true,
            ),
            scenario(
                "the same, mipmapped",
                texture(Format::Rgba8, 6, Sampler { mipmapped: true, ..NEAREST }),
                &in_one_line(40, 1),
                LATENCY_CLOCKS,
                true,
            ),
            scenario(
                "bilinear, four pixels, 1:1, lines held",
                texture(Format::Rgba8, 6, BILINEAR),
                &walk(64),
                LATENCY_CLOCKS,
                true,
            ),
            scenario(
                "bilinear, four pixels, 1:1, lines new, memory answers after 20",
                texture(Format::Rgba8, 6, BILINEAR),
                &walk(64),
                20,
                false,
            ),
            scenario(
                "the same, memory answers after 100",
                texture(Format::Rgba8, 6, BILINEAR),
                &walk(64),
                100,
                false,
            ),
        ];
        Section {
            title: "From request to result",
            text: "From the clock in which the last beat of a quad is taken to the clock in which its result is, of a unit that \
                   has nothing else to do; both crossings between the clocks are in it.",
            unit: "clocks of `core_aclk`",
            rows,
        }
    }

    fn throughput(&self) -> Section {
        let scenario = |what: &str, binding: Binding, quads: Vec<Quad>, latency_clocks: u32, warm: bool| {
            let mut bench = self.bench(latency_clocks);
            bench.start().unwrap();
            bench.run_clocks(1500).unwrap();
            bind(&mut bench, &binding);
            self.send(&mut bench, if warm { &quads } else { &quads[..1] });
            bench.run_until_idle().unwrap();
            let start = bench.clocks(Domain::Tmu);
            self.send(&mut bench, &quads);
            bench.run_until_idle().unwrap();
            let clocks = bench.clocks(Domain::Tmu) - start;
            row(what, &[(clocks + quads.len() as u64 / 2) / quads.len() as u64], None)
        };
        let [nearest, bilinear, mipmapped] =
            [NEAREST, BILINEAR, MIPMAPPED].map(|sampler| texture(Format::Rgba8, 6, sampler));
        let rows = vec![
            scenario("nearest, four pixels in one line", nearest, in_one_line(1000, 15), 20, true),
            scenario("bilinear, four pixels in one line", bilinear, in_one_line(1000, 15), 20, true),
            scenario("nearest 1:1, lines held", nearest, walk(1024), 20, true),
            scenario("bilinear 1:1, lines held", bilinear, walk(1024), 20, true),
            scenario("the same, mipmapped", mipmapped, walk(1024), 20, true),
            scenario("bilinear 1:1, lines new, memory answers after 20", bilinear, walk(1024), 20, false),
            scenario("the same, memory answers after 100", bilinear, walk(1024), 100, false),
        ];
        Section {
            title: "Quads one after the other",
            text: "Clocks for each quad of four pixels, on average over a thousand of them, rounded; 1:1 goes over a texture of \
                   64 x 64 texels row by row with one texel a pixel.",
            unit: "clocks of `tmu_aclk`",
            rows,
        }
    }

    fn bindings(&self) -> Section {
        let is_binding = self.rtl.config.request().beats_per_quad().tdata_bits() as usize;
        let plain = texture(Format::Rgba8, 6, MIPMAPPED);
        let indexed = |format| texture(format, 6, BILINEAR);
        let mut rows = Vec::new();
        let mut to_the_quad = |what: &str, binding: Binding, drop: bool| {
            let waves = self.waves(LATENCY_CLOCKS, |bench| {
                for _ in 0..20 {
                    bind(bench, &binding.with_drop_cache(drop));
                    self.send(bench, &in_one_line(1, 15));
                }
            });
            let beats = |wanted: bool| {
                waves.when(|edge| {
                    waves.moves("entry.beat", edge)
                        && waves.bit("entry.beat_data", is_binding, edge) == wanted
                })
            };
            rows.push(row(what, &Waves::clocks(&beats(true), &beats(false)), None));
        };
        to_the_quad("a texture without a colour table", plain, false);
        to_the_quad(
            "`i8_rgba8`: 64 lines, memory answers after 20, or the cache",
            indexed(Format::I8Rgba8),
            false,
        );
        to_the_quad("`i8_rgb8`: 48 lines, the same", indexed(Format::I8Rgb8), false);
        to_the_quad("a texture without a colour table, the cache dropped", plain, true);
        Section {
            title: "Bindings",
            text: "From the clock in which a binding is taken out of the request FIFO, when all quads before it are done, to the \
                   clock in which the first beat behind it is.",
            unit: "clocks of `tmu_aclk`",
            rows,
        }
    }
}

/// Clocks from a quad's first item into a stage to its first one out, of quads that are far apart.
fn first_of(waves: &Waves, stage: &str) -> Vec<u64> {
    let far = |edges: Vec<usize>| {
        let mut first = Vec::new();
        let mut before = None;
        for edge in edges {
            if before.is_none_or(|before| edge > before + 40) {
                first.push(edge);
            }
            before = Some(edge);
        }
        first
    };
    let taken = far(waves.when(|edge| waves.moves(&format!("{stage}.input"), edge)));
    let given = far(waves.when(|edge| waves.moves(&format!("{stage}.output"), edge)));
    Waves::clocks(&taken, &given)
}
