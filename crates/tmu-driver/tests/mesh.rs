//! The driver of the mesh engine on a register file that behaves as the contract says, in Rust and in C.

#[path = "support/program.rs"]
mod program;
#[path = "support/registers.rs"]
mod registers;

use program::Program;
use registers::{BASE, Registers};
use tmu_driver::mesh::{Counters, Error, Fault, Job, MAGIC, Mesh, Outcome, register};

/// Registers of the engine whose jobs end with a code after so many polls.
fn registers(clocks: u32, code: u32) -> Registers {
    Registers::new(MAGIC, [0x4c, register::RESET], clocks, code)
}

#[test]
fn a_job_is_written_started_and_ends_once() {
    let mut mesh = Mesh::open(registers(3, 0), BASE).unwrap();
    assert_eq!(mesh.poll(), Err(Error::Idle));
    let job = Job {
        is_additive: true,
        dsthoffset: -5,
        chromakey: 0xf81f,
        vertices: 0x1000,
        user: 7,
        ..Job::default()
    };
    mesh.submit(&job).unwrap();
    assert_eq!((mesh.submit(&job), mesh.is_busy()), (Err(Error::Busy), Ok(true)));
    assert_eq!(mesh.wait(2), Err(Error::Time));
    let done = Outcome { fault: None, address: 0x1230, response: 2, user: 7 };
    assert_eq!(mesh.wait(2), Ok(done));
    assert_eq!((mesh.poll(), mesh.is_busy()), (Err(Error::Idle), Ok(false)));
    let counters = mesh.counters().unwrap();
    let expected = Counters {
        pixels_drawn: 100,
        pixels_left_out: 101,
        texture_lines: 102,
        texture_hits: 103,
        clocks_stalled: 104,
    };
    assert_eq!(counters, expected);
    let words = mesh.into_bus().words;
    // By the contract's table: offset and value.
    for (offset, value) in [
        (0x00, 0b101),
        (0x04, 32),
        (0x08, 24),
        (0x0c, 63),
        (0x10, 0xf81f),
        (0x14, 0x1000),
        (0x1c, 512),
        (0x24, 0x3_ffff),
        (0x30, 640),
        (0x34, 480),
        (0x38, 0xffff_fffb),
        (0x40, 16),
        (0x48, 63),
        (0x104, 0),
        (0x108, 0),
    ] {
        assert_eq!(words[offset / 4], value, "{offset:#x}");
    }
}

#[test]
fn faults_have_names_and_the_next_job_runs() {
    for (code, fault) in [
        (1, Fault::MeshSize),
        (2, Fault::TextureSize),
        (3, Fault::FrameSize),
        (4, Fault::RectangleSize),
        (5, Fault::Alignment),
        (8, Fault::Vertices),
        (9, Fault::Texture),
        (10, Fault::Frame),
        (11, Fault::Write),
        (12, Fault::Unknown(12)),
    ] {
        let mut mesh = Mesh::open(registers(0, code), BASE).unwrap();
        mesh.submit(&Job::default()).unwrap();
        assert_eq!(mesh.wait(1).unwrap().fault, Some(fault), "{fault}");
        mesh.submit(&Job::default()).unwrap();
    }
    let mut mesh = Mesh::open(registers(1000, 0), BASE).unwrap();
    mesh.submit(&Job::default()).unwrap();
    mesh.reset().unwrap();
    assert_eq!(mesh.wait(2).unwrap().fault, Some(Fault::Reset));
}

#[test]
fn what_does_not_fit_a_register_is_refused_before_anything_is_written() {
    for (job, fault) in [
        (Job { alpha: 64, ..Job::default() }, Fault::Level),
        (Job { brightness: 64, ..Job::default() }, Fault::Level),
        (Job { texvmask: 0x4_0000, ..Job::default() }, Fault::Mask),
        (Job { hmeshlast: 0x1_0001, ..Job::default() }, Fault::MeshSize),
        (Job { texhres: 0x1_0001, ..Job::default() }, Fault::TextureSize),
        (Job { dstvres: 0x1_0001, ..Job::default() }, Fault::FrameSize),
        (Job { dstsquareh: 0x1_0001, ..Job::default() }, Fault::RectangleSize),
    ] {
        let mut mesh = Mesh::open(registers(0, 0), BASE).unwrap();
        assert_eq!(mesh.submit(&job), Err(Error::Refused(fault)));
        assert_eq!(mesh.poll(), Err(Error::Idle));
        assert_eq!(mesh.into_bus().words[1], 0);
    }
}

#[test]
fn the_bus_may_fail_anywhere() {
    for works in 0..25 {
        let registers = registers(0, 0).working(works);
        let run = || {
            let mut mesh = Mesh::open(registers, BASE)?;
            mesh.submit(&Job::default())?;
            mesh.wait(1)
        };
        assert_eq!(run(), Err(Error::Bus("no answer")), "after {works}");
    }
    let mut other = registers(0, 0);
    other.words[register::IDENTITY as usize / 4] = 5;
    assert!(matches!(Mesh::open(other, BASE), Err(Error::Identity(5))));
}

#[test]
fn the_driver_in_c_is_freestanding_and_does_the_same() {
    let program = Program::new(&["tmu_mesh"], "mesh");
    assert_eq!(program.run(&[]), b"all is well\n");
}
