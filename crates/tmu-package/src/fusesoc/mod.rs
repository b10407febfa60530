//! A FuseSoC package: `NAME.core`, and the test bench that its simulation runs.
//!
//! The bench is a first sign of life in any simulator: it reads the core's identity, binds a texture in a memory that
//! answers every read with the same byte, and compares what the core makes of a quad. What a core draws is checked
//! elsewhere, against the golden model. Of a core without texture units it does what `engine` says.

mod engine;

use crate::interfaces::{Interface, Kind, interfaces};
use crate::{filled, header};
use std::fmt::Write as _;
use tmu_hdl::manifest::{Manifest, Port};
use tmu_rtl::outputs::{Hardware, OutputFile};
use tmu_rtl::system::registers::{Counter, ID, ID_VALUE};
use tmu_spec::general::binding::Words;
use tmu_spec::general::packet::{Extras, of_quad};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{
    Binding, Filter, General, Kind as TextureKind, MipFilter, Operation, Pixel, Quad, ResultNumbers, Sampler,
    Swizzle, Texture,
};
use tmu_spec::quad::PIXELS;
use tmu_spec::{BeatsPerQuad, Config, Format};

const CORE: &str = include_str!("template.core");
const BENCH: &str = include_str!("bench.sv");
const CONTROL_TASKS: &str = include_str!("control.sv");

/// What stands above the file set of ROMs.
const ROM_COMMENT: &str =
    "  # Verilog reads the contents of its ROMs by name, from the folder in which the tool runs.\n";

/// The file set of Vivado's constraints.
const CONSTRAINTS: &str = "  constraints:\n    files:\n      - @NAME@.xdc\n    file_type: xdc\n";

/// The byte that the bench's memory is full of.
const MEMORY_BYTE: u32 = 0x5a;

/// What is written for FuseSoC.
#[must_use]
pub fn files(hardware: &Hardware) -> Vec<OutputFile> {
    let (config, manifest) = (hardware.config(), hardware.manifest());
    let (name, header) = (config.name(), header(config));
    let core = CORE.replace("@HEADER@", &header).replace("@NAME@", name);
    let core = core.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    let roms = hardware.verilog_files().into_iter().map(|file| file.name);
    let roms = roms.filter(|name| name.ends_with(".mem"));
    let roms: String = roms.map(|name| format!("      - {name}: {{copyto: {name}}}\n")).collect();
    // A file set has to have files.
    let (roms, rom_set) = match roms.as_str() {
        "" => (String::new(), ""),
        _ => (format!("{ROM_COMMENT}  rom:\n    files:\n{roms}    file_type: user\n"), "      - rom\n"),
    };
    let description = match config.units() {
        0 => "Engines beside GPU texture units",
        _ => "GPU texture units",
    };
    let (constraints, constraint_set) = match config.family().is_of_vivado() {
        true => (CONSTRAINTS.replace("@NAME@", name), "      - tool_vivado ? (constraints)\n"),
        false => (String::new(), ""),
    };
    let core = core.replace("@CONSTRAINTS@", &constraints).replace("@CONSTRAINT_SET@", constraint_set);
    let core =
        core.replace("@ROMS@", &roms).replace("@ROM_SET@", rom_set).replace("@DESCRIPTION@", description);
    let bench = match config.units() {
        0 => engine::bench(config, manifest, &header),
        _ => bench(config, manifest, &header),
    };
    vec![
        OutputFile { name: format!("{name}.core"), text: core },
        OutputFile { name: format!("{name}_tb.sv"), text: bench },
    ]
}

