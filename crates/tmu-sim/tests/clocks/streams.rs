//! Clocks as they are seen from outside: requests, results, bindings, resets.

use crate::measure::{
    BILINEAR, LATENCY_CLOCKS, MIPMAPPED, NEAREST, Subject, bind, in_one_line, row, texture, walk,
};
use crate::page::{Bound, Section};
use crate::waves::Waves;
use tmu_sim::kit::domain::Domain;
use tmu_spec::{Binding, Format, Quad, Sampler};

impl Subject<'_> {
    /// From the last beat of a request to its result, by the core's clock, for a unit that has nothing else to do.
    pub(crate) fn requests_to_results(&self) -> Section {
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

    pub(crate) fn throughput(&self) -> Section {
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
        let indices = texture(Format::I8Rgba8, 6, BILINEAR);
        let rows = vec![
            scenario("nearest, four pixels in one line", nearest, in_one_line(1000, 15), 20, true),
            scenario(
                "bilinear, four pixels in one line of 8-bit indices",
                indices,
                in_one_line(1000, 15),
                20,
                true,
            ),
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

    /// How long after a reset of the units' side its other side may still give what was on its way.
    pub(crate) fn resets(&self) -> Section {
        let mut clocks = Vec::new();
        for moment in 0..60 {
            let mut bench = self.bench(LATENCY_CLOCKS);
            bench.start().unwrap();
            bench.run_clocks(1500).unwrap();
            bind(&mut bench, &texture(Format::Rgba8, 6, NEAREST));
            self.send(&mut bench, &in_one_line(200, 1));
            bench.run_clocks(200 + moment).unwrap();
            bench.assert_reset(Domain::Tmu);
            let (asserted, mut answered) = (bench.clocks(Domain::Core), bench.answered(0));
            let mut last = asserted;
            while bench.clocks(Domain::Core) < asserted + 200 {
                bench.step().unwrap();
                if std::mem::replace(&mut answered, bench.answered(0)) != bench.answered(0) {
                    last = bench.clocks(Domain::Core);
                }
            }
            clocks.push(last - asserted);
        }
        Section {
            title: "Resets",
            text: "The FIFOs tell both their sides of a reset of either, and however short it is, both end up empty. Results that \
                   were through already may still come for some clocks after a reset of `tmu_aclk` begins. A reset that is held \
                   for 16 clocks of the slowest clock has reached everything when it ends.",
            unit: "clocks of `core_aclk`",
            rows: vec![row(
                "from the reset to the last result that still comes",
                &clocks,
                Some(Bound::AtMost(16)),
            )],
        }
    }

    pub(crate) fn bindings(&self) -> Section {
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
                    waves.moves("request.beat", edge)
                        && waves.bit("request.beat_data", is_binding, edge) == wanted
                })
            };
            rows.push(row(what, &Waves::clocks(&beats(true), &beats(false)), None));
        };
        to_the_quad("a texture without a colour table", plain, false);
        to_the_quad(
            "`i8_rgba8`: a table of 64 lines, out of the cache or out of memory that answers after 20",
            indexed(Format::I8Rgba8),
            false,
        );
        to_the_quad("`i8_rgb8`: a table of 48 lines, the same", indexed(Format::I8Rgb8), false);
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
