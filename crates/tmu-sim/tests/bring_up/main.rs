//! The bring-up kit in simulation: what it says of each pattern is what the golden model says; it takes a unit between packets and
//! gives it back; its probe measures the memory that there is; its capture holds what went in and what was read for it.

#[path = "../support/mod.rs"]
mod support;

use std::sync::Arc;
use support::built;
use tmu_driver::bring_up::{self as driver, PORT_CLOCKS};
use tmu_driver::{Beat, Bus, Error, ResultBeat, Tmu};
use tmu_model::TextureUnit;
use tmu_model::bring_up::quad_generator::{general_quads, quads};
use tmu_model::bring_up::result_crc::ResultCrc;
use tmu_model::general::unit::Unit;
use tmu_rtl::system::bring_up::registers::{BRING_UP_SPACE, table};
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions, UnitRead};
use tmu_sim::engines::sampler::contents::{SharedMemory, TextureMemory};
use tmu_sim::engines::sampler::streams::request::{Breakage, Packet, Request};
use tmu_sim::kit::control::{Access, Answer};
use tmu_spec::bring_up::{Pattern, Walk};
use tmu_spec::choice::Choice;
use tmu_spec::config::CacheKind;
use tmu_spec::general::packet::{Extras, of_binding, of_quad};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{self, Kind, Swizzle};
use tmu_spec::latency::{Needs, hidden_latency_clocks, needs};
use tmu_spec::presets::Preset;
use tmu_spec::{AddressMode, Binding, Config, Format, Quad, Record, RequestBeat, Sampler, Texture};
use tmu_testing::check_committed;
use tmu_verilate::ModelOptions;

const BASE: u32 = 0x4_0000;
/// Clocks of `core_aclk` in which whatever the tests start has ended.
const PATIENCE_CLOCKS: u64 = 400_000;
/// Quads of a row, and of a run.
const ROW_QUADS: u16 = 16;
const QUADS: u32 = 300;
/// Reads that a capture has room for.
const CAPTURED_READS: u32 = 512;

/// A configuration with the kit.
fn with_kit(toml: &str) -> Config {
    let toml = if toml.contains("[control]") {
        toml.replace("[control]", "[control]\nbring_up = true")
    } else {
        format!("{toml}\n[control]\nbring_up = true\n")
    };
    Config::from_toml(&toml).unwrap()
}

fn preset(name: &str) -> &'static str {
    Preset::find(name).unwrap().toml()
}

/// Units of both classic kinds.
fn configurations() -> [Config; 2] {
    let two = "name = \"two\"\nunits = 2\n[cache]\nsets = 64\n[axi]\nwindow_base = 0x1_4000_0000";
    [preset("stream"), two].map(with_kit)
}

/// Units of every other kind, those with quads in one beat among them.
fn more_configurations() -> [Config; 4] {
    let lanes = preset("multi-lite")
        .replace("pixels_per_clock = 1", "pixels_per_clock = 4")
        .replace("[request]", "[request]\nbeats_per_quad = 1")
        .replace("fifo_depth = 64", "fifo_depth = 256")
        .replace("\"multi_lite\"", "\"multi_lanes\"");
    [preset("fury-single"), preset("quad"), preset("multi-lite"), &lanes].map(with_kit)
}

/// A core with the kit.
struct Kit {
    bench: Bench,
    config: Config,
    unit: u32,
    contents: Arc<TextureMemory>,
}

impl Kit {
    fn new(config: &Config, latency_clocks: u32) -> Option<Kit> {
        Kit::over(TextureMemory::noise(7), config, latency_clocks)
    }

    fn over(contents: TextureMemory, config: &Config, latency_clocks: u32) -> Option<Kit> {
        let (rtl, model) = built(config, &ModelOptions::default())?;
        let contents = Arc::new(contents);
        let options = BenchOptions::collecting(config, latency_clocks);
        let mut bench = Bench::new(&model, &rtl, options, Arc::clone(&contents)).unwrap();
        bench.start().unwrap();
        bench.run_clocks(100).unwrap();
        Some(Kit { bench, config: config.clone(), unit: config.units() - 1, contents })
    }

    fn address(&self, name: &str) -> u32 {
        let all = table(&self.config);
        let register = all.iter().find(|register| register.name == format!("BRING_UP_{name}"));
        BRING_UP_SPACE.base_bytes + register.unwrap_or_else(|| panic!("no register {name}")).offset_bytes
    }

