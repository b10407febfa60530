//! Clocks inside a unit, seen in its waveform.

use crate::measure::{BILINEAR, LATENCY_CLOCKS, MIPMAPPED, Subject, bind, row, texture, walk};
use crate::page::{Bound, Row, Section};
use crate::waves::Waves;
use tmu_rtl::datapath::bundles::{sideband_layout, tap_layout};
use tmu_rtl::outputs::Hardware;
use tmu_spec::Format;

/// Memory latencies under which the cache is measured.
const LATENCIES: [u32; 3] = [5, 20, 100];

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
        let sideband = sideband_layout(&self.rtl.config);
        let is_end = sideband.bits("is_end").start;
        let repeat = sideband.width() + self.rtl.config.cache().line_address_bits() as usize;
        let taken = waves.when(|edge| waves.moves("cache.input", edge));
        let leaves = waves.when(|edge| waves.high("cache.out_valid", edge));
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
    pub(crate) fn look_ups(&self) -> Section {
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

    pub(crate) fn stages(&self) -> Section {
        let waves = self.waves(LATENCY_CLOCKS, |bench| {
            bind(bench, &texture(Format::I8Rgba8, 6, MIPMAPPED));
            self.send_apart(bench, &walk(100));
        });
        let tap_is_end = tap_layout(&self.rtl.config).bits("is_end").start;
        let sideband_is_end = sideband_layout(&self.rtl.config).bits("is_end").start;
        let between = |stage: &str| {
            let taken = waves.when(|edge| waves.moves(&format!("{stage}.input"), edge));
            let given = waves.when(|edge| waves.high(&format!("{stage}.output_valid"), edge));
            Waves::clocks(&taken, &given)
        };
        // Every texel and every end comes out once; of a pixel the last texel counts.
        let comes = waves.when(|edge| waves.high("filter.in_valid", edge));
        let samples = waves.when(|edge| waves.high("filter.sample_valid", edge));
        assert_eq!(comes.len(), samples.len());
        let is_end = |edge: &usize| waves.bit("filter.tap", tap_is_end, *edge);
        let texels = std::iter::zip(&comes, &samples).filter(|(from, _)| !is_end(from));
        let last_texels = texels.skip(3).step_by(4);
        let to_sample: Vec<_> = last_texels.map(|(from, to)| (to - from) as u64).collect();
        let ends: Vec<_> = comes.iter().copied().filter(is_end).collect();
        let done = waves.when(|edge| waves.high("filter.done", edge));
        let lookups = waves.when(|edge| {
            waves.high("decode.in_valid", edge) && waves.bit("decode.sideband", sideband_is_end, edge)
        });
        let decoded = waves
            .when(|edge| waves.high("decode.out_valid", edge) && waves.bit("decode.tap", tap_is_end, edge));
        let rows = vec![
            row("`lod`: from a quad to its level", &between("lod"), Some(Bound::AtMost(11))),
            row("`coordinate`: from a quad to its first footprint", &between("coordinate"), None),
            row(
                "`address`: from a quad's first footprint to its first look-up",
                &first_look_ups(&waves),
                None,
            ),
            row("`decode`: from a line to its colour", &Waves::clocks(&lookups, &decoded), None),
            row("`filter`: from a pixel's last texel to its sample", &to_sample, Some(Bound::AtMost(8))),
            row("`filter`: from a quad's end to its result", &Waves::clocks(&ends, &done), None),
        ];
        self.check_manifest(&rows, &["lod", "coordinate", "address", "decode"]);
        Section {
            title: "Stages",
            text: "One quad at a time, bilinear, mipmapped, with a colour table; `cache` stands above.",
            unit: "clocks of `tmu_aclk`",
            rows,
        }
    }

    /// The manifest says of these stages what was measured.
    fn check_manifest(&self, rows: &[Row], stages: &[&str]) {
        let files = Hardware::new(&self.rtl.config).unwrap().files();
        let manifest: serde_json::Value = serde_json::from_str(&files.last().unwrap().text).unwrap();
        for stage in stages {
            let instance = format!("unit_0/{stage}");
            let latencies = manifest["latencies"].as_array().unwrap();
            let declared = latencies.iter().find(|latency| latency["instance"] == instance).unwrap();
            let measured = rows.iter().find(|row| row.what.starts_with(&format!("`{stage}`"))).unwrap();
            assert_eq!(declared["latency_clocks"], *measured.clocks.end(), "{stage}");
        }
    }

    pub(crate) fn in_flight(&self) -> Section {
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
}

/// Clocks from a quad's first footprint to its first look-up, of quads that are far apart.
fn first_look_ups(waves: &Waves) -> Vec<u64> {
    let quads = waves.when(|edge| waves.moves("lod.input", edge));
    let footprints = waves.when(|edge| waves.moves("address.input", edge));
    let look_ups = waves.when(|edge| waves.high("address.output_valid", edge));
    let first = |quad: &usize| footprints.iter().find(|footprint| *footprint > quad).copied();
    let first: Vec<_> = quads.iter().filter_map(first).collect();
    Waves::clocks(&first, &look_ups)
}
