//! The driver of the loader engine on a register file that behaves as the contract says, in Rust and in C.

#[path = "support/program.rs"]
mod program;
#[path = "support/registers.rs"]
mod registers;

use program::Program;
use registers::{BASE, Registers};
use tmu_driver::loader::{Counters, Fault, Job, Kind, Loader, MAGIC, Outcome, register};
use tmu_driver::mesh::Error;

/// Registers of the engine whose jobs end with a code after so many polls.
fn registers(clocks: u32, code: u32) -> Registers {
    Registers::new(MAGIC, [0x28, register::RESET], clocks, code)
}

#[test]
fn a_job_is_written_started_and_ends_once() {
    let mut loader = Loader::open(registers(3, 0), BASE).unwrap();
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
        (11, Fault::Length),
        (12, Fault::Unknown(12)),
    ] {
        let mut loader = Loader::open(registers(0, code), BASE).unwrap();
        loader.submit(&Job::default()).unwrap();
        assert_eq!(loader.wait(1).unwrap().fault, Some(fault), "{fault}");
        loader.submit(&Job::default()).unwrap();
    }
    let mut loader = Loader::open(registers(1000, 0), BASE).unwrap();
    loader.submit(&Job::default()).unwrap();
    loader.reset().unwrap();
    assert_eq!(loader.wait(2).unwrap().fault, Some(Fault::Reset));
}

#[test]
fn answers_of_packets_are_outcomes() {
    let words = Job { picture: 0x1000, levels: 3, ..Job::default() }.values();
    assert_eq!((words[0], words[8]), (0x1000, 3));
    let answer = 0x8000_0120_0000_0039;
    let expected = Outcome { fault: Some(Fault::Read), address: 0x8000_0120, response: 3, user: 5 };
    assert_eq!(Outcome::of_answer(answer, 5), expected);
    assert_eq!(Outcome::of_answer(0, 0).fault, None);
    assert_eq!(Outcome::of_answer(11, 0).fault, Some(Fault::Length));
}

#[test]
fn what_does_not_fit_a_register_is_refused_before_anything_is_written() {
    for (job, fault) in [
        (Job { width: 0x1_0001, ..Job::default() }, Fault::Size),
        (Job { height: 0x1_0001, ..Job::default() }, Fault::Size),
        (Job { depth: 0x1_0001, ..Job::default() }, Fault::Size),
        (Job { levels: 0x101, ..Job::default() }, Fault::Levels),
    ] {
        let mut loader = Loader::open(registers(0, 0), BASE).unwrap();
        assert_eq!(loader.submit(&job), Err(Error::Refused(fault)));
        assert_eq!(loader.poll(), Err(Error::Idle));
        assert_eq!(loader.into_bus().words[2], 0);
    }
}

#[test]
fn the_bus_may_fail_anywhere() {
    for works in 0..15 {
        let registers = registers(0, 0).working(works);
        let run = || {
            let mut loader = Loader::open(registers, BASE)?;
            loader.submit(&Job::default())?;
            loader.wait(1)
        };
        assert_eq!(run(), Err(Error::Bus("no answer")), "after {works}");
    }
    let mut other = registers(0, 0);
    other.words[register::IDENTITY as usize / 4] = 5;
    assert!(matches!(Loader::open(other, BASE), Err(Error::Identity(5))));
}

#[test]
fn the_driver_in_c_is_freestanding_and_does_the_same() {
    let program = Program::new(&["tmu_loader"], "loader");
    assert_eq!(program.run(&[]), b"all is well\n");
}