    fn read(&mut self, name: &str) -> u32 {
        let address = self.address(name);
        let Answer { data, response } = self.bench.access(Access::Read { address }).unwrap();
        assert_eq!(response, 0, "reading {name}");
        data
    }

    fn try_write(&mut self, name: &str, data: u32) -> u8 {
        let address = self.address(name);
        self.bench.access(Access::Write { address, data, strobe: 15 }).unwrap().response
    }

    fn write(&mut self, name: &str, data: u32) {
        assert_eq!(self.try_write(name, data), 0, "writing {name}");
    }

    /// Waits until bits of `STATUS` are so.
    fn wait(&mut self, mask: u32, value: u32) {
        for _ in 0..PATIENCE_CLOCKS / 100 {
            if self.read("STATUS") & mask == value {
                return;
            }
            self.bench.run_clocks(100).unwrap();
        }
        let status = self.read("STATUS");
        panic!("{}: STATUS is {status:#x}", self.config.name());
    }

    fn take(&mut self) {
        let unit = self.unit;
        self.write("UNIT", unit);
        self.write("TAKE", 1);
        self.wait(1, 1);
    }

    fn give_back(&mut self) {
        self.write("TAKE", 0);
        self.wait(1, 0);
    }

    fn set(&mut self, walk: &Walk, texture: &Bound) {
        let words: Vec<u32> = texture.packet().iter().flat_map(|beat| words(beat.low_bytes(16))).collect();
        for (number, word) in words.into_iter().enumerate() {
            self.write(&format!("BINDING_{number}"), word);
        }
        for (name, value) in [
            ("PATTERN", u32::from(walk.is_random) | u32::from(walk.valid) << 4),
            ("QUADS", walk.quads),
            ("ROW", walk.row_quads.into()),
            ("U", walk.first[0]),
            ("V", walk.first[1]),
            ("U_ACROSS", walk.across[0]),
            ("V_ACROSS", walk.across[1]),
            ("U_DOWN", walk.down[0]),
            ("V_DOWN", walk.down[1]),
        ] {
            self.write(name, value);
        }
    }

    fn run(&mut self, walk: &Walk, texture: &Bound) {
        self.set(walk, texture);
        self.write("CONTROL", 1);
        self.wait(2, 0);
    }

    /// CRC, results and failed ones, as the golden model has them.
    fn golden(&self, walk: &Walk, texture: &Bound) -> [u32; 3] {
        let mut crc = ResultCrc::default();
        let memory = SharedMemory(Arc::clone(&self.contents));
        match texture {
            Bound::Classic(record) => {
                let mut unit = TextureUnit::with_features(memory, *self.config.features());
                let _ = unit.bind_record(*record);
                quads(walk).for_each(|quad| crc.add(&unit.sample(&quad)));
            }
            Bound::General(binding) => {
                let mut unit = Unit::new(memory, *self.config.features());
                if let Ok(general::Binding { base, texture, sampler, .. }) =
                    general::Binding::decode_for(&binding.words(), self.config.features())
                {
                    unit.bind(&texture, base, &sampler).expect("what decodes is legal");
                }
                let numbers = self.config.features().general().unwrap().result;
                general_quads(walk).for_each(|quad| crc.add_general(numbers, &unit.sample(&quad)));
            }
        }
        [crc.crc(), crc.results(), crc.failed()]
    }

    /// The reads that were captured.
    fn captured_reads(&mut self) -> Vec<UnitRead> {
        let captured = self.read("CAPTURED_READS");
        assert_eq!(captured >> 16, CAPTURED_READS, "{}", self.config.name());
        let number = captured & 0xffff;
        (0..number)
            .map(|number| {
                self.write("PLACE", number << 16);
                let word = self.read("READ");
                UnitRead { line: word & 0x7ff_ffff, lines: (word >> 27) + 1 }
            })
            .collect()
    }

    fn said(&mut self) -> [u32; 3] {
        ["CRC", "RESULTS", "FAILED"].map(|name| self.read(name))
    }

    /// A packet of the stream.
    fn send(&mut self, beats: Vec<RequestBeat>) {
        // Nobody but the core looks into them.
        let is_binding = beats[0].is_binding();
        let request = match (beats.len() > 6, is_binding) {
            (true, _) => Request::Broken(Breakage::QuadTooLong),
            (false, true) => Request::Bind(Record::default()),
            (false, false) => Request::Sample(Quad::default()),
        };
        self.bench.send(self.unit as usize, Packet { beats, request });
    }

