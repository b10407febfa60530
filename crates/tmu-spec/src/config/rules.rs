//! Rules across settings. Each looks only at settings that are sound by themselves, so that one mistake is not
//! reported twice.

use super::choice::{AxiClock, CacheKind, RamStyle};
use super::engines::{EngineKind, EngineSet};
use super::error::ErrorCode;
use super::features;
use super::setting::{Reader, Setting};
use super::settings::Settings;
use super::value::Value;
use crate::TEXTURE_ADDRESS_BITS;
use crate::general::{Kind, Numbers, OperationName, ResultNumbers, indirect};
use tmu_problem::Problem;

/// Least reads in flight of the prefetching cache: a footprint lies on up to four tiles.
const LEAST_PREFETCH_READS: u64 = 4;

/// Least depth of the result FIFO behind the prefetching cache with so many pixels a clock: it takes all quads that are
/// on their way through the filter, one in four clocks or one a clock.
const fn least_prefetch_results(pixels_per_clock: u64) -> u64 {
    if pixels_per_clock == 1 { 16 } else { 32 }
}

/// Bits of an ID that tells `units` units apart.
pub(super) const fn unit_id_bits(units: u64) -> u32 {
    units.next_power_of_two().ilog2()
}

/// Reports a problem of a setting: at its value in the file, or with its default if it is not there.
fn report<T: Value>(reader: &mut Reader<'_>, setting: &Setting<T>, problem: Problem) {
    match &setting.span {
        Some(span) => reader.report(problem, setting.key, reader.text(span.clone()), Some(span.clone())),
        None => reader.report(problem, setting.key, &setting.value.to_toml().unwrap_or_default(), None),
    }
}

/// Applies every rule across settings.
pub(super) fn check(reader: &mut Reader<'_>, settings: &Settings) {
    check_pixels(reader, settings);
    check_cache(reader, settings);
    check_memories(reader, settings);
    check_memory_clock(reader, settings);
    check_axi(reader, settings);
    check_window(reader, settings);
    check_engines(reader, settings);
    check_pixel(reader, settings);
    check_texture(reader, settings);
    let control = &settings.control;
    if control.port.sound && !control.port.value && control.counters.sound && control.counters.value {
        let remedy = "set control.counters = false or control.port = true";
        let unreadable = Problem::new(ErrorCode::UnreadableCounters, "needs control.port to be read", remedy);
        report(reader, &control.counters, unreadable);
    }
    check_bring_up(reader, settings);
    check_store(reader, settings);
}

/// Ways to write the parameter store beside packets, against what they need.
fn check_store(reader: &mut Reader<'_>, settings: &Settings) {
    let (control, entries) = (&settings.control, &settings.texture.store_entries);
    let (port, table) = (&control.store_port, &control.store_table);
    let problem = |rule: &str, remedy: &str| Problem::new(ErrorCode::StoreWrites, rule, remedy);
    if table.sound && table.value && port.sound && !port.value {
        let rule = "needs control.store_port, whose registers say what is loaded";
        report(reader, table, problem(rule, "set control.store_port = true, or control.store_table = false"));
    }
    if !port.sound || !port.value {
        return;
    }
    if control.port.sound && !control.port.value {
        let remedy = "set control.port = true, or control.store_port = false";
        report(reader, port, problem("needs control.port: its registers are there", remedy));
    }
    if entries.sound && entries.value == 0 {
        let remedy = "set texture.store_entries = 64, or control.store_port = false";
        report(
            reader,
            port,
            problem("needs texture.store_entries: there is nothing to write otherwise", remedy),
        );
    }
    let engines = &settings.whole.engines;
    if engines.sound && !engines.value.has(EngineKind::Sampler) {
        let remedy = "add \"sampler\" to engines, or set control.store_port = false";
        report(reader, port, problem("needs texture units between streams, whose stores it writes", remedy));
    }
}

