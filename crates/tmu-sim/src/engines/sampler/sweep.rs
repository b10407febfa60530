//! Configurations to test: the presets, every setting at its ends, random mixes.

use rand::seq::IndexedRandom as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_spec::presets;
use tmu_spec::{Config, Format};

/// Mixes that between them have nearly every setting at both ends; they come right behind the presets. `ALL_FORMATS` stands
/// for every format that there is.
const MIXES: [&str; 10] = [
    // As little as can be built.
    "name = \"least\"\ntexture = { formats = [\"rgb8\"], address_modes = [\"wrap\"], bilinear = false, mipmaps = false, \
     max_size_log2 = 2 }\nrequest = { beats_per_quad = 1, fifo_depth = 4 }\nresult = { fifo_depth = 4 }\n\
     cache = { ways = 1, sets = 16, tag_ram = \"distributed\", data_ram = \"distributed\" }\n\
     axi = { address_bits = 32, id_bits = 1 }\ncontrol = { port = false, counters = false }",
    // A clock of its own for the memory port, and no spare bits in its IDs.
    "name = \"own_clock\"\nunits = 2\ntexture = { formats = ALL_FORMATS }\nclock = { memory_mhz = 300 }\nrequest = { beats_per_quad = 1 }\n\
     axi = { clock = \"own\", id_bits = 1, window_base = 0x40000000 }\ncache = { sets = 16 }",
    // As many units as there can be, all small.
    "name = \"crowd\"\nunits = 16\ntexture = { formats = [\"i8_rgb8\"], max_size_log2 = 6 }\n\
     cache = { ways = 2, sets = 16, replacement = \"round_robin\", data_ram = \"block\" }\naxi = { address_bits = 64 }\n\
     request = { fifo_depth = 4 }\nresult = { fifo_depth = 4 }",
    // Many ways, textures with and without colour tables.
    "name = \"ways\"\ntexture = { formats = [\"rgba8\", \"i8_rgba8\"], address_modes = [\"clamp\", \"mirror\"] }\n\
     cache = { ways = 8, sets = 64, replacement = \"random\", tag_ram = \"distributed\", data_ram = \"block\" }\n\
     axi = { clock = \"own\", id_bits = 16, window_base = 0x7f_8000_0000, arcache = 15, arprot = 7, arqos = 15 }\n\
     clock = { core_mhz = 500, tmu_mhz = 250, memory_mhz = 1000 }\nrequest = { fifo_depth = 4096 }",
    // Bilinear without mipmaps, direct-mapped.
    "name = \"flat\"\ntexture = { formats = [\"rgba8\", \"rgb8\"], mipmaps = false, address_modes = [\"mirror\"] }\n\
     cache = { ways = 1, sets = 4096 }\ncontrol = { counters = false }\nresult = { fifo_depth = 4096 }",
    // Mipmaps without bilinear.
    "name = \"levels\"\nunits = 3\ntexture = { formats = [\"i8_rgba8\", \"i8_rgb8\"], bilinear = false }\n\
     cache = { sets = 32, replacement = \"round_robin\", data_ram = \"distributed\" }\naxi = { id_bits = 2 }",
    // Units that read ahead, with a clock of its own for the memory port and short queues.
    "name = \"ahead\"\nunits = 3\ntexture = { formats = ALL_FORMATS }\nclock = { memory_mhz = 350 }\nrequest = { beats_per_quad = 1 }\n\
     cache = { kind = \"prefetch\", ways = 4, sets = 16, queue_depth = 64, data_ram = \"distributed\" }\n\
     axi = { clock = \"own\", outstanding_reads = 4, id_bits = 2 }\nresult = { fifo_depth = 16 }",
    // As little as can be built of a unit that reads ahead.
    "name = \"glance\"\ntexture = { formats = [\"rgb8\"], address_modes = [\"clamp\"], bilinear = false, mipmaps = false, \
     max_size_log2 = 5 }\ncontrol = { port = false, counters = false }\n\
     cache = { kind = \"prefetch\", ways = 1, sets = 64, queue_depth = 4096, tag_ram = \"distributed\" }\n\
     axi = { outstanding_reads = 256 }",
    // Whole quads, with a clock of its own for the memory port, short queues and few reads.
    "name = \"fours\"\nunits = 2\ntexture = { formats = ALL_FORMATS }\nclock = { core_mhz = 500, tmu_mhz = 300, memory_mhz = 450 }\n\
     request = { beats_per_quad = 1, fifo_depth = 4 }\nresult = { fifo_depth = 32 }\n\
     datapath = { pixels_per_clock = 4 }\ncontrol = { counters = false }\n\
     cache = { kind = \"prefetch\", ways = 4, sets = 16, queue_depth = 64, replacement = \"random\", \
     data_ram = \"distributed\" }\naxi = { clock = \"own\", outstanding_reads = 5, id_bits = 1 }",
    // As little as can be built of a unit that takes quads.
    "name = \"bare_fours\"\ntexture = { formats = [\"i8_rgb8\"], address_modes = [\"mirror\"], bilinear = false, \
     mipmaps = false, max_size_log2 = 4 }\nrequest = { beats_per_quad = 1 }\nresult = { fifo_depth = 32 }\n\
     control = { port = false, counters = false }\ndatapath = { pixels_per_clock = 4 }\n\
     cache = { kind = \"prefetch\", ways = 1, sets = 32, tag_ram = \"distributed\", data_ram = \"block\" }\n\
     axi = { outstanding_reads = 4 }",
];

