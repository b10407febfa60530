use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::*;
use tmu_hdl::value::Value;
use tmu_hdl::verilog::{Header, emit};

#[test]
fn print() {
    let words = |n: usize| (0..n).map(|i| Value::from_u128(9, (i * 7 % 512) as u128)).collect::<Vec<_>>();
    let all: Vec<(&str, Box<dyn Block>)> = vec![
        ("sp", Box::new(RamSinglePort::new(RamShape::new(512, 36).output_register(true)))),
        ("sdp", Box::new(RamSimpleDualPort::new(RamShape::new(512, 36).style(RamStyle::Block)))),
        (
            "tdp",
            Box::new(RamTrueDualPort::new(
                RamShape::new(512, 36).style(RamStyle::Block).output_register(true),
            )),
        ),
        ("uram", Box::new(UltraRam::new(4096, 72, 2))),
        ("rom", Box::new(Rom::new(Contents::in_file("offsets", words(4096)), true))),
        ("rom_inline", Box::new(Rom::with_style(Contents::inline(words(4)), true, RamStyle::Distributed))),
        ("dist", Box::new(DistributedRam::new(32, 7))),
        ("dual_clock", Box::new(DualClockRam::new(RamShape::new(32, 7)))),
        ("sync", Box::new(Synchroniser::new(4, 2))),
        ("rsync", Box::new(ResetSynchroniser::new(3))),
        ("sfifo", Box::new(SyncFifo::new(16, 12))),
        ("sfifo_b", Box::new(SyncFifo::with_style(512, 36, RamStyle::Block))),
        ("afifo", Box::new(AsyncFifo::new(16, 132))),
        ("afifo_b", Box::new(AsyncFifo::with_style(512, 36, RamStyle::Block))),
        ("skid", Box::new(SkidBuffer::new(12))),
        ("rr", Box::new(RoundRobinArbiter::new(5, GrantTiming::Combinational))),
        ("rr1", Box::new(RoundRobinArbiter::new(1, GrantTiming::Combinational))),
        ("rrr", Box::new(RoundRobinArbiter::new(8, GrantTiming::Registered))),
        ("mul", Box::new(Multiplier::new(Operand::signed(27), Operand::unsigned(17)))),
        ("dm", Box::new(DualMultiplier::new(Operand::signed(9), 9))),
        ("dmu", Box::new(DualMultiplier::new(Operand::unsigned(8), 8))),
        ("lerp", Box::new(LerpPair::new())),
    ];
    let dir = std::env::var("PRIM_OUT").unwrap();
    for (name, block) in &all {
        match elaborate(name, block.as_ref()) {
            Ok(design) => {
                let m = emit(&design);
                std::fs::write(format!("{dir}/{name}.v"), m.to_file(&Header::default())).unwrap();
                for (n, t) in &m.memory_files {
                    std::fs::write(format!("{dir}/{n}"), t).unwrap();
                }
            }
            Err(e) => panic!("{e}"),
        }
    }
}