/// The bring-up kit, against what it needs.
fn check_bring_up(reader: &mut Reader<'_>, settings: &Settings) {
    let (control, kit) = (&settings.control, &settings.control.bring_up);
    if !kit.sound || !kit.value {
        return;
    }
    let off = "or control.bring_up = false";
    if control.port.sound && !control.port.value {
        let remedy = format!("set control.port = true, {off}");
        report(
            reader,
            kit,
            Problem::new(ErrorCode::BringUp, "needs control.port: its registers are there", remedy),
        );
    }
    let engines = &settings.whole.engines;
    if engines.sound && !engines.value.has(EngineKind::Sampler) {
        let remedy = format!("add \"sampler\" to engines, {off}");
        report(reader, kit, Problem::new(ErrorCode::BringUp, "needs texture units, which it drives", remedy));
    }
    let numbers = &settings.request.numbers;
    if numbers.sound && numbers.value != Numbers::S16p16 {
        let remedy = format!("set request.numbers = \"s16.16\", {off}");
        report(reader, kit, Problem::new(ErrorCode::BringUp, "walks in s16.16, not in floats", remedy));
    }
}

/// What is sampled, against what it needs.
fn check_texture(reader: &mut Reader<'_>, settings: &Settings) {
    let (texture, bits) = (&settings.texture, &settings.filter.channel_bits);
    if texture.srgb.sound && texture.srgb.value && bits.sound && bits.value == 8 {
        let rule = "needs filter.channel_bits = 16: linear colours of 8 bits would lose the dark ones";
        let remedy = "set filter.channel_bits = 16, or texture.srgb = false";
        report(reader, &texture.srgb, Problem::new(ErrorCode::SrgbBits, rule, remedy));
    }
    let levels = &texture.mipmaps;
    if texture.trilinear.sound && texture.trilinear.value && levels.sound && !levels.value {
        let rule = "needs texture.mipmaps: there is one level to weigh otherwise";
        let remedy = "set texture.mipmaps = true, or texture.trilinear = false";
        report(reader, &texture.trilinear, Problem::new(ErrorCode::TrilinearLevels, rule, remedy));
    }
    check_ripmaps(reader, settings);
    check_indirect(reader, settings);
}

/// Ripmaps, against what they are made of.
fn check_ripmaps(reader: &mut Reader<'_>, settings: &Settings) {
    let texture = &settings.texture;
    if !texture.ripmaps.sound || !texture.ripmaps.value {
        return;
    }
    let off = "or set texture.ripmaps = false";
    if texture.mipmaps.sound && !texture.mipmaps.value {
        let rule = "needs texture.mipmaps: there is one level to choose otherwise";
        let remedy = format!("set texture.mipmaps = true, {off}");
        report(reader, &texture.ripmaps, Problem::new(ErrorCode::Ripmaps, rule, remedy));
    }
    let kinds = &texture.kinds;
    if kinds.sound && !kinds.value.contains(&Kind::D2) {
        let remedy = format!("add \"2d\" to texture.kinds, {off}");
        let rule = "needs 2d in texture.kinds: other textures have no ripmaps";
        report(reader, &texture.ripmaps, Problem::new(ErrorCode::Ripmaps, rule, remedy));
    }
}

/// Indirect look-ups, against the textures that they begin at.
fn check_indirect(reader: &mut Reader<'_>, settings: &Settings) {
    let texture = &settings.texture;
    if !texture.indirect.sound || !texture.indirect.value {
        return;
    }
    let off = "or set texture.indirect = false";
    let (formats, kinds) = (&texture.formats, &texture.kinds);
    if formats.sound && !formats.value.iter().any(|format| indirect::holds_places(*format)) {
        let names = indirect::primary_formats().map(|format| format.name()).collect::<Vec<_>>().join(", ");
        let rule = format!("needs one of the formats {names} in texture.formats: its components are places");
        let remedy = format!("add \"rg16\" to texture.formats, {off}");
        report(reader, &texture.indirect, Problem::new(ErrorCode::Indirect, rule, remedy));
    }
    if kinds.sound && !kinds.value.iter().any(|kind| indirect::has_places(*kind)) {
        let rule = "needs 1d or 2d in texture.kinds: texels of others are not looked up so";
        let remedy = format!("add \"2d\" to texture.kinds, {off}");
        report(reader, &texture.indirect, Problem::new(ErrorCode::Indirect, rule, remedy));
    }
}

