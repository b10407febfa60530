//! The bench of a core without texture units: identities, and a job of the engine `mesh` where that is built.

use super::{CONTROL_TASKS, MEMORY_BYTE, clocks, connections, resets, signals};
use crate::filled;
use crate::interfaces::{Kind, interfaces};
use std::fmt::Write as _;
use tmu_hdl::manifest::Manifest;
use tmu_rtl::engines::mesh::registers::IDENTITY;
use tmu_rtl::system::registers::{self, ID, ID_VALUE, PlacedRegister};
use tmu_spec::Config;
use tmu_spec::config::EngineKind;

const BENCH: &str = include_str!("engine_bench.sv");
const CONTROL_WRITE: &str = include_str!("control_write.sv");
const WISHBONE: &str = include_str!("wishbone.sv");

/// A job of one rectangle of 16 x 16 pixels, which are all of its frame: wherever its points are, all texels are the same. Masks put them
/// between texels of which all four are read: one without weight is multiplied by 0, and X times 0 is X.
const JOB: [(&str, u32); 14] = [
    ("HMESHLAST", 1),
    ("VMESHLAST", 1),
    ("VERTICES", 0x1000),
    ("TEXTURE", 0x2000),
    ("TEXTURE_WIDTH", 16),
    ("TEXTURE_HEIGHT", 16),
    ("MASK_X", 0x3ff),
    ("MASK_Y", 0x3ff),
    ("FRAME", 0x3000),
    ("FRAME_WIDTH", 16),
    ("FRAME_HEIGHT", 16),
    ("INTERRUPT_ENABLE", 1),
    ("IDENTITY", IDENTITY),
    ("CONTROL", 1),
];

/// Bytes of its frame.
const JOB_BYTES: u32 = 2 * 16 * 16;

/// The bench.
pub(super) fn bench(config: &Config, manifest: &Manifest, header: &str) -> String {
    let all = interfaces(manifest);
    let clock_of =
        |kind| all.iter().find(|interface| interface.kind == kind).map(|found| found.clock.clone());
    let is_wishbone = clock_of(Kind::WishboneSlave).is_some();
    let is_mesh = config.engines().contains(&EngineKind::Mesh);
    let mut tasks = String::new();
    let mut control = String::new();
    if config.control().port() {
        tasks += CONTROL_TASKS;
        let _ = writeln!(control, "    check_register({}, 32'h{ID_VALUE:08x});", ID.offset_bytes);
    }
    let mut steps = String::new();
    if is_mesh {
        tasks += if is_wishbone { WISHBONE } else { CONTROL_WRITE };
        steps = job(is_wishbone);
    }
    let values = [
        ("TASKS", tasks),
        ("HEADER", header.to_owned()),
        ("NAME", config.name().to_owned()),
        ("SIGNALS", signals(&all)),
        ("CONNECTIONS", connections(manifest)),
        ("CLOCKS", clocks(config, &all)),
        ("RESETS", resets(&all)),
        ("MEMORY_CLOCK", clock_of(Kind::Memory).unwrap_or_default()),
        ("WISHBONE_CLOCK", clock_of(Kind::WishboneSlave).unwrap_or_default()),
        ("MEMORY_BYTE", format!("{MEMORY_BYTE:02x}")),
        ("CONTROL", control),
        ("JOB", steps),
    ];
    filled(BENCH, &values)
}

/// The job, through the control port or the engine's own slave.
fn job(is_wishbone: bool) -> String {
    let mut text = String::new();
    for (name, value) in JOB {
        let of_name = |placed: &PlacedRegister| placed.register.name == name;
        let Some(placed) = registers::of_engine(EngineKind::Mesh).find(of_name) else { continue };
        let is_read = name == "IDENTITY";
        let (task, address) = match (is_wishbone, is_read) {
            (true, true) => ("check_engine", placed.register.offset_bytes),
            (true, false) => ("write_engine", placed.register.offset_bytes),
            (false, true) => ("check_register", placed.address),
            (false, false) => ("write_register", placed.address),
        };
        let _ = writeln!(text, "    {task}({address}, 32'h{value:x});");
    }
    // Of whatever clock: the job takes longer than the answer to the write that starts it.
    let _ = writeln!(text, "    @(posedge mesh_interrupt);");
    let _ = writeln!(
        text,
        "    if (bytes_written != {JOB_BYTES}) $fatal(1, \"%0d bytes are written, not {JOB_BYTES}\", bytes_written);"
    );
    text
}