    fn packets(&self, walk: &Walk) -> Vec<Vec<RequestBeat>> {
        let beats = self.config.request().beats_per_quad();
        match self.config.features().general() {
            Some(general) => {
                general_quads(walk).map(|quad| of_quad(&quad, Extras::of(general), beats)).collect()
            }
            None => quads(walk).map(|quad| quad.to_beats(beats)).collect(),
        }
    }

    /// Sends quads by the stream and waits for so many results.
    fn stream(&mut self, packets: &[Vec<RequestBeat>], results: usize) -> usize {
        packets.iter().for_each(|beats| self.send(beats.clone()));
        self.results(results)
    }

    fn results(&mut self, wanted: usize) -> usize {
        let mut came = 0;
        for _ in 0..PATIENCE_CLOCKS / 100 {
            came += self.bench.take_results(self.unit as usize).len();
            if came >= wanted {
                break;
            }
            self.bench.run_clocks(100).unwrap();
        }
        self.bench.run_clocks(500).unwrap();
        came + self.bench.take_results(self.unit as usize).len()
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes
        .chunks(4)
        .map(|word| u32::from_le_bytes(std::array::from_fn(|byte| word.get(byte).copied().unwrap_or(0))))
}

/// What is bound.
enum Bound {
    Classic(Record),
    General(general::Binding),
}

impl Bound {
    /// A texture with levels.
    fn of(config: &Config) -> Bound {
        if config.features().general().is_some() {
            let shape =
                Shape { kind: Kind::D2, width: 60, height: 40, depth: 1, levels: 6, format: Format::Rgb565 };
            let linear = general::Filter::Linear;
            let sampler = general::Sampler {
                min: linear,
                mag: linear,
                mip: general::MipFilter::Linear,
                address: [AddressMode::Wrap; 3],
                ..general::Sampler::default()
            };
            let texture = general::Texture::packed(shape, Swizzle::NONE, false).unwrap();
            return Bound::General(general::Binding { base: BASE, texture, sampler, drop_cache: true });
        }
        let sampler = Sampler {
            bilinear: true,
            mipmapped: config.features().mipmaps(),
            address_u: AddressMode::Wrap,
            address_v: AddressMode::Clamp,
        };
        let texture = Texture::new(Format::I8Rgb8, 6, 5, 6).unwrap();
        Bound::Classic(Binding::new(BASE, texture, sampler).unwrap().with_drop_cache(true).record())
    }

    /// The same in a size that breaks a rule.
    fn broken(&self) -> Bound {
        match self {
            Bound::Classic(record) => {
                let mut word = record.words()[0];
                word |= 0xf << 32;
                Bound::Classic(Record::from_first_word(word))
            }
            Bound::General(binding) => Bound::General(general::Binding { base: BASE + 4, ..*binding }),
        }
    }

