//! Prints the Verilog of a preset.
use tmu_hdl::{elaborate::elaborate, verilog::{Header, emit}};
fn main() {
    let name = std::env::args().nth(1).unwrap_or("fury-single".into());
    let config = tmu_spec::presets::Preset::find(&name).unwrap().config().unwrap();
    let top = tmu_rtl::top::Top::new(&config);
    match elaborate("tmu", &top) {
        Ok(design) => { let m = emit(&design); std::fs::write("/tmp/tmu.v", m.to_file(&Header::default())).unwrap(); for (n, t) in &m.memory_files { std::fs::write(format!("/tmp/{n}"), t).unwrap(); } }
        Err(e) => { std::fs::write("/tmp/errors.txt", e.to_string()).unwrap(); panic!("{} errors", e.0.len()) }
    }
}