fn bench(config: &Config, manifest: &Manifest, header: &str) -> String {
    let all = interfaces(manifest);
    let of_kind = |kind| all.iter().find(|interface| interface.kind == kind);
    let request_bits = of_kind(Kind::StreamIn).map_or(0, |stream| stream.width_bits("tdata"));
    let memory_clock = of_kind(Kind::Memory).map_or("", |memory| &memory.clock);
    let beats = config.request().beats_per_quad();
    let tasks = if config.control().port() { CONTROL_TASKS } else { "" };
    // Of other texels than plain colours only valid bits and errors are looked at.
    let formats = || config.features().formats();
    let is_plain = |format: &Format| channels(*format).is_some();
    let format = formats().find(is_plain).or_else(|| formats().next()).unwrap_or(Format::Rgba8);
    let texel = texel(config, format);
    let values = [
        ("HEADER", header.to_owned()),
        ("NAME", config.name().to_owned()),
        ("SIGNALS", signals(&all)),
        ("CONNECTIONS", connections(manifest)),
        ("CLOCKS", clocks(config, &all)),
        ("RESETS", resets(&all)),
        ("MEMORY_CLOCK", memory_clock.to_owned()),
        ("MEMORY_BYTE", format!("{MEMORY_BYTE:02x}")),
        ("REQUEST_BITS", request_bits.to_string()),
        ("QUAD_BEATS", beats.beats().to_string()),
        ("BINDING", binding(config, format)),
        ("TEXEL_HIGH", (config.result_tdata_bits() / 4 - 1).to_string()),
        ("RESULT_HIGH", (config.result_tdata_bits() - 1).to_string()),
        ("TEXEL", texel.clone().unwrap_or_else(|| "0".to_owned())),
        ("DATA", if texel.is_some() { "m_axis_res0_tdata !== data || " } else { "" }.to_owned()),
        ("VALID_SHIFT", config.request_valid_shift().to_string()),
        ("ORIGIN", origin(config)),
        ("CONTROL", control(config)),
        ("CONTROL_TASKS", tasks.to_owned()),
    ];
    filled(BENCH, &values)
}

