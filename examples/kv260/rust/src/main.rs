//! First light on a board with Linux: a texture into memory, every pattern through the core's bring-up kit, and what it says.
//!
//! ```text
//! first-light /dev/uio0 udmabuf0 coffee.bin 512x512 0x0,0x40300999,0x0,0x0 requests.txt
//! ```
//!
//! Behind the size stands the binding that `tmugen bringup --texture coffee.toml` prints, whose CRCs are those to compare with. The
//! last argument, which may be left out, names a file for a capture of the pattern `scan`, which `tmugen sim --replay` reads.

use memmap2::{MmapOptions, MmapRaw};
use std::error::Error;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions, read, read_to_string};
use std::process::ExitCode;
use tmu_driver::bring_up::{Report, Walk, needs};
use tmu_driver::{Beat, Bus, ResultBeat, Tmu};

/// Bytes of the control port.
const CONTROL_BYTES: usize = 0x1000;
/// Bits of `tdata` of the request stream, as `tmu.toml` has it.
const TDATA_BITS: u32 = 136;
const QUADS: u32 = 1024;
const ROW_QUADS: u16 = 32;

/// The control port in this program's memory.
struct Uio(MmapRaw);

impl Uio {
    fn open(device: &str) -> std::io::Result<Uio> {
        let file = OpenOptions::new().read(true).write(true).open(device)?;
        MmapOptions::new().len(CONTROL_BYTES).map_raw(&file).map(Uio)
    }

    fn register(&self, address: u32) -> *mut u32 {
        assert!(
            (address as usize) < CONTROL_BYTES && address.is_multiple_of(4),
            "no register is at {address:#x}"
        );
        self.0.as_mut_ptr().wrapping_add(address as usize).cast()
    }
}

/// Registers only: the kit sends the requests.
impl Bus for Uio {
    type Error = &'static str;

    fn read(&mut self, address: u32) -> Result<u32, &'static str> {
        // SAFETY: the register is inside the mapping, and reading one has no effect on this program.
        Ok(unsafe { self.register(address).read_volatile() })
    }

    fn write(&mut self, address: u32, value: u32) -> Result<(), &'static str> {
        // SAFETY: as above.
        unsafe { self.register(address).write_volatile(value) };
        Ok(())
    }

    fn send(&mut self, _: u32, _: &[Beat]) -> Result<bool, &'static str> {
        Err("there is no stream")
    }

    fn receive(&mut self, _: u32) -> Result<Option<ResultBeat>, &'static str> {
        Err("there is no stream")
    }
}

/// Copies a texture to the start of the shared memory; returns its physical address.
fn load(memory: &str, texture: &str) -> Result<u64, Box<dyn Error>> {
    let text = read_to_string(format!("/sys/class/u-dma-buf/{memory}/phys_addr"))?;
    // The driver lets caches be written back by hand: 1 gives the memory to the core.
    std::fs::write(format!("/sys/class/u-dma-buf/{memory}/sync_mode"), "1")?;
    let bytes = read(texture)?;
    let file: File = OpenOptions::new().read(true).write(true).open(format!("/dev/{memory}"))?;
    let map = MmapOptions::new().len(bytes.len()).map_raw(&file)?;
    for (place, byte) in bytes.iter().enumerate() {
        // SAFETY: the mapping is as long as the texture.
        unsafe { map.as_mut_ptr().add(place).write_volatile(*byte) };
    }
    std::fs::write(format!("/sys/class/u-dma-buf/{memory}/sync_for_device"), "1")?;
    let digits = text.trim().trim_start_matches("0x");
    Ok(u64::from_str_radix(digits, 16)?)
}

fn number(text: &str) -> Result<u32, std::num::ParseIntError> {
    text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u32::from_str_radix(digits, 16))
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (device, memory, texture, size, binding, requests) = match arguments {
        [device, memory, texture, size, binding] => (device, memory, texture, size, binding, None),
        [device, memory, texture, size, binding, requests] => {
            (device, memory, texture, size, binding, Some(requests))
        }
        _ => {
            let usage = "use: first-light UIO MEMORY TEXTURE.bin WIDTHxHEIGHT W0,W1,... [REQUESTS.txt]";
            return Err(usage.into());
        }
    };
    let (width, height) = size.split_once('x').ok_or("the size is WIDTHxHEIGHT, like 512x512")?;
    let size = [width.parse()?, height.parse()?];
    if size.contains(&0) {
        return Err("a side of the texture is 0".into());
    }
    let binding = binding.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
    let told = |error| format!("{error:?}");
    let mut tmu = Tmu::open(Uio::open(device)?).map_err(told)?;
    let window = load(memory, texture)?;
    tmu.set_window(window).map_err(told)?;
    println!("a core with {} units; textures from {window:#x} on", tmu.capabilities().units());
    tmu.bring_up_take(0).map_err(told)?;
    let mut most_latency = 0;
    for (name, walk) in [
        ("constant", Walk::constant(size, QUADS, ROW_QUADS)),
        ("scan", Walk::scan(size, QUADS, ROW_QUADS)),
        ("turned", Walk::turned(size, QUADS, ROW_QUADS)),
        ("rotated", Walk::rotated(size, QUADS, ROW_QUADS)),
        ("random", Walk::random(size, QUADS, ROW_QUADS)),
    ] {
        let captures = requests.filter(|_| name == "scan");
        if captures.is_some() {
            tmu.bring_up_capture(0).map_err(told)?;
        }
        tmu.bring_up_start(&binding, &walk).map_err(told)?;
        tmu.bring_up_wait().map_err(told)?;
        if let Some(path) = captures {
            let mut text = String::new();
            tmu.bring_up_write_capture(TDATA_BITS, &mut text).map_err(told)?;
            writeln!(text, "memory 0x00000000 {texture}")?;
            std::fs::write(path, text)?;
        }
        let report = tmu.bring_up_report().map_err(told)?;
        let Report { crc, results, failed, clocks, .. } = report;
        println!("{name:<9} CRC 0x{crc:08x} of {results} results, {failed} failed, {clocks} clocks");
        if report.reads > 0 {
            let [least, mean, most] = [report.least_latency, report.mean_latency(), report.most_latency];
            let bytes = report.bytes_per_1000_clocks();
            println!(
                "          latency {least} to {most}, {mean} in the mean; {bytes} bytes in 1000 clocks of waiting"
            );
            most_latency = most_latency.max(most);
        }
    }
    tmu.bring_up_give_back().map_err(told)?;
    let needed = needs(most_latency, tmu.capabilities().units(), 1);
    println!(
        "to hide {most_latency} clocks: axi.outstanding_reads = {}, cache.queue_depth = {}",
        needed.outstanding_reads, needed.queue_depth
    );
    let errors = tmu.errors().map_err(told)?;
    if errors.flags != 0 {
        return Err(format!("the core reports {errors:x?}").into());
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("first-light: {error}");
            ExitCode::FAILURE
        }
    }
}
