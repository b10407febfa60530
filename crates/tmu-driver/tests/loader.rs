//! The driver of the loader engine on a register file that behaves as the contract says, in Rust and in C.

use std::path::Path;
use std::process::Command;
use tmu_driver::loader::{Counters, Fault, Job, Kind, Loader, MAGIC, Outcome, register};
use tmu_driver::mesh::{Bus, Error};

/// Where the engine's block begins.
const BASE: u32 = 0x400;

/// Registers of the engine, and what a job is to end with.
struct Registers {
    words: [u32; 0x80],
    /// Polls of the interrupt until the job ends.
    clocks: u32,
    code: u32,
    is_busy: bool,
    /// Accesses that work before one fails.
    works: u32,
}

impl Registers {
    fn new(clocks: u32, code: u32) -> Self {
        let mut words = [0; 0x80];
        words[register::IDENTITY as usize / 4] = MAGIC;
        words[register::FAULT_ADDRESS as usize / 4] = 0x1230;
        words[register::INTERRUPT as usize / 4] = 1;
        for (at, word) in words[register::LINES_READ as usize / 4..][..3].iter_mut().enumerate() {
            *word = 100 + at as u32;
        }
        Self { words, clocks, code, is_busy: false, works: u32::MAX }
    }

    fn access(&mut self, address: u32) -> Result<u32, &'static str> {
        self.works = self.works.checked_sub(1).ok_or("no answer")?;
        Ok(address.checked_sub(BASE).filter(|offset| *offset < 0x200 && offset % 4 == 0).expect("a register"))
    }
}

impl Bus for Registers {
    type Error = &'static str;

    fn read(&mut self, address: u32) -> Result<u32, &'static str> {
        let offset = self.access(address)?;
        if offset == register::INTERRUPT && self.is_busy {
            if self.clocks == 0 {
                self.is_busy = false;
                self.words[register::INTERRUPT as usize / 4] = 1;
            }
            self.clocks = self.clocks.saturating_sub(1);
        }
        Ok(match offset {
            register::STATUS if self.is_busy => 1,
            register::STATUS => self.code << 8 | u32::from(self.code != 0) << 1 | 2 << 12,
            offset => self.words[offset as usize / 4],
        })
    }

    fn write(&mut self, address: u32, value: u32) -> Result<(), &'static str> {
        let offset = self.access(address)?;
        if self.is_busy && offset < 0x28 {
            return Err("a job is at work");
        }
        match offset {
            register::INTERRUPT => self.words[offset as usize / 4] &= !value,
            register::RESET => (self.clocks, self.code) = (0, 15),
            _ => self.words[offset as usize / 4] = value,
        }
        self.is_busy |= offset == register::CONTROL && value & 1 != 0;
        Ok(())
    }
}

#[test]
fn a_job_is_written_started_and_ends_once() {
    let mut loader = Loader::open(Registers::new(3, 0), BASE).unwrap();
    assert_eq!(loader.poll(), Err(Error::Idle));
    let job = Job {
        picture: 0x1000,
        pitch: 0x200,
        slice_pitch: 0x3000,
        texture: 0x8000,
        width: 100,
        height: 60,
        depth: 6,
        format: 1,
        kind: Kind::Cube,
        is_srgb: true,
        levels: 7,
        user: 7,
    };
    loader.submit(&job).unwrap();
    assert_eq!((loader.submit(&job), loader.is_busy()), (Err(Error::Busy), Ok(true)));
    assert_eq!(loader.wait(2), Err(Error::Time));
    let done = Outcome { fault: None, address: 0x1230, response: 2, user: 7 };
    assert_eq!(loader.wait(2), Ok(done));
    assert_eq!((loader.poll(), loader.is_busy()), (Err(Error::Idle), Ok(false)));
    let expected = Counters { lines_read: 100, lines_written: 101, busy_clocks: 102 };
    assert_eq!(loader.counters(), Ok(expected));
    let words = loader.into_bus().words;
    // By the contract's table: offset and value.
    for (offset, value) in [
        (0x00, 1),
        (0x04, 0x1000),
        (0x08, 0x200),
        (0x0c, 0x3000),
        (0x10, 0x8000),
        (0x14, 100),
        (0x18, 60),
        (0x1c, 6),
        (0x20, 0x1_0301),
        (0x24, 7),
        (0x104, 0),
        (0x108, 0),
    ] {
        assert_eq!(words[offset / 4], value, "{offset:#x}");
    }
}