    fn packet(&self) -> Vec<RequestBeat> {
        match self {
            Bound::Classic(record) => record.to_beats(),
            Bound::General(binding) => of_binding(&binding.words()),
        }
    }
}

fn check_crcs(config: &Config) {
    let Some(mut kit) = Kit::new(config, 20) else { return };
    let texture = Bound::of(config);
    kit.take();
    for pattern in Pattern::CHOICES {
        let walk = pattern.walk([64, 32], QUADS, ROW_QUADS);
        kit.run(&walk, &texture);
        assert_eq!(kit.said(), kit.golden(&walk, &texture), "{}, {pattern}", config.name());
    }
    let some = Walk { valid: 0b0110, quads: 7, row_quads: 1, ..Pattern::Rotated.walk([8, 8], 0, 1) };
    for walk in [some, Walk { quads: 0, ..some }] {
        kit.run(&walk, &texture);
        assert_eq!(kit.said(), kit.golden(&walk, &texture), "{}, {walk:?}", config.name());
    }
    kit.run(&some, &texture.broken());
    assert_eq!(kit.said(), kit.golden(&some, &texture.broken()), "{}, a broken binding", config.name());
    assert_eq!(kit.read("FAILED"), 7, "{}", config.name());
    assert!(kit.bench.take_results(kit.unit as usize).is_empty(), "{}: results leave", config.name());
}

/// Packets of the stream, some of the wrong length, before, during and after a run: none is lost, none is mixed up.
fn check_taking(config: &Config) {
    let Some(mut kit) = Kit::new(config, 60) else { return };
    let (texture, walk) = (Bound::of(config), Pattern::Turned.walk([64, 32], 40, 4));
    let good = kit.packets(&walk);
    let mut packets = vec![texture.packet()];
    let beat = |beat: &RequestBeat, is_binding: bool, last: bool| {
        RequestBeat::new(beat.low_bytes(17), is_binding, last)
    };
    for (number, quad) in good.iter().enumerate() {
        // Too long, and for a binding's start without its end.
        if number % 5 == 1 {
            packets.push([vec![beat(&quad[0], false, false); 9], vec![beat(&quad[0], false, true)]].concat());
        }
        if number % 7 == 3 {
            packets.push([vec![beat(&quad[0], true, false); 7], vec![beat(&quad[0], true, true)]].concat());
        }
        packets.push(quad.clone());
    }
    packets.iter().for_each(|beats| kit.send(beats.clone()));
    kit.take();
    let run = Pattern::Rotated.walk([64, 32], QUADS, ROW_QUADS);
    kit.run(&run, &texture);
    assert_eq!(kit.said(), kit.golden(&run, &texture), "{}", config.name());
    // While the kit is at work the unit is not given away.
    kit.set(&Walk { quads: 5000, ..run }, &texture);
    kit.write("CONTROL", 1);
    assert_eq!([kit.try_write("TAKE", 0), kit.try_write("UNIT", 0)], [2, 2], "{}", config.name());
    kit.write("CONTROL", 2);
    kit.wait(2, 0);
    let results = kit.read("RESULTS");
    assert!(results > 0 && results < 5000, "{}: {results} results of a stopped run", config.name());
    kit.give_back();
    assert_eq!(kit.results(good.len()), good.len(), "{}: results of the stream", config.name());
    let again = [vec![texture.packet()], good.clone()].concat();
    assert_eq!(kit.stream(&again, good.len()), good.len(), "{}: afterwards", config.name());
}

/// Captured beats are those that went in, from the kit and from the stream.
fn check_capture(config: &Config) {
    let Some(mut kit) = Kit::new(config, 10) else { return };
    let (texture, walk) = (Bound::of(config), Pattern::Random.walk([64, 32], 30, 4));
    let packets = [vec![texture.packet()], kit.packets(&walk)].concat();
    let expected: Vec<RequestBeat> = packets.concat();
    for by_kit in [true, false] {
        let name = config.name();
        let unit = kit.unit;
        kit.write("UNIT", unit);
        kit.write("CONTROL", 4);
        assert_eq!(kit.read("STATUS") & 4, 4, "{name}");
        if by_kit {
            kit.take();
            kit.run(&walk, &texture);
            kit.give_back();
        } else {
            // Quads in front of the first binding are passed over.
            kit.stream(&[&packets[1..4], &packets].concat(), 33);
        }
        let captured = kit.read("CAPTURED");
        assert_eq!(
            [captured & 0xffff, captured >> 16],
            [expected.len() as u32, 512],
            "{name}, by kit: {by_kit}"
        );
        let bytes = config.request_tdata_bits() as usize / 8;
        for (number, beat) in expected.iter().enumerate() {
            let mut own = beat.low_bytes(bytes).to_vec();
            own.push(u8::from(beat.is_binding()) | u8::from(beat.last()) << 1);
            for (word, value) in words(&own).enumerate() {
                kit.write("PLACE", word as u32 | (number as u32) << 16);
                assert_eq!(kit.read("DATA"), value, "{name}, by kit: {by_kit}, beat {number}, word {word}");
            }
        }
    }
    kit.write("CONTROL", 4);
    kit.stream(&[&packets[..1], &vec![packets[1].clone(); 600]].concat(), 600);
    assert_eq!([kit.read("CAPTURED") & 0xffff, kit.read("STATUS") & 4], [512, 0], "{}", config.name());
}

/// Captured reads are those that memory has got for what follows the binding, from the kit and from the stream; none where the unit is
/// still at work for quads in front of it.
fn check_captured_reads(config: &Config) {
    let Some(mut kit) = Kit::new(config, 40) else { return };
    let (texture, walk) = (Bound::of(config), Pattern::Random.walk([64, 32], 60, 4));
    let unit = kit.unit as usize;
    let name = config.name();
    kit.write("UNIT", unit as u32);
    let quads = kit.packets(&walk);
    let packets = [vec![texture.packet()], quads.clone()].concat();
    kit.write("CONTROL", 4);
    kit.stream(&packets, quads.len());
    let streamed = kit.bench.take_reads(unit);
    assert!(streamed.len() > 10, "{name}: {} reads", streamed.len());
    assert_eq!(kit.captured_reads(), streamed, "{name}, by the stream");
    kit.write("CONTROL", 4);
    kit.stream(&[quads.clone(), packets].concat(), 2 * quads.len());
    // A blocking unit takes the binding when it is empty, others while quads are under way.
    let is_told = config.cache().kind() == CacheKind::Blocking;
    let expected = if is_told { &streamed[..] } else { &[] };
    assert_eq!(kit.captured_reads(), expected, "{name}, behind quads");
    assert_eq!(kit.bench.take_reads(unit), streamed, "{name}: the cache was emptied");
    kit.take();
    kit.write("CONTROL", 4);
    kit.run(&walk, &texture);
    assert_eq!(kit.captured_reads(), kit.bench.take_reads(unit), "{name}, by the kit");
    // The memory is full, and the first ones stay.
    kit.write("CONTROL", 4);
    for _ in 0..8 {
        kit.run(&Walk { quads: 400, ..walk }, &texture);
    }
    let all = kit.bench.take_reads(unit);
    let captured = kit.captured_reads();
    assert_eq!(captured, all[..all.len().min(CAPTURED_READS as usize)], "{name}, full");
}

/// The latency that the probe measures is memory's and a constant.
fn check_probe(config: &Config) {
    let mut port_clocks = vec![];
    for latency_clocks in [30, 170] {
        let Some(mut kit) = Kit::new(config, latency_clocks) else { return };
        kit.take();
        let texture = Bound::of(config);
        kit.run(&Pattern::Scan.walk([64, 32], QUADS, 32), &texture);
        let (reads, latency, sum) = (kit.read("READS"), kit.read("LATENCY"), kit.read("LATENCY_SUM"));
        let [least, most] = [latency & 0xffff, latency >> 16];
        let (lines, waiting, clocks) = (kit.read("LINES"), kit.read("WAITING"), kit.read("CLOCKS"));
        let name = config.name();
        assert!(reads > 0 && least <= most && reads * least <= sum && sum <= reads * most, "{name}");
        assert_eq!(u64::from(lines), kit.bench.memory_beats(kit.unit as usize), "{name}");
        assert!(lines <= waiting && waiting <= clocks, "{name}: {lines} lines, {waiting} of {clocks} clocks");
        port_clocks.push(least - latency_clocks);
    }
    // Blocking units that share the port are chosen in a clock of its own.
    let takes_turns = config.cache().kind() == CacheKind::Blocking && config.units() > 1;
    let expected = PORT_CLOCKS + u32::from(takes_turns);
    assert_eq!(port_clocks, [expected; 2], "{}", config.name());
}

/// The registers of a core, as the driver in Rust accesses them.
impl Bus for Kit {
    type Error = u8;