/// One setting at an end of its range.
const ENDS: [&str; 39] = [
    "units = 16",
    "clock.core_mhz = 1",
    "clock.core_mhz = 1000",
    "clock.tmu_mhz = 1000",
    "texture.address_modes = [\"wrap\"]",
    "texture.address_modes = [\"clamp\"]",
    "texture.address_modes = [\"mirror\"]",
    "texture.bilinear = false",
    "texture.mipmaps = false",
    "texture.max_size_log2 = 2",
    "request.beats_per_quad = 1",
    "request.fifo_depth = 4",
    "request.fifo_depth = 4096",
    "result.fifo_depth = 4",
    "result.fifo_depth = 4096",
    "cache.ways = 1",
    "cache.ways = 2",
    "cache.ways = 8",
    "cache.sets = 16",
    "cache.sets = 4096",
    "cache.replacement = \"random\"",
    "cache.replacement = \"round_robin\"",
    "cache.tag_ram = \"distributed\"",
    "cache.data_ram = \"block\"",
    "cache.data_ram = \"distributed\"",
    "cache.kind = \"prefetch\"\naxi.outstanding_reads = 4",
    "cache.kind = \"prefetch\"\naxi.outstanding_reads = 256\ncache.queue_depth = 64",
    "cache.kind = \"prefetch\"\naxi.outstanding_reads = 32\ncache.replacement = \"random\"\ncache.ways = 8",
    "datapath.pixels_per_clock = 4\nrequest.beats_per_quad = 1\nresult.fifo_depth = 32\ncache.kind = \"prefetch\"\n\
     axi.outstanding_reads = 4",
    "axi.address_bits = 32",
    "axi.address_bits = 64",
    "axi.id_bits = 1",
    "axi.id_bits = 16",
    "axi.clock = \"own\"\nclock.memory_mhz = 1000",
    "axi.clock = \"own\"\nclock.memory_mhz = 50",
    "axi.window_base = 0x7f_8000_0000",
    "control.counters = false",
    "control.counters = false\ncontrol.port = false",
    "device.family = \"ultrascale+\"",
];

/// The first `count` configurations, as TOML with their names. Beyond the fixed ones they are random mixes that
/// follow from `seed`.
#[must_use]
pub fn configurations(count: usize, seed: u64) -> Vec<Config> {
    let fixed = presets::classic()
        .map(|(preset, _)| preset.toml().to_owned())
        .chain(MIXES.map(str::to_owned))
        .chain((0..).zip(ENDS).map(|(number, end)| format!("name = \"end_{number}\"\n{end}")))
        .chain(
            Format::CLASSIC
                .map(|format| format!("name = \"only_{format}\"\ntexture.formats = [\"{format}\"]")),
        );
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mixes = (0..).map(|number| random_mix(&mut random, number));
    let all_formats = Format::CLASSIC.map(|format| format!("\"{format}\"")).join(", ");
    let legal = |text: String| {
        let text = text.replace("ALL_FORMATS", &format!("[{all_formats}]"));
        Config::from_toml(&text).unwrap_or_else(|errors| unreachable!("not legal:\n{text}\n{errors}"))
    };
    fixed.chain(mixes).take(count).map(legal).collect()
}

