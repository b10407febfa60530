//! From a design to what the Verilog tools read.

use tmu_hdl::design::{Design, NetKind};
use tmu_hdl::verilog::emit;
use tmu_verilate::{ModelSource, Port, SourceFile};

/// The ports of the top; `clocks` names those that are clocks.
pub fn ports(design: &Design, clocks: &[&str]) -> Vec<Port> {
    let port = |net: &tmu_hdl::design::NetDesign| {
        let width_bits = u32::try_from(net.width).unwrap_or(u32::MAX);
        match net.kind {
            NetKind::Output => Port::output(&net.name, width_bits),
            _ if clocks.contains(&net.name.as_str()) => Port::clock(&net.name),
            _ => Port::input(&net.name, width_bits),
        }
    };
    design.blocks[0].nets.iter().filter(|net| net.is_port()).map(port).collect()
}

/// The emitted Verilog of a design, one file for each module, with its memory files.
pub fn source(design: &Design, clocks: &[&str]) -> ModelSource {
    let modules = emit(design);
    let texts = modules.modules.iter().map(|module| {
        let text = format!("`default_nettype none\n{}`default_nettype wire\n", module.text);
        SourceFile::new(format!("{}.v", module.name), text)
    });
    let memories = modules.memory_files.iter().map(|(name, text)| SourceFile::new(name, text.as_str()));
    ModelSource {
        top: design.blocks[0].name.clone(),
        ports: ports(design, clocks),
        files: texts.chain(memories).collect(),
    }
}