fn check_pixels(reader: &mut Reader<'_>, settings: &Settings) {
    let (kind, pixels) = (&settings.cache.kind, &settings.datapath.pixels_per_clock);
    if !pixels.sound || pixels.value == 1 || !kind.sound {
        return;
    }
    let beats = &settings.request.beats_per_quad;
    if kind.value == CacheKind::Blocking {
        let rule = "is not built with cache.kind = \"blocking\", which takes several clocks a pixel";
        let remedy = "use 1, or start from the preset quad, which has cache.kind = \"prefetch\"";
        report(reader, pixels, Problem::new(ErrorCode::NotBuilt, rule, remedy));
    } else if beats.sound && beats.value != 1 {
        let rule = "must be 1 with datapath.pixels_per_clock = 4: one beat passes the FIFO in a clock";
        let remedy = "use 1, or datapath.pixels_per_clock = 1";
        report(reader, beats, Problem::new(ErrorCode::BeatsPerQuad, rule, remedy));
    }
}

fn check_cache(reader: &mut Reader<'_>, settings: &Settings) {
    let (kind, pixels) = (&settings.cache.kind, &settings.datapath.pixels_per_clock);
    check_associative(reader, settings);
    if !kind.sound || kind.value != CacheKind::Prefetch {
        return;
    }
    let reads = &settings.axi.outstanding_reads;
    if reads.sound && reads.value < LEAST_PREFETCH_READS {
        let rule = format!(
            "must be at least {LEAST_PREFETCH_READS} with cache.kind = \"prefetch\": the tiles of one footprint"
        );
        let remedy = format!(
            "use {LEAST_PREFETCH_READS} or more; 64 hide 200 clocks of memory latency at full bandwidth"
        );
        report(reader, reads, Problem::new(ErrorCode::OutstandingReads, rule, remedy));
    }
    let (results, least) = (&settings.result.fifo_depth, least_prefetch_results(pixels.value));
    if results.sound && pixels.sound && results.value < least {
        let with_pixels = if pixels.value == 1 { "" } else { " and datapath.pixels_per_clock = 4" };
        let rule = format!(
            "must be at least {least} with cache.kind = \"prefetch\"{with_pixels}: the quads behind the cache"
        );
        report(reader, results, Problem::new(ErrorCode::ResultDepth, rule, format!("use {least} or more")));
    }
}

/// A fully associative cache, against the units that have one.
fn check_associative(reader: &mut Reader<'_>, settings: &Settings) {
    let (kind, lines) = (&settings.cache.kind, &settings.cache.associative_lines);
    if !lines.sound || lines.value == 0 {
        return;
    }
    let off = "or cache.associative_lines = 0";
    if kind.sound && kind.value != CacheKind::Prefetch {
        let rule = "is not built with cache.kind = \"blocking\", which compares the lines of one set";
        let remedy = format!("use cache.kind = \"prefetch\", {off}");
        report(reader, lines, Problem::new(ErrorCode::NotBuilt, rule, remedy));
    } else if features::of(settings).general().is_none() {
        let rule = "is not built in the classic numerics, which this configuration asks for nothing beyond";
        let remedy = format!("ask for more, such as texture.sizes = \"any\", {off}");
        report(reader, lines, Problem::new(ErrorCode::NotBuilt, rule, remedy));
    }
}