    fn read(&mut self, address: u32) -> Result<u32, u8> {
        let Answer { data, response } = self.bench.access(Access::Read { address }).unwrap();
        if response == 0 { Ok(data) } else { Err(response) }
    }

    fn write(&mut self, address: u32, data: u32) -> Result<(), u8> {
        let Answer { response, .. } = self.bench.access(Access::Write { address, data, strobe: 15 }).unwrap();
        if response == 0 { Ok(()) } else { Err(response) }
    }

    fn send(&mut self, _: u32, _: &[Beat]) -> Result<bool, u8> {
        Err(0)
    }

    fn receive(&mut self, _: u32) -> Result<Option<ResultBeat>, u8> {
        Err(0)
    }
}

/// The driver's walks are those of the golden model, and its calls do what they say.
#[test]
fn the_driver_in_rust_runs_each_pattern() {
    let config = with_kit(preset("stream"));
    let Some(kit) = Kit::new(&config, 20) else { return };
    let bound = Bound::of(&config);
    let binding: Vec<u32> = bound.packet().iter().flat_map(|beat| words(beat.low_bytes(16))).collect();
    let mut tmu = Tmu::open(kit).unwrap();
    let size = [64, 32];
    tmu.bring_up_capture(0).unwrap();
    tmu.bring_up_take(0).unwrap();
    for pattern in Pattern::CHOICES {
        let make = match pattern {
            Pattern::Constant => driver::Walk::constant,
            Pattern::Scan => driver::Walk::scan,
            Pattern::Turned => driver::Walk::turned,
            Pattern::Rotated => driver::Walk::rotated,
            Pattern::Random => driver::Walk::random,
        };
        tmu.bring_up_start(&binding, &make(size, QUADS, ROW_QUADS)).unwrap();
        tmu.bring_up_wait().unwrap();
        let report = tmu.bring_up_report().unwrap();
        let expected = tmu.bus().golden(&pattern.walk(size, QUADS, ROW_QUADS), &bound);
        assert_eq!([report.crc, report.results, report.failed], expected, "{pattern}");
    }
    assert_eq!(tmu.bring_up_captured().unwrap(), 512);
    assert!(tmu.bring_up_captured_reads().unwrap() > 0);
    assert_eq!(tmu.bring_up_word(0, 1).unwrap(), binding[1]);
    tmu.bring_up_start(&binding, &driver::Walk::scan(size, 5000, 32)).unwrap();
    assert_eq!([tmu.bring_up_give_back(), tmu.bring_up_take(0)], [Err(Error::Busy), Err(Error::Busy)]);
    tmu.bring_up_stop().unwrap();
    tmu.bring_up_wait().unwrap();
    tmu.bring_up_give_back().unwrap();
    assert_eq!(tmu.bring_up_take(1), Err(Error::Unit(1)));
}

/// A capture as the driver writes it, of a texture whose bytes are made up. `tmugen sim --replay` reads the file in a test of its own.
#[test]
fn a_capture_becomes_a_file_of_requests() {
    let config = with_kit(preset("stream"));
    let bound = Bound::of(&config);
    let mut contents = TextureMemory::empty();
    contents.place(BASE, (0..6000u32).map(|byte| ((byte * 37) ^ (byte >> 5)) as u8).collect());
    let Some(kit) = Kit::over(contents, &config, 30) else { return };
    let binding: Vec<u32> = bound.packet().iter().flat_map(|beat| words(beat.low_bytes(16))).collect();
    let mut tmu = Tmu::open(kit).unwrap();
    tmu.bring_up_take(0).unwrap();
    tmu.bring_up_capture(0).unwrap();
    tmu.bring_up_start(&binding, &driver::Walk::random([64, 32], 40, 8)).unwrap();
    tmu.bring_up_wait().unwrap();
    assert_eq!(tmu.bring_up_report().unwrap().failed, 0);
    let mut text = String::new();
    tmu.bring_up_write_capture(config.request_tdata_bits(), &mut text).unwrap();
    let command = "cargo test -p tmu-sim --test bring_up";
    check_committed("crates/tmugen/tests/captured.txt", &text, "UPDATE_DOCS", command);
}

/// What the driver says of a latency is what the reckoning of `tmugen check` says, and it suffices.
#[test]
fn needs_hide_the_latency() {
    for (units, pixels, latency) in
        [(1, 1), (1, 4), (4, 1), (4, 4)].iter().flat_map(|(u, p)| [0, 20, 200, 400].map(|l| (*u, *p, l)))
    {
        let own = driver::needs(latency + PORT_CLOCKS, units, pixels);
        let Needs { outstanding_reads, queue_depth } = needs(latency, units, pixels);
        assert_eq!([own.outstanding_reads, own.queue_depth], [outstanding_reads, queue_depth]);
        let toml = format!(
            "units = {units}\n[request]\nbeats_per_quad = 1\n[result]\nfifo_depth = 64\n[datapath]\npixels_per_clock = {pixels}\n\
             [cache]\nkind = \"prefetch\"\nqueue_depth = {queue_depth}\n[axi]\noutstanding_reads = {outstanding_reads}"
        );
        let hidden = hidden_latency_clocks(&Config::from_toml(&toml).unwrap()).unwrap();
        assert!(hidden >= latency, "{units} units, {pixels} pixels a clock: {hidden} of {latency} clocks");
    }
}

#[test]
fn each_pattern_has_the_crc_of_the_golden_model() {
    configurations().iter().for_each(check_crcs);
}

#[test]
fn a_unit_is_taken_between_packets_and_given_back() {
    configurations().iter().for_each(check_taking);
}

#[test]
fn a_capture_holds_what_went_in() {
    configurations().iter().for_each(check_capture);
}

#[test]
fn a_capture_holds_what_was_read() {
    configurations().iter().for_each(check_captured_reads);
}

#[test]
fn the_probe_measures_memory() {
    configurations().iter().for_each(check_probe);
}

#[test]
#[ignore = "compiles four more models: scripts/test-long"]
fn units_of_every_other_kind_do_the_same() {
    for config in more_configurations() {
        for check in [check_crcs, check_taking, check_capture, check_captured_reads, check_probe] {
            check(&config);
        }
    }
}