/// A legal configuration with every setting drawn.
fn random_mix(random: &mut ChaCha8Rng, number: u32) -> String {
    let mut one = |values: &[&str]| (*values.choose(random).unwrap_or(&"")).to_owned();
    let formats = one(&[
        "ALL_FORMATS",
        "[\"rgba8\", \"rgb8\"]",
        "[\"rgb8\", \"i8_rgba8\"]",
        "[\"rgba8\", \"i8_rgb8\"]",
        "[\"i8_rgb8\"]",
    ]);
    let modes = one(&["[\"wrap\", \"clamp\", \"mirror\"]", "[\"wrap\", \"clamp\"]", "[\"mirror\"]"]);
    let flags = [(); 2].map(|()| one(&["true", "true", "false"]));
    let replacement = one(&["plru_random", "random", "round_robin"]);
    let tag_ram = one(&["block", "distributed"]);
    let data_ram = one(&["block", "distributed", "ultra"]);
    let control = one(&["port = true", "counters = false", "port = false, counters = false"]);
    let mut number_of = |log2: std::ops::RangeInclusive<u32>| 1u32 << random.random_range(log2);
    let (request_depth, result_depth) = (number_of(2..=6), number_of(2..=6));
    let (ways, sets, beats) = (number_of(0..=3), number_of(4..=10), number_of(0..=1));
    let units = random.random_range(1..=5);
    let (kind, pixels) = [("blocking", 1), ("prefetch", 1), ("prefetch", 4)][random.random_range(0..3)];
    let (reads, beats, result_depth) = match (kind, pixels) {
        ("blocking", _) => (1, beats, result_depth),
        (_, 1) => (random.random_range(4..=100), beats, result_depth.max(16)),
        _ => (random.random_range(4..=100), 1, result_depth.max(32)),
    };
    let queue_depth = 1u32 << random.random_range(6..=10);
    let size = random.random_range(2..=11);
    let (core, tmu) = (random.random_range(100..=600), random.random_range(100..=600));
    let (clock, memory) = match random.random_range(0..3) {
        0 => ("own", format!(", memory_mhz = {}", random.random_range(100..=600))),
        _ => ("tmu", String::new()),
    };
    let id_bits = random.random_range(3..=8);
    let base = u64::from(random.random_range(0..1u32 << 19)) << 12;
    format!(
        "name = \"mix_{number}\"\nunits = {units}\nclock = {{ core_mhz = {core}, tmu_mhz = {tmu}{memory} }}\n\
         texture = {{ formats = {formats}, address_modes = {modes}, bilinear = {}, mipmaps = {}, max_size_log2 = {size} }}\n\
         request = {{ beats_per_quad = {beats}, fifo_depth = {request_depth} }}\nresult = {{ fifo_depth = {result_depth} }}\n\
         datapath = {{ pixels_per_clock = {pixels} }}\n\
         cache = {{ kind = \"{kind}\", queue_depth = {queue_depth}, ways = {ways}, sets = {sets}, replacement = \"{replacement}\", tag_ram = \"{tag_ram}\", \
         data_ram = \"{data_ram}\" }}\n\
         axi = {{ clock = \"{clock}\", outstanding_reads = {reads}, id_bits = {id_bits}, window_base = {base:#x}, address_bits = 36 }}\n\
         control = {{ {control} }}\n",
        flags[0], flags[1]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_are_legal_and_different() {
        let all = configurations(200, 1);
        let hashes: HashSet<_> = all.iter().map(Config::hash).collect();
        assert_eq!(hashes.len(), 200);
        assert!(configurations(8, 1).iter().map(Config::hash).eq(all[..8].iter().map(Config::hash)));
    }
}
