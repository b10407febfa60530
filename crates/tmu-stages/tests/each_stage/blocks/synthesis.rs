//! Depth and area of both stages, as Yosys estimates them for UltraScale+.

use super::*;
use tmu_cosim::source;
use tmu_hdl::elaborate::elaborate;
use tmu_verilate::{Family, Synthesis, Tools, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

/// Formats, and the most LUTs of a header and of a texel.
const LIMITS: [(&str, &[BlockFormat], [usize; 2]); 10] = [
    ("BC1", &[Bc1], [0, 0]),
    ("BC1 to BC3", &[Bc1, Bc2, Bc3], [0, 0]),
    ("BC4 and BC5", &[Bc4, Bc5], [0, 0]),
    ("EAC", &[EacR11, EacRg11], [0, 0]),
    ("BC1 to BC5, EAC", &[Bc1, Bc2, Bc3, Bc4, Bc5, EacR11, EacRg11], [0, 0]),
    ("ETC2 without alpha", &[Etc2Rgb8, Etc2Rgb8A1], [0, 0]),
    ("ETC2", &[Etc2Rgb8, Etc2Rgb8A1, Etc2Rgba8], [0, 0]),
    ("BC7", &[Bc7], [0, 0]),
    ("BC1 to BC5, BC7", &[Bc1, Bc2, Bc3, Bc4, Bc5, Bc7], [0, 0]),
    ("all", &BlockFormat::ALL, [0, 0]),
];

#[test]
#[ignore = "temporary"]
fn dump() {
    for (name, formats) in [
        ("all", &BlockFormat::ALL[..]),
        ("bc123", &[Bc1, Bc2, Bc3]),
        ("bc4", &[Bc4]),
        ("bc7", &[Bc7]),
        ("bc2", &[Bc2]),
        ("eac", &[EacR11, EacRg11]),
        ("etc", &[Etc2Rgb8, Etc2Rgba8]),
    ] {
        let built = BlockFormats::new(formats);
        for (stage, design) in [
            ("block_header", elaborate("block_header", &BlockHeader::new(&built))),
            ("block_texel", elaborate("block_texel", &BlockTexel::new(&built))),
        ] {
            let source = source(&design.unwrap(), &["clk"]);
            std::fs::create_dir_all(format!("/tmp/h/blk/{name}")).unwrap();
            std::fs::write(format!("/tmp/h/blk/{name}/{stage}.v"), &source.files[0].text).unwrap();
            let found = tmu_verilate::lint_with_all(&source).unwrap();
            if !found.is_empty() {
                std::fs::write(format!("/tmp/h/blk/{name}/{stage}.lint"), format!("{found:#?}")).unwrap();
            }
        }
    }
}

fn synthesized(name: &str, block: &impl tmu_hdl::prelude::Block) -> Synthesis {
    let design = elaborate(name, block).unwrap_or_else(|refused| panic!("{refused}"));
    synthesize(&source(&design, &["clk"]), Family::UltraScalePlus)
        .unwrap_or_else(|refused| panic!("{refused}"))
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_stay_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let mut over = vec![];
    for (name, formats, most) in LIMITS {
        if std::env::var("SYN_ONLY")
            .is_ok_and(|only| !only.is_empty() && !only.split('|').any(|only| only == name))
        {
            continue;
        }
        let built = BlockFormats::new(formats);
        let stages = [
            synthesized("block_header", &BlockHeader::new(&built)),
            synthesized("block_texel", &BlockTexel::new(&built)),
        ];
        for (stage, most) in stages.iter().zip(most) {
            let depth = &stage.depth;
            let input = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
            let (lut, ff) = (stage.counts.lut_total(), stage.counts.ff);
            if lut > most || depth.depth().max(input) > DEPTH || depth.loops_cut + stage.counts.latches > 0 {
                let path = &depth.register_to_register;
                over.push(format!(
                    "{name}: {lut} LUT of {most}, {ff} FF, depth {}, from inputs {input}\n{path:?}",
                    depth.depth()
                ));
            }
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}