/// Memories, against the sites of the device family.
fn check_memories(reader: &mut Reader<'_>, settings: &Settings) {
    let (family, data) = (&settings.device.family, &settings.cache.data_ram);
    if !family.sound || !data.sound || family.value.has_ultra_ram() || data.value != RamStyle::Ultra {
        return;
    }
    let rule = format!("needs UltraRAM, which no device of family \"{}\" has", family.value);
    let remedy = "use \"block\", or leave cache.data_ram out, which is \"block\" there";
    report(reader, data, Problem::new(ErrorCode::UltraRam, rule, remedy));
}

fn check_memory_clock(reader: &mut Reader<'_>, settings: &Settings) {
    let (clock, memory_mhz) = (&settings.axi.clock, &settings.clock.memory_mhz);
    if !clock.sound || !memory_mhz.sound {
        return;
    }
    match (clock.value, memory_mhz.value) {
        (AxiClock::Own, None) => {
            let rule = "is needed, since axi.clock is \"own\"";
            let remedy = "set clock.memory_mhz, or axi.clock = \"tmu\"";
            report(reader, memory_mhz, Problem::new(ErrorCode::MemoryClockMissing, rule, remedy));
        }
        (AxiClock::Tmu, Some(_)) => {
            let rule = "has no clock to describe, since axi.clock is \"tmu\"";
            let remedy = "remove clock.memory_mhz, or set axi.clock = \"own\"";
            report(reader, memory_mhz, Problem::new(ErrorCode::MemoryClockUnused, rule, remedy));
        }
        (AxiClock::Own, Some(_)) | (AxiClock::Tmu, None) => {}
    }
}

fn check_axi(reader: &mut Reader<'_>, settings: &Settings) {
    let (axi, units, engines) = (&settings.axi, &settings.whole.units, &settings.whole.engines);
    let table = &settings.control.store_table;
    let channels = engines.value.channels(units.value, table.sound && table.value);
    let needed = u64::from(unit_id_bits(channels.reads.max(channels.writes).into()));
    if axi.id_bits.sound && units.sound && engines.sound && axi.id_bits.value < needed {
        let (rule, remedy) = if engines.value == EngineSet::default() && !table.value {
            let most = 1u64 << axi.id_bits.value;
            (
                format!("must tell {} units apart", units.value),
                format!("use {needed} or more, or at most {most} units"),
            )
        } else {
            let most = channels.reads.max(channels.writes);
            (format!("must tell {most} channels of all engines apart"), format!("use {needed} or more"))
        };
        report(reader, &axi.id_bits, Problem::new(ErrorCode::TooFewIds, rule, remedy));
    }
    let blocking = settings.cache.kind.sound && settings.cache.kind.value == CacheKind::Blocking;
    if axi.outstanding_reads.sound && blocking && axi.outstanding_reads.value != 1 {
        let rule = "must be 1 with cache.kind = \"blocking\", which waits for each read";
        report(reader, &axi.outstanding_reads, Problem::new(ErrorCode::OutstandingReads, rule, "use 1"));
    }
    if axi.arcache.sound && axi.arcache.value >= 4 && axi.arcache.value & 2 == 0 {
        let rule = "is reserved by AXI4: with allocate bits (3:2) the modifiable bit (1) must be set";
        let remedy = "use 2 or 3 for memory that is not cached, 15 for write-back";
        report(reader, &axi.arcache, Problem::new(ErrorCode::ReservedCacheType, rule, remedy));
    }
}

/// Whatever has registers needs the control port; writes stay on the units' clock.
fn check_engines(reader: &mut Reader<'_>, settings: &Settings) {
    let (engines, control, clock) = (&settings.whole.engines, &settings.control.port, &settings.axi.clock);
    settings.engines.check(reader, &engines.value);
    if !engines.sound {
        return;
    }
    for kind in engines.value.kinds().iter().filter(|kind| **kind != EngineKind::Sampler) {
        if control.sound && !control.value {
            let rule =
                format!("\"{kind}\" is not built without the control port, which it is told by what to do");
            let remedy = format!("set control.port = true, or leave \"{kind}\" out");
            report(reader, engines, Problem::new(ErrorCode::NotBuilt, rule, remedy));
        }
        if clock.sound && clock.value == AxiClock::Own && kind.channels(0).writes > 0 {
            let rule = format!("\"{kind}\" writes memory, which is not built with axi.clock = \"own\"");
            let remedy = format!("set axi.clock = \"tmu\", or leave \"{kind}\" out");
            report(reader, engines, Problem::new(ErrorCode::NotBuilt, rule, remedy));
        }
    }
}

