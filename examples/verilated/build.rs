//! Verilates the core that `tmugen generate --preset fury-single --out …` wrote.

fn main() {
    tmu_verilate::CoreBuild::new("../../hdl-out/fury-single").run();
}