#[test]
fn faults_have_names_and_the_next_job_runs() {
    for (code, fault) in [
        (1, Fault::Size),
        (2, Fault::Kind),
        (3, Fault::Format),
        (4, Fault::Levels),
        (5, Fault::LevelsOfFormat),
        (6, Fault::Srgb),
        (7, Fault::Alignment),
        (8, Fault::Pitch),
        (9, Fault::Read),
        (10, Fault::Write),
        (12, Fault::Unknown(12)),
    ] {
        let mut loader = Loader::open(Registers::new(0, code), BASE).unwrap();
        loader.submit(&Job::default()).unwrap();
        assert_eq!(loader.wait(1).unwrap().fault, Some(fault), "{fault}");
        loader.submit(&Job::default()).unwrap();
    }
    let mut loader = Loader::open(Registers::new(1000, 0), BASE).unwrap();
    loader.submit(&Job::default()).unwrap();
    loader.reset().unwrap();
    assert_eq!(loader.wait(2).unwrap().fault, Some(Fault::Reset));
}

#[test]
fn what_does_not_fit_a_register_is_refused_before_anything_is_written() {
    for (job, fault) in [
        (Job { width: 0x1_0001, ..Job::default() }, Fault::Size),
        (Job { height: 0x1_0001, ..Job::default() }, Fault::Size),
        (Job { depth: 0x1_0001, ..Job::default() }, Fault::Size),
        (Job { levels: 0x101, ..Job::default() }, Fault::Levels),
    ] {
        let mut loader = Loader::open(Registers::new(0, 0), BASE).unwrap();
        assert_eq!(loader.submit(&job), Err(Error::Refused(fault)));
        assert_eq!(loader.poll(), Err(Error::Idle));
        assert_eq!(loader.into_bus().words[2], 0);
    }
}

#[test]
fn the_bus_may_fail_anywhere() {
    for works in 0..15 {
        let registers = Registers { works, ..Registers::new(0, 0) };
        let run = || {
            let mut loader = Loader::open(registers, BASE)?;
            loader.submit(&Job::default())?;
            loader.wait(1)
        };
        assert_eq!(run(), Err(Error::Bus("no answer")), "after {works}");
    }
    let mut other = Registers::new(0, 0);
    other.words[register::IDENTITY as usize / 4] = 5;
    assert!(matches!(Loader::open(other, BASE), Err(Error::Identity(5))));
}

#[test]
fn the_driver_in_c_is_freestanding_and_does_the_same() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let drivers = here.join("../../drivers/c");
    let folder = std::env::temp_dir().join(format!("tmu-loader-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I"];
    let run = |command: &mut Command| {
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}\n{text}");
        text
    };
    let object = folder.join("tmu_loader.o");
    run(Command::new("gcc")
        .args(strict)
        .arg(&drivers)
        .args(["-ffreestanding", "-c", "-o"])
        .arg(&object)
        .arg(drivers.join("tmu_loader.c")));
    let program = folder.join("loader");
    run(Command::new("gcc")
        .args(strict)
        .arg(&drivers)
        .arg("-o")
        .arg(&program)
        .arg(here.join("tests/loader.c"))
        .arg(&object));
    assert_eq!(run(&mut Command::new(&program)), "all is well\n");
    std::fs::remove_dir_all(&folder).unwrap();
}