/// The pixel pipeline, against its texture unit.
fn check_pixel(reader: &mut Reader<'_>, settings: &Settings) {
    let engines = &settings.whole.engines;
    if !engines.sound || !engines.value.has(EngineKind::Pixel) {
        return;
    }
    let off = "or leave \"pixel\" out of engines";
    let problem = |rule: &str, remedy: &str| {
        Problem::new(
            ErrorCode::NotBuilt,
            format!("is not built with the engine \"pixel\": {rule}"),
            format!("{remedy}, {off}"),
        )
    };
    let (request, result, texture) = (&settings.request, &settings.result, &settings.texture);
    if request.numbers.sound && request.numbers.value != Numbers::Fp32 {
        let told = problem("coordinates are singles", "set request.numbers = \"fp32\"");
        report(reader, &request.numbers, told);
    }
    if request.beats_per_quad.sound && request.beats_per_quad.value != 1 {
        let told = problem("a quad is a beat", "set request.beats_per_quad = 1");
        report(reader, &request.beats_per_quad, told);
    }
    if request.projective.sound && request.projective.value {
        let told = problem("the shader divides", "set request.projective = false");
        report(reader, &request.projective, told);
    }
    let operations = &request.operations;
    if operations.sound && operations.value != [OperationName::Sample] {
        let told = problem("programs sample and nothing else", "set request.operations = [\"sample\"]");
        report(reader, operations, told);
    }
    if result.numbers.sound && result.numbers.value != ResultNumbers::Unorm16 {
        let told = problem("registers take 16 bits a channel", "set result.numbers = \"unorm16\"");
        report(reader, &result.numbers, told);
    }
    if texture.store_entries.sound && texture.store_entries.value == 0 {
        let told = problem("bindings stay in the unit", "set texture.store_entries = 64");
        report(reader, &texture.store_entries, told);
    }
    if texture.indirect.sound && texture.indirect.value {
        let told = problem("programs read textures through others", "set texture.indirect = false");
        report(reader, &texture.indirect, told);
    }
    let [side, rows] = settings.engines.tile();
    if side.sound && rows.sound && rows.value != 0 && side.value != 32 {
        let told = problem("tiles that are no squares have rows of 32 pixels", "set pixel.tile_side = 32");
        report(reader, rows, told);
    }
    let [side, lanes] = settings.engines.surfaces();
    if side.sound && lanes.sound && lanes.value >= side.value {
        let told = problem(
            "hidden surfaces are looked for in a part of a tile's row",
            &format!("set pixel.surface_pixels_per_clock = {}", side.value / 2),
        );
        report(reader, lanes, told);
    }
}

fn check_window(reader: &mut Reader<'_>, settings: &Settings) {
    let (base, address_bits) = (&settings.axi.window_base, &settings.axi.address_bits);
    let end = u128::from(base.value) + (1 << TEXTURE_ADDRESS_BITS);
    if base.sound && address_bits.sound && end > 1 << address_bits.value {
        let last = (1u128 << address_bits.value) - (1 << TEXTURE_ADDRESS_BITS);
        let rule = format!(
            "the window of 2 GiB must end within the {} address bits of the port",
            address_bits.value
        );
        let remedy = format!("use at most {last:#x}, or more axi.address_bits");
        report(reader, base, Problem::new(ErrorCode::WindowFit, rule, remedy));
    }
}
