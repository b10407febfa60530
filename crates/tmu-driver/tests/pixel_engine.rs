//! The driver of the pixel engine on a register file that behaves as the contract says, in Rust and in C.

#[path = "support/program.rs"]
mod program;
#[path = "support/registers.rs"]
mod registers;

use program::Program;
use registers::{BASE, Registers};
use tmu_driver::mesh::Error;
use tmu_driver::pixel::Pixel;
use tmu_driver::pixel::engine::{Counters, Fault, MAGIC, Outcome, register};

const RECORD: u32 = 0x4560;

/// Registers of the engine whose frames end with a code after so many polls.
fn registers(clocks: u32, code: u32) -> Registers {
    Registers::new(MAGIC, [0x08, register::RESET], clocks, code)
}

#[test]
fn a_frame_is_started_and_ends_once() {
    let mut pixel = Pixel::open(registers(3, 0), BASE).unwrap();
    assert_eq!(pixel.poll(), Err(Error::Idle));
    assert_eq!(pixel.submit(RECORD + 8, 0), Err(Error::Refused(Fault::Frame)));
    pixel.submit(RECORD, 7).unwrap();
    assert_eq!((pixel.submit(RECORD, 8), pixel.is_busy()), (Err(Error::Busy), Ok(true)));
    assert_eq!(pixel.wait(2), Err(Error::Time));
    assert_eq!(pixel.wait(2), Ok(Outcome { fault: None, address: 0x1230, user: 7 }));
    assert_eq!((pixel.poll(), pixel.is_busy()), (Err(Error::Idle), Ok(false)));
    assert_eq!(pixel.counters(), Ok(Counters { lines_read: 100, lines_written: 101, busy_clocks: 102 }));
    pixel.enable_interrupt(true).unwrap();
    let words = pixel.into_bus().words;
    // By the contract's table: offset and value.
    for (offset, value) in [(0x00, 1), (0x04, RECORD), (0x104, 1), (0x108, 0)] {
        assert_eq!(words[offset / 4], value, "{offset:#x}");
    }
}

#[test]
fn faults_have_names_and_the_next_frame_runs() {
    for (code, fault) in [
        (1, Fault::Read),
        (2, Fault::Write),
        (3, Fault::Frame),
        (4, Fault::Entry),
        (5, Fault::ListLimit),
        (6, Fault::Triangle),
        (7, Fault::Vertex),
        (8, Fault::State),
        (9, Fault::Program),
        (10, Fault::Texture),
        (11, Fault::Texels),
        (12, Fault::OpaqueState),
        (13, Fault::Unknown(13)),
    ] {
        let mut pixel = Pixel::open(registers(0, code), BASE).unwrap();
        pixel.submit(RECORD, 0).unwrap();
        assert_eq!(pixel.wait(1).unwrap().fault, Some(fault), "{fault}");
        pixel.submit(RECORD, 0).unwrap();
    }
    let mut pixel = Pixel::open(registers(1000, 0), BASE).unwrap();
    pixel.submit(RECORD, 0).unwrap();
    pixel.reset().unwrap();
    assert_eq!(pixel.wait(2).unwrap().fault, Some(Fault::Reset));
}

#[test]
fn the_bus_may_fail_anywhere() {
    for works in 0..9 {
        let registers = registers(0, 0).working(works);
        let run = || {
            let mut pixel = Pixel::open(registers, BASE)?;
            pixel.submit(RECORD, 0)?;
            pixel.wait(1)
        };
        assert_eq!(run(), Err(Error::Bus("no answer")), "after {works}");
    }
    let mut other = registers(0, 0);
    other.words[register::IDENTITY as usize / 4] = 5;
    assert!(matches!(Pixel::open(other, BASE), Err(Error::Identity(5))));
}

#[test]
fn the_driver_in_c_is_freestanding_and_does_the_same() {
    let program = Program::new(&["tmu_pixel"], "pixel_engine");
    assert_eq!(program.run(&[]), b"all is well\n");
}