/// A beat of a quad at the origin, without its valid bits, as a number of Verilog: 0 but for divisors, which are not left out of one
/// beat.
fn origin(config: &Config) -> String {
    let beats = config.request().beats_per_quad();
    let extras = config.features().general().map(Extras::of).filter(|extras| extras.divisor);
    let (Some(extras), BeatsPerQuad::One) = (extras, beats) else { return "0".to_owned() };
    let pixels = [Pixel { q: extras.numbers.one(), ..Pixel::default() }; PIXELS];
    let quad = Quad { pixels, valid: 0, lod: 0, operation: Operation::Sample };
    let (bits, packet) = (config.request_tdata_bits(), of_quad(&quad, extras, beats));
    let bytes = packet[0].low_bytes(bits as usize / 8).iter().rev();
    format!("{bits}'h{}", bytes.map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// Sends a binding of 4 x 4 texels at address 0, nearest, in the first format and mode that are built.
fn binding(config: &Config, format: Format) -> String {
    if let Some(general) = config.features().general() {
        let words = general_words(config, general, format);
        let last = words.len() - 1;
        let beats = words.iter().enumerate();
        return beats
            .map(|(number, word)| format!("    send(128'h{word:032x}, 1, {});\n", u8::from(number == last)))
            .collect();
    }
    let lower_half = classic_half(config, format);
    format!("    send(64'h{lower_half:016x}, 1, 1);\n")
}

/// The words of a binding of the general numerics, of the first kind that is built.
fn general_words(config: &Config, general: &General, format: Format) -> Words {
    let features = config.features();
    let side = 1 << features.max_size_log2().min(2);
    let kind = general.kinds().next().unwrap_or_default();
    let height = if kind == TextureKind::D1 { 1 } else { side };
    let shape = Shape { kind, width: side, height, depth: 1, levels: 1, format };
    let texture = Texture::packed(shape, Swizzle::NONE, false);
    let texture = texture.unwrap_or_else(|_| unreachable!("one level of a small square is legal"));
    let mode = features.address_modes().next().unwrap_or_default();
    let sampler = Sampler {
        min: Filter::Nearest,
        mag: Filter::Nearest,
        mip: MipFilter::None,
        address: [mode; 3],
        ..Sampler::default()
    };
    Binding { base: 0, texture, sampler, drop_cache: false }.words()
}

/// The lower 64 bits of a classic binding.
fn classic_half(config: &Config, format: Format) -> u64 {
    let features = config.features();
    let mode = features.address_modes().next();
    let mode = mode.map_or(0, |mode| u64::from(mode.code()));
    let format = u64::from(format.code());
    let size_log2 = u64::from(features.max_size_log2().min(2));
    size_log2 << 32 | size_log2 << 36 | format << 44 | mode << 56 | mode << 58
}

/// The channels of the first texel when every byte is the same: values and their bits. None of formats that are no plain colours.
fn channels(format: Format) -> Option<[(u64, u32); 4]> {
    let all = u64::from(MEMORY_BYTE) * 0x0101_0101_0101_0101;
    // Both end points of a block are 0x5a5a of 5, 6 and 5 bits; four bits of alpha are repeated.
    let block = |alpha| Some([(0x5a, 8), (0x49, 8), (0xd6, 8), (alpha, 8)]);
    match format {
        Format::Bc1 => block(0xff),
        Format::Bc2 => block(0xaa),
        Format::Bc3 => block(u64::from(MEMORY_BYTE)),
        _ => format.packing().map(|colors| {
            let channel = |number: usize| {
                let place = colors.channels[number];
                let value = all >> place.lo & ((1 << place.bits) - 1);
                // Alpha that is not stored is all ones.
                if place.bits == 0 { (u64::from(number == 3), 1) } else { (value, place.bits) }
            };
            [channel(0), channel(1), channel(2), channel(3)]
        }),
    }
}

/// What a pixel at the origin becomes, as a number of Verilog.
fn texel(config: &Config, format: Format) -> Option<String> {
    let general = config.features().general();
    let channel_bits = general.map_or(8, |general| general.channel_bits);
    let numbers = general.map_or(ResultNumbers::Unorm8, |general| general.result);
    let most_of = |bits: u32| (1u64 << bits) - 1;
    let scaled = |value: u64, from: u64, to: u64| (2 * to * value + from) / (2 * from);
    let most = most_of(channel_bits);
    let channel = |(value, bits): (u64, u32)| {
        let value = scaled(value, most_of(bits), most);
        match numbers {
            ResultNumbers::Fp32 => u64::from(((value as f64 / most as f64) as f32).to_bits()),
            _ => scaled(value, most, most_of(numbers.channel_bits())),
        }
    };
    let bits = numbers.channel_bits();
    let channels = channels(format)?.map(channel).into_iter().rev();
    let pixel = channels.fold(0u128, |pixel, channel| pixel << bits | u128::from(channel));
    Some(format!("{}'h{pixel:0digits$x}", 4 * bits, digits = bits as usize))
}

fn range(port: &Port) -> String {
    if port.width_bits == 1 { String::new() } else { format!("[{}:0] ", port.width_bits - 1) }
}

/// A signal for each port. Those that the bench drives begin at 0, but those of memory's reads, which it assigns.
fn signals(all: &[Interface<'_>]) -> String {
    let mut text = String::new();
    for interface in all {
        for (signal, port) in &interface.signals {
            let is_assigned =
                interface.kind == Kind::Memory && signal.starts_with(['a', 'r']) && !signal.starts_with("aw");
            let is_begun = port.direction == "in" && !is_assigned;
            let begin = if is_begun { " = 0" } else { "" };
            let _ = writeln!(text, "  logic {}{}{begin};", range(port), port.name);
        }
    }
    text
}

fn connections(manifest: &Manifest) -> String {
    let named = manifest.ports.iter().map(|port| format!("    .{0}({0})", port.name));
    named.collect::<Vec<_>>().join(",\n")
}

fn clocks(config: &Config, all: &[Interface<'_>]) -> String {
    let mut text = String::new();
    for clock in all.iter().filter(|interface| interface.kind == Kind::Clock) {
        let mhz = match clock.name.as_str() {
            "core_aclk" => config.clocks().core_mhz(),
            "tmu_aclk" => config.clocks().tmu_mhz(),
            _ => config.clocks().memory_mhz().unwrap_or(1),
        };
        let half_ps = 500_000 / mhz;
        let _ = writeln!(
            text,
            "  always #{}.{:03} {name} = !{name};",
            half_ps / 1000,
            half_ps % 1000,
            name = clock.name
        );
    }
    text
}

/// Releases every reset behind an edge of its clock.
fn resets(all: &[Interface<'_>]) -> String {
    let resets = all.iter().filter(|interface| interface.kind == Kind::Reset);
    let lines = resets.map(|reset| format!("    @(negedge {}) {} = 1;\n", reset.clock, reset.name));
    lines.collect()
}

/// What the bench reads through the control port, if there is one.
fn control(config: &Config) -> String {
    let mut text = String::new();
    if config.control().port() {
        let _ = writeln!(text, "    check_register({}, 32'h{ID_VALUE:08x});", ID.offset_bytes);
    }
    if config.control().port() && config.control().counters() {
        for (counter, count) in [(Counter::Quads, 3), (Counter::ValidPixels, 8)] {
            let _ = writeln!(text, "    check_register({}, {count});", counter.address(0));
        }
    }
    text
}
